"""Events of spending: energy charged, and model calls."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from mendel.contracts.base import Count, JsonObject, Name, Text
from mendel.contracts.energy import ENERGY_UNIT, EnergyKind, Usage
from mendel.contracts.events.payload import Payload
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.ids import OperationId
from mendel.contracts.model_calls import ToolCall
from mendel.contracts.providers import ModelRole, ProviderMeta


class EnergySpent(Payload):
    """A successful operation was charged: the reserved estimate, and the actual energy."""

    type: ClassVar[str] = "energy.spent"
    kind: EnergyKind
    estimate: Count
    actual: Count
    unit: Literal["mendel_energy"] = ENERGY_UNIT
    reason: Text
    usage: Usage = Usage()
    provider: ProviderMeta | None = None


class EnergyExhausted(Payload):
    """The energy budget is used up: nothing new starts, and operations in flight finish."""

    type: ClassVar[str] = "energy_exhausted"
    budget: Count
    spent: Count
    reserved: Count


class ProviderCallFailed(Payload):
    """One attempt to call a model failed; attempts are limited in number and cost no energy."""

    type: ClassVar[str] = "provider_call_failed"
    role: ModelRole
    attempt: Annotated[int, Field(ge=1)]
    reason: Name
    message: Text
    provider: ProviderMeta | None = None
    operation_id: OperationId | None = None
    call: Count = 0
    schema_name: str = ""
    estimated: bool = False
    retry: bool = False


class OutputSchemaRejected(Payload):
    """A model's answer did not fit its schema, even after one repair."""

    type: ClassVar[str] = "output_schema_rejected"
    role: ModelRole
    schema_name: Text
    complaints: Annotated[tuple[Text, ...], Field(min_length=1)]
    repaired: bool = False
    operation_id: OperationId | None = None


class LlmCallTelemetry(Payload):
    """Request and response of one model call, so that a replay can show it without a provider.

    ``call`` numbers the questions of one operation, ``attempt`` the calls for one question. An excerpt is the complete
    text unless ``truncated`` is set; then the blob has it. ``estimated``: the provider did not report its usage.
    """

    type: ClassVar[str] = "llm_call_telemetry"
    role: ModelRole
    provider: ProviderMeta
    validation: Literal["accepted", "repaired", "rejected"]
    attempt: Annotated[int, Field(ge=1)] = 1
    operation_id: OperationId | None = None
    sampling: JsonObject = Field(default_factory=dict)
    request: BlobRef | None = None
    response: BlobRef | None = None
    request_excerpt: str = ""
    response_excerpt: str = ""
    truncated: bool = False
    call: Count = 0
    schema_name: str = ""
    complaints: tuple[Text, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    estimated: bool = False
    retry: bool = False
