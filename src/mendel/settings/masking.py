"""Secrets in settings, and URLs in a form without secrets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args
from urllib.parse import parse_qsl, urlsplit

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from mendel.settings.models import KeyVariable, WebAddress

MASK: Final = "***"
# All other parameters of a query are masked: any of them may be a password.
_HARMLESS_PARAMETERS: Final = frozenset({"host", "port", "dbname", "sslmode", "connect_timeout"})


def mask_url(url: str) -> str:
    """Return a URL without its password; a URL that cannot be parsed safely is hidden completely."""
    try:
        parts = urlsplit(url)
        port = parts.port  # raises for an invalid port, which may be part of a password
    except ValueError:
        return MASK
    # A password with an unescaped / ? # or @ ends up in another part of the URL.
    if not parts.scheme or "://" not in url or parts.fragment or "@" in parts.path + parts.query:
        return MASK
    user = parts.username or ""
    secret = f":{MASK}" if parts.password else ""
    at = "@" if user or secret else ""
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else parts.hostname or ""
    where = host if port is None else f"{host}:{port}"
    return f"{parts.scheme}://{user}{secret}{at}{where}{parts.path}{_masked_query(parts.query)}"


def _masked_query(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    shown = "&".join(f"{name}={value if name in _HARMLESS_PARAMETERS else MASK}" for name, value in pairs)
    return f"?{shown}" if shown else ""


def is_secret(field: FieldInfo) -> bool:
    """Return whether the value, or a wrong value in its place, may contain a password or a key."""
    return any(_has(field, kind) for kind in (SecretStr, KeyVariable, WebAddress))


def names_secret(field: FieldInfo) -> bool:
    """Return whether the value names an environment variable with a key."""
    return _has(field, KeyVariable)


def secrets_in(value: object) -> Iterator[str]:
    """Yield every secret in a section."""
    if isinstance(value, SecretStr):
        yield value.get_secret_value()
    for each in _inner(value):
        yield from secrets_in(each)


def secret_variables_in(value: object) -> Iterator[str]:
    """Yield the names of environment variables with keys in a section."""
    if isinstance(value, BaseModel):
        for name, field in type(value).model_fields.items():
            if names_secret(field):
                yield from _texts(getattr(value, name))
    for each in _inner(value):
        yield from secret_variables_in(each)


def _inner(value: object) -> Iterator[object]:
    if isinstance(value, BaseModel):
        yield from (each for _, each in value)
    elif isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, tuple | list):
        yield from value


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in _inner(value):
        yield from _texts(each)


def _has(field: FieldInfo, kind: object) -> bool:
    """Return whether the annotation contains ``kind``; pydantic moves the metadata of a plain one into the field."""
    marks = getattr(kind, "__metadata__", ())
    return _within(field.annotation, kind) or (bool(marks) and all(mark in field.metadata for mark in marks))


def _within(annotation: object, kind: object) -> bool:
    return annotation == kind or any(_within(each, kind) for each in get_args(annotation))
