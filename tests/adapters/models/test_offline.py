"""Roles that procedures of the domains play without a model, asked by a route as models are."""

import pytest

from mendel.adapters.models.live import LiveGateway
from mendel.adapters.models.offline import open_wire
from mendel.contracts.model_calls import CallLimits, Message
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRoute
from mendel.ports.model_gateway import ModelRequest
from mendel.ports.model_wire import WireContext, WireFailed, WireRequest
from mendel.ports.offline_roles import players

PROCEDURES = """
import asyncio

async def critic(messages):
    return f"{len(messages)} messages, {messages[-1].content}"

async def architect(messages):
    return None

async def coder(messages):
    raise ZeroDivisionError

async def repairer(messages):
    await asyncio.Event().wait()

mutator = "no function"
"""
REGISTERED = ("critic", "architect", "coder", "repairer", "mutator", "gardener")


@pytest.fixture
def acme(tmp_path, monkeypatch):
    """A package that registers procedures, one of them for a role that there is not."""
    (tmp_path / "acme_roles.py").write_text(PROCEDURES)
    info = tmp_path / "acme_roles-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-roles\nVersion: 1\n")
    lines = [f"acme.{name} = acme_roles:{name}\n" for name in REGISTERED]
    (info / "entry_points.txt").write_text("[mendel.offline_roles]\n" + "".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))


def wired(name, **limits):
    messages = (Message(role="system", content="be brief"), Message(role="user", content="why?"))
    return WireRequest(name, messages, limits=CallLimits(**limits))


def test_roles_that_are_registered_are_known_and_no_others(acme):
    known = players()
    assert known["critic"] == ("acme.critic",)
    assert "programs.mutator" in known["mutator"]
    assert {"gardener", "final_judge", "embedding"}.isdisjoint(known)


async def test_a_registered_procedure_gets_the_messages_and_uses_nothing(acme):
    async with open_wire(WireContext("offline")) as wire:
        answer = await wire.complete(wired("acme.critic"))
        declined = await wire.complete(wired("acme.architect"))
    assert (answer.text, answer.model_id, answer.refused) == ("2 messages, why?", "acme.critic", False)
    assert (answer.usage.tokens_in, answer.usage.tokens_out) == (0, 0)
    assert declined.refused


@pytest.mark.parametrize(
    ("name", "limits", "reason"),
    [
        ("acme.critics", {}, "not_configured"),
        ("acme.mutator", {}, "not_configured"),
        ("acme.coder", {}, "bad_request"),
        ("acme.repairer", {"timeout_ms": 1}, "timeout"),
        ("acme.critic", {"answer_bytes": 3}, "answer_too_large"),
    ],
)
async def test_what_goes_wrong_offline_has_its_reason_and_took_nothing(acme, name, limits, reason):
    async with open_wire(WireContext("offline")) as wire:
        with pytest.raises(WireFailed) as caught:
            await wire.complete(wired(name, **limits))
    assert (caught.value.reason, caught.value.unsent) == (reason, True)


async def test_the_gateway_records_a_procedure_as_who_it_is_and_charges_nothing(acme):
    source = Source(name="acme", route=ModelRoute(provider="offline", model_id="acme.critic"))
    plan = ModelPlan(roles={"critic": RolePlan(sources=(source,))})
    async with LiveGateway(plan, lambda _name: open_wire(WireContext("offline"))) as models:
        response = await models.ask(ModelRequest.prompt("critic", "why?"))
    (record,) = response.records
    assert response.output == "1 messages, why?"
    assert (record.provider.provider, record.provider.model_id) == ("offline", "acme.critic")
    assert (record.provider.tokens_in, record.provider.tokens_out, record.provider.cost_microusd) == (0, 0, 0)
