"""A handler asks for operations of its own: each has its marker and one completion, and none is performed twice."""

import asyncio
from collections import defaultdict

import pytest
from tests.kernel.scripted import (
    ScriptedDomain,
    Stage,
    ambitious,
    config_of,
    gate,
    looked_at,
    of_type,
    payloads,
    thing,
    value_of,
)
from tests.support.rows import check_rows

from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.energy import EnergyCosts, Usage
from mendel.contracts.errors import ChildFailed, HandlerFailed
from mendel.contracts.work import Answer
from mendel.guard import Sample, judge_samples
from mendel.kernel.conduct import folded
from mendel.kernel.digest import state_digest
from mendel.kernel.domain import Step
from mendel.ports.handlers import Ports

TOOL = Usage(tool_calls=2, tokens_in=10)
ASKING = Usage(tool_calls=6, tokens_in=30, tokens_out=10)
SMALL = {"max_population": 2, "max_generations": 1}


class Parlour:
    """A domain whose examination asks for ``children`` tools, and the executions of each."""

    def __init__(self, children=3, *, look=None, use=None, allowance=ASKING, steps=None, gate=gate, route=looked_at):
        self.children = children
        self.looked, self.used = [], []
        self.domain = ScriptedDomain(
            handlers={"scripted.look": look or self.look, "scripted.use": use or self.use, "scripted.gate": gate},
            route=route,
            steps={
                "scripted.look": Step(allowance, children=("scripted.use",)),
                "scripted.use": Step(TOOL),
                **(steps or {}),
            },
        )

    async def look(self, work, ports):
        self.looked.append(work.operation.id)
        found = [
            await ports.children.perform("scripted.use", thing(index), index=index) for index in range(self.children)
        ]
        return Answer(findings=thing(sum(value_of(each.findings) for each in found)), usage=Usage(tokens_out=1))

    async def use(self, work):
        self.used.append(work.operation.id)
        await asyncio.sleep(0)
        return Answer(findings=thing(10 * value_of(work.operation.inputs)), usage=Usage(tool_calls=1, tokens_in=4))


async def bred(parlour, **fields):
    stage = Stage(parlour.domain)
    await stage.configure(config_of(caps={**SMALL, **fields.pop("caps", {})}, **fields))
    state = await stage.conduct()
    return state, await stage.events()


def named(events, step, *types):
    return [each for each in of_type(events, *types) if operation_of(each).endswith(step) or step_of(each) == step]


def step_of(event):
    operation = getattr(event.payload, "operation", None)
    return operation.step if operation is not None else event.payload.step


def operation_of(event):
    operation = getattr(event.payload, "operation", None)
    return operation.id if operation is not None else event.payload.operation_id


async def test_each_child_has_its_marker_before_it_starts_and_its_completion_and_says_whose_it_is():
    parlour = Parlour()
    state, events = await bred(parlour)
    assert state.status == "completed"
    markers = [each for each in payloads(events, "operation.started") if each.operation.step == "scripted.use"]
    assert len(markers) == 3 * len(parlour.looked)
    assert {each.operation.parent for each in markers} == set(parlour.looked)
    assert {each.operation.kind for each in markers} == {"child"}
    order = [
        operation_of(each) for each in of_type(events, "operation.started", "operation.completed", "operation.failed")
    ]
    for marker in markers:
        child, parent = marker.operation.id, marker.operation.parent
        first, last = [place for place, each in enumerate(order) if each == child]
        begun, ended = [place for place, each in enumerate(order) if each == parent]
        assert begun < first < last < ended
    found = [each.findings for each in payloads(events, "operation.completed") if each.step == "scripted.look"]
    assert [value_of(each) for each in found] == [30.0] * len(parlour.looked)
    assert (state.families, state.parent_of) == ({}, {})


async def test_a_handler_knows_the_ids_of_its_children_before_it_asks_for_them():
    said = {}

    async def look(work, ports):
        said[work.operation.id] = [ports.children.operation_of(index) for index in range(2)]
        for index in (1, 0):
            await ports.children.perform("scripted.use", thing(index), index=index)
        return Answer(findings=thing(1.0))

    parlour = Parlour(look=look)
    _, events = await bred(parlour)
    begun = [each.operation for each in payloads(events, "operation.started") if each.operation.kind == "child"]
    asked = {parent: [each.id for each in begun if each.parent == parent] for parent in said}
    assert asked == {parent: [second, first] for parent, (first, second) in said.items()}
    assert len(said) == 2


@check_rows(("performed", "decided"), [((0, 1), True), ((0,), False)])
async def test_samples_name_the_children_that_ran_them_and_only_those_that_have_completed_count(performed, decided):
    async def duel(work, ports):
        for index in performed:
            await ports.children.perform("scripted.use", thing(index), index=index)
        challenge, ran = work.operation.challenge, [ports.children.operation_of(index) for index in (0, 1)]
        samples = [Sample(f"{challenge.k}/day-{day}", ran[day % 2], 2.0 + day % 3, 1.0) for day in range(60)]
        return Answer(
            verdict=judge_samples(
                samples,
                mode="paired_reals",
                policy="superiority:margin=0",
                candidate_id=work.operation.subject_ids[0],
                challenge=challenge,
                sandboxed=False,
                used_cases=(),
            )
        )

    parlour = Parlour(
        look=seen_at_once, steps={"scripted.gate": Step(ASKING, children=("scripted.use",))}, gate=duel, route=ambitious
    )
    _, events = await bred(parlour, caps={"max_population": 1})
    assert len(of_type(events, "gate.verdict")) == decided
    failed = payloads(events, "operation.failed")
    assert len(failed) == (not decided)
    assert all("has not completed in this run" in each.message for each in failed)


async def seen_at_once(work):
    return Answer(findings=work.material.content)


async def test_a_childs_use_is_its_parents_counted_once_and_charged_once():
    costs = EnergyCosts(per_tool_call=5, tokens_per_unit=1)
    state, events = await bred(Parlour(), energy_costs=costs)
    looks = [each.usage for each in payloads(events, "operation.completed") if each.step == "scripted.look"]
    assert {(each.tool_calls, each.tokens_in, each.tokens_out) for each in looks} == {(3, 12, 1)}
    tools = [each for each in events if each.type == "energy.spent" and each.payload.usage.tool_calls]
    assert [each.payload.actual for each in tools] == [3 * 5 + 13] * len(looks)
    assert state.ledger.used.max_tool_calls == 3 * len(looks)
    assert state.ledger.measured["tokens_in"] == 12 * len(looks)


async def test_what_does_not_fit_into_the_parents_allowance_is_refused_and_nothing_is_begun():
    refusals = []

    async def greedy(work, ports):
        for index in range(5):
            try:
                await ports.children.perform("scripted.use", index=index)
            except ChildFailed as error:
                refusals.append((index, error.reason))
        return Answer(findings=thing(1.0))

    async def wasteful(work):
        return Answer(findings=thing(1.0), usage=TOOL)

    state, events = await bred(Parlour(look=greedy, use=wasteful), caps={"max_population": 1})
    assert set(refusals) == {(3, "cap_reached"), (4, "cap_reached")}
    begun = [each for each in payloads(events, "operation.started") if each.operation.step == "scripted.use"]
    assert len(begun) == 3 * len(refusals) // 2
    assert state.ledger.used.max_tool_calls == 6 * len(refusals) // 2


async def test_children_at_once_never_hold_more_than_the_parent_was_allowed():
    codes = []

    async def hasty(work, ports):
        asked = (ports.children.perform("scripted.use", index=index) for index in range(5))
        answers = await asyncio.gather(*asked, return_exceptions=True)
        codes.extend(each.reason if isinstance(each, ChildFailed) else "answered" for each in answers)
        return Answer(findings=thing(1.0))

    await bred(Parlour(look=hasty), caps={"max_population": 1})
    assert codes[:5].count("cap_reached") == 2


async def test_a_step_that_is_not_named_a_failure_and_another_question_under_one_index_are_told_by_their_codes():
    codes = []

    async def fail(work):
        raise HandlerFailed("no_luck", "not today", usage=Usage(tool_calls=1))

    async def look(work, ports):
        for step, inputs, index in (
            ("scripted.vary", None, 0),
            ("scripted.use", thing(1.0), 1),
            ("scripted.use", thing(1.0), 1),
            ("scripted.use", thing(2.0), 1),
        ):
            try:
                await ports.children.perform(step, inputs, index=index)
            except ChildFailed as error:
                codes.append(error.reason)
        return Answer(findings=thing(1.0))

    _, events = await bred(Parlour(look=look, use=fail), caps={"max_population": 1})
    assert codes[:4] == ["child_not_named", "no_luck", "no_luck", "child_differs"]
    assert {each.error_code for each in payloads(events, "operation.failed")} == {"no_luck"}
    assert len(payloads(events, "operation.failed")) * 4 == len(codes)


async def test_a_step_without_children_has_no_such_port_and_a_child_has_none_either():
    async def look(work, ports):
        await ports.children.perform("scripted.use", index=0)
        return Answer(findings=thing(1.0))

    _, events = await bred(Parlour(look=look, steps={"scripted.look": Step()}))
    assert {each.error_code for each in payloads(events, "operation.failed")} == {"port_not_named"}
    steps = {"scripted.use": Step(TOOL, children=("scripted.use",))}
    _, events = await bred(Parlour(use=look, steps=steps))
    failed = {(each.step, each.error_code) for each in payloads(events, "operation.failed")}
    assert failed == {("scripted.use", "port_not_open"), ("scripted.look", "port_not_open")}


async def test_a_child_that_its_parent_does_not_wait_for_ends_with_it_at_its_worst_case():
    begun = defaultdict(asyncio.Event)

    async def careless(work, ports):
        asked = asyncio.create_task(ports.children.perform("scripted.use", index=0))
        await begun[work.operation.id].wait()
        asked.cancel()
        return Answer(findings=thing(1.0))

    async def slow(work):
        begun[work.operation.parent].set()
        await asyncio.Event().wait()

    state, events = await bred(Parlour(look=careless, use=slow), caps={"max_population": 1})
    assert state.status == "completed"
    assert {each.error_code for each in payloads(events, "operation.failed")} == {"parent_ended"}
    assert {
        each.usage.tool_calls for each in payloads(events, "operation.completed") if each.step == "scripted.look"
    } == {2}


# --- kills -----------------------------------------------------------------------------------------------------


async def killed_after_each_event(parlour_of, count):
    """The run, its conductor killed after ``count`` events, then brought to its end by others."""
    parlour = parlour_of()
    stage = Stage(parlour.domain)
    await stage.configure(config_of(caps={**SMALL, "max_tool_calls": 1_000}, slots=2))
    await stage.interrupt_after(count)
    before = [event.id for event in await stage.events()]
    state = await stage.conduct()
    events = await stage.events()
    assert [event.id for event in events][: len(before)] == before
    return parlour, state, events


@pytest.mark.parametrize("count", range(6, 44, 2))
async def test_wherever_it_is_killed_no_completed_child_is_performed_twice(count):
    parlour, state, events = await killed_after_each_event(Parlour, count)
    assert state.status == "completed"
    cut = next(
        (place for place, event in enumerate(events) if event.type == "conductor_took_over" and place > 5), len(events)
    )
    done = {
        operation_of(each) for each in of_type(events[:cut], "operation.completed") if step_of(each) == "scripted.use"
    }
    performed_after = [
        each.payload.operation.id
        for each in of_type(events[cut:], "operation.started")
        if step_of(each) == "scripted.use"
    ]
    assert not done & set(performed_after)
    completions = [operation_of(each) for each in of_type(events, "operation.completed", "operation.failed")]
    assert len(completions) == len(set(completions))
    for child in set(parlour.used):
        assert parlour.used.count(child) <= 2
        assert child not in done or parlour.used.count(child) == 1
    values = [
        value_of(each.findings) for each in payloads(events, "operation.completed") if each.step == "scripted.look"
    ]
    assert values == [30.0] * len(values)


async def test_a_replay_knows_the_families_of_an_interrupted_run():
    parlour = Parlour()
    stage = Stage(parlour.domain)
    await stage.configure(config_of(caps=SMALL, slots=1))
    await stage.interrupt(lambda event: event.type == "operation.completed" and event.payload.step == "scripted.use")
    state, again = await stage.folded(), await folded(stage.log, stage.run_id)
    (family,) = state.families.values()
    assert len(family.ended) == 1
    assert state_digest(state) == state_digest(again)


async def test_a_foreign_fabric_carries_requests_and_answers_as_messages():
    async def look(work, ports):
        answer = await ports.children.perform("scripted.use", thing(2.0), index=7)
        return Answer(findings=answer.findings)

    parlour = Parlour(look=look)
    fabric = MemoryTaskFabric(workers=0, handlers=parlour.domain.handlers.__getitem__, ports=Ports())
    stage = Stage(parlour.domain)
    stage.fabric = lambda: fabric
    await stage.configure(config_of(caps=SMALL))
    await stage.conduct()
    asked = [each.operation for each in payloads(await stage.events(), "operation.started") if each.operation.parent]
    assert {each.entropy[-1] for each in asked} == {7}
