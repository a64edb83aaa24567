"""The registration of texts: everything that connects them to the rest of Mendel."""

from __future__ import annotations

from typing import Final

from mendel.contracts.step_words import StepWords
from mendel.ports.registration import DomainRegistration

REGISTRATION: Final = DomainRegistration(
    name="texts",
    title="Texts",
    summary="A program in any language, run by a command; its output must stay the same, or is scored.",
    domain="mendel.domains.texts.domain:Texts",
    launch="mendel.domains.texts.front.launch:form",
    evolve="mendel.domains.texts.front.evolve:EVOLVABLE",
    report="mendel.domains.texts.front.report:ROWS",
    runs_commands=True,
    steps=(
        StepWords(step="texts.vary", word="varying"),
        StepWords(step="texts.ask", word="asking a model"),
        StepWords(step="texts.examine", word="running", role="check"),
        StepWords(step="texts.challenge", word="before the gate", role="check"),
        StepWords(step="texts.audit", word="auditing", role="audit"),
    ),
)
