"""Where settings come from: a file, the environment, flags; each is validated by itself."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from mendel.contracts.errors import ConfigError
from mendel.contracts.providers import PROVIDER_KEYS
from mendel.settings.catalog import OWN_TABLES, Catalog
from mendel.settings.complaints import complaint, key_lines, line_of, unknown
from mendel.settings.domain_sections import DomainSections, Fault, absent, domain_sections
from mendel.settings.keys import FIELDS, PREFIX, dotted, from_text, is_table, lookup, nested, shown, variable
from mendel.settings.parts import Lacking, lacking
from mendel.settings.sections import Settings

FILE_NAME: Final = "mendel.toml"
TEST_PREFIX: Final = "MENDEL_TEST_"
_LIKENESS: Final = 0.7
"""A table that there is not and that is as much as this like one that there is was mistyped."""

_PROVIDERS: Final[Mapping[str, str]] = {
    "openai": "of OpenAI",
    "anthropic": "of Anthropic",
    "google": "of Gemini",
    "openrouter": "through OpenRouter",
    "groq": "served by Groq",
    "mistral": "of Mistral",
    "cohere": "of Cohere",
    "huggingface": "at Hugging Face",
    "bedrock": "on Amazon Bedrock; the access keys of AWS do as well",
}

PROVIDER_VARIABLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{name: f"Key for models {_PROVIDERS[kind]}." for kind, name in PROVIDER_KEYS.items()},
        "OLLAMA_BASE_URL": "Address of an Ollama server; it needs no key.",
    }
)
"""What model providers read, by name; Mendel never stores a value of these."""

# Names that everybody's deployment tooling already uses, beside the ones that follow from the key.
_ALIASES: Final[Mapping[str, str]] = {
    "MENDEL_DATABASE_URL": "database.url",
    "MENDEL_DATABASE_OWNER_URL": "database.owner_url",
    "MENDEL_REDIS_URL": "redis.url",
}


class Shown(NamedTuple):
    """One line of ``config view``; ``value`` never holds a password."""

    key: str
    value: str
    origin: str
    description: str


@dataclass(frozen=True)
class Loaded:
    """Settings, where each came from, and what deserves a warning; ``file`` is where they would stand."""

    settings: Settings
    origins: Mapping[str, str]
    warnings: tuple[str, ...]
    file: Path = Path(FILE_NAME)

    @property
    def lacking(self) -> tuple[Lacking, ...]:
        """What of them needs a part that is not there."""
        return lacking(self.settings)

    def path(self, key: str, path: Path) -> Path:
        """A path that the setting holds, as whoever set it means it: in a file, a relative one begins at the file."""
        return self.file.parent / path if self.origin(key) == str(self.file) else path

    def origin(self, key: str) -> str:
        """Where a setting comes from."""
        return self.origins.get(key, "default")

    def complaint(self, key: str, error: ConfigError) -> ConfigError:
        """What is wrong with a setting, with where it was set."""
        return ConfigError(f"{self.origin(key)}: {key}: {error}")

    def view(self) -> tuple[Shown, ...]:
        """Every setting with its value, those of all installed domains too, fit to be shown to anybody."""
        catalog, _ = domain_sections().catalog()
        return tuple(
            Shown(key, shown(catalog.value(self.settings, key)), self.origin(key), field.description or "")
            for key, field in catalog.fields.items()
        )


def load_settings(
    *,
    flags: Mapping[str, str] | None = None,
    directory: Path | None = None,
    environ: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Loaded:
    """Read and validate the settings of this process.

    Args:
        flags: dotted key (``log.backend``) to text, as the command line got it.
        directory: where ``mendel.toml`` is looked for; the working directory unless told.
        environ: the environment; this process's unless told.
        file: read this file instead of ``mendel.toml``; it must exist.

    Raises:
        ConfigError: something is wrong; the message has one line for each thing that is.
    """
    variables = os.environ if environ is None else environ
    path = file or (directory or Path()) / FILE_NAME
    text = _read(path, must_exist=file is not None)
    given = _Given(path, text, _parsed(path, text), variables, flags or {}, domain_sections())
    reading = _reading(given)
    values: dict[str, object] = {}
    origins = dict.fromkeys(reading.catalog.fields, "default")
    problems = []
    for source in reading.sources():
        if isinstance(source, _Problem):
            problems.append(source)
        else:
            values[source.key] = source.value
            origins[source.key] = source.origin
    if problems:
        raise ConfigError("\n".join(map(str, problems)))
    return Loaded(reading.catalog.settings(values), MappingProxyType(origins), tuple(reading.warnings()), path)


def environment_variables() -> Mapping[str, str]:
    """Every environment variable that is read, those of all installed domains too, with its description."""
    declared = domain_sections()
    catalog, _ = declared.catalog()
    own = {variable(key): each.description or "" for key, each in catalog.fields.items() if not is_table(each)}
    aliases = {
        name: f"The same as {variable(key)}. {own[variable(key)]}"
        for name, key in {**_ALIASES, **declared.aliases}.items()
        if variable(key) in own
    }
    return MappingProxyType({**own, **aliases, **PROVIDER_VARIABLES})


def settings_schema() -> Mapping[str, object]:
    """The JSON Schema of ``mendel.toml``, with the tables of all installed domains."""
    return domain_sections().catalog()[0].json_schema()


# --- what the sources hold -------------------------------------------------------------------------------


class _Entry(NamedTuple):
    """A valid setting and who set it."""

    key: str
    value: object
    origin: str


class _Problem(NamedTuple):
    """A wrong setting: where it stands, its dotted key and what is wrong with it."""

    place: str
    key: str
    complaint: str

    def __str__(self) -> str:
        return f"{self.place}: {self.key}: {self.complaint}"


@dataclass(frozen=True)
class _Given:
    """What a process is given: a file, its environment, its flags, its domains. Nothing of it is validated."""

    path: Path
    text: str
    document: Mapping[str, object]
    environ: Mapping[str, str]
    flags: Mapping[str, str]
    domains: DomainSections

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """Further variables, each with its key."""
        return {**_ALIASES, **self.domains.aliases}

    def mentions(self, table: str) -> bool:
        """Whether a source sets, or tries to set, a key of the table."""
        return (
            lookup(self.document, table) is not None
            or any(name.startswith(f"{variable(table)}__") for name in self.environ)
            or any(f"{key}.".startswith(f"{table}.") for key in self.flags)
            or any(name in self.environ and key.startswith(f"{table}.") for name, key in self.aliases.items())
        )

    def place(self, key: str) -> str:
        """Where in the file a key or a table stands, or what else sets it."""
        if lookup(self.document, key) is None:
            return "flag" if any(f"{each}.".startswith(f"{key}.") for each in self.flags) else "environment"
        line = line_of(tuple(key.split(".")), key_lines(self.text))
        return f"{self.path}:{line}" if line else str(self.path)


def _reading(given: _Given) -> _Reading:
    """Load the tables of domains that are mentioned, and find those that are at fault."""
    catalog, faults = given.domains.catalog(given.mentions)
    loaded = _Reading(given, catalog, faults)
    if given.domains.broken:
        others = [given.domains.orphan(key) for key in loaded.unknown_keys()]
    else:
        others = [*map(absent, _strange_tables(given))]
    disputed = [Fault(*each) for each in given.domains.disputed.items() if each[0] in given.environ]
    return _Reading(given, catalog, (*faults, *others, *disputed))


def _strange_tables(given: _Given) -> list[str]:
    """Tables of the file that nothing has, mistyped ones aside."""
    known = {each.partition(".")[0] for each in (*OWN_TABLES, *(claim.table for claim in given.domains.claims))}
    known |= {*given.domains.refused}
    tables = [name for name, value in given.document.items() if isinstance(value, dict) and name not in known]
    return [name for name in tables if not difflib.get_close_matches(name, known, n=1, cutoff=_LIKENESS)]


@dataclass(frozen=True)
class _Reading:
    """How a process reads what it is given: with these settings known, and without the tables that are at fault."""

    given: _Given
    catalog: Catalog
    faults: tuple[Fault, ...]

    def sources(self) -> Iterator[_Entry | _Problem]:
        """All that is set, and all that is wrong, the later ones to win."""
        yield from self._refused()
        yield from self._file()
        yield from self._environment()
        yield from self._flags()

    def warnings(self) -> Iterator[str]:
        """Tables that are ignored, and variables that nothing reads."""
        if (reason := self.given.domains.unreadable) is not None:
            yield f"no domain's settings can be read: {reason}"
        for fault in self.faults:
            yield f"{self.given.place(fault.key)}: {fault}"
        yield from self._unknown_variables()

    def unknown_keys(self) -> Iterator[str]:
        """Keys and tables of the file that are not known."""
        for error in self.catalog.wrong_in(_kept(self.given.document, self._ignored)):
            if error["type"] == "extra_forbidden":
                yield ".".join(map(str, error["loc"]))

    @cached_property
    def _complete(self) -> Catalog:
        """All settings that there might be, for advice."""
        return self.given.domains.catalog()[0]

    def _ignored(self, key: str) -> bool:
        """Whether the key stands in a table at fault, or is refused elsewhere."""
        below = any(f"{key}.".startswith(f"{fault.key}.") for fault in self.faults if fault.ignored)
        known = key in self.catalog.fields or key in self.catalog.sections
        return (below and not known) or key in self.given.domains.refused

    def _refused(self) -> Iterator[_Problem]:
        for name, reason in self.given.domains.refused.items():
            if lookup(self.given.document, name) is not None:
                yield _Problem(self.given.place(name), name, f"refused: {reason}")
            if name in self.given.flags:
                yield _Problem(_flag(name), name, f"refused: {reason}")
            if self.given.environ.get(_in_environment(name)):
                yield _Problem("environment", _in_environment(name), f"refused: {reason}")

    def _file(self) -> Iterator[_Entry | _Problem]:
        path, document = self.given.path, _kept(self.given.document, self._ignored)
        problems = self.catalog.wrong_in(document)
        if problems:
            lines = key_lines(self.given.text)
            for error in problems:
                location, said = complaint(error, self._complete)
                line = line_of(error["loc"], lines)
                yield _Problem(f"{path}:{line}" if line else str(path), dotted(location), said)
            return
        for key in self.catalog.fields:
            value = lookup(document, key)
            if value is not None:
                yield _Entry(key, value, str(path))

    def _environment(self) -> Iterator[_Entry | _Problem]:
        environ = self.given.environ
        for key in (key for key, field in self.catalog.fields.items() if not is_table(field)):
            names = [variable(key), *(alias for alias, of in self.given.aliases.items() if of == key)]
            given = [name for name in names if environ.get(name)]
            if len({environ[name] for name in given}) > 1:
                yield _Problem("environment", key, f"{' and '.join(given)} differ; set only one of them")
            elif given:
                yield self._text(key, environ[given[0]], f"environment {given[0]}")

    def _flags(self) -> Iterator[_Entry | _Problem]:
        for key, text in self.given.flags.items():
            if key in self.catalog.fields:
                yield self._text(key, text, _flag(key))
            elif not self._ignored(key):
                path = tuple(key.split("."))
                yield _Problem(_flag(key), dotted(path), unknown(path, self._complete))

    def _text(self, key: str, text: str, origin: str) -> _Entry | _Problem:
        field = self.catalog.fields[key]
        if is_table(field):
            return _Problem(origin, key, f"it is a table, which only {FILE_NAME} can hold")
        value = from_text(field, text)
        for error in self.catalog.wrong_in(nested({key: value})):
            return _Problem(origin, key, complaint(error, self.catalog)[1])
        return _Entry(key, value, origin)

    def _unknown_variables(self) -> Iterator[str]:
        read = {variable(key) for key, field in self.catalog.fields.items() if not is_table(field)}
        read |= {*self.given.aliases, *PROVIDER_VARIABLES, *map(_in_environment, self.given.domains.refused)}
        told = tuple(f"{variable(fault.key)}__" for fault in self.faults)
        for name in sorted(self.given.environ):
            if name.startswith(PREFIX) and not name.startswith((TEST_PREFIX, *told)) and name not in read:
                near = difflib.get_close_matches(name, environment_variables(), n=1)
                advice = f"; did you mean {near[0]}?" if near else ""
                yield f"environment variable {name!a} is unknown and ignored{advice}"


def _flag(key: str) -> str:
    return "flag --" + dotted(key.split(".")).replace(".", "-").replace("_", "-")


def _in_environment(refused: str) -> str:
    """The variable of a refused name, which is one itself or a key."""
    return refused if refused.isupper() else variable(refused)


def _kept(document: Mapping[str, object], ignored: Callable[[str], bool], prefix: str = "") -> dict[str, object]:
    """A document without what is ignored."""
    found: dict[str, object] = {}
    for name, value in document.items():
        key = f"{prefix}{name}"
        if ignored(key):
            continue
        found[name] = _kept(value, ignored, f"{key}.") if isinstance(value, dict) and key not in FIELDS else value
    return found


def _read(path: Path, *, must_exist: bool) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError as error:
        if must_exist:
            raise ConfigError(f"{path}: there is no such file") from error
        return ""
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigError(f"{path}: cannot be read: {reason}") from error


def _parsed(path: Path, text: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ConfigError(f"{path}: not valid TOML: nested too deeply") from error
    except ValueError as error:
        lines = text.split("\n")
        end = f"at line {len(lines)}, column {len(lines[-1]) + 1}, the end of the document"
        raise ConfigError(f"{path}: not valid TOML: {str(error).replace('at end of document', end)}") from error
