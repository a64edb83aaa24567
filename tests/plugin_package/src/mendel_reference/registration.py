"""What this package registers with Mendel: two domains, each by one object that imports nothing of it."""

from __future__ import annotations

from mendel.ports.registration import DomainRegistration, DomainRouter

REFERENCE = DomainRegistration(
    name="reference",
    title="Reference",
    summary="Points that come closer to a target.",
    domain="mendel_reference.domain:ReferenceDomain",
    text="mendel_reference.front:readable",
    report="mendel_reference.report:ROWS",
    tables="mendel_reference.tables:TABLES",
    commands={"distance": "mendel_reference.commands:distance", "replay": "mendel_reference.commands:distance"},
    routers=(
        DomainRouter(router="mendel_reference.front:inner"),
        DomainRouter(router="mendel_reference.front:router", path="/reference", reading=frozenset({"look"})),
    ),
    services=("mendel_reference.front:Marker", "mendel_reference.front:Second"),
)
NOOP = DomainRegistration(
    name="noop",
    title="Noop",
    summary="Numbers that are drawn and compared.",
    domain="mendel_reference.noop:NoopDomain",
)
