"""The state of a run, which ``fold`` builds from its events, with the ledger of its resources.

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

# The ledger: spent, reserved and free resources (rules 1 and 8).


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
    """Limit a sum to what JSON can carry; the limit is far above any cap, so the rest makes no difference."""
    return min(amount, MAX_USAGE)


@dataclass(slots=True)
class Tally:
    """Amounts of tool calls, tokens, money and evaluations, by the caps that limit them."""

    max_tool_calls: int = 0
    max_tokens: int = 0
    max_cost_microusd: int = 0
    max_evaluations: int = 0

    def add(self, usage: Usage, sign: int = 1) -> None:
        """Add ``usage``, or subtract it with ``sign`` -1."""
        self.max_tool_calls = _bounded(self.max_tool_calls + sign * usage.tool_calls)
        self.max_tokens = _bounded(self.max_tokens + sign * (usage.tokens_in + usage.tokens_out))
        self.max_cost_microusd = _bounded(self.max_cost_microusd + sign * usage.cost_microusd)
        self.max_evaluations = _bounded(self.max_evaluations + sign * usage.evaluations)


@dataclass(slots=True)
class Ledger:
    """The resources of a run. At every event spent + reserved + free = budget, and spent never decreases."""

    spent: int = 0
    reserved: int = 0
    used: Tally = field(default_factory=Tally)
    held: Tally = field(default_factory=Tally)  # the allowances of operations in flight
    measured: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_SUMMED, 0))

    def reserve(self, operation: Operation) -> None:
        """Reserve the worst case of an attempt that starts."""
        self.reserved += operation.reserved_energy
        self.held.add(operation.allowance)

    def abandon(self, operation: Operation) -> None:
        """Release the energy of an attempt that was lost with its conductor; its worst case stays counted as used."""
        self.reserved -= operation.reserved_energy
        self.held.add(operation.allowance, -1)
        self.used.add(operation.allowance)

    def reconcile(self, operation: Operation, usage: Usage, lost: int = 0) -> None:
        """Replace the reservation of an ended attempt by its reported usage, after ``lost`` deliveries without one."""
        for _ in range(lost):  # their real usage is unknown, so each counts at its worst
            self.used.add(operation.allowance)
        self.reserved -= operation.reserved_energy
        self.held.add(operation.allowance, -1)
        self.used.add(usage)
        for name in _SUMMED:
            self.measured[name] = _bounded(self.measured[name] + getattr(usage, name))

    def charge(self, energy: int) -> None:
        """Add the energy that a successful operation costs."""
        self.spent += energy

    def lacking(self, caps: RunCaps, energy: int, wanted: Tally) -> CapName | None:
        """Return the first cap that does not cover this worst case; None if all do."""
        if self.spent + self.reserved + energy > caps.energy_budget:
            return "energy_budget"
        for name in COUNTED:
            demand = getattr(wanted, name)  # an operation that needs none of it is not stopped by it
            if demand and getattr(self.used, name) + getattr(self.held, name) + demand > getattr(caps, name):
                return name
        return None

    def lacking_again(self, caps: RunCaps, operation: Operation) -> CapName | None:
        """As ``lacking``, for a retry of an operation in flight: its energy is reserved, its usage counts twice."""
        wanted = Tally()
        wanted.add(operation.allowance)
        return self.lacking(caps, 0, wanted)

    def consumed(self, cap: CapName) -> int:
        """Return how much of ``cap`` is spent or reserved."""
        if cap == "energy_budget":
            return self.spent + self.reserved
        return int(getattr(self.used, cap) + getattr(self.held, cap))


@dataclass(slots=True)
class InFlight:
    """An operation in flight: it has a start marker and no completion yet."""

    operation: Operation
    attempt: int
    started_at: datetime


class EndedChild(NamedTuple):
    """A child operation with its only completion, which is returned whenever the child is requested again."""

    operation: Operation
    completion: OperationCompleted | OperationFailed


@dataclass(slots=True)
class Family:
    """The children of an operation in flight. They take no slot; their parent is charged for their usage."""

    open: dict[str, InFlight] = field(default_factory=dict)
    ended: dict[str, EndedChild] = field(default_factory=dict)


@dataclass(slots=True)
class StepLog:
    """The steps of one subject in the order of their requests; ``None`` for a step in flight."""

    ended: dict[str, Observation | None] = field(default_factory=dict)
    open: int = 0
    rounds: int = 0

    def begin(self, operation_id: str) -> None:
        """Note a requested step; the first of several concurrent ones opens a round."""
        if operation_id not in self.ended:  # a retry has the same id
            self.rounds += self.open == 0
            self.ended[operation_id] = None
            self.open += 1

    def end(self, operation_id: str, observation: Observation) -> None:
        """Note the result of a step."""
        self.ended[operation_id] = observation
        self.open -= 1

    def observations(self) -> tuple[Observation, ...]:
        """Return all observations so far."""
        return tuple(observation for observation in self.ended.values() if observation is not None)


@dataclass(slots=True)
class GenomeState:
    """A genome and its progress."""

    genome: Genome
    generation: int
    status: GenomeStatus
    candidates: list[str] = field(default_factory=list)
    unsettled: int = 0  # candidates without a final result
    early: bool = False  # lives already, although not all of its candidates are settled
    best: tuple[float, str] | None = None


@dataclass(slots=True)
class CandidateState:
    """A candidate and the facts recorded about it. ``content`` is its current content, after a repair if any."""

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
        """Whether a challenge of it ended without a verdict: its budget share is spent, and it gets no second one."""
        return any(seen.kind == "challenge" and seen.failed is not None for seen in self.steps.observations())


@dataclass(slots=True)
class Entry:
    """A survivor that entered a later generation: its observations and its fitness there."""

    steps: StepLog = field(default_factory=StepLog)
    score: FitnessScore | None = None
    over: bool = False


@dataclass(slots=True)
class GenerationState:
    """A generation, with the number of its members in each state."""

    index: int
    id: str
    first_birth: int
    status: GenerationStatus = GenerationStatus.PENDING
    population: int = 0
    conditions: DomainPayload | None = None
    offspring_conditions: DomainPayload | None = None
    entered_at: datetime | None = None
    births_open: int = 0  # variations in flight
    births_lost: int = 0  # failed variations
    genome_ids: list[str] = field(default_factory=list)
    expressing: int = 0  # genomes not expressed yet
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
        """Number of births decided up to and including its last one."""
        return self.first_birth + len(self.genome_ids) + self.births_lost


@dataclass(slots=True)
class NicheState:
    """One niche of the run: its champion and number of challenges (rule 10), its best candidate and its births.

    ``births`` are the indices of births from parents of this niche; the child may land in another niche.
    """

    challenges: int = 0
    champion_id: str | None = None
    champion_is_ours: bool = False
    champion_content: DomainPayload | None = None
    replaced_id: str | None = None  # the champion before, which a revocation restores
    replaced_is_ours: bool = False
    replaced_content: DomainPayload | None = None
    open_challenge: str | None = None
    last_challenger: str | None = None
    best: tuple[float, str] | None = None
    births: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Agenda:
    """Subjects that wait for a decision. Dictionaries keep the order of arrival and delete in constant time."""

    to_express: dict[str, None] = field(default_factory=dict)
    to_route: dict[str, None] = field(default_factory=dict)
    to_score: dict[str, None] = field(default_factory=dict)
    proposals: deque[tuple[str, JsonObject]] = field(default_factory=deque)


class Bred(NamedTuple):
    """The decision on a birth, as its marker records it, and the energy of its model calls (``asked``) once known."""

    parents: tuple[str, ...]
    operator: str | None
    reads_through: int
    why: str
    site: str | None = None
    asked: int | None = None
    niche: str | None = None


@dataclass(slots=True)
class Births:
    """The births that are decided, and those that are settled: scored, dropped or lost."""

    decided: int = 0
    unexpressed: int = 0  # decided births without their candidates yet
    settled_through: int = 0
    settled_ahead: set[int] = field(default_factory=set)  # settled births above settled_through
    arrived: list[int] = field(default_factory=list)  # settled births in order of arrival
    genome_of: dict[int, str] = field(default_factory=dict)
    bred: dict[int, Bred] = field(default_factory=dict)
    home_of: dict[int, str] = field(default_factory=dict)  # generations of births in flight
    wishes: dict[int, list[tuple[str, RepairWish]]] = field(default_factory=dict)

    @property
    def unsettled(self) -> int:
        """Number of births in flight."""
        return self.decided - len(self.arrived)

    def settle(self, birth: int) -> None:
        """Note that the result of ``birth`` is final."""
        self.arrived.append(birth)
        self.settled_ahead.add(birth)
        while self.settled_through in self.settled_ahead:
            self.settled_ahead.remove(self.settled_through)
            self.settled_through += 1


@dataclass(slots=True)
class Times:
    """Recorded time: of the last event, and the run's total time with a conductor."""

    now: datetime | None = None
    started_at: datetime | None = None
    epoch_began: datetime | None = None
    conducted_before_ms: float = 0.0

    def conducted_ms(self) -> int:
        """Return how many milliseconds the started run had a conductor; without one, nothing runs."""
        if self.now is None or self.epoch_began is None:
            return int(self.conducted_before_ms)
        return int(self.conducted_before_ms + _ms(self.epoch_began, self.now))


@dataclass(slots=True)
class RunState:
    """Everything known about a run after its last folded event.

    ``isolation_of`` maps every completed operation, children included, to the weakest isolation tier in which it ran
    code (None if it ran none); a verdict's statements about recorded samples are checked against it.
    ``entries`` are the survivors that entered a later generation, by generation index and candidate. ``entering`` are
    those of them that wait for a decision, and ``entries_open`` is the number not scored yet. ``looks`` are the
    vectors that examinations and repairs made of candidates. ``failed_challenges`` is the number of consecutive
    challenges without a verdict, by niche.
    """

    run_id: str
    sequence: int = -1
    status: RunStatus | None = None
    config_: RunConfig | None = None
    caps: RunCaps = field(default_factory=RunCaps)
    slots: int = 0
    epoch: int | None = None  # the sequence of the last takeover
    epochs: int = 0
    ending: str | None = None  # why the run ends
    doom: str | None = None  # set by a kill command; the failure is recorded next
    broken: str | None = None  # why nothing more is bred: a failed generation
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
    waiting: int = 0  # operations in flight that only wait and take no slot
    founders: int = 0
    living: int = 0  # genomes that live on as parents
    early: int = 0
    deepest: int = 0
    commands_through: int = 0  # position of the last answered command
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
        """The configuration, set by the first event."""
        if self.config_ is None:
            raise RuntimeError("the run is not configured yet")
        return self.config_

    @property
    def niche(self) -> NicheState:
        """The first niche; most runs have only one."""
        return next(iter(self.niches.values()))

    @property
    def first_niche(self) -> str:
        """The name of the first niche."""
        return next(iter(self.niches))

    def niche_name(self, candidate_id: str) -> str:
        """Return the niche in which the candidate competes; until its examination is complete, its parents' niche."""
        if len(self.niches) == 1:
            return self.first_niche
        landed = self.landed.get(candidate_id)
        return landed if landed is not None else self.bred_in(self.candidates[candidate_id].candidate.birth)

    def bred_in(self, birth: int) -> str:
        """Return the niche from which a birth's parents were chosen; the first niche for a founder."""
        bred = self.births.bred.get(birth)
        return (bred.niche if bred is not None else None) or self.first_niche

    def niche_of(self, candidate_id: str) -> NicheState:
        """Return the state of the niche in which the candidate competes, see :meth:`niche_name`."""
        return self.niches[self.niche_name(candidate_id)]

    def looks_of(self, known: CandidateState) -> EmbeddingRecord | None:
        """Return the recorded vector of a candidate's content, or else of its genome's traits."""
        seen = self.looks.get(known.candidate.id)
        if seen is None and not known.repaired:  # a repair changed the content: the vector at birth is outdated
            seen = known.candidate.looks
        return seen if seen is not None else self.genomes[known.candidate.genome_id].genome.looks

    def fitness_in(self, genome: GenomeState, generation: int) -> tuple[float, str] | None:
        """Return a genome's fitness as of a generation, with its best candidate: the score that it got last."""
        if genome.best is None or not self.entries:
            return genome.best
        candidate_id = genome.best[1]
        for index in range(generation, genome.generation, -1):
            entry = self.entries.get(index, {}).get(candidate_id)
            if entry is not None and entry.score is not None:
                return entry.score.total, candidate_id
        return genome.best

    def may_challenge(self, niche: str) -> bool:
        """Return whether a niche may have another challenge: each failed one spent budget, so failures are limited."""
        return self.failed_challenges.get(niche, 0) < MOST_FAILED_CHALLENGES

    @property
    def seed(self) -> int:
        """The seed that every draw is keyed with."""
        return self.config.rng_seed

    @property
    def terminal(self) -> bool:
        """Whether the run is over."""
        return self.status is not None and self.status.terminal

    def flown(self, operation_id: str) -> InFlight | None:
        """Return the operation or child operation with that id if it is in flight."""
        parent = self.parent_of.get(operation_id)
        return self.in_flight.get(operation_id) if parent is None else self.families[parent].open[operation_id]

    @property
    def population(self) -> int:
        """Number of survivors and births in flight; a genome that is both counts once."""
        return self.living + self.births.unsettled - self.early

    @property
    def performing(self) -> int:
        """Number of operations that take a slot; waits take none."""
        return len(self.in_flight) - self.waiting

    def lives(self) -> Iterator[GenerationState]:
        """Return the generations that have not ended."""
        return (self.generations[index] for index in list(self.open_generations))  # a copy: folding removes from it


def _ms(begin: datetime, end: datetime) -> float:
    return max(0.0, (end - begin).total_seconds() * 1_000)
