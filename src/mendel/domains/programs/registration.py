"""The registration of programs: everything that connects them to the rest of Mendel."""

from __future__ import annotations

from typing import Final

from mendel.contracts.step_words import StepWords
from mendel.ports.registration import DomainRegistration, DomainSettings

REGISTRATION: Final = DomainRegistration(
    name="programs",
    title="Programs",
    summary="A Python function, bred to be faster or smaller; a winner has passed the gate on inputs it never saw.",
    domain="mendel.domains.programs.domain:Programs",
    launch="mendel.domains.programs.front.launch:form",
    evolve="mendel.domains.programs.front.evolve:EVOLVABLE",
    commands={
        "mutate": "mendel.domains.programs.front.mutate:mutate",
        "render": "mendel.domains.programs.front.render:render",
    },
    report="mendel.domains.programs.front.report:ROWS",
    settings=DomainSettings(
        tables={
            "mutate": "mendel.domains.programs.front.settings:MutateSettings",
            "evolve": "mendel.domains.programs.front.settings:EvolveTarget",
            "evolve.task": "mendel.domains.programs.front.settings:TaskSettings",
        }
    ),
    panels="mendel.domains.programs.front.panels:PANELS",
    steps=(
        StepWords(step="programs.vary", word="varying"),
        StepWords(step="programs.cross", word="crossing"),
        StepWords(step="programs.ask", word="asking a model"),
        StepWords(step="programs.check", word="checking", role="check"),
        StepWords(step="programs.time", word="timing", role="check"),
        StepWords(step="programs.duel", word="timing against the champion", role="check"),
        StepWords(step="programs.challenge", word="before the gate", role="check"),
        StepWords(step="programs.audit", word="auditing", role="audit"),
    ),
)
