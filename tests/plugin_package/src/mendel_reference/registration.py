"""What this package registers with Mendel: two domains, each by one object that imports nothing of it."""

from __future__ import annotations

from mendel.ports.registration import DomainRegistration

REFERENCE = DomainRegistration(
    name="reference",
    title="Reference",
    summary="Points that come closer to a target.",
    domain="mendel_reference.domain:ReferenceDomain",
)
NOOP = DomainRegistration(
    name="noop",
    title="Noop",
    summary="Numbers that are drawn and compared.",
    domain="mendel_reference.noop:NoopDomain",
)
