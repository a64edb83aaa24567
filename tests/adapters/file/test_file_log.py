"""What only the file log can get wrong: torn tails, other processes, files that somebody touched."""

import asyncio
import subprocess
import sys

import pytest

from mendel.adapters.file import event_log
from mendel.adapters.file.checkpoints import FileCheckpoints
from mendel.adapters.file.event_log import FileEventLog
from mendel.conformance import samples
from mendel.contracts.errors import LogIntegrityError, StorageError
from mendel.contracts.log_views import Head
from mendel.ports.transfer import check_run_file
from mendel.ports.verification import verify


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "runs"


def open_log(folder, **options):
    return FileEventLog(folder, payloads=samples.sample_payloads(), **options)


async def test_the_file_of_a_run_is_a_complete_export_at_every_moment(folder, tmp_path):
    async with open_log(folder) as log:
        ref = await log.blobs.put(b"\x00 binary \xff")
        run_id = await samples.new_run(log, [samples.blob_stored(ref)])
        path = folder / f"{run_id}.mendel"
        for position in range(2, 6):
            assert check_run_file(path).events == position
            await log.append(run_id, [samples.finding(position)], expected=position)
    assert check_run_file(path).blobs == 1


async def test_a_torn_tail_is_never_seen_and_never_in_the_way(folder):
    """Whatever a dying writer left behind its last commit, at every length of it."""
    async with open_log(folder) as log:
        run_id = await samples.new_run(log, samples.findings(2))
        path = folder / f"{run_id}.mendel"
        whole = path.read_bytes()
        await log.append(run_id, samples.findings(2, 2), expected=3)
        torn = path.read_bytes()[len(whole) :]
    end = torn.rstrip(b"\n").rfind(b"\n") + 1
    for length in (*range(1, len(torn), 97), end, len(torn) - 1):
        path.write_bytes(whole + torn[:length])
        async with open_log(folder) as log:
            assert [event.sequence async for event in log.read(run_id)] == [0, 1, 2]
            await log.append(run_id, [samples.finding(9)], expected=3)
        async with open_log(folder) as log:
            assert [event.sequence async for event in log.read(run_id)] == [0, 1, 2, 3]
            assert (await verify(log, run_id)).ok


async def test_a_file_that_became_shorter_under_an_open_log_is_noticed(folder):
    async with open_log(folder) as log:
        run_id = await samples.new_run(log, samples.findings(3))
        path = folder / f"{run_id}.mendel"
        path.write_bytes(path.read_bytes()[:-10])
        with pytest.raises(LogIntegrityError, match="tail_cut"):
            [event async for event in log.read(run_id)]


async def test_a_line_that_is_not_ours_is_named(folder):
    async with open_log(folder) as log:
        run_id = await samples.new_run(log, samples.findings(3))
    path = folder / f"{run_id}.mendel"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b"garbage\n", *lines[3:]]))
    async with open_log(folder) as log:
        report = await verify(log, run_id)
    assert report.problem is not None
    assert (report.problem.reason, report.problem.sequence) == ("unreadable", 2)


async def test_many_processes_write_many_runs_at_once(folder):
    script = """
import asyncio, sys
from pathlib import Path
from mendel.adapters.file.event_log import FileEventLog
from mendel.conformance import samples
from mendel.contracts.errors import SequenceConflict

async def main(folder, run_id):
    async with FileEventLog(folder, payloads=samples.sample_payloads()) as log:
        stored = 0
        while stored < 20:
            tip = await log.tip(run_id)
            try:
                await log.append(run_id, [samples.finding(tip.next)], expected=tip.next)
                stored += 1
            except SequenceConflict:
                pass

asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
"""
    async with open_log(folder) as log:
        run_id = await samples.new_run(log)
        command = [sys.executable, "-c", script, str(folder), run_id]
        children = [subprocess.Popen(command) for _ in range(3)]
        assert [await asyncio.to_thread(child.wait) for child in children] == [0, 0, 0]
        assert [event.sequence async for event in log.read(run_id)] == list(range(61))
        assert (await verify(log, run_id)).ok


async def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("in the way")
    async with open_log(tmp_path / "file" / "runs") as log:
        with pytest.raises(StorageError, match="file"):
            await samples.new_run(log)


@pytest.mark.parametrize("content", [b"", b"half", b"0" * 20, b"x" * 86, b"\xff" * 200])
async def test_a_damaged_checkpoint_vouches_for_nothing(tmp_path, content):
    checkpoints = FileCheckpoints(tmp_path)
    await checkpoints.put("run", Head(sequence=3, hash="a" * 64))
    (tmp_path / "run").write_bytes(content)
    assert await checkpoints.get("run") is None


async def test_a_checkpoint_that_cannot_be_written_does_not_stop_the_log(folder, tmp_path):
    (tmp_path / "file").write_text("in the way")
    async with open_log(folder, checkpoints=FileCheckpoints(tmp_path / "file" / "x")) as log:
        run_id = await samples.new_run(log)
        assert (await verify(log, run_id)).checkpoint == "absent"


@pytest.mark.parametrize("block", [64, 1_000, 4_096])
async def test_a_file_is_read_backwards_block_by_block(folder, monkeypatch, block):
    monkeypatch.setattr(event_log, "_BLOCK", block)
    async with open_log(folder) as log:
        drafts = [each for number in range(5) for each in samples.seen_candidate(number, samples.looks(number))]
        run_id = await samples.new_run(log, drafts)
        found = await log.newest_looks(run_id, 10)
    assert [each.candidate_id for each in found] == [f"candidate-{number}" for number in (4, 3, 2, 1, 0)]
