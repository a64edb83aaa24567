"""What a foreign domain calls its steps, wherever a run of it is shown; and that run where nobody has the domain."""

from __future__ import annotations

import json

import pytest
from tests.api.reading import golden_log, observatory

from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.api.frames import changes_frame
from mendel.api.source import RunSource
from mendel.contracts.step_words import NO_WORDS, aliased
from mendel.ports.registration import find_wording
from mendel.projections.health import HealthFold

ALIASES = {"point.measured", "point.weighed", "weighing.began", "weighing.failed"}


async def shown(tmp_path, wording):
    """Everything that is told of a golden run of the reference domain: events, frames, lineage, tables."""
    log, runs = await golden_log(tmp_path, "generational")
    run_id = runs["generational"]
    models = MemoryReadModels()
    async with RunSource(log, models, wording) as source, observatory(log, source=source) as asked:
        path = f"/api/runs/{run_id}"
        events = (await asked.get(f"{path}/events?limit=5000"))["events"]
        lineage = await asked.get(f"{path}/lineage")
        stream = (await asked.client.get(f"{path}/stream")).text
        (first, *_) = (await asked.get(f"{path}/candidates"))["candidates"]
        detail = await asked.get(f"{path}/candidates/{first['candidate_id']}")
        rows = {name: await models.rows(run_id, name) for name in ("check_results", "critic_reviews")}
    frames = [json.loads(line.removeprefix("data: ")) for line in stream.splitlines() if line.startswith("data: ")]
    nodes = {(node["kind"], node["label"]) for node in lineage["nodes"] if node["kind"] in ("review", "check")}
    tables = {name: {row.values["name"] for row in found} for name, found in rows.items()}
    return [event async for event in log.read(run_id)], events, frames[:-1], nodes, tables, detail


@pytest.mark.usefixtures("plugins")
async def test_a_run_is_shown_in_the_words_of_its_domain(tmp_path):
    log, events, frames, nodes, tables, detail = await shown(tmp_path, find_wording())
    assert frames == events
    assert {event.pop("alias") for event in events if "alias" in event} == ALIASES
    assert events == [event.model_dump(mode="json") for event in log], (
        "beside what the log has, and in place of nothing"
    )
    assert nodes == {("review", "point.weighed"), ("review", "weighing.failed"), ("check", "point.measured")}
    assert tables == {"check_results": {"point.measured"}, "critic_reviews": {"point.weighed", "weighing.failed"}}
    assert {(item["word"], item["name"]) for item in detail["evidence"]} >= {("measuring", "point.measured")}
    changes = [json.loads(_data(changes_frame(aliased(find_wording(), event), ()))) for event in log]
    assert {told["alias"] for told in changes if "alias" in told} == ALIASES


async def test_where_nobody_has_the_domain_it_is_shown_by_its_steps(tmp_path):
    log, events, frames, nodes, tables, detail = await shown(tmp_path, NO_WORDS)
    assert frames == events == [event.model_dump(mode="json") for event in log]
    assert nodes == {("check", "reference.gate"), ("check", "reference.measure")}
    assert tables == {"check_results": {"reference.gate", "reference.measure"}, "critic_reviews": set()}
    assert all(item["word"] == item["step"] for item in detail["evidence"])


@pytest.mark.usefixtures("plugins")
async def test_what_is_in_flight_tells_judging_from_checking(tmp_path):
    log, runs = await golden_log(tmp_path, "generational")
    seen, plain = set(), set()
    fold, without = HealthFold(find_wording()), HealthFold()
    async for event in log.read(runs["generational"]):
        seen |= {(each.kind, each.word, each.role) for each in fold.take(event).view().in_flight}
        plain |= {(each.kind, each.word, each.role) for each in without.take(event).view().in_flight}
    assert {("challenge", "weighing", "review"), ("examine", "measuring", "check"), ("vary", "nudging", None)} <= seen
    assert {("challenge", "reference.gate", "check"), ("vary", "reference.nudge", None)} <= plain


def _data(frame: bytes) -> bytes:
    return frame.partition(b"data: ")[2]
