"""Where runs stand in a niche is told by their marks alone, and what was altered is not believed."""

from __future__ import annotations

import pytest

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.conformance import samples
from mendel.contracts.ids import new_run_id
from mendel.contracts.run_config import RunConfig
from mendel.ports.niche_runs import has_niche, is_mark, niche_runs
from mendel.ports.records import Record


async def stored(*drafts) -> list[Record]:
    async with MemoryEventLog(payloads=samples.sample_payloads()) as log:
        run_id = new_run_id()
        await log.append(run_id, drafts, expected=0)
        return [record async for chunk in log.records(run_id) for record in chunk]


async def test_marks_are_what_says_where_a_run_stands():
    drafts = [samples.in_niche("a"), samples.started(), samples.finding(1), samples.challenge("a", 1)]
    records = await stored(*drafts, samples.adoption("a", 1), samples.completed())
    assert [is_mark(each.type, each.payload) for each in records] == [True, True, False, True, True, True]
    assert has_niche(records[0], "a")
    assert not has_niche(records[0], "b")
    assert not has_niche(records[1], "a")
    marks = [each for each in records if is_mark(each.type, each.payload)]
    assert niche_runs("a", marks) == niche_runs("a", records)


async def test_a_marker_that_was_altered_is_not_believed():
    records = await stored(samples.in_niche("a"), samples.challenge("a", 1), samples.challenge("a", 2))
    (run,) = niche_runs("a", records)
    assert run.challenges == 2
    forged = records[2]._replace(payload=records[2].payload.replace(b'"k":2', b'"k":9'))
    (run,) = niche_runs("a", [*records[:2], forged])
    assert run.challenges == 1
    assert niche_runs("a", [records[0]._replace(hash="0" * 64), *records[1:]]) == ()


@pytest.mark.parametrize("problem", ["p", "x" * 1_000])
def test_the_niche_of_whoever_names_none_is_that_of_the_problem(problem):
    config = RunConfig(domain="sample", problem=problem, rng_seed=1)
    assert config.all_niches == (f"sample:{problem}"[:300],)
