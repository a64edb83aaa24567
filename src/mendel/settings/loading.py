"""Where settings come from: a file, the environment, flags; each is validated by itself."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from mendel.contracts.errors import ConfigError
from mendel.contracts.providers import PROVIDER_KEYS
from mendel.settings.complaints import complaint, key_lines, line_of, unknown, wrong_in
from mendel.settings.keys import FIELDS, PREFIX, dotted, from_text, is_table, lookup, nested, shown, variable
from mendel.settings.parts import Lacking, lacking
from mendel.settings.sections import Settings

FILE_NAME: Final = "mendel.toml"
TEST_PREFIX: Final = "MENDEL_TEST_"

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
        return self.file.parent / path if self.origins[key] == str(self.file) else path

    def complaint(self, key: str, error: ConfigError) -> ConfigError:
        """What is wrong with a setting, with where it was set."""
        return ConfigError(f"{self.origins[key]}: {key}: {error}")

    def view(self) -> tuple[Shown, ...]:
        """Every setting with its value, fit to be shown to anybody."""
        return tuple(
            Shown(key, shown(lookup(self.settings, key)), self.origins[key], field.description or "")
            for key, field in FIELDS.items()
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
    sources = [
        *_file_entries(path, must_exist=file is not None),
        *_environment_entries(variables),
        *_flag_entries(flags or {}),
    ]
    values: dict[str, object] = {}
    origins = dict.fromkeys(FIELDS, "default")
    problems = []
    for source in sources:
        if isinstance(source, _Problem):
            problems.append(source)
        else:
            values[source.key] = source.value
            origins[source.key] = source.origin
    if problems:
        raise ConfigError("\n".join(map(str, problems)))
    settings = Settings.model_validate(nested(values))
    return Loaded(settings, MappingProxyType(origins), tuple(_unknown_variables(variables)), path)


def environment_variables() -> Mapping[str, str]:
    """Every environment variable that is read, with its description."""
    own = {variable(key): field.description or "" for key, field in FIELDS.items() if not is_table(field)}
    aliases = {name: f"The same as {variable(key)}. {own[variable(key)]}" for name, key in _ALIASES.items()}
    return MappingProxyType({**own, **aliases, **PROVIDER_VARIABLES})


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


def _file_entries(path: Path, *, must_exist: bool) -> Iterator[_Entry | _Problem]:
    text = _read(path, must_exist=must_exist)
    document = _parsed(path, text)
    problems = wrong_in(document)
    if problems:
        lines = key_lines(text)
        for error in problems:
            location, said = complaint(error)
            line = line_of(error["loc"], lines)
            yield _Problem(f"{path}:{line}" if line else str(path), dotted(location), said)
        return
    for key in FIELDS:
        value = lookup(document, key)
        if value is not None:
            yield _Entry(key, value, str(path))


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


def _environment_entries(environ: Mapping[str, str]) -> Iterator[_Entry | _Problem]:
    for key in (key for key, field in FIELDS.items() if not is_table(field)):
        names = [variable(key), *(alias for alias, of in _ALIASES.items() if of == key)]
        given = [name for name in names if environ.get(name)]
        if len({environ[name] for name in given}) > 1:
            yield _Problem("environment", key, f"{' and '.join(given)} differ; set only one of them")
        elif given:
            yield _text_entry(key, environ[given[0]], f"environment {given[0]}")


def _flag_entries(flags: Mapping[str, str]) -> Iterator[_Entry | _Problem]:
    for key, text in flags.items():
        path = tuple(key.split("."))
        origin = "flag --" + dotted(path).replace(".", "-").replace("_", "-")
        if key in FIELDS:
            yield _text_entry(key, text, origin)
        else:
            yield _Problem(origin, dotted(path), unknown(path))


def _text_entry(key: str, text: str, origin: str) -> _Entry | _Problem:
    if is_table(FIELDS[key]):
        return _Problem(origin, key, f"it is a table, which only {FILE_NAME} can hold")
    value = from_text(FIELDS[key], text)
    for error in wrong_in(nested({key: value})):
        return _Problem(origin, key, complaint(error)[1])
    return _Entry(key, value, origin)


def _unknown_variables(environ: Mapping[str, str]) -> Iterator[str]:
    known = environment_variables()
    for name in sorted(environ):
        if name.startswith(PREFIX) and not name.startswith(TEST_PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            advice = f"; did you mean {near[0]}?" if near else ""
            yield f"environment variable {name!a} is unknown and ignored{advice}"
