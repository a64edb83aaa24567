"""What the gate said of whom, and what became of those it let in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked, GateVerdict
from mendel.contracts.events.operation import Operation, OperationFailed, OperationStarted
from mendel.contracts.verdicts import Challenge, Decision, Reason, Verdict
from mendel.projections.report.models import ChallengeRow, SpeedInterval
from mendel.projections.report.population import Population


@dataclass(slots=True)
class Adopted:
    """A candidate that was let in."""

    candidate_id: str
    niche: str
    verdict: Verdict
    replaces: str | None
    state: Literal["made", "confirmed", "revoked"] = "made"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A challenge that is over: with a verdict, or without because it failed."""

    candidate_id: str
    challenge: Challenge
    verdict: Verdict | None = None
    failure: Reason | None = None


class Gatekeeping:
    """Challenges in their order, and adoptions."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.adoptions: list[Adopted] = []
        self.spent: dict[str, Challenge] = {}
        self._asking: dict[str, tuple[str, Challenge]] = {}

    def take(self, event: Event) -> None:
        """Fold one event."""
        match event.payload:
            case OperationStarted(operation=Operation(kind="challenge", challenge=Challenge() as spent) as operation):
                self._asking[operation.id] = operation.subject_ids[0], spent
                self.spent[operation.id] = spent
            case OperationFailed(operation_id=name, error_code=code, message=message) if name in self._asking:
                candidate_id, spent = self._asking.pop(name)
                self.asked.append(Asked(candidate_id, spent, failure=Reason(code=code, message=message)))
            case GateVerdict(verdict=verdict):
                self._asking.pop(event.operation_id or "", None)
                self.asked.append(Asked(verdict.candidate_id, verdict.challenge, verdict))
            case AdoptionMade(candidate_id=candidate_id, niche=niche, verdict=verdict, replaces=replaces):
                self.adoptions.append(Adopted(candidate_id, niche, verdict, replaces))
            case AdoptionConfirmed(candidate_id=candidate_id):
                self._settle(candidate_id, "confirmed")
            case AdoptionRevoked(candidate_id=candidate_id, reason=reason):
                self._settle(candidate_id, "revoked", reason)

    def _settle(self, candidate_id: str, state: Literal["confirmed", "revoked"], reason: str = "") -> None:
        for adopted in self.adoptions[::-1]:
            if adopted.candidate_id == candidate_id:
                adopted.state, adopted.reason = state, reason
                return

    @property
    def niches(self) -> list[str]:
        """Those in which anybody challenged or was adopted."""
        told = [each.niche for each in self.spent.values()] + [each.niche for each in self.adoptions]
        return list(dict.fromkeys(told))

    def champion(self, population: Population, niche: str) -> Adopted | None:
        """The last of this run's there that was not thrown out again."""
        return next(
            (
                each
                for each in self.adoptions[::-1]
                if each.niche == niche
                and each.state != "revoked"
                and population.genome_of(each.candidate_id) is not None
            ),
            None,
        )

    def verdict_on(self, candidate_id: str) -> Verdict | None:
        """The last that the gate said of it."""
        return next((each.verdict for each in self.asked[::-1] if each.candidate_id == candidate_id), None)

    def refused(self, candidate_id: str) -> tuple[Literal["gate", "audit"], tuple[Reason, ...]] | None:
        """Who did not want the candidate, and why; None if it never stood before anybody, or was let in."""
        adopted = next((each for each in self.adoptions[::-1] if each.candidate_id == candidate_id), None)
        if adopted is not None:
            told = Reason(code="revoked", message=adopted.reason or "its adoption did not hold")
            return ("audit", (told,)) if adopted.state == "revoked" else None
        asked = next((each for each in self.asked[::-1] if each.candidate_id == candidate_id), None)
        return ("gate", _reasons(asked)) if asked is not None else None

    def rows(self, population: Population, niche: str | None = None) -> tuple[ChallengeRow, ...]:
        """Every challenge that is over; only those of ``niche`` where one is named."""
        revoked = {each.candidate_id for each in self.adoptions if each.state == "revoked"}
        asked = [each for each in self.asked if niche is None or each.challenge.niche == niche]
        return tuple(_row(each, population, revoked=each.candidate_id in revoked) for each in asked)


_NOT_ADOPTED = Reason(code="not_adopted", message="The gate said yes, but the run ended before it was adopted.")


def _reasons(asked: Asked) -> tuple[Reason, ...]:
    """Why somebody whom the gate was asked about did not come in."""
    if asked.verdict is None:
        return (asked.failure,) if asked.failure is not None else ()
    return (_NOT_ADOPTED,) if asked.verdict.decision is Decision.ADOPT else asked.verdict.reasons


def _row(asked: Asked, population: Population, *, revoked: bool) -> ChallengeRow:
    known, verdict = population.candidates.get(asked.candidate_id), asked.verdict
    reasons = verdict.reasons if verdict is not None else (asked.failure,) if asked.failure is not None else ()
    return ChallengeRow(
        candidate_id=asked.candidate_id,
        birth=known.birth if known is not None else None,
        total=known.total if known is not None else None,
        k=asked.challenge.k,
        alpha=asked.challenge.alpha,
        n=verdict.n if verdict is not None else 0,
        decision=verdict.decision.value if verdict is not None else "failed",
        revoked=revoked,
        codes=tuple(reason.code for reason in reasons),
        message=reasons[0].message if reasons else "",
    )


def speed_seen(verdict: Verdict) -> SpeedInterval | None:
    """How many times faster the gate saw the candidate be; it writes time as candidate over baseline."""
    compared = verdict.metrics.get("time")
    if compared is None or compared.kind != "ratio" or compared.delta.estimate <= 0.0:
        return None
    delta = compared.delta
    return SpeedInterval(
        estimate=1.0 / delta.estimate, lower=_inverse(delta.upper), upper=_inverse(delta.lower), alpha=delta.alpha
    )


def _inverse(bound: float | None) -> float | None:
    return 1.0 / bound if bound is not None and bound > 0.0 else None
