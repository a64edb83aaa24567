"""Rule 1: caps live in the kernel. No trait, prompt, plug-in or request raises one; the kill switch always works."""

import asyncio
import threading
from contextlib import aclosing

import pytest
from tests.rules.attackers import (
    CEILING,
    PACES,
    PATIENCE_S,
    USED,
    AttackDomain,
    Scene,
    Stuck,
    assert_within_caps,
    configuration,
    hang,
    population,
    prefixes,
    route,
    thing,
)
from tests.support.rows import check_rows

from mendel.adapters.memory.clock import ManualClock
from mendel.contracts.caps import RunCaps
from mendel.contracts.energy import MAX_USAGE, EnergyCosts, Usage
from mendel.contracts.errors import HandlerFailed, RunRefused
from mendel.contracts.run_config import RunConfig
from mendel.contracts.verdicts import Reason
from mendel.contracts.work import Answer
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import folded
from mendel.kernel.domain import Expression, Step
from mendel.kernel.moves import Drop, Examine, Vary, Wait
from mendel.selection.operators import Operator

every_pace = check_rows("pace", PACES.values())
HUGE = 10**9


# --- a greedy domain -----------------------------------------------------------------------------------------------


@every_pace
@check_rows("most", [1, 2, 3, 5])
async def test_thousands_of_founders_do_not_raise_the_population(pace, most):
    domain = AttackDomain(founders=lambda *_: [thing(value=n / 5_000) for n in range(5_000)])
    attack = await Scene(domain).play(pace=pace, caps={"max_population": most})
    assert attack.state.terminal
    assert attack.count("genome.spawned") >= most
    assert_within_caps(attack.events)


@every_pace
@check_rows("by_step", [False, True])
async def test_thousands_of_contents_do_not_raise_the_number_of_candidates(pace, by_step):
    contents = tuple(thing(value=n / 1_000) for n in range(1_000))

    async def express(work):
        return Answer(contents=contents, usage=USED)

    wish = Expression(step="attack.express") if by_step else Expression(contents=contents)
    scene = Scene(AttackDomain(express=lambda *_: wish), {"attack.express": express})
    attack = await scene.play(pace=pace, caps={"max_candidates": 18, "max_population": 4})
    assert attack.state.terminal
    assert len(attack.state.candidates) == 18
    assert attack.payloads("spawn.clamped")
    assert_within_caps(attack.events)


@every_pace
async def test_a_wish_for_many_children_grants_none(pace):
    async def vary(work):
        return Answer(traits=thing(value=1.0, spawn=True, max_spawn_depth=HUGE), spawn_budget=HUGE, usage=USED)

    attack = await Scene(handlers={"attack.vary": vary}).play(pace=pace, caps={"max_candidates": 15})
    assert attack.state.terminal
    assert len(attack.state.candidates) <= 15
    assert_within_caps(attack.events)


@every_pace
async def test_lineages_end_at_their_depth(pace):
    attack = await Scene().play(pace=pace, caps={"max_spawn_depth": 1, "max_generations": 10})
    assert attack.state.terminal
    assert attack.state.deepest == 1
    assert_within_caps(attack.events)


@every_pace
async def test_a_successor_that_a_route_wishes_for_is_no_way_below_the_depth(pace):
    def fall(dossier):
        if dossier.phase == "verifying" and dossier.content.data.get("born"):
            return (Vary(operator="vary"), Drop(reason=Reason(code="again", message="once more")))
        return route(dossier)

    async def vary(work):
        return Answer(traits=thing(value=0.5, born=True), usage=USED)

    scene = Scene(AttackDomain(route=fall), {"attack.vary": vary})
    attack = await scene.play(pace=pace, caps={"max_spawn_depth": 2, "max_generations": 10})
    assert attack.state.terminal
    assert_within_caps(attack.events)


@every_pace
@check_rows(
    ("cap", "limit"),
    [
        ("energy_budget", 200),
        ("energy_budget", 400),
        ("max_tool_calls", 9),
        ("max_tokens", 2_300),
        ("max_cost_microusd", 230),
        ("max_evaluations", 90),
        ("max_generations", 1),
        ("max_candidates", 1),
        ("max_population", 1),
    ],
)
async def test_an_ordinary_run_stays_below_every_cap(pace, cap, limit):
    attack = await Scene().play(pace=pace, slots=8, caps={cap: limit, "max_generations": 10} | {cap: limit})
    assert attack.state.terminal
    assert attack.count("operation.started") > 0
    assert_within_caps(attack.events)


@every_pace
@check_rows("cap", ["energy_budget", "max_tool_calls", "max_tokens", "max_cost_microusd", "max_evaluations"])
async def test_an_allowance_above_the_cap_never_starts(pace, cap):
    class Greedy(AttackDomain):
        steps = AttackDomain.steps | {
            "attack.look": Step(
                allowance=Usage(
                    cpu_ms=HUGE * 100, tool_calls=HUGE, tokens_in=HUGE, cost_microusd=HUGE, evaluations=HUGE
                )
            )
        }

    seen = []

    async def look(work):
        seen.append(work)
        return Answer(findings=thing())

    attack = await Scene(Greedy(), {"attack.look": look}).play(pace=pace, caps={cap: 1_000})
    assert attack.state.terminal
    assert seen == []
    assert attack.payloads("run.cap_reached")
    assert_within_caps(attack.events)


async def test_a_domain_that_raises_its_own_allowances_while_the_run_goes_is_bounded_all_the_same():
    class Growing(AttackDomain):
        steps = dict(AttackDomain.steps)
        operators = list(AttackDomain.operators)

    def grow(dossier):
        Growing.steps["attack.look"] = Step(allowance=Usage(tokens_in=HUGE, tool_calls=HUGE))
        Growing.steps["attack.more"] = Step()
        Growing.operators.append(Operator(name=f"grown_{len(Growing.operators)}", step="attack.more"))
        return route(dossier)

    attack = await Scene(Growing(route=grow)).play(caps={"max_tokens": 5_000, "max_tool_calls": 50})
    assert attack.state.terminal
    assert_within_caps(attack.events)


async def test_a_route_that_never_ends_is_cut_off():
    domain = AttackDomain(route=lambda dossier: (Examine(step="attack.look"),) if dossier.phase == "verifying" else ())
    attack = await Scene(domain).play(caps={"max_tool_calls": 10**6, "max_tokens": 10**9, "max_cost_microusd": 10**9})
    assert attack.state.terminal
    assert {reason.code for payload in attack.payloads("candidate.rejected") for reason in payload.reasons} == {
        "endless_route"
    }


# --- a plug-in that reaches for the caps themselves ----------------------------------------------------------------


def _raise_caps(config):
    for name in RunCaps.model_fields:
        object.__setattr__(config.caps, name, 2**53 - 1)
        config.caps.__dict__[name] = 2**53 - 1
    object.__setattr__(config, "caps", CEILING)
    object.__setattr__(config, "energy_costs", EnergyCosts(per_spawn=0, per_tool_call=0))


@check_rows("method", ["founders", "express", "conditions", "admit"])
async def test_a_domain_that_writes_into_the_configuration_it_is_shown_moves_no_cap(method):
    ways = {
        "founders": lambda config, entropy: [thing(value=n / 9) for n in range(9)],
        "express": lambda genome, config: Expression(contents=(genome.traits,) * 9),
        "conditions": lambda *_: None,
        "admit": lambda proposal, config: thing(value=1.0),
    }

    def attack_config(*given):
        _raise_caps(next(each for each in given if isinstance(each, RunConfig)))
        return ways[method](*given)

    scene = Scene(AttackDomain(**{method: attack_config}))
    run_id = await scene.begin(caps={"max_population": 4, "max_candidates": 9, "max_generations": 2})
    if method == "admit":
        await scene.interrupt(run_id, lambda event: event.type == "run.started")
    await scene.ask(run_id, "propose", value=1)
    attack = await scene.resume(run_id)
    assert attack.state.caps == attack.payloads("run.configured")[0].config.caps
    assert attack.state.config.energy_costs == EnergyCosts()
    assert_within_caps(attack.events)


def test_the_frozen_contracts_refuse_an_ordinary_assignment():
    config = configuration()
    with pytest.raises(ValueError, match="frozen"):
        config.caps.max_population = HUGE
    with pytest.raises(ValueError, match="frozen"):
        config.caps = CEILING


# --- lying handlers ------------------------------------------------------------------------------------------------

LIES = {
    "tokens": Usage(tokens_in=HUGE),
    "tool calls": Usage(tool_calls=HUGE),
    "money": Usage(cost_microusd=HUGE),
    "energy": Usage(cpu_ms=HUGE),
    "spawns": Usage(spawns=HUGE),
    "everything": Usage(**dict.fromkeys(Usage.model_fields, MAX_USAGE)),
}


@every_pace
@check_rows("lie", LIES.values())
async def test_an_answer_that_used_more_than_it_was_allowed_is_not_taken(pace, lie):
    async def look(work):
        return Answer(findings=thing(), usage=lie)

    attack = await Scene(handlers={"attack.look": look}).play(pace=pace)
    assert attack.state.terminal
    looked = [payload for payload in attack.payloads("operation.completed") if payload.step == "attack.look"]
    assert bool(looked) == (lie == LIES["spawns"]), "only what a handler says of genomes counts for nothing"
    assert_within_caps(attack.events)


@check_rows("lie", [LIES["tokens"], LIES["tool calls"], LIES["money"]])
async def test_what_was_used_above_the_cap_ends_the_run(lie):
    async def look(work):
        raise HandlerFailed("greedy", "took all there was", usage=lie)

    attack = await Scene(handlers={"attack.look": look}).play(slots=1)
    assert attack.state.terminal
    assert attack.count("operation.started") == 1
    assert attack.payloads("run.cap_reached")


@check_rows("field", ["wall_ms", "opcodes", "peak_memory_bytes", "spawns"])
async def test_reports_too_large_for_the_log_end_neither_the_run_nor_its_digests(field):
    async def look(work):
        return Answer(findings=thing(), usage=Usage(**{field: MAX_USAGE}))

    attack = await Scene(handlers={"attack.look": look}).play()
    assert attack.state.terminal


async def test_a_failure_that_reports_more_than_any_number_holds_does_not_end_the_conductor():
    async def look(work):
        raise HandlerFailed("greedy", "took all there was", usage=Usage(wall_ms=MAX_USAGE))

    attack = await Scene(handlers={"attack.look": look}).play()
    assert attack.state.terminal


# --- every attempt counts, from its start, at its worst ------------------------------------------------------------


async def test_an_attempt_lost_with_its_conductor_counts_for_ever():
    started = []

    async def look(work):
        started.append((work.operation.id, work.attempt))
        return await hang(work)

    scene = Scene(AttackDomain(founders=lambda *_: [thing(value=0.5)]), {"attack.look": look})
    run_id = await scene.begin(slots=1, caps={"max_tool_calls": 5, "max_population": 1})
    for _ in range(2):
        await scene.interrupt(run_id, lambda event: event.type == "operation.started")
    events = await scene.events(run_id)
    *_, (_, state) = prefixes(events)
    assert state.ledger.used.max_tool_calls == 2
    assert state.ledger.held.max_tool_calls == 2
    attack = await scene.resume(run_id)
    assert [event.payload.attempt for event in attack.events if event.type == "operation.started"] == [1, 2]
    failed = attack.payloads("operation.failed")
    assert [payload.error_code for payload in failed] == ["cap_reached"]
    assert attack.state.ledger.used.max_tool_calls <= 5
    assert_within_caps(attack.events)


@every_pace
async def test_conductor_after_conductor_dies_and_no_cap_is_exceeded(pace):
    scene = Scene()
    run_id = await scene.begin(pace=pace, slots=8, caps={"max_tool_calls": 31, "energy_budget": 700})
    for sequence in (12, 25, 40):
        await scene.interrupt(run_id, lambda event, least=sequence: event.sequence >= least)
    attack = await scene.resume(run_id)
    assert attack.state.terminal
    assert attack.state.epochs == 4
    assert_within_caps(attack.events)


# --- requests ------------------------------------------------------------------------------------------------------


@check_rows("cap", RunCaps.model_fields)
async def test_no_request_raises_a_cap(cap):
    scene = Scene()
    run_id = await scene.begin()
    now = configuration().caps
    await scene.ask(run_id, "set_parameters", caps={cap: getattr(now, cap) + 1})
    await scene.ask(run_id, "set_parameters", caps={"wall_clock_ms": 1, cap: 2**53 - 1})
    attack = await scene.resume(run_id)
    assert [payload.kind for payload in attack.payloads("command.refused")] == ["set_parameters"] * 2
    assert attack.state.caps == now


@check_rows(
    "payload",
    [
        {"caps": {"max_population": 0}},
        {"caps": {"max_population": -1}},
        {"caps": {"no_such_cap": 1}},
        {"caps": {"max_population": "many"}},
        {"caps": [1]},
        {"ceilings": {}},
        {"config": {"caps": {}}},
        {},
        {"slots": 0},
        {"slots": True},
        {"slots": 10**9},
    ],
)
async def test_a_request_that_makes_no_sense_is_refused_and_the_run_goes_on(payload):
    scene = Scene()
    run_id = await scene.begin()
    await scene.ask(run_id, "set_parameters", **payload)
    attack = await scene.resume(run_id)
    assert attack.count("command.refused") == 1
    assert attack.state.status == "completed"


async def test_a_cap_once_lowered_cannot_be_raised_again():
    scene = Scene()
    run_id = await scene.begin(caps={"max_tokens": 100_000})
    await scene.ask(run_id, "set_parameters", caps={"max_tokens": 50_000})
    await scene.ask(run_id, "set_parameters", caps={"max_tokens": 60_000})
    attack = await scene.resume(run_id)
    assert attack.count("command.accepted") == attack.count("command.refused") == 1
    assert attack.state.caps.max_tokens == 50_000


LOWERED = {
    "max_population": 2,
    "max_generations": 1,
    "max_candidates": 1,
    "max_spawn_depth": 1,
    "max_tool_calls": 1,
    "max_tokens": 1,
    "max_cost_microusd": 1,
    "max_evaluations": 1,
}


@pytest.mark.slow
@every_pace
@check_rows("after", [10, 40, 75])
@check_rows("cap", LOWERED)
async def test_a_cap_lowered_below_what_is_used_already_ends_what_it_bounds_and_nothing_else(pace, cap, after):
    scene = Scene()
    run_id = await scene.begin(pace=pace, caps={"max_generations": 6, "max_candidates": 60})
    await scene.interrupt(run_id, lambda event: event.sequence >= after)
    await scene.ask(run_id, "set_parameters", caps={cap: LOWERED[cap]})
    attack = await scene.resume(run_id)
    assert attack.state.terminal
    _assert_lowered(attack.events, cap, LOWERED[cap])
    assert_within_caps(attack.events)


async def _lowered_in_flight(pace, cap, limit, call):
    """A run in which somebody lowers ``cap`` while the ``call``-th examination is in flight, which succeeds after."""
    calls, answered = [], asyncio.Event()

    async def look(work):
        calls.append(work.operation.id)
        if len(calls) == call:
            await scene.ask(run_id, "set_parameters", caps={cap: limit})
        if len(calls) >= call:
            await answered.wait()
        return Answer(findings=thing(), usage=USED)

    scene = Scene(handlers={"attack.look": look})
    run_id = await scene.begin(pace=pace, caps={"max_generations": 6, "max_candidates": 60})
    return await scene.resume(run_id, listen=lambda e: answered.set() if e.type.startswith("command.") else None)


@pytest.mark.slow
@every_pace
@check_rows("call", [1, 9])
@check_rows("cap", LOWERED)
async def test_a_cap_lowered_below_what_is_in_flight_ends_what_it_bounds_and_nothing_else(pace, cap, call):
    attack = await _lowered_in_flight(pace, cap, LOWERED[cap], call)
    assert attack.state.terminal
    _assert_lowered(attack.events, cap, LOWERED[cap])
    assert_within_caps(attack.events)


@every_pace
@check_rows("call", [1, 9])
async def test_a_budget_below_what_is_spent_or_reserved_is_refused_and_the_run_goes_on(pace, call):
    attack = await _lowered_in_flight(pace, "energy_budget", 1, call)
    assert attack.count("command.refused") == 1
    assert attack.state.status == "completed"
    assert_within_caps(attack.events)


@every_pace
@check_rows("after", [10, 40])
async def test_a_budget_of_exactly_what_is_spent_or_reserved_ends_the_run(pace, after):
    scene = Scene()
    run_id = await scene.begin(pace=pace)
    await scene.interrupt(run_id, lambda event: event.sequence >= after)
    ledger = (await folded(scene.log, run_id)).ledger
    gone = ledger.spent + ledger.reserved
    await scene.ask(run_id, "set_parameters", caps={"energy_budget": gone})
    attack = await scene.resume(run_id)
    assert attack.count("command.accepted") == 1
    assert attack.state.terminal
    assert attack.state.ledger.spent <= gone
    assert_within_caps(attack.events)


def _assert_lowered(events, cap, limit):
    """Whatever was above the cap when it was lowered grows no more."""
    lowered_at = next((event.sequence for event in events if event.type == "command.accepted"), None)
    assert lowered_at is not None
    measures = {
        "max_population": population,
        "max_generations": lambda state: len(state.generations),
        "max_candidates": lambda state: len(state.candidates),
        "max_spawn_depth": lambda state: state.deepest,
        "max_tool_calls": lambda state: state.ledger.used.max_tool_calls + state.ledger.held.max_tool_calls,
        "max_tokens": lambda state: state.ledger.used.max_tokens + state.ledger.held.max_tokens,
        "max_cost_microusd": lambda state: state.ledger.used.max_cost_microusd + state.ledger.held.max_cost_microusd,
        "max_evaluations": lambda state: state.ledger.used.max_evaluations + state.ledger.held.max_evaluations,
    }
    most = limit
    for event, state in prefixes(events):
        if event.sequence <= lowered_at:
            # A birth that was decided before may still express its candidate, and be as deep as it was to be.
            on_their_way = state.births.unsettled if cap == "max_candidates" else cap == "max_spawn_depth"
            most = max(limit, measures[cap](state) + int(on_their_way))
            continue
        assert measures[cap](state) <= most, f"after {event.type} at {event.sequence}"
        if cap == "max_spawn_depth" and event.type == "operation.started":
            parents = event.payload.operation.parents
            assert all(state.genomes[parent].genome.depth < limit for parent in parents), f"at {event.sequence}"


@every_pace
async def test_proposals_do_not_raise_the_population(pace):
    scene = Scene()
    run_id = await scene.begin(pace=pace, caps={"max_population": 4, "max_generations": 20})
    await scene.interrupt(run_id, lambda event: event.type == "run.started")
    for number in range(30):
        await scene.ask(run_id, "propose", number=number)
    attack = await scene.resume(run_id)
    assert attack.state.terminal
    assert attack.count("command.accepted") == 30
    assert_within_caps(attack.events)


@every_pace
async def test_the_largest_caps_there_are_let_a_run_end(pace):
    largest = CEILING.model_dump() | {"max_population": 6, "max_generations": 3}
    attack = await Scene().play(pace=pace, caps=largest)
    assert attack.state.status == "completed"


@check_rows("cap", RunCaps.model_fields)
async def test_a_configuration_above_the_ceiling_is_refused_before_anything_is_recorded(cap):
    scene = Scene()
    ceiling = RunCaps()
    config = configuration(caps={cap: getattr(ceiling, cap) + 1})
    with pytest.raises(RunRefused, match=cap):
        await configure(scene.log, config, ceiling, domains=scene.domains)
    assert await scene.log.runs() == ()


# --- the wall clock ------------------------------------------------------------------------------------------------


async def _out_of_time(scene, clock, **fields):
    run_id = await scene.begin(caps={"wall_clock_ms": 60_000}, **fields)
    conducting = asyncio.create_task(scene.resume(run_id))
    while not conducting.done():
        for _ in range(20):
            await asyncio.sleep(0)
        await asyncio.sleep(0.002)
        clock.advance(1.0)
    return conducting.result()


@every_pace
async def test_a_run_whose_handlers_hang_ends_with_its_time(pace):
    clock = ManualClock()

    class Patient(AttackDomain):
        steps = {name: Step(deadline_ms=7 * 24 * 3_600_000) for name in AttackDomain.steps}

    attack = await _out_of_time(Scene(Patient(), {"attack.look": hang}, clock=clock), clock, pace=pace)
    assert attack.state.status == "failed"
    assert attack.payloads("run.failed")[0].cap == "wall_clock_ms"
    began = next(event.occurred_at for event in attack.events if event.type == "run.started")
    assert (attack.events[-1].occurred_at - began).total_seconds() < 70


async def test_a_route_that_only_waits_ends_with_the_time_of_the_run():
    clock = ManualClock()
    domain = AttackDomain(route=lambda dossier: (Wait(for_ms=7 * 24 * 3_600_000),))
    attack = await _out_of_time(Scene(domain, clock=clock), clock)
    assert attack.payloads("run.failed")[0].cap == "wall_clock_ms"


async def test_time_that_was_conducted_before_a_kill_counts():
    clock = ManualClock()
    scene = Scene(AttackDomain(route=lambda dossier: (Wait(for_ms=600_000),)), clock=clock)
    run_id = await scene.begin(caps={"wall_clock_ms": 60_000})
    for _ in range(2):
        conducting = asyncio.create_task(scene.resume(run_id))
        for _ in range(25):
            await asyncio.sleep(0.002)
            clock.advance(1.0)
        assert not conducting.done()
        conducting.cancel()
        await asyncio.gather(conducting, return_exceptions=True)
    conducting = asyncio.create_task(scene.resume(run_id))
    async with asyncio.timeout(PATIENCE_S):
        while not conducting.done():
            await asyncio.sleep(0.002)
            clock.advance(1.0)
    assert (await conducting).payloads("run.failed")[0].cap == "wall_clock_ms"


# --- the kill switch -----------------------------------------------------------------------------------------------


@check_rows("how", ["spins", "sleeps"])
@check_rows("method", ["founders", "express", "conditions", "route", "admit"])
async def test_kill_works_while_the_domain_is_stuck(method, how):
    with Stuck(how) as stuck:
        scene = Scene(AttackDomain(**{method: stuck}))
        run_id = await scene.begin()
        conducting = asyncio.create_task(scene.resume(run_id, patience_s=3_600))
        if method == "admit":
            await _until(scene, run_id, "run.started")
            await scene.ask(run_id, "propose", value=1)
        await stuck.entered()
        await scene.ask(run_id, "kill", reason="enough")
        attack = await conducting
    assert attack.state.status == "failed"
    assert attack.payloads("run.failed")[0].reason == "killed: enough"


async def _until(scene, run_id, event_type):
    async with asyncio.timeout(PATIENCE_S), aclosing(scene.log.follow(run_id)) as events:
        async for event in events:
            if event.type == event_type:
                return


async def test_a_domain_that_spun_when_its_run_was_killed_does_not_spin_on():
    with Stuck("spins") as stuck:
        scene = Scene(AttackDomain(route=stuck))
        run_id = await scene.begin()
        conducting = asyncio.create_task(scene.resume(run_id, patience_s=3_600))
        await stuck.entered()
        thread = next(each for each in threading.enumerate() if each.name == "domain-attack" and each.is_alive())
        await scene.ask(run_id, "kill")
        await conducting
        await asyncio.to_thread(thread.join, 3)
        assert not thread.is_alive()


@every_pace
@check_rows("slots", [1, 50])
async def test_kill_works_while_handlers_hang_and_the_fabric_is_full(pace, slots):
    entered, left = [], []

    async def look(work):
        entered.append(work.operation.id)
        try:
            return await hang(work)
        finally:
            left.append(work.operation.id)

    scene = Scene(handlers={"attack.look": look})
    run_id = await scene.begin(pace=pace, slots=slots)
    conducting = asyncio.create_task(scene.resume(run_id))
    async with asyncio.timeout(PATIENCE_S):
        while len(entered) < min(slots, 3):
            await asyncio.sleep(0.005)
    await scene.ask(run_id, "kill")
    attack = await conducting
    assert attack.state.status == "failed"
    assert attack.events[-1].type == "run.failed"
    assert sorted(left) == sorted(entered), "no handler runs on"


async def test_kill_goes_before_everything_that_was_asked_earlier():
    with Stuck("sleeps") as stuck:
        scene = Scene(AttackDomain(route=stuck))
        run_id = await scene.begin()
        conducting = asyncio.create_task(scene.resume(run_id, patience_s=3_600))
        await stuck.entered()
        for number in range(50):
            await scene.ask(run_id, "propose", number=number)
        await scene.ask(run_id, "kill")
        attack = await conducting
    assert attack.state.status == "failed"
    assert attack.payloads("run.failed")[0].reason.startswith("killed")


async def test_a_run_that_nobody_has_started_can_be_killed():
    scene = Scene()
    run_id = await scene.begin()
    await scene.ask(run_id, "kill")
    attack = await scene.resume(run_id)
    assert attack.state.status == "failed"
    assert attack.count("operation.started") == 0
