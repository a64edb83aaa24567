"""Histories to fold: events as a log returns them, without a log."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from hypothesis import strategies as st
from tests.contracts.examples import EXAMPLES, make_verdict

from mendel.contracts.actors import Actor
from mendel.contracts.caps import RunCaps
from mendel.contracts.energy import Usage
from mendel.contracts.events import candidate, energy, gate, generation, genome, operation, run
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.registry import SCHEMA_VERSION
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scoring import FitnessScore, ScoringPolicy
from mendel.contracts.step_words import StepWords, Wording
from mendel.contracts.verdicts import Decision

RUN_ID = "01980000-0000-7000-8000-0000000000aa"
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
NICHE = "sample:sort"
DATA = DomainPayload(domain="sample", kind="findings", version=1, data={"n": 1})
ALLOWANCE = Usage(tool_calls=10, tokens_in=600, tokens_out=400, cost_microusd=50)
MEASURED = Usage(tool_calls=2, tokens_in=30, tokens_out=20, cost_microusd=5, wall_ms=7)


def event_id(sequence: int) -> str:
    return f"01980000-0000-7000-8000-{sequence:012x}"


def event_of(payload: Payload, sequence: int, at_ms: int, **ids: str | None) -> Event:
    return Event(
        id=event_id(sequence),
        type=payload.type,
        actor=Actor.RUNTIME,
        payload=payload,
        run_id=RUN_ID,
        sequence=sequence,
        schema_version=SCHEMA_VERSION,
        occurred_at=BEGAN + timedelta(milliseconds=at_ms),
        prev_hash="0" * 64,
        hash=f"{sequence:064x}",
        **ids,
    )


class History:
    """Writes a run down event by event, one every 100 ms; each method is what a conductor would append."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.now_ms = 0

    def add(self, payload: Payload, **ids: str | None) -> Self:
        self.events.append(event_of(payload, len(self.events), self.now_ms, **ids))
        self.now_ms += 100
        return self

    def wait(self, ms: int) -> Self:
        self.now_ms += ms
        return self

    def configured(self, **caps: int) -> Self:
        policy = ScoringPolicy(version="default-1", weights={"speed": 0.7, "size": 0.3})
        config = RunConfig(domain="sample", problem="sort", rng_seed=7, caps=RunCaps(**caps), scoring_policy=policy)
        return self.add(run.RunConfigured(config=config, mendel_version="0"))

    def taken_over(self, conductor: str = "host:1") -> Self:
        return self.add(run.ConductorTookOver(epoch=len(self.events), conductor=conductor))

    def begun(self, **caps: int) -> Self:
        return self.configured(**caps).taken_over().add(run.RunStarted())

    def generation(self, index: int, population: int = 2) -> Self:
        started = generation.GenerationStarted(index=index, population=population)
        return self.add(started, generation_id=f"generation-{index}")

    def in_generation(self, index: int, payload: Payload) -> Self:
        return self.add(payload, generation_id=f"generation-{index}")

    def operation(self, number: int, subject: str = "candidate-0", *, attempt: int = 1, **changes: Any) -> Self:
        fields = {
            "id": f"operation-{number}",
            "step": "sample.look",
            "subject_kind": subject.partition("-")[0],
            "subject_ids": (subject,),
            "allowance": ALLOWANCE,
            "reserved_energy": 9,
        }
        asked = operation.Operation.model_validate(fields | changes)
        ids = {f"{asked.subject_kind}_id": subject} if asked.subject_kind in ("candidate", "genome") else {}
        return self.add(operation.OperationStarted(operation=asked, attempt=attempt), operation_id=asked.id, **ids)

    def completed(self, number: int, step: str = "sample.look", *, degraded: bool = False, **ids: str) -> Self:
        name = f"operation-{number}"
        payload = operation.OperationCompleted(
            operation_id=name, step=step, findings=DATA, usage=MEASURED, degraded=degraded
        )
        return self.add(payload, operation_id=name, **ids)

    def failed(self, number: int, step: str = "sample.look", code: str = "wall_clock") -> Self:
        name = f"operation-{number}"
        payload = operation.OperationFailed(
            operation_id=name, step=step, error_type="timeout", error_code=code, message="too slow", usage=MEASURED
        )
        return self.add(payload, operation_id=name)

    def charged(self, amount: int, **ids: str) -> Self:
        return self.add(energy.EnergySpent(kind="cpu", estimate=9, actual=amount, reason="a success"), **ids)

    def spawned(self, birth: int, parents: Iterable[int] = (), *, generation: int | None = None) -> Self:
        names = tuple(f"genome-{parent}" for parent in parents)
        born = Genome(id=f"genome-{birth}", birth=birth, parents=names, depth=1 if names else 0, traits=DATA)
        member = None if generation is None else f"generation-{generation}"
        return self.add(genome.GenomeSpawned(genome=born), genome_id=born.id, generation_id=member)

    def bred(self, birth: int, parents: tuple[int, ...], number: int, why: str, *, generation: int = 0) -> Self:
        """A variation with everything it records, from its marker to the event of the mutation or fusion."""
        names = tuple(f"genome-{parent}" for parent in parents)
        child = f"genome-{birth}"
        marker = {"kind": "vary", "birth": birth, "parents": names, "operator": "swap", "why": why}
        self.operation(number, child, step="sample.vary", **marker)
        self.completed(number, "sample.vary").spawned(birth, parents, generation=generation)
        if len(names) > 1:
            return self.add(genome.GenomeFused(child_id=child, parents=names, mode="crossover", choices={"cut": 3}))
        return self.add(genome.GenomeMutated(child_id=child, parents=names, operator="swap", choices={"line": 1}))

    def of_genome(self, number: int, payload: Payload) -> Self:
        return self.add(payload, genome_id=f"genome-{number}")

    def created(self, number: int, genome_number: int | None = None, *, generation: int = 0, **ids: str) -> Self:
        owner = f"genome-{number if genome_number is None else genome_number}"
        made = Candidate(id=f"candidate-{number}", genome_id=owner, birth=number, content=DATA)
        names = {"candidate_id": made.id, "genome_id": owner, "generation_id": f"generation-{generation}", **ids}
        return self.add(candidate.CandidateCreated(candidate=made), **names)

    def of_candidate(self, number: int, payload: Payload) -> Self:
        return self.add(payload, candidate_id=f"candidate-{number}")

    def scored(self, number: int, total: float, policy: str = "default-1") -> Self:
        name = f"candidate-{number}"
        score = FitnessScore(
            candidate_id=name, total=total, components={"speed": total}, policy_version=policy, explanation="measured"
        )
        return self.add(candidate.FitnessScored(score=score), candidate_id=name)

    def judged(self, number: int, decision: Decision = Decision.ADOPT) -> Self:
        return self.of_candidate(number, gate.GateVerdict(verdict=make_verdict(decision=decision, **_about(number))))

    def adopted(self, number: int, replaces: str | None = None) -> Self:
        payload = gate.AdoptionMade(
            niche=NICHE,
            candidate_id=f"candidate-{number}",
            replaces=replaces,
            verdict_event_id=event_id(0),
            verdict=make_verdict(**_about(number)),
        )
        return self.of_candidate(number, payload)

    def confirmed(self, number: int) -> Self:
        name = f"candidate-{number}"
        return self.of_candidate(
            number, gate.AdoptionConfirmed(niche=NICHE, candidate_id=name, adoption_event_id=event_id(0))
        )

    def revoked(self, number: int, restores: str | None = None) -> Self:
        payload = gate.AdoptionRevoked(
            niche=NICHE,
            candidate_id=f"candidate-{number}",
            adoption_event_id=event_id(0),
            restores=restores,
            reason="it did not hold",
        )
        return self.of_candidate(number, payload)

    def ended(self, final: str | None = "candidate-2") -> Self:
        summary = run.RunSummary(state_digest="a" * 64, outcome_digest="b" * 64)
        return self.add(run.RunCompleted(final_candidate_id=final, summary=summary))


def _about(number: int) -> dict[str, str]:
    return {"candidate_id": f"candidate-{number}", "niche": NICHE}


WORDING: Wording = {
    each.step: each
    for each in (
        StepWords(
            step="sample.review",
            word="judging",
            role="review",
            started="review.began",
            completed="critic.reviewed",
            failed="review.broken",
        ),
        StepWords(step="sample.novelty", word="comparing", role="novelty", degraded="novelty_scoring_degraded"),
        StepWords(step="sample.challenge", word="before the gate", role="check"),
    )
}
"""What the domain of ``whole_run`` would register."""


def whole_run() -> History:
    """Two generations: two founders, a takeover in the middle of a look, a fused child that becomes champion."""
    history = History().begun(max_population=5).generation(0).spawned(0, generation=0).spawned(1, generation=0)
    for number in (0, 1):
        history.of_genome(number, genome.GenomeActivated())
        history.operation(number, f"genome-{number}", kind="express", step="sample.express")
        history.completed(number, "sample.express").created(number)
        history.charged(2, operation_id=f"operation-{number}", genome_id=f"genome-{number}")
        history.of_genome(number, genome.GenomeSpent())
    history.in_generation(0, generation.GenerationVerifying()).operation(2, step="sample.review")
    history.of_candidate(0, candidate.CandidateUnderReview())
    history.wait(60_000).taken_over("host:2").operation(2, step="sample.review", attempt=2)
    history.completed(2, "sample.review").charged(3, operation_id="operation-2", candidate_id="candidate-0")
    history.operation(3, "candidate-1").failed(3).of_candidate(0, candidate.CandidateChecked())
    history.in_generation(0, generation.GenerationScoring()).scored(0, 0.5).scored(1, 0.25)
    history.of_genome(0, genome.GenomeEligible()).of_genome(1, genome.GenomeEligible())
    history.in_generation(0, generation.GenerationReproducing()).bred(2, (0, 1), 4, "best of two", generation=1)
    for parent in (0, 1):
        history.of_genome(parent, genome.GenomeReproduced(children=("genome-2",), mode="crossover"))
    culled = genome.LineageCulled(genome_ids=("genome-1",), candidate_ids=("candidate-1",), reason="weak")
    history.add(culled.model_copy(update={"scores": {"candidate-1": 0.25}}))
    completed = generation.GenerationCompleted(survivors=1, offspring=1, best_fitness=0.5, mean_fitness=0.375)
    history.in_generation(0, completed).generation(1, 1).created(2, generation=1).scored(2, 0.75)
    history.of_candidate(2, candidate.CandidateSelected(reason="the best so far"))
    history.operation(5, "candidate-2", kind="challenge", step="sample.challenge").completed(5, "sample.challenge")
    return history.judged(2).adopted(2).confirmed(2).operation(6, "candidate-2").ended()


NAMES = {
    "generation_id": st.sampled_from([None, "generation-0", "generation-1"]),
    "genome_id": st.sampled_from([None, "genome-0", "genome-1", "genome-3"]),
    "candidate_id": st.sampled_from([None, "candidate-0", "candidate-1"]),
    "operation_id": st.sampled_from([None, "operation-1", "operation-2"]),
}


@st.composite
def odd_histories(draw: st.DrawFn) -> list[Event]:
    """Any well-formed events in any order: nothing that a conductor would take care of can be relied on."""
    payloads = draw(st.lists(st.sampled_from(sorted(EXAMPLES)), max_size=30))
    return [
        event_of(EXAMPLES[name], sequence, draw(st.integers(0, 5_000)), **draw(st.fixed_dictionaries(NAMES)))
        for sequence, name in enumerate(payloads)
    ]


def shuffled_runs() -> st.SearchStrategy[list[Event]]:
    """A whole run whose payloads were dealt out to its sequence numbers anew."""
    return st.permutations(whole_run().events).map(
        lambda events: [event.model_copy(update={"sequence": number}) for number, event in enumerate(events)]
    )


def folded(fold: Any, events: Iterable[Event]) -> Any:
    """The view of ``fold`` after ``events``."""
    for event in events:
        fold.take(event)
    return fold.view()
