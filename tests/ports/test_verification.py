"""Verification names the first thing that is wrong, in whichever store it is."""

import orjson
import pytest
from tests.ports.runs import memory_log, rechained

from mendel.adapters.file.event_log import FileEventLog
from mendel.conformance import samples
from mendel.contracts.errors import LogIntegrityError, RunNotFound
from mendel.contracts.events.registry import SCHEMA_VERSION
from mendel.contracts.ids import new_run_id
from mendel.contracts.log_views import Head
from mendel.ports.records import digest
from mendel.ports.verification import verify


@pytest.fixture
async def log():
    async with memory_log() as log:
        yield log


async def found(log, run_id):
    report = await verify(log, run_id)
    assert report.ok == (report.problem is None)
    return (report.problem.reason, report.problem.sequence) if report.problem else None


async def test_a_run_that_is_what_was_written_is_ok(log):
    ref = await log.blobs.put(b"blob")
    run_id = await samples.new_run(log, [samples.blob_stored(ref), *samples.findings(3), samples.blob_stored(ref)])
    heard = []
    report = await verify(log, run_id, heard.append)
    assert (report.ok, report.events, report.blobs, report.checkpoint) == (True, 6, 1, "matches")
    assert report.head.sequence == 5
    assert heard[-1] == 6


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"payload": b'{"x":1}'}, "altered"),
        ({"actor": "judge"}, "altered"),
        ({"hash": "f" * 64}, "altered"),
        ({"prev_hash": "f" * 64}, "chain_broken"),
        ({"schema_version": SCHEMA_VERSION + 1}, "schema_too_new"),
    ],
    ids=str,
)
async def test_a_tampered_record_is_named(log, place, change, reason):
    run_id = await samples.new_run(log, samples.findings(4))
    log._runs[run_id][place] = log._runs[run_id][place]._replace(**change)
    assert await found(log, run_id) == (reason, place)


@pytest.mark.parametrize("place", range(4))
async def test_a_missing_record_is_a_gap(log, place):
    run_id = await samples.new_run(log, samples.findings(4))
    del log._runs[run_id][place]
    assert await found(log, run_id) == ("gap", place)


async def test_records_in_another_order_are_named(log):
    run_id = await samples.new_run(log, samples.findings(4))
    log._runs[run_id].insert(3, log._runs[run_id][1])
    assert await found(log, run_id) == ("out_of_order", 3)


@pytest.mark.parametrize("kept", [0, 1, 4])
async def test_a_cut_tail_is_named_where_the_log_ends(log, kept):
    run_id = await samples.new_run(log, samples.findings(4))
    del log._runs[run_id][kept:]
    report = await verify(log, run_id)
    assert (report.problem.reason, report.problem.sequence, report.checkpoint) == ("tail_cut", kept, "cut")
    assert "up to sequence 4" in report.problem.detail


async def test_without_a_checkpoint_a_cut_tail_cannot_be_seen_and_the_report_says_so(log):
    run_id = await samples.new_run(log, samples.findings(4))
    del log._runs[run_id][3:]
    log.checkpoints._heads.clear()
    report = await verify(log, run_id)
    assert (report.ok, report.checkpoint) == (True, "absent")


async def test_a_checkpoint_that_is_behind_vouches_for_less(log):
    run_id = await samples.new_run(log, samples.findings(4))
    event = [event async for event in log.read(run_id)][2]
    await log.checkpoints.put(run_id, Head(sequence=2, hash=event.hash))
    report = await verify(log, run_id)
    assert (report.ok, report.checkpoint) == (True, "behind")


@pytest.mark.parametrize("place", range(5))
async def test_a_log_that_was_rewritten_whole_is_seen_by_its_checkpoint(log, place):
    run_id = await samples.new_run(log, samples.findings(4))
    records = log._runs[run_id]
    records[place] = records[place]._replace(correlation_id="rewritten")
    log._runs[run_id] = rechained(records)
    assert await found(log, run_id) == ("altered", 4)


@pytest.mark.parametrize(
    "change",
    [{"type": "no.such_event"}, {"payload": b"{}"}, {"actor": "nobody"}, {"operation_id": "NO ID"}],
    ids=str,
)
async def test_a_record_that_holds_no_event_is_reported_not_raised(log, change):
    run_id = await samples.new_run(log, samples.findings(2))
    record = log._runs[run_id][2]._replace(**change)
    log._runs[run_id][2] = record._replace(hash=digest(record))
    assert await found(log, run_id) == ("unreadable", 2)


async def test_a_missing_and_an_altered_blob_are_named_at_the_event_that_needs_them(log):
    ref = await log.blobs.put(b"blob")
    run_id = await samples.new_run(log, [*samples.findings(2), samples.blob_stored(ref)])
    log.blobs._data[ref.hash] = b"blub"
    assert await found(log, run_id) == ("blob_altered", 3)
    del log.blobs._data[ref.hash]
    assert await found(log, run_id) == ("blob_missing", 3)


async def test_the_first_of_several_problems_is_the_one_that_is_named(log):
    ref = await log.blobs.put(b"blob")
    run_id = await samples.new_run(log, [samples.blob_stored(ref), *samples.findings(3)])
    log.blobs._data.clear()
    log._runs[run_id][3] = log._runs[run_id][3]._replace(actor="judge")
    assert await found(log, run_id) == ("blob_missing", 1)


async def test_a_run_that_nobody_knows_is_not_found(log):
    with pytest.raises(RunNotFound):
        await verify(log, new_run_id())


async def test_verifying_changes_nothing(log):
    run_id = await samples.new_run(log, samples.findings(2))
    before = list(log._runs[run_id]), dict(log.checkpoints._heads)
    log._runs[run_id][1] = log._runs[run_id][1]._replace(actor="judge")
    await verify(log, run_id)
    log._runs[run_id][1] = before[0][1]
    assert (log._runs[run_id], log.checkpoints._heads) == before


# --- on files --------------------------------------------------------------------------------------------------


async def stored_file(tmp_path):
    async with FileEventLog(tmp_path, payloads=samples.sample_payloads()) as log:
        ref = await log.blobs.put(b"a blob of some size")
        run_id = await samples.new_run(log, [samples.blob_stored(ref), *samples.findings(3)])
    return run_id, tmp_path / f"{run_id}.mendel"


async def verified(tmp_path, run_id):
    """What a fresh process would find; a file log may refuse to open what it cannot index."""
    async with FileEventLog(tmp_path, payloads=samples.sample_payloads()) as log:
        try:
            return await found(log, run_id)
        except LogIntegrityError as error:
            return error.reason, error.sequence


async def test_a_byte_changed_in_a_file_is_named(tmp_path):
    run_id, path = await stored_file(tmp_path)
    assert await verified(tmp_path, run_id) is None
    path.write_bytes(path.read_bytes().replace(b'"number":1', b'"number":7'))
    assert await verified(tmp_path, run_id) == ("altered", 3)


async def test_an_event_spelled_otherwise_in_a_file_is_named(tmp_path):
    run_id, path = await stored_file(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    fields = orjson.loads(lines[4])
    respelled = {"event": dict(reversed(fields["event"].items())), "hash": fields["hash"]}
    path.write_bytes(b"".join([*lines[:4], orjson.dumps(respelled) + b"\n", *lines[5:]]))
    assert await verified(tmp_path, run_id) == ("unreadable", 2)


async def test_a_line_taken_out_of_a_file_is_named(tmp_path):
    run_id, path = await stored_file(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4] + lines[5:]))
    assert await verified(tmp_path, run_id) == ("gap", 2)


async def test_the_tail_cut_off_a_file_is_named(tmp_path):
    run_id, path = await stored_file(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    assert await verified(tmp_path, run_id) == ("tail_cut", 0)
    path.write_bytes(b"")
    assert await verified(tmp_path, run_id) == ("tail_cut", 0)


async def test_a_blob_file_that_is_gone_or_changed_is_named(tmp_path):
    run_id, _ = await stored_file(tmp_path)
    (blob,) = [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]
    blob.chmod(0o600)
    blob.write_bytes(b"another blob of a size")
    assert await verified(tmp_path, run_id) == ("blob_altered", 1)
    blob.unlink()
    assert await verified(tmp_path, run_id) == ("blob_missing", 1)
