"""Commands that nobody would answer, usage that nobody reports, plug-ins that are not there any more."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Sequence

import pytest
from tests.kernel.scripted import (
    FREE,
    ScriptedDomain,
    Stage,
    breed,
    config_of,
    looked_at,
    of_type,
    payloads,
    several,
    thing,
    until,
)

from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import Usage
from mendel.contracts.errors import CommandNotPossible, DomainFailed, HandlerFailed, UnknownPlugin
from mendel.contracts.statuses import RunStatus
from mendel.contracts.work import Answer, Work
from mendel.kernel.conduct import conduct
from mendel.kernel.conductor import Options
from mendel.kernel.domain import Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.loading import loaded
from mendel.kernel.moves import Move

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


async def test_a_run_that_ends_while_another_process_waits_for_it_is_not_taken_over() -> None:
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of())
    asked, ended = threading.Event(), threading.Event()

    def late(name: str) -> ScriptedDomain:
        asked.set()
        ended.wait(20)
        return ScriptedDomain()

    fabric = stage.fabric()
    taking = {"log": stage.log, "fabric": fabric, "clock": stage.clock, "domains": late}
    second = asyncio.create_task(conduct(stage.run_id, **taking, options=Options(only_answer=True)))
    await until(asked.is_set)
    state = await stage.conduct()
    ended.set()
    with pytest.raises(CommandNotPossible, match="completed"):
        await second
    await fabric.close()
    assert state.status is RunStatus.COMPLETED
    assert (await stage.events())[-1].type == "run.completed"


async def test_what_only_a_missing_domain_can_answer_waits_for_it() -> None:
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of())
    await stage.interrupt(lambda event: event.type == "fitness.scored")
    before = await stage.events()
    await stage.submit(CommandKind.PROPOSE)

    def gone(name: str) -> ScriptedDomain:
        raise UnknownPlugin(f"no package has {name}")

    fabric = stage.fabric()
    answering = {"log": stage.log, "fabric": fabric, "clock": stage.clock, "domains": gone}
    with pytest.raises(UnknownPlugin, match="no package has scripted"):
        await conduct(stage.run_id, **answering, options=Options(only_answer=True))
    assert await stage.events() == before
    await stage.submit(CommandKind.KILL)
    await conduct(stage.run_id, **answering, options=Options(only_answer=True))
    await fabric.close()
    refused = payloads(await stage.events(), "command.refused")
    (reason,) = [each.reason for each in refused]  # which of the two depends on when the kill is read
    assert reason in ("the domain scripted cannot be loaded here: no package has scripted", "the run is being killed")


async def test_a_failure_in_a_domains_code_says_where_it_happened() -> None:
    async def look(work: Work) -> None:
        raise KeyError("no cup")

    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.observations:
            raise AttributeError("conteent")
        return looked_at(dossier)

    domain = ScriptedDomain(founders=several(1), route=route, handlers={"scripted.look": look})
    state, events = await breed(config_of(), domain)
    failed = payloads(events, "operation.failed")[0]
    assert re.fullmatch(r"KeyError: 'no cup' \(kernel/test_unanswered\.py, line \d+\)", failed.message)
    assert re.search(
        r"route raised AttributeError: conteent \(kernel/test_unanswered\.py, line \d+\)", state.ending or ""
    )


async def test_an_examination_that_answers_as_a_variation_has_failed() -> None:
    async def look(work: Work) -> Answer:
        return Answer(traits=thing(0.5))

    _, events = await breed(config_of(), ScriptedDomain(founders=several(1), handlers={"scripted.look": look}))
    failed = payloads(events, "operation.failed")[0]
    assert (failed.error_code, failed.message) == (
        "bad_answer",
        "an operation of the kind examine must return findings, not traits",
    )
