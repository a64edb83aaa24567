"""The base of every contract: immutable, without unknown fields, and without numbers that JSON cannot represent."""

from __future__ import annotations

from math import isfinite
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, JsonValue, StringConstraints
from pydantic_core import CoreSchema, core_schema

type_name = r"^[a-z][a-z0-9_]*$"
step_name = r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$"


class _JsonChecked:
    """Validates a JSON object in one pass, which also copies it.

    Pydantic's ``JsonValue`` calls a Python function for the type of every value: validation takes twice as long, and
    serialisation four times.
    """

    def __get_pydantic_core_schema__(self, _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        anything = core_schema.dict_schema(core_schema.str_schema(), core_schema.any_schema())
        checked = core_schema.no_info_plain_validator_function(json_object)
        return core_schema.json_or_python_schema(json_schema=anything, python_schema=checked, serialization=None)


JsonObject = Annotated[dict[str, JsonValue], _JsonChecked()]
"""Any JSON object: data of a domain or a provider, which the kernel does not interpret."""


def json_object(value: object) -> dict[str, JsonValue]:
    """Return a copy of a JSON object.

    Raises:
        ValueError: a value is not JSON, or the object contains itself.
    """
    if not isinstance(value, dict):
        raise ValueError("a JSON object is expected")  # noqa: TRY004 - pydantic takes no TypeError
    try:
        return {_key(key): _copied(each) for key, each in value.items()}
    except RecursionError:
        raise ValueError("it is nested too deeply, or holds itself") from None


def _copied(value: object) -> JsonValue:
    kind = type(value)  # exact types first, which is fastest; subclasses are turned into plain values below
    if kind is str or kind is int or kind is bool or value is None:
        return value  # type: ignore[return-value]
    if isinstance(value, dict):
        return {_key(key): _copied(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_copied(each) for each in value]
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError("JSON has no nan and no infinity")
        return float(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    raise ValueError(f"a {kind.__name__} is not JSON")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError("the keys of a JSON object must be strings")  # noqa: TRY004 - as above
    return key if type(key) is str else str.__str__(key)


Name = Annotated[str, StringConstraints(pattern=type_name, max_length=64)]
"""A lower-case identifier, such as a domain, a kind or a component of a score."""

StepName = Annotated[str, StringConstraints(pattern=step_name, max_length=128)]
"""Name of a step, in the form DOMAIN.STEP."""

Text = Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Contract(BaseModel):
    """Base class of values that pass between the packages of Mendel: immutable, unknown fields forbidden."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        hide_input_in_errors=True,
        ser_json_inf_nan="constants",
        json_schema_serialization_defaults_required=True,
    )
