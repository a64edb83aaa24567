"""Which vector and which content a candidate is read back with, going backwards through its run."""

from __future__ import annotations

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.conformance import samples
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.operation import Operation, OperationCompleted, OperationStarted
from mendel.contracts.ids import new_run_id
from mendel.ports.recorded_looks import LooksReader, is_trace

SPAWNED, CREATED, EXAMINED, CHECKED = samples.seen_candidate(1, samples.looks(1))


def with_looks(draft, part, number):
    """The birth of a genome or a candidate, with a vector."""
    born = getattr(draft.payload, part).model_copy(update={"looks": samples.looks(number)})
    return draft.model_copy(update={"payload": draft.payload.model_copy(update={part: born})})


def repair(number=None):
    """A repair of candidate 1, which may see what it has made."""
    operation = Operation(id="mend-1", step="sample.mend", kind="repair", subject_kind="candidate", subject_ids=("c",))
    content = CREATED.payload.candidate.content.model_copy(update={"data": {"mended": True}})
    looks = samples.looks(number) if number is not None else None
    done = OperationCompleted(operation_id="mend-1", step="sample.mend", findings=content, looks=looks)
    return [
        EventDraft.of(each, candidate_id="candidate-1", operation_id="mend-1")
        for each in (OperationStarted(operation=operation), done)
    ]


async def stored(*drafts):
    async with MemoryEventLog(payloads=samples.sample_payloads()) as log:
        run_id = new_run_id()
        await log.append(run_id, [samples.configured(), *drafts], expected=0)
        return [record async for chunk in log.records(run_id) for record in chunk]


def read(records):
    reader = LooksReader()
    return [seen for record in reversed(records) for seen in reader.take(record)]


async def seen_in(*drafts):
    return [(each.content.data, each.looks) for each in read(await stored(*drafts))]


async def test_the_last_that_saw_it_before_it_was_checked_says_what_it_looks_like():
    spawned, created = with_looks(SPAWNED, "genome", 2), with_looks(CREATED, "candidate", 3)
    again = EventDraft.of(EXAMINED.payload, candidate_id="candidate-1", operation_id="look-1")
    plain = {"number": 1}
    assert await seen_in(spawned, CREATED, CHECKED) == [(plain, samples.looks(2))]
    assert await seen_in(spawned, created, CHECKED) == [(plain, samples.looks(3))]
    assert await seen_in(spawned, created, EXAMINED, CHECKED) == [(plain, samples.looks(1))]
    assert await seen_in(spawned, created, CHECKED, again) == [(plain, samples.looks(3))]
    assert await seen_in(SPAWNED, CREATED, CHECKED, again) == []


async def test_a_repair_replaces_the_content_and_the_vector_of_the_content_before():
    spawned, created = with_looks(SPAWNED, "genome", 2), with_looks(CREATED, "candidate", 3)
    mended = {"mended": True}
    assert await seen_in(spawned, created, *repair(0), CHECKED) == [(mended, samples.looks(0))]
    assert await seen_in(spawned, created, *repair(), EXAMINED, CHECKED) == [(mended, samples.looks(1))]
    assert await seen_in(spawned, created, *repair(), CHECKED) == [(mended, samples.looks(2))]
    assert await seen_in(SPAWNED, created, *repair(), CHECKED) == []


async def test_a_record_that_was_altered_counts_as_missing():
    records = await stored(with_looks(SPAWNED, "genome", 2), CREATED, EXAMINED, CHECKED)
    forged = [each._replace(hash="0" * 64) if each.type == "operation.completed" else each for each in records]
    assert [each.looks for each in read(forged)] == [samples.looks(2)]
    assert read([each._replace(hash="0" * 64) for each in records]) == []


async def test_markers_are_traces_where_they_are_of_repairs():
    records = await stored(samples.started(), samples.challenge("a", 1), SPAWNED, *repair())
    assert [is_trace(each.type, each.payload) for each in records] == [False, False, False, True, True, True]
