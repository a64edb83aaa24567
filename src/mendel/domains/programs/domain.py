"""The domain of programs: genomes are source code, judged by what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, ClassVar, Final

from pydantic import JsonValue

from mendel.bench.model_operators import asking
from mendel.bench.records import Audited, Checked, Repair, SourceTraits, TaskOf, Timed
from mendel.bench.repairing import mender
from mendel.bench.scoring import components, descriptor
from mendel.bench.source_domain import MUTATOR, Contending, SourceDomain, out
from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.code import parsed
from mendel.breeding.normal_form import fingerprint
from mendel.breeding.view import SITES
from mendel.contracts.base import Contract, JsonObject
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import SourceNotPython
from mendel.contracts.providers import ModelRole
from mendel.contracts.scoring import ScoringPolicy
from mendel.domains.programs.models import DOMAIN, KINDS, ProgramTask, ProgramTraits, payload, task_of
from mendel.kernel.domain import Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Examine, Move, Score, Vary
from mendel.selection.operators import Operator

CHECK: Final = "programs.check"
TIME: Final = "programs.time"
VARY: Final = "programs.vary"
CROSS: Final = "programs.cross"
ASK: Final = "programs.ask"
CHALLENGE: Final = "programs.challenge"
AUDIT: Final = "programs.audit"
DUEL: Final = "programs.duel"
EMBEDDING: Final[ModelRole] = "embedding"
_WALLED: Final = ("sandbox",)
_MINUTE_MS: Final = 60_000
_CHALLENGE_MS: Final = 10 * _MINUTE_MS

LIBRARY: Final = "library"
CROSSOVER: Final = "crossover"

CONTENDING: Final = Contending(
    examine=CHECK, examined=Checked, challenge=CHALLENGE, audit=AUDIT, audited=Audited, time=TIME, duel=DUEL
)


def _operators() -> tuple[Operator, ...]:
    """Return the catalogue's operators at every class of places, the library's, crossover, and those with models."""
    single = (Operator(name=name, step=VARY, weight=each.weight, sites=SITES) for name, each in OPERATORS.items())
    library = Operator(name=LIBRARY, step=VARY, weight=3.0)
    crossed = Operator(name=CROSSOVER, step=CROSS, parents=2, mode="crossover", weight=1.0)
    return (*single, library, crossed, *asking(ASK))


class Programs(SourceDomain):
    """Functions, bred for speed, memory, size or a user's own score; the original is the oracle."""

    name: ClassVar[str] = DOMAIN
    kinds: ClassVar[Mapping[str, type[Contract]]] = KINDS
    steps: ClassVar[Mapping[str, Step]] = {
        VARY: Step(Usage(spawns=1, cpu_ms=20_000, evaluations=100_000), deadline_ms=2 * _MINUTE_MS, ports=_WALLED),
        CROSS: Step(Usage(spawns=1, cpu_ms=20_000, evaluations=100_000), deadline_ms=2 * _MINUTE_MS, ports=_WALLED),
        ASK: Step(
            Usage(spawns=1, cpu_ms=20_000, evaluations=100_000),
            deadline_ms=10 * _MINUTE_MS,
            asks=(MUTATOR, EMBEDDING),
            ports=("sandbox", "models"),
            may_use=("embedder", "retriever"),  # optional: without them there are no vectors and no background
        ),
        CHECK: Step(
            Usage(cpu_ms=120_000, opcodes=10**12, evaluations=200_000), deadline_ms=3 * _MINUTE_MS, ports=_WALLED
        ),
        TIME: Step(Usage(cpu_ms=120_000, evaluations=100_000), deadline_ms=5 * _MINUTE_MS, ports=_WALLED),
        DUEL: Step(Usage(cpu_ms=120_000, evaluations=1_000_000), deadline_ms=5 * _MINUTE_MS, ports=_WALLED),
        CHALLENGE: Step(Usage(cpu_ms=600_000, evaluations=5_000_000), deadline_ms=_CHALLENGE_MS, ports=_WALLED),
        AUDIT: Step(Usage(cpu_ms=600_000, evaluations=5_000_000), deadline_ms=_CHALLENGE_MS, ports=_WALLED),
    }
    operators: ClassVar[Sequence[Operator]] = _operators()
    policy: ClassVar[ScoringPolicy] = ScoringPolicy(version="programs-1")
    task_of: ClassVar[TaskOf[Any]] = task_of
    traits: ClassVar[type[SourceTraits]] = ProgramTraits
    judged: ClassVar[Set[str]] = {
        "function",
        "files",
        "roots",
        "objectives",
        "spec",
        "tests",
        "examples",
        "inputs",
    }
    twin: ClassVar[str] = "the same program as {} but for its looks"
    contending: ClassVar[Contending] = CONTENDING

    def normal_form(self, files: Mapping[str, str]) -> str:
        """Return a form in which names, the order of definitions and similar differences do not count."""
        return "-".join(fingerprint(parsed(text, path)) for path, text in sorted(files.items()))

    def question(self, task: ProgramTask) -> JsonObject:
        """Return the question, with the user's own rules by the content of their files, not by their paths."""
        told = super().question(task)
        return {**told, "spec": _without_paths(told["spec"])}

    def unfit(self, task: ProgramTask, files: Mapping[str, str]) -> str | None:  # noqa: ARG002 - examined later
        """Return why files do not parse; None if they do."""
        try:
            for path, text in files.items():
                parsed(text, path)
        except SourceNotPython as error:
            return str(error)
        return None

    def model_share(self, task: ProgramTask) -> float | None:
        """Return the share that the task sets."""
        return task.model_share

    def known_already(self, dossier: Dossier) -> str | None:
        """Return which candidate a model's answer is too similar to, if any."""
        if dossier.near is None or dossier.traits is None:
            return None
        same = ProgramTraits.model_validate(dossier.traits.data).same_looks
        if not same or dossier.near.similarity < same:
            return None
        return f"as good as {dossier.near.candidate_id}: their vectors agree to {dossier.near.similarity:.5f}"

    def repair(self, found: Checked, entropy: Entropy) -> Vary | None:
        """Repair by an edit of a suspicious line, or by a model."""
        if not found.failing:
            return None
        operator = mender(entropy, asks_models=found.asks_models)
        return Vary(operator=operator, inputs=payload(Repair(failing=found.failing)))

    def passed(self, found: Checked, dossier: Dossier) -> Sequence[Move]:
        """Time the candidate if its task requires it, then score it."""
        timed_by = dossier.last(TIME)
        if timed_by is None and found.wants_timing:
            return [Examine(step=TIME)]
        if timed_by is not None and timed_by.findings is None:
            return [out(timed_by.failed or "failed", "it could not be timed")]
        timed = Timed.model_validate(timed_by.findings.data) if timed_by and timed_by.findings else None
        return [Score(components=components(found, timed), descriptor=descriptor(found, timed))]


def _without_paths(spec: JsonValue) -> JsonValue:
    match spec:
        case {"sha256": digest}:
            return digest
        case dict():
            return {name: _without_paths(value) for name, value in spec.items()}
        case list():
            return [_without_paths(each) for each in spec]
    return spec
