"""What registrations of domains name for the command line; nothing of a domain is imported before it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, TypeVar

from mendel.contracts.errors import BrokenPlugin
from mendel.ports.registration import DomainRegistration, find_registrations

Part = TypeVar("Part")
_OWN: Final = "mendel"


def registrations() -> Iterator[DomainRegistration]:
    """Of every installed domain that can be used, those that come with Mendel first."""
    for found in sorted(find_registrations(), key=lambda each: (each.plugin.distribution != _OWN, each.plugin.name)):
        if found.registration is not None:
            yield found.registration


def domain_commands() -> Mapping[str, Callable[[], object]]:
    """The commands of all domains by name; where two have one of a name, the first one's.

    One that does not load is a command that says so.
    """
    found: dict[str, Callable[[], object]] = {}
    for registration in registrations():
        for name, reference in registration.commands.items():
            found.setdefault(name, partial(_command, registration, reference))
    return found


def _command(registration: DomainRegistration, reference: str) -> object:
    try:
        return registration.resolve("commands", reference)
    except BrokenPlugin as error:
        refusal = error

    def broken() -> None:
        """Does not load; call it to see why."""
        raise refusal

    return broken


def runs_commands(domain: str) -> bool:
    """Whether runs of a domain measure by commands that their user wrote."""
    return any(each.name == domain and each.runs_commands for each in registrations())


def part(registration: DomainRegistration, field: str, reference: str, kind: type[Part]) -> Part:
    """What a registration names.

    Raises:
        BrokenPlugin: it cannot be loaded, or is something else.
    """
    found = registration.resolve(field, reference)
    if not isinstance(found, kind):
        raise BrokenPlugin(
            f'the domain "{registration.name}" registers {reference!r} as its {field}, which is no {kind.__name__}'
        )
    return found
