"""The port's own parts: budgets, and the wrapper that lets no handler forget an attempt."""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mendel.adapters.memory.model_gateway import MemoryModels
from mendel.conformance.model_stage import FIRST, GOOD, WRONG, answer, failure, plan_of, review_request
from mendel.contracts.energy import MAX_USAGE, Usage
from mendel.contracts.errors import ModelCallFailed, ModelRequestRefused
from mendel.contracts.model_plans import ModelPlan
from mendel.ports.model_gateway import Budget, RecordingModels, usage_of
from mendel.ports.model_wire import WireUsage

AMOUNTS = st.integers(0, 1_000)


# --- budgets -----------------------------------------------------------------------------------------------------


@given(AMOUNTS, AMOUNTS, st.lists(st.tuples(AMOUNTS, AMOUNTS)))
def test_no_more_is_taken_than_there_is(tokens, cost, wishes):
    budget = Budget(tokens, cost)
    taken = [wish for wish in wishes if budget.take(*wish)]
    assert budget == Budget(tokens - sum(each[0] for each in taken), cost - sum(each[1] for each in taken))
    assert budget.tokens >= 0
    assert budget.cost_microusd >= 0


def test_an_allowance_counts_both_ways():
    assert Budget.of(Usage(tokens_in=30, tokens_out=12, cost_microusd=7)) == Budget(42, 7)


def test_what_is_over_is_given_back_and_what_is_missing_taken():
    budget = Budget(100, 100)
    budget.give_back(5, -20)
    assert budget == Budget(105, 80)


# --- every attempt -----------------------------------------------------------------------------------------------


async def test_questions_are_numbered_and_failures_are_among_them():
    turns = [answer(GOOD), failure("auth"), failure("overloaded"), answer(WRONG["words"]), answer(GOOD)]
    models = RecordingModels(MemoryModels(plan_of(FIRST), {FIRST: turns}))
    await models.ask(review_request())
    with pytest.raises(ModelCallFailed):
        await models.ask(review_request())
    await models.ask(review_request())
    assert [(record.call, record.attempt) for record in models.records] == [(0, 1), (1, 1), (2, 1), (2, 2), (2, 3)]


async def test_what_is_asked_at_once_keeps_its_number():
    models = RecordingModels(MemoryModels(plan_of(FIRST), {FIRST: [answer(GOOD)] * 20}))
    await asyncio.gather(*(models.ask(review_request(f"number {n}.")) for n in range(20)))
    assert len(models.records) == 20
    for record in models.records:
        assert f"number {record.call}." in record.request


async def test_no_handler_chooses_its_plan_or_its_budget():
    budget = Budget(0, 0)
    models = RecordingModels(MemoryModels(plan_of(FIRST), {FIRST: [answer(GOOD)]}), budget=budget)
    rich = replace(review_request(), budget=Budget(10**9, 10**9), plan=ModelPlan())
    with pytest.raises(ModelCallFailed) as caught:
        await models.ask(rich)
    assert caught.value.reason == "over_allowance"


async def test_what_is_no_request_is_refused_and_takes_no_number():
    models = RecordingModels(MemoryModels(plan_of(FIRST), {FIRST: [answer(GOOD)]}))
    with pytest.raises(ModelRequestRefused):
        await models.ask(replace(review_request(), messages=()))
    await models.ask(review_request())
    assert [record.call for record in models.records] == [0]


async def test_closing_is_left_to_the_owner():
    inner = MemoryModels(plan_of(FIRST), {FIRST: [answer(GOOD)] * 2})
    async with RecordingModels(inner) as models:
        await models.ask(review_request())
    assert (await inner.ask(review_request())).accepted
    assert models.roles() == inner.roles()


async def test_usage_is_bounded_however_much_is_told():
    told = WireUsage(MAX_USAGE, MAX_USAGE)
    turns = [answer(WRONG["words"], usage=told), answer(GOOD, usage=told)]
    models = RecordingModels(MemoryModels(plan_of(FIRST), {FIRST: turns}))
    await models.ask(review_request())
    assert usage_of(models.records) == Usage(tokens_in=MAX_USAGE, tokens_out=MAX_USAGE, cost_microusd=MAX_USAGE)
