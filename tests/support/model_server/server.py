"""The server: who is asked at which path, what is kept of it, and which fault happens."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Final, Self

import orjson
from tests.support.model_server import openai_chat, spoiling
from tests.support.model_server.anthropic_messages import Anthropic
from tests.support.model_server.brains import brain_named
from tests.support.model_server.dialects import JSON_TYPE, Dialect
from tests.support.model_server.faults import FAULTS, Fault, Needs, first
from tests.support.model_server.http import Connection, Request
from tests.support.model_server.ollama_chat import Ollama
from tests.support.model_server.openai_chat import OpenAI
from tests.support.model_server.values import Answer, Brain, Call, Json, Question, Refused, Reply, Script, Told

KEPT: Final = 10_000
"""How many of the last requests are kept to be looked at."""
BYTES_PER_TOKEN: Final = 4
_BACKLOG: Final = 1_024


@dataclass(frozen=True, slots=True)
class _Asked:
    """One request on its way through the server."""

    request: Request
    body: Json
    dialect: Dialect
    number: int
    fault: Fault | None = None

    def spoilt(self, reply: Reply, question: Question | None = None) -> Reply | Script:
        fault = self.fault
        return reply if fault is None else spoiling.spoilt_reply(fault.name, fault.parameters, reply, question)


class ModelServer:
    """A provider of models on the loopback, in this process: ``async with ModelServer() as server: server.url``.

    ``brain`` is a name or a brain, ``faults`` are as :mod:`.faults` writes them, ``key`` is the one that callers must
    send, ``models`` are the only ones there are (all, if none is named). With ``strict`` off no schema is refused for
    being outside OpenAI's strict subset, as with most other providers.
    """

    def __init__(
        self,
        brain: str | Brain = "echo",
        *,
        faults: Iterable[Json] = (),
        key: str | None = None,
        models: Sequence[str] = (),
        strict: bool = True,
        port: int = 0,
    ) -> None:
        self._brain = brain_named(brain) if isinstance(brain, str) else brain
        self._faults = [Fault.read(each) for each in faults]
        self._key = key
        self._models = tuple(models)
        self._port = port
        self._chats: dict[str, Dialect] = {
            "/v1/chat/completions": OpenAI(strict=strict),
            "/v1/messages": Anthropic(),
            "/api/chat": Ollama(),
        }
        self._others: dict[str, tuple[Dialect, Callable[[_Asked], Reply | Script]]] = {
            "POST /v1/embeddings": (self._chats["/v1/chat/completions"], self._embedded),
            "GET /v1/models": (self._chats["/v1/chat/completions"], self._listed),
            "GET /api/tags": (self._chats["/api/chat"], self._tagged),
        }
        self._seen: deque[Request] = deque(maxlen=KEPT)
        self._connections: set[Connection] = set()
        self._server: asyncio.Server | None = None
        self.count = 0
        """How many requests there were in all, those about the server itself left out."""

    # --- from outside ------------------------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """Where it listens; OpenAI's base URL is this with ``/v1``."""
        if self._server is None:
            raise RuntimeError("the server has not been started")
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @property
    def seen(self) -> list[Request]:
        """The requests it saw, the oldest first."""
        return list(self._seen)

    def forget(self) -> None:
        """Keep nothing of what was seen."""
        self._seen.clear()
        self.count = 0

    def program(self, faults: Iterable[Json]) -> None:
        """Have these faults, and no others, from now on.

        Raises:
            ValueError: one of them is none; then nothing has changed.
        """
        self._faults = [Fault.read(each) for each in faults]

    def fail(self, fault: str, times: int | None = 1, **parameters: Any) -> None:
        """One more fault, after those that are programmed; ``times`` None is for ever."""
        self._faults.append(Fault.read({"fault": fault, "times": times, **parameters}))

    async def start(self) -> None:
        """Listen."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: Connection(self.handle, self._connections), "127.0.0.1", self._port, backlog=_BACKLOG
        )

    async def stop(self) -> None:
        """Listen no more, and break off whatever is under way. Can be called again."""
        if self._server is None:
            return
        self._server.close()
        while self._connections:
            for each in list(self._connections):
                each.abort()
            await asyncio.sleep(0)
        await self._server.wait_closed()
        self._server = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    # --- requests ----------------------------------------------------------------------------------------------------

    def handle(self, request: Request) -> Reply | Script:
        """What a request is answered with."""
        path = request.path.partition("?")[0]
        if path.startswith("/__"):
            return self._about_itself(request, path)
        self._seen.append(request)
        self.count += 1
        chat = self._chats.get(path) if request.method == "POST" else None
        dialect, perform = (chat, self._chatted) if chat else self._others.get(f"{request.method} {path}", (None, None))
        if dialect is None or perform is None:
            return Reply(404, body=orjson.dumps({"error": {"message": f"Invalid URL ({request.method} {path})"}}))
        return self._answered(request, dialect, perform, chat=chat is not None)

    def _answered(
        self, request: Request, dialect: Dialect, perform: Callable[[_Asked], Reply | Script], *, chat: bool
    ) -> Reply | Script:
        key = dialect.keys(request.headers)
        if self._key is not None and key != self._key:
            return dialect.error("401")
        try:
            body = _body(request)
            fault = self._happening(request, body, chat=chat)
            told = spoiling.told_error(fault.name, fault.parameters, dialect, key) if fault is not None else None
            if told is not None:
                return told
            self._known(body)
            return perform(_Asked(request, body, dialect, self.count, fault))
        except Refused as refused:
            return dialect.error(refused.kind, refused.message, refused.param)

    def _happening(self, request: Request, body: Json, *, chat: bool) -> Fault | None:
        if not self._faults:
            return None
        return first(self._faults, request, body.get("model"), _needs(request, body, chat=chat))

    def _known(self, body: Json) -> None:
        model = body.get("model")
        if self._models and model is not None and model not in self._models:
            raise Refused("404", f"The model `{model}` does not exist or you do not have access to it.")

    def _chatted(self, asked: _Asked) -> Reply | Script:
        question = asked.dialect.read(asked.body)
        answer = self._thought(question)
        if asked.fault is not None:
            answer = spoiling.spoilt_answer(asked.fault.name, asked.fault.parameters, answer)
        return asked.spoilt(asked.dialect.reply(question, answer, asked.number), question)

    def _thought(self, question: Question) -> Answer:
        """What the brain says, clothed as a call where one is forced, and cut where it is too long."""
        said = self._brain.answer(question.turns, question.schema, question.tools)
        into = question.answer_tool
        text = said if isinstance(said, str) and into is None else None
        calls = (Call(into.name, said),) if into is not None and isinstance(said, str) else ()
        calls = calls if isinstance(said, str) else tuple(said)
        spent = _tokens(text or "", *(call.arguments for call in calls))
        answer = Answer(text, calls, "stop", Told(_tokens(*(turn.text for turn in question.turns)), spent))
        return answer if question.max_tokens is None or spent <= question.max_tokens else _cut(answer, question)

    def _embedded(self, asked: _Asked) -> Reply | Script:
        body = asked.body
        texts = openai_chat.texts_of(body)
        openai_chat.model_of(body)
        rows = list(enumerate(openai_chat.vectors(texts, openai_chat.dimension_of(body))))
        used = Answer(None, used=Told(_tokens(*texts), 0))
        if asked.fault is not None:
            rows = spoiling.spoilt_rows(asked.fault.name, rows)
            used = spoiling.spoilt_answer(asked.fault.name, asked.fault.parameters, used)
        return asked.spoilt(openai_chat.embeddings(body, rows, used.used, asked.number))

    def _listed(self, asked: _Asked) -> Reply | Script:
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in self._model_names()]
        return asked.spoilt(Reply(body=orjson.dumps({"object": "list", "data": data})))

    def _tagged(self, asked: _Asked) -> Reply | Script:
        models = [{"name": name, "model": name, "size": 1, "digest": "0" * 64} for name in self._model_names()]
        return asked.spoilt(Reply(body=orjson.dumps({"models": models})))

    def _model_names(self) -> tuple[str, ...]:
        return self._models or ("test-model",)

    # --- about the server itself -------------------------------------------------------------------------------------

    def _about_itself(self, request: Request, path: str) -> Reply:
        doors: dict[str, Callable[[], object]] = {
            "GET /__seen": lambda: {"count": self.count, "requests": [each.shown() for each in self._seen]},
            "DELETE /__seen": self.forget,
            "GET /__faults": lambda: [each.shown() for each in self._faults],
            "POST /__faults": lambda: self.program(request.json()),
            "DELETE /__faults": lambda: self.program(()),
            "GET /__names": lambda: list(FAULTS),
        }
        door = doors.get(f"{request.method} {path}")
        if door is None:
            return Reply(404, body=b'{"error": "there is no such door"}')
        try:
            return Reply(200, (JSON_TYPE,), orjson.dumps(door()))
        except (ValueError, TypeError, AttributeError) as error:
            return Reply(400, (JSON_TYPE,), orjson.dumps({"error": str(error)}))


def _body(request: Request) -> Json:
    if request.method == "GET":
        return {}
    try:
        body = request.json()
    except ValueError as error:
        raise Refused("400", "We could not parse the JSON body of your request.") from error
    if not isinstance(body, dict):
        raise Refused("400", "The body is not a JSON object.")
    return body


def _needs(request: Request, body: Json, *, chat: bool) -> frozenset[Needs]:
    """What kinds of fault could be seen in the answer to this."""
    if request.method == "GET":
        return frozenset({"anything"})
    if not chat:
        return frozenset({"anything", "usage", "vectors"})
    structured = b"schema" in request.body.lower() or body.get("format")
    return frozenset({"anything", "usage", "chat", *(("schema",) if structured else ())})


def _tokens(*texts: str) -> int:
    return sum(-(-len(text.encode(errors="replace")) // BYTES_PER_TOKEN) for text in texts)


def _cut(answer: Answer, question: Question) -> Answer:
    """The answer as far as its tokens reach."""
    most = question.max_tokens or 0
    size = BYTES_PER_TOKEN * most
    text = None if answer.text is None else answer.text.encode(errors="replace")[:size].decode(errors="ignore")
    calls = tuple(Call(call.name, call.arguments[:size]) for call in answer.calls)
    used = Told(answer.used.tokens_in if answer.used is not None else 0, most)
    return replace(answer, text=text, calls=calls, stop="length", used=used)
