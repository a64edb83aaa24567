"""What this package registers with Mendel: two domains, each by one object that imports nothing of it."""

from __future__ import annotations

from mendel.contracts.step_words import StepWords
from mendel.ports.registration import DomainRegistration, DomainRouter, DomainSettings

REFERENCE = DomainRegistration(
    name="reference",
    title="Reference",
    summary="Points that come closer to a target.",
    domain="mendel_reference.domain:ReferenceDomain",
    text="mendel_reference.front:readable",
    report="mendel_reference.report:ROWS",
    tables="mendel_reference.tables:TABLES",
    commands={"distance": "mendel_reference.commands:distance"},
    panels="mendel_reference.panels:PANELS",
    steps=(
        StepWords(step="reference.nudge", word="nudging"),
        StepWords(step="reference.measure", word="measuring", role="check", completed="point.measured"),
        StepWords(
            step="reference.gate",
            word="weighing",
            role="review",
            started="weighing.began",
            completed="point.weighed",
            failed="weighing.failed",
        ),
        StepWords(step="reference.room", word="looking round", role="novelty", degraded="room_unknown"),
    ),
    routers=(
        DomainRouter(router="mendel_reference.front:inner"),
        DomainRouter(router="mendel_reference.front:router", path="/reference", reading=frozenset({"look"})),
    ),
    services=("mendel_reference.front:Marker", "mendel_reference.front:Second"),
    settings=DomainSettings(
        tables={
            "reference": "mendel_reference.settings:MarkerSettings",
            "evolve": "mendel_reference.settings:EvolveNote",
        },
        aliases={"MARKER_BEGINS": "reference.begins"},
        refused={
            "reference.target": "the target belongs to the run: --set target",
            "MARKER_TARGET": "the target belongs to the run: --set target",
        },
    ),
)
NOOP = DomainRegistration(
    name="noop",
    title="Noop",
    summary="Numbers that are drawn and compared.",
    domain="mendel_reference.noop:NoopDomain",
    launch="mendel_reference.front:noop_form",
)
