import pytest

from mendel.adapters.memory.model_gateway import MemoryModels
from mendel.conformance.model_gateway import ModelGatewayContract
from mendel.conformance.model_stage import FIRST, GOOD, ModelStage, answer, failure, plan_of, review_request
from mendel.contracts.errors import ModelCallFailed
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_wire import WireAnswer


class MemoryStage(ModelStage):
    def __init__(self):
        self.gateway = None

    async def open(self, plan, script):
        self.gateway = MemoryModels(plan, script, scrubber=Scrubber([self.key]))
        return self.gateway

    def asked(self, provider):
        questions = self.gateway.providers[provider].asked
        return ["\n".join(message.content for message in question.messages) for question in questions]


class TestMemoryModels(ModelGatewayContract):
    @pytest.fixture
    def stage(self):
        return MemoryStage()


async def test_a_turn_may_be_made_from_the_question():
    gateway = MemoryModels(plan_of(FIRST), {FIRST: [lambda asked: WireAnswer(GOOD, asked.model_id.upper())]})
    assert (await gateway.ask(review_request())).provider.model_id == "MODEL"


async def test_a_script_that_is_over_is_told():
    with pytest.raises(ModelCallFailed, match="the script of first has no turn") as caught:
        await MemoryModels(plan_of(FIRST), {FIRST: []}).ask(review_request())
    assert caught.value.reason == "bad_request"


async def test_it_waits_longer_each_time_and_as_long_as_it_is_told():
    turns = [failure("overloaded"), failure("overloaded"), failure("rate_limited", retry_after_s=9.5), answer(GOOD)]
    gateway = MemoryModels(plan_of(FIRST, retries=3), {FIRST: turns})
    await gateway.ask(review_request())
    first, second, third = gateway.waits
    assert 0.0 < first <= second < third
    assert third == 9.5
