"""Limits and metering of questions: a part of the contract suite of ``ModelGateway``."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from mendel.conformance.model_answers import AnswersContract
from mendel.conformance.model_stage import (
    FIRST,
    GOOD,
    HASTY,
    PATIENT,
    PRICE,
    ROLE,
    SECOND,
    WRONG,
    ModelStage,
    answer,
    failure,
    made,
    plan_of,
    review_request,
)
from mendel.contracts.errors import ModelCallFailed, ModelRequestRefused
from mendel.contracts.model_calls import CallLimits, Sampling
from mendel.contracts.model_plans import ModelPlan
from mendel.ports.model_gateway import Budget, usage_of
from mendel.ports.model_wire import WireUsage

_NO_USAGE: Final = {  # reports of usage that are incomplete or impossible
    "missing": WireUsage(),
    "half": WireUsage(tokens_in=30),
    "negative": WireUsage(-30, -12),
    "absurd": WireUsage(10**30, 10**30),
    "a word": WireUsage("many", "few"),
    "a fraction": WireUsage(30.5, 12.5),
    "a truth": WireUsage(tokens_in=True, tokens_out=True),
}


class MeteringContract(AnswersContract):
    """What every gateway with costly answers must do."""

    # --- tokens and money --------------------------------------------------------------------------------------

    async def test_what_was_told_is_counted_at_its_price(self, stage: ModelStage) -> None:
        turns = [answer(WRONG["words"]), answer(GOOD)]
        async with await stage.open(plan_of(FIRST), {FIRST: turns}) as gateway:
            response = await gateway.ask(review_request())
        for record in response.records:
            assert (record.provider.tokens_in, record.provider.tokens_out) == (30, 12)
            assert record.provider.cost_microusd == PRICE.of(30, 12)
            assert not record.estimated
        assert (response.usage.tokens_in, response.usage.tokens_out) == (60, 24)
        assert response.usage.cost_microusd == 2 * PRICE.of(30, 12)

    @pytest.mark.parametrize("name", _NO_USAGE)
    async def test_what_nobody_can_have_used_counts_at_its_worst(self, stage: ModelStage, name: str) -> None:
        budget = Budget(tokens=10**6, cost_microusd=10**9)
        async with await stage.open(plan_of(FIRST), {FIRST: [answer(GOOD, usage=_NO_USAGE[name])]}) as gateway:
            response = await gateway.ask(replace(review_request(), budget=budget))
        used = response.usage
        assert [record.estimated for record in response.records] == [True]
        assert used.tokens_out == PATIENT.tokens_out
        assert len("Judge this.") < used.tokens_in <= PATIENT.prompt_bytes
        assert used.cost_microusd == PRICE.of(used.tokens_in, used.tokens_out)
        assert budget == Budget(10**6 - used.tokens_in - used.tokens_out, 10**9 - used.cost_microusd)

    async def test_a_call_of_which_nothing_came_counts_at_its_worst(self, stage: ModelStage) -> None:
        budget = Budget(tokens=10**6, cost_microusd=10**9)
        async with await stage.open(
            plan_of(FIRST, retries=1, limits=HASTY), {FIRST: [failure("timeout")] * 2}
        ) as gateway:
            with pytest.raises(ModelCallFailed) as caught:
                await gateway.ask(replace(review_request(), budget=budget))
        used = usage_of(caught.value.records)
        assert all(record.estimated for record in caught.value.records)
        assert used.tokens_out == 2 * HASTY.tokens_out
        assert budget == Budget(10**6 - used.tokens_in - used.tokens_out, 10**9 - used.cost_microusd)

    async def test_what_was_not_used_is_given_back(self, stage: ModelStage) -> None:
        budget = Budget(tokens=10**6, cost_microusd=10**9)
        async with await stage.open(plan_of(FIRST), {FIRST: [answer(GOOD)]}) as gateway:
            await gateway.ask(replace(review_request(), budget=budget))
        assert budget == Budget(10**6 - 42, 10**9 - PRICE.of(30, 12))

    @pytest.mark.parametrize("budget", [Budget(500, 10**9), Budget(10**6, 10), Budget(0, 0)], ids=repr)
    async def test_no_call_is_made_whose_worst_case_does_not_fit(self, stage: ModelStage, budget: Budget) -> None:
        left = replace(budget)
        async with await stage.open(plan_of(FIRST, fallback=SECOND), {FIRST: [answer(GOOD)], SECOND: []}) as gateway:
            with pytest.raises(ModelCallFailed) as caught:
                await gateway.ask(replace(review_request(), budget=left))
        assert caught.value.reason == "over_allowance"
        assert not made(caught.value.records)
        assert not stage.asked(FIRST)
        assert not stage.asked(SECOND)
        assert left == budget

    @pytest.mark.parametrize("turn", ["wrong", "failed"])
    async def test_what_the_first_call_used_is_missing_for_the_second(self, stage: ModelStage, turn: str) -> None:
        wrong = answer(WRONG["words"], usage=WireUsage())
        turns = [wrong if turn == "wrong" else failure("timeout"), answer(GOOD)]
        # Enough for one call at its worst case, but not for two.
        budget = Budget(tokens=PATIENT.tokens_out * 2 + 100, cost_microusd=10**9)
        async with await stage.open(
            plan_of(FIRST, limits=HASTY if turn == "failed" else PATIENT), {FIRST: turns}
        ) as gateway:
            with pytest.raises(ModelCallFailed) as caught:
                await gateway.ask(replace(review_request(), budget=budget))
        assert caught.value.reason == "over_allowance"
        assert len(made(caught.value.records)) == len(stage.asked(FIRST)) == 1

    async def test_a_prompt_above_its_limit_is_refused(self, stage: ModelStage) -> None:
        async with await stage.open(plan_of(FIRST), {FIRST: [answer(GOOD)]}) as gateway:
            with pytest.raises(ModelRequestRefused, match="above its limit"):
                await gateway.ask(review_request("x" * PATIENT.prompt_bytes))
            with pytest.raises(ModelRequestRefused, match="above its limit"):
                await gateway.ask(replace(review_request("x" * 500), limits=CallLimits(prompt_bytes=100)))
        assert not stage.asked(FIRST)

    async def test_a_request_may_ask_for_less_and_never_for_more(self, stage: ModelStage) -> None:
        turns = [answer(GOOD, usage=WireUsage())] * 2
        async with await stage.open(plan_of(FIRST), {FIRST: turns}) as gateway:
            less = await gateway.ask(replace(review_request(), limits=CallLimits(tokens_out=100)))
            more = await gateway.ask(replace(review_request(), limits=CallLimits(tokens_out=10_000)))
        assert (less.usage.tokens_out, more.usage.tokens_out) == (100, PATIENT.tokens_out)

    async def test_the_sampling_of_the_role_fills_what_a_request_leaves_open(self, stage: ModelStage) -> None:
        role = plan_of(FIRST).roles[ROLE].model_copy(update={"sampling": Sampling(temperature=0.25, top_p=0.5)})
        async with await stage.open(ModelPlan(roles={ROLE: role}), {FIRST: [answer(GOOD)]}) as gateway:
            response = await gateway.ask(replace(review_request(), sampling=Sampling(temperature=1.0, seed=7)))
        assert response.records[0].sampling == Sampling(temperature=1.0, top_p=0.5, seed=7)
