"""Memory that two processes share: of a fixed size, and nothing of one program is there for the next."""

import ctypes
import mmap
import os
from pathlib import Path

import pytest
from tests.support.rows import check_rows

from mendel.adapters.sandbox.shared_memory import Area, OutputArea, RequestArea

SIZE = 1 << 16


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture
def output():
    area = OutputArea(SIZE)
    yield area
    area.close()


@check_rows("kind", [lambda: Area(SIZE), lambda: RequestArea(SIZE), lambda: OutputArea(SIZE)])
def test_nothing_is_left_of_a_closed_area(kind):
    before = descriptors()
    kind().close()
    assert descriptors() == before


def test_an_area_keeps_its_size():
    area = Area(SIZE)
    for size in (0, SIZE - 1, SIZE + 1, 1 << 40):
        with pytest.raises(OSError, match="not permitted"):
            os.ftruncate(area.descriptor, size)
    with pytest.raises(OSError, match="not permitted"):
        os.pwrite(area.descriptor, b"x", SIZE)
    area.close()


def test_an_area_is_empty_when_it_was_emptied():
    area = Area(SIZE)
    other = mmap.mmap(area.descriptor, SIZE, mmap.MAP_SHARED)
    other[:] = b"x" * SIZE
    assert area.memory[:] == b"x" * SIZE
    area.empty()
    assert area.memory[:] == other[:] == bytes(SIZE)
    other.close()
    area.close()


def test_the_inside_can_only_read_requests():
    area = RequestArea(SIZE)
    with pytest.raises(OSError, match="denied"):
        mmap.mmap(area.handed, SIZE, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.write(area.handed, b"x")
    inside = mmap.mmap(area.handed, SIZE, mmap.MAP_SHARED, mmap.PROT_READ)
    libc = ctypes.CDLL(None, use_errno=True)
    area.put(b"told")
    assert inside[:5] == b"told\0"
    start = _address_of(area.handed)
    assert libc.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(4096), mmap.PROT_READ | mmap.PROT_WRITE) == -1
    inside.close()
    area.close()


def _address_of(descriptor: int) -> int:
    """Where the read-only mapping of that file lies in this process."""
    inode = os.fstat(descriptor).st_ino
    for line in Path("/proc/self/maps").read_text().splitlines():
        span, rights, _, _, found, *_ = line.split()
        if int(found) == inode and rights.startswith("r--"):
            return int(span.split("-")[0], 16)
    raise AssertionError("it is not mapped")


def test_a_page_that_the_inside_only_read_is_no_trace():
    area = RequestArea(SIZE)
    inside = mmap.mmap(area.handed, SIZE, mmap.MAP_SHARED, mmap.PROT_READ)
    area.put(b"told")
    fresh = os.fstat(area.descriptor).st_blocks
    assert inside[SIZE - 1] == 0
    area.put(b"told")
    assert os.fstat(area.descriptor).st_blocks == fresh
    inside.close()
    area.close()


def test_nothing_of_the_request_before_remains():
    area = RequestArea(SIZE)
    for size in (100, 10, 50, SIZE, 1, 0):
        area.put(b"x" * size)
        assert area.memory[:] == b"x" * size + bytes(SIZE - size)
    area.close()


def test_output_is_taken_once(output):
    os.write(output.descriptor, "ä\n".encode())
    assert output.take(100) == ("ä\n", False)
    output.forget()
    assert output.take(100) == ("", False)
    assert output.memory[:] == bytes(SIZE)


def test_output_above_what_was_asked_for_is_cut(output):
    os.write(output.descriptor, b"x" * 100)
    assert output.take(100) == ("x" * 100, False)
    output.forget()
    os.write(output.descriptor, b"x" * 101)
    assert output.take(100) == ("x" * 100, True)
    output.forget()
    os.write(output.descriptor, "ä".encode() * 10)
    assert output.take(3) == ("ä\ufffd", True)


def test_whoever_moves_the_position_gets_no_more_than_the_area(output):
    for position in (SIZE - 1, SIZE, 10**12):
        os.lseek(output.descriptor, position, os.SEEK_SET)
        text, truncated = output.take(100)
        assert text == "\0" * 100
        assert truncated
        output.forget()
        assert os.lseek(output.descriptor, 0, os.SEEK_CUR) == 0


def test_nothing_about_the_file_tells_the_next_program_anything(output):
    before = os.fstat(output.descriptor)
    output.forget()
    fresh = os.fstat(output.descriptor)
    os.write(output.descriptor, b"x" * 5_000)
    os.fchmod(output.descriptor, 0o777)
    os.utime(output.descriptor, ns=(123, 456))
    output.forget()
    after = os.fstat(output.descriptor)
    for name in ("st_mode", "st_size", "st_blocks", "st_atime_ns", "st_mtime_ns", "st_uid", "st_gid", "st_nlink"):
        assert getattr(after, name) == getattr(fresh, name), name
    assert after.st_size == before.st_size
