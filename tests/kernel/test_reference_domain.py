"""What the kernel offers to domains, tried in one from another package."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import pytest
from tests.support.rows import check_rows

from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.adapters.models.offline import OfflineGateway
from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind, NewCommand
from mendel.contracts.errors import BrokenPlugin, RunRefused, UnknownPlugin
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.genome import GenomeMutated
from mendel.contracts.events.operation import OperationCompleted, OperationStarted
from mendel.contracts.events.run import CommandAccepted, RunCompleted, RunConfigured
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import conduct
from mendel.kernel.digest import state_digest
from mendel.kernel.domain import Step
from mendel.kernel.fold import fold
from mendel.kernel.loading import check_domain, load_domain
from mendel.kernel.state import RunState
from mendel.ports.handlers import Ports
from mendel.settings import Settings
from mendel.wiring.lookups import curated_retriever, offline_embedder


def setting(**fields: object) -> DomainPayload:
    return DomainPayload(domain="reference", kind="setting", data={**fields})


async def bred(config: RunConfig, ports: Ports | None = None, wish: Mapping[str, object] | None = None) -> list[Event]:
    """The events of a run; what is wished for is set before it begins."""
    async with MemoryEventLog() as log:
        run_id = await configure(log, config, RunCaps())
        if wish is not None:
            command = NewCommand(run_id=run_id, kind=CommandKind.SET_PARAMETERS, payload={"domain": {**wish}})
            await log.submit(command)
        fabric = MemoryTaskFabric(workers=0, ports=ports)
        await asyncio.wait_for(conduct(run_id, log=log, fabric=fabric, clock=SystemClock()), 60)
        await fabric.close()
        return [event async for event in log.read(run_id)]


def shifts(events: list[Event]) -> list[float]:
    """How far each nudge went."""
    varied = [each.payload for each in events if isinstance(each.payload, GenomeMutated)]
    return [float(str(each.choices["shift"])) for each in varied if each.operator == "nudge"]


def config_of(**fields: object) -> RunConfig:
    plain = {"domain": "reference", "problem": "trial", "rng_seed": 7, "caps": RunCaps(max_population=12)}
    return RunConfig.model_validate({**plain, **fields})


async def test_a_bias_pulls_every_nudge_and_a_parameter_bounds_those_that_start_after_it():
    """Without a word a nudge goes at most 0.2 either way; the dial shifts that, the stride scales it."""
    plain, biased = await bred(config_of()), await bred(config_of(generation_bias=1.0))
    assert min(shifts(plain)) < 0 < max(shifts(plain)) <= 0.2
    assert 0.2 <= min(shifts(biased)) <= max(shifts(biased)) <= 0.6
    strict = await bred(config_of(), wish={"length": 0.01})
    (accepted,) = [each.payload for each in strict if isinstance(each.payload, CommandAccepted)]
    assert accepted.parameters is not None
    assert accepted.parameters.data == {"length": 0.01}
    assert 0 < max(map(abs, shifts(strict))) <= 0.005


async def test_survivors_are_measured_anew_in_each_generation_and_count_for_less_as_it_gets_stricter():
    caps = RunCaps(max_population=12, max_generations=5)
    events = await bred(config_of(caps=caps, domain_config=setting(renews=True, crowded=True)))
    state, before_the_end = RunState(events[0].run_id), RunState(events[0].run_id)
    for event in events:
        fold(state, event)
    for event in events[:-1]:
        fold(before_the_end, event)
    assert state.status is RunStatus.COMPLETED
    assert sorted(state.entries) == [1, 2, 3, 4]
    for entries in state.entries.values():
        for name, entry in entries.items():
            assert [each.step for each in entry.steps.observations()] == ["reference.measure", "reference.room"]
            first = state.candidates[name].score
            assert first is not None
            assert entry.score is not None
            assert entry.score.components["closeness"] < first.components["closeness"]
    (completed,) = [each.payload for each in events if isinstance(each.payload, RunCompleted)]
    assert completed.summary.state_digest == state_digest(before_the_end)


async def test_a_port_of_its_own_rings_for_the_step_that_may_use_it_and_vectors_find_neighbours():
    from mendel_reference.asking import Bell  # installed for these tests

    bell, settings = Bell(), Settings()
    ports = Ports(
        models=OfflineGateway(), embedder=offline_embedder(settings), retriever=curated_retriever(settings), bell=bell
    )
    events = await bred(config_of(domain_config=setting(wonders=True, crowded=True)), ports)
    begun = {
        each.payload.operation.id: each.payload.operation
        for each in events
        if isinstance(each.payload, OperationStarted)
    }
    assert bell.rung == sum(each.step == "reference.wonder" for each in begun.values()) > 0
    rooms = [
        each.payload
        for each in events
        if isinstance(each.payload, OperationCompleted) and each.payload.step == "reference.room"
    ]
    shown = {each.operation_id: begun[each.operation_id].neighbours for each in rooms}
    assert any(shown.values())
    for room in rooms:
        near = shown[room.operation_id]
        assert room.findings is not None
        assert room.findings.data["alike"] == (near[0].similarity if near else None)


@check_rows(
    ("fields", "said"),
    [
        ({"cohort": 1}, "has 1 for cohort, not true or false"),
        ({"hints": "yes"}, "has 'yes' for hints, not true or false"),
        ({"earlier": None}, "has None for earlier, not true or false"),
        ({"neighbours": 101}, "has 101 for neighbours, not a whole number from 0 to 100"),
        ({"neighbours": True}, "has True for neighbours, not a whole number from 0 to 100"),
        ({"asks": ("mutator",)}, "calls the roles mutator without the port models"),
    ],
)
def test_a_step_that_cannot_be_meant_is_told_by_its_name(fields, said):
    from mendel_reference.domain import STEP, ReferenceDomain  # as above

    class Odd(ReferenceDomain):
        steps: ClassVar[Mapping[str, Step]] = {"reference.odd": replace(STEP, **fields), **ReferenceDomain.steps}

    with pytest.raises(BrokenPlugin, match=f"domain reference: the step 'reference.odd' {said}"):
        check_domain(Odd())


@check_rows("roles", [("embedding",), ("retrieval",), ("nobody",), (["mutator"],), ["mutator"]])
def test_a_domain_plays_only_roles_that_models_play(roles):
    from mendel_reference.domain import ReferenceDomain  # as above

    class Odd(ReferenceDomain):
        offline_roles = roles

    with pytest.raises(BrokenPlugin, match="offline_roles must be a tuple of model roles"):
        check_domain(Odd())


@check_rows("kind", ["config", ("config",), ["config", 1], ("nothing", 1), 1])
def test_a_domain_is_configured_by_one_of_its_payloads(kind):
    from mendel_reference.domain import ReferenceDomain  # as above

    class Odd(ReferenceDomain):
        config_kind = kind

    with pytest.raises(BrokenPlugin, match=r"config_kind must be \(kind, version\) of one of its payloads \(\('"):
        check_domain(Odd())


def test_a_role_without_a_procedure_is_missed_when_the_domain_is_loaded(monkeypatch):
    from mendel_reference.domain import ReferenceDomain  # as above

    monkeypatch.setattr(ReferenceDomain, "offline_roles", ("mutator", "critic"))
    with pytest.raises(UnknownPlugin, match=r"reference\.critic"):
        load_domain("reference")


async def test_a_run_that_is_not_offline_is_not_given_the_procedures():
    async with MemoryEventLog() as log:
        run_id = await configure(log, config_of(), RunCaps())
        with pytest.raises(RunRefused, match="needs models, and none is configured"):
            await configure(log, config_of(model_profile="live", problem="another"), RunCaps())
        (first,) = [event.payload async for event in log.read(run_id)]
    assert isinstance(first, RunConfigured)
    assert first.config.models is not None
    (source,) = first.config.models.roles["mutator"].sources
    assert (str(source.route), source.price.input_microusd) == ("offline/reference.mutator", 0)
