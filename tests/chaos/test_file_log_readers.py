"""Reading a run file while its writer dies and another takes it over."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mendel.adapters.file.event_log import FileEventLog
from mendel.adapters.file.run_index import RunIndex
from mendel.conformance.samples import findings, new_run, sample_payloads
from mendel.ports.event_log import EventLog
from mendel.ports.run_file import SUFFIX
from mendel.ports.verification import verify

COMMITS = 150
ROUNDS = 15


@pytest.fixture
def threads_take_turns_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


async def written_run(folder: Path) -> str:
    log = FileEventLog(folder, payloads=sample_payloads())
    run_id = await new_run(log)
    for number in range(COMMITS):
        await log.append(run_id, findings(2), expected=1 + 2 * number)
    return run_id


async def count_events(log: EventLog, run_id: str) -> int:
    return len([event async for event in log.read(run_id)])


async def take_over(log: EventLog, run_id: str) -> None:
    async with log.conduct(run_id, conductor="test"):
        pass


@pytest.mark.usefixtures("threads_take_turns_often")
async def test_a_run_that_is_read_while_it_is_taken_over_loses_nothing(tmp_path: Path) -> None:
    run_id = await written_run(tmp_path)
    for number in range(1, ROUNDS + 1):
        log = FileEventLog(tmp_path, payloads=sample_payloads())
        await asyncio.gather(take_over(log, run_id), *(count_events(log, run_id) for _ in range(4)))
        report = await verify(FileEventLog(tmp_path, payloads=sample_payloads()), run_id)
        assert report.ok
        assert report.events == 1 + 2 * COMMITS + number


class Interrupted(io.BufferedReader):
    """A stream during whose second line something happens."""

    def __init__(self, path: Path, happens: Callable[[], None]) -> None:
        super().__init__(io.FileIO(path))
        self._happens = happens
        self._lines = 0

    def __next__(self) -> bytes:
        self._lines += 1
        if self._lines == 2:
            self._happens()
        return super().__next__()


class InterruptedPath(type(Path())):  # type: ignore[misc]  # the class of paths here
    happens: Callable[[], None]

    def open(self, mode: str = "rb") -> Interrupted:
        return Interrupted(self, self.happens)


async def test_a_tail_that_is_replaced_while_it_is_read_is_not_mixed_with_what_replaces_it(tmp_path: Path) -> None:
    log = FileEventLog(tmp_path, payloads=sample_payloads())
    run_id = await new_run(log)
    path = tmp_path / f"{run_id}{SUFFIX}"
    closed = path.read_bytes()
    await log.append(run_id, findings(100), expected=1)
    replacement = path.read_bytes()
    path.write_bytes(closed)
    await FileEventLog(tmp_path, payloads=sample_payloads()).append(run_id, findings(100), expected=1)
    torn = path.read_bytes().rpartition(b'{"end":')[0]

    path.write_bytes(torn)
    reading = InterruptedPath(path)
    reading.happens = lambda: path.write_bytes(replacement)
    index = RunIndex(reading)
    index.refresh()

    path.write_bytes(replacement)
    expected = RunIndex(path)
    expected.refresh()
    index.refresh()
    assert (index.tip, index.size, index.event_ids) == (expected.tip, expected.size, expected.event_ids)
