"""What the reference domain reads from mendel.toml: a table of its own, and a key in a table of Mendel's."""

from __future__ import annotations

from pydantic import Field, SecretStr

from mendel.settings import Section
from mendel.settings.models import KeyVariable
from mendel.settings.values import Address, Whole


class MarkerSettings(Section):
    """The marker that the server shows."""

    begins: Whole = Field(default=0, ge=0, description="Where the marker stands when the server starts.")
    relay: Address | None = Field(default=None, description="Where its moves are told.")
    password: SecretStr | None = Field(default=None, description="What the relay wants to hear.")
    key_env: KeyVariable | None = Field(default=None, description="The variable that holds the relay's key.")


class EvolveNote(Section):
    """What of [evolve] is the reference domain's."""

    reference_note: str | None = Field(default=None, description="A remark.")
