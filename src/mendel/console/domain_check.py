"""Checks of everything that a domain registers, for `mendel plugin info` and `mendel doctor`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, cast

from mendel.api.registration import TextOf
from mendel.api.schemas_candidates import SourceText
from mendel.console.registered import DomainCommand, part, refused_commands
from mendel.contracts.diagnostics import Probe
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import ConfigError, DomainFailed, PluginError
from mendel.contracts.organisms import Genome
from mendel.contracts.run_config import RunConfig
from mendel.kernel.asking import Asked
from mendel.kernel.beginning import with_defaults
from mendel.kernel.domain_thread import DomainThread
from mendel.kernel.loading import load_domain
from mendel.ports.handlers import GROUP, KNOWN_PORTS, how_to_open
from mendel.ports.registration import DomainRegistration, FoundDomain, blaming, find_registrations, owner_of
from mendel.ports.registry import plugins
from mendel.settings import Settings
from mendel.settings.domain_sections import domain_sections
from mendel.wiring.domains import declared_tables, served_domain

FOUNDERS_S: Final = 5.0
"""Time limit in seconds for creating founders in the check."""


def broken_domains(settings: Settings) -> tuple[Probe, ...]:
    """Return a probe for each installed domain with unusable parts."""
    return tuple(_probe(found, faults) for found in find_registrations() if (faults := faults_of(found, settings)))


def faults_of(found: FoundDomain, settings: Settings) -> tuple[str, ...]:
    """Return the reasons why parts of a domain cannot be used."""
    registration = found.registration
    if registration is None:
        return (str(found.refusal),)
    checks = (_of_the_domain, _of_what_is_served, _of_tables, _of_the_command_line, _of_settings)
    # Several checks can find the same fault.
    return tuple(dict.fromkeys(fault for check in checks for fault in check(found, registration, settings)))


def _probe(found: FoundDomain, faults: tuple[str, ...]) -> Probe:
    plugin = found.plugin
    return Probe(
        name=f"domain {plugin.name}",
        status="missing" if found.registration is None else "limited",
        detail="; ".join(faults),
        remedy=f"repair or uninstall {plugin.distribution}",
        needed_for=f"runs of {plugin.name}",
    )


def _refusal(load: Callable[[], object]) -> Iterator[str]:
    try:
        load()
    except (PluginError, DomainFailed) as error:
        yield str(error)


def _of_the_domain(_found: FoundDomain, registration: DomainRegistration, _settings: Settings) -> Iterator[str]:
    """Check the domain, the ports of its steps, and that words belong to known steps."""
    try:
        domain = load_domain(registration.name)
    except PluginError as error:
        yield str(error)
        return
    for name, step in domain.steps.items():
        for port in (*step.ports, *step.may_use):
            if port not in KNOWN_PORTS:
                yield f"the step {name} names the port {port}: {how_to_open(port)}"
    # A step outside Domain.steps may still be requested by a handler, if it has a handler of its own.
    known = {*domain.steps, *(plugin.name for plugin in plugins(GROUP))}
    for words in registration.steps:
        if words.step not in known:
            steps = ", ".join(domain.steps) or "none"
            yield f'the domain "{registration.name}" has no step {words.step!r}, for which it has words; it has {steps}'


def _of_what_is_served(found: FoundDomain, _registration: DomainRegistration, settings: Settings) -> Iterator[str]:
    served = served_domain(found, settings)
    yield from served.faults
    for opener in (served.open_form, served.open_text, served.open_panels):
        yield from _refusal(opener) if opener is not None else ()
    if served.text is not None:
        yield from _refusal(partial(_show_a_founder, served.name, served.text))


def _show_a_founder(name: str, text: TextOf) -> None:
    """Call the domain's text function on a founder, if there is one without configuration.

    Raises:
        DomainFailed: the function raises, or returns a value of the wrong type.
    """
    founder = asyncio.run(_founder(name))
    if founder is None:
        return
    with blaming(name, "the text"):
        shown = cast("object", text(founder, None))
    if not isinstance(shown, SourceText | None):
        raise DomainFailed(
            f"the text of {owner_of(name)} returns a {type(shown).__name__}, not a SourceText; return"
            f" mendel.api.schemas_candidates.SourceText(language='text', source=…)"
        )


async def _founder(name: str) -> Genome | None:
    """Return the first founder of a run with the domain's defaults; None if there is none in time."""
    thread = DomainThread(name, lambda: f"domain {name}: founders", FOUNDERS_S)
    try:
        asked = Asked(load_domain(name))
        config = with_defaults(RunConfig(domain=name, problem="to be shown", rng_seed=0), asked.domain)
        traits, *_ = await thread.call(lambda: asked.founders(config, Entropy(0)))
    except (ConfigError, PluginError, DomainFailed):  # ConfigError: a run needs configuration
        return None
    finally:
        thread.close()
    return Genome(id="genome-0", birth=0, traits=traits)


def _of_tables(_found: FoundDomain, registration: DomainRegistration, _settings: Settings) -> Iterator[str]:
    if registration.tables is not None:
        yield from _refusal(lambda: declared_tables(registration))


def _of_the_command_line(found: FoundDomain, registration: DomainRegistration, _settings: Settings) -> Iterator[str]:
    from mendel.console.evolvable import found_evolvables  # brings the bench
    from mendel.projections.report.models import Rows

    if registration.evolve is not None:
        yield from (each.refusal for each in found_evolvables() if each.refusal and each.registration == registration)
    if registration.report is not None:
        yield from _refusal(lambda: part(registration, "report", registration.report or "", Rows))
    for name, reference in registration.commands.items():
        yield from _refusal(DomainCommand(name, found, reference).load)
    yield from (str(each.refusal) for each in refused_commands() if each.owner == found)


def _of_settings(_found: FoundDomain, registration: DomainRegistration, _settings: Settings) -> Iterator[str]:
    yield from (fault.reason for fault in domain_sections().faults_of(registration.name))
