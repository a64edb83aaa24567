import asyncio
import logging
import socket
import subprocess
import sys
import textwrap

import pytest
from structlog.testing import capture_logs
from tests.adapters.otel.collector_stub import ROUTE, Collector, answer, ask, models, running
from tests.support.rows import check_rows

from mendel.adapters.otel import collector as names
from mendel.adapters.otel.calls import MAX_OPEN, TracedCalls
from mendel.adapters.otel.collector import Collector as Address
from mendel.adapters.otel.export import BATCH, open_provider
from mendel.adapters.otel.opening import open_traces
from mendel.contracts.scrub import Scrubber
from mendel.ports.observing import NOBODY

SEVERAL_BATCHES = 3 * BATCH + 1


@pytest.fixture
def nobody_there():
    """An address at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


async def traced(url, calls=SEVERAL_BATCHES):
    """What is said while so many calls are traced to ``url``; every one of them must be answered."""
    environ = {names.ENDPOINT: url, names.TIMEOUTS[1]: "0.5"}
    with capture_logs() as said:
        traces = open_traces(environ, Scrubber())
        gateway = models(traces, *[answer()] * calls)
        responses = [await ask(gateway) for _ in range(calls)]
        await traces.aclose()
    assert {response.outcome for response in responses} == {"accepted"}
    assert len({response.trace_id for response in responses}) == calls
    return said


def said_once(said):
    (line,) = said
    return line["event"] == "trace_export_failed" and line["log_level"] == "warning"


async def test_a_collector_that_is_down_is_told_once(nobody_there):
    said = await traced(nobody_there)
    assert said_once(said)
    assert said[0]["collector"] == nobody_there


@check_rows("status", [400, 401, 413, 429, 500, 503])
async def test_a_collector_that_refuses_is_told_once(status):
    with running(Collector(status=status)) as collector:
        assert said_once(await traced(collector.url))
        assert collector.got


async def test_a_collector_that_never_answers_is_told_once():
    with running(Collector(hangs=True)) as collector:
        assert said_once(await traced(collector.url, calls=2))


async def test_who_hangs_up_is_told_once():
    async def hang_up(reader, writer):
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        assert said_once(await traced(f"http://{host}:{port}", calls=2))


async def test_that_they_arrive_again_is_told_once():
    with running(Collector(status=500)) as collector, capture_logs() as said:
        traces = open_traces({names.ENDPOINT: collector.url}, Scrubber())
        gateway = models(traces, *[answer()] * (3 * BATCH))
        for batch in (1, 2, 3):
            for _ in range(BATCH):
                await ask(gateway)
            await asyncio.to_thread(collector.wait_for, batch)
            collector.status = 200
        await traces.aclose()
    assert [line["event"] for line in said] == ["trace_export_failed", "trace_export_resumed"]


async def test_the_library_itself_says_nothing_on_our_behalf(caplog, nobody_there):
    await traced(nobody_there)
    assert [record.name for record in caplog.records if record.name.startswith("opentelemetry")] == []


async def test_what_the_library_says_to_others_is_heard(caplog, nobody_there):
    await traced(nobody_there, calls=1)
    logging.getLogger("opentelemetry.exporter.otlp.proto.http.trace_exporter").warning("for others")
    assert "for others" in caplog.text


async def test_closing_does_not_wait_for_one_that_hangs():
    with running(Collector(hangs=True)) as collector:
        provider = open_provider(Address(f"{collector.url}/v1/traces", timeout_s=3_600), "mendel")
        traces = TracedCalls(provider, Scrubber(), close_s=0.05)
        await ask(models(traces, answer()))
        await traces.aclose()
        await asyncio.to_thread(collector.wait_for, 1)
        assert not collector.released.is_set()


@pytest.mark.parametrize("closes", [True, False])
def test_a_process_ends_though_its_collector_hangs(closes):
    script = """
        import asyncio, os
        from mendel.adapters.otel.opening import open_traces
        from mendel.contracts.model_calls import AttemptRecord
        from mendel.contracts.providers import ModelRoute, ProviderMeta
        from mendel.contracts.scrub import Scrubber

        async def main():
            traces = open_traces(os.environ, Scrubber())
            trace = traces.began("mutator", ModelRoute(provider="acme", model_id="m"))
            meta = ProviderMeta(provider="acme", model_id="m")
            traces.ended(trace, AttemptRecord(role="mutator", attempt=1, provider=meta))
            if os.environ["CLOSES"] == "True":
                await traces.aclose()

        asyncio.run(main())
    """
    with running(Collector(hangs=True)) as collector:
        environ = {names.ENDPOINT: collector.url, names.TIMEOUTS[0]: "3600", "CLOSES": str(closes)}
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], env=environ, timeout=300)
        assert done.returncode == 0
        assert not collector.released.is_set()
        assert collector.got or not closes


async def test_calls_that_never_end_are_given_up_oldest_first():
    with running(Collector()) as collector:
        provider = open_provider(Address(f"{collector.url}/v1/traces"), "mendel")
        traces = TracedCalls(provider, Scrubber())
        first = traces.began("mutator", ROUTE)
        for _ in range(MAX_OPEN):
            traces.began("mutator", ROUTE)
        await asyncio.to_thread(collector.wait_for, 1)
        (span,) = collector.spans()
        assert span.span_id.hex() == first.observation_id
        provider.shutdown()


@check_rows(
    "environ",
    [
        {},
        {names.ENDPOINT: "localhost:4318"},
        {names.ENDPOINT: "ftp://127.0.0.1"},
        {names.ENDPOINT: "http://[broken"},
        {names.ENDPOINT: "http://127.0.0.1:99999"},
        {names.SECRET_KEY: "sk-lf-canary-0123456789"},
        {"LANGFUSE_HOST": "http://127.0.0.1"},
        {"LANGFUSE_HOST": "http://127.0.0.1", names.PUBLIC_KEY: "pk-lf-canary-0123456789"},
        {
            "LANGFUSE_HOST": "http://127.0.0.1",
            names.PUBLIC_KEY: "pk-lf-canary-0123456789",
            names.SECRET_KEY: "sk-lf-canary-0123456789",
            names.HEADERS: "x-team=canary-of-another",
        },
    ],
)
def test_a_collector_that_is_not_clear_is_told_and_nobody_watches(environ):
    with capture_logs() as said:
        assert open_traces(environ, Scrubber()) is NOBODY
    (line,) = said
    assert line["event"] == "traces_not_sent"
    assert "canary" not in repr(said)


def test_without_the_extra_it_is_told_what_to_install(monkeypatch):
    for module in ("mendel.adapters.otel.calls", "mendel.adapters.otel.export"):
        monkeypatch.setitem(sys.modules, module, None)
    with capture_logs() as said:
        assert open_traces({names.ENDPOINT: "http://127.0.0.1:1"}, Scrubber()) is NOBODY
    assert "mendel[otel]" in said[0]["reason"]


def test_nothing_is_imported_before_it_is_opened():
    code = "import sys, mendel.adapters.otel.opening; sys.exit(any('opentelemetry' in name for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
