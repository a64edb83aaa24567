"""For whoever keeps a server running: alive, ready, counted, and logged without a secret."""

from __future__ import annotations

import io
import json
import re
import sys

import pytest
import structlog
from pydantic import SecretStr
from tests.api.reading import bred, observatory
from tests.support.rows import check_rows

from mendel import wiring
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.api.about import About
from mendel.api.policy import Limits, Policy
from mendel.contracts.errors import DatabaseUnavailable
from mendel.contracts.ids import new_run_id
from mendel.settings import load_settings

PLANTED = "sk-planted0123456789abcdefghijklmnop"
TOKEN = {"Authorization": f"Bearer {PLANTED}"}


async def test_it_is_alive_whatever_else_is_broken():
    async with observatory(Broken()) as asked:
        assert await asked.get("/healthz") == {"alive": True}


class Broken(MemoryEventLog):
    """A log that cannot be reached."""

    async def _load_tip(self, run_id):
        raise DatabaseUnavailable("postgresql://me:hunter2hunter2@db.example/mendel does not answer")


async def test_it_is_ready_where_all_parts_are(tmp_path):
    async with observatory(MemoryEventLog(), about=About(home=tmp_path)) as asked:
        ready = await asked.get("/readyz")
        assert ready["ready"] is True
        assert {part["name"]: part["ready"] for part in ready["parts"]} == dict.fromkeys(
            ("log", "projections", "disk"), True
        )


async def test_it_says_which_part_is_missing_and_no_address():
    async with observatory(Broken()) as asked:
        answer = await asked.client.get("/readyz")
        parts = {part["name"]: part for part in answer.json()["parts"]}
        assert (answer.status_code, parts["log"]["ready"], parts["projections"]["ready"]) == (503, False, True)
        assert parts["log"]["detail"] == DatabaseUnavailable.code
        assert "hunter2" not in answer.text


async def test_a_full_disk_is_not_ready(tmp_path, monkeypatch):
    monkeypatch.setattr(About, "free_bytes", lambda self: 1_000)
    async with observatory(MemoryEventLog(), about=About(home=tmp_path)) as asked:
        parts = {part["name"]: part["ready"] for part in (await asked.get("/readyz", 503))["parts"]}
        assert parts == {"log": True, "projections": True, "disk": False}


# --- metrics -------------------------------------------------------------------------------------------------------


def figures(text):
    found = re.findall(r"^([a-z_]+)(?:\{(.*)\})? ([0-9.e+]+)$", text, re.MULTILINE)
    return {(name, labels): float(value) for name, labels, value in found}


async def test_requests_are_counted_by_route_and_status():
    stage = await bred()
    async with observatory(stage.log) as asked:
        for _ in range(3):
            await asked.get(f"/api/runs/{stage.run_id}/health")
        await asked.get(f"/api/runs/{new_run_id()}/health", 404)
        seen = figures((await asked.client.get("/metrics")).text)
        route = 'route="/api/runs/{run_id}/health"'
        assert seen["http_requests_total", f'method="GET",{route},status="200"'] == 3
        assert seen["http_requests_total", f'method="GET",{route},status="404"'] == 1
        assert seen["http_request_seconds_count", route] == 4
        assert seen["mendel_runs", 'state="completed"'] == 1
        assert seen["mendel_projection_lag_events", ""] == 0


async def test_a_stream_is_counted_and_not_timed():
    """It is open for as long as somebody watches, which would drown what a request takes."""
    stage = await bred()
    async with observatory(stage.log) as asked:
        path = f"/api/runs/{stage.run_id}/stream"
        assert (await asked.client.get(path)).headers["content-type"].startswith("text/event-stream")
        assert (await asked.client.get(path, headers={"Last-Event-ID": "x"})).status_code == 422
        seen = figures((await asked.client.get("/metrics")).text)
    route = 'route="/api/runs/{run_id}/stream"'
    assert seen["http_requests_total", f'method="GET",{route},status="200"'] == 1
    assert seen["http_request_seconds_count", route] == 1  # the refusal


async def test_no_client_can_make_a_series():
    stage = await bred()
    async with observatory(stage.log) as asked:

        async def everything(word):
            for path in (f"/api/runs/{new_run_id()}", f"/nothing/{word}", f"/api/nothing/{word}", f"/api/files/{word}"):
                await asked.client.get(path, headers={"X-Request-ID": word})
                await asked.client.request("BREW", path)
            return set(figures((await asked.client.get("/metrics")).text))

        first = await everything("one")
        for word in ("two", "three", PLANTED):
            await everything(word)
        last = await everything("four")
        assert {each for each in last if "/metrics" not in each[1]} == {
            each for each in first if "/metrics" not in each[1]
        }
        assert not any(word in labels for _, labels in last for word in ("one", "four", PLANTED, "BREW"))


async def test_seed_names_stay():
    async with observatory(MemoryEventLog()) as asked:
        text = (await asked.client.get("/metrics")).text
    for name in ("llm_tokens", "llm_retries", "llm_calls", "llm_cost_usd"):
        assert f"# TYPE {name}_total counter" in text or f"# TYPE {name} counter" in text


# --- one id for each request ---------------------------------------------------------------------------------------


@pytest.fixture
def logged(monkeypatch, tmp_path):
    """What is written to the server's log, as it is configured for real."""
    monkeypatch.setenv("MENDEL_TELEMETRY__LOG_JSON", "true")
    monkeypatch.setenv("MENDEL_TELEMETRY__LOG_LEVEL", "info")
    monkeypatch.setenv("SOME_API_KEY", PLANTED)
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    wiring.configure_telemetry(load_settings(directory=tmp_path).settings)

    def lines():
        found = [json.loads(line) for line in written.getvalue().splitlines()]
        written.seek(0)
        written.truncate()
        return found

    yield lines
    structlog.reset_defaults()


async def test_a_request_keeps_its_id_through_answer_problem_and_log(logged):
    stage = await bred()
    logged()
    async with observatory(stage.log) as asked:
        answer = await asked.client.get(f"/api/runs/{new_run_id()}", headers={"X-Request-ID": "mine-1.2_3"})
        assert answer.headers["x-request-id"] == "mine-1.2_3"
        assert answer.json()["request_id"] == "mine-1.2_3"
        fine = await asked.client.get(f"/api/runs/{stage.run_id}/health")
        assert re.fullmatch(r"[0-9a-f]{32}", fine.headers["x-request-id"])
    refused, told = [line for line in logged() if line["event"] == "request"]
    assert (refused["request_id"], refused["status"], refused["level"]) == ("mine-1.2_3", 404, "info")
    assert told["request_id"] == fine.headers["x-request-id"]
    assert (told["method"], told["route"], told["run_id"]) == ("GET", "/api/runs/{run_id}/health", stage.run_id)


@check_rows("given", ["", "a b", "x" * 65, "line\tbreak", "{}", "\N{LATIN SMALL LETTER E WITH ACUTE}"])
async def test_an_id_that_is_none_is_replaced(given):
    async with observatory(MemoryEventLog()) as asked:
        answer = await asked.client.get("/healthz", headers=[(b"X-Request-ID", given.encode())])
        assert re.fullmatch(r"[0-9a-f]{32}", answer.headers["x-request-id"])


class Buggy(MemoryEventLog):
    async def runs(self):
        raise ZeroDivisionError(f"with {PLANTED}")


async def test_a_bug_has_an_id_and_no_detail(logged):
    async with observatory(Buggy()) as asked:
        answer = await asked.client.get("/api/runs", headers={"X-Request-ID": "bug-1"})
        assert (answer.status_code, answer.json()["code"]) == (500, "internal")
        assert (answer.json()["request_id"], answer.headers["x-request-id"]) == ("bug-1", "bug-1")
        assert PLANTED not in answer.text
    lines = logged()
    assert {line["event"] for line in lines} >= {"request", "request_broke"}
    assert all(line["request_id"] == "bug-1" for line in lines)
    assert PLANTED not in json.dumps(lines)


REFUSED = [
    ("GET /api/runs", {"Host": "evil.example"}, 421, "unknown_host"),
    ("GET /api/runs/{run_id}", {}, 401, "token_required"),
    ("GET /api/files/{file_id}/runs/{run_id}/final", {}, 401, "token_required"),
    ("POST /api/runs/{run_id}/stop", {"Origin": "https://evil.example", **TOKEN}, 403, "cross_site"),
    ("POST /api/runs/estimate", {"Content-Length": "9999999", **TOKEN}, 413, "content_too_large"),
    ("POST /api/runs", {"Content-Length": "1", **TOKEN}, 415, "unsupported_media_type"),
]


@pytest.mark.parametrize(("asked_for", "headers", "status", "code"), REFUSED)
async def test_who_is_refused_is_logged_with_where_and_why(logged, asked_for, headers, status, code):
    method, route = asked_for.split()
    path = route.format(run_id=new_run_id(), file_id="0123456789abcdef")
    policy = Policy(token=SecretStr(PLANTED), read_token=True)
    async with observatory(MemoryEventLog(), policy=policy) as asked:
        assert (await asked.client.request(method, path, headers=headers)).status_code == status
    (line,) = [line for line in logged() if line["event"] == "request"]
    assert (line["method"], line["status"], line["code"]) == (method, status, code)
    assert line["route"] == route
    assert "path" not in line


async def test_who_comes_too_often_is_logged_with_where_and_why(logged):
    policy = Policy(limits=Limits(reads_per_s=0.001, reads_at_once=1))
    async with observatory(MemoryEventLog(), policy=policy) as asked:
        statuses = [(await asked.client.get("/api/runs")).status_code for _ in range(2)]
    assert statuses == [200, 429]
    last = [line for line in logged() if line["event"] == "request"][-1]
    assert (last["route"], last["status"], last["code"]) == ("/api/runs", 429, "too_many_requests")


async def test_where_no_route_is_the_beginning_of_the_address_is_logged_without_secrets(logged):
    long = f"/api/nothing/{PLANTED}/%0d%0aforged{'x' * 500}?q=secret"
    async with observatory(MemoryEventLog()) as asked:
        assert (await asked.client.get(long)).status_code == 404
    (line,) = [line for line in logged() if line["event"] == "request"]
    assert line["path"].startswith("/api/nothing/")
    assert len(line["path"]) < 200
    assert not [each for each in (PLANTED, "secret", "\r", "\n") if each in line["path"]]


async def test_no_secret_of_a_request_is_logged(logged):
    """Rule 4: wherever a client puts its key, it does not come out again."""
    stage = await bred()
    logged()
    async with observatory(stage.log) as asked:
        secret = {"Authorization": f"Bearer {PLANTED}", "Cookie": f"token={PLANTED}", "X-Api-Key": PLANTED}
        paths = (
            f"/api/runs?q={PLANTED}",
            f"/api/runs/{stage.run_id}/candidates/{PLANTED}",
            f"/api/runs/{stage.run_id}/candidates?cursor={PLANTED}",
            f"/api/guard/reports/{PLANTED}",
            f"/{PLANTED}",
        )
        for path in paths:
            await asked.client.get(path, headers=secret)
        headers = {**secret, "Content-Type": "application/x-ndjson", "Idempotency-Key": PLANTED}
        await asked.client.post("/api/files", content=PLANTED.encode(), headers=headers)
        text = (await asked.client.get("/metrics")).text
    lines = logged()
    assert len(lines) >= len(paths)
    assert PLANTED not in json.dumps(lines)
    assert PLANTED not in text
