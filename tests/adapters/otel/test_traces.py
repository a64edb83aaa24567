import asyncio
import json
from base64 import b64encode

import pytest
from opentelemetry import trace as otel
from opentelemetry.sdk.trace import TracerProvider
from pydantic import BaseModel
from tests.adapters.otel.collector_stub import ROUTE, Collector, answer, ask, attributes, models, running

from mendel.adapters.models.live import LiveGateway
from mendel.adapters.otel.attributes import SHOWN
from mendel.adapters.otel.calls import TracedCalls
from mendel.adapters.otel.collector import secrets_of
from mendel.adapters.otel.opening import open_traces
from mendel.contracts.model_calls import AttemptRecord, Sampling
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRoute, ProviderMeta
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_wire import ModelWire, WireAnswer, WireFailed, WireUsage
from mendel.ports.observing import Trace


class Review(BaseModel):
    score: int


@pytest.fixture
def collector():
    with running(Collector()) as stub:
        yield stub


@pytest.fixture
def opened(collector):
    """Opens traces to the collector."""

    def open_them(*, content=False, secrets=()):
        return open_traces({"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}, Scrubber(secrets), content=content)

    return open_them


async def test_a_call_is_a_span_that_langfuse_can_read(collector, opened):
    traces = opened()
    response = await ask(models(traces, answer()), sampling=Sampling(temperature=0.5, seed=7))
    await traces.aclose()
    (span,) = collector.spans()
    told = attributes(span)
    assert span.name == "chat acme-large"
    assert span.kind == span.SPAN_KIND_CLIENT
    assert told["gen_ai.operation.name"] == "chat"
    assert told["gen_ai.system"] == told["gen_ai.provider.name"] == "acme"
    assert told["gen_ai.request.model"] == "acme-large"
    assert told["gen_ai.response.model"] == "acme-large-0613"
    assert told["gen_ai.response.id"] == "request-7"
    assert (told["gen_ai.usage.input_tokens"], told["gen_ai.usage.output_tokens"]) == (11, 5)
    assert (told["gen_ai.request.temperature"], told["gen_ai.request.seed"]) == (0.5, 7)
    assert told["langfuse.observation.type"] == "generation"
    assert json.loads(told["langfuse.observation.cost_details"]) == {"total": pytest.approx(21e-6)}
    assert told["langfuse.observation.level"] == "DEFAULT"
    assert told["langfuse.trace.name"] == "mutator"
    assert told["langfuse.observation.metadata.outcome"] == "accepted"
    assert span.end_time_unix_nano - span.start_time_unix_nano == response.provider.latency_ms * 1_000_000


async def test_it_is_sent_where_and_by_whom_the_environment_says(collector, opened):
    traces = opened()
    await ask(models(traces, answer()))
    await traces.aclose()
    ((path, headers, _),) = collector.got
    assert path == "/v1/traces"
    assert headers["content-type"] == "application/x-protobuf"
    assert b"service.name" in collector.bodies()
    assert b"mendel" in collector.bodies()


async def test_the_ids_on_the_record_are_those_of_the_span(collector, opened):
    traces = opened()
    response = await ask(models(traces, answer()))
    await traces.aclose()
    (span,) = collector.spans()
    (record,) = response.records
    assert (record.trace_id, record.observation_id) == (span.trace_id.hex(), span.span_id.hex())
    assert response.trace_id == span.trace_id.hex()


async def test_the_calls_for_one_question_are_one_trace(collector, opened):
    traces = opened()
    gateway = models(traces, WireFailed("overloaded", "busy"), answer("no json"), answer('{"score": 1}'))
    response = await ask(gateway, output=Review)
    await ask(models(traces, answer()))
    await traces.aclose()
    first, second, third, other = collector.spans()
    assert response.outcome == "repaired"
    assert first.trace_id == second.trace_id == third.trace_id != other.trace_id
    assert (first.parent_span_id, second.parent_span_id) == (b"", first.span_id)
    assert third.parent_span_id == second.span_id
    levels = [attributes(span)["langfuse.observation.level"] for span in (first, second, third)]
    assert levels == ["ERROR", "WARNING", "DEFAULT"]


async def test_a_failure_is_told_by_its_reason(collector, opened):
    traces = opened()
    await ask(models(traces, WireFailed("rate_limited", "slow down, you"), answer()))
    await traces.aclose()
    failed = collector.spans()[0]
    told = attributes(failed)
    assert failed.status.code == failed.status.STATUS_CODE_ERROR
    assert failed.status.message == told["error.type"] == "rate_limited"
    assert "gen_ai.response.model" not in told


async def test_content_stays_here_unless_it_is_switched_on(collector, opened):
    traces = opened()
    gateway = models(
        traces,
        WireFailed("overloaded", "the provider quotes sapphire"),
        answer('{"score": "emerald"}'),
        answer('{"score": 1}'),
    )
    await ask(gateway, "a question about topaz", output=Review)
    await traces.aclose()
    assert len(collector.spans()) == 3
    for word in (b"topaz", b"sapphire", b"emerald", b"gen_ai.prompt", b"gen_ai.completion"):
        assert word not in collector.bodies()


async def test_content_is_sent_where_it_is_switched_on(collector, opened):
    traces = opened(content=True)
    gateway = models(
        traces,
        WireFailed("overloaded", "the provider quotes sapphire"),
        answer('{"score": "emerald"}'),
        answer('{"score": 1}'),
    )
    await ask(gateway, "a question about topaz", output=Review)
    await traces.aclose()
    first, second, third = map(attributes, collector.spans())
    assert "topaz" in json.loads(first["gen_ai.prompt"])[-1]["content"]
    assert "sapphire" in first["langfuse.observation.status_message"]
    assert second["gen_ai.completion"] == '{"score": "emerald"}'
    assert "score" in second["langfuse.observation.metadata.complaints"]
    assert third["gen_ai.completion"] == '{"score": 1}'


@pytest.mark.parametrize("content", [False, True])
async def test_no_key_is_in_any_byte_that_is_sent(collector, content, monkeypatch):
    plain, odd, format_only = (
        "canary-1f3a9c5e7b",
        'pa"ss\\w\N{LATIN SMALL LETTER O WITH DIAERESIS}rd-12345',
        "sk-canary0123456789abcdef",
    )
    environ = {
        "ACME_API_KEY": plain,
        "OTHER_PASSWORD": odd,
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_SERVICE_NAME": f"mendel {plain}",
        "OTEL_RESOURCE_ATTRIBUTES": f"key={plain}",
    }
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    traces = open_traces(environ, Scrubber.from_environment(environ), content=content)
    every = f"{plain} {odd} {format_only}"
    turns = (
        WireFailed("bad_request", every, request_id=plain),
        WireFailed("overloaded", every),
        WireAnswer(f'{{"score": "{every}"}}', plain, plain, WireUsage(1, 1)),
        WireAnswer(json.dumps({"score": 1, "api_key": odd}), plain, plain, WireUsage(1, 1)),
    )
    gateway = models(traces, *turns[1:])  # the gateway's own scrubber knows none of them
    await ask(gateway, every, output=Review)
    with pytest.raises(Exception, match="bad_request"):
        await ask(models(traces, turns[0]), every)
    await traces.aclose()
    assert len(collector.spans()) == 4
    told = collector.bodies().decode("utf-8", "replace")
    for secret in (plain, odd, format_only):
        for spelling in (secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]):
            assert spelling not in told
    assert ("[REDACTED]" in told) is True


async def test_a_long_answer_is_cut_and_a_broken_one_is_sent(collector, opened):
    traces = opened(content=True)
    await ask(models(traces, answer("pea " * 100_000)))
    await ask(models(traces, answer("lone \ud800 surrogate \0")))
    await traces.aclose()
    long, broken = (attributes(span)["gen_ai.completion"] for span in collector.spans())
    assert long.startswith("pea pea")
    assert SHOWN < len(long) < SHOWN + 100
    assert broken.startswith("lone ?")


async def test_tools_that_a_model_wishes_for_are_content(collector, opened):
    record = AttemptRecord.model_validate(
        {
            "role": "population_generator",
            "attempt": 1,
            "provider": {"provider": "acme", "model_id": "m"},
            "validation": "accepted",
            "tool_calls": [{"id": "1", "name": "web_search", "arguments": '{"q": "opal"}'}],
        }
    )
    for content in (False, True):
        traces = opened(content=content)
        traces.ended(traces.began("population_generator", ROUTE), record)
        await traces.aclose()
        assert (b"opal" in collector.bodies()) is content


async def test_an_embedding_is_told_as_one(collector, opened):
    traces = opened()
    meta = ProviderMeta(provider="acme", model_id="e-1", tokens_in=9)
    traces.ended(
        traces.began("embedding", ModelRoute(provider="acme", model_id="e-1")),
        AttemptRecord(role="embedding", attempt=1, provider=meta),
    )
    await traces.aclose()
    (span,) = collector.spans()
    assert span.name == "embeddings e-1"
    assert attributes(span)["langfuse.observation.type"] == "embedding"


async def test_spans_are_sent_while_work_goes_on(collector, opened):
    traces = opened()
    await ask(models(traces, answer()))
    await asyncio.to_thread(collector.wait_for, 1)
    assert len(collector.spans()) == 1
    await traces.aclose()


async def test_a_call_that_is_cancelled_is_told_as_abandoned(collector, opened):
    asked = asyncio.Event()

    class Endless(ModelWire):
        async def complete(self, request):
            asked.set()
            await asyncio.Event().wait()

    traces = opened()
    plan = ModelPlan(roles={"mutator": RolePlan(sources=(Source(name="acme", route=ROUTE),))})
    call = asyncio.create_task(ask(LiveGateway(plan, lambda _: Endless(), observer=traces)))
    await asyncio.wait_for(asked.wait(), 30)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    await traces.aclose()
    (span,) = collector.spans()
    assert attributes(span)["error.type"] == "abandoned"


async def test_a_span_of_the_program_around_it_is_its_parent(collector, opened):
    around = TracerProvider(shutdown_on_exit=False).get_tracer("the program")
    traces = opened()
    with around.start_as_current_span("request") as outer:
        await ask(models(traces, answer()))
    await traces.aclose()
    (span,) = collector.spans()
    assert span.parent_span_id.hex() == otel.format_span_id(outer.get_span_context().span_id)


async def test_nothing_of_the_process_is_taken_over(opened):
    before = otel.get_tracer_provider()
    traces = opened()
    assert otel.get_tracer_provider() is before
    await traces.aclose()


async def test_after_closing_calls_go_on_untold(collector, opened):
    traces = opened()
    await traces.aclose()
    await traces.aclose()
    response = await ask(models(traces, answer()))
    assert response.outcome == "accepted"
    assert response.trace_id is None
    assert collector.got == []


async def test_who_samples_nothing_is_sent_nothing(collector, opened, monkeypatch):
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    traces = opened()
    response = await ask(models(traces, answer()))
    await traces.aclose()
    assert response.trace_id is None
    assert collector.got == []


async def test_an_end_without_a_beginning_is_nothing(collector):
    traces = TracedCalls(TracerProvider(shutdown_on_exit=False), Scrubber())
    record = AttemptRecord(role="mutator", attempt=1, provider=ProviderMeta(provider="acme", model_id="m"))
    for trace in (Trace(), Trace("0" * 32, "1" * 16)):
        traces.ended(trace, record)
    await traces.aclose()


async def test_langfuse_gets_its_keys_as_basic_auth_and_nowhere_else(collector):
    environ = {
        "LANGFUSE_HOST": collector.url,
        "LANGFUSE_PUBLIC_KEY": "pk-lf-canary-0123456789",
        "LANGFUSE_SECRET_KEY": "sk-lf-canary-0123456789",
    }
    basic = b64encode(b"pk-lf-canary-0123456789:sk-lf-canary-0123456789").decode()
    traces = open_traces(environ, Scrubber.from_environment(environ, known=secrets_of(environ)), content=True)
    every = " ".join([*environ.values(), basic])
    await ask(models(traces, answer(every)), every)
    await traces.aclose()
    ((path, headers, body),) = collector.got
    assert path == "/api/public/otel/v1/traces"
    assert headers["authorization"] == f"Basic {basic}"
    assert headers["x-langfuse-ingestion-version"] == "4"
    assert b"canary" not in body
    assert basic.encode() not in body
