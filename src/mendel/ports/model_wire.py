"""Wires: the protocol of one provider each. Plug-ins of the group ``mendel.llm_backends``.

A wire makes exactly one HTTP call for each question and reports its result. It never retries, repairs, falls back or
interprets an answer: the gateway does that once for all providers (:mod:`mendel.adapters.models.live`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from mendel.contracts.base import JsonObject
from mendel.contracts.model_calls import CallLimits, FailureReason, Message, Sampling, ToolCall, ToolDescriptor
from mendel.contracts.providers import StructuredMode
from mendel.ports.closing import Closing

GROUP: Final = "mendel.llm_backends"
DEFAULT_LIMITS: Final = CallLimits()
DEFAULT_SAMPLING: Final = Sampling()


@dataclass(frozen=True, slots=True)
class OutputSchema:
    """The required form of an answer, as a named JSON Schema."""

    name: str
    schema: JsonObject


@dataclass(frozen=True, slots=True)
class WireRequest:
    """One question to one model. ``mode`` says how the provider enforces ``output``, if there is one."""

    model_id: str
    messages: tuple[Message, ...]
    output: OutputSchema | None = None
    mode: StructuredMode = "json_schema"
    limits: CallLimits = DEFAULT_LIMITS
    sampling: Sampling = DEFAULT_SAMPLING
    tools: tuple[ToolDescriptor, ...] = ()


@dataclass(frozen=True, slots=True)
class WireUsage:
    """The usage as the provider reports it, unchecked; the gateway validates it."""

    tokens_in: object = None
    tokens_out: object = None


@dataclass(frozen=True, slots=True)
class WireAnswer:
    """A model's answer. ``cut`` means that it reached its token limit, ``refused`` that the model declined."""

    text: str
    model_id: str
    request_id: str | None = None
    usage: WireUsage = WireUsage()
    tool_calls: tuple[ToolCall, ...] = ()
    cut: bool = False
    refused: bool = False


@dataclass(frozen=True, slots=True)
class WireVectors:
    """An embedding model's answer: one row for each text, in their order."""

    rows: Sequence[Sequence[float]]
    model_id: str
    request_id: str | None = None
    usage: WireUsage = WireUsage()


class WireFailed(Exception):
    """One HTTP call brought no answer.

    ``retry_after_s`` is the provider's ``Retry-After``. ``unsent`` means that the provider certainly did no work:
    nothing was sent, or its answer says so. Every other failure is charged at its worst case.
    """

    def __init__(
        self,
        reason: FailureReason,
        message: str,
        *,
        retry_after_s: float | None = None,
        unsent: bool = False,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.reason: FailureReason = reason
        self.retry_after_s = retry_after_s
        self.unsent = unsent
        self.request_id = request_id


@dataclass(frozen=True)
class WireContext:
    """The context from which a wire is opened: the provider's name, and its kind if that differs.

    The key is never shown, neither in a representation nor in an error or a log line (rule 4).
    """

    provider: str
    kind: str = ""
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    key_variable: str | None = None
    connections: int = 100


class ModelWire(Closing, ABC):
    """The connection to one provider.

    Obligations of an implementation:

    - ``complete`` and ``embed`` make at most one HTTP call each and may be called concurrently.
    - Every failure is a :class:`WireFailed` with its reason; nothing else is raised. No message contains the key, a
      header or the prompt.
    - An answer is abandoned as soon as it exceeds ``limits.answer_bytes`` (``answer_too_large``). One that takes longer
      than ``limits.timeout_ms`` in total, even if data keeps arriving, is a ``timeout``.
    - A missing key is ``not_configured``, and the message names the variable that should contain it.
    """

    @abstractmethod
    async def complete(self, request: WireRequest) -> WireAnswer:
        """Send the question once.

        Raises:
            WireFailed: there is no answer.
        """

    async def embed(
        self,
        model_id: str,
        texts: Sequence[str],
        limits: CallLimits,  # noqa: ARG002 - for providers that can
    ) -> WireVectors:
        """Return the vectors of the texts, from one call.

        Raises:
            WireFailed: there are none.
        """
        raise WireFailed(
            "bad_request", f"{model_id} cannot embed {len(texts)} texts: its wire has no embeddings", unsent=True
        )


OpenWire = Callable[[WireContext], ModelWire]
"""The type of plug-ins of ``mendel.llm_backends``. Opening imports what it needs and uses no network."""
