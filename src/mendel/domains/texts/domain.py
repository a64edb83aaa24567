"""The domain of texts: genomes are programs in any language, judged by the output of their command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from hashlib import blake2b
from typing import Any, ClassVar, Final

from mendel.bench.model_operators import asking
from mendel.bench.records import TaskOf
from mendel.bench.source_domain import MODEL_MENDER, MUTATOR, REPAIRED, Contending, SourceDomain, out
from mendel.contracts.base import Contract
from mendel.contracts.canonical import canonical
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.scoring import ScoringPolicy
from mendel.domains.texts.models import (
    DOMAIN,
    KINDS,
    TextAudited,
    TextExamined,
    TextRepair,
    TextTask,
    payload,
    task_of,
)
from mendel.domains.texts.regions import changed_outside
from mendel.kernel.domain import Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Move, Score, Vary
from mendel.selection.operators import Operator

VARY: Final = "texts.vary"
ASK: Final = "texts.ask"
EXAMINE: Final = "texts.examine"
CHALLENGE: Final = "texts.challenge"
AUDIT: Final = "texts.audit"
TEXT_LINE: Final = "text_line"
"""The only operator that needs no model."""
_WALLED: Final = ("sandbox",)
_MINUTE_MS: Final = 60_000

CONTENDING: Final = Contending(
    examine=EXAMINE, examined=TextExamined, challenge=CHALLENGE, audit=AUDIT, audited=TextAudited
)


class Texts(SourceDomain):
    """Programs in any language, bred for speed or for a user's own score."""

    name: ClassVar[str] = DOMAIN
    kinds: ClassVar[Mapping[str, type[Contract]]] = KINDS
    steps: ClassVar[Mapping[str, Step]] = {
        VARY: Step(Usage(spawns=1, cpu_ms=20_000), deadline_ms=2 * _MINUTE_MS),
        ASK: Step(
            Usage(spawns=1, cpu_ms=120_000, evaluations=10_000),
            deadline_ms=10 * _MINUTE_MS,
            asks=(MUTATOR,),
            ports=("sandbox", "models"),
        ),
        EXAMINE: Step(Usage(cpu_ms=600_000, evaluations=10_000), deadline_ms=10 * _MINUTE_MS, ports=_WALLED),
        CHALLENGE: Step(Usage(cpu_ms=3_600_000, evaluations=200_000), deadline_ms=40 * _MINUTE_MS, ports=_WALLED),
        AUDIT: Step(Usage(cpu_ms=3_600_000, evaluations=200_000), deadline_ms=40 * _MINUTE_MS, ports=_WALLED),
    }
    operators: ClassVar[Sequence[Operator]] = (Operator(name=TEXT_LINE, step=VARY), *asking(ASK))
    policy: ClassVar[ScoringPolicy] = ScoringPolicy(version="texts-1")
    task_of: ClassVar[TaskOf[Any]] = task_of
    judged: ClassVar[Set[str]] = {
        "files",
        "editable",
        "run",
        "held_run",
        "held_files",
        "score",
        "score_files",
        "objective",
        "maximize",
    }
    twin: ClassVar[str] = "the same text as {}"
    contending: ClassVar[Contending] = CONTENDING

    def normal_form(self, files: Mapping[str, str]) -> str:
        """Return a form in which spaces at the ends of lines, and empty lines at the end, do not count."""
        return fingerprint(files)

    def unfit(self, task: TextTask, files: Mapping[str, str]) -> str | None:
        """Return which change is not allowed; None if all are."""
        found = (changed_outside(task.files[path], text, path) for path, text in files.items())
        return next((each for each in found if each is not None), None)

    def repair(self, found: TextExamined, entropy: Entropy) -> Vary | None:
        """Repair by a model, which sees the failures."""
        if not (found.asks_models and found.failing) or entropy.unit("repair") >= REPAIRED:
            return None
        return Vary(operator=MODEL_MENDER, inputs=payload(TextRepair(failing=found.failing)))

    def passed(self, found: TextExamined, dossier: Dossier) -> Sequence[Move]:  # noqa: ARG002 - the examination timed it
        """Score the candidate by its gain."""
        if found.gain is None:
            return [out("failed", "it has no gain")]
        descriptor = {"size": float(found.lines), found.objective: found.gain}
        return [Score(components={found.objective: found.gain}, descriptor=descriptor)]


def fingerprint(files: Mapping[str, str]) -> str:
    """Return a digest of the texts that ignores spaces at the ends of lines and empty lines at the end."""
    plain = {path: "\n".join(line.rstrip() for line in text.split("\n")).rstrip() for path, text in files.items()}
    return blake2b(canonical(plain), digest_size=16).hexdigest()
