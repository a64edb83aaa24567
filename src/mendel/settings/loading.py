"""Loading of settings from a file, the environment and flags; each source is validated separately."""

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
TEST_PREFIX: Final = "MENDEL_TEST_"  # for Mendel's test suites: never reported as unknown
_LIKENESS: Final = 0.7
"""An unknown table counts as a typing error if its similarity to a known one is at least this."""

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
"""Environment variables of model providers, with descriptions; Mendel never stores their values."""

# Common names in deployment tools, in addition to the names derived from the keys.
_ALIASES: Final[Mapping[str, str]] = {
    "MENDEL_DATABASE_URL": "database.url",
    "MENDEL_DATABASE_OWNER_URL": "database.owner_url",
    "MENDEL_REDIS_URL": "redis.url",
}


class Shown(NamedTuple):
    """One line of ``config view``; ``value`` never contains a password."""

    key: str
    value: str
    origin: str
    description: str


@dataclass(frozen=True)
class Loaded:
    """Settings with their origins and warnings; ``file`` is the settings file, which may not exist."""

    settings: Settings
    origins: Mapping[str, str]
    warnings: tuple[str, ...]
    file: Path = Path(FILE_NAME)

    @property
    def lacking(self) -> tuple[Lacking, ...]:
        """The settings that need a missing component."""
        return lacking(self.settings)

    def path(self, key: str, path: Path) -> Path:
        """Resolve the path in a setting: if it was set in a file, a relative path starts at the folder of the file."""
        return self.file.parent / path if self.origin(key) == str(self.file) else path

    def origin(self, key: str) -> str:
        """Return the origin of a setting."""
        return self.origins.get(key, "default")

    def complaint(self, key: str, error: ConfigError) -> ConfigError:
        """Return an error about a setting, with its origin."""
        return ConfigError(f"{self.origin(key)}: {key}: {error}")

    def view(self) -> tuple[Shown, ...]:
        """Return all settings with their values, including those of installed domains, without secrets."""
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
        flags: dotted key (``log.backend``) to text from the command line.
        directory: the folder of ``mendel.toml``; the working directory by default.
        environ: the environment; that of this process by default.
        file: a file to read instead of ``mendel.toml``; it must exist.

    Raises:
        ConfigError: settings are wrong; the message has one line for each mistake.
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
    """Return all environment variables of Mendel and of installed domains, with descriptions."""
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
    """Return the JSON Schema of ``mendel.toml``, including the tables of installed domains."""
    return domain_sections().catalog()[0].json_schema()


# --- the sources -------------------------------------------------------------------------------


class _Entry(NamedTuple):
    """A valid setting with its origin."""

    key: str
    value: object
    origin: str


class _Problem(NamedTuple):
    """A wrong setting: its place, its dotted key, and the mistake."""

    place: str
    key: str
    complaint: str

    def __str__(self) -> str:
        return f"{self.place}: {self.key}: {self.complaint}"


@dataclass(frozen=True)
class _Given:
    """The inputs of a process: file, environment, flags and domains; not validated yet."""

    path: Path
    text: str
    document: Mapping[str, object]
    environ: Mapping[str, str]
    flags: Mapping[str, str]
    domains: DomainSections

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """Alternative names of variables, each with its key."""
        return {**_ALIASES, **self.domains.aliases}

    def mentions(self, table: str) -> bool:
        """Return whether a source sets a key of the table, valid or not."""
        return (
            lookup(self.document, table) is not None
            or any(name.startswith(f"{variable(table)}__") for name in self.environ)
            or any(f"{key}.".startswith(f"{table}.") for key in self.flags)
            or any(name in self.environ and key.startswith(f"{table}.") for name, key in self.aliases.items())
        )

    def place(self, key: str) -> str:
        """Return the place of a key or a table: a line of the file, ``flag`` or ``environment``."""
        if lookup(self.document, key) is None:
            return "flag" if any(f"{each}.".startswith(f"{key}.") for each in self.flags) else "environment"
        line = line_of(tuple(key.split(".")), key_lines(self.text))
        return f"{self.path}:{line}" if line else str(self.path)


def _reading(given: _Given) -> _Reading:
    """Load the tables of domains that a source mentions, and find the faulty ones."""
    catalog, faults = given.domains.catalog(given.mentions)
    loaded = _Reading(given, catalog, faults)
    if given.domains.broken:  # then an unknown key may belong to a broken domain: a warning, not an error
        others = [given.domains.orphan(key) for key in loaded.unknown_keys()]
    else:
        others = [*map(absent, _strange_tables(given))]
    disputed = [Fault(*each) for each in given.domains.disputed.items() if each[0] in given.environ]
    return _Reading(given, catalog, (*faults, *others, *disputed))


def _strange_tables(given: _Given) -> list[str]:
    """Return the unknown tables of the file, except for probable typing errors."""
    known = {each.partition(".")[0] for each in (*OWN_TABLES, *(claim.table for claim in given.domains.claims))}
    known |= {*given.domains.refused}
    tables = [name for name, value in given.document.items() if isinstance(value, dict) and name not in known]
    return [name for name in tables if not difflib.get_close_matches(name, known, n=1, cutoff=_LIKENESS)]


@dataclass(frozen=True)
class _Reading:
    """Reads the inputs of a process with the known settings, without the faulty tables."""

    given: _Given
    catalog: Catalog
    faults: tuple[Fault, ...]

    def sources(self) -> Iterator[_Entry | _Problem]:
        """Yield all valid settings and all mistakes; later settings override earlier ones."""
        yield from self._refused()  # the others follow in the order of precedence
        yield from self._file()
        yield from self._environment()
        yield from self._flags()

    def warnings(self) -> Iterator[str]:
        """Yield a warning for each ignored table and for each unknown variable."""
        if (reason := self.given.domains.unreadable) is not None:
            yield f"no domain's settings can be read: {reason}"
        for fault in self.faults:
            yield f"{self.given.place(fault.key)}: {fault}"
        yield from self._unknown_variables()

    def unknown_keys(self) -> Iterator[str]:
        """Yield the unknown keys and tables of the file."""
        for error in self.catalog.wrong_in(_kept(self.given.document, self._ignored)):
            if error["type"] == "extra_forbidden":
                yield ".".join(map(str, error["loc"]))

    @cached_property
    def _complete(self) -> Catalog:
        """The settings of all installed domains, for suggestions in messages."""
        return self.given.domains.catalog()[0]

    def _ignored(self, key: str) -> bool:
        """Return whether the key is in a faulty table, or is refused by a domain."""
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
            lines = key_lines(self.given.text)  # only for errors, because it is slow
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
            given = [name for name in names if environ.get(name)]  # an empty variable counts as not set
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
            return _Problem(origin, key, f"it is a table, which can be set only in {FILE_NAME}")
        value = from_text(field, text)
        for error in self.catalog.wrong_in(nested({key: value})):
            return _Problem(origin, key, complaint(error, self.catalog)[1])
        return _Entry(key, value, origin)

    def _unknown_variables(self) -> Iterator[str]:
        read = {variable(key) for key, field in self.catalog.fields.items() if not is_table(field)}
        read |= {*self.given.aliases, *PROVIDER_VARIABLES, *map(_in_environment, self.given.domains.refused)}
        told = tuple(f"{variable(fault.key)}__" for fault in self.faults)  # these have a warning of their own
        for name in sorted(self.given.environ):
            if name.startswith(PREFIX) and not name.startswith((TEST_PREFIX, *told)) and name not in read:
                near = difflib.get_close_matches(name, environment_variables(), n=1)
                advice = f"; did you mean {near[0]}?" if near else ""
                yield f"environment variable {name!a} is unknown and ignored{advice}"


def _flag(key: str) -> str:
    return "flag --" + dotted(key.split(".")).replace(".", "-").replace("_", "-")


def _in_environment(refused: str) -> str:
    """Return the variable of a refused name, which is a variable or a key."""
    return refused if refused.isupper() else variable(refused)


def _kept(document: Mapping[str, object], ignored: Callable[[str], bool], prefix: str = "") -> dict[str, object]:
    """Return a document without the ignored keys."""
    found: dict[str, object] = {}
    for name, value in document.items():
        key = f"{prefix}{name}"
        if ignored(key):
            continue
        # Tables with free names, such as llm.providers, are single settings.
        found[name] = _kept(value, ignored, f"{key}.") if isinstance(value, dict) and key not in FIELDS else value
    return found


def _read(path: Path, *, must_exist: bool) -> str:
    try:
        # Editors on Windows write a byte-order mark and CRLF.
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError as error:
        if must_exist:
            raise ConfigError(f"{path}: there is no such file") from error
        return ""
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from error
    except (OSError, ValueError) as error:  # ValueError: the path contains NUL
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
