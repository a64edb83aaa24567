"""Services are started in order and stopped in reverse; test_domain_paths has them in a real server."""

from __future__ import annotations

import asyncio

import pytest

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.api import domain_services
from mendel.api.domain_services import Health, Service, ServiceContext, TokenScope, running
from mendel.contracts.errors import BrokenPlugin, ServiceNotStarted


def made(notes, name, **does):
    """A class of service that notes what is asked of it, and does what it is told."""

    class Noting(Service):
        def __init__(self, context):
            does.get("init", lambda: None)()

        async def start(self):
            notes.append(f"start {name}")
            does.get("start", lambda: None)()

        async def stop(self):
            notes.append(f"stop {name}")
            does.get("stop", lambda: None)()

        async def health(self):
            await does.get("health", _well)()
            return does.get("answer", Health(ready=True, detail="well"))

    Noting.name = name
    return ("garden", Noting)


async def _well():
    """Nothing is wrong."""


def fail(error):
    def failing():
        raise error

    return failing


@pytest.fixture
def context(tmp_path):
    return ServiceContext(tmp_path, MemoryEventLog())


async def test_one_that_does_not_stop_keeps_none_of_the_others_from_it(context):
    notes = []
    services = [made(notes, "a"), made(notes, "b", stop=fail(RuntimeError("no"))), made(notes, "c")]
    async with running(services, context, {}) as hosted:
        assert [each.name for each in hosted] == ["garden.a", "garden.b", "garden.c"]
    assert notes == ["start a", "start b", "start c", "stop c", "stop b", "stop a"]


@pytest.mark.parametrize("when", ["init", "start"])
@pytest.mark.parametrize("error", [ValueError("flat"), BrokenPlugin("flat")])
async def test_one_that_does_not_start_is_told_with_its_reason_and_those_before_it_are_stopped(context, when, error):
    notes = []
    services = [made(notes, "a"), made(notes, "b", **{when: fail(error)}), made(notes, "c")]
    with pytest.raises(ServiceNotStarted, match="the service b of the domain garden does not start: flat"):
        async with running(services, context, {}):
            raise AssertionError("it must not come so far")
    assert [note for note in notes if note != "start b"] == ["start a", "stop a"]


async def test_one_that_does_not_say_how_it_is_is_not_ready(context, monkeypatch):
    monkeypatch.setattr(domain_services, "PATIENCE_S", 0.05)

    async def lost():
        raise LookupError("with a secret in it")

    services = [made([], "silent", health=asyncio.Event().wait), made([], "lost", health=lost), made([], "well")]
    services += [made([], "text", answer="fine"), made([], "half", answer=Health(ready="yes", detail=None))]
    async with running(services, context, {}) as hosted:
        told = [await each.health() for each in hosted]
    assert [each.ready for each in told] == [False, False, True, False, False]
    assert told[3].detail == "health returns a str, not a Health with the right types"
    assert told[0].detail.startswith("no answer")
    assert told[1].detail == "LookupError"


async def test_a_domain_without_tables_is_told_so(context):
    with pytest.raises(LookupError, match="declares no tables"):
        _ = context.tables


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/world", True),
        ("HEAD", "/world/agents/7", True),
        ("GET", "/worlds", False),
        ("GET", "/", False),
        ("POST", "/world", False),
    ],
)
def test_a_scope_is_paths_and_methods(method, path, allowed):
    assert TokenScope(paths=("/world",)).allows(method, path) is allowed
