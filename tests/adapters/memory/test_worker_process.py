import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json, to_json

from mendel.adapters.memory.frames import MAX_FRAME_BYTES, BrokenFrame, FrameReader, framed, write_all
from mendel.adapters.memory.worker_process import BEGUN, WorkerSettings
from mendel.conformance.sample_handlers import REFERENCES
from mendel.conformance.task_fabric import marked, sample_task

messages = st.lists(st.binary(max_size=300), max_size=20)


# --- frames ----------------------------------------------------------------------------------------------------------


@given(messages, st.data())
def test_messages_come_back_however_they_are_cut(sent, data):
    stream = b"".join(map(framed, sent))
    reader, found = FrameReader(), []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        reader.feed(stream[:size])
        stream = stream[size:]
        while (message := reader.take()) is not None:
            found.append(message)
    assert found == sent


@given(messages, st.binary(max_size=300))
def test_a_message_that_is_cut_short_is_none(sent, last):
    reader = FrameReader()
    reader.feed(b"".join(map(framed, [*sent, last]))[:-1])
    assert [reader.take() for _ in sent] == sent
    assert reader.take() is None


@given(messages)
def test_messages_come_through_a_pipe(sent):
    readable, writable = os.pipe()
    writer = threading.Thread(target=write_all, args=(writable, b"".join(map(framed, sent))))
    writer.start()
    reader, found = FrameReader(), []
    while len(found) < len(sent):
        reader.feed(os.read(readable, 7))
        while (message := reader.take()) is not None:
            found.append(message)
    writer.join()
    os.close(readable)
    os.close(writable)
    assert found == sent


@given(st.integers(MAX_FRAME_BYTES + 1, 2**32 - 1))
def test_a_length_above_the_ceiling_is_refused_before_it_has_arrived(length):
    reader = FrameReader()
    reader.feed(length.to_bytes(4, "big"))
    with pytest.raises(BrokenFrame):
        reader.take()


def test_a_message_above_the_ceiling_is_not_sent():
    with pytest.raises(BrokenFrame):
        framed(bytes(MAX_FRAME_BYTES + 1))


# --- the process -----------------------------------------------------------------------------------------------------


def start(**changes) -> subprocess.Popen:
    settings = WorkerSettings(**{"parent": os.getpid(), "path": sys.path, "references": REFERENCES} | changes)
    command = [sys.executable, "-m", "mendel.adapters.memory.worker_process", settings.spelled()]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def talk(*sent: bytes, **changes) -> tuple[list[bytes], bytes, int]:
    """What a worker writes to its pipe and to its error output, and how it ends, once it was sent all that."""
    with start(**changes) as process:
        out, err = process.communicate(b"".join(map(framed, sent)), timeout=60)
    reader = FrameReader()
    reader.feed(out)
    return list(iter(reader.take, None)), err, process.returncode


def test_tasks_are_performed_one_after_the_other_until_nobody_sends_any_more():
    tasks = [to_json(sample_task("echo", {"n": n}).payload) for n in range(3)]
    replies, _, code = talk(*tasks)
    assert code == 0
    assert replies[::2] == [BEGUN] * 3
    assert [from_json(reply)["answer"]["findings"]["data"] for reply in replies[1::2]] == [{"n": n} for n in range(3)]


def test_what_cannot_begin_has_an_outcome_only():
    replies, _, code = talk(b"nonsense", b"{}", to_json(sample_task("nobody_has_this").payload))
    codes = [from_json(reply)["failure"]["error_code"] for reply in replies]
    assert (codes, code) == (["bad_payload", "bad_payload", "unknown_handler"], 0)


def test_what_a_handler_prints_goes_to_the_error_output():
    replies, err, _ = talk(to_json(sample_task("talk").payload))
    assert [reply == BEGUN for reply in replies] == [True, False]
    assert err.count(b" nothing\n") == 1_000


def test_a_worker_whose_parent_is_another_one_leaves():
    replies, _, code = talk(to_json(sample_task("echo").payload), parent=1)
    assert (replies, code) == ([], 0)


def test_settings_come_back_as_they_were_spelled():
    settings = WorkerSettings(1, ["", "ü", "\udc80"], {"sample.echo": "a:b"})
    assert WorkerSettings.read(settings.spelled()) == settings


# --- its parent's end ------------------------------------------------------------------------------------------------

PARENT = """
import asyncio, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what it starts in the background
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.conformance.sample_handlers import REFERENCES
from mendel.conformance.task_fabric import sample_task

async def main():
    fabric = MemoryTaskFabric(handler_references=REFERENCES)
    async with fabric.lane("run") as lane:
        for step in ("spin", "sleep"):
            await lane.submit(sample_task(step, {"marks": sys.argv[1]}))
        await lane.results()

asyncio.run(main())
"""


def ended(pid: int) -> bool:
    """A process that was orphaned may stay a zombie where nobody clears up."""
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
async def test_workers_end_with_their_parent(tmp_path, end):
    with subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path / "marks")], stderr=subprocess.PIPE) as parent:
        try:
            workers = [int(pid) for pid in await marked(tmp_path / "marks", 2)]
            assert len(set(workers)) == 2
            assert not any(map(ended, workers))
            parent.send_signal(end)
            parent.wait(60)
        finally:
            parent.kill()
    async with asyncio.timeout(60):
        while not all(map(ended, workers)):
            await asyncio.sleep(0.005)
