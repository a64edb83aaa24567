"""Build the configuration of a run from flags and a run file."""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, get_args

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from mendel.console.tables import Table, assignments, merged, nested, refuse_non_json, table_at
from mendel.contracts.errors import ConfigError
from mendel.contracts.payloads import plain
from mendel.contracts.run_config import RunConfig
from mendel.kernel.beginning import domain_payload
from mendel.settings.complaints import DocumentKeys, complaint, key_lines, line_of, unknown
from mendel.settings.keys import dotted, lookup

_SEED_BITS = 63  # the upper bound of rng_seed


def run_config(file: Path | None, flags: Mapping[str, JsonValue], settings: Iterable[str], base: Table) -> RunConfig:
    """Merge a run file and flags into a configuration; flags override the file, and both override ``base``.

    The file is TOML with the fields of a run at the top level, the tables ``[caps]`` and ``[pace]``, and the domain's
    own configuration under ``[config]``.

    Raises:
        ConfigError: the file cannot be read, a field is unknown, or a value is invalid.
        UnknownPlugin: no installed package provides the domain.
    """
    text = _read(file) if file is not None else ""
    table = merged(base, _parsed(file, text))
    chosen = nested(flags)
    table = merged(table, chosen)
    _require(table, "domain", "--domain NAME")
    assigned = assignments(settings)
    refuse_non_json(nested(assigned), lambda _key: "--set")
    refuse_non_json(table, partial(_place, file, key_lines(text)))
    own = merged(table_at(table.pop("config", None), "config"), nested(assigned))  # --set overrides the file
    if own:
        payload = domain_payload(str(table["domain"]), own, partial(_quoted, assigned))
        table["domain_config"] = payload.model_dump(mode="json")
    table.setdefault("problem", f"breed {table['domain']}")
    table.setdefault("rng_seed", secrets.randbits(_SEED_BITS))  # the only draw that is not from the seed
    try:
        return RunConfig.model_validate(table)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False)
        raise ConfigError("\n".join(_complaints(wrong, file, text, chosen))) from None


def _place(file: Path | None, lines: Mapping[tuple[str | int, ...], int], key: str) -> str:
    line = line_of(tuple(key.split(".")), lines)
    return f"{file}:{line}" if line else str(file or "flags")


def _quoted(assigned: Table, key: str) -> str | None:
    """A hint on quoting a text that ``--set`` parsed as another type."""
    value = assigned.get(key)
    if value is None or isinstance(value, str | dict | list):
        return None
    return f"put a text in quotes: --set {key}='\"{str(value).lower() if isinstance(value, bool) else value}\"'"


def refuse_unknown_caps(caps: Iterable[str]) -> None:
    """Make sure that caps of these names exist.

    Raises:
        ConfigError: a cap is unknown; the message suggests the nearest name.
    """
    for name in caps:
        if f"caps.{name}" not in _KEYS.fields:
            raise ConfigError(f"caps.{name}: {unknown(('caps', name), _KEYS)}")


def _complaints(wrong: list[ErrorDetails], file: Path | None, text: str, flags: Table) -> Iterator[str]:
    """Yield one line per error; errors in flags have no line in the file."""
    lines = key_lines(text)
    for error in wrong:
        location, said = complaint(error, _KEYS) if error["loc"] else ((), plain(error["msg"]))
        key = dotted(location)
        line = line_of(error["loc"], lines) if lookup(flags, key) is None else None
        place = f"{file}:{line}" if line else file or "flags"
        yield f"{place}: {key}: {said}" if key else f"{place}: {said}"


def _keys(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    for name, field in model.model_fields.items():
        kinds = (field.annotation, *get_args(field.annotation))
        inner = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None)
        if inner is None or name in _WHOLE:  # a leaf; other models are tables with keys of their own
            yield f"{prefix}{name}", field
        else:
            yield from _keys(inner, f"{prefix}{name}.")


_WHOLE: Final = frozenset({"ancestors", "niches", "models", "domain_config", "parameters"})
"""Fields that are never written key by key."""
_KEYS: Final = DocumentKeys(
    {"config": RunConfig.model_fields["domain_config"]}
    | {key: field for key, field in _keys(RunConfig) if key not in _WHOLE}
)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError as error:
        raise ConfigError(f"{path}: no such file") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read as TOML: {error}") from error


def _parsed(path: Path | None, text: str) -> Table:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: cannot be read as TOML: {error}") from error


def _require(table: Table, key: str, flag: str) -> None:
    if not table.get(key):
        raise ConfigError(
            f"{key} is missing: give {flag} or a run file that sets it; `mendel plugin list` lists installed ones"
        )
