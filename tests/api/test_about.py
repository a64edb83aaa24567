"""What is told of an installation: the same as the command line says, and never a key (rule 4)."""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter

import pytest
import structlog
from tests.api.reading import golden_log, observatory
from tests.cli.test_sandbox_commands import walls  # noqa: F401 - a fixture
from tests.kernel.test_models import Wire, plan
from tests.kernel.test_models import bred as bred_with_models

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.api.about import About
from mendel.cli.installation import about_of
from mendel.cli.main import _run
from mendel.console.session import Session
from mendel.contracts.diagnostics import Probe
from mendel.contracts.events.energy import LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.gate import GateVerdict
from mendel.contracts.events.genome import GenomeSpawned
from mendel.ports.model_wire import WireFailed
from mendel.ports.registry import GROUPS

PLANTED = "sk-planted0123456789abcdefghijklmnop"
PASSWORD = "hunter2-hunter2"
KEY = {"Idempotency-Key": "look now"}
CONFIG = f"""
[database]
url = "postgresql://me:{PASSWORD}@127.0.0.1:1/mendel"

[redis]
url = "redis://:{PASSWORD}@127.0.0.1:1/0"

[llm]
profile = "live"

[llm.providers.openai]
model = "gpt-4o-mini"

[llm.providers.own]
kind = "openai_compatible"
base_url = "http://127.0.0.1:9/v1"
model = "m"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with settings of its own, and keys in the environment."""
    for name in list(os.environ):
        if name.startswith("MENDEL_") and not name.startswith("MENDEL_TEST_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("OPENAI_API_KEY", PLANTED)
    monkeypatch.setenv("MENDEL_LOG__BACKEND", "file")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mendel.toml").write_text(CONFIG)
    yield tmp_path
    structlog.reset_defaults()


def said(capsys, *words):
    capsys.readouterr()
    assert _run(list(words)) in (0, 1, 3)
    return json.loads(capsys.readouterr().out)


async def test_settings_are_what_config_view_prints(folder):
    session = Session()
    async with observatory(MemoryEventLog(), about=about_of(session)) as asked:
        told = (await asked.get("/api/settings"))["settings"]
    rows = {row.key: row for row in session.loaded.view()}
    assert {each["key"]: (each["value"], each["source"]) for each in told} == {
        key: (row.value, row.origin) for key, row in rows.items()
    }
    assert (
        next(each for each in told if each["key"] == "database.url")["value"]
        == "postgresql://me:***@127.0.0.1:1/mendel"
    )


def test_model_routes_are_what_models_list_says(folder, capsys):
    listed = said(capsys, "models", "list", "--json")

    async def asked_for():
        async with observatory(MemoryEventLog(), about=about_of(Session())) as asked:
            return await asked.get("/api/model-routes")

    told = asyncio.run(asked_for())
    assert told["roles"] == [{**defaults(role), **role} for role in listed["roles"]]
    assert told["providers"] == listed["providers"]
    assert (told["profile"], told["offline"]) == (listed["profile"], listed["offline"])
    own = next(each for each in told["providers"] if each["name"] == "openai")
    assert (own["key_variable"], own["key_present"]) == ("OPENAI_API_KEY", True)


def defaults(role):
    told = {"sources": [], "fallback": None, "retries": None, "asked_at_once": None, "limits": None}
    return {key: value for key, value in told.items() if key not in role}


async def test_no_secret_is_told_anywhere(folder):
    """Rule 4: keys of the environment and passwords of the settings."""
    (folder / ".mendel").mkdir()
    async with observatory(MemoryEventLog(), about=about_of(Session())) as asked:
        found = [(await asked.client.post("/api/doctor", headers=KEY)).text]
        for path in ("/api/settings", "/api/model-routes", "/api/doctor", "/api/plugins", "/readyz", "/metrics"):
            answer = await asked.client.get(path)
            assert answer.status_code == 200
            found.append(answer.text)
    found += [path.read_text() for path in (folder / ".mendel").rglob("*") if path.is_file()]
    assert not [text for text in found if PLANTED in text or PASSWORD in text]
    assert "OPENAI_API_KEY" in "".join(found)


async def test_every_place_for_a_plug_in_is_listed_with_who_fills_it():
    async with observatory(MemoryEventLog()) as asked:
        told = await asked.get("/api/plugins")
    assert [group["name"] for group in told["groups"]] == list(GROUPS)
    logs = next(group for group in told["groups"] if group["name"] == "mendel.event_logs")
    assert {each["name"] for each in logs["plugins"]} >= {"memory", "file", "postgres"}
    assert told["total"] == sum(len(group["plugins"]) for group in told["groups"])


# --- doctor --------------------------------------------------------------------------------------------------------


async def test_probes_are_kept_and_nobody_is_probed_by_reading(tmp_path):
    looked = []

    def probe():
        looked.append(1)
        missing = Probe(name="redis", status="missing", detail="none", remedy="start one", needed_for="queues")
        return [Probe(name="python", status="ok", detail="3", needed_for="everything"), missing]

    async with observatory(MemoryEventLog(), about=About(home=tmp_path, probe=probe)) as asked:
        assert await asked.get("/api/doctor") == {"at": None, "probes": [], "ok": 0, "limited": 0, "missing": 0}
        assert not looked
        found = (await asked.client.post("/api/doctor", headers=KEY)).json()
        again = await asked.client.post("/api/doctor", headers=KEY)
        assert (again.json(), again.headers["idempotent-replay"]) == (found, "true")
        assert (found["ok"], found["missing"], len(looked)) == (1, 1, 1)
        assert await asked.get("/api/doctor") == found
    async with observatory(MemoryEventLog(), about=About(home=tmp_path)) as again:
        assert await again.get("/api/doctor") == found


def test_what_mendel_doctor_found_is_told(folder, capsys):
    (folder / ".mendel").mkdir()
    printed = said(capsys, "doctor", "--json")

    async def asked_for():
        async with observatory(MemoryEventLog(), about=about_of(Session())) as asked:
            return await asked.get("/api/doctor")

    assert asyncio.run(asked_for())["probes"] == printed["probes"]


def test_mendel_doctor_makes_no_home(folder, capsys):
    said(capsys, "doctor", "--json")
    assert not (folder / ".mendel").exists()


# --- spend ---------------------------------------------------------------------------------------------------------


def unlucky(number):
    return WireFailed("rate_limited", "slow down") if number % 3 == 1 else '{"by": 0.25}'


async def test_spend_is_what_the_calls_in_the_log_add_up_to():
    stage, _, events = await bred_with_models(Wire(unlucky), plan(retries=2))
    calls = [each for each in events if isinstance(each.payload, LlmCallTelemetry | ProviderCallFailed)]
    assert any(isinstance(each.payload, ProviderCallFailed) for each in calls)
    used = [each.payload.provider for each in calls if each.payload.provider is not None]
    expected = {
        "calls": len(calls),
        "failures": sum(isinstance(each.payload, ProviderCallFailed) for each in calls),
        "tokens_in": sum(each.tokens_in for each in used),
        "tokens_out": sum(each.tokens_out for each in used),
        "cost_microusd": sum(each.cost_microusd or 0 for each in used),
        "latency_ms": sum(each.latency_ms or 0 for each in used),
    }
    async with observatory(stage.log) as asked:
        told = await asked.get("/api/models/spend")
        assert told["total"] == expected
        (run,) = told["runs"]
        assert {name: run[name] for name in expected} == expected
        assert run["run_id"] == stage.run_id
        models = Counter((each.payload.role, each.payload.provider.model_id) for each in calls if each.payload.provider)
        by_model = {(row["role"], row["model_id"]): row["calls"] for row in told["by_model"] if row["model_id"]}
        assert by_model == models
        summary = (await asked.get("/api/runs"))["runs"][0]
        assert (summary["model_calls"], summary["cost_microusd"]) == (expected["calls"], expected["cost_microusd"])
        assert (await asked.get("/api/models/spend?cursor=nobody", 404))["code"] == "unknown_cursor"


async def test_a_candidate_has_the_calls_that_made_it():
    stage, _, events = await bred_with_models(Wire(unlucky), plan(retries=2))
    births = {each.payload.genome.id: each.operation_id for each in events if isinstance(each.payload, GenomeSpawned)}
    asked_models = 0
    async with observatory(stage.log) as asked:
        for row in (await asked.get(f"/api/runs/{stage.run_id}/candidates"))["candidates"]:
            detail = await asked.get(f"/api/runs/{stage.run_id}/candidates/{row['candidate_id']}")
            own = [
                each.sequence
                for each in events
                if isinstance(each.payload, LlmCallTelemetry | ProviderCallFailed)
                and each.operation_id is not None
                and each.operation_id == births[row["genome_id"]]
            ]
            assert [call["sequence"] for call in detail["model_calls"]] == own
            asked_models += len(own)
    assert asked_models


# --- the gate ------------------------------------------------------------------------------------------------------


async def test_verdicts_of_all_runs_are_listed_and_told_whole(tmp_path):
    log, runs = await golden_log(tmp_path)
    verdicts = {
        f"{run_id}.{event.id}": event
        for run_id in runs.values()
        async for event in log.read(run_id)
        if isinstance(event.payload, GateVerdict)
    }
    async with observatory(log) as asked:
        found, cursor = [], ""
        while cursor is not None:
            page = await asked.get(f"/api/guard/reports?limit=7{f'&cursor={cursor}' if cursor else ''}")
            found += page["reports"]
            cursor = page["next"]
        assert {row["id"] for row in found} == set(verdicts)
        assert len(found) == page["total"] == len(verdicts)
        decisions = Counter(str(event.payload.verdict.decision) for event in verdicts.values())
        assert page["decisions"] == decisions
        adopted = await asked.get("/api/guard/reports?decision=adopt&limit=500")
        assert adopted["total"] == decisions["adopt"]
        for name, event in list(verdicts.items())[:5]:
            report = await asked.get(f"/api/guard/reports/{name}")
            assert report["verdict"] == event.payload.verdict.model_dump(mode="json")
            assert (report["sequence"], report["k"]) == (event.sequence, event.payload.verdict.challenge.k)
        assert (await asked.get("/api/guard/reports/nothing", 404))["code"] == "report_not_found"
        assert (await asked.get(f"/api/guard/reports/{next(iter(runs.values()))}.x", 404))["code"] == "report_not_found"


def test_a_report_by_hand_is_kept_and_told(folder, capsys, walls):  # noqa: F811 - the fixture
    (folder / ".mendel").mkdir()
    quick = ("--task", "top_k", "--n", "60", "--timeout-s", "1", "--candidate", "bad", "--json")
    printed = said(capsys, "guard", "evaluate", *quick)

    async def asked_for():
        async with observatory(MemoryEventLog(), about=about_of(Session())) as asked:
            (row,) = (await asked.get("/api/guard/reports"))["reports"]
            return row, await asked.get(f"/api/guard/reports/{row['id']}")

    row, report = asyncio.run(asked_for())
    assert (row["source"], row["what"], row["decision"], row["n"]) == (
        "report",
        "top_k",
        printed["decision"],
        printed["n"],
    )
    assert report["candidate"]["files"] == printed["implementations"]["candidate"]["files"]
    assert report["verdict"]["reasons"] == printed["reasons"]
    assert report["demands"]


async def test_what_is_no_report_is_left_out(tmp_path):
    folder = tmp_path / "reports" / "guard"
    folder.mkdir(parents=True)
    (folder / "report_20260101T000000.000000Z.json").write_text("{}")
    (folder / "report_20260101T000000.000001Z.json").write_text("no json")
    (folder / "passwords.json").write_text('{"task": "no"}')
    async with observatory(MemoryEventLog(), about=About(home=tmp_path)) as asked:
        assert (await asked.get("/api/guard/reports"))["total"] == 0
        for name in ("report_20260101T000000.000000Z", "passwords", "..", "..%2Fpasswords"):
            assert (await asked.client.get(f"/api/guard/reports/{name}")).status_code in (404, 422)
