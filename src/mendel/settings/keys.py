"""Dotted keys such as ``evolve.stop.seconds``: the known ones, and their textual forms."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from types import NoneType
from typing import Any, Final, get_args, get_origin

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from mendel.settings.masking import mask_url
from mendel.settings.sections import Settings

PREFIX: Final = "MENDEL_"
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


def fields_of(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Yield every setting of a model by its key below ``prefix``; an array of tables is one setting."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from fields_of(kind, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field


def _row_of(field: FieldInfo) -> type[BaseModel] | None:
    """Return the model of the tables in an array, if the field is an array of tables."""
    for kind in get_args(field.annotation) if get_origin(field.annotation) is tuple else ():
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


FIELDS: Final[Mapping[str, FieldInfo]] = dict(fields_of(Settings))
"""All settings of Mendel itself, by key; without those of domains."""


def names_in(fields: Mapping[str, FieldInfo]) -> tuple[str, ...]:
    """Return every key allowed in a file, including those within arrays of tables."""
    rows = ((key, row) for key, field in fields.items() if (row := _row_of(field)) is not None)
    return (*fields, *(f"{key}.{name}" for key, row in rows for name in row.model_fields))


def is_list(field: FieldInfo) -> bool:
    """Return whether the value is a list, but no array of tables."""
    return get_origin(field.annotation) is tuple and _row_of(field) is None


def is_table(field: FieldInfo) -> bool:
    """Return whether the value is a table with free names or an array of tables, which no single text can express."""
    return get_origin(field.annotation) is dict or _row_of(field) is not None


def from_text(field: FieldInfo, text: str) -> object:
    """Convert a text from the environment or the command line: lists have commas, ``none`` is None."""
    if is_list(field):
        return [part.strip() for part in text.split(",") if part.strip()]
    if text.lower() == "none" and NoneType in get_args(field.annotation):
        return None
    return text


def variable(key: str) -> str:
    """Return the environment variable of a key."""
    return PREFIX + key.replace(".", "__").upper()  # keys themselves contain single underscores


def dotted(path: Iterable[str]) -> str:
    """Return a path in TOML notation; parts are quoted where necessary, so that it stays on one line."""
    return ".".join(part if _BARE_KEY.fullmatch(part) else json.dumps(part) for part in path)


def nested(values: Mapping[str, object]) -> Mapping[str, object]:
    """Convert values by dotted key to nested tables."""
    document: dict[str, Any] = {}
    for key, value in values.items():
        *path, last = key.split(".")
        table = document
        for part in path:
            table = table.setdefault(part, {})
        table[last] = value
    return document


def lookup(document: object, key: str) -> object:
    """Return the value under a dotted key of a nested mapping or model; None if it is missing."""
    for name in key.split("."):
        document = document.get(name) if isinstance(document, Mapping) else getattr(document, name, None)
    return document


def shown(value: object) -> str:
    """Return a setting's value as text, without secrets."""
    if value is None:
        return "none"
    if isinstance(value, SecretStr):
        return mask_url(value.get_secret_value())
    if isinstance(value, BaseModel):
        given = ((name, each) for name, each in value if each is not None)
        return " ".join(f"{name}={shown(each)}" for name, each in given)
    if isinstance(value, tuple):
        return ", ".join(map(shown, value))
    if isinstance(value, dict):
        return ", ".join(f"{name}={shown(each)}" for name, each in value.items())
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).encode("utf-8", "backslashreplace").decode()  # paths may contain lone surrogates
