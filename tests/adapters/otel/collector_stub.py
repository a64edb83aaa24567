"""A collector on loopback that takes OTLP over HTTP, and the calls whose spans it gets."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from mendel.adapters.memory.model_gateway import MemoryModels
from mendel.contracts.model_calls import Message
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRoute, Price
from mendel.ports.model_gateway import ModelRequest
from mendel.ports.model_wire import WireAnswer, WireUsage

PATIENCE_S = 60.0
ROUTE = ModelRoute(provider="acme", model_id="acme-large")


@dataclass
class Collector:
    """What it answers, and what it got. A hanging one answers when it is released."""

    status: int = 200
    hangs: bool = False
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def spans(self):
        """Every span that it got, in the order of its beginning."""
        requests = [ExportTraceServiceRequest.FromString(body) for _, _, body in self.got]
        groups = [
            group for request in requests for resource in request.resource_spans for group in resource.scope_spans
        ]
        return sorted((span for group in groups for span in group.spans), key=lambda span: span.start_time_unix_nano)

    def bodies(self) -> bytes:
        return b"\n".join(body for _, _, body in self.got)

    def wait_for(self, batches: int) -> None:
        """Until it got that many."""
        deadline = time.monotonic() + PATIENCE_S
        while len(self.got) < batches:
            assert time.monotonic() < deadline, f"{len(self.got)} batches, not {batches}"
            time.sleep(0.01)


@contextmanager
def running(collector: Collector) -> Iterator[Collector]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            collector.got.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            if collector.hangs:
                collector.released.wait(PATIENCE_S)
            self.send_response(collector.status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_):
            """Nothing."""

        def handle(self):
            try:
                super().handle()
            except OSError:
                """Whoever asked has gone."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    serving = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    serving.start()
    collector.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield collector
    finally:
        collector.released.set()
        server.shutdown()
        serving.join()
        server.server_close()


def attributes(span) -> dict[str, object]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in span.attributes}


def answer(text="an answer", **more):
    return WireAnswer(text, "acme-large-0613", "request-7", WireUsage(11, 5), **more)


def models(observer, *turns):
    """A gateway whose one provider takes these turns, for mutators."""
    price = Price(input_microusd=1_000_000, output_microusd=2_000_000)
    plan = RolePlan(sources=(Source(name="acme", route=ROUTE, price=price),), retries=2)
    return MemoryModels(ModelPlan(roles={"mutator": plan}), {"acme": turns}, observer=observer)


async def ask(gateway, text="a question", **more):
    return await gateway.ask(ModelRequest(role="mutator", messages=(Message(role="user", content=text),), **more))
