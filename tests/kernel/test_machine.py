"""Runs driven at random, command by command and answer by answer, against a count that is too simple to be wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import pi
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.kernel.scripted import CROSS, NUDGE, ScriptedDomain, out, scattered, several, thing, value_of, verdict
from tests.kernel.track import Track

from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import EnergyCosts, Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.operation import OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import NicheStart, Pace, RunConfig
from mendel.contracts.statuses import CandidateStatus, GenomeStatus, RunStatus
from mendel.contracts.verdicts import Decision
from mendel.contracts.work import Answer, Failure, Work
from mendel.kernel.decide import decide
from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.domain import Expression, Refused, Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.fold import fold
from mendel.kernel.mind import Mind
from mendel.kernel.moves import Adopt, Challenge, Confirm, Examine, Move, Repair, Revoke, Score, Vary, Wait
from mendel.kernel.state import RunState
from mendel.selection.selectors import Tournament

LIVING = ("eligible_parent", "reproduced")
LIMITED = ("max_tool_calls", "max_tokens", "max_cost_microusd")
ALLOWANCE = Usage(tokens_in=400, tokens_out=100, tool_calls=1, cpu_ms=200, cost_microusd=10)
WITHIN = Usage(tokens_in=150, tokens_out=50, tool_calls=1, cpu_ms=50, cost_microusd=5)
OVER = Usage(tokens_in=500, tokens_out=100, tool_calls=2, cpu_ms=200, cost_microusd=10)
STRANGE = DomainPayload(domain="nobody", kind="knows", version=1, data={})

CHANGES = {
    "run.configured": ("run", "configured"),
    "run.started": ("run", "running"),
    "run.completing": ("run", "completing"),
    "run.completed": ("run", "completed"),
    "run.stopping": ("run", "stopping"),
    "run.stopped": ("run", "stopped"),
    "run.failed": ("run", "failed"),
    "run.cancelled": ("run", "cancelled"),
    "generation.started": ("generation", "running"),
    "generation.degraded": ("generation", "degraded"),
    "generation.verifying": ("generation", "verifying"),
    "generation.scoring": ("generation", "scoring"),
    "generation.reproducing": ("generation", "reproducing"),
    "generation.completed": ("generation", "completed"),
    "generation_failed": ("generation", "failed"),
    "generation.skipped": ("generation", "skipped"),
    "genome.spawned": ("genome", "seeded"),
    "genome.activated": ("genome", "active"),
    "genome.spent": ("genome", "spent"),
    "genome.failed": ("genome", "failed"),
    "genome.eligible": ("genome", "eligible_parent"),
    "genome.reproduced": ("genome", "reproduced"),
    "candidate.created": ("candidate", "created"),
    "candidate.repair_started": ("candidate", "repairing"),
    "candidate.under_review": ("candidate", "under_review"),
    "candidate.checked": ("candidate", "checked"),
    "fitness.scored": ("candidate", "scored"),
    "candidate.selected": ("candidate", "selected"),
    "candidate.rejected": ("candidate", "rejected"),
    "candidate_invalidated": ("candidate", "invalid"),
}

# --- a domain that does anything, and always the same ----------------------------------------------------------


class Whims:
    """What the domain of one example does, drawn once; the rest follows from a hash."""

    def __init__(self, seed: int, **wants: bool) -> None:
        self.seed = seed
        self.wants = wants

    def draw(self, bound: int, *what: str | int) -> int:
        return Entropy(self.seed).below(bound, *what)

    def express(self, genome: Any, config: RunConfig) -> Expression:
        if self.wants["by_step"] and self.draw(2, "step", genome.id):
            return Expression(step="scripted.express")
        count = 1 + (self.draw(3, "count", genome.id) if self.wants["several"] else 0)
        return Expression(contents=(genome.traits,) * count)

    def route(self, dossier: Dossier) -> Sequence[Move]:
        seen = len(dossier.observations)
        where = (dossier.phase, dossier.subject_id, seen)
        match dossier.phase:
            case "generation":
                return (Examine(step="scripted.survey"),) if seen < self.draw(2, *where) else ()
            case "contending":
                return self._contend(dossier, self.draw(4, *where))
        score = Score(components={"value": value_of(dossier.content) + self.draw(5, dossier.subject_id) / 10})
        if dossier.phase == "scoring":
            return (Examine(step="scripted.look"),) if seen < 4 and self.draw(6, *where) == 0 else (score,)
        return (score,) if seen > 3 else self._verify(dossier, self.draw(10, *where), score)

    def _verify(self, dossier: Dossier, draw: int, score: Score) -> Sequence[Move]:
        match draw:
            case 0:
                return (Repair(step="scripted.mend", reason="malformed"),)
            case 1:
                return (Wait(for_ms=5),)
            case 2:
                return (out(),)
            case 3 if self.wants["wishes"]:
                return (Vary(operator="nudge"), out("broken"))
            case 4 | 5:
                return (score,)
            case 6:
                return (Examine(step="scripted.look"), Examine(step="scripted.survey"), Wait(for_ms=1))
        return (Examine(step="scripted.look"),)

    def _contend(self, dossier: Dossier, draw: int) -> Sequence[Move]:
        if dossier.adoption == "made":
            return (Confirm(),) if draw else (Revoke(reason="no"),)
        if dossier.decision is Decision.ADOPT and dossier.adoption is None:
            return (Adopt(),) if draw > 1 else (Adopt(step="scripted.host"),) if len(dossier.observations) < 6 else ()
        if len(dossier.observations) > 5:
            return ()
        return ((), (Challenge(step="scripted.gate"),), (Examine(step="scripted.look"),), ())[draw]


def answered(work: Work, how: int) -> Answer | Failure:
    """What comes of an operation: something good mostly."""
    match how:
        case 1:
            return Failure(error_type="Unlucky", error_code="unlucky", message="not this time")
        case 2:
            return Failure(error_type="unlucky", error_code="late", message="too late", usage=WITHIN, attempts=2)
        case 3:
            return Answer()
        case 4:
            return Answer(findings=STRANGE, traits=STRANGE, contents=(STRANGE,))
        case 5:
            return good(work).model_copy(update={"usage": OVER})
        case 6:
            return good(work).model_copy(update={"contents": (thing(1.0),) * 4})
        case 7 if work.operation.challenge is not None:
            other = work.operation.challenge.model_copy(update={"k": work.operation.challenge.k + 1})
            return Answer(verdict=verdict(work, Decision.ADOPT, challenge=other))
    return good(work)


def good(work: Work) -> Answer:
    draw = work.entropy.below(1_000, "value")
    usage = WITHIN if work.operation.allowance.tool_calls else Usage()
    match work.operation.kind:
        case "vary":
            return Answer(traits=thing(draw / 1_000), usage=usage)
        case "express" | "repair":
            return Answer(contents=(work.material.traits or thing(0.0),), usage=usage)
        case "challenge":
            decision = (Decision.ADOPT, Decision.REJECT, Decision.UNDECIDED)[draw % 3]
            return Answer(verdict=verdict(work, decision), findings=thing(9.0), usage=usage)
    return Answer(findings=thing(draw / 1_000), usage=usage)


# --- the count -------------------------------------------------------------------------------------------------


class Book:
    """What the events say, counted one by one by somebody who knows nothing of the kernel."""

    def __init__(self) -> None:
        self.status: dict[tuple[str, str], str] = {}
        self.flying: dict[str, OperationStarted] = {}
        self.completions: Counter[str] = Counter()
        self.spent = self.overrun = 0
        self.used: Counter[str] = Counter()
        self.budgets: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self.lost: Counter[str] = Counter()
        self.home: dict[str, str] = {}
        self.terminal_at: int | None = None

    def read(self, event: Event) -> None:
        assert self.terminal_at is None or event.type in ("command.refused", "run.heartbeat", "conductor_took_over")
        self._note_status(event)
        payload: Any = event.payload
        match event.type:
            case "operation.started":
                self._start(event, payload)
            case "operation.completed" | "operation.failed":
                self._end(payload)
            case "energy.spent":
                assert payload.actual <= payload.estimate
                self.spent += payload.actual

    def _note_status(self, event: Event) -> None:
        payload: Any = event.payload
        if event.type == "lineage.culled":
            self.status.update({("genome", each): "culled" for each in payload.genome_ids})
            self.status.update({("candidate", each): "culled" for each in payload.candidate_ids})
        elif event.type in CHANGES:
            kind, status = CHANGES[event.type]
            named = {"run": "", "generation": event.generation_id}
            self.status[kind, named.get(kind, getattr(event, f"{kind}_id", ""))] = status
            if kind == "run" and RunStatus(status).terminal:
                self.terminal_at = event.sequence

    def _start(self, event: Event, marker: OperationStarted) -> None:
        operation = marker.operation
        before = self.flying.get(operation.id)
        assert self.completions[operation.id] == 0
        assert marker.attempt == (before.attempt + 1 if before else 1)
        if before is not None:
            assert before.operation == operation
            self._use(operation.allowance)
        elif operation.kind == "challenge":
            assert operation.challenge is not None
            challenge = operation.challenge
            flown = [each.operation.challenge for each in self.flying.values()]
            assert not [each for each in flown if each is not None and each.niche == challenge.niche]
            self.budgets[challenge.niche].append((challenge.k, challenge.alpha))
        if operation.kind == "vary" and before is None:
            assert event.generation_id is not None
            assert self.status.get(("generation", event.generation_id)) not in ("completed", "failed", "skipped")
            self.home[operation.id] = event.generation_id
        self.flying[operation.id] = marker

    def _end(self, payload: OperationCompleted | OperationFailed) -> None:
        marker = self.flying.pop(payload.operation_id)
        self.completions[payload.operation_id] += 1
        self._use(payload.usage)
        allowed = marker.operation.allowance
        self.overrun += max(0, payload.usage.tool_calls - allowed.tool_calls)
        if marker.operation.kind == "vary" and isinstance(payload, OperationFailed):
            self.lost[self.home[payload.operation_id]] += 1

    def _use(self, usage: Usage) -> None:
        self.used["max_tool_calls"] += usage.tool_calls
        self.used["max_tokens"] += usage.tokens_in + usage.tokens_out
        self.used["max_cost_microusd"] += usage.cost_microusd

    def held(self) -> Counter[str]:
        held = Book()
        for marker in self.flying.values():
            held._use(marker.operation.allowance)
        return held.used

    def reserved(self) -> int:
        return sum(marker.operation.reserved_energy for marker in self.flying.values())


def costs(event: Event) -> bool:
    """Whether something began that may use what is capped; a wait may not."""
    return isinstance(event.payload, OperationStarted) and event.payload.operation.allowance.tool_calls > 0


# --- the machine -----------------------------------------------------------------------------------------------

small = st.integers(1, 4)
paces = st.sampled_from(["generational", "birth", "arrival"])
hows = st.sampled_from([0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7])
caps_of_runs = st.fixed_dictionaries(
    {
        "max_population": st.integers(1, 6),
        "max_generations": st.integers(1, 3),
        "energy_budget": st.sampled_from([100_000, 900, 300, 30, 100_000]),
        "max_spawn_depth": small,
        "max_tool_calls": st.sampled_from([1_000, 30, 3, 1_000]),
        "max_tokens": st.sampled_from([2_000_000, 20_000, 2_000, 2_000_000]),
        "max_candidates": st.integers(1, 14),
    }
)


class Runs(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.book = Book()
        self.read = 0
        self.spent = 0
        self.shadow: RunState | None = None

    @initialize(
        caps=caps_of_runs,
        pace=paces,
        window=small,
        slots=small,
        seed=st.integers(0, 2**20),
        wants=st.fixed_dictionaries(
            {name: st.booleans() for name in ("by_step", "several", "wishes", "deadline", "proposals", "crossing")}
        ),
        survival=st.sampled_from([0.0, 0.5, 1.0]),
        before=st.lists(st.integers(0, 3), min_size=1, max_size=3),
    )
    def configure(self, caps, pace, window, slots, seed, wants, survival, before) -> None:
        steady = pace != "generational"
        self.wants = wants
        self.caps = RunCaps(**caps)
        whims = Whims(seed, **wants)
        domain = ScriptedDomain(
            founders=several(1 + seed % 5),
            admit=lambda proposal, config: thing(1.0) if proposal else Refused("nothing in it"),
            express=whims.express,
            route=whims.route,
            operators=(NUDGE, CROSS) if wants["crossing"] else (NUDGE,),
            most_candidates=3 if wants["several"] else 1,
            niche=scattered,
        )
        domain.steps = dict.fromkeys(domain.steps, Step(allowance=ALLOWANCE))
        kind = "steady" if steady else "generational"
        self.config = RunConfig(
            domain=domain.name,
            problem="p",
            rng_seed=seed,
            caps=self.caps,
            pace=Pace(kind=kind, order="arrival" if pace == "arrival" else "birth", window=window),
            slots=slots,
            min_population_survival=survival,
            energy_costs=EnergyCosts(tokens_per_unit=100, per_tool_call=1, per_spawn=3, cpu_ms_per_unit=100),
            state_deadline_ms=50 if wants["deadline"] else None,
            challenges_before=before[0],
            niches=tuple(NicheStart(niche=f"niche {place}", challenges=k) for place, k in enumerate(before[1:])),
        )
        self.before = dict(zip(self.config.all_niches, before, strict=True))
        self.track = Track(self.config, domain)
        self.shadow = RunState(self.track.state.run_id)

    @property
    def state(self) -> RunState:
        return self.track.state

    def live(self) -> bool:
        return self.shadow is not None and not self.state.terminal

    def flying(self) -> bool:
        return self.live() and bool(self.state.in_flight)

    # --- what may happen -----------------------------------------------------------------------------------------

    @precondition(live)
    @rule(most=st.integers(1, 20))
    def decide(self, most: int) -> None:
        for _ in range(most):
            if self.state.terminal or not self.decided():
                return

    def decided(self) -> bool:
        """Decide; a mind that was rebuilt just now would have decided the same."""
        twin = Mind.rebuilt(self.state, self.track.domain, Tournament)
        try:
            expected = [(each.type, each.payload) for each in decide(self.state, twin)]
        except DomainFailed:
            expected = None
        drafts = self.track.decide()
        if expected is not None:
            assert [(each.type, each.payload) for each in drafts] == expected
        return bool(drafts)

    @precondition(flying)
    @rule(count=st.integers(1, 12), how=hows)
    def complete_in_turn(self, count: int, how: int) -> None:
        """One operation after the other, each with what follows from it; the last one ends in some way."""
        for left in reversed(range(count)):
            if not self.flying():
                return
            first = next(iter(self.state.in_flight))
            self.track.complete((first, answered(self.track.work(first), 0 if left else how)))
            self.decide(10)

    @precondition(flying)
    @rule(picks=st.lists(st.tuples(st.integers(0, 30), hows), min_size=1, max_size=4), then=st.integers(0, 12))
    def complete(self, picks: list[tuple[int, int]], then: int) -> None:
        ids = list(self.state.in_flight)
        chosen = {ids[pick % len(ids)]: how for pick, how in picks}
        self.track.complete(*((each, answered(self.track.work(each), how)) for each, how in chosen.items()))
        self.decide(then)

    @precondition(lambda self: self.shadow is not None)
    @rule(
        kind=st.sampled_from([CommandKind.CANCEL, CommandKind.SET_PARAMETERS, CommandKind.PROPOSE]),
        payload=st.sampled_from(
            [
                {},
                {"slots": 1},
                {"slots": 6},
                {"slots": 0},
                {"caps": {"max_generations": 2}},
                {"caps": {"max_tool_calls": 10}},
                {"caps": {"max_tokens": 1_000}},
                {"caps": {"max_population": 1_000}},
                {"caps": {"max_spawn_depth": "deep"}},
            ]
        ),
    )
    def command(self, kind: CommandKind, payload: dict[str, Any]) -> None:
        if kind is CommandKind.PROPOSE and not self.wants["proposals"]:
            payload = {}
        was = self.state.terminal
        drafts = self.track.command(kind, **payload)
        assert drafts[0].type in ("command.accepted", "command.refused")
        assert not was or drafts[0].type == "command.refused"

    @precondition(live)
    @rule(kind=st.sampled_from([CommandKind.STOP, CommandKind.STOP, CommandKind.KILL]), really=st.integers(0, 15))
    def end(self, kind: CommandKind, really: int) -> None:
        if really == 0:
            self.track.command(kind, reason="enough")

    @precondition(live)
    @rule()
    def take_over(self) -> None:
        self.track.take_over()

    @precondition(live)
    @rule(ms=st.sampled_from([1, 10, 40, 60]))
    def pass_time(self, ms: int) -> None:
        self.track.pass_time(ms)

    # --- what always holds ---------------------------------------------------------------------------------------

    @invariant()
    def holds(self) -> None:
        if self.shadow is None:
            return
        fresh = self.track.events[self.read :]
        for event in fresh:
            self.book.read(event)
            fold(self.shadow, Event.model_validate_json(event.model_dump_json()))
        self.read = len(self.track.events)
        self.check_digests()
        self.check_statuses()
        self.check_ledger(started=any(map(costs, fresh)))
        self.check_caps()
        self.check_gate()
        self.check_generations()
        self.check_births()
        self.check_agenda()

    def check_digests(self) -> None:
        assert self.shadow is not None
        assert state_digest(self.state) == state_digest(self.shadow)
        assert outcome_digest(self.state) == outcome_digest(self.shadow)

    def check_statuses(self) -> None:
        state, book = self.state, self.book
        known = {("run", ""): state.status}
        known |= {("generation", each.id): each.status for each in state.generations if each.status != "pending"}
        known |= {("genome", name): each.status for name, each in state.genomes.items()}
        known |= {("candidate", name): each.status for name, each in state.candidates.items()}
        assert {name: str(status) for name, status in known.items()} == book.status
        assert all(count == 1 for count in book.completions.values() if count)
        assert {name: marker.operation for name, marker in book.flying.items()} == {
            name: flown.operation for name, flown in state.in_flight.items()
        }

    def check_ledger(self, *, started: bool) -> None:
        ledger, book = self.state.ledger, self.book
        assert (ledger.spent, ledger.reserved) == (book.spent, book.reserved())
        assert ledger.spent >= self.spent
        self.spent = ledger.spent
        assert ledger.spent + ledger.reserved <= self.state.caps.energy_budget
        held = book.held()
        for name in LIMITED:
            assert getattr(ledger.used, name) == book.used[name]
            assert getattr(ledger.held, name) == held[name]
            if started and not book.overrun:
                assert book.used[name] + held[name] <= getattr(self.state.caps, name)

    def check_caps(self) -> None:
        state, caps = self.state, self.config.caps
        assert state.living == sum(each.status in LIVING for each in state.genomes.values())
        on_their_way = set(range(state.births.decided)) - set(state.births.arrived)
        parents = {each.genome.birth for each in state.genomes.values() if each.status in LIVING}
        assert len(on_their_way | parents) <= caps.max_population
        assert len(state.generations) <= caps.max_generations
        assert len(state.candidates) <= caps.max_candidates
        assert max((each.genome.depth for each in state.genomes.values()), default=0) <= caps.max_spawn_depth

    def check_gate(self) -> None:
        """In each niche: k has no gaps, what is spent is less than alpha, one challenge at a time, its own champion."""
        alpha, flown = self.config.alpha, self.book.flying.items()
        for name, niche in self.state.niches.items():
            ks = range(self.before[name] + 1, niche.challenges + 1)
            assert self.book.budgets[name] == [(k, alpha * 6 / (pi**2 * k**2)) for k in ks]
            assert sum(share for _, share in self.book.budgets[name]) < alpha
            challenges = [each for each, marker in flown if marker.operation.kind == "challenge"]
            mine = [each for each in challenges if self.book.flying[each].operation.challenge.niche == name]
            assert mine == ([niche.open_challenge] if niche.open_challenge else [])
            champion = niche.champion_id
            assert champion is None or self.state.candidates[champion].adoption in ("made", "confirmed")
            assert champion is None or self.state.niche_name(champion) == name
            landed = [each for each in self.state.candidates if self.state.niche_name(each) == name]
            totals = [each.score.total for each in map(self.state.candidates.get, landed) if each and each.score]
            assert (niche.best[0] if niche.best else None) == max(totals, default=None)

    def check_generations(self) -> None:
        state = self.state
        for generation in state.generations:
            genomes = [state.genomes[name] for name in generation.genome_ids]
            candidates = [state.candidates[name] for each in genomes for name in each.candidates]
            opened = [
                name
                for name, each in self.book.flying.items()
                if each.operation.kind == "vary" and self.book.home[name] == generation.id
            ]
            assert generation.births_open == len(opened)
            assert generation.births_lost == self.book.lost[generation.id]
            assert generation.expressing == sum(each.status in ("seeded", "active") for each in genomes)
            failed = [each.genome.id for each in genomes if each.status is GenomeStatus.FAILED]
            assert sorted(generation.failed_genomes) == sorted(failed)
            assert generation.expressed == len(genomes) - generation.expressing - len(failed)
            assert generation.verifying == sum(
                each.status in ("created", "repairing", "under_review") for each in candidates
            )
            assert generation.checked == sum(each.status is CandidateStatus.CHECKED for each in candidates)
            totals = [each.score.total for each in candidates if each.score is not None]
            assert generation.scored == len(totals)
            assert generation.best == max(totals, default=None)
        assert sorted(state.open_generations) == [
            each.index for each in state.generations if each.status not in ("completed", "failed", "skipped")
        ]

    def check_births(self) -> None:
        births, settled = self.state.births, set()
        for birth in range(births.decided):
            genome_id = births.genome_of.get(birth)
            if genome_id is None:
                if birth not in births.home_of:
                    settled.add(birth)
                continue
            known = self.state.genomes[genome_id]
            over = all(
                self.state.candidates[each].status not in ("created", "repairing", "under_review", "checked")
                for each in known.candidates
            )
            if known.status is GenomeStatus.FAILED or (known.candidates and over and known.status != "active"):
                settled.add(birth)
        assert set(births.arrived) == settled
        assert len(births.arrived) == len(settled)
        through = next(birth for birth in range(births.decided + 1) if birth not in settled)
        assert births.settled_through == through
        assert births.settled_ahead == {birth for birth in settled if birth > through}

    def check_agenda(self) -> None:
        agenda, candidates = self.state.agenda, self.state.candidates
        idle = {name: each for name, each in candidates.items() if not each.steps.open}
        routed = {n for n, each in idle.items() if each.status in ("created", "repairing", "under_review")}
        assert set(agenda.to_route) == routed
        assert set(agenda.to_score) == {n for n, each in idle.items() if each.status == "checked"}
        assert set(agenda.to_express) == {n for n, each in self.state.genomes.items() if each.status == "seeded"}
        waits = [each for each in self.book.flying.values() if each.operation.kind == "wait"]
        assert self.state.waiting == len(waits)
        if self.state.terminal and self.state.status not in (RunStatus.FAILED, RunStatus.CANCELLED):
            assert len(self.book.flying) == len(waits)

    # --- how it ends ---------------------------------------------------------------------------------------------

    def teardown(self) -> None:
        if self.shadow is None:
            return
        births = self.caps.max_population * (self.caps.max_generations + 1)
        bound = 200 + births * 4 * 40
        self.track.finish(good, most=bound)
        self.holds()
        assert state_digest(self.track.refolded()) == state_digest(self.state)
        assert self.track.decide() == []
        for kind in CommandKind:
            assert [draft.type for draft in self.track.command(kind)] == ["command.refused"]


TestRuns = Runs.TestCase
TestRuns.settings = settings(
    max_examples=settings().max_examples * 2,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
