"""Results of the diagnostic probes of this machine."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

ProbeStatus = Literal["ok", "limited", "missing"]


class Probe(BaseModel):
    """Diagnosis of one component of this machine: its status, and the remedy if it is not ok.

    ``limited`` means usable, but not for every purpose. No field ever contains a secret.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_serialization_defaults_required=True)

    name: str = Field(min_length=1, description="Name of the component; unique within one report.")
    status: ProbeStatus = Field(description="Whether the component can be used.")
    detail: str = Field(min_length=1, description="Result of the probe.")
    remedy: str | None = Field(default=None, description="How to fix it; present unless the status is ok.")
    needed_for: str = Field(min_length=1, description="Capability that depends on the component.")

    @model_validator(mode="after")
    def _says_what_to_do(self) -> Self:
        if self.status != "ok" and not self.remedy:
            raise ValueError("a probe that is not ok names a remedy")
        return self
