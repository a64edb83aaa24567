"""What an operation did through its ports is noted by whoever carries it, whatever its handler says."""

import asyncio

from tests.kernel.test_models import Wire, plan

from mendel.adapters.memory.outcomes import perform_inline
from mendel.adapters.models.live import LiveGateway
from mendel.contracts.energy import Usage
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.events.operation import Operation
from mendel.contracts.work import Answer, Failure, Material, TaskPayload, Work
from mendel.ports.handlers import Ports
from mendel.ports.model_gateway import ModelRequest
from mendel.ports.model_wire import WireFailed


def performed(handler, says, allowance=None):
    worst = plan().worst("mutator")
    operation = Operation(
        id="op-1",
        step="sample.ask",
        kind="examine",
        subject_kind="candidate",
        subject_ids=("candidate-1",),
        allowance=allowance or worst,
    )
    work = Work(operation=operation, material=Material(problem="p"), models=plan())
    payload = TaskPayload(handler="sample.ask", run_id="r", work=work).model_dump(mode="json")
    gateway = LiveGateway(plan(), lambda _name: Wire(says))
    return asyncio.run(perform_inline(handler, payload, Ports(models=gateway)))


async def _asks(_work, ports):
    await ports.models.ask(ModelRequest.prompt("mutator", "say something"))
    return Answer(usage=Usage(tokens_in=0, cpu_ms=5))


async def _fails_afterwards(_work, ports):
    await ports.models.ask(ModelRequest.prompt("mutator", "say something"))
    raise HandlerFailed("no_use", "what it said is of no use", usage=Usage())


async def _breaks_afterwards(_work, ports):
    await ports.models.ask(ModelRequest.prompt("mutator", "say something"))
    raise KeyError("x")


def test_what_was_asked_stands_in_the_answer_with_what_it_took():
    answer = Answer.model_validate(performed(_asks, lambda _n: "well")["answer"])
    assert [each.response for each in answer.calls] == ["well"]
    assert (answer.usage.tokens_in, answer.usage.tokens_out, answer.usage.cpu_ms) == (7, 3, 5)


def test_a_failure_has_its_calls_and_what_they_took_too():
    failure = Failure.model_validate(performed(_fails_afterwards, lambda _n: "well")["failure"])
    assert failure.error_code == "no_use"
    assert len(failure.calls) == 1
    assert failure.usage is not None
    assert failure.usage.tokens_in == 7


def test_who_breaks_without_a_word_counts_at_its_worst_and_its_calls_are_kept():
    failure = Failure.model_validate(performed(_breaks_afterwards, lambda _n: "well")["failure"])
    assert failure.usage is None
    assert len(failure.calls) == 1


def test_a_call_that_failed_is_the_operations_failure_by_its_reason():
    told = performed(_asks, lambda _n: WireFailed("auth", "no", unsent=True))
    failure = Failure.model_validate(told["failure"])
    assert (failure.error_code, failure.usage) == ("auth", Usage())
    assert [each.failure for each in failure.calls] == ["auth"]


def test_an_operation_cannot_spend_more_than_it_was_allowed():
    told = performed(_asks, lambda _n: "well", Usage(tokens_in=10))
    failure = Failure.model_validate(told["failure"])
    assert failure.error_code == "over_allowance"
    assert failure.usage == Usage()
