"""The known settings: Mendel's own, and those of domains whose tables are loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, cast

from pydantic import Field, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from mendel.contracts.errors import ConfigError
from mendel.settings.keys import FIELDS, fields_of, lookup, names_in, nested
from mendel.settings.sections import Settings
from mendel.settings.values import Section


class Table(NamedTuple):
    """A domain's table with the model of its keys."""

    name: str
    model: type[Section]

    @property
    def path(self) -> tuple[str, ...]:
        """Its path in a document."""
        return tuple(self.name.split("."))

    @property
    def fields(self) -> Mapping[str, FieldInfo]:
        """Its settings by dotted key."""
        return dict(fields_of(self.model, f"{self.name}."))


class _Part(NamedTuple):
    """The part of a document that one model validates."""

    path: tuple[str, ...]
    model: type[Section]
    values: object


OWN_TABLES: Final[frozenset[str]] = frozenset(
    ".".join(parts[:length]) for parts in (key.split(".") for key in FIELDS) for length in range(1, len(parts))
)
"""The tables of Mendel itself."""


@dataclass(frozen=True)
class Catalog:
    """All known settings, and the conversion of values to :class:`Settings`."""

    tables: tuple[Table, ...] = ()

    @cached_property
    def fields(self) -> Mapping[str, FieldInfo]:
        """Every setting by its key; an array of tables is one setting."""
        return {
            key: field for fields in (FIELDS, *(table.fields for table in self.tables)) for key, field in fields.items()
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every key allowed in a file, including those within arrays of tables."""
        return names_in(self.fields)

    @cached_property
    def sections(self) -> tuple[str, ...]:
        """The dotted name of every table."""
        return tuple(dict.fromkeys(part for key in self.names for part in (key.rpartition(".")[0],) if part))

    def clash(self, table: Table) -> str | None:
        """Return an existing setting that conflicts with the table, if there is one."""
        for each in self.tables:
            if each.model is table.model or (each.name == table.name and table.name not in OWN_TABLES):
                return each.name  # Settings.section finds values by model: a model has one table
        for key in table.fields or (table.name,):
            for there in self.fields:
                # One of the two is the other, or a table that contains it.
                if f"{there}.".startswith(f"{key}.") or f"{key}.".startswith(f"{there}."):
                    return there
        return None

    def wrong_in(self, document: Mapping[str, object]) -> list[ErrorDetails]:
        """Return all validation errors of a document, each with its place."""
        return [each for part in self._parts(document) for each in _wrong(part)]

    def settings(self, values: Mapping[str, object]) -> Settings:
        """Return the settings with these values by dotted key, each of which is valid.

        Raises:
            ConfigError: values from different sources contradict each other.
        """
        own, *others = self._parts(nested(values))
        for part in (own, *others):
            for error in _wrong(part):
                # Each value is valid alone: only contradictions between sources get here.
                raise ConfigError(f"{'.'.join(map(str, error['loc']))}: {error['msg']}")
        return Settings.model_validate(own.values).with_sections(
            each.model.model_validate(each.values) for each in others
        )

    def value(self, settings: Settings, key: str) -> object:
        """Return the value of a setting."""
        for table in self.tables:
            if key in table.fields:
                return lookup(settings.section(table.model), key.removeprefix(f"{table.name}."))
        return lookup(settings, key)

    def json_schema(self) -> Mapping[str, object]:
        """Return the JSON Schema of ``mendel.toml``."""
        return _joined(Settings, "", self.tables).model_json_schema()

    def _parts(self, document: Mapping[str, object]) -> list[_Part]:
        """Split the document by model, Mendel's own part first; missing tables have no part."""
        rest, found = _copied(document), []
        for table in sorted(self.tables, key=lambda table: -len(table.path)):  # inner tables before outer ones
            values = _cut(rest, table)
            if values is not None:
                found.append(_Part(table.path, table.model, values))
        for table in self.tables:
            _prune(rest, table)
        return [_Part((), Settings, rest), *found]


def _wrong(part: _Part) -> Iterator[ErrorDetails]:
    try:
        part.model.model_validate(part.values)
    except ValidationError as error:
        for each in error.errors(include_url=False, include_context=False):
            each["loc"] = (*part.path, *each["loc"])
            yield each


def _copied(document: Mapping[str, object]) -> dict[str, object]:
    """Copy the tables of a document; the values are shared."""
    return {name: _copied(value) if isinstance(value, dict) else value for name, value in document.items()}


def _cut(document: dict[str, object], table: Table) -> object:
    """Remove and return a table's values; from a table shared with Mendel, only the keys of the domain."""
    *above, last = table.path
    holder = document
    for name in above:
        inner = holder.get(name)
        if not isinstance(inner, dict):
            return None
        holder = inner
    if table.name not in OWN_TABLES:
        return holder.pop(last, None)
    shared = holder.get(last)
    if not isinstance(shared, dict):
        return None
    # None for no keys: the domain then has its defaults, which are not validated as a part.
    return {name: shared.pop(name) for name in table.model.model_fields if name in shared} or None


def _prune(document: dict[str, object], table: Table) -> None:
    """Remove the empty parents of a table that was cut out, which Mendel's model would refuse."""
    first = table.path[0]
    if first not in OWN_TABLES and not document.get(first, True):
        del document[first]


def _joined(base: type[Section] | None, name: str, tables: Iterable[Table]) -> type[Section]:
    """Return one model of all settings in a table and in the tables below it."""
    prefix = f"{name}." if name else ""
    below = [table for table in tables if table.name.startswith(prefix) and table.name != name]
    own = tuple(table.model for table in tables if table.name == name)
    bases = own if base is None else (*own, base)
    if not below and len(bases) == 1:
        return bases[0]
    fields: dict[str, Any] = {}
    for first in dict.fromkeys(table.name.removeprefix(prefix).partition(".")[0] for table in below):
        known = base.model_fields.get(first) if base is not None else None
        inner = _joined(_section_of(known), f"{prefix}{first}", below)
        told = known.description if known is not None else (inner.__doc__ or "").partition("\n")[0]
        fields[first] = (inner, Field(default_factory=inner, description=told))
    title = base.__name__ if base is not None else f"{name.title().replace('.', '')}Table"
    about = base.__doc__ if base is not None else None
    return cast("type[Section]", create_model(title, __base__=bases or Section, __doc__=about, **fields))


def _section_of(field: FieldInfo | None) -> type[Section] | None:
    kind = field.annotation if field is not None else None
    return kind if isinstance(kind, type) and issubclass(kind, Section) else None
