"""Port ``ResearchTools``: the closed set of tools with which a model may look up information while it writes.

Only ``population_generator`` has them. The single entry point checks which tools a genome may use and how often a run
may call them, before any call is made. A refused tool call is returned to the model as data and never ends a run.
"""

from __future__ import annotations

import asyncio
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Final, get_args

from pydantic import ValidationError

from mendel.contracts.errors import ModelCallFailed, ModelRequestRefused
from mendel.contracts.model_calls import (
    TOOL_ROLE,
    AttemptRecord,
    CallLimits,
    Message,
    ToolCall,
    ToolDescriptor,
    ToolName,
)
from mendel.contracts.retrieval import (
    ARGUMENTS,
    MAX_ARGUMENTS,
    MAX_TOOL_TEXT,
    Arguments,
    ToolCode,
    ToolRecord,
    descriptor_of,
    one_line,
    plain_text,
)
from mendel.contracts.untrusted import FRAMING, data_message
from mendel.ports.closing import Closing
from mendel.ports.model_gateway import ModelGateway, ModelRequest, ModelResponse

DEFAULT_LIMITS: Final = CallLimits()
_LEAST_ROOM: Final = 2_000
"""With less room than this (in bytes), no more tools are offered."""
_LEAST_ANSWER: Final = 100
TOOLS: Final[tuple[ToolName, ...]] = get_args(ToolName)
LONGEST_S: Final = 60.0
"""Upper limit in seconds for one tool call, whatever the tool's own timeout is."""
_WRITTEN: Final = 200  # characters of a short text, such as a name, in a record
_ANSWER_NOW: Final = "No tool can be called any more. Answer now, with what you have."


@dataclass(slots=True)
class ToolCounter:
    """The number of calls that may still be made, created from the operation's allowance.

    Calls are also counted in ``within``, if it is given.
    """

    allowed: int
    used: int = 0
    within: ToolCounter | None = None

    @property
    def left(self) -> int:
        """The number of remaining calls."""
        own = max(0, self.allowed - self.used)
        return own if self.within is None else min(own, self.within.left)

    def take(self) -> bool:
        """Count one more call, if one is left. A call that fails still counts (rule 1)."""
        if self.used >= self.allowed or (self.within is not None and not self.within.take()):
            return False
        self.used += 1
        return True


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The result of an implementation. ``latency_ms`` is measured by the port if it is None."""

    text: str
    provider: str
    fallback_sourced: bool = False
    latency_ms: int | None = None


class ToolFailed(Exception):
    """A tool brought no result. The message goes to the model and the log: no key, header or internal address."""

    def __init__(self, code: ToolCode, message: str, *, provider: str = "", latency_ms: int | None = None) -> None:
        super().__init__(message)
        self.code: ToolCode = code
        self.provider = provider
        self.latency_ms = latency_ms


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a tool call, and how it returns to the model: only as data between delimiters (rule 5)."""

    call: ToolCall
    record: ToolRecord

    @property
    def answered(self) -> bool:
        """Whether there is an answer."""
        return self.record.code == "answered"

    def message(self, room: int = MAX_TOOL_TEXT) -> Message:
        """Return the tool's turn for a model that is still calling tools, cut to ``room`` bytes."""
        return self.retold(room).model_copy(update={"role": "tool", "tool_call_id": self.call.id})

    def retold(self, room: int = MAX_TOOL_TEXT) -> Message:
        """Return the same content as a separate message, for a question that no longer offers tools."""
        told = self.record.text if self.answered else f"no answer ({self.record.code}): {self.record.text}"
        return data_message(f"answer of {known_tool(self.call.name) or 'a tool'}", _fitting(told, room))


class ResearchTools(Closing, ABC):
    """Looks up information for a model.

    Obligations of an implementation:

    - ``_call`` returns text, or raises :class:`ToolFailed` with its code. It bounds its time and what it reads.
    - A request contains only the arguments; a key is read on first use and appears in no text (rule 4).
    - A tool that is not configured is ``not_configured``; no other tool replaces it.
    - It may be called concurrently.

    ``call`` is the only entry point and never raises.
    """

    @abstractmethod
    def names(self) -> frozenset[ToolName]:
        """Return the tools that are available here."""

    def descriptors(self) -> tuple[ToolDescriptor, ...]:
        """Return the descriptions of the available tools, for a model."""
        names = self.names()
        return tuple(descriptor_of(name) for name in TOOLS if name in names)

    async def call(self, call: ToolCall, permission: Set[ToolName], counter: ToolCounter) -> ToolResult:
        """Perform a model's tool call and return the result.

        It refuses a tool that does not exist, one for which the genome has no ``permission``, arguments that do not fit
        its schema, and every call above the cap. Only after these checks is the call counted and made.
        """
        began = time.monotonic()
        try:
            answer = await self._asked(*_allowed(call, permission, counter))
        except ToolFailed as failed:
            answer = ToolAnswer(str(failed), failed.provider, latency_ms=failed.latency_ms)
            return ToolResult(call, _record(call, failed.code, answer, began))
        return ToolResult(call, _record(call, "answered", answer, began))

    async def _asked(self, name: ToolName, arguments: Arguments) -> ToolAnswer:
        if name not in self.names():
            raise ToolFailed("not_configured", f"{name} is not configured here")
        try:
            async with asyncio.timeout(LONGEST_S):
                return _looked_at(await self._call(name, arguments))
        except ToolFailed:
            raise
        except TimeoutError as error:
            raise ToolFailed("timeout", f"{name} took longer than {LONGEST_S:g} seconds") from error
        # Broad on purpose: an implementation may be third-party code, and a failing tool must not end a run.
        except Exception as error:
            raise ToolFailed("broken", f"{name} is out of order") from error

    @abstractmethod
    async def _call(self, name: ToolName, arguments: Arguments) -> ToolAnswer:
        """Call the tool; permission, arguments and cap have been checked.

        Raises:
            ToolFailed: it brought no result.
        """


class RecordingTools(ResearchTools):
    """Wraps tools for one operation and records every call, so that no handler can omit one.

    Whatever counter a handler passes, at most ``allowed`` calls are made. The owner of the wrapped tools closes them.
    """

    def __init__(self, inner: ResearchTools, allowed: ToolCounter | None = None) -> None:
        self._inner = inner
        self._allowed = allowed
        self.records: list[ToolRecord] = []

    def names(self) -> frozenset[ToolName]:
        """Return the names of the wrapped tools."""
        return self._inner.names()

    async def call(self, call: ToolCall, permission: Set[ToolName], counter: ToolCounter) -> ToolResult:
        """Delegate to the wrapped tools within both caps, and record the result."""
        bounded = ToolCounter(counter.left, within=self._allowed)  # both caps apply
        result = await super().call(call, permission, bounded)
        counter.used += bounded.used
        self.records.append(result.record)
        return result

    async def _call(self, name: ToolName, arguments: Arguments) -> ToolAnswer:
        return await self._inner._call(name, arguments)


def known_tool(name: str) -> ToolName | None:
    """Return the tool of that name, if it exists."""
    return next((tool for tool in TOOLS if tool == name), None)


def read_arguments(name: ToolName, written: str) -> Arguments:
    """Parse a model's text as the arguments of a tool.

    Raises:
        ToolFailed: it is not JSON, or does not fit the tool's schema.
    """
    if len(written) > MAX_ARGUMENTS:
        raise ToolFailed("bad_arguments", f"arguments of {len(written):,} characters are too many")
    try:
        return ARGUMENTS[name].model_validate_json(written or "{}")
    except ValidationError as error:
        raise ToolFailed("bad_arguments", _complaints(error)) from error
    except UnicodeEncodeError as error:
        raise ToolFailed("bad_arguments", "the arguments are no text") from error


def _allowed(call: ToolCall, permission: Set[ToolName], counter: ToolCounter) -> tuple[ToolName, Arguments]:
    name = known_tool(call.name)
    if name is None:
        raise ToolFailed("unknown_tool", f"there is no such tool; there are {', '.join(TOOLS)}")
    if name not in permission:
        raise ToolFailed("not_permitted", f"{name} is not permitted to you")
    arguments = read_arguments(name, call.arguments)
    if not counter.take():
        raise ToolFailed("cap_reached", "no tool call is left; answer with what you have")
    return name, arguments


def _complaints(error: ValidationError) -> str:
    """Describe what does not fit, without repeating the model's text or a key that it invented."""
    told = []
    for each in error.errors(include_url=False, include_input=False, include_context=False)[:5]:
        place = ".".join(str(part) if str(part).isidentifier() else "(a key)" for part in each["loc"])
        told.append(f"{place[:_WRITTEN] or 'the arguments'}: {each['msg'][:_WRITTEN]}")
    return "; ".join(told)


def _looked_at(answer: object) -> ToolAnswer:
    if not isinstance(answer, ToolAnswer) or not isinstance(answer.text, str):
        raise TypeError("a tool must return a ToolAnswer with text")
    return answer


def _record(call: ToolCall, code: ToolCode, answer: ToolAnswer, began: float) -> ToolRecord:
    return ToolRecord(
        call_id=one_line(call.id, _WRITTEN),
        name=one_line(call.name, _WRITTEN),
        arguments=plain_text(call.arguments, MAX_ARGUMENTS),
        code=code,
        text=plain_text(answer.text, MAX_TOOL_TEXT),
        provider=one_line(answer.provider, _WRITTEN),
        fallback_sourced=answer.fallback_sourced,
        latency_ms=round((time.monotonic() - began) * 1_000) if answer.latency_ms is None else answer.latency_ms,
    )


# --- a model that calls tools ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ResearchLimits:
    """Limits of a model's research before it must answer: turns, calls per turn, and bytes that it reads."""

    turns: int = 4
    calls_per_turn: int = 8
    answer_bytes: int = 8_000
    total_bytes: int = 32_000


async def with_tools(
    gateway: ModelGateway,
    request: ModelRequest,
    tools: ResearchTools,
    permission: Set[ToolName],
    counter: ToolCounter,
    *,
    limits: ResearchLimits = ResearchLimits(),  # noqa: B008 - frozen
) -> tuple[ModelResponse, tuple[ToolRecord, ...]]:
    """Return the answer of a model that may call tools first, and the records of all its calls.

    When its turns, its calls or its room for reading are used up, it gets the question once more without tools, and
    that answer counts. The response contains the attempts of all turns; so does the error. To keep the calls of a model
    that fails later, pass :class:`RecordingTools`.

    Raises:
        ModelRequestRefused: the request is for another role than ``population_generator``.
        ModelCallFailed: there is no answer.
    """
    if request.role != TOOL_ROLE:
        raise ModelRequestRefused(f"research tools are only for {TOOL_ROLE}, not for {request.role}")
    talk = _Talk(gateway, request, limits)
    offered = tuple(each for each in tools.descriptors() if each.name in permission)
    for _ in range(limits.turns):
        if not offered or not counter.left or talk.room < _LEAST_ROOM:
            break
        response = await talk.ask((*talk.framed, *talk.turns), offered)
        if not response.tool_calls:
            return response, talk.records
        await talk.serve(response, tools, permission, counter)
    return await talk.last(), talk.records


class _Talk:
    """One question over several turns; ``room`` is the number of bytes that may still be read."""

    def __init__(self, gateway: ModelGateway, request: ModelRequest, limits: ResearchLimits) -> None:
        self.framed = _framed(request.messages)
        prompt = (request.limits or DEFAULT_LIMITS).prompt_bytes - sum(map(_size, self.framed)) - _schema(request)
        self._gateway = gateway
        self._request = request
        self._limits = limits
        self._attempts: tuple[AttemptRecord, ...] = ()
        self._asked = 0
        self._results: list[ToolResult] = []
        self._retold: list[Message] = []
        self.turns: list[Message] = []
        self.room = min(limits.total_bytes, prompt // 2)

    @property
    def records(self) -> tuple[ToolRecord, ...]:
        return tuple(result.record for result in self._results)

    async def ask(self, messages: tuple[Message, ...], tools: tuple[ToolDescriptor, ...]) -> ModelResponse:
        try:
            response = await self._gateway.ask(replace(self._request, messages=messages, tools=tools))
        except ModelCallFailed as error:
            raise ModelCallFailed(error.reason, str(error), self._with(error.records)) from error
        self._attempts = self._with(response.records)
        self._asked += 1
        return replace(response, records=self._attempts)

    def _with(self, records: tuple[AttemptRecord, ...]) -> tuple[AttemptRecord, ...]:
        return (*self._attempts, *(each.model_copy(update={"call": self._asked}) for each in records))

    async def serve(
        self, response: ModelResponse, tools: ResearchTools, permission: Set[ToolName], counter: ToolCounter
    ) -> None:
        """Answer or refuse each tool call of a turn in order; calls above the limit per turn are ignored."""
        wishes = tuple(map(_written, response.tool_calls[: self._limits.calls_per_turn]))
        self._add(Message(role="assistant", content=_whole(response.text), tool_calls=wishes))
        for wish in wishes:
            result = await tools.call(wish, permission, counter)
            self._results.append(result)
            told = min(self._limits.answer_bytes, max(self.room, _LEAST_ANSWER))
            self._retold.append(result.retold(told))
            self._add(result.message(told))

    def _add(self, message: Message) -> None:
        self.turns.append(message)
        self.room -= _size(message)

    async def last(self) -> ModelResponse:
        """Return the answer to the question with all tool results and no tools."""
        read = (*self.framed, *self._retold, Message(role="user", content=_ANSWER_NOW))
        # Without results, the original question needs no instructions about data.
        response = await self.ask(read if self._retold else self._request.messages, ())
        if not response.tool_calls:
            return response
        complaint = "it calls a tool instead of answering"
        return replace(response, outcome="rejected", output=None, complaints=(complaint,), tool_calls=())


def _framed(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Add the instructions for handling data, unless a message already contains them."""
    said = any(each.role == "system" and FRAMING in each.content for each in messages)
    return messages if said else (Message(role="system", content=FRAMING), *messages)


def _written(call: ToolCall) -> ToolCall:
    return ToolCall(id=_whole(call.id), name=_whole(call.name), arguments=_whole(call.arguments))


def _whole(text: str) -> str:
    """Replace lone surrogates, which no request could contain."""
    return text.encode("utf-8", "replace").decode()


def _schema(request: ModelRequest) -> int:
    """Return the size of the answer's schema, counted twice: some providers need it again as text."""
    return 2 * len(json.dumps(request.output.model_json_schema())) if request.output is not None else 0


def _size(message: Message) -> int:
    return len(message.model_dump_json().encode())


def _fitting(text: str, room: int) -> str:
    """Return the beginning of ``text`` that takes at most ``room`` bytes as JSON."""
    # An empty text takes two bytes, its quotes.
    while (size := len(json.dumps(text, ensure_ascii=False).encode())) > max(room, 2):
        text = text[: len(text) * max(room, 2) // size]
    return text
