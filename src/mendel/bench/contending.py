"""What follows from what was found: out, once more, before the gate, adopted, kept or thrown out again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mendel.bench.records import Audited, Duelled, Examined
from mendel.contracts.base import StepName
from mendel.contracts.verdicts import Decision, Reason
from mendel.kernel.domain import Adopt, Challenge, Confirm, Dossier, Drop, Examine, Move, Revoke

LEAD: Final = 0.3
"""In powers of two: 1.23 times as fast, which is more than a timer's whim."""
SCORE_LEAD: Final = 1e-9
REPAIRED: Final = 0.34
"""How many of those that fall are looked at for a repair. A repair is not repaired: whatever falls, at most one birth
in four is one."""
MODEL_MENDER: Final = "model_replace"
"""The operator of a repair that a model makes."""
_LONGEST: Final = 2_000


@dataclass(frozen=True)
class Contending:
    """How the candidates of a domain contend: by which steps, and what the examination and the audit find.

    With ``duel`` a candidate that was timed, by the step ``time``, is first put beside the champion in private: a
    challenge spends error budget, a duel does not.
    """

    examine: StepName
    examined: type[Examined]
    challenge: StepName
    audit: StepName
    audited: type[Audited]
    time: StepName | None = None
    duel: StepName | None = None

    def moves(self, dossier: Dossier) -> Sequence[Move]:
        """What a scored candidate does next; nothing where it steps aside."""
        if dossier.adoption is not None:
            return self._watched(dossier)
        if dossier.decision is Decision.ADOPT:
            return [Adopt()]
        if dossier.decision is not None or dossier.last(self.challenge) is not None or not self._promising(dossier):
            return ()
        return self._claim(dossier)

    def _promising(self, dossier: Dossier) -> bool:
        """Ahead of the champion, or else of the original, by more than a timer's whim."""
        seen = dossier.last(self.examine)
        found = self.examined.model_validate(seen.findings.data) if seen is not None and seen.findings else None
        if dossier.total is None or found is None or found.stands_at is None:
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
        """After an adoption: the audit, then its consequence."""
        if dossier.adoption != "made":
            return ()
        audited_by = dossier.last(self.audit)
        if audited_by is None:
            return [Examine(step=self.audit)]
        if audited_by.findings is None:
            return [Revoke(reason=f"its audit failed: {audited_by.failed}")]
        found = self.audited.model_validate(audited_by.findings.data)
        return [Confirm()] if found.agrees else [Revoke(reason=found.detail[:_LONGEST] or "its audit contradicts")]


def out(code: str, message: str) -> Drop:
    """That a candidate is out, and why."""
    return Drop(reason=Reason(code=code, message=message[:_LONGEST]))
