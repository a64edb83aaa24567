"""Requests to language models, their responses, and the record of every attempt."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from mendel.contracts.base import Contract, Count, JsonObject, Text
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.failures import CallFailure
from mendel.contracts.providers import ModelRole, ProviderMeta

ToolName = Literal["web_search", "fetch_url", "x_search", "youtube_search"]
"""The closed set of research tools; only the role ``population_generator`` may use them."""

TOOL_ROLE: ModelRole = "population_generator"

Verdict = Literal["accepted", "repaired", "rejected"]

FailureReason = Literal[CallFailure, "schema_refused", "over_allowance"]
"""Why an attempt has no answer. ``unreadable``: the provider's response is malformed. ``over_allowance``: the worst
case of one more attempt exceeds the rest of the operation's allowance, so it was not made."""

RETRIED: frozenset[FailureReason] = frozenset({"rate_limited", "overloaded", "timeout", "connection", "unreadable"})
"""Transient failures, which are worth a retry; all others would fail again."""

Temperature = Annotated[float, Field(ge=0.0, le=2.0)]
Milliseconds = Annotated[int, Field(ge=1, le=3_600_000)]  # at most an hour


class ToolCall(Contract):
    """A tool call requested by a model; ``arguments`` is the untrusted JSON text that the model wrote."""

    id: Annotated[str, StringConstraints(max_length=200)]
    name: str
    arguments: str  # not parsed: it need not be valid JSON


class Message(Contract):
    """One message of a conversation. Untrusted text has its own message, built by :mod:`mendel.contracts.untrusted`.

    ``tool_calls`` are the calls that an assistant message requests; a tool message responds to ``tool_call_id``.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


class Sampling(Contract):
    """Sampling parameters of an answer. None leaves a parameter to the provider, and is recorded as None."""

    temperature: Temperature | None = None
    top_p: Annotated[float, Field(gt=0.0, le=1.0)] | None = None
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    stop: Annotated[tuple[str, ...], Field(max_length=4)] = ()


class CallLimits(Contract):
    """Limits of one attempt. The size of a prompt in bytes bounds its tokens: every token has at least one byte."""

    prompt_bytes: Annotated[int, Field(ge=1, le=10_000_000)] = 60_000
    tokens_out: Annotated[int, Field(ge=1, le=1_000_000)] = 4_096
    answer_bytes: Annotated[int, Field(ge=1, le=64 * 1024 * 1024)] = 1024 * 1024
    timeout_ms: Milliseconds = 60_000


class ToolDescriptor(Contract):
    """Description of a research tool for a model."""

    name: ToolName
    description: Text
    parameters: JsonObject


class AttemptRecord(Contract):
    """Log record of one HTTP call to a model, successful or not, or of a call that could not be made.

    ``call`` numbers the questions of an operation from 0, ``attempt`` the calls for one question from 1. A record with
    a ``failure`` has no answer; otherwise ``response`` is the raw text and ``validation`` its result (if a question was
    repaired, its first answer was rejected). ``estimated``: the provider reported no usage, or an implausible one, so
    the worst case was charged. A text that is too large for an event is stored as a blob, with an excerpt here.
    ``retry``: the call repeats a failed one; a repair is not a retry.
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
