"""What a look at this machine found."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

ProbeStatus = Literal["ok", "limited", "missing"]


class Probe(BaseModel):
    """One thing of this machine: whether it can be used, and what to do if not.

    ``limited`` can be used, but not for all it is there for. No field ever holds a secret.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_serialization_defaults_required=True)

    name: str = Field(min_length=1, description="What was looked at; unique within one report.")
    status: ProbeStatus = Field(description="Whether it can be used.")
    detail: str = Field(min_length=1, description="What was found.")
    remedy: str | None = Field(default=None, description="What to do about it; always there unless ok.")
    needed_for: str = Field(min_length=1, description="The capability that suffers without it.")

    @model_validator(mode="after")
    def _says_what_to_do(self) -> Self:
        if self.status != "ok" and not self.remedy:
            raise ValueError("a probe that is not ok names a remedy")
        return self
