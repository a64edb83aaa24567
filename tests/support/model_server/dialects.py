"""What every API's dialect has: how its questions are read, its answers clothed and its errors worded."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import orjson
from tests.support.model_server.values import Answer, Json, Question, Refused, Reply, Tool, Turn

JSON_TYPE: Final = ("content-type", "application/json")
EVENTS_TYPE: Final = ("content-type", "text/event-stream; charset=utf-8")
_PIECES: Final = 8
_OUTPUT_TOOL: Final = "final_result"


class Kind(NamedTuple):
    """An error: its status, its names at OpenAI and at Anthropic, and what is said if nothing more exact is."""

    status: int
    openai_type: str
    openai_code: str | None
    anthropic_type: str
    message: str


ERRORS: Final = {
    "401": Kind(401, "invalid_request_error", "invalid_api_key", "authentication_error", "Incorrect API key provided."),
    "403": Kind(403, "invalid_request_error", "permission_denied", "permission_error", "This key may not do that."),
    "429": Kind(429, "requests", "rate_limit_exceeded", "rate_limit_error", "Rate limit reached for requests."),
    "quota": Kind(
        429, "insufficient_quota", "insufficient_quota", "rate_limit_error", "You exceeded your current quota."
    ),
    "400": Kind(400, "invalid_request_error", None, "invalid_request_error", "The request is not valid."),
    "404": Kind(404, "invalid_request_error", "model_not_found", "not_found_error", "The model does not exist."),
    "413": Kind(413, "invalid_request_error", "request_too_large", "request_too_large", "The request is too large."),
    "500": Kind(500, "server_error", None, "api_error", "The server had an error."),
    "503": Kind(503, "server_error", "service_unavailable", "overloaded_error", "The engine is not available."),
    "529": Kind(529, "overloaded_error", "overloaded", "overloaded_error", "Overloaded"),
}


class Dialect(ABC):
    """One API. It keeps no state: a dialect may be shared."""

    @abstractmethod
    def read(self, body: Json) -> Question:
        """The question that a body asks.

        Raises:
            Refused: the API does not take it.
        """

    @abstractmethod
    def reply(self, question: Question, answer: Answer, number: int) -> Reply:
        """The answer, whole or as a stream."""

    @abstractmethod
    def error(self, kind: str, message: str | None = None, param: str | None = None) -> Reply:
        """An error of :data:`ERRORS` in the API's own words."""

    def keys(self, headers: dict[str, str]) -> str | None:
        """The key that a caller sent."""
        return headers.get("authorization", "").removeprefix("Bearer ") or None


def refusing(kind: str, message: str, *, unless: object, param: str | None = None) -> None:
    """Refuse a request that lacks something.

    Raises:
        Refused: ``unless`` is not so.
    """
    if not unless:
        raise Refused(kind, message, param=param)


def model_of(body: Json) -> str:
    """The model that a body names.

    Raises:
        Refused: it names none.
    """
    model = body.get("model")
    refusing("400", "you must provide a model parameter", unless=isinstance(model, str) and model, param="model")
    return str(model)


def turns_of(messages: object) -> tuple[Turn, ...]:
    """The messages of a body; results of tools are turns of their own.

    Raises:
        Refused: there are none, or they are no messages.
    """
    listed = messages if isinstance(messages, list) else []
    good = listed and all(isinstance(each, dict) and isinstance(each.get("role"), str) for each in listed)
    refusing("400", "'messages' must be a non-empty list of messages with a role", unless=good, param="messages")
    return tuple(turn for each in listed for turn in _turns(each))


def _turns(message: Json) -> Iterator[Turn]:
    role, content = message["role"], message.get("content")
    if isinstance(content, list):
        results = [part for part in content if isinstance(part, dict) and part.get("type") == "tool_result"]
        yield from (Turn("tool", text_of(part.get("content"))) for part in results)
        content = [part for part in content if part not in results]
        if results and not content:
            return
    yield Turn(role, text_of(content))


def text_of(content: object) -> str:
    """The text of a message's content, which is a text or a list of parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))


def schema_in_words(turns: Iterable[Turn]) -> Json | None:
    """A JSON Schema that a system's message tells in its text: a model would read it there too."""
    for turn in turns:
        at = turn.text.lower().find("schema") if turn.role in ("system", "developer") else -1
        start = turn.text.find("{", at) if at >= 0 else -1
        if start < 0:
            continue
        try:
            found, _end = json.JSONDecoder().raw_decode(turn.text, start)
        except ValueError:
            continue
        if isinstance(found, dict) and found.keys() & {"type", "properties", "$ref", "anyOf"}:
            return found
    return None


def with_tools(question: Question, tools: Sequence[Tool], *, choice: str, name: str | None = None) -> Question:
    """The question with its tools. The answer goes into one of them where a call is forced, or one is made for it.

    That is the one named, or else the one that pydantic-ai calls its output, or else the last.
    """
    if choice == "none" or not tools:
        return question
    taken = [tool for tool in tools if tool.name == name] or [t for t in tools if t.name.startswith(_OUTPUT_TOOL)]
    if choice == "auto" and not taken:
        return replace(question, tools=tuple(tools))
    into = taken[0] if taken else tools[-1]
    rest = () if name else tuple(tool for tool in tools if tool is not into)
    return replace(question, tools=rest, answer_tool=into, schema=into.parameters)


def split(text: str) -> Iterator[str]:
    """A text in a few pieces, as a stream brings it."""
    size = max(1, -(-len(text) // _PIECES))
    return (text[at : at + size] for at in range(0, len(text), size))


def event(value: object, name: str | None = None) -> bytes:
    """A server-sent event."""
    head = f"event: {name}\n".encode() if name else b""
    return head + b"data: " + dumped(value) + b"\n\n"


def dumped(value: object) -> bytes:
    """A value as JSON; numbers beyond 64 bits, which orjson does not write, included."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value).encode(errors="replace")


def object_in(arguments: str) -> Json | None:
    """The JSON object that a call's arguments are, where an API has no other way to say them."""
    try:
        found: Any = orjson.loads(arguments)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
