"""Commands that nobody would answer, usage that nobody reports, plug-ins that are not there any more."""

from __future__ import annotations

import asyncio
import time

import pytest
from tests.kernel.scripted import FREE, ScriptedDomain, Stage, breed, config_of, of_type, payloads, several

from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import Usage
from mendel.contracts.errors import DomainFailed, HandlerFailed, UnknownPlugin
from mendel.contracts.statuses import RunStatus
from mendel.contracts.work import Work
from mendel.kernel.conduct import conduct
from mendel.kernel.conductor import Options
from mendel.kernel.domain import Step
from mendel.kernel.loading import loaded

TOKENS = {"scripted.look": Step(allowance=Usage(tokens_in=100))}


async def test_a_failure_that_does_not_say_what_it_used_counts_at_its_worst() -> None:
    async def look(work: Work) -> None:
        raise HandlerFailed("unlucky", "says nothing")

    config = config_of(caps={"max_tokens": 500, "max_generations": 50}, energy_costs=FREE)
    state, events = await breed(config, ScriptedDomain(steps=TOKENS, handlers={"scripted.look": look}))
    looked = [each for each in payloads(events, "operation.started") if each.operation.step == "scripted.look"]
    assert len(looked) <= 5
    assert state.ledger.used.max_tokens == 100 * len(looked)


async def test_a_failure_that_says_so_counts_as_it_says() -> None:
    async def look(work: Work) -> None:
        raise HandlerFailed("unlucky", "says it", usage=Usage(tokens_in=1))

    config = config_of(caps={"max_tokens": 500}, energy_costs=FREE)
    state, events = await breed(config, ScriptedDomain(steps=TOKENS, handlers={"scripted.look": look}))
    assert state.ledger.used.max_tokens == len(payloads(events, "operation.failed"))


async def test_every_command_that_waits_is_answered_when_the_run_is_killed() -> None:
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of())
    await stage.interrupt(lambda event: event.type == "run.started")
    for kind in (CommandKind.PROPOSE, CommandKind.KILL, CommandKind.KILL, CommandKind.STOP):
        await stage.submit(kind)
    state = await stage.conduct()
    assert state.status is RunStatus.FAILED
    assert state.commands_through == 4
    events = await stage.events()
    assert len(of_type(events, "command.accepted")) == 1
    assert len(of_type(events, "command.refused")) == 3


async def test_the_kill_switch_needs_no_domain() -> None:
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of())
    await stage.interrupt(lambda event: event.type == "fitness.scored")
    await stage.submit(CommandKind.KILL)

    def gone(name: str) -> ScriptedDomain:
        raise UnknownPlugin(f"nobody has {name}")

    fabric = stage.fabric()
    taking = {"log": stage.log, "fabric": fabric, "clock": stage.clock, "domains": gone}
    with pytest.raises(UnknownPlugin):
        await conduct(stage.run_id, **taking)
    state = await conduct(stage.run_id, **taking, options=Options(only_answer=True))
    await fabric.close()
    assert state.status is RunStatus.FAILED


async def test_a_domain_that_never_comes_into_being_is_not_waited_for() -> None:
    def endless(name: str) -> ScriptedDomain:
        while True:
            time.sleep(0.01)

    with pytest.raises(DomainFailed, match="loading it did not return"):
        await loaded(endless, "scripted", 0.1)


async def test_a_method_that_does_not_return_is_named() -> None:
    def route(dossier: object) -> tuple[()]:
        while True:
            pass

    stage = Stage(ScriptedDomain(founders=several(1), route=route))
    await stage.configure(config_of())
    state = await asyncio.wait_for(stage.conduct(Options(domain_patience_s=0.2)), 20)
    assert state.ending is not None
    assert "domain scripted: route did not return" in state.ending
