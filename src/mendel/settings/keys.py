"""Dotted keys such as ``evolve.stop.seconds``: which there are, and how each is written and shown."""

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
    """Every setting of a model by its key below ``prefix``; an array of tables is one."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from fields_of(kind, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field


def _row_of(field: FieldInfo) -> type[BaseModel] | None:
    """What an array of tables holds."""
    for kind in get_args(field.annotation) if get_origin(field.annotation) is tuple else ():
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


FIELDS: Final[Mapping[str, FieldInfo]] = dict(fields_of(Settings))
"""Every setting of Mendel's own by its key."""


def names_in(fields: Mapping[str, FieldInfo]) -> tuple[str, ...]:
    """Every key that a file may hold, those within arrays of tables too."""
    rows = ((key, row) for key, field in fields.items() if (row := _row_of(field)) is not None)
    return (*fields, *(f"{key}.{name}" for key, row in rows for name in row.model_fields))


def is_list(field: FieldInfo) -> bool:
    """Whether the value is a list of texts."""
    return get_origin(field.annotation) is tuple and _row_of(field) is None


def is_table(field: FieldInfo) -> bool:
    """Whether the value is a table of any names, or several tables: a text cannot say such a thing."""
    return get_origin(field.annotation) is dict or _row_of(field) is not None


def from_text(field: FieldInfo, text: str) -> object:
    """What a text of the environment or the command line means: a list has commas, ``none`` is none."""
    if is_list(field):
        return [part.strip() for part in text.split(",") if part.strip()]
    if text.lower() == "none" and NoneType in get_args(field.annotation):
        return None
    return text


def variable(key: str) -> str:
    """The environment variable of a key."""
    return PREFIX + key.replace(".", "__").upper()


def dotted(path: Iterable[str]) -> str:
    """A path as TOML would write it; a part that needs quotes gets them, so that it stays on one line."""
    return ".".join(part if _BARE_KEY.fullmatch(part) else json.dumps(part) for part in path)


def nested(values: Mapping[str, object]) -> Mapping[str, object]:
    """Values by dotted key as tables within tables."""
    document: dict[str, Any] = {}
    for key, value in values.items():
        *path, last = key.split(".")
        table = document
        for part in path:
            table = table.setdefault(part, {})
        table[last] = value
    return document


def lookup(document: object, key: str) -> object:
    """The value under a dotted key of a nested mapping or model; none if it is not there."""
    for name in key.split("."):
        document = document.get(name) if isinstance(document, Mapping) else getattr(document, name, None)
    return document


def shown(value: object) -> str:
    """A setting's value, fit to be shown to anybody."""
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
    return str(value).encode("utf-8", "backslashreplace").decode()
