"""The lineage of a run as a graph, and the founders that came from earlier runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, NamedTuple, Self

from mendel.contracts.base import Contract, Count
from mendel.contracts.energy import Usage
from mendel.contracts.events.candidate import CandidateCreated, FitnessScored
from mendel.contracts.events.energy import EnergySpent
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.generation import GenerationStarted
from mendel.contracts.events.genome import GenomeFused, GenomeMutated, GenomeSpawned
from mendel.contracts.events.operation import Operation, OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.run_config import Ancestor, RunConfig
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import GenerationStatus
from mendel.contracts.step_words import NO_WORDS, Phase, Wording, phase_alias, role_of, word_of
from mendel.projections.current_state import (
    GENERATION_STATUS_AFTER,
    candidate_statuses,
    generation_figures,
    genome_statuses,
)

NodeKind = Literal["generation", "genome", "candidate", "review", "check", "score"]
EdgeKind = Literal["member_of", "parent_of", "expressed", "reviewed", "checked", "scored"]

_LONGEST_LABEL: Final = 80


class LineageNode(Contract):
    """One object of the run; ``data_ref`` is the id of the event that introduced it."""

    id: str
    kind: NodeKind
    label: str
    status: str | None
    metrics: Mapping[str, float]
    data_ref: str


class LineageEdge(Contract):
    """A relation between ``source`` and ``target``; the label of a ``parent_of`` is the operator."""

    id: str
    source: str
    target: str
    kind: EdgeKind
    label: str | None = None


class LineageView(Contract):
    """The lineage of a run after the event ``sequence_through``; both ends of every edge are among the nodes."""

    run_id: str
    sequence_through: Count
    nodes: tuple[LineageNode, ...]
    edges: tuple[LineageEdge, ...]


class _Introduced(NamedTuple):
    kind: NodeKind
    label: str
    data_ref: str


class LineageFold:
    """Folds events into a ``LineageView``; takes every event of one run in order.

    States, numbers and edges are stored apart from the nodes and joined in ``view``, so that none is lost if it is
    recorded before its node. A step's label is its alias, or else its domain's word for it, or else its name.
    """

    def __init__(self, wording: Wording = NO_WORDS) -> None:
        self._wording = wording
        self._last: Event | None = None
        self._nodes: dict[str, _Introduced] = {}
        self._statuses: dict[str, str] = {}
        self._metrics: defaultdict[str, dict[str, float]] = defaultdict(dict)
        self._edges: dict[str, LineageEdge] = {}
        self._examining: dict[str, Operation] = {}

    def take(self, event: Event) -> Self:
        """Fold one event."""
        self._last = event
        self._statuses.update(genome_statuses(event))
        self._statuses.update(candidate_statuses(event))
        self._take_generation(event)
        self._take_organism(event)
        self._take_operation(event)
        return self

    def _take_generation(self, event: Event) -> None:
        status = GENERATION_STATUS_AFTER.get(event.type)
        if status is None or event.generation_id is None:
            return
        figures = {name: float(value) for name, value in generation_figures(event.payload).items() if value is not None}
        self._introduce(event.generation_id, "generation", event.generation_id, event)
        self._statuses[event.generation_id] = status
        self._metrics[event.generation_id].update(figures)
        if isinstance(event.payload, GenerationStarted):
            node = self._nodes[event.generation_id]
            self._nodes[event.generation_id] = node._replace(label=f"generation {event.payload.index}")

    def _take_organism(self, event: Event) -> None:
        match event.payload:
            case GenomeSpawned(genome=genome):
                self._spawned(genome, event)
            case GenomeMutated(child_id=child, parents=parents, operator=operator):
                self._descend(child, parents, operator)
            case GenomeFused(child_id=child, parents=parents, mode=mode):
                self._descend(child, parents, mode)
            case CandidateCreated(candidate=candidate):
                self._created(candidate, event)
            case FitnessScored(score=score):
                self._scored(score, event)

    def _take_operation(self, event: Event) -> None:
        match event.payload:
            case OperationStarted(operation=operation):
                if operation.kind in ("examine", "challenge") and operation.subject_kind in ("candidate", "pair"):
                    self._examining[operation.id] = operation
            case OperationCompleted(operation_id=ended, degraded=degraded, usage=usage):
                self._examined(ended, "degraded" if degraded else "completed", usage, event)
            case OperationFailed(operation_id=ended, usage=usage):
                self._examined(ended, "failed", usage, event)
            case EnergySpent(actual=actual):
                self._charge(event, actual)

    def _spawned(self, genome: Genome, event: Event) -> None:
        self._introduce(genome.id, "genome", f"genome {genome.birth}", event)
        self._metrics[genome.id] |= {"birth": float(genome.birth), "depth": float(genome.depth)}
        self._descend(genome.id, genome.parents)
        if event.generation_id is not None:
            self._introduce(event.generation_id, "generation", event.generation_id, event)
            self._statuses.setdefault(event.generation_id, GenerationStatus.PENDING)
            self._connect("member_of", genome.id, event.generation_id)

    def _descend(self, child: str, parents: tuple[str, ...], operator: str | None = None) -> None:
        for parent in parents:
            self._connect("parent_of", parent, child, operator)

    def _created(self, candidate: Candidate, event: Event) -> None:
        label = candidate.summary[:_LONGEST_LABEL] or f"candidate {candidate.birth}"
        self._introduce(candidate.id, "candidate", label, event)
        self._metrics[candidate.id]["birth"] = float(candidate.birth)
        self._connect("expressed", candidate.genome_id, candidate.id)

    def _scored(self, score: FitnessScore, event: Event) -> None:
        node_id = f"score:{score.candidate_id}:{score.policy_version}"
        self._introduce(node_id, "score", score.policy_version, event)
        self._metrics[node_id] = {**score.components, "total": score.total}
        self._metrics[score.candidate_id]["fitness"] = score.total
        self._connect("scored", score.candidate_id, node_id)

    def _examined(self, operation_id: str, phase: Phase, usage: Usage, event: Event) -> None:
        operation = self._examining.pop(operation_id, None)
        if operation is None:
            return
        step = operation.step
        review = role_of(self._wording, step, operation.kind) == "review"
        label = phase_alias(self._wording, step, phase) or word_of(self._wording, step)
        self._introduce(operation.id, "review" if review else "check", label, event)
        self._statuses[operation.id] = phase
        self._metrics[operation.id].update(_amounts(usage))
        for subject in operation.subject_ids:
            self._connect("reviewed" if review else "checked", subject, operation.id)

    def _charge(self, event: Event, energy: int) -> None:
        charged = [subject for subject in (event.genome_id, event.candidate_id) if subject is not None]
        if event.operation_id in self._examining or event.operation_id in self._nodes:
            charged.append(str(event.operation_id))
        for subject in charged:
            metrics = self._metrics[subject]
            metrics["energy"] = metrics.get("energy", 0.0) + energy

    def _introduce(self, node_id: str, kind: NodeKind, label: str, event: Event) -> None:
        self._nodes.setdefault(node_id, _Introduced(kind, label, event.id))

    def _connect(self, kind: EdgeKind, source: str, target: str, label: str | None = None) -> None:
        edge_id = f"{kind}:{source}>{target}"
        if label is not None or edge_id not in self._edges:  # a later event may add the operator
            self._edges[edge_id] = LineageEdge(id=edge_id, source=source, target=target, kind=kind, label=label)

    def view(self) -> LineageView | None:
        """Return the view; None before the first event."""
        if self._last is None:
            return None
        return LineageView(
            run_id=self._last.run_id,
            sequence_through=self._last.sequence,
            nodes=tuple(self._drawn_nodes()),
            edges=tuple(edge for edge in self._edges.values() if {edge.source, edge.target} <= self._nodes.keys()),
        )

    def _drawn_nodes(self) -> Iterator[LineageNode]:
        for node_id, (kind, label, data_ref) in self._nodes.items():
            status, metrics = self._statuses.get(node_id), self._metrics.get(node_id, {})
            yield LineageNode(id=node_id, kind=kind, label=label, status=status, metrics=metrics, data_ref=data_ref)


def _amounts(usage: Usage) -> dict[str, float]:
    """Return the non-zero amounts of ``usage``."""
    return {name: float(amount) for name, amount in usage if amount}


# The founders from earlier runs, and the run's own founder that is the original for all comparisons.


class Founders:
    """Separates genomes inherited from earlier runs from the run's own founders; takes genomes in order of birth.

    ``inherited`` has those of earlier runs by id, ``original`` is the domain's first own founder. A run's ancestors
    are born first, in their order; a domain may leave out champions. If an ancestor equals the original, the domain's
    own founder is only its twin and is never examined: then the ancestor is the original.
    """

    def __init__(self, ancestors: Iterable[Ancestor] = ()) -> None:
        self._coming = list(ancestors)
        self.inherited: dict[str, Ancestor] = {}
        self.original: str | None = None

    def take(self, genome: Genome) -> None:
        """Classify a genome that was born; one with parents is neither."""
        if genome.parents or self.original is not None:
            return
        place = next((place for place, each in enumerate(self._coming) if each.traits == genome.traits), None)
        if place is not None:
            self.inherited[genome.id] = self._coming[place]
            del self._coming[: place + 1]  # born in order, so the domain left out those before it
            return
        twins = [name for name, each in self.inherited.items() if each.traits == genome.traits]
        self.original = next(iter(twins), genome.id)
        self.inherited.pop(self.original, None)


class EarlierChampion(Contract):
    """A niche's champion from an earlier run; it remains champion until a run adopts a better one."""

    run_id: str
    candidate_id: str


def niches_before(config: RunConfig) -> dict[str, int]:
    """Return a run's niches, the first one first, with the number of challenges made there before the run."""
    return {config.first_niche: config.challenges_before, **{each.niche: each.challenges for each in config.niches}}


def champions_before(config: RunConfig) -> dict[str, EarlierChampion]:
    """Return the champions in a run's niches at its start, by niche."""
    return {
        each.niche or config.first_niche: EarlierChampion(run_id=each.run_id, candidate_id=each.candidate_id)
        for each in config.ancestors
        if each.champion
    }
