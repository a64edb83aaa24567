"""Vendors' endpoints on the loopback: what an answer of each looks like, and a server that gives it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any

import orjson

from mendel.adapters.models.vendors import open_vendor
from mendel.ports.model_wire import ModelWire, WireContext

KEY = "sk-planted-canary-0123456789"
CLAUDE = "claude-haiku-4-5"


@dataclass
class Endpoint:
    """Listens on the loopback, answers every request with what :meth:`say` said last, and keeps what it saw."""

    seen: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)
    url: str = ""
    _reply: bytes | None = None
    _server: asyncio.Server | None = None
    _held: set[asyncio.StreamWriter] = field(default_factory=set)

    def say(self, status: int, body: object, **headers: str) -> None:
        content = body if isinstance(body, bytes) else orjson.dumps(body)
        told = {"content-type": "application/json", "content-length": str(len(content)), **headers}
        lines = [f"HTTP/1.1 {status} said", *(f"{name.replace('_', '-')}: {value}" for name, value in told.items())]
        self._reply = "\r\n".join([*lines, "", ""]).encode() + content

    def hang(self) -> None:
        self._reply = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._held.add(writer)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode().strip().split("\r\n")
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                self.seen.append((first.split()[1], headers, orjson.loads(body)))
                if self._reply is not None:
                    writer.write(self._reply)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def __aenter__(self) -> Endpoint:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_error: object) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._held:
            writer.close()
        await self._server.wait_closed()
        await asyncio.sleep(0)


@dataclass(frozen=True)
class Shape:
    """How a vendor answers: well, with a tool called, cut, and refusing."""

    vendor: str
    model_id: str
    path: str
    good: dict[str, Any]
    calling: dict[str, Any]
    cut: dict[str, Any]
    refused: dict[str, Any] | None
    schema_at: Callable[[Any], object]
    key: str | None = KEY
    needs: str | None = None

    def wire(self, url: str) -> ModelWire:
        return open_vendor(WireContext(self.vendor, base_url=url, api_key=self.key))


SAID = '{"score": 3}'
QUERY = {"query": "peas"}
ANTHROPIC = Shape(
    "anthropic",
    CLAUDE,
    "/v1/messages",
    good={
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": CLAUDE,
        "content": [{"type": "text", "text": SAID}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 7, "output_tokens": 5},
    },
    calling={
        "content": [{"type": "tool_use", "id": "toolu_1", "name": "web_search", "input": QUERY}],
        "stop_reason": "tool_use",
    },
    cut={"stop_reason": "max_tokens"},
    refused={"stop_reason": "refusal", "content": []},
    schema_at=lambda sent: sent["output_config"]["format"]["schema"],
)


def candidate(part: dict[str, Any], reason: str = "STOP") -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": reason}]}


GOOGLE = Shape(
    "google",
    "gemini-2.5-flash",
    "/models/gemini-2.5-flash:generateContent",
    good={
        **candidate({"text": SAID}),
        "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": 2, "thoughtsTokenCount": 3},
        "modelVersion": "gemini-2.5-flash",
        "responseId": "said-1",
    },
    calling=candidate({"functionCall": {"name": "web_search", "args": QUERY}}),
    cut=candidate({"text": SAID}, "MAX_TOKENS"),
    refused={"candidates": [], "promptFeedback": {"blockReason": "SAFETY"}},
    schema_at=lambda sent: sent["generationConfig"]["responseJsonSchema"],
)


def choice(message: dict[str, Any], reason: str = "stop") -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}]}


def called(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": orjson.dumps(arguments).decode()}
    return {"content": "", "tool_calls": [{"id": "abcdefghi", "type": "function", "function": function}]}


MISTRAL = Shape(
    "mistral",
    "mistral-small-latest",
    "/v1/chat/completions",
    good={
        "id": "said-1",
        "object": "chat.completion",
        "model": "mistral-small-latest",
        "created": 1_700_000_000,
        **choice({"content": SAID}),
        "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12},
    },
    calling=choice(called("web_search", QUERY), "tool_calls"),
    cut=choice({"content": SAID}, "length"),
    refused=None,
    schema_at=lambda sent: sent["tools"][-1]["function"]["parameters"],
)


def spoke(block: dict[str, Any], reason: str = "end_turn") -> dict[str, Any]:
    return {"output": {"message": {"role": "assistant", "content": [block]}}, "stopReason": reason}


BEDROCK = Shape(
    "bedrock",
    "anthropic.claude-haiku-4-5-20251001-v1:0",
    "/model/anthropic.claude-haiku-4-5-20251001-v1%3A0/converse",
    good={
        **spoke({"text": SAID}),
        "usage": {"inputTokens": 7, "outputTokens": 5, "totalTokens": 12},
        "metrics": {"latencyMs": 3},
    },
    calling=spoke({"toolUse": {"toolUseId": "tooluse_1", "name": "web_search", "input": QUERY}}, "tool_use"),
    cut=spoke({"text": SAID}, "max_tokens"),
    refused=spoke({"text": "I would rather not."}, "content_filtered"),
    schema_at=lambda sent: orjson.loads(sent["outputConfig"]["textFormat"]["structure"]["jsonSchema"]["schema"]),
    key=None,
)


HUGGINGFACE = replace(
    MISTRAL,
    vendor="huggingface",
    path="/chat/completions",
    good={**MISTRAL.good, "model": "mistral-small-latest", "system_fingerprint": ""},
    needs="huggingface_hub",
)
COHERE = Shape(
    "cohere",
    "command-r7b-12-2024",
    "/v2/chat",
    good={
        "id": "said-1",
        "message": {"role": "assistant", "content": [{"type": "text", "text": SAID}]},
        "finish_reason": "COMPLETE",
        "usage": {
            "billed_units": {"input_tokens": 6, "output_tokens": 5},
            "tokens": {"input_tokens": 7, "output_tokens": 5},
        },
    },
    calling={
        "message": called("web_search", QUERY) | {"role": "assistant", "content": []},
        "finish_reason": "TOOL_CALL",
    },
    cut={"finish_reason": "MAX_TOKENS"},
    refused=None,
    schema_at=lambda sent: sent["tools"][-1]["function"]["parameters"],
    needs="cohere",
)

SHAPES = [
    shape
    for shape in (ANTHROPIC, GOOGLE, MISTRAL, BEDROCK, COHERE, HUGGINGFACE)
    if shape.needs is None or find_spec(shape.needs) is not None
]
"""Those whose SDK is installed; the last two are in no extra of ours."""
