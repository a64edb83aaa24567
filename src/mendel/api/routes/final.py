"""`/runs/{id}/final`: the result of a run: its winner with the proof, or a plain statement that there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter, Request, Response
from pydantic import JsonValue

from mendel.api.answers import UNCHANGED, answered, unchanged
from mendel.api.registration import TextOf
from mendel.api.routes.candidates import candidate_detail, difference, text_maker
from mendel.api.schemas_candidates import (
    CandidateDetail,
    CapEnd,
    EvidenceItem,
    FinalProof,
    NicheProof,
    ProofState,
    ReplayProof,
    VerdictItem,
)
from mendel.api.services import Served, Source
from mendel.api.source import RunSource, events_at
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.run import RunConfigured, RunSummary
from mendel.contracts.ids import UuidText
from mendel.contracts.read_models import Row, Values
from mendel.contracts.run_config import RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.contracts.step_words import Wording, role_of
from mendel.contracts.verdicts import Challenge
from mendel.projections.lineage import Founders, champions_before, niches_before

reading = APIRouter(tags=["runs"], responses=UNCHANGED)

_FIGURES: Final = (
    "best_fitness",
    "candidates",
    "scored",
    "energy_spent",
    "tokens",
    "cost_microusd",
    "model_calls",
    "started_at",
    "last_event_at",
)


@reading.get("/runs/{run_id}/final", name="get_final_proof", response_model=FinalProof)
async def final(request: Request, run_id: UuidText, source: Source, served: Served) -> Response:
    """Get the winner with the verdict that adopted it and the audit afterwards, or a statement that there is none."""
    sequence = await source.fresh(run_id)
    if known := unchanged(request, sequence):
        return known
    own = await text_maker(served, source, run_id)
    return answered(request, await final_proof(source, sequence, run_id, own), sequence)


@dataclass(frozen=True)
class _Ended:
    """The facts about a run from its rows and its first and last events.

    ``told`` counts the outcomes of its challenges; ``failed`` challenges have no verdict.
    """

    row: Values
    founder: str | None
    niches: tuple[NicheProof, ...]
    told: Counter[str]
    failed: int
    caps: tuple[CapEnd, ...]
    summary: RunSummary
    head: str | None

    @property
    def challenges(self) -> int:
        """The number of challenges in all its niches."""
        return sum(each.challenges for each in self.niches)

    @property
    def status(self) -> RunStatus | None:
        told = self.row.get("status")
        return RunStatus(told) if isinstance(told, str) else None

    def text(self, name: str) -> str | None:
        """A text of the run's row."""
        value = self.row.get(name)
        return value if isinstance(value, str) else None


async def final_proof(source: RunSource, sequence: int, run_id: str, own: TextOf | None) -> FinalProof:
    """Collect the result of a run, final or preliminary; ``sequence`` is the last event in its rows."""
    ended = await _ended(source, run_id)
    champions = {
        each.niche: await candidate_detail(source, sequence, run_id, each.champion_id, own)
        for each in ended.niches
        if each.champion_id is not None
    }
    winner = next(iter(champions.values()), None)  # of the first niche that has one
    founder = await candidate_detail(source, sequence, run_id, ended.founder, own) if ended.founder else None
    over = ended.status is not None and ended.status.terminal
    niches = [_niche_proof(each, champions.get(each.niche), over=over) for each in ended.niches]
    best = None
    if winner is None and (name := ended.text("final_candidate_id") or ended.text("best_candidate_id")) is not None:
        best = await candidate_detail(source, sequence, run_id, name, own)
    state = _state(winner, over=over)
    return FinalProof(
        run_id=run_id,
        sequence=sequence,
        status=ended.status,
        over=over,
        reason=ended.text("reason"),
        said=_of_niches(niches) if winner and len(niches) > 1 else _said(ended, winner, best, state),
        state=state,
        winner=winner,
        best=best,
        founder=founder,
        patch=difference(founder.text, winner.text) if winner and founder else None,
        verdict=_verdict(winner),
        audit=_audit(winner, source.wording),
        revoked=await _revoked(source, sequence, run_id),
        niches=niches,
        caps=list(ended.caps),
        digest=ended.summary.outcome_digest,
        replay=_replay(ended, sequence, run_id),
        figures={name: value for name in _FIGURES if (value := ended.row.get(name)) is not None},
    )


async def _ended(source: RunSource, run_id: str) -> _Ended:
    row = await source.row(run_id, "runs", run_id)
    values = row.values if row is not None else {}
    challenged = await source.models.matching(run_id, "operations", "kind", ("challenge",))
    ends = {row.last, _number(row, "ended")} if row is not None else set()  # events may follow the end
    wanted = {0, *ends, *(_number(each, "started") for each in challenged)}
    events = await events_at(source.log, run_id, wanted)
    config = next((event.payload.config for event in events if isinstance(event.payload, RunConfigured)), None)
    spent = [each for event in events if (each := _challenge(event.payload)) is not None]
    verdicts = await source.models.rows(run_id, "verdicts")
    niches = _niches(config, spent, verdicts) if config is not None else ()
    return _Ended(
        row=values,
        founder=await _original(source, run_id, config),
        niches=niches,
        told=_outcomes(verdicts),
        failed=sum(each.values.get("outcome") == "failed" for each in challenged),
        caps=_caps(values),
        summary=next((found for event in events if (found := _summary(event.payload)) is not None), RunSummary()),
        head=next((event.hash for event in events if row is not None and event.sequence == row.last), None),
    )


async def _original(source: RunSource, run_id: str, config: RunConfig | None) -> str | None:
    """Find the candidate to compare a winner with: the first founder that is not from an earlier run."""
    ancestors = config.ancestors if config is not None else ()
    born = await source.models.rows(run_id, "genomes", limit=len(ancestors) + 1)
    founders = Founders(ancestors)
    for event in await events_at(source.log, run_id, {row.first for row in born}):
        if isinstance(event.payload, GenomeSpawned):
            founders.take(event.payload.genome)
    if founders.original is None:
        return None
    candidates = await source.models.matching(run_id, "candidates", "genome_id", (founders.original,))
    return next((row.key for row in candidates), None)


def _niches(config: RunConfig, spent: Sequence[Challenge], verdicts: Sequence[Row]) -> tuple[NicheProof, ...]:
    """Return the configured niches; a niche that appears only in a damaged log is ignored."""
    earlier, champions = champions_before(config), _own_champions(verdicts)
    found = []
    for name, before in niches_before(config).items():
        mine = [each for each in spent if each.niche == name]
        found.append(
            NicheProof(
                niche=name,
                alpha=config.alpha,
                spent=sum(each.alpha for each in mine),
                challenges=len(mine),
                before=before,
                champion_id=next(iter(champions.get(name, ())[-1:]), None),
                champion_before=earlier.get(name),
            )
        )
    return tuple(found)


def _own_champions(verdicts: Sequence[Row]) -> dict[str, list[str]]:
    """Return the candidates that this run adopted and did not revoke, by niche and in order.

    Relies on events, not on the ids of champions, because runs of one seed give the same ids to different candidates.
    """
    found: dict[str, list[str]] = {}
    for row in verdicts:
        who = str(row.values.get("candidate_id"))
        if row.values.get("what") == "adopted":
            found.setdefault(str(row.values.get("niche")), []).append(who)
        elif row.values.get("what") == "revoked":
            found = {niche: [each for each in mine if each != who] for niche, mine in found.items()}
    return found


def _outcomes(verdicts: Sequence[Row]) -> Counter[str]:
    """Count the decisions of the gate, and the adoptions, confirmations and revocations."""
    return Counter(str(row.values.get("decision") or row.values.get("what")) for row in verdicts)


def _challenge(payload: object) -> Challenge | None:
    operation = getattr(payload, "operation", None)
    found = getattr(operation, "challenge", None)
    return found if isinstance(found, Challenge) else None


def _number(row: Row, name: str) -> int:
    value: JsonValue = row.values.get(name)
    return value if isinstance(value, int) else row.first


def _summary(payload: object) -> RunSummary | None:
    found = getattr(payload, "summary", None)
    return found if isinstance(found, RunSummary) else None


def _caps(run: Values) -> tuple[CapEnd, ...]:
    told = run.get("caps_reached")
    return tuple(map(CapEnd.model_validate, told)) if isinstance(told, list) else ()


def _state(winner: CandidateDetail | None, *, over: bool) -> ProofState:
    if winner is None:
        return "nothing" if over else "open"
    return "confirmed" if any(each.what == "confirmed" for each in winner.verdicts) else "adopted"


def _verdict(winner: CandidateDetail | None) -> VerdictItem | None:
    """Return the verdict that adopted the winner."""
    told = [each for each in winner.verdicts if each.decision == "adopt"] if winner is not None else []
    return told[-1] if told else None


def _audit(winner: CandidateDetail | None, wording: Wording) -> EvidenceItem | None:
    """Return the last audit of the winner, if its domain declares an audit step."""
    steps = [each for each in winner.evidence if each.outcome != "in_flight"] if winner is not None else []
    audits = [each for each in steps if role_of(wording, each.step, each.kind or "") == "audit"]
    return audits[-1] if audits else None


async def _revoked(source: RunSource, sequence: int, run_id: str) -> list[VerdictItem]:
    rows = await source.models.rows(run_id, "verdicts")
    return [
        VerdictItem(
            what="revoked",
            sequence=row.first,
            event_id=row.key,
            niche=_text(row, "niche"),
            reason=_text(row, "reason"),
        )
        for row in rows
        if row.values.get("what") == "revoked" and row.first <= sequence  # later events are not in this answer
    ]


def _text(row: Row, name: str) -> str | None:
    value = row.values.get(name)
    return value if isinstance(value, str) else None


def _replay(ended: _Ended, sequence: int, run_id: str) -> ReplayProof:
    return ReplayProof(
        events=sequence + 1,
        head_hash=ended.head,
        state_digest=ended.summary.state_digest,
        outcome_digest=ended.summary.outcome_digest,
        command=f"mendel replay {run_id}",
    )


# --- sentences -------------------------------------------------------------------------------------------------

_ENDED: Final = {
    RunStatus.COMPLETED: "The run completed",
    RunStatus.STOPPED: "The run was stopped early",
    RunStatus.FAILED: "The run failed",
    RunStatus.CANCELLED: "The run was cancelled before it began",
}


_MOST_NICHES: Final = 8
"""Maximum number of niches in the sentence of a run; each niche also has a sentence of its own."""


def _niche_proof(row: NicheProof, champion: CandidateDetail | None, *, over: bool) -> NicheProof:
    """Add the result of a niche, with its champion."""
    state = _state(champion, over=over)
    text = champion.text if champion is not None else None
    return row.model_copy(update={"state": state, "said": _said_of_niche(row, champion, state), "text": text})


def _said_of_niche(row: NicheProof, champion: CandidateDetail | None, state: ProofState) -> str:
    if champion is not None:
        return _proven(champion, state)
    told = "Nothing was adopted" if state == "nothing" else "Nothing has been adopted so far"
    asked = (
        "no candidate challenged the gate"
        if not row.challenges
        else f"the gate was challenged {_times(row.challenges)}"
    )
    stands = f", and the champion of run {row.champion_before.run_id} stands" if row.champion_before else ""
    return f"{told}: {asked}{stands}."


def _of_niches(niches: Sequence[NicheProof]) -> str:
    """State how many niches have a winner, and what proves each."""
    won = [each for each in niches if each.champion_id is not None]
    proofs = " ".join(f"{each.niche}: {each.said}" for each in won[:_MOST_NICHES])
    more = f" {len(won) - _MOST_NICHES:,} more follow." if len(won) > _MOST_NICHES else ""
    return f"{len(won):,} of {len(niches):,} niches have a winner. {proofs}{more}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _said(ended: _Ended, winner: CandidateDetail | None, best: CandidateDetail | None, state: ProofState) -> str:
    if winner is not None:
        return _proven(winner, state)
    if state == "open":
        return "The run is not over, and nothing has been adopted so far."
    how = _ENDED.get(ended.status, "The run is over") if ended.status is not None else "The run is over"
    reason = f" ({ended.text('reason')})" if ended.text("reason") else ""
    earlier = dict.fromkeys(each.champion_before.run_id for each in ended.niches if each.champion_before is not None)
    stands = "".join(f"; the champion of run {run_id} stands" for run_id in earlier)
    told = f"{how}{reason}, and there is no winner: {_why(ended)}{stands}"
    return f"{told}; its best candidate is birth {best.birth}, without proof." if best else f"{told}."


def _why(ended: _Ended) -> str:
    if not ended.row.get("scored"):
        return "no candidate was ever scored"
    if not ended.challenges:
        return "no candidate challenged the gate"
    if ended.failed == ended.challenges:
        return f"the gate was challenged {_times(ended.challenges)}, and each of these challenges failed"
    failed = f"; {ended.failed:,} of these challenges failed" if ended.failed else ""
    return f"the gate was challenged {_times(ended.challenges)}, {_after(ended.told)}{failed}"


def _after(told: Counter[str]) -> str:
    """State the outcome of the challenges of a run without a winner."""
    if told["adopted"]:
        return "and every adoption was revoked"
    if told["adopt"]:
        return "and decided to adopt, but the run ended before the adoption"
    return "and adopted none" if told["reject"] or told["undecided"] else "and had given no verdict when the run ended"


def _proven(winner: CandidateDetail, state: ProofState) -> str:
    verdict = _verdict(winner)
    told = f"Birth {winner.birth} was adopted through the gate"
    if verdict is not None and verdict.alpha is not None:
        cases = "1 case" if verdict.n == 1 else f"{verdict.n or 0:,} cases"
        told += f" in challenge {verdict.k}, on {cases} at alpha {verdict.alpha:.3g}"
    held = "and a later audit confirmed it" if state == "confirmed" else "and is not confirmed yet"
    return f"{told}, {held}."
