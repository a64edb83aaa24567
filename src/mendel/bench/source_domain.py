"""A domain of source on the bench, as the kernel sees it, and the moves that follow from each finding.

A candidate is dropped, examined further, put before the gate, adopted, kept or revoked. Domains add what is special
about their material.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from pydantic import BaseModel

from mendel.bench.bounds import too_few_evaluations
from mendel.bench.model_operators import with_models, without_models
from mendel.bench.records import Audited, Duelled, Examined, SourceContent, SourceTraits, TaskOf, recorded
from mendel.contracts.base import Contract, JsonObject, StepName
from mendel.contracts.entropy import Entropy
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.providers import ModelRole
from mendel.contracts.run_config import RunConfig
from mendel.contracts.verdicts import Decision, Reason
from mendel.kernel.domain import Domain, Expression, Refused, niche_about
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Adopt, Challenge, Confirm, Drop, Examine, Move, Revoke, Vary
from mendel.selection.operators import Operator

LEAD: Final = 0.3
"""In powers of two: 1.23 times as fast, which is more than the noise of a timer."""
SCORE_LEAD: Final = 1e-9  # a score has no noise: only rounding must be exceeded
REPAIRED: Final = 0.34
"""Share of the fallen candidates that are considered for a repair. A repair is not repaired again, so at most one birth
in four is a repair, even if every candidate falls."""
MODEL_MENDER: Final = "model_replace"
"""The operator that repairs with a model."""
_LONGEST: Final = 2_000


@dataclass(frozen=True)
class Contending:
    """How a domain's candidates contend: the steps to use, and the models of the examination's and audit's findings.

    With ``duel``, a candidate timed by the step ``time`` is first compared with the champion in private, because a
    challenge spends error budget and a duel does not.
    """

    examine: StepName
    examined: type[Examined]
    challenge: StepName
    audit: StepName
    audited: type[Audited]
    time: StepName | None = None
    duel: StepName | None = None

    def moves(self, dossier: Dossier) -> Sequence[Move]:
        """Return the next moves of a scored candidate; empty if it does not contend."""
        if dossier.adoption is not None:
            return self._watched(dossier)
        if dossier.decision is Decision.ADOPT:
            return [Adopt()]
        if dossier.decision is not None or dossier.last(self.challenge) is not None or not self._promising(dossier):
            return ()
        return self._claim(dossier)

    def _promising(self, dossier: Dossier) -> bool:
        """Whether it is ahead of the champion, or else of the original, by more than the required lead."""
        seen = dossier.last(self.examine)
        found = self.examined.model_validate(seen.findings.data) if seen is not None and seen.findings else None
        if dossier.total is None or found is None or found.stands_at is None:  # not scored, or not allowed to contend
            return False
        rival = dossier.champion.total if dossier.champion is not None else None
        return dossier.total > (found.stands_at if rival is None else rival) + found.lead

    def _claim(self, dossier: Dossier) -> Sequence[Move]:
        if self.duel is None or self.time is None or dossier.last(self.time) is None:
            return [Challenge(step=self.challenge)]
        duelled_by = dossier.last(self.duel)
        if duelled_by is None:
            return [Examine(step=self.duel)]
        if duelled_by.findings is None or not Duelled.model_validate(duelled_by.findings.data).ahead:
            return ()
        return [Challenge(step=self.challenge)]

    def _watched(self, dossier: Dossier) -> Sequence[Move]:
        """Return the audit after an adoption, or its consequence."""
        if dossier.adoption != "made":
            return ()
        audited_by = dossier.last(self.audit)
        if audited_by is None:
            return [Examine(step=self.audit)]
        if audited_by.findings is None:  # without an audit, the adoption is not kept
            return [Revoke(reason=f"its audit failed: {audited_by.failed}")]
        found = self.audited.model_validate(audited_by.findings.data)
        return [Confirm()] if found.agrees else [Revoke(reason=found.detail[:_LONGEST] or "its audit disagrees")]


def out(code: str, message: str) -> Drop:
    """Return the move that drops a candidate, with its reason."""
    return Drop(reason=Reason(code=code, message=message[:_LONGEST]))


MUTATOR: Final[ModelRole] = "mutator"


class SourceDomain(Domain):
    """A domain of source that is examined, scored and put before the gate; the original is its only founder.

    ``kinds`` are the models of its records by kind. ``judged`` are the fields of a task that define its question: a
    champion keeps its place only while none of them changes. ``twin`` is the reason for dropping a duplicate.
    """

    config_kind: ClassVar[tuple[str, int] | None] = ("task", 1)
    sandboxed: ClassVar[bool] = True
    kinds: ClassVar[Mapping[str, type[Contract]]]
    task_of: ClassVar[TaskOf[Any]]
    traits: ClassVar[type[SourceTraits]] = SourceTraits
    judged: ClassVar[Set[str]]
    twin: ClassVar[str]
    contending: ClassVar[Contending]

    def __init_subclass__(cls) -> None:
        """Register every kind in its first version."""
        payloads: Mapping[tuple[str, int], type[BaseModel]] = {(kind, 1): model for kind, model in cls.kinds.items()}
        cls.payloads = payloads

    # --- what a domain adds ----------------------------------------------------------------------------------

    @abstractmethod
    def normal_form(self, files: Mapping[str, str]) -> str:
        """Return what files have in common with those that count as duplicates.

        Raises:
            SourceNotPython: the files are not source of this domain.
        """

    @abstractmethod
    def unfit(self, task: Any, files: Mapping[str, str]) -> str | None:  # noqa: ANN401 - the domain's own task
        """Return why files from outside are not admitted; None if they are."""

    @abstractmethod
    def passed(self, found: Any, dossier: Dossier) -> Sequence[Move]:  # noqa: ANN401 - what its examination finds
        """Return the next moves of a candidate that passed its examination: measure it further, or score it."""

    @abstractmethod
    def repair(self, found: Any, entropy: Entropy) -> Vary | None:  # noqa: ANN401 - as above
        """Return the move that varies a fallen candidate once more; None if its examination found it not worth it."""

    def question(self, task: Any) -> JsonObject:  # noqa: ANN401 - the domain's own task
        """Return the data that defines the question; there is one champion per question."""
        asked: JsonObject = task.model_dump(mode="json", include=set(self.judged))
        return asked

    def model_share(self, task: Any) -> float | None:  # noqa: ANN401, ARG002 - for domains that override it
        """Return the initial share of births by models; None keeps every operator's own weight."""
        return None

    def known_already(self, dossier: Dossier) -> str | None:  # noqa: ARG002 - for domains that override it
        """Return why a candidate without a twin is a near duplicate; None if it is not."""
        return None

    # --- what all have in common -----------------------------------------------------------------------------

    def payload(self, model: Contract) -> DomainPayload:
        """Return a model as the log stores it."""
        return recorded(self.name, self.kinds, model)

    def operators_for(self, config: RunConfig) -> Sequence[Operator]:
        """Return the operators without models and, if the run may use models, those with models, in one ensemble."""
        role = config.models.roles.get(MUTATOR) if config.models is not None else None
        if role is None:
            return without_models(self.operators)
        return with_models(self.operators, role, self.model_share(self.task_of(config)))

    def niches(self, config: RunConfig) -> Sequence[str]:
        """Return the only niche: the one of all runs with the same question."""
        return (niche_about(config, self.question(self.task_of(config))),)

    def challenges(self, config: RunConfig) -> bool:
        """Whether candidates challenge; they do not in a best-of-N run, which is only for comparison."""
        return bool(self.task_of(config).contends)

    def refusal(self, config: RunConfig) -> str | None:
        """Return a complaint if the run may challenge, but its cap on evaluations is too small for that; else None."""
        if not self.challenges(config):
            return None
        examined, challenged = self.steps[self.contending.examine], self.steps[self.contending.challenge]
        return too_few_evaluations(config.caps.max_evaluations, examined, challenged)

    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:  # noqa: ARG002 - no draw
        """Return the original."""
        return [self.payload(self.traits(files=self.task_of(config).originals()))]

    def admit(self, proposal: JsonObject, config: RunConfig) -> DomainPayload | Refused:
        """Admit editable files, given as ``{"files": {path: text}}``, if they are fit."""
        task, files = self.task_of(config), proposal.get("files")
        if not isinstance(files, dict) or set(files) != set(task.editable):
            return Refused(f"a proposal must contain files for exactly {', '.join(task.editable)}")
        texts = {path: str(text) for path, text in files.items()}
        if (why := self.unfit(task, texts)) is not None:
            return Refused(why)
        return self.payload(self.traits(files=texts, operator="proposal", note="proposed from outside"))

    def express(self, genome: Genome, config: RunConfig) -> Expression:  # noqa: ARG002 - source is its own expression
        """Return the fingerprint: source is its own expression."""
        files = self.traits.model_validate(genome.traits.data).files
        return Expression((self.payload(SourceContent(fingerprint=self.normal_form(files))),))

    def fingerprint(self, content: DomainPayload) -> str | None:
        """Return the normal form's fingerprint; sources with the same one are twins."""
        return SourceContent.model_validate(content.data).fingerprint

    def route(self, dossier: Dossier) -> Sequence[Move]:
        """Return the next moves: the examination, the gate if there is enough to gain, the audit after an adoption."""
        if dossier.phase == "contending":
            return self.contending.moves(dossier)
        if dossier.phase == "generation":
            return ()
        return self._examine(dossier)

    def _examine(self, dossier: Dossier) -> Sequence[Move]:
        if dossier.twin is not None:
            return [out("duplicate", self.twin.format(dossier.twin))]
        seen = dossier.last(self.contending.examine)
        if seen is None:
            alike = self.known_already(dossier)
            return [out("near_duplicate", alike) if alike is not None else Examine(step=self.contending.examine)]
        if seen.findings is None:
            return [out(seen.failed or "failed", "it could not be examined")]
        found = self.contending.examined.model_validate(seen.findings.data)
        return self.passed(found, dossier) if found.passed else self._fallen(found, dossier)

    def _fallen(self, found: Examined, dossier: Dossier) -> Sequence[Move]:
        again = self.repair(found, dossier.entropy)
        return [out(found.stage or "failed", found.detail or "it is not right"), *([again] if again else [])]
