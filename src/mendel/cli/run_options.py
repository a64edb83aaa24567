"""From flags and run files to the configuration of a run."""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import JsonValue, ValidationError

from mendel.contracts.errors import ConfigError
from mendel.contracts.payloads import explain
from mendel.contracts.run_config import RunConfig
from mendel.kernel.beginning import domain_payload

_SEED_BITS = 63

Table = dict[str, JsonValue]


def run_config(file: Path | None, flags: Mapping[str, JsonValue], settings: Iterable[str], base: Table) -> RunConfig:
    """The configuration that a file and flags ask for; flags win, ``base`` loses to both.

    A file is TOML with the fields of a run at its top, ``[caps]`` and ``[pace]`` as tables, and the domain's own
    configuration under ``[config]``.

    Raises:
        ConfigError: a file that cannot be read, an unknown field, a value that does not fit.
        UnknownPlugin: nobody has the domain.
    """
    table = merged(base, _read(file) if file is not None else {})
    table = merged(table, nested(flags))
    _require(table, "domain", "--domain NAME")
    own = merged(_table(table.pop("config", None), "config"), nested(assignments(settings)))
    if own:
        table["domain_config"] = domain_payload(str(table["domain"]), own).model_dump(mode="json")
    table.setdefault("problem", f"breed {table['domain']}")
    table.setdefault("rng_seed", secrets.randbits(_SEED_BITS))
    try:
        return RunConfig.model_validate(table)
    except ValidationError as error:
        raise ConfigError(f"{file or 'flags'}: {explain(error)}") from None


def _read(path: Path) -> Table:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"{path}: there is no such file") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read as TOML: {error}") from error


def _require(table: Table, key: str, flag: str) -> None:
    if not table.get(key):
        raise ConfigError(
            f"which {key}? give {flag}, or a run file that has one; `mendel plugin list` shows what there is"
        )


def assignments(settings: Iterable[str]) -> Table:
    """``KEY=VALUE`` texts, each value read as TOML, or as a plain text where it is none."""
    found: Table = {}
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise ConfigError(f"give KEY=VALUE, not {text!r}")
        found[key] = _value(value)
    return found


def _value(text: str) -> JsonValue:
    try:
        value: JsonValue = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    return value


def nested(flat: Mapping[str, JsonValue]) -> Table:
    """``{"caps.max_population": 3}`` as tables within tables."""
    table: Table = {}
    for key, value in flat.items():
        place = table
        *path, last = key.split(".")
        for part in path:
            inner = place.setdefault(part, {})
            place = _table(inner, key)
        place[last] = value
    return table


def _table(value: JsonValue, name: str) -> Table:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"{name} is a table, not {type(value).__name__}")
    return value


def merged(under: Table, over: Table) -> Table:
    """Both, table within table; what ``over`` says counts."""
    both = dict(under)
    for key, value in over.items():
        before = both.get(key)
        both[key] = merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return both
