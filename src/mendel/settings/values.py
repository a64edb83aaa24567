"""Types of settings: paths, numbers, names, and addresses that may contain a password."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, StringConstraints
from pydantic_core import PydanticCustomError

from mendel.contracts.caps import MOST


def _path_text(value: object) -> object:
    """Refuse an empty path and one with NUL; expand ``~`` to the user's home folder."""
    if isinstance(value, str) and (not value or "\0" in value):
        raise PydanticCustomError("path", "Input should be a path, not empty and without NUL")
    return str(Path(value).expanduser()) if isinstance(value, str) and value.startswith("~") else value


def number(value: object) -> object:
    """Refuse booleans, which pydantic would convert to 0 or 1."""
    if isinstance(value, bool):
        raise PydanticCustomError("number", "Input should be a number")
    return value


SomePath = Annotated[Path, BeforeValidator(_path_text)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False), BeforeValidator(number)]
Whole = Annotated[int, BeforeValidator(number)]
CapNumber = Annotated[int, Field(gt=0, le=MOST), BeforeValidator(number)]
VariableName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Address = Annotated[SecretStr, Field(min_length=1)]
"""A URL that may contain a password."""

Weight = Annotated[float, Field(ge=0, allow_inf_nan=False), BeforeValidator(number)]
PluginName = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class Section(BaseModel):
    """A table of ``mendel.toml``: immutable, unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")
