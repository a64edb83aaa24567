"""Exported runs, opened from a file: everything a run can be asked, and nothing of it in the log that is served."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from tests.api.reading import HISTORIES, bred, golden_file, golden_log, observatory, shelf
from tests.kernel.scripted import ScriptedDomain, Stage, config_of

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.api.opened_files import OpenedFiles
from mendel.contracts.scrub import Scrubber

BODY = "application/x-ndjson"
VIEWS = ("", "/history", "/events?limit=5000", "/lineage", "/replay", "/health", "/candidates?limit=1000", "/final")


async def opened(asked, data, key="key", status=201):
    answer = await asked.client.post("/api/files", content=data, headers={"Idempotency-Key": key, "Content-Type": BODY})
    assert answer.status_code == status, answer.text
    return answer


@pytest.mark.parametrize("name", HISTORIES)
async def test_a_file_says_of_its_run_what_the_log_says_of_it(tmp_path, name):
    log, runs = await golden_log(tmp_path, name)
    run_id = runs[name]
    events = [event async for event in log.read(run_id)]
    async with observatory(log) as served, observatory(MemoryEventLog()) as asked:
        told = (await opened(asked, golden_file(name, tmp_path).read_bytes())).json()
        assert (told["run_id"], told["events"]) == (run_id, len(events))
        base = f"/api/files/{told['file_id']}/runs/{run_id}"
        for view in VIEWS:
            assert await asked.get(f"{base}{view}") == await served.get(f"/api/runs/{run_id}{view}"), view
        for row in (await asked.get(f"{base}/candidates?limit=1000"))["candidates"][:3]:
            path = f"/candidates/{row['candidate_id']}"
            assert await asked.get(f"{base}{path}") == await served.get(f"/api/runs/{run_id}{path}")
        again = (await asked.client.get(f"{base}/export")).content
        assert again == golden_file(name, tmp_path).read_bytes()


async def test_the_log_that_is_served_is_not_touched(tmp_path):
    """Rule 9, where the file's run stands in the log, too."""
    log, runs = await golden_log(tmp_path, "generational")
    stage = await bred()
    async with observatory(log) as asked:
        exported = tmp_path / "other.mendel"
        async with observatory(stage.log) as other:
            exported.write_bytes((await other.client.get(f"/api/runs/{stage.run_id}/export")).content)
        before = [record async for chunk in log.unchecked_records(runs["generational"]) for record in chunk]
        await opened(asked, exported.read_bytes(), "other")
        same = (await opened(asked, golden_file("generational", tmp_path).read_bytes(), "same")).json()
        assert [run.run_id for run in await log.runs()] == [runs["generational"]]
        assert (await log.tip(stage.run_id)).next == 0
        assert (
            await asked.client.delete(f"/api/files/{same['file_id']}", headers={"Idempotency-Key": "close it"})
        ).status_code == 204
        after = [record async for chunk in log.unchecked_records(runs["generational"]) for record in chunk]
        assert after == before
        listed = await asked.get("/api/runs")
        assert [run["run_id"] for run in listed["runs"]] == [runs["generational"]]


def cut_off(data):
    return data[:-20]


def without_end(data):
    return b"".join(data.splitlines(keepends=True)[:-1])


def reordered(data):
    lines = data.splitlines(keepends=True)
    lines[4], lines[5] = lines[5], lines[4]
    return b"".join(lines)


def altered(data):
    lines = data.splitlines(keepends=True)
    lines[3] = lines[3].replace(b'"actor":"', b'"actor":"x', 1)
    return b"".join(lines)


def rehashed(data):
    """One event has another payload and its own hash: only the next one's link gives it away."""
    lines = data.splitlines(keepends=True)
    del lines[6]
    return b"".join(lines)


def misspelled(data):
    lines = data.splitlines(keepends=True)
    lines[2] = lines[2].replace(b'{"event":', b'{ "event":', 1)
    return b"".join(lines)


DAMAGE = [
    (cut_off, "cut off"),
    (without_end, "no end line"),
    (reordered, "line 5"),
    (altered, "line 4"),
    (rehashed, "line 7"),
    (misspelled, "line 3"),
    (lambda data: b"", "no events"),
    (lambda data: b"\x00\xff\n", "line 1"),
    (lambda data: b'{"a":1}\n', "line 1"),
    (lambda data: data + data, "line"),
]


@pytest.mark.parametrize(("damage", "said"), DAMAGE, ids=range(len(DAMAGE)))
async def test_a_damaged_file_is_refused_and_it_is_said_where(tmp_path, damage, said):
    data = golden_file("killed", tmp_path).read_bytes()
    async with observatory(MemoryEventLog()) as asked:
        answer = await opened(asked, damage(data), status=422)
        problem = answer.json()
        assert problem["code"] == "run_file"
        assert said in problem["detail"]
        assert str(tmp_path) not in problem["detail"]
        assert "/tmp" not in problem["detail"]
        assert (await asked.get("/api/files"))["files"] == []


async def test_what_holds_a_secret_of_this_machine_is_refused(tmp_path):
    data = golden_file("killed", tmp_path).read_bytes()
    word = b"a golden history"
    assert word in data
    async with (
        OpenedFiles(shelf, Scrubber([word.decode()])) as files,
        observatory(MemoryEventLog(), files=files) as asked,
    ):
        problem = (await opened(asked, data, status=422)).json()
        assert problem["code"] == "run_file"
        assert word.decode() not in problem["detail"]


async def test_a_file_may_not_be_larger_than_there_is_room_for(tmp_path):
    data = golden_file("killed", tmp_path).read_bytes()
    limited = OpenedFiles(shelf, Scrubber(), most_bytes=len(data) - 1)
    async with limited, observatory(MemoryEventLog(), files=limited) as asked:
        assert (await opened(asked, data, status=413)).json()["code"] == "file_too_large"


async def test_of_too_many_files_the_one_least_looked_at_is_closed(tmp_path):
    async with observatory(MemoryEventLog()) as asked:
        ids = {}
        for name in ("killed", "generational"):
            ids[name] = (await opened(asked, golden_file(name, tmp_path).read_bytes(), name)).json()
        killed = f"/api/files/{ids['killed']['file_id']}/runs/{ids['killed']['run_id']}"
        await asked.get(killed)
        await opened(asked, golden_file("exhausted", tmp_path).read_bytes(), "third")
        await asked.get(killed)
        gone = f"/api/files/{ids['generational']['file_id']}/runs/{ids['generational']['run_id']}"
        assert (await asked.get(gone, 404))["code"] == "file_not_open"
        assert len((await asked.get("/api/files"))["files"]) == 2


async def test_asked_twice_with_one_key_it_is_opened_once(tmp_path):
    data = golden_file("killed", tmp_path).read_bytes()
    async with observatory(MemoryEventLog()) as asked:
        first, again = await opened(asked, data), await opened(asked, data)
        assert again.json() == first.json()
        assert "idempotent-replay" not in first.headers
        assert again.headers["idempotent-replay"] == "true"
        other = await opened(asked, golden_file("generational", tmp_path).read_bytes(), status=422)
        assert other.json()["code"] == "idempotency_key_reused"
        without = await asked.client.post("/api/files", content=data, headers={"Content-Type": BODY})
        assert without.status_code == 400


async def test_asked_at_the_same_time_with_one_key_it_is_opened_once(tmp_path):
    data = golden_file("killed", tmp_path).read_bytes()
    async with observatory(MemoryEventLog()) as asked:
        answers = await asyncio.gather(*(opened(asked, data) for _ in range(3)))
        assert len({answer.json()["opened_at"] for answer in answers}) == 1
        assert sum("idempotent-replay" in answer.headers for answer in answers) == 2


async def test_a_key_that_closed_one_file_closes_no_other(tmp_path):
    async with observatory(MemoryEventLog()) as asked:
        names = ("killed", "generational")
        ids = [
            (await opened(asked, golden_file(name, tmp_path).read_bytes(), name)).json()["file_id"] for name in names
        ]
        headers = {"Idempotency-Key": "close"}
        answers = [await asked.client.delete(f"/api/files/{each}", headers=headers) for each in (ids[0], *ids)]
        assert [answer.status_code for answer in answers] == [204, 204, 422]
        assert answers[2].json()["code"] == "idempotency_key_reused"


async def test_a_closed_file_is_gone_and_may_be_opened_again(tmp_path):
    data = golden_file("killed", tmp_path).read_bytes()
    async with observatory(MemoryEventLog()) as asked:
        told = (await opened(asked, data)).json()
        closing = partial(asked.client.delete, f"/api/files/{told['file_id']}")
        assert (await closing()).status_code == 400
        assert [(await closing(headers={"Idempotency-Key": key})).status_code for key in "aab"] == [204, 204, 404]
        assert (await asked.get(f"/api/files/{told['file_id']}/runs/{told['run_id']}", 404))["code"] == "file_not_open"
        await opened(asked, data)


async def test_a_run_that_was_not_over_is_opened_with_a_warning(tmp_path):
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of())
    assert await stage.interrupt_after(15) is None
    async with observatory(stage.log) as asked:
        data = (await asked.client.get(f"/api/runs/{stage.run_id}/export")).content
        assert "before its end" in (await opened(asked, data)).json()["warnings"][0]
