"""Who a zygote is outside when root starts it."""

import pytest

from mendel.adapters.sandbox.identities import STRANGER, stranger_id

WHOLE = "         0          0 4294967295\n"


@pytest.fixture
def maps(tmp_path):
    def write(uid, gid):
        (tmp_path / "uid_map").write_text(uid)
        (tmp_path / "gid_map").write_text(gid)
        return stranger_id(tmp_path / "uid_map", tmp_path / "gid_map")

    return write


def test_outside_of_every_namespace_it_is_somebody_nobody_knows(maps):
    assert maps(WHOLE, WHOLE) == STRANGER
    assert STRANGER not in range(1 << 16)
    assert STRANGER < 1 << 31


def test_in_a_rootless_container_it_is_the_highest_that_is_mapped(maps):
    container = "0 1000 1\n1 100000 65536\n"
    assert maps(container, container) == 65_536
    assert maps("0 1000 1\n1 100000 65536\n", "0 1000 1\n1 100000 1000\n") == 1_000
    assert maps(WHOLE, container) == 65_536


def test_where_nobody_but_root_is_known_it_is_nobody(maps):
    assert maps("0 1000 1\n", "0 1000 1\n") is None
    assert maps("0 1000 1\n", WHOLE) is None


@pytest.mark.parametrize("text", ["", "not a map", "1 2", "\xff\xfe"])
def test_a_map_that_cannot_be_read_is_taken_for_the_whole_range(maps, text):
    assert maps(text, text) == STRANGER


def test_without_a_map_there_is_no_namespace(tmp_path):
    assert stranger_id(tmp_path / "a", tmp_path / "b") == STRANGER


def test_it_is_never_root_and_always_mapped(maps):
    for count in (2, 3, 100, 65_536, 1 << 20, 1 << 31, (1 << 32) - 1):
        found = maps(f"0 0 {count}\n", f"0 0 {count}\n")
        assert found is not None
        assert 0 < found < count
