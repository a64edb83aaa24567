"""Settings of installed domains: the tables in their registrations, loaded on demand."""

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
"""Keys and variables of Mendel itself, which domains cannot redefine or refuse."""


class Fault(NamedTuple):
    """A table or key, possibly of a domain, that cannot be read, with the reason.

    Its values are ignored, unless ``ignored`` is False because another domain owns the table and reads it.
    """

    key: str
    reason: str
    ignored: bool = True

    def __str__(self) -> str:
        return f"{dotted(self.key.split('.'))}: {'ignored: ' if self.ignored else ''}{self.reason}"


@dataclass(frozen=True, eq=False)  # claims are dictionary keys by identity
class Claim:
    """A table declared by a domain; its model is not loaded yet."""

    table: str
    reference: str
    registration: DomainRegistration
    package: str

    @property
    def rank(self) -> int:
        """Priority among several claims: first domains shipped with Mendel, then the domain named like the table."""
        if self.package.startswith("mendel "):  # "DISTRIBUTION VERSION"
            return 2
        return 1 if self.table.partition(".")[0] == self.registration.name else 0

    def load(self) -> Table:
        """Return the table with its model.

        Raises:
            BrokenPlugin: the model cannot be used; the message names the domain and the package.
        """
        try:
            model = self.registration.resolve("settings", self.reference)
        except BrokenPlugin as error:
            raise BrokenPlugin(f"{error}; repair or uninstall {self.package}") from error
        if not (isinstance(model, type) and issubclass(model, Section)):
            raise self.refusal("is not a mendel.settings.Section")
        try:
            model()  # every key needs a valid default, because the table may be missing
        except ValidationError as error:
            keys = ", ".join(dotted(map(str, each["loc"])) for each in error.errors() if each["loc"]) or "its whole"
            raise self.refusal(f"has a key without a valid default ({keys}); add one") from error
        table = Table(self.table, model)
        for key, setting in table.fields.items():
            if names_secret(setting) and setting.get_default(call_default_factory=True) is not None:
                raise self.refusal(f"has a default for {key}: only the user may choose the variable of a secret")
        return table

    def __str__(self) -> str:
        return f'the domain "{self.registration.name}" ({self.package})'

    def refusal(self, what: str) -> BrokenPlugin:
        """Return an error about this section."""
        name = self.registration.name
        return BrokenPlugin(
            f'{self.reference!r}, which the domain "{name}" registers in its settings, {what};'
            f" repair or uninstall {self.package}"
        )


@dataclass(frozen=True)
class DomainSections:
    """Settings declared by the installed domains; no code of theirs is loaded.

    ``refused`` maps keys and variables that domains refuse to the reason. ``disputed`` maps variables that several
    domains claim as aliases, and which therefore have no effect. ``broken`` maps domains without a usable registration.
    ``unreadable`` is the reason why no domain is known at all.
    """

    claims: tuple[Claim, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    disputed: Mapping[str, str] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)
    unreadable: str | None = None

    def orphan(self, key: str) -> Fault:
        """Return the fault of an unknown key or table, which may belong to one of the broken domains."""
        told = "; ".join(f'"{name}" does not load: {reason}' for name, reason in self.broken.items())
        return Fault(key, f"unknown setting; it may belong to a domain: {told}")

    def catalog(self, wanted: Callable[[str], bool] = lambda _table: True) -> tuple[Catalog, tuple[Fault, ...]]:
        """Load the wanted tables; return all known settings, and the faults of the tables that did not load."""
        broken = [Fault(*each) for each in self.broken.items() if wanted(each[0])]
        tables, faults = self._loaded([claim for claim in self.claims if wanted(claim.table)])
        return Catalog(tables), (*broken, *(fault for _, fault in faults))

    def faults_of(self, domain: str) -> tuple[Fault, ...]:
        """Return the faults of one domain's tables."""
        own = [claim for claim in self.claims if claim.registration.name == domain]
        settings = next((claim.registration.settings for claim in own), None)
        names = settings.aliases if settings is not None else ()
        disputed = (Fault(*each) for each in self.disputed.items() if each[0] in names)
        return (*(fault for claim, fault in self._loaded(self.claims)[1] if claim in own), *disputed)

    def _loaded(self, claims: Sequence[Claim]) -> tuple[tuple[Table, ...], list[tuple[Claim, Fault]]]:
        """Return the tables that are compatible with each other, and the claims that failed."""
        found: dict[Claim, Table] = {}
        faults: list[tuple[Claim, Fault]] = []
        for claim in claims:
            try:
                found[claim] = _unlike_ours(claim, claim.load())
            except BrokenPlugin as error:
                faults.append((claim, Fault(claim.table, str(error))))
        for outranked in (True, False):  # first drop outranked tables, which then exclude no others
            # All rivals are found before any claim is dropped: of two equal claims, neither wins.
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
    """Return a claim to the same settings of higher (``outranked``) or equal rank, with the setting."""
    for other, table in found.items():
        if other is not claim and (other.rank > claim.rank if outranked else other.rank == claim.rank):
            there = Catalog((table,)).clash(found[claim])
            if there is not None:
                return other, there
    return None


def domain_sections() -> DomainSections:
    """Return the declarations of all installed domains."""
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
            name: f"it is claimed by {' and by '.join(keys)}; uninstall all but one of them"
            for name, keys in aliases.items()
            if len(keys) > 1
        },
        broken={each.plugin.name: each.refusal for each in found if each.refusal is not None},
    )


def _aliases(given: Sequence[tuple[FoundDomain, DomainSettings]]) -> Mapping[str, Mapping[str, str]]:
    """Return all alias variables, each with its key by claiming domain."""
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
    """Return the fault of a table whose domain is not installed."""
    package = INSTALLABLE.get((DOMAINS, table))
    install = f"it comes with {package}: pip install '{package}'" if package else "install the package that has it"
    return Fault(table, f'there is no such table, and no domain "{table}" is installed; {install}')
