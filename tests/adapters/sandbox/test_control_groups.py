"""Control groups, on trees of plain files that look like them."""

import os
import shutil
from pathlib import Path

import pytest

from mendel.adapters.sandbox.control_groups import make_group

MIB = 1 << 20


def tree_v1(root: Path) -> Path:
    """A machine with one hierarchy per controller; /proc/self of a process in the group ``/here``."""
    for controller in ("memory", "pids"):
        (root / controller / "here").mkdir(parents=True)
    mounts = [
        f"{n} 1 0:{n} / {root / name} rw - cgroup cgroup rw,{name}" for n, name in enumerate(("memory", "pids"), 30)
    ]
    return proc(root, "4:memory:/here\n3:pids:/here\n0::/\n", "\n".join(mounts))


def tree_v2(root: Path, controllers: str = "cpu memory pids") -> Path:
    """A machine with one hierarchy for all; a process in the group ``/user/scope``."""
    (root / "unified" / "user" / "scope").mkdir(parents=True)
    (root / "unified" / "cgroup.controllers").write_text(controllers)
    return proc(root, "0::/user/scope\n", f"30 1 0:30 / {root / 'unified'} rw - cgroup2 cgroup2 rw")


def proc(root: Path, own: str, mounts: str) -> Path:
    (root / "proc").mkdir()
    (root / "proc" / "cgroup").write_text(own)
    (root / "proc" / "mountinfo").write_text(mounts + "\n")
    return root / "proc"


@pytest.fixture(autouse=True)
def directories_that_vanish(monkeypatch):
    """A real group is removed with the files that the kernel shows in it."""
    monkeypatch.setattr(Path, "rmdir", shutil.rmtree)


def test_version_1_has_a_group_in_each_hierarchy(tmp_path):
    group = make_group(100 * MIB, 3, tree_v1(tmp_path))
    assert group is not None
    memory, pids = group.directories
    assert memory.parent == tmp_path / "memory" / "here"
    assert pids.parent == tmp_path / "pids" / "here"
    assert memory.name == pids.name
    assert memory.name.startswith("mendel-")
    assert f"-{os.getpid()}-" in memory.name
    assert int((memory / "memory.limit_in_bytes").read_text()) >= 100 * MIB
    assert int((pids / "pids.max").read_text()) > 3
    assert group.membership_files == (str(memory / "cgroup.procs"), str(pids / "cgroup.procs"))


def test_version_2_has_one_group(tmp_path):
    group = make_group(100 * MIB, 0, tree_v2(tmp_path))
    assert group is not None
    (directory,) = group.directories
    assert directory.parent == tmp_path / "unified" / "user" / "scope"
    assert int((directory / "memory.max").read_text()) >= 100 * MIB
    assert (directory / "memory.swap.max").read_text() == "0"
    assert int((directory / "pids.max").read_text()) > 0
    assert group.membership_files == (str(directory / "cgroup.procs"),)


@pytest.mark.parametrize("tree", [tree_v1, tree_v2])
def test_a_removed_group_leaves_nothing_and_can_be_removed_again(tmp_path, tree):
    group = make_group(MIB, 0, tree(tmp_path))
    group.remove()
    assert not any(directory.exists() for directory in group.directories)
    group.remove()


@pytest.mark.parametrize("tree", [tree_v1, tree_v2])
def test_every_group_has_a_name_of_its_own(tmp_path, tree):
    told = tree(tmp_path)
    groups = [make_group(MIB, 0, told) for _ in range(3)]
    assert len({group.directories for group in groups}) == 3


def test_where_no_group_may_be_made_there_is_none_and_nothing_is_left(tmp_path, monkeypatch):
    told = tree_v1(tmp_path)
    write = Path.write_text

    def refuse(self, *args, **options):
        if self.name == "pids.max":
            raise PermissionError(13, "no")
        return write(self, *args, **options)

    monkeypatch.setattr(Path, "write_text", refuse)
    assert make_group(MIB, 0, told) is None
    assert list(tmp_path.glob("*/here/mendel-*")) == []


def test_where_folders_cannot_be_made_there_is_none(tmp_path):
    told = tree_v1(tmp_path)
    shutil.rmtree(tmp_path / "pids")
    (tmp_path / "pids").write_text("a file, no folder")
    assert make_group(MIB, 0, told) is None
    assert list(tmp_path.glob("memory/here/mendel-*")) == []


def test_without_controllers_there_is_none(tmp_path):
    assert make_group(MIB, 0, tree_v2(tmp_path, controllers="cpu io")) is None
    assert list(tmp_path.rglob("mendel-*")) == []


def test_without_a_mounted_hierarchy_there_is_none(tmp_path):
    assert make_group(MIB, 0, proc(tmp_path, "0::/\n", "30 1 0:30 / /proc rw - proc proc rw")) is None


def test_without_proc_there_is_none(tmp_path):
    assert make_group(MIB, 0, tmp_path / "nowhere") is None


def test_a_group_that_does_not_limit_memory_is_no_group(tmp_path):
    """What is told as killed for memory rests on it."""
    told = tree_v1(tmp_path)
    (told / "cgroup").write_text("3:pids:/here\n")
    assert make_group(MIB, 0, told) is None
