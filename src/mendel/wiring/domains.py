"""The installed domains as seen by a server: the parts in their registrations, loaded on demand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

import structlog
from pydantic import BaseModel

from mendel.contracts.errors import BrokenPlugin, DomainFailed, InvalidRow
from mendel.contracts.payloads import described
from mendel.ports.domain_tables import DomainTables
from mendel.ports.event_log import EventLog
from mendel.ports.registration import DomainRegistration, DomainRouter, FoundDomain, blaming, find_registrations
from mendel.settings import Settings
from mendel.wiring.stores import Announce, open_table_store

if TYPE_CHECKING:  # at run time within functions: commands without a server do not need FastAPI
    from fastapi import APIRouter

    from mendel.api.domain_paths import Mount
    from mendel.api.domain_projecting import TablesOf
    from mendel.api.domain_services import ServiceMaker
    from mendel.api.panels import Panel
    from mendel.api.registration import LaunchForm, ServedDomain, TextOf

Made = TypeVar("Made")


def served_domains(settings: Settings) -> tuple[ServedDomain, ...]:
    """Return every installed domain, those with a launch form first; an unusable one has a ``refusal``."""
    found = [served_domain(each, settings) for each in find_registrations()]
    return tuple(sorted(found, key=lambda domain: (domain.open_form is None, domain.name)))


def served_domain(found: FoundDomain, settings: Settings) -> ServedDomain:
    """Return an installed domain as seen by a server."""
    from mendel.api.registration import ServedDomain

    plugin, registration, refusal = found
    if registration is None:
        return ServedDomain(plugin.name, plugin.name.capitalize(), plugin.summary, refusal=refusal)
    parts = _loaded(registration)  # routes must be known when the server starts; forms load on demand
    return ServedDomain(
        name=registration.name,
        title=registration.title,
        summary=registration.summary,
        open_form=_opener(registration, "launch", registration.launch, partial(_form, settings)),
        open_text=_opener(registration, "text", registration.text, _text),
        open_panels=_opener(registration, "panels", registration.panels, _panels),
        mounts=tuple(parts.mounts),
        services=tuple(parts.services),
        faults=tuple(parts.faults),
        idle=tuple(parts.idle),
        steps=registration.steps,
    )


@dataclass
class _Parts:
    """The parts of a domain that a server loads at its start, and the faults of the other parts."""

    mounts: list[Mount] = field(default_factory=list)
    services: list[ServiceMaker] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def _loaded(registration: DomainRegistration) -> _Parts:
    """Load the parts of a domain; ``idle`` names the services that cannot run."""
    parts = _Parts()
    for each in registration.routers:
        try:
            parts.mounts.append(_mount(registration, each))
        except BrokenPlugin as error:
            parts.faults.append(str(error))
    for reference in registration.services:
        try:
            parts.services.append(_service(registration, reference))
        except BrokenPlugin as error:
            parts.faults.append(str(error))
            parts.idle.append(f"{registration.name}.{reference.rpartition(':')[2]}")
    return parts


def _mount(registration: DomainRegistration, declared: DomainRouter) -> Mount:
    from fastapi import APIRouter

    from mendel.api.domain_paths import Mount, place_of

    router = registration.resolve("routers", declared.router)
    if not isinstance(router, APIRouter):
        raise BrokenPlugin(f"{declared.router} of the domain {registration.name} is not a fastapi.APIRouter")
    _refuse_undescribed(registration, declared, router)
    return Mount(registration.name, declared.path or place_of(registration.name), router, declared.reading)


def _refuse_undescribed(registration: DomainRegistration, declared: DomainRouter, router: APIRouter) -> None:
    """Refuse a router with a route that OpenAPI cannot describe: it would break the one document of the server."""
    from fastapi import FastAPI

    alone = FastAPI(generate_unique_id_function=lambda route: f"{route.path_format} {sorted(route.methods or ())}")
    told = f"{declared.router} of the domain {registration.name} has a route that cannot be described"
    try:
        with blaming(registration.name, "the description of the routes"):
            alone.include_router(router, prefix="/alone")
            alone.openapi()
    except DomainFailed as error:
        raise BrokenPlugin(f"{told}: {error}") from error


def _service(registration: DomainRegistration, reference: str) -> ServiceMaker:
    from mendel.api.domain_services import Service

    made = registration.resolve("services", reference)
    if _has_broken_tables(registration):
        raise BrokenPlugin(f"{reference} of the domain {registration.name} is not started: its tables cannot be used")
    if not (isinstance(made, type) and issubclass(made, Service)):
        raise BrokenPlugin(f"{reference} of the domain {registration.name} is not a subclass of Service")
    return made


@asynccontextmanager
async def open_domain_tables(
    settings: Settings, log: EventLog, announce: Announce
) -> AsyncIterator[Mapping[str, TablesOf]]:
    """Open the tables of all installed domains, by domain; domains without usable tables are left out."""
    from mendel.api.domain_projecting import TablesOf

    async with open_table_store(settings, announce) as store:
        found: dict[str, TablesOf] = {}
        for registration in _with_tables():
            try:
                own = TablesOf(registration.name, declared_tables(registration), store, log)
            except BrokenPlugin as error:
                structlog.get_logger(__name__).warning("domain_broken", domain=registration.name, error=str(error))
                continue  # one broken domain must not stop the server
            await own.declare()
            found[registration.name] = own
        yield found


def declared_tables(registration: DomainRegistration) -> DomainTables:
    """Return the tables of a domain that registers some.

    Raises:
        BrokenPlugin: the tables cannot be loaded or stored.
    """
    loaded = registration.resolve("tables", registration.tables or "")
    told = f'the domain "{registration.name}" registers {registration.tables!r} as its tables, which'
    if not isinstance(loaded, DomainTables):
        raise BrokenPlugin(f"{told} is not a DomainTables")
    try:
        loaded.check_domain(registration.name)
    except InvalidRow as error:
        raise BrokenPlugin(f"{told} cannot be used: {error}") from error
    return loaded


def _has_broken_tables(registration: DomainRegistration) -> bool:
    if registration.tables is None:
        return False
    try:
        declared_tables(registration)
    except BrokenPlugin:
        return True
    return False


def _with_tables() -> Iterator[DomainRegistration]:
    for found in find_registrations():
        if found.registration is not None and found.registration.tables is not None:
            yield found.registration


def _opener(
    registration: DomainRegistration, field: str, reference: str | None, made: Callable[[object], Made]
) -> Callable[[], Made] | None:
    """Return a function that loads the object in a field and converts it; None if the field is not set."""
    if reference is None:
        return None

    def opened() -> Made:
        loaded = registration.resolve(field, reference)
        try:
            return made(loaded)
        # Broad on purpose: this calls third-party code, which may raise anything.
        except Exception as error:
            told = error if isinstance(error, BrokenPlugin) else described(error)
            raise BrokenPlugin(
                f'the domain "{registration.name}" registers {reference!r} as its {field}, which cannot be used: {told}'
            ) from error

    return opened


def _form(settings: Settings, found: object) -> LaunchForm:
    from mendel.api.registration import LaunchForm

    form = found(settings) if callable(found) else None
    if not isinstance(form, LaunchForm):
        raise BrokenPlugin("it is not a function from the settings to a LaunchForm")
    inputs = cast("object", form.inputs)  # a plug-in need not keep to its annotation
    if not (isinstance(inputs, type) and issubclass(inputs, BaseModel)):
        raise BrokenPlugin(f"its inputs are {inputs!r:.60}, not a pydantic model")  # a repr may be very long
    return form


def _panels(found: object) -> tuple[Panel, ...]:
    from mendel.api.panels import Panel

    if not isinstance(found, tuple) or not all(isinstance(each, Panel) for each in found):
        raise BrokenPlugin("it is not a tuple of Panel")
    names = [each.name for each in found]
    if len(set(names)) < len(names):
        raise BrokenPlugin("two of its panels have the same name")
    return found


def _text(found: object) -> TextOf:
    if not callable(found):
        raise BrokenPlugin("it is not a function")
    return cast("TextOf", found)
