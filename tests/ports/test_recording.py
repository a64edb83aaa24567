"""What an operation did through its ports is noted by whoever carries it, whatever its handler says."""

import asyncio

from tests.kernel.test_models import Wire, plan
from tests.ports.test_recording_sandbox import PROGRAM, Dying
from tests.ports.test_research import Doing

from mendel.adapters.memory.embedder import MemoryEmbedder
from mendel.adapters.memory.outcomes import perform, perform_inline
from mendel.adapters.memory.retriever import MemoryRetriever
from mendel.adapters.models.live import LiveGateway
from mendel.contracts.energy import Usage
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.evaluations import Case
from mendel.contracts.events.operation import Operation
from mendel.contracts.model_calls import ToolCall
from mendel.contracts.retrieval import Passage
from mendel.contracts.work import Answer, Failure, Material, TaskPayload, Work
from mendel.ports.embedder_degradation import DegradingEmbedder
from mendel.ports.handlers import Ports
from mendel.ports.model_gateway import ModelRequest
from mendel.ports.model_wire import WireFailed
from mendel.ports.research import TOOLS, ToolAnswer, ToolCounter

PORTS = ("models", "sandbox", "retriever", "embedder", "tools")


def _work(allowance):
    operation = Operation(
        id="op-1",
        step="sample.ask",
        kind="examine",
        subject_kind="candidate",
        subject_ids=("candidate-1",),
        allowance=allowance,
    )
    return Work(operation=operation, material=Material(problem="p"), models=plan(), ports=PORTS)


def performed(handler, says, allowance=None, **others):
    work = _work(allowance or plan().worst("mutator"))
    payload = TaskPayload(handler="sample.ask", run_id="r", work=work).model_dump(mode="json")
    gateway = LiveGateway(plan(), lambda _name: Wire(says))
    return asyncio.run(perform_inline(handler, payload, Ports(models=gateway, **others)))


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


# --- what is looked up ---------------------------------------------------------------------------------------------


class Silent(MemoryEmbedder):
    """Nobody is there."""

    async def _embed(self, texts):
        raise ConnectionError


async def _looks_everything_up(_work, ports):
    await ports.retriever.retrieve("peas")
    embedded = await ports.embedder.embed(["peas"])
    assert embedded.vectors[0].embedder == MemoryEmbedder().name
    for number in range(5):
        wish = ToolCall(id=str(number), name="web_search", arguments='{"query": "peas"}')
        await ports.tools.call(wish, frozenset(TOOLS), ToolCounter(1_000))
    return Answer(usage=Usage(cpu_ms=5, tool_calls=0))


async def _gives_up_afterwards(work, ports):
    await _looks_everything_up(work, ports)
    raise HandlerFailed("no_use", "nothing of it is of any use", usage=Usage())


def looked_up(handler, tool_calls):
    others = {
        "retriever": MemoryRetriever([Passage(source="s", title="peas", text="green and yellow")]),
        "embedder": DegradingEmbedder(Silent(), MemoryEmbedder()),
        "tools": Doing(ToolAnswer("green", "somebody")),
    }
    return performed(handler, lambda _n: "well", Usage(tool_calls=tool_calls), **others)


def test_what_was_looked_up_stands_in_the_answer_and_no_counter_of_a_handlers_raises_the_cap():
    answer = Answer.model_validate(looked_up(_looks_everything_up, 3)["answer"])
    assert [each.passages[0].text for each in answer.lookups.retrievals] == ["green and yellow"]
    assert [each.standing for each in answer.lookups.degraded] == ["estimated"]
    codes = [each.code for each in answer.lookups.tools]
    assert codes == ["answered"] * 3 + ["cap_reached"] * 2
    assert answer.usage == Usage(cpu_ms=5, tool_calls=3)


def test_a_failure_has_what_was_looked_up_too():
    failure = Failure.model_validate(looked_up(_gives_up_afterwards, 2)["failure"])
    assert failure.lookups is not None
    assert len(failure.lookups.retrievals) == 1
    assert failure.usage == Usage(tool_calls=2)


# --- programs that were run ----------------------------------------------------------------------------------------


async def _runs_three_and_says_none(_work, ports):
    await ports.sandbox.evaluate(PROGRAM, [Case()] * 3)
    return Answer(usage=Usage(evaluations=0))


async def _runs_none_and_says_many(_work, _ports):
    return Answer(usage=Usage(evaluations=1_000))


async def _runs_three_and_fails(_work, ports):
    await ports.sandbox.evaluate(PROGRAM, [Case()] * 3)
    raise HandlerFailed("no_use", "none of it is of use", usage=Usage(evaluations=1))


def _plain_says_many(_work):
    return Answer(usage=Usage(evaluations=1_000))


def test_evaluations_are_the_sandboxs_word_and_not_the_handlers():
    allowed = Usage(evaluations=5)
    for handler, told in ((_runs_three_and_says_none, 3), (_runs_none_and_says_many, 0)):
        data = performed(handler, lambda _n: "well", allowed, sandbox=Dying())
        assert Answer.model_validate(data["answer"]).usage.evaluations == told
    failure = performed(_runs_three_and_fails, lambda _n: "well", allowed, sandbox=Dying())["failure"]
    assert Failure.model_validate(failure).usage.evaluations == 3
    payload = TaskPayload(handler="sample.look", run_id="r", work=_work(allowed))
    assert Answer.model_validate(perform(_plain_says_many, payload)["answer"]).usage.evaluations == 0


def test_a_handler_that_wants_more_than_its_step_declared_fails_at_its_worst_case():
    data = performed(_runs_three_and_says_none, lambda _n: "well", Usage(evaluations=2), sandbox=Dying())
    failure = Failure.model_validate(data["failure"])
    assert (failure.error_code, failure.usage) == ("over_allowance", None)
