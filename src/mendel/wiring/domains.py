"""The installed domains as a server has them: what their registrations name, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

import structlog

from mendel.contracts.errors import BrokenPlugin, InvalidRow
from mendel.ports.domain_tables import DomainTables
from mendel.ports.event_log import EventLog
from mendel.ports.registration import DomainRegistration, DomainRouter, FoundDomain, find_registrations
from mendel.settings import Settings
from mendel.wiring.stores import Announce, open_table_store

if TYPE_CHECKING:
    from mendel.api.domain_paths import Mount
    from mendel.api.domain_projecting import TablesOf
    from mendel.api.domain_services import ServiceMaker
    from mendel.api.genome_text import TextOf
    from mendel.api.panels import Panel
    from mendel.api.registration import LaunchForm, ServedDomain

Made = TypeVar("Made")


def served_domains(settings: Settings) -> tuple[ServedDomain, ...]:
    """Every installed domain, those with a launch form first; one that cannot be used is there with its refusal."""
    found = [_served(each, settings) for each in find_registrations()]
    return tuple(sorted(found, key=lambda domain: (domain.open_form is None, domain.name)))


def _served(found: FoundDomain, settings: Settings) -> ServedDomain:
    from mendel.api.registration import ServedDomain

    plugin, registration, refusal = found
    if registration is None:
        return ServedDomain(plugin.name, plugin.name.capitalize(), plugin.summary, refusal=refusal)
    mounts, services, faults = _loaded(registration)
    return ServedDomain(
        name=registration.name,
        title=registration.title,
        summary=registration.summary,
        open_form=_opener(registration, "launch", registration.launch, partial(_form, settings)),
        open_text=_opener(registration, "text", registration.text, _text),
        open_panels=_opener(registration, "panels", registration.panels, _panels),
        mounts=tuple(mounts),
        services=tuple(services),
        faults=tuple(faults),
        steps=registration.steps,
    )


def _loaded(registration: DomainRegistration) -> tuple[list[Mount], list[ServiceMaker], list[str]]:
    """The routers and services of a domain, and what is wrong with those that cannot be loaded."""
    mounts: list[Mount] = []
    services: list[ServiceMaker] = []
    faults: list[str] = []
    for each in registration.routers:
        try:
            mounts.append(_mount(registration, each))
        except BrokenPlugin as error:
            faults.append(str(error))
    for reference in registration.services:
        try:
            services.append(_service(registration, reference))
        except BrokenPlugin as error:
            faults.append(str(error))
    return mounts, services, faults


def _mount(registration: DomainRegistration, declared: DomainRouter) -> Mount:
    from fastapi import APIRouter

    from mendel.api.domain_paths import Mount, place_of

    router = registration.resolve("routers", declared.router)
    if not isinstance(router, APIRouter):
        raise BrokenPlugin(f"{declared.router} of the domain {registration.name} is no fastapi.APIRouter")
    return Mount(registration.name, declared.path or place_of(registration.name), router, declared.reading)


def _service(registration: DomainRegistration, reference: str) -> ServiceMaker:
    from mendel.api.domain_services import Service

    made = registration.resolve("services", reference)
    if not (isinstance(made, type) and issubclass(made, Service)):
        raise BrokenPlugin(f"{reference} of the domain {registration.name} is no class of Service")
    return made


@asynccontextmanager
async def open_domain_tables(
    settings: Settings, log: EventLog, announce: Announce
) -> AsyncIterator[Mapping[str, TablesOf]]:
    """The tables of every installed domain that declares some and can be loaded, by domain."""
    from mendel.api.domain_projecting import TablesOf

    async with open_table_store(settings, announce) as store:
        found: dict[str, TablesOf] = {}
        for name, tables in _declared():
            own = TablesOf(name, tables, store, log)
            try:
                await own.declare()
            except InvalidRow as error:
                _warn(name, str(error))
            else:
                found[name] = own
        yield found


def _declared() -> Iterator[tuple[str, DomainTables]]:
    for found in find_registrations():
        registration = found.registration
        if registration is None or registration.tables is None:
            continue
        try:
            tables = registration.resolve("tables", registration.tables)
        except BrokenPlugin as error:
            _warn(registration.name, str(error))
            continue
        if isinstance(tables, DomainTables):
            yield registration.name, tables
        else:
            _warn(registration.name, f"{registration.tables} is no DomainTables")


def _warn(domain: str, told: str) -> None:
    structlog.get_logger(__name__).warning("domain_broken", domain=domain, error=told)


def _opener(
    registration: DomainRegistration, field: str, reference: str | None, made: Callable[[object], Made]
) -> Callable[[], Made] | None:
    """Loads what a field names and makes something of it; None where the field names nothing."""
    if reference is None:
        return None

    def opened() -> Made:
        loaded = registration.resolve(field, reference)
        try:
            return made(loaded)
        # Broad on purpose: what a third party registers is called here; what it raises is its failure.
        except Exception as error:
            told = error if isinstance(error, BrokenPlugin) else f"{type(error).__name__}: {error}"
            raise BrokenPlugin(
                f'the domain "{registration.name}" registers {reference!r} as its {field}, which cannot be used: {told}'
            ) from error

    return opened


def _form(settings: Settings, found: object) -> LaunchForm:
    from mendel.api.registration import LaunchForm

    form = found(settings) if callable(found) else None
    if not isinstance(form, LaunchForm):
        raise BrokenPlugin("it is no function from the settings to a LaunchForm")
    return form


def _panels(found: object) -> tuple[Panel, ...]:
    from mendel.api.panels import Panel

    if not isinstance(found, tuple) or not all(isinstance(each, Panel) for each in found):
        raise BrokenPlugin("it is no tuple of Panel")
    names = [each.name for each in found]
    if len(set(names)) < len(names):
        raise BrokenPlugin("two of its panels have the same name")
    return found


def _text(found: object) -> TextOf:
    if not callable(found):
        raise BrokenPlugin("it is no function")
    return cast("TextOf", found)
