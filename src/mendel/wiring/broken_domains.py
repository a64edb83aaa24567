"""Installed domains that do not load, for the doctor."""

from __future__ import annotations

from mendel.contracts.diagnostics import Probe
from mendel.contracts.errors import BrokenPlugin
from mendel.ports.registration import DomainRegistration, FoundDomain, find_registrations


def broken_domains() -> tuple[Probe, ...]:
    """A probe for each installed domain of which something does not load."""
    return tuple(probe for probe in map(_probe, find_registrations()) if probe is not None)


def _probe(found: FoundDomain) -> Probe | None:
    refusal = found.refusal or _unloadable(found.registration)
    if refusal is None:
        return None
    plugin = found.plugin
    return Probe(
        name=f"domain {plugin.name}",
        status="missing" if found.registration is None else "limited",
        detail=refusal,
        remedy=f"repair or uninstall {plugin.distribution}",
        needed_for=f"runs of {plugin.name}",
    )


def _unloadable(registration: DomainRegistration | None) -> str | None:
    if registration is None:
        return None
    try:
        for field, reference in registration.references():
            registration.resolve(field, reference)
    except BrokenPlugin as error:
        return str(error)
    return None
