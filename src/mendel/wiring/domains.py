"""The installed domains as a server has them: what their registrations name, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from mendel.contracts.errors import BrokenPlugin
from mendel.ports.registration import DomainRegistration, FoundDomain, find_registrations
from mendel.settings import Settings

if TYPE_CHECKING:
    from mendel.api.registration import LaunchForm, ServedDomain
    from mendel.api.texts import TextOf

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
    return ServedDomain(
        name=registration.name,
        title=registration.title,
        summary=registration.summary,
        open_form=_opener(registration, "launch", registration.launch, partial(_form, settings)),
        open_text=_opener(registration, "text", registration.text, _text),
    )


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


def _text(found: object) -> TextOf:
    if not callable(found):
        raise BrokenPlugin("it is no function")
    return cast("TextOf", found)
