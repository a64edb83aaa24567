"""One valid payload for every type of event, with every optional part filled in."""

from __future__ import annotations

from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind
from mendel.contracts.embeddings import EmbeddingDegraded, EmbeddingRecord, packed
from mendel.contracts.energy import Usage
from mendel.contracts.events import candidate, energy, gate, generation, genome, operation, run
from mendel.contracts.events.payload import Payload
from mendel.contracts.evidence_refs import BlobRef, EvidenceRef
from mendel.contracts.lookups import Lookups
from mendel.contracts.model_calls import ToolCall
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.providers import ModelRoute, ProviderMeta
from mendel.contracts.retrieval import Passage, Retrieval, ToolRecord
from mendel.contracts.run_config import ArchiveConfig, Descriptor, IslandsConfig, Pace, RunConfig
from mendel.contracts.scoring import FitnessScore, JudgeAxis, JudgeResult
from mendel.contracts.verdicts import (
    Challenge,
    Decision,
    Interval,
    Provenance,
    Reason,
    SandboxProvenance,
    Verdict,
)

UUID = "01980000-0000-7000-8000-000000000001"
BLOB = BlobRef(hash="sha256:" + "a" * 64, size=3, media_type="text/plain")
DATA = DomainPayload(domain="sample", kind="findings", version=1, data={"n": [1, 2.5, None, {"é": "x"}]})
REF = EvidenceRef(kind="trace", event_id=UUID, uri="https://example.org/x", observation_id="o", label="l")
REASON = Reason(code="too_slow", message="slower than its parent")
USAGE = Usage(tokens_in=1, tokens_out=2, tool_calls=3, spawns=4, cpu_ms=5, opcodes=6, wall_ms=7, cost_microusd=8)
PROVIDER = ProviderMeta(provider="p", model_id="m", request_id="r", tokens_in=1, tokens_out=2, cost_microusd=3)
SUMMARY = run.RunSummary(best_candidate_id="candidate-1", best_fitness=0.5, state_digest="b" * 64, usage=USAGE)
CONFIG = RunConfig(
    domain="sample",
    problem="sort faster",
    rng_seed=7,
    caps=RunCaps(max_population=3),
    pace=Pace(kind="steady", order="arrival", window=4),
    niche="sample:sort",
    continues=UUID,
    archive=ArchiveConfig(descriptors=(Descriptor(name="speed", low=-1.0, high=1.0),)),
    islands=IslandsConfig(count=2),
    enabled_subtypes=("a",),
    model_route_overrides={"critic": ModelRoute(provider="p", model_id="m")},
    domain_config=DATA,
)


def make_verdict(
    *,
    decision: Decision = Decision.ADOPT,
    weakened: bool = False,
    candidate_id: str = "candidate-1",
    niche: str = "sample:sort",
) -> Verdict:
    """A verdict with the parts that rules 3 and 10 look at."""
    return Verdict(
        candidate_id=candidate_id,
        decision=decision,
        mode="statistical",
        policy="noninferior-1",
        challenge=Challenge(niche=niche, k=2, alpha=0.0076),
        n=40,
        n_to_decide=80,
        reasons=(REASON,),
        intervals=(Interval(name="delta", estimate=0.1, lower=0.01, alpha=0.05, method="tango"),),
        summaries={"pass_rate": 1.0},
        report=BLOB,
        provenance=Provenance(
            sandbox=SandboxProvenance(tier="native", weakened=weakened),
            spec_hash="c" * 64,
            candidate_hash="d" * 64,
            seeds={"inputs": 1},
            versions={"mendel": "0"},
        ),
    )


def make_judge_result(**changes: object) -> JudgeResult:
    """What the held-out judge might answer."""
    fields: dict[str, object] = {
        "candidate_id": "candidate-1",
        "axis_scores": dict.fromkeys(JudgeAxis, 3.0),
        "acceptance": 0.6,
        "rubric_policy_version": "rubric-1",
        "provider": PROVIDER,
    }
    return JudgeResult.model_validate(fields | changes)


_OPERATION = operation.Operation(
    id="operation-1",
    step="sample.look",
    subject_kind="pair",
    subject_ids=("candidate-1", "candidate-2"),
    parents=("genome-1",),
    operator="swap",
    entropy=("vary", 3),
    allowance=USAGE,
    reserved_energy=9,
    reads_through=2,
    deadline_ms=1_000,
    inputs=DATA,
    site="loops",
)
_LOOKS = EmbeddingRecord(
    text_digest="0" * 64, embedder="ngrams.1.2", model_id="ngrams.1.2", dimension=2, vector=packed((0.6, 0.8))
)
_GENOME = Genome(id="genome-1", birth=1, parents=("genome-0",), depth=1, spawn_budget=2, traits=DATA, looks=_LOOKS)
_CANDIDATE = Candidate(
    id="candidate-1", genome_id="genome-1", birth=1, content=DATA, summary="s", refs=(REF,), looks=_LOOKS
)
_LOOKUPS = Lookups(
    retrievals=(Retrieval(query="q", limit=2, provider="p", passages=(Passage(source="s", title="t", text="x"),)),),
    tools=(ToolRecord(call_id="c", name="web_search", arguments="{}", code="cap_reached", text="no"),),
    degraded=(
        EmbeddingDegraded(standing="estimated", primary="a", fallback="b", reason="timeout", message="no answer"),
    ),
)
_SCORE = FitnessScore(
    candidate_id="candidate-1",
    total=0.5,
    components={"speed": 0.5},
    policy_version="default-1",
    estimated=("speed",),
    absent=("novelty",),
    explanation="half as fast",
)

_ALL: tuple[Payload, ...] = (
    run.RunConfigured(config=CONFIG, mendel_version="0"),
    run.RunStarted(),
    run.RunCompleting(reason="caps"),
    run.RunCompleted(final_candidate_id="candidate-1", summary=SUMMARY),
    run.RunStopping(reason="asked", command_id=UUID),
    run.RunStopped(reason="asked", summary=SUMMARY),
    run.RunFailed(reason="caps", cap="energy_budget", summary=SUMMARY),
    run.RunCancelled(reason="asked", command_id=UUID),
    run.RunHeartbeat(epoch=1, in_flight=2, uptime_ms=3),
    run.RunCapReached(cap="max_tokens", limit=1, used=1, detail="no room"),
    run.ConductorTookOver(epoch=1, conductor="host:1"),
    run.CommandAccepted(command_id=UUID, position=1, kind=CommandKind.STOP, payload={"a": 1}, parameters=DATA),
    run.CommandRefused(command_id=UUID, position=1, kind=CommandKind.PROPOSE, reason="no"),
    generation.GenerationStarted(index=0, population=3, conditions=DATA),
    generation.GenerationDegraded(survivors=2, population=3),
    generation.GenerationPartialFailure(failed_genome_ids=("genome-1", "genome-2"), reason="crashed"),
    generation.GenerationVerifying(),
    generation.GenerationScoring(),
    generation.GenerationReproducing(conditions=DATA),
    generation.GenerationCompleted(survivors=1, offspring=2, best_fitness=1.0, mean_fitness=0.5),
    generation.GenerationFailed(reason="r"),
    generation.GenerationSkipped(reason="r"),
    generation.ReproductionAborted(eligible=1, needed=2),
    genome.GenomeSpawned(genome=_GENOME),
    genome.GenomeActivated(),
    genome.GenomeSpent(),
    genome.GenomeEligible(),
    genome.GenomeFused(child_id="genome-3", parents=("genome-1", "genome-2"), mode="fusion", choices={"cut": 1}),
    genome.GenomeMutated(child_id="genome-3", parents=("genome-1",), operator="swap", choices={"line": 1}),
    genome.GenomeReproduced(children=("genome-3",), mode="mutation_only"),
    genome.GenomeFailed(reason="r"),
    genome.LineageCulled(genome_ids=("genome-1",), candidate_ids=("candidate-1",), reason="r", scores={"a": 0.1}),
    genome.SpawnClamped(wished=5, granted=2, cap="max_population"),
    candidate.CandidateCreated(candidate=_CANDIDATE),
    candidate.CandidateRepairStarted(reason="r"),
    candidate.CandidateUnderReview(),
    candidate.CandidateChecked(niche="sample:sort"),
    candidate.FitnessScored(score=_SCORE),
    candidate.CandidateEntered(index=1),
    candidate.FitnessRescored(score=_SCORE),
    candidate.CandidateLeft(reason=REASON),
    candidate.CandidateSelected(reason="r"),
    candidate.CandidateRejected(reasons=(REASON,), wish=candidate.RepairWish(operator="mend", inputs=DATA)),
    candidate.CandidateInvalidated(reason="r", repaired=True),
    operation.OperationStarted(operation=_OPERATION, attempt=2),
    operation.OperationCompleted(
        operation_id="operation-1",
        step="sample.look",
        findings=DATA,
        refs=(REF,),
        usage=USAGE,
        attempts=2,
        lost_deliveries=1,
        isolation="full",
        lookups=_LOOKUPS,
        looks=_LOOKS,
    ),
    operation.OperationFailed(
        operation_id="operation-1",
        step="sample.look",
        error_type="timeout",
        error_code="wall_clock",
        message="m",
        lost_deliveries=2,
        candidate_id="candidate-1",
        details={"a": [1]},
        lookups=Lookups(blob=BLOB),
    ),
    operation.BlobStored(blob=BLOB, label="l"),
    energy.EnergySpent(kind="llm", estimate=2, actual=1, reason="r", usage=USAGE, provider=PROVIDER),
    energy.EnergyExhausted(budget=1, spent=1, reserved=0),
    energy.ProviderCallFailed(
        role="critic",
        attempt=1,
        reason="timeout",
        message="m",
        provider=PROVIDER,
        operation_id="operation-1",
        call=1,
        schema_name="s",
        estimated=True,
        retry=True,
    ),
    energy.OutputSchemaRejected(role="coder", schema_name="s", complaints=("c",), operation_id="operation-1"),
    energy.LlmCallTelemetry(
        role="mutator",
        provider=PROVIDER,
        validation="repaired",
        sampling={"t": 0.5},
        request=BLOB,
        response=BLOB,
        call=1,
        schema_name="s",
        complaints=("c",),
        tool_calls=(ToolCall(id="1", name="web_search", arguments="{}"),),
        estimated=True,
        retry=True,
    ),
    gate.GateVerdict(verdict=make_verdict(decision=Decision.UNDECIDED)),
    gate.AdoptionMade(
        niche="sample:sort",
        candidate_id="candidate-1",
        replaces="candidate-0",
        verdict_event_id=UUID,
        verdict=make_verdict(),
        artifact=BLOB,
        traits=DATA,
        content=DATA,
        looks=_LOOKS,
    ),
    gate.AdoptionConfirmed(niche="sample:sort", candidate_id="candidate-1", adoption_event_id=UUID),
    gate.AdoptionRevoked(
        niche="sample:sort", candidate_id="candidate-1", adoption_event_id=UUID, restores="candidate-0", reason="r"
    ),
)

EXAMPLES: dict[str, Payload] = {payload.type: payload for payload in _ALL}
