"""Providers on the loopback that take one turn of a script for each HTTP call, in the dialect of any API."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import replace
from typing import Final

import orjson
from tests.support.model_server import spoiling
from tests.support.model_server.anthropic_messages import Anthropic
from tests.support.model_server.dialects import Dialect
from tests.support.model_server.faults import FAULTS
from tests.support.model_server.http import Connection, Request
from tests.support.model_server.ollama_chat import Ollama
from tests.support.model_server.openai_chat import OpenAI
from tests.support.model_server.values import Answer, Call, Refused, Reply, Script, Told

from mendel.conformance.model_wire import WireStage, WireTurn
from mendel.ports.model_wire import ModelWire, OpenWire, WireAnswer, WireContext, WireFailed, WireUsage

DIALECTS: Final[dict[str, Dialect]] = {"openai": OpenAI(), "anthropic": Anthropic(), "ollama": Ollama()}
FAULT_OF: Final = {
    "rate_limited": "429",
    "auth": "401",
    "bad_request": "400",
    "schema_refused": "schema_refused",
    "overloaded": "503",
    "timeout": "hang",
    "connection": "reset",
    "unreadable": "html",
    "answer_too_large": "huge",
}
NOWHERE: Final = "http://127.0.0.1:9"


class ScriptedServer:
    """Serves every provider of ``scripts`` under a path of its own: ``server.url(provider)``."""

    def __init__(self, dialect: str = "openai") -> None:
        self._dialect = DIALECTS[dialect]
        self._connections: set[Connection] = set()
        self._server: asyncio.Server | None = None
        self.scripts: dict[str, deque[WireTurn | WireFailed]] = {}
        self.asked: dict[str, list[Request]] = {}
        self.retry_after: str | None = None

    async def __aenter__(self) -> ScriptedServer:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Connection(self._handle, self._connections), "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_error: object) -> None:
        assert self._server is not None
        self._server.close()
        while self._connections:
            for each in list(self._connections):
                each.abort()
            await asyncio.sleep(0)
        await self._server.wait_closed()

    def url(self, provider: str) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/{provider}"

    def texts(self, provider: str) -> list[str]:
        """What the messages of every request said, joined by lines."""
        return ["\n".join(turn.text for turn in self._dialect.read(each.json()).turns) for each in self._of(provider)]

    def bodies(self, provider: str) -> list[str]:
        return [each.body.decode() for each in self._of(provider)]

    def _of(self, provider: str) -> list[Request]:
        return self.asked.setdefault(provider, [])

    def _handle(self, request: Request) -> Reply | Script:
        provider = request.path.split("/")[1]
        self._of(provider).append(request)
        turns = self.scripts.get(provider)
        if not turns:
            return self._dialect.error("400", "the script is over")
        turn = turns.popleft()
        try:
            return self._answered(request, turn) if isinstance(turn, WireAnswer) else self._failed(request, turn)
        except Refused as refused:
            return self._dialect.error(refused.kind, refused.message, refused.param)

    def _answered(self, request: Request, turn: WireAnswer) -> Reply:
        question = self._dialect.read(request.json())
        calls = tuple(Call(call.name, call.arguments) for call in turn.tool_calls)
        into = question.answer_tool
        if into is not None and not calls:
            calls = (Call(into.name, turn.text),)
        stop = "length" if turn.cut else "refusal" if turn.refused else "stop"
        used = None if turn.usage == WireUsage() else Told(turn.usage.tokens_in, turn.usage.tokens_out)
        text = None if calls else turn.text
        return self._dialect.reply(question, Answer(text, calls, stop, used), len(self.asked))

    def _failed(self, request: Request, turn: str | WireFailed) -> Reply | Script:
        name = turn if isinstance(turn, str) else FAULT_OF[turn.reason]
        wait = self.retry_after if isinstance(turn, str) else turn.retry_after_s
        parameters = {**FAULTS[name].parameters, "retry_after": wait}
        told = spoiling.told_error(name, parameters, self._dialect, self._dialect.keys(request.headers))
        if told is not None:
            return told
        question = self._dialect.read(request.json())
        answer = spoiling.spoilt_answer(name, parameters, Answer("seven", used=Told(30, 12)))
        return spoiling.spoilt_reply(name, parameters, self._dialect.reply(question, answer, 1), question)


class ServedWireStage(WireStage):
    """One wire against the server; ``path`` is what its base URL has behind the provider's."""

    def __init__(self, server: ScriptedServer, open_wire: OpenWire, context: WireContext, path: str = "/v1") -> None:
        self._server = server
        self._open = open_wire
        self._context = context
        self._path = path

    async def open(self, *, keyed: bool = True, listening: bool = True) -> ModelWire:
        url = self._server.url(self._context.provider) if listening else NOWHERE
        key = self.key if keyed else None
        return self._open(
            replace(self._context, base_url=url + self._path, api_key=key, key_variable=self.key_variable)
        )

    def script(self, *turns: WireTurn, retry_after: str | None = None) -> None:
        self._server.scripts[self._context.provider] = deque(turns)
        self._server.retry_after = retry_after

    def asked(self) -> list[str]:
        return self._server.bodies(self._context.provider)


def shown(request: Request) -> str:
    """A request with everything in it."""
    return orjson.dumps(request.shown()).decode()
