"""The first part of the contract suite of ``ModelGateway``: what every gateway must do, with or without a provider."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from mendel.conformance.model_stage import (
    FIRST,
    FITTING,
    GOOD,
    GOOD_REVIEW,
    ROLE,
    SEVEN,
    WRONG,
    ModelStage,
    Review,
    answer,
    plan_of,
    review_request,
)
from mendel.contracts.errors import ModelCallFailed, ModelRequestRefused
from mendel.contracts.model_calls import TOOL_ROLE, Sampling, ToolDescriptor
from mendel.contracts.providers import ModelRole, ModelRoute
from mendel.ports.model_gateway import OTHER_PORTS, ROLES, ModelRequest, ModelResponse

_TOGETHER = 64
_SEARCH = ToolDescriptor(name="web_search", description="searches", parameters={"type": "object"})
ASKED = [role for role in ROLES if role not in OTHER_PORTS]


@pytest.mark.asyncio
class AnswersContract:
    """What every gateway must do, even one that makes no calls."""

    @pytest.fixture
    def stage(self) -> ModelStage:
        raise NotImplementedError("override this fixture with a stage that opens the gateway under test")

    # --- invalid requests --------------------------------------------------------------------------------------

    async def test_an_unknown_role_is_refused_with_the_known_ones(self, stage: ModelStage) -> None:
        request = replace(review_request(), role="poet")  # type: ignore[arg-type]
        await self.refused(stage, request, "'poet'.*critic.*repairer")

    @pytest.mark.parametrize("role", sorted(OTHER_PORTS))
    async def test_a_role_with_a_port_of_its_own_is_refused(self, stage: ModelStage, role: ModelRole) -> None:
        await self.refused(stage, review_request(role=role), "port of its own")

    @pytest.mark.parametrize("role", [role for role in ASKED if role != TOOL_ROLE])
    async def test_tools_are_for_one_role(self, stage: ModelStage, role: ModelRole) -> None:
        await self.refused(stage, replace(review_request(role=role), tools=(_SEARCH,)), TOOL_ROLE)

    async def test_a_request_says_something(self, stage: ModelStage) -> None:
        await self.refused(stage, ModelRequest(role=ROLE, messages=()), "at least one message")

    async def refused(self, stage: ModelStage, request: ModelRequest, why: str) -> None:
        """Check that the request is refused without a call."""
        async with await stage.open(plan_of(FIRST), {FIRST: [answer(GOOD)]}) as gateway:
            with pytest.raises(ModelRequestRefused, match=why):
                await gateway.ask(request)
        assert not stage.asked(FIRST)

    # --- validation --------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("name", FITTING)
    async def test_an_answer_that_fits_is_accepted(self, stage: ModelStage, name: str) -> None:
        response = await self.answered(stage, FITTING[name])
        assert (response.outcome, response.output) == ("accepted", GOOD_REVIEW)
        assert type(response.output) is Review
        assert response.accepted
        assert response.complaints == ()
        assert [record.validation for record in response.records] == ["accepted"]

    @pytest.mark.parametrize("name", WRONG)
    async def test_nothing_is_accepted_of_an_answer_that_does_not_fit(self, stage: ModelStage, name: str) -> None:
        response = await self.answered(stage, WRONG[name], WRONG[name])
        assert (response.outcome, response.output) == ("rejected", None)
        assert not response.accepted
        assert response.complaints
        assert response.records[-1].validation == "rejected"
        assert response.records[-1].complaints == response.complaints

    @pytest.mark.parametrize("text", ["", "seven", GOOD, "```\nx\n```", "\N{SEEDLING} ü\r\n\t\u2028", "x" * 50_000])
    async def test_without_a_schema_any_text_is_an_answer(self, stage: ModelStage, text: str) -> None:
        async with await stage.open(plan_of(FIRST), {FIRST: [answer(text)]}) as gateway:
            response = await gateway.ask(ModelRequest.prompt(ROLE, "Say something."))
        assert (response.outcome, response.output, response.text) == ("accepted", text, text)
        assert response.records[0].response == text

    async def test_a_text_can_be_held_to_a_check(self, stage: ModelStage) -> None:
        request = replace(ModelRequest.prompt(ROLE, "Say seven."), check=SEVEN)
        async with await stage.open(plan_of(FIRST), {FIRST: [answer("seven")]}) as gateway:
            response = await gateway.ask(request)
        assert (response.outcome, response.output) == ("accepted", "seven")
        assert response.records[0].schema_name == "seven"

    async def test_a_text_that_its_check_complains_of_is_rejected(self, stage: ModelStage) -> None:
        request = replace(ModelRequest.prompt(ROLE, "Say seven."), check=SEVEN)
        async with await stage.open(plan_of(FIRST), {FIRST: [answer("eight"), answer("nine")]}) as gateway:
            response = await gateway.ask(request)
        assert (response.outcome, response.output) == ("rejected", None)
        assert response.complaints[0] == "it does not say seven"

    async def answered(self, stage: ModelStage, *texts: str) -> ModelResponse:
        """Return the response to a question with these answers."""
        async with await stage.open(plan_of(FIRST), {FIRST: [answer(text) for text in texts]}) as gateway:
            return await gateway.ask(review_request())

    # --- records -----------------------------------------------------------------------------------------------

    async def test_what_was_asked_and_answered_is_recorded(self, stage: ModelStage) -> None:
        sampling = Sampling(temperature=0.5, seed=7)
        async with await stage.open(plan_of(FIRST), {FIRST: [answer(FITTING["fenced"])]}) as gateway:
            response = await gateway.ask(replace(review_request("Judge the pea."), sampling=sampling))
        (record,) = response.records
        assert (record.role, record.attempt, record.failure) == (ROLE, 1, None)
        assert "Judge the pea." in record.request
        assert record.response == response.text
        assert Review.model_validate_json(record.response.removeprefix("```json").removesuffix("```")) == GOOD_REVIEW
        assert (record.schema_name, record.sampling) == ("Review", sampling)
        assert record.provider == response.provider

    async def test_many_may_ask_at_once(self, stage: ModelStage) -> None:
        async with await stage.open(plan_of(FIRST), {FIRST: [answer(GOOD)] * _TOGETHER}) as gateway:
            asked = [gateway.ask(review_request(f"Judge number {n}.")) for n in range(_TOGETHER)]
            responses = await asyncio.gather(*asked)
        for number, response in enumerate(responses):
            assert response.output == GOOD_REVIEW
            assert [f"number {number}." in record.request for record in response.records] == [True]

    # --- who answers -------------------------------------------------------------------------------------------

    async def test_every_role_is_played_or_it_is_said_why_not(self, stage: ModelStage) -> None:
        async with await stage.open(plan_of(FIRST), {FIRST: [answer(GOOD)]}) as gateway:
            roles = gateway.roles()
        assert set(roles) >= set(ASKED)
        assert roles[ROLE].route is not None
        for played in roles.values():
            assert (played.route is None) == bool(played.why_not)

    @pytest.mark.parametrize("role", [role for role in ASKED if role != ROLE])
    async def test_a_role_that_nobody_plays_is_an_error(self, stage: ModelStage, role: ModelRole) -> None:
        async with await stage.open(plan_of(FIRST), {FIRST: [answer(GOOD)]}) as gateway:
            with pytest.raises(ModelCallFailed, match=role) as caught:
                await gateway.ask(review_request(role=role))
        assert (caught.value.reason, caught.value.records) == ("not_configured", ())
        assert not stage.asked(FIRST)

    async def test_a_route_that_the_role_does_not_have_is_an_error(self, stage: ModelStage) -> None:
        other = ModelRoute(provider=FIRST, model_id="another-model")
        async with await stage.open(plan_of(FIRST), {FIRST: [answer(GOOD)]}) as gateway:
            with pytest.raises(ModelCallFailed, match="another-model") as caught:
                await gateway.ask(replace(review_request(), route=other))
        assert caught.value.reason == "not_configured"
        assert not stage.asked(FIRST)

    # --- secrets -----------------------------------------------------------------------------------------------

    async def test_a_key_that_somebody_repeats_is_not_seen_again(self, stage: ModelStage) -> None:
        told = f'{{"score": 7, "why": "the key is {stage.key}"}}'
        async with await stage.open(plan_of(FIRST), {FIRST: [answer(told), answer(told)]}) as gateway:
            response = await gateway.ask(review_request(f"The key is {stage.key}."))
            plain = await gateway.ask(ModelRequest.prompt(ROLE, f"Repeat {stage.key}."))
        assert stage.key not in repr((response, plain, gateway.roles(), gateway))
        assert stage.key not in "".join(stage.asked(FIRST))

    async def test_it_can_be_closed_twice(self, stage: ModelStage) -> None:
        gateway = await stage.open(plan_of(FIRST), {FIRST: [answer(GOOD)]})
        await gateway.ask(review_request())
        await gateway.aclose()
        await gateway.aclose()
