import asyncio

import pytest
from structlog.testing import capture_logs
from tests.support.rows import check_rows

from mendel.adapters.memory.model_gateway import MemoryModels
from mendel.contracts.model_calls import AttemptRecord, Message
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRoute, ProviderMeta
from mendel.ports.model_gateway import ModelRequest
from mendel.ports.model_wire import WireAnswer, WireFailed, WireUsage
from mendel.ports.observing import NOBODY, CallObserver, Several, Trace, Watched

CANARY = "sk-canary0123456789abcdef"
ROUTE = ModelRoute(provider="acme", model_id="m-1")
RECORD = AttemptRecord(role="mutator", attempt=1, provider=ProviderMeta(provider="acme", model_id="m-1"))


class Diary(CallObserver):
    """Writes down what it is told, under ids of its own."""

    def __init__(self, name):
        self.name = name
        self.told = []
        self.closed = 0

    def began(self, role, route, after=None):
        trace = Trace(f"{self.name}-trace", f"{self.name}-{len(self.told)}")
        self.told.append(("began", role, str(route), after))
        return trace

    def ended(self, trace, record):
        self.told.append(("ended", trace, record.attempt))

    async def aclose(self):
        self.closed += 1


class Clumsy(CallObserver):
    def __init__(self, *fails):
        self.fails = fails

    def began(self, role, route, after=None):
        if "began" in self.fails:
            raise LookupError(CANARY)
        return Trace("clumsy", "1")

    def ended(self, trace, record):
        if "ended" in self.fails:
            raise RuntimeError(f"{record.request} {CANARY}")

    async def aclose(self):
        if "aclose" in self.fails:
            raise OSError(CANARY)


def models(observer, *turns):
    source = Source(name="acme", route=ROUTE)
    plan = ModelPlan(roles={"mutator": RolePlan(sources=(source,), retries=2)})
    return MemoryModels(plan, {"acme": turns}, observer=observer)


def answer(text="fine"):
    return WireAnswer(text, "m-1", usage=WireUsage(3, 4))


async def ask(gateway):
    return await gateway.ask(ModelRequest(role="mutator", messages=(Message(role="user", content="a question"),)))


@check_rows("fails", [("began",), ("ended",), ("began", "ended", "aclose")])
async def test_an_observer_that_raises_harms_no_call_and_is_named_once(fails):
    observer = Watched(Clumsy(*fails))
    with capture_logs() as said:
        gateway = models(observer, *[answer()] * 5)
        for _ in range(5):
            assert (await ask(gateway)).outcome == "accepted"
        await observer.aclose()
    (line,) = said
    assert line["event"] == "call_observer_failed"
    assert line["observer"] == "Clumsy"
    assert line["log_level"] == "warning"


async def test_what_an_observer_raises_is_not_repeated():
    with capture_logs() as said:
        await ask(models(Watched(Clumsy("ended")), answer()))
    assert CANARY not in repr(said)
    assert "a question" not in repr(said)


async def test_each_observer_is_named_for_itself():
    with capture_logs() as said:
        gateway = models(Several(Clumsy("began"), Clumsy("ended"), Watched(Clumsy("ended"))), *[answer()] * 3)
        for _ in range(3):
            await ask(gateway)
    assert len(said) == 3


async def test_one_that_raises_does_not_silence_the_others():
    first, last = Diary("first"), Diary("last")
    several = Several(first, Clumsy("began", "ended", "aclose"), last)
    with capture_logs():
        await ask(models(several, answer()))
        await several.aclose()
    assert [what for what, *_ in first.told] == ["began", "ended"] == [what for what, *_ in last.told]
    assert (first.closed, last.closed) == (1, 1)


def test_what_is_no_error_is_not_swallowed():
    class Interrupted(Clumsy):
        def ended(self, trace, record):
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        Watched(Interrupted()).ended(Trace(), RECORD)


async def test_the_ids_on_records_are_those_of_the_first_who_has_some():
    response = await ask(models(Several(NOBODY, Diary("x"), Diary("y")), answer()))
    assert [(each.trace_id, each.observation_id) for each in response.records] == [("x-trace", "x-0")]
    assert response.trace_id == "x-trace"


async def test_each_observer_is_told_under_its_own_ids():
    one, two = Diary("one"), Diary("two")
    gateway = models(Several(one, NOBODY, two), WireFailed("overloaded", "busy"), answer())
    response = await ask(gateway)
    assert [each.attempt for each in response.records] == [1, 2]
    for diary in (one, two):
        first, second = Trace(f"{diary.name}-trace", f"{diary.name}-0"), Trace(f"{diary.name}-trace", f"{diary.name}-2")
        assert diary.told == [
            ("began", "mutator", "acme/m-1", None),
            ("ended", first, 1),
            ("began", "mutator", "acme/m-1", first),
            ("ended", second, 2),
        ]


def test_several_may_be_nested():
    inner, outer = Diary("inner"), Diary("outer")
    several = Several(Several(inner), outer)
    trace = several.began("mutator", ROUTE)
    several.ended(trace, RECORD)
    assert inner.told[-1] == ("ended", Trace("inner-trace", "inner-0"), 1)
    assert outer.told[-1] == ("ended", Trace("outer-trace", "outer-0"), 1)


@check_rows("trace", [Trace(), Trace("a", "b"), Trace("a", "b", (Trace(), Trace()))])
def test_a_trace_from_elsewhere_is_nobodys(trace):
    diary = Diary("x")
    several = Several(diary)
    several.began("mutator", ROUTE, trace)
    several.ended(trace, RECORD)
    assert diary.told == [("began", "mutator", "acme/m-1", Trace()), ("ended", Trace(), 1)]


async def test_nobody_watches():
    assert NOBODY.began("mutator", ROUTE) == Trace()
    NOBODY.ended(Trace(), RECORD)
    await NOBODY.aclose()
    assert Several().began("mutator", ROUTE) == Trace()
