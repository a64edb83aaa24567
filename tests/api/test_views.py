"""Views of one run: each is what its fold makes of the exported events, however and whenever it is asked for."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from tests.api.reading import HISTORIES, bred, golden_file, golden_log, observatory
from tests.kernel.scripted import ScriptedDomain, Stage, ambitious, config_of
from tests.kernel.test_parameters import Tunable
from tests.support.rows import check_rows

from mendel.api import answers
from mendel.api.rows import summary
from mendel.api.source import Listed
from mendel.contracts.commands import CommandKind
from mendel.contracts.ids import new_run_id
from mendel.contracts.log_views import Head, RunOverview
from mendel.contracts.read_models import TABLES, Row
from mendel.contracts.statuses import RunStatus
from mendel.contracts.times import utc_now
from mendel.kernel.beginning import next_chapter
from mendel.kernel.conductor import Options
from mendel.ports.registration import find_wording
from mendel.ports.transfer import export_run
from mendel.projections.health import HealthFold
from mendel.projections.lineage import LineageFold
from mendel.projections.replay_summary import ReplaySummaryFold

VIEWS = ("/history", "/events", "/lineage", "/replay", "/health", "/parameters", "/candidates", "/final", "/export")
ROUTES = ("", *VIEWS)


async def told(fold, log, run_id):
    """What a fold makes of the whole log, as JSON."""
    async for event in log.read(run_id):
        fold.take(event)
    return fold.view().model_dump(mode="json")


@pytest.mark.parametrize("name", HISTORIES)
async def test_lineage_and_replay_are_what_the_events_say(tmp_path, name):
    log, runs = await golden_log(tmp_path, name)
    run_id = runs[name]
    async with observatory(log) as asked:
        assert await asked.get(f"/api/runs/{run_id}/lineage") == await told(LineageFold(find_wording()), log, run_id)
        replay = await asked.get(f"/api/runs/{run_id}/replay")
        events = [event async for event in log.read(run_id)]
        more = {"events": len(events), "head_hash": events[-1].hash, "command": f"mendel replay {run_id}"}
        assert replay == {**await told(ReplaySummaryFold(), log, run_id), **more}


@pytest.mark.parametrize("name", HISTORIES)
async def test_health_is_what_the_events_say_and_nobody_conducts_what_is_over(tmp_path, name):
    log, runs = await golden_log(tmp_path, name)
    async with observatory(log) as asked:
        health = await asked.get(f"/api/runs/{runs[name]}/health")
    assert health.pop("conducted") == "nobody"
    assert health.pop("stalled") is False
    assert health == await told(HealthFold(find_wording()), log, runs[name])


async def test_views_go_on_with_a_run(tmp_path):
    stage = Stage(ScriptedDomain(route=ambitious))
    await stage.configure(config_of(caps={"max_generations": 4}))
    async with observatory(stage.log) as asked:
        over = None
        while over is None:
            over = await stage.interrupt_after(17)
            path = f"/api/runs/{stage.run_id}"
            assert await asked.get(f"{path}/lineage") == await told(
                LineageFold(find_wording()), stage.log, stage.run_id
            )
            health = await asked.get(f"{path}/health")
            assert health["in_flight"] == (await told(HealthFold(find_wording()), stage.log, stage.run_id))["in_flight"]


def in_force(state, since=None):
    """What the kernel goes by, as the route says it."""
    own = state.parameters.model_dump(mode="json") if state.parameters is not None else None
    caps = state.caps.model_dump(mode="json")
    return {"run_id": state.run_id, "slots": state.slots, "caps": caps, "parameters": own, "since": since}


async def test_parameters_are_those_that_hold_now_and_an_etag_knows_when_they_change():
    stage = Stage(Tunable())
    stage.domain.gate.set()
    await stage.configure(config_of(slots=3, caps={"max_generations": 4}))
    wishes = (
        {"domain": {"pace": 3}},
        {"slots": 2, "caps": {"max_generations": 3}},
        {"domain": {"pace": 0}, "slots": 9},
    )
    async with observatory(stage.log) as asked:
        path = f"/api/runs/{stage.run_id}/parameters"
        first = await asked.client.get(path)
        assert first.json() == in_force(await stage.folded())
        assert (await asked.client.get(path, headers={"If-None-Match": first.headers["etag"]})).status_code == 304
        for wish in wishes:
            await stage.submit(CommandKind.SET_PARAMETERS, **wish)
            await stage.conduct(Options(only_answer=True))
            state = await stage.folded()
            accepted = [each for each in await stage.events() if each.type == "command.accepted"]
            assert await asked.get(path) == in_force(state, accepted[0].sequence)
        assert (state.slots, state.caps.max_generations, len(accepted)) == (2, 3, 2)
        await stage.conduct()
        assert await asked.get(path) == in_force(state, accepted[0].sequence)


async def test_parameters_of_a_chapter_hold_from_its_first_event():
    stage = Stage(Tunable())
    stage.domain.gate.set()
    await stage.configure(config_of())
    await stage.submit(CommandKind.SET_PARAMETERS, domain={"pace": 4}, slots=2)
    await stage.configure(next_chapter(await stage.conduct()))
    async with observatory(stage.log) as asked:
        told = await asked.get(f"/api/runs/{stage.run_id}/parameters")
    assert told == in_force(await stage.folded(), 0)
    assert (told["parameters"]["data"]["value"], told["slots"]) == (4.0, 2)


async def test_who_conducts_a_run_changes_its_health_without_an_event():
    stage = Stage(ScriptedDomain(route=ambitious))
    await stage.configure(config_of())
    assert await stage.interrupt_after(20) is None
    moments, here = [utc_now()], set()
    options = {"now": lambda: moments[-1], "conducted_here": lambda: frozenset(here)}
    async with observatory(stage.log, **options) as asked:
        path = f"/api/runs/{stage.run_id}/health"
        first = await asked.client.get(path)
        assert first.json()["conducted"] == "elsewhere"
        assert (await asked.client.get(path, headers={"If-None-Match": first.headers["etag"]})).status_code == 304
        moments.append(moments[0].replace(year=moments[0].year + 1))
        later = await asked.client.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (later.json()["conducted"], later.json()["stalled"]) == ("nobody", True)
        here.add(stage.run_id)
        assert (await asked.get(path))["conducted"] == "here"


@pytest.mark.parametrize("name", HISTORIES)
async def test_an_export_is_the_file_that_the_run_came_from(tmp_path, name):
    log, runs = await golden_log(tmp_path, name)
    async with observatory(log) as asked:
        answer = await asked.client.get(f"/api/runs/{runs[name]}/export")
    assert answer.content == golden_file(name, tmp_path).read_bytes()
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert answer.headers["content-disposition"] == f'attachment; filename="{runs[name]}.mendel"'


async def test_an_export_of_a_run_that_goes_on_is_whole():
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of())
    assert await stage.interrupt_after(20) is None
    expected = io.BytesIO()
    await export_run(stage.log, stage.run_id, expected)
    async with observatory(stage.log) as asked:
        assert (await asked.client.get(f"/api/runs/{stage.run_id}/export")).content == expected.getvalue()


@check_rows("route", ROUTES)
async def test_who_knows_the_last_event_is_told_nothing_again(route):
    stage = await bred()
    last = (await stage.events())[-1].sequence
    async with observatory(stage.log) as asked:
        path = f"/api/runs/{stage.run_id}{route}"
        first = await asked.client.get(path)
        assert first.status_code == 200
        assert first.headers["etag"].startswith(f'"{last}')
        for known in (first.headers["etag"], f"W/{first.headers['etag']}", f'"0", {first.headers["etag"]}', "*"):
            again = await asked.client.get(path, headers={"If-None-Match": known})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
        assert (await asked.client.get(path, headers={"If-None-Match": '"1"'})).status_code == 200


async def test_who_knows_what_an_older_version_made_of_the_run_is_told_anew(monkeypatch):
    stage = await bred()
    async with observatory(stage.log) as asked:
        path = f"/api/runs/{stage.run_id}/history"
        known = (await asked.client.get(path)).headers["etag"]
        monkeypatch.setattr(answers, "ROWS_VERSION", answers.ROWS_VERSION + 1)
        assert (await asked.client.get(path, headers={"If-None-Match": known})).status_code == 200


@check_rows("route", [*ROUTES, "/candidates/nobody"])
async def test_of_a_run_that_is_not_there_nothing_is_told(route):
    stage = await bred()
    async with observatory(stage.log) as asked:
        path = f"/api/runs/{new_run_id()}{route}"
        answer = await asked.client.get(path, headers={"X-Request-ID": "asked-1"})
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (404, "run_not_found")
        assert answer.headers["content-type"] == "application/problem+json"
        assert (problem["instance"], problem["request_id"]) == (path, "asked-1")
        assert (await asked.client.get(f"/api/runs/no-run{route}")).status_code == 422


# --- rule 9 --------------------------------------------------------------------------------------------------------


async def snapshot(log, models, run_id):
    records = [record async for chunk in log.unchecked_records(run_id) for record in chunk]
    rows = {name: list(await models.rows(run_id, name)) for name in TABLES}
    return records, await log.tip(run_id), await log.commands(run_id), await log.checkpoints.get(run_id), rows


def reading_paths(openapi, known):
    """Every GET that answers and ends, with what is put into its address."""
    for path, methods in openapi["paths"].items():
        if "get" in methods and not path.endswith("/stream"):
            yield path.format(**known)


async def test_no_reading_route_writes(tmp_path):
    """Rule 9: whatever is asked for, log and rows stay as they were."""
    stage = await bred()
    async with observatory(stage.log) as asked:
        await asked.get(f"/api/runs/{stage.run_id}")
        candidate = (await asked.get(f"/api/runs/{stage.run_id}/candidates"))["candidates"][0]["candidate_id"]
        file = golden_file("killed", tmp_path)
        headers = {"Idempotency-Key": "one", "Content-Type": "application/x-ndjson"}
        opened = await asked.client.post("/api/files", content=file.read_bytes(), headers=headers)
        known = {"run_id": stage.run_id, "cid": candidate, "file_id": opened.json()["file_id"]}
        before = await snapshot(stage.log, asked.services.source.models, stage.run_id)
        runs = await stage.log.runs()
        asked_for = list(reading_paths(await asked.get("/api/openapi.json"), {**known, "report_id": "none"}))
        for path in asked_for:
            assert (await asked.client.get(path)).status_code in (200, 404, 503), path
            assert await snapshot(stage.log, asked.services.source.models, stage.run_id) == before, path
        assert await stage.log.runs() == runs
        assert len(asked_for) > 30


def test_a_row_behind_the_log_does_not_list_a_run_that_is_over_as_running():
    run_id = str(new_run_id())
    head = Head(sequence=9, hash="0" * 64)
    now = datetime.now(UTC)
    overview = RunOverview(run_id=run_id, status=RunStatus.COMPLETED, events=10, head=head, last_event_at=now)
    row = Row(run_id, 0, 4, {"status": "running", "events": 5, "domain": "scripted", "problem": "p"})
    behind = summary(Listed(overview, row), frozenset(), now)
    assert (behind.status, behind.events, behind.sequence) == (RunStatus.COMPLETED, 10, 4)
    assert (behind.ended, behind.conducted) == (None, "nobody")
    ahead = summary(Listed(overview, row._replace(last=11)), frozenset(), now)
    assert (ahead.status, ahead.events) == (RunStatus.RUNNING, 5)
