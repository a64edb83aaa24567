"""Wires: how one provider is spoken to. Plug-ins of the group ``mendel.llm_backends``.

A wire makes exactly one HTTP call for each question and says plainly what came of it. It never retries, repairs, falls
back or looks at what an answer means: the gateway does, once for all providers (:mod:`mendel.adapters.models.live`).
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
    """What an answer must look like, as JSON Schema under a name."""

    name: str
    schema: JsonObject


@dataclass(frozen=True, slots=True)
class WireRequest:
    """One question to one model. ``mode`` says how the provider is to be held to ``output``, if there is one."""

    model_id: str
    messages: tuple[Message, ...]
    output: OutputSchema | None = None
    mode: StructuredMode = "json_schema"
    limits: CallLimits = DEFAULT_LIMITS
    sampling: Sampling = DEFAULT_SAMPLING
    tools: tuple[ToolDescriptor, ...] = ()


@dataclass(frozen=True, slots=True)
class WireUsage:
    """What the provider says it used; a wire passes on what it was told, the gateway judges it."""

    tokens_in: object = None
    tokens_out: object = None


@dataclass(frozen=True, slots=True)
class WireAnswer:
    """What a model said. ``cut`` says that it stopped for want of tokens, ``refused`` that it declined to answer."""

    text: str
    model_id: str
    request_id: str | None = None
    usage: WireUsage = WireUsage()
    tool_calls: tuple[ToolCall, ...] = ()
    cut: bool = False
    refused: bool = False


@dataclass(frozen=True, slots=True)
class WireVectors:
    """What an embedding model said: one row for each text, in their order."""

    rows: Sequence[Sequence[float]]
    model_id: str
    request_id: str | None = None
    usage: WireUsage = WireUsage()


class WireFailed(Exception):
    """One HTTP call brought no answer.

    ``retry_after_s`` is how long the provider wants to be left alone. ``unsent`` says that the provider has certainly
    done no work for it: nothing was sent, or it said so itself. Whatever else failed counts at its worst case.
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
    """What a wire is opened with: the provider's name, and its kind where that is another.

    The key never shows: not in a representation, an error or a log line (rule 4).
    """

    provider: str
    kind: str = ""
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    key_variable: str | None = None
    connections: int = 100


class ModelWire(Closing, ABC):
    """One provider.

    Obligations of an implementation:

    - ``complete`` and ``embed`` make at most one HTTP call each, and are safe to call many at once.
    - What goes wrong is a :class:`WireFailed` with its reason; nothing else is raised, and no message has the key, a
      header or the prompt in it.
    - An answer above ``limits.answer_bytes`` is given up as soon as it is (``answer_too_large``), one that takes longer
      than ``limits.timeout_ms`` in all, however steadily it drips, is a ``timeout``.
    - A missing key is ``not_configured`` and names the variable that would hold it.
    """

    @abstractmethod
    async def complete(self, request: WireRequest) -> WireAnswer:
        """Ask, once.

        Raises:
            WireFailed: there is no answer.
        """

    async def embed(
        self,
        model_id: str,
        texts: Sequence[str],
        limits: CallLimits,  # noqa: ARG002 - for those who can
    ) -> WireVectors:
        """Vectors of the texts, in one call.

        Raises:
            WireFailed: there are none.
        """
        raise WireFailed("bad_request", f"{model_id} makes no embeddings of {len(texts)} texts here", unsent=True)


OpenWire = Callable[[WireContext], ModelWire]
"""What the plug-ins of ``mendel.llm_backends`` are. Opening imports what it needs and touches no network."""
