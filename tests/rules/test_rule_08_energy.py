"""Rule 8: energy is charged for success only. Failures are bounded by retries, timeouts and caps."""

import asyncio
import os
from collections import Counter

from tests.rules.attackers import (
    ALLOWANCE,
    PACES,
    USED,
    AttackDomain,
    Scene,
    hang,
    look,
    prefixes,
    thing,
)
from tests.support.rows import check_rows

from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.energy import EnergyCosts, Usage
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.work import Answer, Work
from mendel.kernel.conduct import conduct
from mendel.kernel.domain import Expression, Step
from mendel.kernel.moves import Examine, Repair, Score

every_pace = check_rows("pace", PACES.values())
COSTS = EnergyCosts()


def assert_conserved(events):
    """At every prefix: what is spent is what events say, what is reserved is what is in flight, and nothing is lost."""
    charged = 0
    for event, state in prefixes(events):
        where = f"after {event.type} at {event.sequence}"
        charged += event.payload.actual if event.type == "energy.spent" else 0
        ledger, budget = state.ledger, state.caps.energy_budget
        free = budget - ledger.spent - ledger.reserved
        assert ledger.spent == charged, where
        assert ledger.reserved == sum(flown.operation.reserved_energy for flown in state.in_flight.values()), where
        assert free >= 0, where
        assert budget == free + ledger.reserved + ledger.spent, where


def assert_only_successes_are_charged(events):
    completed = {event.payload.operation_id: event.payload for event in events if event.type == "operation.completed"}
    failed = {event.payload.operation_id for event in events if event.type == "operation.failed"}
    markers = {event.operation_id: event.payload.operation for event in events if event.type == "operation.started"}
    charged = Counter(event.operation_id for event in events if event.type == "energy.spent" and event.operation_id)
    assert not failed & set(charged)
    assert set(charged) <= set(completed)
    assert set(charged.values()) <= {1}
    for event in events:
        if event.type == "energy.spent" and event.operation_id:
            assert event.payload.estimate == markers[event.operation_id].reserved_energy
            assert event.payload.actual == COSTS.price(completed[event.operation_id].usage)
            assert event.payload.actual <= event.payload.estimate
    for operation in markers.values():
        assert operation.reserved_energy == COSTS.price(operation.allowance)


def charges(attack, step):
    markers = {e.operation_id: e.payload.operation.step for e in attack.events if e.type == "operation.started"}
    return [
        event.payload.actual
        for event in attack.events
        if event.type == "energy.spent" and event.operation_id is not None and markers[event.operation_id] == step
    ]


def codes(attack):
    return {payload.error_code for payload in attack.payloads("operation.failed")}


# --- success -------------------------------------------------------------------------------------------------------


@every_pace
@check_rows("slots", [1, 4])
async def test_energy_is_conserved_at_every_event(pace, slots):
    attack = await Scene().play(pace=pace, slots=slots)
    assert attack.state.status == "completed"
    assert_conserved(attack.events)
    assert_only_successes_are_charged(attack.events)
    assert sum(payload.actual for payload in attack.payloads("energy.spent")) == attack.state.ledger.spent > 0
    assert attack.state.ledger.reserved == 0
    assert attack.payloads("run.completed")[0].summary.energy_spent == attack.state.ledger.spent


@every_pace
async def test_energy_is_conserved_until_there_is_none_left(pace):
    attack = await Scene().play(pace=pace, caps={"energy_budget": 400})
    assert attack.state.terminal
    assert attack.payloads("energy_exhausted")
    assert_conserved(attack.events)
    assert_only_successes_are_charged(attack.events)


async def test_a_success_is_charged_what_it_took_and_not_what_was_reserved():
    attack = await Scene().play()
    assert set(charges(attack, "attack.look")) == {COSTS.price(USED)}
    assert set(charges(attack, "attack.vary")) == {COSTS.price(USED.model_copy(update={"spawns": 1}))}
    assert COSTS.price(USED) < COSTS.price(ALLOWANCE)


async def test_what_a_handler_says_of_genomes_it_made_is_not_charged():
    async def lying(work):
        return Answer(findings=thing(), usage=USED.model_copy(update={"spawns": 10**6}))

    attack = await Scene(handlers={"attack.look": lying}).play()
    assert set(charges(attack, "attack.look")) == {COSTS.price(USED)}
    assert_conserved(attack.events)


# --- failure -------------------------------------------------------------------------------------------------------


async def _raises(work):
    raise RuntimeError("no")


async def _fails(work):
    raise HandlerFailed("unlucky", "one of those that fail", usage=USED, attempts=3)


async def _exits(work):
    raise SystemExit(0)


async def _returns_nothing(work):
    return None


async def _too_large(work):
    return Answer(findings=thing(text="x" * 5_000_000), usage=USED)


async def _nul(work):
    return Answer(findings=thing(text="a\0b"), usage=USED)


async def _unregistered(work):
    return Answer(findings=DomainPayload(domain="attack", kind="nonsense", data={}), usage=USED)


async def _too_much(work):
    own = {"vary": {"traits": thing()}, "express": {"contents": (thing(),)}}
    return Answer(**own.get(work.operation.kind, {"findings": thing()}), usage=Usage(tokens_in=10**7))


FAILING = {
    "handler_raised": _raises,
    "unlucky": _fails,
    "exits": _exits,
    "bad_answer": _returns_nothing,
    "payload_too_large": _too_large,
    "forbidden_text": _nul,
    "unregistered": _unregistered,
    "over_allowance": _too_much,
    "deadline": hang,
    "unknown_handler": None,
    "no_worker": look,
}
CODES = {"exits": "handler_raised", "unregistered": "bad_answer"}


class Impatient(AttackDomain):
    steps = AttackDomain.steps | {"attack.look": Step(allowance=ALLOWANCE, deadline_ms=30)}


class Demanding(AttackDomain):
    steps = AttackDomain.steps | {"attack.look": Step(allowance=ALLOWANCE, requires=("a_moon",))}


@check_rows("how", FAILING)
async def test_a_failure_costs_no_energy(how):
    kind = {"deadline": Impatient, "no_worker": Demanding}.get(how, AttackDomain)
    scene = Scene(kind(), {"attack.look": FAILING[how]})
    attack = await scene.play(caps={"max_tokens": 2**50, "max_generations": 2})
    assert attack.state.terminal
    assert codes(attack) == {CODES.get(how, how)}
    assert charges(attack, "attack.look") == []
    assert_conserved(attack.events)
    assert_only_successes_are_charged(attack.events)


@check_rows("how", ["handler_raised", "bad_answer", "over_allowance", "unlucky"])
@check_rows("step", ["vary", "express"])
async def test_neither_does_a_failed_variation_or_expression(step, how):
    expression = {"express": lambda *_: Expression(step="attack.express")} if step == "express" else {}
    scene = Scene(AttackDomain(**expression), {f"attack.{step}": FAILING[how]})
    attack = await scene.play(caps={"max_tokens": 2**50})
    assert attack.state.terminal
    assert codes(attack) == {how}
    assert charges(attack, f"attack.{step}") == []
    assert_conserved(attack.events)


def dies(work: Work) -> Answer:
    os._exit(9)


async def test_a_dead_letter_costs_no_energy():
    scene = Scene(AttackDomain(founders=lambda *_: [thing(value=0.5)]))
    fabric = MemoryTaskFabric(
        workers=1,
        max_deliveries=2,
        handlers=scene.find,
        handler_references={"attack.look": "tests.rules.test_rule_08_energy:dies"},
    )
    run_id = await scene.begin(caps={"max_generations": 1})
    try:
        run = conduct(run_id, log=scene.log, fabric=fabric, clock=SystemClock(), domains=scene.domains)
        state = await asyncio.wait_for(run, 30)
    finally:
        await fabric.close()
    events = await scene.events(run_id)
    assert state.terminal
    assert [event.payload.error_code for event in events if event.type == "operation.failed"] == ["dead_letter"]
    assert [event.operation_id for event in events if event.type == "energy.spent"] == [None]
    assert_conserved(events)


async def test_an_attempt_that_was_lost_with_its_conductor_costs_no_energy():
    calls = Counter()

    async def second_time(work):
        calls[work.operation.id] += 1
        return await (hang(work) if work.attempt == 1 else look(work))

    scene = Scene(AttackDomain(founders=lambda *_: [thing(value=0.5)]), {"attack.look": second_time})
    run_id = await scene.begin(caps={"max_generations": 1})
    await scene.interrupt(run_id, lambda event: event.type == "operation.started")
    attack = await scene.resume(run_id)
    assert attack.state.status == "completed"
    assert charges(attack, "attack.look") == [COSTS.price(USED)]
    assert_conserved(attack.events)
    assert_only_successes_are_charged(attack.events)


@every_pace
async def test_a_run_killed_and_resumed_is_charged_as_its_twin(pace):
    caps = {"max_tool_calls": 10**6, "max_tokens": 10**9, "max_cost_microusd": 10**9}
    twin = await Scene().play(pace=pace, caps=caps, slots=1)
    scene = Scene()
    run_id = await scene.begin(pace=pace, caps=caps, slots=1)
    for sequence in (8, 21, 44):
        await scene.interrupt(run_id, lambda event, least=sequence: event.sequence >= least)
    attack = await scene.resume(run_id)
    assert attack.state.ledger.spent == twin.state.ledger.spent
    assert_conserved(attack.events)


async def test_killing_a_run_releases_what_was_reserved_without_charging_it():
    scene = Scene(handlers={"attack.look": hang})
    run_id = await scene.begin()
    asked = []

    def listen(event):
        if event.type == "operation.started" and not asked:
            asked.append(asyncio.get_running_loop().create_task(scene.ask(run_id, "kill")))

    attack = await scene.resume(run_id, listen=listen)
    assert attack.state.status == "failed"
    assert charges(attack, "attack.look") == []
    assert attack.payloads("run.failed")[0].summary.energy_spent == attack.state.ledger.spent
    assert_conserved(attack.events)


# --- repairs -------------------------------------------------------------------------------------------------------


def mending(dossier):
    if dossier.phase in ("contending", "generation"):
        return ()
    if dossier.phase == "verifying" and not dossier.content.data.get("whole"):
        return (Repair(step="attack.repair", reason="it is broken"),)
    if dossier.last("attack.look") is None:
        return (Examine(step="attack.look"),)
    return (Score(components={"value": 1.0}),)


async def mend(work):
    return Answer(contents=(thing(whole=True),), usage=USED)


async def half_mend(work):
    return Answer(contents=(thing(whole=False),), usage=USED)


async def test_an_accepted_repair_is_charged_once():
    scene = Scene(AttackDomain(route=mending), {"attack.repair": mend})
    attack = await scene.play(caps={"max_generations": 1})
    assert attack.state.scored == 3
    assert charges(attack, "attack.repair") == [COSTS.price(USED)] * 3
    assert_conserved(attack.events)
    assert_only_successes_are_charged(attack.events)


@check_rows("how", ["handler_raised", "bad_answer", "over_allowance", "unlucky"])
async def test_a_repair_that_failed_is_not(how):
    scene = Scene(AttackDomain(route=mending), {"attack.repair": FAILING[how]})
    attack = await scene.play(caps={"max_generations": 1, "max_tokens": 2**50})
    assert attack.state.terminal
    assert charges(attack, "attack.repair") == []
    assert attack.count("candidate_invalidated") == 3
    assert_conserved(attack.events)


async def test_there_is_no_second_repair_to_charge():
    scene = Scene(AttackDomain(route=mending), {"attack.repair": half_mend})
    attack = await scene.play(caps={"max_generations": 1})
    assert attack.state.terminal
    assert len(charges(attack, "attack.repair")) == 3
    assert attack.count("candidate.repair_started") == 3
    assert attack.state.scored == 0
    assert_conserved(attack.events)


async def test_a_repair_with_two_contents_is_none():
    async def two(work):
        return Answer(contents=(thing(whole=True), thing(whole=True)), usage=USED)

    attack = await Scene(AttackDomain(route=mending), {"attack.repair": two}).play(caps={"max_generations": 1})
    assert codes(attack) == {"bad_answer"}
    assert charges(attack, "attack.repair") == []


async def test_failures_are_bounded():
    attack = await Scene(handlers={"attack.look": _raises, "attack.vary": _raises}).play()
    assert attack.state.terminal
    assert attack.count("operation.failed") == attack.count("operation.started") < 50
