"""One question to several: all are asked at once, failures are told, and only an accepted answer is chosen."""

import asyncio

import pytest
from pydantic import BaseModel
from tests.kernel.test_models import Wire

from mendel.adapters.models.live import LiveGateway, nobody
from mendel.contracts.errors import ModelCallFailed
from mendel.contracts.model_calls import CallLimits
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRoute
from mendel.ports.fan_out import best_by, fan_out, first, most_agreed
from mendel.ports.model_gateway import Budget, ModelRequest, RecordingModels
from mendel.ports.model_wire import WireFailed

DOWN = WireFailed("connection", "nobody there", unsent=True)


class Choice(BaseModel):
    value: int


class Slow(Wire):
    """Answers when the others have been asked too."""

    async def complete(self, request):
        await asyncio.sleep(0)
        return await super().complete(request)


def asked(chooser, *says, budget=None):
    """Each source says one thing, whatever it is asked."""
    routes = [ModelRoute(provider=f"p{number}", model_id="m") for number in range(len(says))]
    sources = tuple(Source(name=f"source_{number}", route=route) for number, route in enumerate(routes))
    plan = ModelPlan(roles={"mutator": RolePlan(sources=sources, retries=0)})
    wires = {route.provider: Slow(lambda _n, said=said: said) for route, said in zip(routes, says, strict=True)}
    models = RecordingModels(LiveGateway(plan, wires.__getitem__), plan=plan, budget=budget)
    request = ModelRequest.prompt("mutator", "which?", output=Choice)
    return asyncio.run(fan_out(models, request, routes, chooser)), models


def test_the_first_that_is_accepted_counts_and_all_are_recorded():
    found, models = asked(first, "no number", '{"value": 2}', '{"value": 3}')
    assert found.chosen is not None
    assert found.chosen.output == Choice(value=2)
    assert [answer.outcome for answer in found.answers] == ["rejected", "accepted", "accepted"]
    assert len(models.records) == 4
    assert len({record.call for record in models.records}) == 3


def test_what_most_say_counts():
    found, _ = asked(most_agreed, '{"value": 1}', '{"value": 2}', '{ "value": 2 }', DOWN)
    assert found.chosen is not None
    assert found.chosen.output == Choice(value=2)
    assert [(str(route), error.reason) for route, error in found.failed] == [("p3/m", "connection")]


def test_the_best_by_a_score_counts_and_the_earliest_of_equals():
    score = best_by(lambda answer: answer.output.value % 10)
    found, _ = asked(score, '{"value": 13}', '{"value": 25}', '{"value": 35}')
    assert found.chosen is not None
    assert found.chosen.output == Choice(value=25)


def test_where_nothing_is_accepted_nothing_is_chosen():
    found, _ = asked(first, "no", "nor this", DOWN)
    assert found.chosen is None
    assert len(found.answers) == 2


def test_where_nobody_answers_that_is_the_failure():
    with pytest.raises(ModelCallFailed, match="connection"):
        asked(first, DOWN, DOWN)


def test_together_they_spend_no_more_than_their_operation_may():
    budget = Budget(CallLimits().tokens_out + 2_000, 0)
    found, _ = asked(first, '{"value": 1}', '{"value": 2}', budget=budget)
    assert [error.reason for _, error in found.failed] == ["over_allowance"]
    assert budget.tokens > 0


@pytest.mark.parametrize("place", [-1, 1])
def test_a_chooser_that_names_nobody_is_told(place):
    with pytest.raises(ValueError, match=f"index {place} for 1 answers"):
        asked(lambda _answers: place, '{"value": 1}')


def test_no_route_is_no_question():
    with pytest.raises(ValueError, match="at least one route"):
        asyncio.run(fan_out(LiveGateway(ModelPlan(), nobody), ModelRequest.prompt("mutator", "which?"), [], first))
