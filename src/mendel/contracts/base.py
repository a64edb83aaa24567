"""The base of every contract: frozen, closed, and without numbers that JSON cannot carry."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

type_name = r"^[a-z][a-z0-9_]*$"
step_name = r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$"

JsonObject = dict[str, JsonValue]
"""Open data of a domain or a provider: any JSON object, opaque to the kernel."""

Name = Annotated[str, StringConstraints(pattern=type_name, max_length=64)]
"""A lower-case identifier: a domain, a kind, a component of a score."""

StepName = Annotated[str, StringConstraints(pattern=step_name, max_length=128)]
"""What an operation does, owned by a domain: ``programs.timing``, ``ideas.critic_review``."""

Text = Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Contract(BaseModel):
    """A value that crosses a room's door: immutable, unknown fields forbidden."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, hide_input_in_errors=True)
