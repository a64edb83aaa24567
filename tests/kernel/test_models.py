"""Models in a run: every attempt in the log, every token under its cap, no route but those that are allowed."""

from collections.abc import Callable

import pytest
from pydantic import BaseModel
from tests.kernel.scripted import ScriptedDomain, Stage, config_of, of_type, payloads, thing

from mendel.adapters.models.live import LiveGateway
from mendel.contracts.energy import Usage
from mendel.contracts.errors import RunRefused
from mendel.contracts.model_calls import CallLimits
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRoute, Price
from mendel.contracts.work import Answer, Work
from mendel.kernel.domain import Step
from mendel.kernel.settling import EXCERPT
from mendel.ports.handlers import Ports
from mendel.ports.model_gateway import ModelRequest
from mendel.ports.model_wire import ModelWire, WireAnswer, WireFailed, WireRequest, WireUsage

CHEAP = Price(input_microusd=1_000_000, output_microusd=2_000_000)
LIMITS = CallLimits(prompt_bytes=2_000, tokens_out=50)
ROUTE = ModelRoute(provider="here", model_id="m")
OTHER = ModelRoute(provider="here", model_id="other")


class Shift(BaseModel):
    by: float


def plan(*, retries: int = 0, fallback: bool = False, overridable: bool = False) -> ModelPlan:
    source = Source(name="here_m", route=ROUTE, price=CHEAP)
    other = Source(name="here_other", route=OTHER, price=CHEAP)
    role = RolePlan(sources=(source,), fallback=other if fallback else None, limits=LIMITS, retries=retries)
    return ModelPlan(roles={"mutator": role}, overridable={"mutator": (other,)} if overridable else {})


class Wire(ModelWire):
    """Answers as a function of the number of the call says."""

    def __init__(self, says: Callable[[int], str | WireFailed], usage: WireUsage | None = None) -> None:
        self.seen: list[WireRequest] = []
        self._says = says
        self._usage = usage or WireUsage(7, 3)

    async def complete(self, request: WireRequest) -> WireAnswer:
        self.seen.append(request)
        said = self._says(len(self.seen) - 1)
        if isinstance(said, WireFailed):
            raise said
        return WireAnswer(text=said, model_id=request.model_id, request_id="r-1", usage=self._usage)


async def ask(work: Work, ports: Ports) -> Answer:
    response = await ports.models.ask(ModelRequest.prompt("mutator", "by how much?", output=Shift))
    shift = response.output.by if isinstance(response.output, Shift) else 0.0
    return Answer(traits=thing(1.0 + shift))


def domain() -> ScriptedDomain:
    step = Step(Usage(spawns=1), asks=("mutator",), ports=("models",))
    return ScriptedDomain(handlers={"scripted.vary": ask}, steps={"scripted.vary": step})


async def bred(wire: Wire, own: ModelPlan | None = None, **caps: int):
    own = own or plan()
    stage = Stage(domain(), models=LiveGateway(own, lambda _name: wire, sleep=_at_once))
    limits = {"max_generations": 2, "max_candidates": 12, **caps}
    await stage.configure(config_of(caps=limits, model_profile="live"), own)
    state = await stage.conduct()
    return stage, state, await stage.events()


async def _at_once(_seconds: float) -> None:
    return None


async def test_every_answer_stands_in_the_log_with_what_it_took() -> None:
    _, state, events = await bred(Wire(lambda _n: '{"by": 0.5}'))
    told = of_type(events, "llm_call_telemetry")
    births = of_type(events, "genome.mutated")
    assert births
    assert len(told) == len(births)
    assert {each.payload.validation for each in told} == {"accepted"}
    assert all(each.payload.response_excerpt == '{"by": 0.5}' and not each.payload.truncated for each in told)
    assert all(each.payload.provider.cost_microusd == 13 for each in told)
    assert state.ledger.used.max_tokens == 10 * len(told)
    assert state.ledger.used.max_cost_microusd == 13 * len(told)
    completed = {each.operation_id: each.payload.usage for each in of_type(events, "operation.completed")}
    assert all(
        (completed[each.operation_id].tokens_in, completed[each.operation_id].tokens_out) == (7, 3) for each in told
    )


async def test_a_step_is_given_the_roles_that_it_asks_and_no_others() -> None:
    given: list[ModelPlan | None] = []

    async def look(work: Work) -> Answer:
        given.append(work.models)
        return Answer(traits=thing(1.0))

    own = plan()
    own = own.model_copy(update={"roles": {**own.roles, "critic": own.roles["mutator"]}})
    asking = Step(Usage(spawns=1), asks=("mutator",), may_use=("models",))
    stage = Stage(ScriptedDomain(handlers={"scripted.vary": look}, steps={"scripted.vary": asking}))
    await stage.configure(config_of(caps={"max_generations": 2}, model_profile="live"), own)
    await stage.conduct()
    assert given
    assert {each == own.only({"mutator"}) for each in given} == {True}


async def test_a_failed_attempt_and_a_repair_are_events_of_their_own_in_their_order() -> None:
    answers = [WireFailed("overloaded", "busy", unsent=True), "no number at all", '{"by": 1}']
    _, _, events = await bred(Wire(lambda n: answers[n % 3]), plan(retries=1))
    first = of_type(events, "provider_call_failed")[0].operation_id
    mine = [each for each in events if each.operation_id == first]
    assert [each.type for each in mine if "call" in each.type] == [
        "provider_call_failed",
        "llm_call_telemetry",
        "llm_call_telemetry",
    ]
    assert [each.validation for each in payloads(mine, "llm_call_telemetry")] == ["rejected", "repaired"]
    assert not of_type(mine, "output_schema_rejected")
    assert [each.type for each in mine].index("provider_call_failed") < [each.type for each in mine].index(
        "operation.completed"
    )


async def test_two_wrong_answers_are_rejected_with_an_event() -> None:
    _, _, events = await bred(Wire(lambda _n: '{"by": "far"}'))
    rejected = payloads(events, "output_schema_rejected")
    assert rejected
    assert all(each.schema_name == "Shift" and each.repaired and "by:" in each.complaints[0] for each in rejected)


async def test_a_failed_call_fails_its_operation_with_the_reason_and_costs_no_energy() -> None:
    _, state, events = await bred(Wire(lambda _n: WireFailed("auth", "no such key", unsent=True)))
    failed = payloads(events, "operation.failed")
    assert failed
    assert {each.error_code for each in failed} == {"auth"}
    assert state.ledger.used.max_tokens == 0
    assert len(of_type(events, "provider_call_failed")) == len(failed)


async def test_an_attempt_that_nobody_accounts_for_counts_at_its_worst() -> None:
    _, state, events = await bred(Wire(lambda _n: WireFailed("timeout", "too long")))
    told = payloads(events, "provider_call_failed")
    assert told
    assert all(each.provider.tokens_out == LIMITS.tokens_out and each.provider.tokens_in > 20 for each in told)
    assert state.ledger.used.max_tokens == sum(each.provider.tokens_in + each.provider.tokens_out for each in told)


async def test_a_cap_on_tokens_ends_the_run_before_it_is_broken() -> None:
    worst = plan().roles["mutator"].worst()
    cap = worst.tokens_in + worst.tokens_out + 5
    _, state, events = await bred(Wire(lambda _n: '{"by": 0.1}'), max_tokens=cap)
    assert "max_tokens" in {each.cap for each in payloads(events, "run.cap_reached")}
    assert state.ledger.used.max_tokens <= cap


async def test_a_cap_on_money_holds_even_if_the_provider_says_that_it_took_more() -> None:
    _, state, events = await bred(Wire(lambda _n: '{"by": 0.1}', WireUsage(10**9, 1)), max_cost_microusd=10_000_000)
    assert {each.error_code for each in payloads(events, "operation.failed")} == {"over_allowance"}
    assert state.ledger.used.max_cost_microusd > 10_000_000
    assert len(of_type(events, "operation.failed")) <= state.slots


async def test_a_long_answer_is_a_blob() -> None:
    long = '{"by": 1, "why": "' + "x" * 50_000 + '"}'
    stage, _, events = await bred(Wire(lambda _n: long))
    told = payloads(events, "llm_call_telemetry")[0]
    assert told.truncated
    assert told.response_excerpt == long[:EXCERPT]
    assert (await stage.log.blobs.get(told.response)).decode() == long


async def test_an_offline_run_asks_nobody_and_records_no_plan() -> None:
    wire = Wire(lambda _n: '{"by": 0.1}')
    stage = Stage(ScriptedDomain(), models=LiveGateway(plan(), lambda _name: wire))
    await stage.configure(config_of(models=plan()), plan())
    state = await stage.conduct()
    assert state.config.models is None
    assert not wire.seen


async def test_a_run_may_choose_what_is_allowed_and_nothing_else() -> None:
    wire = Wire(lambda _n: '{"by": 0.1}')
    own = plan(overridable=True)
    stage = Stage(domain(), models=LiveGateway(own, lambda _name: wire))
    chosen = config_of(model_profile="live", model_route_overrides={"mutator": OTHER})
    await stage.configure(chosen, own)
    await stage.conduct()
    assert {each.model_id for each in wire.seen} == {"other"}
    with pytest.raises(RunRefused, match="may not choose here/other for mutator; it may choose none"):
        await stage.configure(chosen, plan())
    with pytest.raises(RunRefused, match="needs models, and none is configured"):
        await stage.configure(config_of(model_profile="live"))


async def test_a_plan_that_was_smuggled_into_the_log_is_followed_by_nobody() -> None:
    wire = Wire(lambda _n: '{"by": 0.1}')
    stage = Stage(domain(), models=LiveGateway(plan(), lambda _name: wire))
    await stage.configure(
        config_of(model_profile="live", model_route_overrides={"mutator": OTHER}), plan(overridable=True)
    )
    await stage.conduct()
    assert not wire.seen
    failed = payloads(await stage.events(), "operation.failed")
    assert failed
    assert {each.error_code for each in failed} == {"not_configured"}
