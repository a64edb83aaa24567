"""The domain of programs: what is bred is source code, what is judged is what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from pydantic import BaseModel, JsonValue

from mendel.bench.bounds import too_few_evaluations
from mendel.bench.contending import Contending, out
from mendel.bench.model_operators import asking, with_models, without_models
from mendel.bench.records import Audited, Checked, Repair, Timed
from mendel.bench.repairing import mender
from mendel.bench.scoring import components, descriptor
from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.code import parsed
from mendel.breeding.normal_form import fingerprint
from mendel.breeding.view import SITES
from mendel.contracts.base import JsonObject
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import SourceNotPython
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.providers import ModelRole
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scoring import ScoringPolicy
from mendel.domains.programs.models import DOMAIN, KINDS, ProgramContent, ProgramTask, ProgramTraits, payload
from mendel.kernel.domain import Domain, Expression, Refused, Step, niche_about
from mendel.kernel.dossier import Dossier, Observation
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
MUTATOR: Final[ModelRole] = "mutator"
EMBEDDING: Final[ModelRole] = "embedding"
_WALLED: Final = ("sandbox",)
_MINUTE_MS: Final = 60_000
_JUDGED: Final = {"function", "files", "roots", "objectives", "spec", "tests", "examples", "inputs"}
"""What of a task makes it the same question: its champion stays one only while none of this changes."""
_CHALLENGE_MS: Final = 10 * _MINUTE_MS

LIBRARY: Final = "library"
CROSSOVER: Final = "crossover"

CONTENDING: Final = Contending(
    examine=CHECK, examined=Checked, challenge=CHALLENGE, audit=AUDIT, audited=Audited, time=TIME, duel=DUEL
)


def _operators() -> tuple[Operator, ...]:
    """Every operator of the catalogue at every class of places, the library's, crossover, and the models'."""
    single = (Operator(name=name, step=VARY, weight=each.weight, sites=SITES) for name, each in OPERATORS.items())
    library = Operator(name=LIBRARY, step=VARY, weight=3.0)
    crossed = Operator(name=CROSSOVER, step=CROSS, parents=2, mode="crossover", weight=1.0)
    return (*single, library, crossed, *asking(ASK))


class Programs(Domain):
    """Functions, bred for speed, memory, size or a score of the user's own, the original being the oracle."""

    name: ClassVar[str] = DOMAIN
    payloads: ClassVar[Mapping[tuple[str, int], type[BaseModel]]] = {(kind, 1): model for kind, model in KINDS.items()}
    config_kind: ClassVar[tuple[str, int] | None] = ("task", 1)
    steps: ClassVar[Mapping[str, Step]] = {
        VARY: Step(Usage(spawns=1, cpu_ms=20_000, evaluations=100_000), deadline_ms=2 * _MINUTE_MS, ports=_WALLED),
        CROSS: Step(Usage(spawns=1, cpu_ms=20_000, evaluations=100_000), deadline_ms=2 * _MINUTE_MS, ports=_WALLED),
        ASK: Step(
            Usage(spawns=1, cpu_ms=20_000, evaluations=100_000),
            deadline_ms=10 * _MINUTE_MS,
            asks=(MUTATOR, EMBEDDING),
            ports=("sandbox", "models"),
            may_use=("embedder", "retriever"),
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
    sandboxed: ClassVar[bool] = True
    policy: ClassVar[ScoringPolicy] = ScoringPolicy(version="programs-1")

    def operators_for(self, config: RunConfig) -> Sequence[Operator]:
        """Those that need nobody, and where the run may ask models, these too, in one ensemble."""
        role = config.models.roles.get(MUTATOR) if config.models is not None else None
        if role is None:
            return without_models(self.operators)
        return with_models(self.operators, role, task_of(config).model_share)

    def niches(self, config: RunConfig) -> Sequence[str]:
        """One: that of everything that is judged like this."""
        told = task_of(config).model_dump(mode="json", include=_JUDGED)
        return (niche_about(config, {**told, "spec": _without_paths(told["spec"])}),)

    def challenges(self, config: RunConfig) -> bool:
        """Unless it is best-of-N, for comparison."""
        return task_of(config).contends

    def refusal(self, config: RunConfig) -> str | None:
        """That no challenge fits into its evaluations, where one may be made."""
        if not task_of(config).contends:
            return None
        return too_few_evaluations(config.caps.max_evaluations, self.steps[CHECK], self.steps[CHALLENGE])

    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:  # noqa: ARG002 - no draw
        """The original."""
        task = task_of(config)
        return [payload(ProgramTraits(files=task.originals()))]

    def admit(self, proposal: JsonObject, config: RunConfig) -> DomainPayload | Refused:
        """Editable files as ``{"files": {path: source}}``, if they parse."""
        task = task_of(config)
        files = proposal.get("files")
        if not isinstance(files, dict) or set(files) != set(task.editable):
            return Refused(f"a proposal has files for exactly {', '.join(task.editable)}")
        texts = {path: str(text) for path, text in files.items()}
        try:
            for path, text in texts.items():
                parsed(text, path)
        except SourceNotPython as error:
            return Refused(str(error))
        return payload(ProgramTraits(files=texts, operator="proposal", note="proposed from outside"))

    def express(self, genome: Genome, config: RunConfig) -> Expression:  # noqa: ARG002 - a program is itself
        """A program is itself."""
        traits = ProgramTraits.model_validate(genome.traits.data)
        prints = [fingerprint(parsed(text, path)) for path, text in sorted(traits.files.items())]
        return Expression((payload(ProgramContent(fingerprint="-".join(prints))),))

    def fingerprint(self, content: DomainPayload) -> str | None:
        """Programs of one normal form are twins."""
        return ProgramContent.model_validate(content.data).fingerprint

    def route(self, dossier: Dossier) -> Sequence[Move]:
        """The cascade; then the gate, if there is something to gain; then the audit of what it let in."""
        if dossier.phase == "contending":
            return CONTENDING.moves(dossier)
        if dossier.phase == "generation":
            return ()
        return _examine(dossier)


def task_of(config: RunConfig) -> ProgramTask:
    """The task that a run is about."""
    if config.domain_config is None:
        raise ValueError("a run of programs needs its task; `mendel evolve FILE:FUNC` makes one")
    return ProgramTask.model_validate(config.domain_config.data)


def _without_paths(spec: JsonValue) -> JsonValue:
    """The user's own rules, by what their files say and not by where these lie."""
    match spec:
        case {"sha256": digest}:
            return digest
        case dict():
            return {name: _without_paths(value) for name, value in spec.items()}
        case list():
            return [_without_paths(each) for each in spec]
    return spec


def _examine(dossier: Dossier) -> Sequence[Move]:
    if dossier.twin is not None:
        return [out("duplicate", f"the same program as {dossier.twin} but for its looks")]
    if (alike := _known_already(dossier)) is not None:
        return [out("near_duplicate", alike)]
    checked_by = dossier.last(CHECK)
    if checked_by is None:
        return [Examine(step=CHECK)]
    if checked_by.findings is None:
        return [out(checked_by.failed or "failed", "it could not be examined")]
    checked = Checked.model_validate(checked_by.findings.data)
    if not checked.passed:
        again = wish(checked, dossier.entropy)
        return [out(checked.stage or "failed", checked.detail or "it is not right"), *([again] if again else [])]
    timed_by = dossier.last(TIME)
    if timed_by is None and checked.wants_timing:
        return [Examine(step=TIME)]
    return [_scored(checked, timed_by)]


def wish(checked: Checked, entropy: Entropy) -> Vary | None:
    """That a fallen candidate's genome is varied once more; None where its examination says it is not worth it."""
    if not checked.failing:
        return None
    operator = mender(entropy, asks_models=checked.asks_models)
    return Vary(operator=operator, inputs=payload(Repair(failing=checked.failing)))


def _known_already(dossier: Dossier) -> str | None:
    """Who a model's answer is as good as the same as, if it is."""
    if dossier.near is None or dossier.traits is None:
        return None
    same = ProgramTraits.model_validate(dossier.traits.data).same_looks
    if not same or dossier.near.similarity < same:
        return None
    return f"as good as {dossier.near.candidate_id}: their vectors agree to {dossier.near.similarity:.5f}"


def _scored(checked: Checked, timed_by: Observation | None) -> Move:
    if timed_by is not None and timed_by.findings is None:
        return out(timed_by.failed or "failed", "it could not be timed")
    timed = Timed.model_validate(timed_by.findings.data) if timed_by and timed_by.findings else None
    return Score(components=components(checked, timed), descriptor=descriptor(checked, timed))
