from contextlib import suppress

import pytest
from pydantic import BaseModel

from mendel.adapters.memory.metrics import MemoryMetrics
from mendel.adapters.memory.model_gateway import MemoryModels
from mendel.contracts.errors import ModelCallFailed
from mendel.contracts.model_calls import AttemptRecord, Message
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRoute, Price, ProviderMeta
from mendel.ports.metrics import CATALOGUE, CLOSED, OTHER, MeteredCalls, Metric
from mendel.ports.model_gateway import Budget, ModelRequest
from mendel.ports.model_wire import WireAnswer, WireFailed, WireUsage
from mendel.ports.observing import Trace

PROVIDERS = {"provider": ["first", "second"], "backend": ["first", "second"]}


class Review(BaseModel):
    score: int


def source(name):
    price = Price(input_microusd=1_000_000, output_microusd=2_000_000)
    return Source(name=name, route=ModelRoute(provider=name, model_id="model"), price=price)


def good():
    return WireAnswer('{"score": 3}', "a-name-that-the-provider-made-up", usage=WireUsage(10, 5))


def bad():
    return WireAnswer('{"score": "high"}', "model", usage=WireUsage(10, 5))


def busy():
    return WireFailed("overloaded", "busy", unsent=True)


async def counted(script, *, configured=PROVIDERS, retries=2, fallback=None, budget=None):
    """What is counted of one question to a critic."""
    metrics = MemoryMetrics(configured)
    role = RolePlan(sources=(source("first"),), retries=retries, fallback=source(fallback) if fallback else None)
    gateway = MemoryModels(ModelPlan(roles={"critic": role}), script, observer=MeteredCalls(metrics))
    request = ModelRequest(role="critic", messages=(Message(role="user", content="?"),), output=Review, budget=budget)
    with suppress(ModelCallFailed):
        await gateway.ask(request)
    return metrics


def calls(metrics, outcome, provider="first"):
    return metrics.value("llm_calls_total", provider=provider, role="critic", outcome=outcome)


def retries(metrics, provider="first"):
    return metrics.value("llm_retries_total", provider=provider, role="critic")


async def test_an_accepted_call():
    metrics = await counted({"first": [good()]})
    assert calls(metrics, "accepted") == 1
    assert retries(metrics) == 0
    assert metrics.value("llm_tokens_total", backend="first") == 15
    assert metrics.value("llm_cost_usd_total", provider="first") == pytest.approx(20e-6)
    assert 'llm_call_seconds_count{provider="first",role="critic"} 1\n' in metrics.text()


async def test_what_repeats_a_failed_call_is_a_retry():
    metrics = await counted({"first": [busy(), busy(), good()]})
    assert calls(metrics, "overloaded") == 2
    assert calls(metrics, "accepted") == 1
    assert retries(metrics) == 2


async def test_a_repair_is_no_retry():
    metrics = await counted({"first": [bad(), good()]})
    assert calls(metrics, "rejected") == 1
    assert calls(metrics, "repaired") == 1
    assert retries(metrics) == 0
    assert metrics.value("llm_tokens_total", backend="first") == 30


async def test_a_retry_within_a_repair_is_one():
    metrics = await counted({"first": [busy(), bad(), busy(), good()]})
    assert calls(metrics, "repaired") == 1
    assert retries(metrics) == 2


async def test_a_fallback_counts_for_whom_it_asks():
    metrics = await counted({"first": [busy()], "second": [good()]}, retries=0, fallback="second")
    assert calls(metrics, "overloaded") == 1
    assert calls(metrics, "accepted", "second") == 1
    assert (retries(metrics), retries(metrics, "second")) == (0, 1)


async def test_a_call_that_was_never_made_took_nothing():
    metrics = await counted({"first": [good()]}, budget=Budget(1, 1))
    assert calls(metrics, "over_allowance") == 1
    assert retries(metrics) == 0
    assert "llm_call_seconds_count" not in metrics.text()


async def test_a_provider_that_nobody_configured_is_an_other():
    metrics = await counted({"first": [good()]}, configured={"provider": ["second"]})
    assert calls(metrics, "accepted", OTHER) == 1
    assert metrics.value("llm_tokens_total", backend=OTHER) == 15
    assert "first" not in metrics.text()


async def test_what_a_provider_calls_its_model_is_no_label():
    assert "a-name-that" not in (await counted({"first": [good()]})).text()


def test_an_answer_that_nobody_validates_is_counted():
    metrics = MemoryMetrics(PROVIDERS)
    meta = ProviderMeta(provider="first", model_id="m", tokens_in=7)
    observer = MeteredCalls(metrics)
    assert observer.began("embedding", ModelRoute(provider="first", model_id="m")) == Trace()
    observer.ended(Trace(), AttemptRecord(role="embedding", attempt=1, provider=meta))
    assert metrics.value("llm_calls_total", provider="first", role="embedding", outcome="answered") == 1
    assert metrics.value("llm_tokens_total", backend="first") == 7
    assert metrics.value("llm_cost_usd_total", provider="first") == 0


def test_the_catalogue_has_the_names_of_the_seed():
    named = {metric.name: metric.labels for metric in CATALOGUE}
    assert named["llm_tokens_total"] == ("backend",)
    assert named["llm_retries_total"] == ("provider", "role")
    assert {label for labels in named.values() for label in labels} - CLOSED.keys() == {"provider", "backend"}


def test_two_metrics_of_one_name_are_refused():
    twice = (Metric("peas_total", "counter", "Peas."), Metric("peas_total", "gauge", "Peas."))
    with pytest.raises(ValueError, match="one name"):
        MemoryMetrics(catalogue=twice)
