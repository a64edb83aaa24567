"""Facts about the installation for the server, identical to the output of the commands."""

from __future__ import annotations

from functools import partial

from pydantic import JsonValue

from mendel import wiring
from mendel.api.about import About, ShownSetting
from mendel.cli.models import listing
from mendel.console.session import Session
from mendel.contracts.base import JsonObject
from mendel.contracts.diagnostics import Probe
from mendel.settings import Settings


def about_of(session: Session) -> About:
    """Provide the output of `mendel config view`, `mendel models list` and `mendel doctor`."""
    settings = session.loaded.settings
    return About(
        home=settings.home,
        settings=partial(_settings, session),
        model_routes=partial(_routes, settings),
        probe=partial(probes, settings),
    )


def probes(settings: Settings) -> tuple[Probe, ...]:
    """Check the parts of this machine, and report installed domains that do not load."""
    from mendel.console.domain_check import broken_domains  # imports the kernel and the server's parts of domains

    return (*wiring.diagnose(settings), *broken_domains(settings))


def _settings(session: Session) -> list[ShownSetting]:
    return [ShownSetting(*row) for row in session.loaded.view()]


def _routes(settings: Settings) -> JsonObject:
    """The model roles and remarks, without secrets."""
    cleaner = wiring.scrubber(settings)
    listed = listing(settings)
    told: dict[str, JsonValue] = {**listed.json(), "remarks": list(listed.remarks())}
    clean = cleaner.value(told)
    return clean if isinstance(clean, dict) else {}
