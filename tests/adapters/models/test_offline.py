"""Roles that procedures play, and those that nobody plays offline."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from mendel.adapters.models.offline import OfflineModels
from mendel.conformance.model_answers import AnswersContract
from mendel.conformance.model_stage import (
    FIRST,
    GOOD,
    GOOD_REVIEW,
    ModelStage,
    Review,
    plan_of,
    review_request,
)
from mendel.contracts.errors import ModelCallFailed
from mendel.contracts.model_calls import CallLimits
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_gateway import Budget, ModelRequest, RecordingModels


class ProcedureStage(ModelStage):
    """The first provider's turns are what the critic's procedure finds; nobody is asked over a wire."""

    async def open(self, plan, script):
        texts = [turn.text for turn in script[FIRST]]

        async def critic(request):
            await asyncio.sleep(0)
            return texts.pop(0)

        return OfflineModels({"critic": critic}, scrubber=Scrubber([self.key]))

    def asked(self, provider):
        return []


class TestOfflineModels(AnswersContract):
    @pytest.fixture
    def stage(self):
        return ProcedureStage()


async def reviewing(request: ModelRequest) -> Review:
    """A real procedure, if a poor one: long questions are worth more."""
    return Review(score=min(10, len(request.messages[0].content)), why="by its length")


async def broken(request: ModelRequest) -> str:
    raise ZeroDivisionError


async def endless(request: ModelRequest) -> str:
    await asyncio.Event().wait()
    return ""


async def test_a_procedure_answers_from_the_question():
    gateway = OfflineModels({"critic": reviewing})
    short, long = [await gateway.ask(review_request("x" * size)) for size in (2, 9)]
    assert (short.output, long.output) == (
        Review(score=2, why="by its length"),
        Review(score=9, why="by its length"),
    )


async def test_what_it_says_is_recorded_as_its_own_and_costs_nothing():
    budget = Budget(tokens=0, cost_microusd=0)
    models = RecordingModels(OfflineModels({"critic": reviewing}), budget=budget)
    response = await models.ask(review_request())
    (record,) = models.records
    assert (record.provider.provider, record.attempt, record.estimated) == ("offline", 1, False)
    assert record.provider.model_id.endswith("test_offline.reviewing")
    assert (record.provider.tokens_in, record.provider.tokens_out, record.provider.cost_microusd) == (0, 0, 0)
    assert response.usage.cost_microusd == 0
    assert budget == Budget(0, 0)


def test_roles_say_who_plays_them_and_what_can_be_done():
    roles = OfflineModels({"critic": reviewing, "mutator": partial(reviewing)}).roles()
    assert {role for role, played in roles.items() if played.route is not None} == {"critic", "mutator"}
    assert str(roles["critic"].route).startswith("offline/")
    assert "llm.routes.final_judge" in roles["final_judge"].why_not
    assert "no offline procedure" in roles["final_judge"].why_not


@pytest.mark.parametrize(("procedures", "known"), [({"critic": reviewing}, "critic"), ({}, "none")])
async def test_a_role_that_it_cannot_play_says_which_it_can(procedures, known):
    with pytest.raises(ModelCallFailed, match=rf"final_judge .*: {known}; set llm\.routes\.final_judge") as caught:
        await OfflineModels(procedures).ask(review_request(role="final_judge"))
    assert (caught.value.reason, caught.value.records) == ("not_configured", ())


async def test_an_answer_that_does_not_fit_is_rejected_at_once():
    asked = []

    async def half(request):
        asked.append(request)
        return GOOD[:-1]

    response = await OfflineModels({"critic": half}).ask(review_request())
    assert (response.outcome, response.output, len(asked)) == ("rejected", None, 1)
    assert "cut off" in response.complaints[0]


class Lax(Review):
    score: int


async def test_a_model_of_another_kind_is_validated_too():
    async def lax(request):
        return Lax(score=99, why="more is better")

    response = await OfflineModels({"critic": lax}).ask(review_request())
    assert (response.outcome, response.output) == ("rejected", None)


@pytest.mark.parametrize(
    "request_",
    [
        replace(review_request(), plan=plan_of(FIRST)),
        replace(review_request(), route=plan_of(FIRST).roles["critic"].sources[0].route),
    ],
    ids=["plan", "route"],
)
async def test_no_procedure_answers_for_a_model(request_):
    with pytest.raises(ModelCallFailed, match="first/model was asked") as caught:
        await OfflineModels({"critic": reviewing}).ask(request_)
    assert caught.value.reason == "not_configured"


async def test_a_plan_without_the_role_leaves_it_to_the_procedure():
    gateway = OfflineModels({"critic": reviewing})
    assert (await gateway.ask(replace(review_request(), plan=ModelPlan()))).accepted
    assert (await gateway.ask(replace(review_request(), route=gateway.roles()["critic"].route))).accepted


async def test_what_a_procedure_raises_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        await OfflineModels({"critic": broken}).ask(review_request())


@pytest.mark.parametrize(
    ("procedure", "limits", "reason"),
    [(endless, CallLimits(timeout_ms=1), "timeout"), (reviewing, CallLimits(answer_bytes=5), "answer_too_large")],
    ids=["time", "size"],
)
async def test_time_and_size_are_bounded(procedure, limits, reason):
    with pytest.raises(ModelCallFailed, match=reason) as caught:
        await OfflineModels({"critic": procedure}).ask(replace(review_request(), limits=limits))
    assert caught.value.reason == reason
    assert [record.failure for record in caught.value.records] == [reason]


async def test_a_procedure_may_answer_in_text():
    async def said(request):
        return f"Here it is:\n{GOOD}"

    assert (await OfflineModels({"critic": said}).ask(review_request())).output == GOOD_REVIEW
