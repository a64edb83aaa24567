"""What a model is asked, what it answers, and what is recorded of every attempt."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from mendel.contracts.base import Contract, Count, JsonObject, Text
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.failures import CallFailure
from mendel.contracts.providers import ModelRole, ProviderMeta

ToolName = Literal["web_search", "fetch_url", "x_search", "youtube_search"]
"""The research tools there are: a closed set, for ``population_generator`` alone."""

TOOL_ROLE: ModelRole = "population_generator"

Verdict = Literal["accepted", "repaired", "rejected"]

FailureReason = Literal[CallFailure, "schema_refused", "over_allowance"]
"""Why an attempt brought no answer. ``unreadable``: the provider's own envelope is broken. ``over_allowance``: one more
attempt at its worst does not fit what the operation may spend, so none was made."""

RETRIED: frozenset[FailureReason] = frozenset({"rate_limited", "overloaded", "timeout", "connection", "unreadable"})
"""What may be otherwise the next time; everything else is the same however often it is asked."""

Temperature = Annotated[float, Field(ge=0.0, le=2.0)]
Milliseconds = Annotated[int, Field(ge=1, le=3_600_000)]


class ToolCall(Contract):
    """A model's wish to have a tool called; ``arguments`` is JSON as it wrote it, and data."""

    id: Annotated[str, StringConstraints(max_length=200)]
    name: str
    arguments: str


class Message(Contract):
    """One turn. Untrusted text stands in a message of its own, made by :mod:`mendel.contracts.untrusted`.

    ``tool_calls`` are those that an assistant's turn asked for; a turn of a tool answers ``tool_call_id``.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


class Sampling(Contract):
    """How an answer is drawn. What is None is left to the provider, and recorded so."""

    temperature: Temperature | None = None
    top_p: Annotated[float, Field(gt=0.0, le=1.0)] | None = None
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    stop: Annotated[tuple[str, ...], Field(max_length=4)] = ()


class CallLimits(Contract):
    """What one attempt may take. A prompt's tokens are bounded by its bytes: no token is shorter than one."""

    prompt_bytes: Annotated[int, Field(ge=1, le=10_000_000)] = 60_000
    tokens_out: Annotated[int, Field(ge=1, le=1_000_000)] = 4_096
    answer_bytes: Annotated[int, Field(ge=1, le=64 * 1024 * 1024)] = 1024 * 1024
    timeout_ms: Milliseconds = 60_000


class ToolDescriptor(Contract):
    """A research tool as a model is told of it."""

    name: ToolName
    description: Text
    parameters: JsonObject


class AttemptRecord(Contract):
    """One HTTP call, whatever came of it, or one that could not even be made: this is what the log keeps.

    ``call`` counts the questions of one operation from 0, ``attempt`` the calls for one question from 1. With a
    ``failure`` there is no answer; without one ``response`` is the raw text, and ``validation`` says what became of it
    (the first answer of a repaired question was rejected). ``estimated`` says that the provider did not tell what it
    used, or told nonsense, and that the worst case was counted. A text that is too large for an event is a blob, and
    only its beginning stands here. ``retry`` says that it repeats a call that failed; a repair is none.
    """

    role: ModelRole
    call: Count = 0
    attempt: Annotated[int, Field(ge=1)]
    provider: ProviderMeta
    failure: FailureReason | None = None
    message: str = ""
    validation: Verdict | None = None
    schema_name: str = ""
    complaints: tuple[Text, ...] = ()
    sampling: Sampling = Sampling()
    request: str = ""
    response: str = ""
    request_blob: BlobRef | None = None
    response_blob: BlobRef | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    estimated: bool = False
    retry: bool = False
    trace_id: str | None = None
    observation_id: str | None = None
