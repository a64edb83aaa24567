"""The domain of texts: what is bred is a program in any language, what is judged is what its command prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import ClassVar, Final

from pydantic import BaseModel

from mendel.bench.bounds import too_few_evaluations
from mendel.bench.contending import MODEL_MENDER, REPAIRED, Contending, out
from mendel.bench.model_operators import asking, with_models, without_models
from mendel.bench.records import SourceTraits
from mendel.contracts.base import JsonObject
from mendel.contracts.canonical import canonical
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.providers import ModelRole
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scoring import ScoringPolicy
from mendel.domains.texts.models import (
    DOMAIN,
    KINDS,
    TextAudited,
    TextContent,
    TextExamined,
    TextRepair,
    TextTask,
    payload,
)
from mendel.domains.texts.regions import changed_outside
from mendel.kernel.domain import Domain, Expression, Refused, Step, niche_about
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Examine, Move, Score, Vary
from mendel.selection.operators import Operator

VARY: Final = "texts.vary"
ASK: Final = "texts.ask"
EXAMINE: Final = "texts.examine"
CHALLENGE: Final = "texts.challenge"
AUDIT: Final = "texts.audit"
MUTATOR: Final[ModelRole] = "mutator"
TEXT_LINE: Final = "text_line"
"""The one operator that asks nobody."""
_WALLED: Final = ("sandbox",)
_MINUTE_MS: Final = 60_000
_JUDGED: Final = {"files", "editable", "run", "held_run", "held_files", "score", "score_files", "objective", "maximize"}
"""What of a task makes it the same question: its champion stays one only while none of this changes."""

CONTENDING: Final = Contending(
    examine=EXAMINE, examined=TextExamined, challenge=CHALLENGE, audit=AUDIT, audited=TextAudited
)


class Texts(Domain):
    """Programs in any language, bred for speed or for a score of the user's own."""

    name: ClassVar[str] = DOMAIN
    payloads: ClassVar[Mapping[tuple[str, int], type[BaseModel]]] = {(kind, 1): model for kind, model in KINDS.items()}
    config_kind: ClassVar[tuple[str, int] | None] = ("task", 1)
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
    sandboxed: ClassVar[bool] = True
    policy: ClassVar[ScoringPolicy] = ScoringPolicy(version="texts-1")

    def operators_for(self, config: RunConfig) -> Sequence[Operator]:
        """The one that needs nobody, and where the run may ask models, these too."""
        role = config.models.roles.get(MUTATOR) if config.models is not None else None
        return with_models(self.operators, role) if role is not None else without_models(self.operators)

    def niches(self, config: RunConfig) -> Sequence[str]:
        """One: that of everything that is judged like this."""
        return (niche_about(config, task_of(config).model_dump(mode="json", include=_JUDGED)),)

    def challenges(self, config: RunConfig) -> bool:
        """Unless it is best-of-N, for comparison."""
        return task_of(config).contends

    def refusal(self, config: RunConfig) -> str | None:
        """That no challenge fits into its evaluations, where one may be made."""
        if not task_of(config).contends:
            return None
        return too_few_evaluations(config.caps.max_evaluations, self.steps[EXAMINE], self.steps[CHALLENGE])

    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:  # noqa: ARG002 - no draw
        """The original."""
        return [payload(SourceTraits(files=task_of(config).originals()))]

    def admit(self, proposal: JsonObject, config: RunConfig) -> DomainPayload | Refused:
        """Editable files as ``{"files": {path: text}}``, if only what may change did."""
        task, files = task_of(config), proposal.get("files")
        if not isinstance(files, dict) or set(files) != set(task.editable):
            return Refused(f"a proposal has files for exactly {', '.join(task.editable)}")
        texts = {path: str(text) for path, text in files.items()}
        for path, text in texts.items():
            outside = changed_outside(task.files[path], text, path)
            if outside is not None:
                return Refused(outside)
        return payload(SourceTraits(files=texts, operator="proposal", note="proposed from outside"))

    def express(self, genome: Genome, config: RunConfig) -> Expression:  # noqa: ARG002 - a text is itself
        """A text is itself."""
        traits = SourceTraits.model_validate(genome.traits.data)
        return Expression((payload(TextContent(fingerprint=fingerprint(traits.files))),))

    def fingerprint(self, content: DomainPayload) -> str | None:
        """Texts are twins that differ in nothing but blanks at the ends of lines."""
        return TextContent.model_validate(content.data).fingerprint

    def route(self, dossier: Dossier) -> Sequence[Move]:
        """The examination; then the gate, if there is something to gain; then the audit of what it let in."""
        if dossier.phase == "contending":
            return CONTENDING.moves(dossier)
        if dossier.phase == "generation":
            return ()
        return _examine(dossier)


def fingerprint(files: Mapping[str, str]) -> str:
    """What texts have in common that are the same but for blanks at the ends of lines, and empty lines at the end."""
    plain = {path: "\n".join(line.rstrip() for line in text.split("\n")).rstrip() for path, text in files.items()}
    return blake2b(canonical(plain), digest_size=16).hexdigest()


def task_of(config: RunConfig) -> TextTask:
    """The task that a run is about.

    Raises:
        ValueError: it has none.
    """
    if config.domain_config is None:
        raise ValueError("a run of texts needs its task; `mendel evolve FILE --run CMD` makes one")
    return TextTask.model_validate(config.domain_config.data)


def _examine(dossier: Dossier) -> Sequence[Move]:
    if dossier.twin is not None:
        return [out("duplicate", f"the same text as {dossier.twin}")]
    seen = dossier.last(EXAMINE)
    if seen is None:
        return [Examine(step=EXAMINE)]
    if seen.findings is None:
        return [out(seen.failed or "failed", "it could not be examined")]
    found = TextExamined.model_validate(seen.findings.data)
    if not found.passed or found.gain is None:
        again = _repair(found, dossier)
        return [out(found.stage or "failed", found.detail or "it is not right"), *([again] if again else [])]
    descriptor = {"size": float(found.lines), found.objective: found.gain}
    return [Score(components={found.objective: found.gain}, descriptor=descriptor)]


def _repair(found: TextExamined, dossier: Dossier) -> Vary | None:
    """That a model changes it once more, and is shown where it fails."""
    if not (found.asks_models and found.failing) or dossier.entropy.unit("repair") >= REPAIRED:
        return None
    return Vary(operator=MODEL_MENDER, inputs=payload(TextRepair(failing=found.failing)))
