"""Parts of the command line that domains register; a domain is imported only when its part is used."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypeVar

import typer
from typer.main import get_command, get_group

from mendel.contracts.errors import BrokenPlugin
from mendel.ports.registration import DomainRegistration, FoundDomain, find_registrations

Part = TypeVar("Part")
_OWN: Final = "mendel"  # the distribution
COMMANDS: Final = frozenset(
    {
        "answer",
        "cancel",
        "config",
        "db",
        "doctor",
        "events",
        "evolve",
        "explain",
        "guard",
        "kill",
        "log",
        "models",
        "plugin",
        "propose",
        "replay",
        "report",
        "resume",
        "run",
        "runs",
        "sandbox",
        "serve",
        "set",
        "show",
        "step",
        "stop",
        "version",
        "watch",
    }
)
"""The names of Mendel's own commands in ``mendel.cli.main``, which domains cannot redefine."""


class DomainCommand(NamedTuple):
    """A command registered by a domain, or the reason why it cannot be used."""

    name: str
    owner: FoundDomain
    reference: str
    refusal: str | None = None

    def load(self) -> Any:  # noqa: ANN401 - Typer keeps the type of its commands private
        """Load the function or Typer app, and return its command.

        Raises:
            BrokenPlugin: it cannot be loaded, is neither of the two, or another domain claims the name, too.
        """
        if self.refusal is not None or self.owner.registration is None:
            raise BrokenPlugin(self.refusal or str(self.owner.refusal))
        loaded = self.owner.registration.resolve("commands", self.reference)
        told = f"{self.owner.owner} registers {self.reference!r} as its command {self.name}, which"
        if not callable(loaded):
            raise BrokenPlugin(f"{told} is not a function")
        with taken_by_typer(f"{told} Typer does not take"):
            return made_command(loaded)


def made_command(found: Any, **settings: Any) -> Any:  # noqa: ANN401 - as above
    """Return the command of a Typer app, or of a function with these settings."""
    if isinstance(found, typer.Typer):
        return get_group(found)
    app = typer.Typer(add_completion=False)  # a Typer app of one command is that command
    app.command(**settings)(found)
    return get_command(app)


@contextmanager
def taken_by_typer(refusal: str) -> Iterator[None]:
    """Convert errors of Typer about third-party code.

    Raises:
        BrokenPlugin: Typer raised; the message is ``refusal`` with Typer's reason.
    """
    try:
        yield
    # Broad on purpose: Typer raises various exceptions for signatures that it does not support.
    except Exception as error:
        raise BrokenPlugin(f"{refusal}: {type(error).__name__}: {error}") from error


def usable_domains() -> Iterator[FoundDomain]:
    """Yield every usable installed domain, those that come with Mendel first."""
    for found in sorted(find_registrations(), key=lambda each: (not _is_ours(each), each.plugin.name)):
        if found.registration is not None:
            yield found


def registrations() -> Iterator[DomainRegistration]:
    """Yield the registrations of all usable domains, those that come with Mendel first."""
    return (found.registration for found in usable_domains() if found.registration is not None)


def domain_commands() -> Mapping[str, DomainCommand]:
    """Return the commands of all domains by name; a name with several claims is refused, unless Mendel's is one."""
    claims: defaultdict[str, list[DomainCommand]] = defaultdict(list)
    for command in _registered_commands():
        claims[command.name].append(command)
    return {name: _agreed(commands) for name, commands in claims.items() if name not in COMMANDS}


def refused_commands() -> Iterator[DomainCommand]:
    """Yield the commands that domains register and do not get, each with the reason."""
    granted = domain_commands()
    for command in _registered_commands():
        found = granted.get(command.name)
        if found is None or (_is_ours(found.owner) and found.owner != command.owner):
            yield command._replace(
                refusal=f"{command.owner.owner} registers the command {command.name}, which Mendel has already"
            )
        elif found.refusal is not None:
            yield command._replace(refusal=found.refusal)


def _registered_commands() -> Iterator[DomainCommand]:
    for found in usable_domains():
        registration = found.registration
        for name, reference in registration.commands.items() if registration is not None else ():
            yield DomainCommand(name, found, reference)


def _agreed(claims: Sequence[DomainCommand]) -> DomainCommand:
    first = claims[0]
    if len(claims) == 1 or _is_ours(first.owner):
        return first
    owners = " and by ".join(each.owner.owner for each in claims)
    told = f"the command {first.name} is claimed by {owners}; uninstall all but one of them"
    return first._replace(refusal=told)


def _is_ours(found: FoundDomain) -> bool:
    return found.plugin.distribution == _OWN


def runs_commands(domain: str) -> bool:
    """Return whether runs of a domain measure with commands written by the user."""
    return any(each.name == domain and each.runs_commands for each in registrations())


def part(registration: DomainRegistration, field: str, reference: str, kind: type[Part]) -> Part:
    """Load the object in a field of a registration.

    Raises:
        BrokenPlugin: it cannot be loaded, or is not a ``kind``.
    """
    found = registration.resolve(field, reference)
    if not isinstance(found, kind):
        raise BrokenPlugin(
            f'the domain "{registration.name}" registers {reference!r} as its {field}, which is no {kind.__name__}'
        )
    return found
