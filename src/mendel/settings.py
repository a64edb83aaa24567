"""Settings: defaults, then ``mendel.toml``, then ``MENDEL_*`` variables, then flags; the later one wins.

Every source is validated by itself, and whatever is wrong in any of them is told at once, so that an overridden
mistake does not wait for the day on which nothing overrides it. An empty environment variable counts as not set.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Annotated, Final, Literal, NamedTuple, get_args, get_origin
from urllib.parse import parse_qsl, urlsplit

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
)
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError

from mendel.contracts.errors import ConfigError

FILE_NAME: Final = "mendel.toml"
PREFIX: Final = "MENDEL_"
TEST_PREFIX: Final = "MENDEL_TEST_"
MASK: Final = "***"

PROVIDER_VARIABLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "OPENAI_API_KEY": "Key for models of OpenAI.",
        "ANTHROPIC_API_KEY": "Key for models of Anthropic.",
        "GEMINI_API_KEY": "Key for Gemini models.",
        "OPENROUTER_API_KEY": "Key for models through OpenRouter.",
        "GROQ_API_KEY": "Key for models served by Groq.",
        "MISTRAL_API_KEY": "Key for models of Mistral.",
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

_LINES_LOOKED_THROUGH: Final = 1_000
_SHOWN_CHARACTERS: Final = 60
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_HARMLESS_PARAMETERS: Final = frozenset({"host", "port", "dbname", "sslmode", "connect_timeout"})


def _path_text(value: object) -> object:
    """Refuse the two texts that are no path, the empty one and one with NUL; ``~`` is the user's folder."""
    if isinstance(value, str) and (not value or "\0" in value):
        raise PydanticCustomError("path", "Input should be a path, not empty and without NUL")
    return str(Path(value).expanduser()) if isinstance(value, str) and value.startswith("~") else value


def _number(value: object) -> object:
    """Refuse what pydantic would turn into 0 or 1."""
    if isinstance(value, bool):
        raise PydanticCustomError("number", "Input should be a number")
    return value


HomePath = Annotated[Path, BeforeValidator(_path_text)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False), BeforeValidator(_number)]
Whole = Annotated[int, BeforeValidator(_number)]
CapNumber = Annotated[int, Field(gt=0, le=2**53 - 1), BeforeValidator(_number)]
VariableName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Address = Annotated[SecretStr, Field(min_length=1)]
"""A URL that may hold a password."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LogSettings(_Section):
    """Where events are kept."""

    backend: str = Field(
        default="postgres",
        min_length=1,
        description='The event log: "postgres", "file", or a plug-in of the group mendel.event_logs.',
    )
    secret_envs: tuple[VariableName, ...] = Field(
        default=(),
        description="Names of further environment variables whose values are scrubbed from the log.",
    )


class DatabaseSettings(_Section):
    """The PostgreSQL to use."""

    url: Address | None = Field(
        default=None,
        description="URL of a PostgreSQL; none starts the embedded one.",
    )
    owner_url: Address | None = Field(
        default=None,
        description="URL with the rights to migrate the schema; none uses database.url.",
    )
    patience_s: Seconds | None = Field(
        default=None,
        description="Seconds a writer waits for a database that is away; none waits for ever.",
    )


class RedisSettings(_Section):
    """The Redis to use."""

    url: Address | None = Field(default=None, description="URL of a Redis; none uses no Redis.")


class KernelSettings(_Section):
    """How runs are conducted."""

    max_runs: Whole = Field(default=4, ge=1, le=1_000, description="Runs that one process conducts at once.")
    heartbeat_s: Seconds = Field(
        default=5.0, gt=0, description="Seconds without an event after which a run records that it is alive."
    )
    domain_patience_s: Seconds = Field(
        default=30.0, gt=0, description="Seconds after which a method of a domain counts as never returning."
    )


class FabricSettings(_Section):
    """Where handlers run."""

    workers: Whole = Field(
        default=2, ge=0, le=1_000, description="Worker processes for handlers; 0 runs them in threads."
    )


class SandboxSettings(_Section):
    """Where untrusted code runs."""

    backend: str = Field(
        default="native", min_length=1, description='The sandbox: "native", or a plug-in of the group mendel.sandboxes.'
    )
    workers: Whole = Field(default=0, ge=0, le=1_000, description="Programs that run at once; 0 is one for each core.")
    bubblewrap: bool = Field(
        default=True, description="Enter the walls by bubblewrap where it is installed; false uses Mendel's launcher."
    )
    allow_network: bool = Field(default=False, description="Whether a program may be granted the network.")
    allow_gpu: bool = Field(default=False, description="Whether a program may be granted the GPU.")


class CeilingSettings(_Section):
    """The most that a run may ask for (rule 1); one that asks for more is refused."""

    max_population: CapNumber = Field(default=10_000, description="Ceiling of a run's population.")
    max_generations: CapNumber = Field(default=100_000, description="Ceiling of a run's generations.")
    max_candidates: CapNumber = Field(default=10_000_000, description="Ceiling of a run's candidates.")
    energy_budget: CapNumber = Field(default=1_000_000_000, description="Ceiling of a run's energy.")
    max_spawn_depth: CapNumber = Field(default=100_000, description="Ceiling of a lineage's depth.")
    max_tool_calls: CapNumber = Field(default=1_000_000, description="Ceiling of a run's tool calls.")
    max_tokens: CapNumber = Field(default=1_000_000_000, description="Ceiling of a run's tokens.")
    max_cost_microusd: CapNumber = Field(
        default=1_000_000_000, description="Ceiling of a run's cost, in millionths of a US dollar."
    )
    wall_clock_ms: CapNumber = Field(default=7 * 24 * 3_600_000, description="Ceiling of a run's time in milliseconds.")


class TelemetrySettings(_Section):
    """What Mendel tells about itself."""

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="The least severity that is written to standard error."
    )
    log_json: bool = Field(default=False, description="Write diagnostic lines as JSON instead of text.")


class Settings(_Section):
    """All settings of a Mendel process; immutable."""

    home: HomePath = Field(
        default=Path(".mendel"),
        description="Folder for Mendel's own files; a relative one lies in the working directory.",
    )
    log: LogSettings = Field(default_factory=LogSettings, description="Where events are kept.")
    database: DatabaseSettings = Field(default_factory=DatabaseSettings, description="The PostgreSQL to use.")
    redis: RedisSettings = Field(default_factory=RedisSettings, description="The Redis to use.")
    kernel: KernelSettings = Field(default_factory=KernelSettings, description="How runs are conducted.")
    fabric: FabricSettings = Field(default_factory=FabricSettings, description="Where handlers run.")
    sandbox: SandboxSettings = Field(default_factory=SandboxSettings, description="Where untrusted code runs.")
    ceilings: CeilingSettings = Field(default_factory=CeilingSettings, description="The most that a run may ask for.")
    telemetry: TelemetrySettings = Field(
        default_factory=TelemetrySettings, description="What Mendel tells about itself."
    )


class Shown(NamedTuple):
    """One line of ``config view``; ``value`` never holds a password."""

    key: str
    value: str
    origin: str
    description: str


@dataclass(frozen=True)
class Loaded:
    """Settings, where each came from, and what deserves a warning."""

    settings: Settings
    origins: Mapping[str, str]
    warnings: tuple[str, ...]

    def view(self) -> tuple[Shown, ...]:
        """Every setting with its value, fit to be shown to anybody."""
        return tuple(
            Shown(key, _shown(_lookup(self.settings, key)), self.origins[key], field.description or "")
            for key, field in _FIELDS.items()
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
    sources = [
        *_file_entries(file or (directory or Path()) / FILE_NAME, must_exist=file is not None),
        *_environment_entries(variables),
        *_flag_entries(flags or {}),
    ]
    values: dict[str, object] = {}
    origins = dict.fromkeys(_FIELDS, "default")
    problems = []
    for source in sources:
        if isinstance(source, _Problem):
            problems.append(source)
        else:
            values[source.key] = source.value
            origins[source.key] = source.origin
    if problems:
        raise ConfigError("\n".join(map(str, problems)))
    settings = Settings.model_validate(_nested(values))
    return Loaded(settings, MappingProxyType(origins), tuple(_unknown_variables(variables)))


def environment_variables() -> Mapping[str, str]:
    """Every environment variable that is read, with its description."""
    own = {_variable(key): field.description or "" for key, field in _FIELDS.items()}
    aliases = {name: f"The same as {_variable(key)}. {own[_variable(key)]}" for name, key in _ALIASES.items()}
    return MappingProxyType({**own, **aliases, **PROVIDER_VARIABLES})


def mask_url(url: str) -> str:
    """Make a URL fit to be shown: without its password, and wholly hidden where that cannot be told apart."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return MASK
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
    problems = _wrong_in(document)
    if problems:
        lines = _key_lines(text)
        for error in problems:
            location, complaint = _complaint(error)
            line = lines.get(location)
            yield _Problem(f"{path}:{line}" if line else str(path), _dotted(location), complaint)
        return
    for key in _FIELDS:
        value = _lookup(document, key)
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
    for key in _FIELDS:
        names = [_variable(key), *(alias for alias, of in _ALIASES.items() if of == key)]
        given = [name for name in names if environ.get(name)]
        if len({environ[name] for name in given}) > 1:
            yield _Problem("environment", key, f"{' and '.join(given)} differ; set only one of them")
        elif given:
            yield _text_entry(key, environ[given[0]], f"environment {given[0]}")


def _flag_entries(flags: Mapping[str, str]) -> Iterator[_Entry | _Problem]:
    for key, text in flags.items():
        path = tuple(key.split("."))
        origin = "flag --" + _dotted(path).replace(".", "-").replace("_", "-")
        if key in _FIELDS:
            yield _text_entry(key, text, origin)
        else:
            yield _Problem(origin, _dotted(path), _unknown(path))


def _text_entry(key: str, text: str, origin: str) -> _Entry | _Problem:
    value = _from_text(_FIELDS[key], text)
    for error in _wrong_in(_nested({key: value})):
        return _Problem(origin, key, _complaint(error)[1])
    return _Entry(key, value, origin)


def _from_text(field: FieldInfo, text: str) -> object:
    """What a text of the environment or the command line means: a list has commas, ``none`` is none."""
    if _is_list(field):
        return [part.strip() for part in text.split(",") if part.strip()]
    if text.lower() == "none" and NoneType in get_args(field.annotation):
        return None
    return text


def _unknown_variables(environ: Mapping[str, str]) -> Iterator[str]:
    known = environment_variables()
    for name in sorted(environ):
        if name.startswith(PREFIX) and not name.startswith(TEST_PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            advice = f"; did you mean {near[0]}?" if near else ""
            yield f"environment variable {name!a} is unknown and ignored{advice}"


# --- what is wrong ---------------------------------------------------------------------------------------


def _wrong_in(document: Mapping[str, object]) -> list[ErrorDetails]:
    try:
        Settings.model_validate(document)
    except ValidationError as error:
        return error.errors(include_url=False, include_context=False)
    return []


def _complaint(error: ErrorDetails) -> tuple[tuple[str, ...], str]:
    """Where in the document an error stands, and what to say about it."""
    location = tuple(part for part in error["loc"] if isinstance(part, str))
    if error["type"] == "extra_forbidden":
        return location, _unknown(location)
    found = _found(".".join(location), error["input"])
    if error["type"] == "model_type":
        return location, f"expected a table, found {found}"
    message = error["msg"].replace("Input should be ", "expected ", 1)
    return location, f"{message[:1].lower()}{message[1:]}, found {found}"


def _found(key: str, value: object) -> str:
    """Name what was found; the value itself only where it can be no secret put into the wrong place."""
    field = _FIELDS.get(key)
    if field is None or _is_secret(field) or _is_list(field) or not isinstance(value, str | int | float):
        return _KINDS.get(type(value), f"a {type(value).__name__}")
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"


def _unknown(path: tuple[str, ...]) -> str:
    near = _nearest(path)
    if near:
        return f"unknown key; did you mean {near}?"
    siblings = [key for key in _FIELDS if key.startswith(f"{path[0]}.")] or list(_FIELDS)
    return f"unknown key; known are {', '.join(siblings)}"


def _nearest(path: tuple[str, ...]) -> str | None:
    if path[0] in Settings.model_fields and len(path) == 1:
        return None
    for key in difflib.get_close_matches(".".join(path), [*_FIELDS, *Settings.model_fields], n=1):
        return key
    by_last_part = {key.rpartition(".")[2]: key for key in reversed(list(_FIELDS))}
    for last in difflib.get_close_matches(path[-1], by_last_part, n=1):
        return by_last_part[last]
    return None


def _key_lines(text: str) -> Mapping[tuple[str, ...], int]:
    """The line on which each key of a valid document is set; empty for a very long one.

    The standard library's parser keeps no positions. A statement ends where the document up to there parses again,
    so the keys that are new at that point stand on the first line after the previous such point.
    """
    lines = text.split("\n")
    found: dict[tuple[str, ...], int] = {}
    start = 1
    for end in range(1, len(lines) + 1 if len(lines) <= _LINES_LOOKED_THROUGH else 0):
        try:
            document = tomllib.loads("\n".join(lines[:end]))
        except tomllib.TOMLDecodeError:
            continue
        for path in _paths(document):
            found.setdefault(path, start)
        start = end + 1
    return found


def _paths(document: Mapping[str, object]) -> Iterator[tuple[str, ...]]:
    for name, value in document.items():
        yield (name,)
        if isinstance(value, dict):
            yield from ((name, *rest) for rest in _paths(value))


# --- keys and fields -------------------------------------------------------------------------------------


def _fields_of(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _fields_of(kind, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field


_FIELDS: Final[Mapping[str, FieldInfo]] = dict(_fields_of(Settings))

_KINDS: Final[Mapping[type, str]] = {
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a number",
    list: "an array",
    dict: "a table",
}


def _is_secret(field: FieldInfo) -> bool:
    return Address in get_args(field.annotation)


def _is_list(field: FieldInfo) -> bool:
    return get_origin(field.annotation) is tuple


def _variable(key: str) -> str:
    return PREFIX + key.replace(".", "__").upper()


def _dotted(path: Iterable[str]) -> str:
    """A path as TOML would write it; a part that needs quotes gets them, so that it stays on one line."""
    return ".".join(part if _BARE_KEY.fullmatch(part) else json.dumps(part) for part in path)


def _nested(values: Mapping[str, object]) -> Mapping[str, object]:
    document: dict[str, object] = {}
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        table = document.setdefault(section, {}) if section else document
        if isinstance(table, dict):
            table[name] = value
    return document


def _lookup(document: object, key: str) -> object:
    """The value under a dotted key of a nested mapping or model; none if it is not there."""
    for name in key.split("."):
        document = document.get(name) if isinstance(document, Mapping) else getattr(document, name, None)
    return document


def _shown(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, SecretStr):
        return mask_url(value.get_secret_value())
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).encode("utf-8", "backslashreplace").decode()
