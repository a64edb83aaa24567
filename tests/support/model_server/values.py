"""What goes round in the model server, whatever API it came in by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

Json = dict[str, Any]
Piece = bytes | float
"""Bytes to send, or seconds to wait before what comes next."""
Ending = Literal["keep", "close", "reset"]
"""What becomes of the connection afterwards."""
Stop = Literal["stop", "length", "refusal"]

NEVER: Final = 1e9
"""Seconds that nobody waits out."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message, its parts joined. A ``tool`` turn is the result of a tool."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the caller offers; ``parameters`` is the JSON Schema of its arguments."""

    name: str
    parameters: Json


@dataclass(frozen=True, slots=True)
class Call:
    """A wish to have a tool called; ``arguments`` is JSON, or was meant to be."""

    name: str
    arguments: str


class Brain(Protocol):
    """What the server answers when nothing is faulty. It is made once, without arguments, and asked by one thread."""

    def answer(self, messages: Sequence[Turn], schema: Json | None, tools: Sequence[Tool]) -> str | Sequence[Call]:
        """A text, which is JSON that fits ``schema`` if there is one, or the tools to call."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """A request to a chat API. ``answer_tool`` is the tool whose arguments the answer has to be, if one is forced."""

    model: str
    turns: tuple[Turn, ...]
    schema: Json | None = None
    tools: tuple[Tool, ...] = ()
    answer_tool: Tool | None = None
    max_tokens: int | None = None
    stream: bool = False
    stream_usage: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """What the answer says that it used; a fault may say anything."""

    tokens_in: object
    tokens_out: object


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said to a question, before an API's dialect clothes it."""

    text: str | None
    calls: tuple[Call, ...] = ()
    stop: Stop = "stop"
    used: Told | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A response. With a ``stream`` there is no ``body``: its pieces are sent as chunks."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("content-type", "application/json"),)
    body: bytes = b""
    stream: Iterable[Piece] | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """What is sent byte for byte, head included, and what becomes of the connection then."""

    pieces: Iterable[Piece]
    ending: Ending = "keep"


class Refused(Exception):
    """A request that the API answers with an error. ``kind`` is a row of :data:`~.dialects.ERRORS`."""

    def __init__(self, kind: str, message: str | None = None, *, param: str | None = None) -> None:
        super().__init__(message or kind)
        self.kind = kind
        self.message = message
        self.param = param
