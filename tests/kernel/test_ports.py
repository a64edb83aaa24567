"""A step is given the ports that it names and no other; a run that needs one which is not open does not start."""

import asyncio

import pytest
from tests.kernel.scripted import NUDGE, ScriptedDomain, Stage, config_of, notes_of, payloads, thing, value_of

from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.energy import Usage
from mendel.contracts.errors import FabricError, RunRefused, SandboxUnavailable
from mendel.contracts.work import Answer
from mendel.kernel.domain import Step
from mendel.kernel.performing import perform_on_draft
from mendel.ports.handlers import Ports
from mendel.selection.operators import Operator


class Bell:
    """A port that Mendel has never heard of."""

    def __init__(self) -> None:
        self.rung = 0

    def ring(self) -> None:
        self.rung += 1


async def ring(work, ports):
    ports.get("bell", Bell).ring()
    return Answer(findings=thing(1.0))


async def look_at_all(work, ports):
    return Answer(findings=thing(float(len(ports.names)), *sorted(ports.names)))


class OpenStage(Stage):
    """A run where some ports are open."""

    def __init__(self, domain, **opened):
        super().__init__(domain)
        self.opened = opened

    def fabric(self):
        return MemoryTaskFabric(workers=0, handlers=self.domain.handlers.__getitem__, ports=Ports(**self.opened))


async def bred(handler, step, **opened):
    stage = OpenStage(ScriptedDomain(handlers={"scripted.look": handler}, steps={"scripted.look": step}), **opened)
    await stage.configure(config_of(caps={"max_generations": 1}))
    await stage.conduct()
    return await stage.events()


async def test_a_port_of_anybodys_reaches_the_step_that_names_it():
    bell = Bell()
    events = await bred(ring, Step(ports=("bell",)), bell=bell)
    assert bell.rung == 4
    assert payloads(events, "operation.failed") == []


async def test_a_handler_that_reaches_for_what_its_step_does_not_name_is_told_so():
    bell = Bell()
    events = await bred(ring, Step(ports=("book",)), bell=bell, book=Bell())
    failed = payloads(events, "operation.failed")
    assert {each.error_code for each in failed} == {"port_not_named"}
    assert 'the step scripted.look uses the port bell, which it does not name; Step(ports=("bell",))' in {
        each.message for each in failed
    }
    assert bell.rung == 0


async def test_only_those_that_a_step_names_are_there_and_what_it_can_do_without_may_be_missing():
    events = await bred(look_at_all, Step(ports=("bell",), may_use=("book",)), bell=Bell(), drum=Bell())
    found = [each.findings.data["notes"] for each in payloads(events, "operation.completed") if each.findings]
    assert found == [["bell"]] * 4
    events = await bred(ring, Step(may_use=("bell",)))
    assert {each.error_code for each in payloads(events, "operation.failed")} == {"port_not_open"}


def wanting(port):
    return OpenStage(ScriptedDomain(steps={"scripted.look": Step(Usage(evaluations=1), ports=(port,))}))


async def test_a_run_whose_step_needs_a_port_that_is_not_open_does_not_start():
    stage, said = wanting("sandbox"), r"sandbox\.backend in mendel\.toml opens it"
    await stage.configure(config_of())
    with pytest.raises(RunRefused, match=f"the step scripted.look needs the port sandbox, which is not open: {said}"):
        await stage.conduct()
    assert [event.type for event in await stage.events()] == ["run.configured"]


@pytest.mark.parametrize(("port", "advice"), [("sandbocks", "; did you mean sandbox?"), ("bell", "")])
async def test_a_port_that_nothing_opens_is_refused_before_the_run_is_recorded(port, advice):
    stage, known = wanting(port), "known are embedder, models, retriever, sandbox, tools"
    with pytest.raises(RunRefused) as caught:
        await stage.configure(config_of())
    assert str(caught.value).endswith(f"which is not open: no setting opens a port of that name; {known}{advice}")
    assert await stage.log.runs() == ()


async def test_an_operator_that_a_run_does_not_have_needs_nothing():
    class Thrifty(ScriptedDomain):
        def operators_for(self, config):
            return (NUDGE,)

    ring_it = Operator(name="ring", step="scripted.ring")
    domain = Thrifty(
        handlers={"scripted.ring": ring}, steps={"scripted.ring": Step(ports=("bell",))}, operators=(NUDGE, ring_it)
    )
    stage = OpenStage(domain)
    await stage.configure(config_of(caps={"max_generations": 2}))
    assert (await stage.conduct()).terminal


# --- a step that is asked before a run begins ----------------------------------------------------------------------


async def asked(handler, step, **opened):
    """What that handler answers about a draft, or raises."""
    fabric = MemoryTaskFabric(workers=0, handlers=lambda _: handler, ports=Ports(**opened))
    try:
        draft = config_of(rng_seed=5, domain_config=thing(2.0))
        return await perform_on_draft(fabric, draft, "scripted.weigh", step)
    finally:
        await fabric.close()


async def test_before_a_run_a_step_is_given_the_draft_its_seed_and_the_ports_that_it_names():
    async def weigh(work, ports):
        assert work.operation.entropy[0] == 5
        return Answer(findings=thing(value_of(work.material.config), *sorted(ports.names)))

    answer = await asked(weigh, Step(ports=("bell",), may_use=("book",)), bell=Bell(), drum=Bell())
    assert (value_of(answer.findings), notes_of(answer.findings)) == (2.0, ("bell",))


async def test_before_a_run_a_step_that_needs_what_is_not_open_is_not_asked():
    async def never(work):
        raise AssertionError("it was asked")

    with pytest.raises(RunRefused, match=r"the step scripted\.weigh needs the port bell, which is not open"):
        await asked(never, Step(ports=("bell",)))
    with pytest.raises(SandboxUnavailable, match="no sandbox is available"):
        await asked(never, Step(Usage(evaluations=1), ports=("sandbox",)))


async def test_before_a_run_what_overruns_its_deadline_is_ended_and_said():
    async def forever(work):
        await asyncio.Event().wait()

    with pytest.raises(FabricError, match=r"the handler was stopped after 0\.05 s"):
        await asked(forever, Step(deadline_ms=50))


async def test_who_stops_waiting_before_a_run_stops_the_step():
    began, ended = asyncio.Event(), asyncio.Event()

    async def forever(work):
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    waiting = asyncio.create_task(asked(forever, Step()))
    await began.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ended.is_set()
