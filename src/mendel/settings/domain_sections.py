"""The settings of installed domains: which tables their registrations declare, loaded when they are asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pydantic import ValidationError

from mendel.contracts.errors import BrokenPlugin, PluginError
from mendel.ports.registration import DOMAINS, DomainRegistration, DomainSettings, FoundDomain, find_registrations
from mendel.ports.registry import INSTALLABLE
from mendel.settings.catalog import Catalog, Table
from mendel.settings.keys import FIELDS, dotted, variable
from mendel.settings.masking import names_secret
from mendel.settings.values import Section

_OURS: Final = frozenset({*FIELDS, *map(variable, FIELDS)})
"""Names that no domain can give another meaning, or refuse."""


class Fault(NamedTuple):
    """A table, or a key, that is or may be a domain's and cannot be read, and why.

    What is set there is ignored, unless the table has an owner whose model reads it.
    """

    key: str
    reason: str
    ignored: bool = True

    def __str__(self) -> str:
        return f"{dotted(self.key.split('.'))}: {'ignored: ' if self.ignored else ''}{self.reason}"


@dataclass(frozen=True, eq=False)
class Claim:
    """A table that a domain declares; its model is not loaded."""

    table: str
    reference: str
    registration: DomainRegistration
    package: str

    @property
    def rank(self) -> int:
        """Whose the table is where several domains claim it: one of Mendel's own, then the domain of that name."""
        if self.package.startswith("mendel "):
            return 2
        return 1 if self.table.partition(".")[0] == self.registration.name else 0

    def load(self) -> Table:
        """The table with its model.

        Raises:
            BrokenPlugin: there is none that can be used; the message names the domain and the package.
        """
        try:
            model = self.registration.resolve("settings", self.reference)
        except BrokenPlugin as error:
            raise BrokenPlugin(f"{error}; repair or uninstall {self.package}") from error
        if not (isinstance(model, type) and issubclass(model, Section)):
            raise self.refusal("is no mendel.settings.Section")
        try:
            model()
        except ValidationError as error:
            keys = ", ".join(dotted(map(str, each["loc"])) for each in error.errors() if each["loc"]) or "its whole"
            raise self.refusal(f"has a key without a default that fits it ({keys}); give it one") from error
        table = Table(self.table, model)
        for key, setting in table.fields.items():
            if names_secret(setting) and setting.get_default(call_default_factory=True) is not None:
                raise self.refusal(f"has a default for {key}: which variable holds a secret is the user's to say")
        return table

    def __str__(self) -> str:
        return f'the domain "{self.registration.name}" ({self.package})'

    def refusal(self, what: str) -> BrokenPlugin:
        """What is wrong with the section."""
        name = self.registration.name
        return BrokenPlugin(
            f'{self.reference!r}, which the domain "{name}" registers in its settings, {what};'
            f" repair or uninstall {self.package}"
        )


@dataclass(frozen=True)
class DomainSections:
    """What the installed domains declare of settings, with nothing of theirs loaded.

    ``disputed`` are variables that several domains claim as aliases, each with the reason why it sets nothing;
    ``broken`` are domains without a usable registration, each with the reason; ``unreadable`` says why none is known.
    """

    claims: tuple[Claim, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    disputed: Mapping[str, str] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)
    unreadable: str | None = None

    def orphan(self, key: str) -> Fault:
        """A key or table that there is not, while the tables of broken domains are unknown."""
        told = "; ".join(f'"{name}" does not load: {reason}' for name, reason in self.broken.items())
        return Fault(key, f"no setting of that name; it may be a domain's: {told}")

    def catalog(self, wanted: Callable[[str], bool] = lambda _table: True) -> tuple[Catalog, tuple[Fault, ...]]:
        """The settings that are known when the wanted tables are loaded, and what is wrong with the others of them."""
        broken = [Fault(*each) for each in self.broken.items() if wanted(each[0])]
        tables, faults = self._loaded([claim for claim in self.claims if wanted(claim.table)])
        return Catalog(tables), (*broken, *(fault for _, fault in faults))

    def faults_of(self, domain: str) -> tuple[Fault, ...]:
        """What is wrong with the tables of one domain."""
        own = [claim for claim in self.claims if claim.registration.name == domain]
        settings = next((claim.registration.settings for claim in own), None)
        names = settings.aliases if settings is not None else ()
        disputed = (Fault(*each) for each in self.disputed.items() if each[0] in names)
        return (*(fault for claim, fault in self._loaded(self.claims)[1] if claim in own), *disputed)

    def _loaded(self, claims: Sequence[Claim]) -> tuple[tuple[Table, ...], list[tuple[Claim, Fault]]]:
        """The tables that can stand together, and the claims that cannot be met."""
        found: dict[Claim, Table] = {}
        faults: list[tuple[Claim, Fault]] = []
        for claim in claims:
            try:
                found[claim] = _unlike_ours(claim, claim.load())
            except BrokenPlugin as error:
                faults.append((claim, Fault(claim.table, str(error))))
        for outranked in (True, False):  # a table that gives way to another one keeps no third one away
            rivals = {claim: _rival(claim, found, outranked=outranked) for claim in found}
            for claim, rival in rivals.items():
                if rival is not None:
                    del found[claim]
                    told = f"cannot be added: {rival[1]} is claimed by {rival[0]}, too"
                    faults.append((claim, Fault(claim.table, str(claim.refusal(told)), ignored=not outranked)))
        return tuple(found.values()), faults


def _unlike_ours(claim: Claim, table: Table) -> Table:
    there = Catalog().clash(table)
    if there is not None:
        raise claim.refusal(f"cannot be added: {there} is already there")
    return table


def _rival(claim: Claim, found: Mapping[Claim, Table], *, outranked: bool) -> tuple[Claim, str] | None:
    """A claim to the same settings that has a better right to them, or as good a one, with the setting."""
    for other, table in found.items():
        if other is not claim and (other.rank > claim.rank if outranked else other.rank == claim.rank):
            there = Catalog((table,)).clash(found[claim])
            if there is not None:
                return other, there
    return None


def domain_sections() -> DomainSections:
    """Those of every domain that is installed now."""
    try:
        found = find_registrations()
    except PluginError as error:
        return DomainSections(unreadable=str(error))
    declared = [(each, each.registration.settings) for each in found if each.registration is not None]
    given = [(each, settings) for each, settings in declared if settings is not None]
    aliases = _aliases(given)
    return DomainSections(
        claims=tuple(claim for each in found for claim in _claims(each)),
        aliases={name: key for name, keys in aliases.items() if len(keys) == 1 for key in keys.values()},
        refused={name: told for _, each in given for name, told in each.refused.items() if name not in _OURS},
        disputed={
            name: f"it is claimed by {' and by '.join(keys)}; uninstall all of them but one"
            for name, keys in aliases.items()
            if len(keys) > 1
        },
        broken={each.plugin.name: each.refusal for each in found if each.refusal is not None},
    )


def _aliases(given: Sequence[tuple[FoundDomain, DomainSettings]]) -> Mapping[str, Mapping[str, str]]:
    """Every variable that is an alias, with the key that each of the domains that claim it means."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for each, settings in given:
        for name, key in settings.aliases.items():
            if not _OURS & {name, key}:
                found[name][each.owner] = key
    return found


def _claims(found: FoundDomain) -> tuple[Claim, ...]:
    registration = found.registration
    if registration is None or registration.settings is None:
        return ()
    package = f"{found.plugin.distribution} {found.plugin.version}"
    tables = registration.settings.tables.items()
    return tuple(Claim(table, reference, registration, package) for table, reference in tables)


def absent(table: str) -> Fault:
    """The table of a domain that is not installed."""
    package = INSTALLABLE.get((DOMAINS, table))
    install = f"it comes with {package}: pip install '{package}'" if package else "install the package that brings it"
    return Fault(table, f'there is no such table, and no domain "{table}" is installed; {install}')
