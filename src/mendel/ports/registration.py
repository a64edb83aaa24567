"""Registrations of domains: one frozen object per domain, found by its entry point, that names all its parts.

A registration is an object of the group ``mendel.domains``. It names its parts by dotted references
(``package.module:attribute``). A part is imported on its first use, so listing domains and reading, replaying or
serving a log import no domain. A module with a registration must therefore import nothing from its own domain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial, wraps
from importlib.metadata import EntryPoint
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

import structlog

from mendel.contracts.errors import BrokenPlugin, DomainFailed, MendelError, PluginError
from mendel.contracts.events.registry import EVENT_PAYLOADS
from mendel.contracts.payloads import described
from mendel.contracts.step_words import StepWords, Wording
from mendel.ports.registry import Plugin, plugins, resolve

Made = TypeVar("Made")
DOMAINS: Final = "mendel.domains"
_NAMING: Final = ("domain", "launch", "text", "tables", "evolve", "report", "panels")
"""Fields that contain one reference each."""
_ROOT: Final = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+")  # no parameters, no slash at the end
_TABLE: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")
_VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9_]*")


@dataclass(frozen=True, kw_only=True)
class DomainRouter:
    """Routes that a domain adds to the server. ``router`` names a ``fastapi.APIRouter``.

    They are served below ``/api/domains/NAME``, or below ``path`` if it is given, and are guarded in both cases.
    ``reading`` lists the socket messages that change nothing, by the member ``type`` of a JSON object; all others count
    as changes.
    """

    router: str
    path: str | None = None
    reading: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        _refuse_misshapen(self, "a DomainRouter")
        if self.path is not None and not _ROOT.fullmatch(self.path):
            raise ValueError(f"{self.path!r} is no root path; write one like /world or /world/v1, without parameters")


@dataclass(frozen=True, kw_only=True)
class DomainSettings:
    """The settings that a domain reads from ``mendel.toml``, the environment and flags.

    ``tables`` maps each table (``world``, ``world.climate``) to the model of its keys, a ``mendel.settings.Section``,
    which is loaded when a source mentions the table. A table may also be one of Mendel's: it then has both sets of
    keys. ``aliases`` maps further environment variables to the keys that they set. ``refused`` maps keys and
    environment variables that are rejected to the reason that users see.
    """

    tables: Mapping[str, str]
    aliases: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    refused: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        _refuse_misshapen(self, "a DomainSettings")
        for table in self.tables:
            if not _TABLE.fullmatch(table):
                raise ValueError(f"{table!r} is no table name; write one like world or world.climate")
        for variable, key in self.aliases.items():
            if not _VARIABLE.fullmatch(variable) or key.rpartition(".")[0] not in self.tables:
                raise ValueError(
                    f"the alias {variable!r} of {key!r} must be a variable in capitals, for a key in its tables"
                )
        for name in self.refused:
            if not _VARIABLE.fullmatch(name) and not any(name.startswith(f"{table}.") for table in self.tables):
                raise ValueError(
                    f"{name!r} cannot be refused: it is neither a variable in capitals nor a key in its tables"
                )


@dataclass(frozen=True, kw_only=True)
class DomainRegistration:
    """Everything that connects a domain to the rest of Mendel.

    - ``domain``: the class of :class:`mendel.kernel.domain.Domain`. ``title`` and ``summary`` are for people.
    - ``launch``: a function from the settings to the :class:`mendel.api.registration.LaunchForm` of its runs; a domain
      without one is launched from its configuration.
    - ``text``: a function that makes a genome readable (a :data:`mendel.api.registration.TextOf`); without one the
      genome's files or data are shown.
    - ``services``: classes of :class:`mendel.api.domain_services.Service`, which live as long as a server and are
      started in this order.
    - ``tables``: its :class:`mendel.ports.domain_tables.DomainTables`.
    - ``commands``: commands of `mendel` by name, each a function for Typer or a ``typer.Typer``.
    - ``evolve``: additions to `mendel evolve`, a :class:`mendel.console.evolvable.Evolvable`. ``report``: the
      :class:`mendel.projections.report.models.Rows` that it adds to `mendel report`.
    - ``runs_commands``: its runs measure with commands that their user wrote, which the sandbox must grant.
    - ``settings``: its settings, known without loading the domain.
    - ``panels``: its part of the page, a tuple of :class:`mendel.api.panels.Panel`.
    - ``steps``: wording and event aliases of its steps, as data, so that a run is listed and streamed without importing
      it.
    """

    name: str
    title: str
    summary: str
    domain: str
    launch: str | None = None
    text: str | None = None
    routers: tuple[DomainRouter, ...] = ()
    services: tuple[str, ...] = ()
    tables: str | None = None
    commands: Mapping[str, str] = field(default_factory=dict)
    evolve: str | None = None
    report: str | None = None
    runs_commands: bool = False
    settings: DomainSettings | None = None
    panels: str | None = None
    steps: tuple[StepWords, ...] = ()

    def __post_init__(self) -> None:
        _refuse_misshapen(self, str(self.name))
        known = [each.step for each in self.steps]
        strangers = [step for step in known if not step.startswith(f"{self.name}.")]
        if strangers:
            raise ValueError(
                f"its name {self.name!r} must be that of its entry point and must begin its steps;"
                f" {', '.join(strangers)} do not begin with {self.name}."
            )
        aliases = [alias for each in self.steps for alias in each.aliases]
        if twice := sorted({name for name in (*known, *aliases) if [*known, *aliases].count(name) > 1}):
            raise ValueError(f"{self.name} registers {', '.join(twice)} twice")
        if taken := sorted(EVENT_PAYLOADS.keys() & set(aliases)):
            raise ValueError(
                f"{self.name} registers {', '.join(taken)} as an alias, but the log has events of that name"
            )

    def references(self) -> tuple[tuple[str, str], ...]:
        """Return every field that contains a reference, with the reference."""
        named = (
            *((name, getattr(self, name)) for name in _NAMING),
            *(("routers", each.router) for each in self.routers),
            *(("services", each) for each in self.services),
            *(("commands", each) for each in self.commands.values()),
            *(("settings", each) for each in (self.settings.tables.values() if self.settings is not None else ())),
        )
        return tuple((field, reference) for field, reference in named if reference is not None)

    def resolve(self, field: str, reference: str) -> object:
        """Load the object that ``reference``, a value of the field ``field``, names.

        Raises:
            BrokenPlugin: it cannot be loaded; the message names the domain, the field and the reference.
        """
        try:
            return EntryPoint(field, reference, DOMAINS).load()
        # Broad on purpose: an import of third-party code may raise anything, or exit; both are that package's failure.
        except (Exception, SystemExit) as error:
            raise BrokenPlugin(
                f'the domain "{self.name}" registers {reference!r} as its {field}, which cannot be loaded:'
                f" {described(error)}"
            ) from error


class FoundDomain(NamedTuple):
    """An installed domain: its registration, or the reason why it has no usable one."""

    plugin: Plugin
    registration: DomainRegistration | None
    refusal: str | None

    @property
    def owner(self) -> str:
        """The domain and its package, for messages."""
        return f'the domain "{self.plugin.name}" ({self.plugin.distribution} {self.plugin.version})'


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_text_or_none(value: object) -> bool:
    return isinstance(value, str | None)


def _maps_texts(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(each, str) for pair in value.items() for each in pair)


def _is_tuple_of(kind: type, value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, kind) for each in value)


_REFERENCES: Final = ("a mapping from names to references", _maps_texts)
_SHAPES: Final[Mapping[type, Mapping[str, tuple[str, Callable[[object], bool]]]]] = MappingProxyType(
    {
        DomainRouter: {
            "router": ("text", _is_text),
            "path": ("text or None", _is_text_or_none),
            "reading": ("a frozenset of types of messages", lambda value: isinstance(value, frozenset)),
        },
        DomainSettings: {
            "tables": _REFERENCES,
            "aliases": ("a mapping from variables to keys", _maps_texts),
            "refused": ("a mapping from names to reasons", _maps_texts),
        },
        DomainRegistration: {
            **dict.fromkeys(("name", "title", "summary", "domain"), ("text", _is_text)),
            **dict.fromkeys(_NAMING[1:], ("text or None", _is_text_or_none)),
            "routers": ("a tuple of DomainRouter", partial(_is_tuple_of, DomainRouter)),
            "services": ("a tuple of references", partial(_is_tuple_of, str)),
            "commands": _REFERENCES,
            "runs_commands": ("True or False", lambda value: isinstance(value, bool)),
            "settings": ("a DomainSettings or None", lambda value: isinstance(value, DomainSettings | None)),
            "steps": ("a tuple of StepWords", partial(_is_tuple_of, StepWords)),
        },
    }
)
"""The expected type of each field: registrations may lack a type checker, and every command reads all of them."""


def _refuse_misshapen(part: object, name: str) -> None:
    shapes = next(shapes for kind, shapes in _SHAPES.items() if isinstance(part, kind))
    for field_name, (wanted, fits) in shapes.items():
        value = getattr(part, field_name)
        if not fits(value):
            raise TypeError(f"{field_name} of {name} is {_described(value)}, not {wanted}")


def find_registration(name: str) -> DomainRegistration:
    """Return the registration of the domain ``name``.

    Raises:
        UnknownPlugin: no installed package has the domain; the message lists the known ones.
        BrokenPlugin: it cannot be loaded, is not a registration, or has another name.
    """
    found = resolve(DOMAINS, name)
    if not isinstance(found, DomainRegistration):
        raise BrokenPlugin(
            f'{DOMAINS} "{name}" is {_described(found)}, not a mendel.ports.registration.DomainRegistration'
        )
    if found.name != name:
        raise BrokenPlugin(f'{DOMAINS} "{name}" registers itself as {found.name!r}; the names must be equal')
    return found


def find_registrations() -> tuple[FoundDomain, ...]:
    """Return every installed domain by name. An unusable one carries its refusal and does not hide the others."""
    return tuple(_found())


def find_wording() -> Wording:
    """Return the wording of the steps of every usable installed domain, by step."""
    usable = (found.registration for found in find_registrations() if found.registration is not None)
    return {each.step: each for registration in usable for each in registration.steps}


Passing = type[BaseException] | tuple[type[BaseException], ...]


@contextmanager
def blaming(domain: str, doing: str, *, passing: Passing = MendelError) -> Iterator[None]:
    """Run code of a domain; an exception is reported as the domain's and logged once.

    Mendel's own errors pass unchanged, as do those that the caller lists as ``passing``.

    Raises:
        DomainFailed: names the domain, its package and the activity; the traceback is only in the log.
    """
    try:
        yield
    except MendelError:
        raise
    except passing:
        raise
    # Broad on purpose: third-party code may raise anything, and whatever it raises is the domain's failure.
    except Exception as error:
        raise failure_of(domain, doing, error) from error


def blamed(
    domain: str, doing: str, function: Callable[..., Made], *, passing: Passing = MendelError
) -> Callable[..., Made]:
    """Wrap a function of a domain in :func:`blaming`."""

    @wraps(function)
    def called(*arguments: object, **options: object) -> Made:
        with blaming(domain, doing, passing=passing):
            return function(*arguments, **options)

    return called


def failure_of(domain: str, doing: str, error: Exception) -> DomainFailed:
    """Log the traceback of a domain's exception and return the exception as a failure of the domain."""
    structlog.get_logger(__name__).error("domain_failed", domain=domain, doing=doing, exc_info=error)
    return DomainFailed(f"{doing} of {owner_of(domain)} raised {type(error).__name__}; this is a bug of the domain")


def owner_of(domain: str) -> str:
    """Return the domain and its package, as far as known, for messages."""
    installed = [plugin for plugin in plugins(DOMAINS) if plugin.name == domain]
    return FoundDomain(installed[0], None, None).owner if len(installed) == 1 else f'the domain "{domain}"'


def _found() -> Iterator[FoundDomain]:
    # One entry per name: a name that several packages claim is refused once, by find_registration.
    for name, plugin in {plugin.name: plugin for plugin in plugins(DOMAINS)}.items():
        try:
            yield FoundDomain(plugin, find_registration(name), None)
        except PluginError as error:
            yield FoundDomain(plugin, None, str(error))


def _described(found: object) -> str:
    return f"the class {found.__name__}" if isinstance(found, type) else f"a {type(found).__name__}"
