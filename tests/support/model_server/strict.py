"""The subset of JSON Schema that OpenAI's strict mode takes, refused in its words."""

from __future__ import annotations

from typing import Any, Final

from tests.support.model_server.values import Json

_FORBIDDEN: Final = ("oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas")


def objection(name: str, schema: object, *, strict: bool) -> str | None:
    """Why a schema is refused; None if it is taken. That the root is an object is asked of every schema."""
    found = _root(schema) or (_first(schema, ()) if strict else None)
    return f"Invalid schema for response_format '{name}': {found}" if found else None


def _root(schema: object) -> str | None:
    kind = schema.get("type") if isinstance(schema, dict) else None
    if kind == "object":
        return None
    return f"schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{kind}\"'."


def _first(schema: Any, context: tuple[str, ...]) -> str | None:
    """The first complaint, from the outside in."""
    if isinstance(schema, list):
        inner = [_first(each, (*context, str(number))) for number, each in enumerate(schema)]
        return next(filter(None, inner), None)
    if not isinstance(schema, dict):
        return None
    if context[-1:] not in (("properties",), ("$defs",)):
        found = _complaint(schema)
        if found:
            return f"In context={context}, {found}"
    below = [_first(each, (*context, key)) for key, each in schema.items() if key not in ("enum", "const", "default")]
    return next(filter(None, below), None)


def _complaint(schema: Json) -> str | None:
    for word in _FORBIDDEN:
        if word in schema:
            return f"'{word}' is not permitted."
    if schema.get("type") != "object":
        return None
    if schema.get("additionalProperties") is not False:
        return "'additionalProperties' is required to be supplied and to be false."
    missing = [key for key in schema.get("properties", {}) if key not in schema.get("required", [])]
    if missing:
        return (
            "'required' is required to be supplied and to be an array including every key in properties."
            f" Missing '{missing[0]}'."
        )
    return None
