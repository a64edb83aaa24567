"""The state of a run: what ``fold`` makes of its events, and the ledger of what it spent.

Owned by one conductor, changed in place, never copied.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from mendel.contracts.base import JsonObject
from mendel.contracts.caps import RunCaps
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.energy import MAX_USAGE, Usage
from mendel.contracts.evaluations import Tier
from mendel.contracts.events.candidate import RepairWish
from mendel.contracts.events.operation import Operation, OperationCompleted, OperationFailed
from mendel.contracts.events.run import CapName
from mendel.contracts.ids import parse_run_id
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import CandidateStatus, GenerationStatus, GenomeStatus, RunStatus
from mendel.contracts.verdicts import MOST_FAILED_CHALLENGES, Verdict
from mendel.kernel.dossier import AdoptionState, Observation

# The ledger: what was spent, what is reserved, what is left (rules 1 and 8).


_SUMMED = (
    "tokens_in",
    "tokens_out",
    "tool_calls",
    "spawns",
    "cpu_ms",
    "opcodes",
    "wall_ms",
    "cost_microusd",
    "evaluations",
)

COUNTED: tuple[CapName, ...] = ("max_tool_calls", "max_tokens", "max_cost_microusd", "max_evaluations")


def _bounded(amount: int) -> int:
    """A sum of reports stays a number that JSON carries; far above any cap, more makes no difference."""
    return min(amount, MAX_USAGE)


@dataclass(slots=True)
class Tally:
    """Tool calls, tokens, money and evaluations."""

    max_tool_calls: int = 0
    max_tokens: int = 0
    max_cost_microusd: int = 0
    max_evaluations: int = 0

    def add(self, usage: Usage, sign: int = 1) -> None:
        """Count ``usage``, or take it back."""
        self.max_tool_calls = _bounded(self.max_tool_calls + sign * usage.tool_calls)
        self.max_tokens = _bounded(self.max_tokens + sign * (usage.tokens_in + usage.tokens_out))
        self.max_cost_microusd = _bounded(self.max_cost_microusd + sign * usage.cost_microusd)
        self.max_evaluations = _bounded(self.max_evaluations + sign * usage.evaluations)


@dataclass(slots=True)
class Ledger:
    """Conserved at every event: spent + reserved + free = budget, and spent only grows."""

    spent: int = 0
    reserved: int = 0
    used: Tally = field(default_factory=Tally)
    held: Tally = field(default_factory=Tally)
    measured: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_SUMMED, 0))

    def reserve(self, operation: Operation) -> None:
        """An attempt starts."""
        self.reserved += operation.reserved_energy
        self.held.add(operation.allowance)

    def abandon(self, operation: Operation) -> None:
        """An attempt was lost with its conductor: no energy, but its worst case counts as used for ever."""
        self.reserved -= operation.reserved_energy
        self.held.add(operation.allowance, -1)
        self.used.add(operation.allowance)

    def reconcile(self, operation: Operation, usage: Usage, lost: int = 0) -> None:
        """An attempt ended and said what it used; of ``lost`` deliveries before it nobody did."""
        for _ in range(lost):
            self.used.add(operation.allowance)
        self.reserved -= operation.reserved_energy
        self.held.add(operation.allowance, -1)
        self.used.add(usage)
        for name in _SUMMED:
            self.measured[name] = _bounded(self.measured[name] + getattr(usage, name))

    def charge(self, energy: int) -> None:
        """A success is paid."""
        self.spent += energy

    def lacking(self, caps: RunCaps, energy: int, wanted: Tally) -> CapName | None:
        """The cap that forbids to start something at that worst case, if any does."""
        if self.spent + self.reserved + energy > caps.energy_budget:
            return "energy_budget"
        for name in COUNTED:
            demand = getattr(wanted, name)
            if demand and getattr(self.used, name) + getattr(self.held, name) + demand > getattr(caps, name):
                return name
        return None

    def lacking_again(self, caps: RunCaps, operation: Operation) -> CapName | None:
        """As ``lacking``, for another attempt of what is in flight: its energy is reserved, its usage counts twice."""
        wanted = Tally()
        wanted.add(operation.allowance)
        return self.lacking(caps, 0, wanted)

    def consumed(self, cap: CapName) -> int:
        """How much of ``cap`` is spent or reserved."""
        if cap == "energy_budget":
            return self.spent + self.reserved
        return int(getattr(self.used, cap) + getattr(self.held, cap))


@dataclass(slots=True)
class InFlight:
    """A marker without its completion."""

    operation: Operation
    attempt: int
    started_at: datetime


class EndedChild(NamedTuple):
    """A child operation and its one completion, which answers whoever asks for it again."""

    operation: Operation
    completion: OperationCompleted | OperationFailed


@dataclass(slots=True)
class Family:
    """The children of an operation in flight. They take no slot, and what they use is their parent's."""

    open: dict[str, InFlight] = field(default_factory=dict)
    ended: dict[str, EndedChild] = field(default_factory=dict)


@dataclass(slots=True)
class StepLog:
    """The steps of one subject in the order in which they were asked for; ``None`` while one is in flight."""

    ended: dict[str, Observation | None] = field(default_factory=dict)
    open: int = 0
    rounds: int = 0

    def begin(self, operation_id: str) -> None:
        """A step was asked for; the first of several at once opens a round."""
        if operation_id not in self.ended:
            self.rounds += self.open == 0
            self.ended[operation_id] = None
            self.open += 1

    def end(self, operation_id: str, observation: Observation) -> None:
        """The step ended."""
        self.ended[operation_id] = observation
        self.open -= 1

    def observations(self) -> tuple[Observation, ...]:
        """What was observed so far."""
        return tuple(observation for observation in self.ended.values() if observation is not None)


@dataclass(slots=True)
class GenomeState:
    """A genome and how far it is."""

    genome: Genome
    generation: int
    status: GenomeStatus
    candidates: list[str] = field(default_factory=list)
    unsettled: int = 0
    early: bool = False
    best: tuple[float, str] | None = None


@dataclass(slots=True)
class CandidateState:
    """A candidate and what was recorded of it. ``content`` is what it says now, a repair included."""

    candidate: Candidate
    content: DomainPayload
    generation: int
    ordinal: int
    status: CandidateStatus
    steps: StepLog = field(default_factory=StepLog)
    repaired: bool = False
    score: FitnessScore | None = None
    verdict: Verdict | None = None
    verdict_event_id: str | None = None
    challenged: bool = False
    adoption: AdoptionState | None = None
    adoption_event_id: str | None = None

    @property
    def challenge_failed(self) -> bool:
        """Whether a challenge of it ended without a verdict: what that spent is spent, and it does not get another."""
        return any(seen.kind == "challenge" and seen.failed is not None for seen in self.steps.observations())


@dataclass(slots=True)
class Entry:
    """A survivor in a generation that it entered anew: what was observed of it there, and the fitness that it got."""

    steps: StepLog = field(default_factory=StepLog)
    score: FitnessScore | None = None
    over: bool = False


@dataclass(slots=True)
class GenerationState:
    """A generation, with how many of its members are where."""

    index: int
    id: str
    first_birth: int
    status: GenerationStatus = GenerationStatus.PENDING
    population: int = 0
    conditions: DomainPayload | None = None
    offspring_conditions: DomainPayload | None = None
    entered_at: datetime | None = None
    births_open: int = 0
    births_lost: int = 0
    genome_ids: list[str] = field(default_factory=list)
    expressing: int = 0
    expressed: int = 0
    failed_genomes: list[str] = field(default_factory=list)
    verifying: int = 0
    checked: int = 0
    scored: int = 0
    best: float | None = None
    total: float = 0.0
    steps: StepLog = field(default_factory=StepLog)

    @property
    def end(self) -> int:
        """How many births were decided up to its last."""
        return self.first_birth + len(self.genome_ids) + self.births_lost


@dataclass(slots=True)
class NicheState:
    """One niche of the run: its champion and how many challenges were made in it (rule 10), its best and its births.

    ``births`` are those bred from parents of the niche, by their index; a child may land in another one.
    """

    challenges: int = 0
    champion_id: str | None = None
    champion_is_ours: bool = False
    champion_content: DomainPayload | None = None
    replaced_id: str | None = None
    replaced_is_ours: bool = False
    replaced_content: DomainPayload | None = None
    open_challenge: str | None = None
    last_challenger: str | None = None
    best: tuple[float, str] | None = None
    births: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Agenda:
    """Who waits for a decision. Dictionaries keep the order of arrival and forget in constant time."""

    to_express: dict[str, None] = field(default_factory=dict)
    to_route: dict[str, None] = field(default_factory=dict)
    to_score: dict[str, None] = field(default_factory=dict)
    proposals: deque[tuple[str, JsonObject]] = field(default_factory=deque)


class Bred(NamedTuple):
    """How a birth was decided, as its marker says, and the energy that its models took, once that is known."""

    parents: tuple[str, ...]
    operator: str | None
    reads_through: int
    why: str
    site: str | None = None
    asked: int | None = None
    niche: str | None = None


@dataclass(slots=True)
class Births:
    """Which births were decided and which are settled: scored, dropped or lost."""

    decided: int = 0
    unexpressed: int = 0
    settled_through: int = 0
    settled_ahead: set[int] = field(default_factory=set)
    arrived: list[int] = field(default_factory=list)
    genome_of: dict[int, str] = field(default_factory=dict)
    bred: dict[int, Bred] = field(default_factory=dict)
    home_of: dict[int, str] = field(default_factory=dict)
    wishes: dict[int, list[tuple[str, RepairWish]]] = field(default_factory=dict)

    @property
    def unsettled(self) -> int:
        """How many births are on their way."""
        return self.decided - len(self.arrived)

    def settle(self, birth: int) -> None:
        """The birth's result stands."""
        self.arrived.append(birth)
        self.settled_ahead.add(birth)
        while self.settled_through in self.settled_ahead:
            self.settled_ahead.remove(self.settled_through)
            self.settled_through += 1


@dataclass(slots=True)
class Times:
    """Recorded time: of the last event, and how long the run was conducted in all."""

    now: datetime | None = None
    started_at: datetime | None = None
    epoch_began: datetime | None = None
    conducted_before_ms: float = 0.0

    def conducted_ms(self) -> int:
        """Milliseconds during which somebody conducted the started run; while nobody does, nothing runs."""
        if self.now is None or self.epoch_began is None:
            return int(self.conducted_before_ms)
        return int(self.conducted_before_ms + _ms(self.epoch_began, self.now))


@dataclass(slots=True)
class RunState:
    """Everything that is known of a run after its last folded event.

    ``isolation_of`` has every operation that completed, children too, with the weakest walls behind which it ran
    anything; what a verdict says of recorded samples is held against it.
    ``entries`` are the survivors that entered a generation anew, by its index and by candidate; those that wait there
    for a decision are ``entering``, and ``entries_open`` is how many are not scored yet. ``looks`` are the vectors that
    examinations and repairs made of candidates. ``failed_challenges`` counts by niche those in a row without a verdict.
    """

    run_id: str
    sequence: int = -1
    status: RunStatus | None = None
    config_: RunConfig | None = None
    caps: RunCaps = field(default_factory=RunCaps)
    slots: int = 0
    epoch: int | None = None
    epochs: int = 0
    ending: str | None = None
    doom: str | None = None
    broken: str | None = None
    caps_reached: set[str] = field(default_factory=set)
    ledger: Ledger = field(default_factory=Ledger)
    times: Times = field(default_factory=Times)
    births: Births = field(default_factory=Births)
    agenda: Agenda = field(default_factory=Agenda)
    niches: dict[str, NicheState] = field(default_factory=dict)
    genomes: dict[str, GenomeState] = field(default_factory=dict)
    candidates: dict[str, CandidateState] = field(default_factory=dict)
    scored_order: list[str] = field(default_factory=list)
    generations: list[GenerationState] = field(default_factory=list)
    generation_of: dict[str, int] = field(default_factory=dict)
    open_generations: dict[int, None] = field(default_factory=dict)
    in_flight: dict[str, InFlight] = field(default_factory=dict)
    waiting: int = 0
    founders: int = 0
    living: int = 0
    early: int = 0
    deepest: int = 0
    commands_through: int = 0
    best: tuple[float, str] | None = None
    scored: int = 0
    weakly_isolated: bool = False
    landed: dict[str, str] = field(default_factory=dict)
    families: dict[str, Family] = field(default_factory=dict)
    parent_of: dict[str, str] = field(default_factory=dict)
    parameters: DomainPayload | None = None
    parameters_of: dict[str, DomainPayload] = field(default_factory=dict)
    isolation_of: dict[str, Tier | None] = field(default_factory=dict)
    entries: dict[int, dict[str, Entry]] = field(default_factory=dict)
    entering: dict[str, int] = field(default_factory=dict)
    entries_open: int = 0
    looks: dict[str, EmbeddingRecord] = field(default_factory=dict)
    failed_challenges: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parse_run_id(self.run_id)

    @property
    def config(self) -> RunConfig:
        """The configuration; there is one after the first event."""
        if self.config_ is None:
            raise RuntimeError("the run is not configured yet")
        return self.config_

    @property
    def niche(self) -> NicheState:
        """The first niche; most runs have no other."""
        return next(iter(self.niches.values()))

    @property
    def first_niche(self) -> str:
        """Its name."""
        return next(iter(self.niches))

    def niche_name(self, candidate_id: str) -> str:
        """The niche in which the candidate competes; until its examination is complete, the one it was bred in."""
        if len(self.niches) == 1:
            return self.first_niche
        landed = self.landed.get(candidate_id)
        return landed if landed is not None else self.bred_in(self.candidates[candidate_id].candidate.birth)

    def bred_in(self, birth: int) -> str:
        """The niche that the parents of a birth were chosen from; of who has none, the first."""
        bred = self.births.bred.get(birth)
        return (bred.niche if bred is not None else None) or self.first_niche

    def niche_of(self, candidate_id: str) -> NicheState:
        """As :meth:`niche_name`, what is known of it."""
        return self.niches[self.niche_name(candidate_id)]

    def looks_of(self, known: CandidateState) -> EmbeddingRecord | None:
        """The recorded vector of what a candidate says; of its genome's traits where there is no other."""
        seen = self.looks.get(known.candidate.id)
        if seen is None and not known.repaired:
            seen = known.candidate.looks
        return seen if seen is not None else self.genomes[known.candidate.genome_id].genome.looks

    def fitness_in(self, genome: GenomeState, generation: int) -> tuple[float, str] | None:
        """The fitness of a genome that holds in a generation, and whose it is: what its best candidate got last."""
        if genome.best is None or not self.entries:
            return genome.best
        candidate_id = genome.best[1]
        for index in range(generation, genome.generation, -1):
            entry = self.entries.get(index, {}).get(candidate_id)
            if entry is not None and entry.score is not None:
                return entry.score.total, candidate_id
        return genome.best

    def may_challenge(self, niche: str) -> bool:
        """Whether a niche may have another challenge: not where the last ones failed, each at the budget's expense."""
        return self.failed_challenges.get(niche, 0) < MOST_FAILED_CHALLENGES

    @property
    def seed(self) -> int:
        """The number that every draw is keyed with."""
        return self.config.rng_seed

    @property
    def terminal(self) -> bool:
        """Whether the run is over."""
        return self.status is not None and self.status.terminal

    def flown(self, operation_id: str) -> InFlight | None:
        """The operation of that id, or the child, if it is in flight."""
        parent = self.parent_of.get(operation_id)
        return self.in_flight.get(operation_id) if parent is None else self.families[parent].open[operation_id]

    @property
    def population(self) -> int:
        """How many live: parents to be, and every birth that is on its way; one that is both counts once."""
        return self.living + self.births.unsettled - self.early

    @property
    def performing(self) -> int:
        """How many operations take a slot."""
        return len(self.in_flight) - self.waiting

    def lives(self) -> Iterator[GenerationState]:
        """The generations that have not ended."""
        return (self.generations[index] for index in list(self.open_generations))


def _ms(begin: datetime, end: datetime) -> float:
    return max(0.0, (end - begin).total_seconds() * 1_000)
