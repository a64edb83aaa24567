"""Probe of control groups: whether this process may limit the memory and the number of processes of a group."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from mendel.contracts.diagnostics import Probe, ProbeStatus

CONTROLLERS: Final = ("memory", "pids")
_NEEDED_FOR: Final = "limiting the memory and processes of a whole sandbox; without it each process is limited alone"
_DELEGATE: Final = "systemd-run --user --scope -p Delegate=yes mendel …, or ask root to delegate a cgroup to this user"


class Group(NamedTuple):
    """The control group of this process for one controller."""

    version: int
    directory: Path


def cgroups(proc: Path = Path("/proc/self")) -> Probe:
    """Report whether this process may create limited groups below its own."""
    try:
        own = (proc / "cgroup").read_text(encoding="utf-8", errors="replace")
        mounts = (proc / "mountinfo").read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        return _probe("missing", f"/proc cannot be read: {error.strerror}", "mount /proc, on Linux")
    groups = groups_of(own, mounts)
    if not groups:
        return _probe("missing", "no memory or pids controller", "mount cgroup2 on /sys/fs/cgroup")
    detail = ", ".join(f"{name} {_described(groups.get(name))}" for name in CONTROLLERS)
    if all(name in groups and _delegated(groups[name]) for name in CONTROLLERS):
        return _probe("ok", detail, None)
    return _probe("limited", detail, _DELEGATE)


def groups_of(own: str, mounts: str) -> Mapping[str, Group]:
    """Return the group per controller, from the contents of /proc/self/cgroup and /proc/self/mountinfo."""
    paths = _paths(own)
    groups: dict[str, Group] = {}
    for kind, root, mounted, options in _cgroup_mounts(mounts):
        names = _v2_controllers(Path(mounted)) if kind == "cgroup2" else options
        for name in CONTROLLERS:
            path = paths.get("" if kind == "cgroup2" else name)
            if name in names and path is not None:
                group = Group(2 if kind == "cgroup2" else 1, _below(Path(mounted), root, path))
                groups.setdefault(name, group)
    return groups


def _paths(own: str) -> Mapping[str, str]:
    """Map each controller to its path; version 2 has the empty name."""
    found: dict[str, str] = {}
    for line in own.splitlines():
        _, _, rest = line.partition(":")
        names, separator, path = rest.partition(":")
        if separator:
            found.update(dict.fromkeys(names.split(","), path))
    return found


def _cgroup_mounts(mounts: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """Yield type, root within the hierarchy, mount point and options of each mounted hierarchy."""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        left, right = before.split(), after.split()
        if len(left) > 4 and len(right) > 2 and right[0] in {"cgroup", "cgroup2"}:
            yield right[0], left[3], left[4], right[2].split(",")


def _v2_controllers(mounted: Path) -> list[str]:
    try:
        return (mounted / "cgroup.controllers").read_text(encoding="utf-8").split()
    except OSError:
        return []


def _below(mounted: Path, root: str, path: str) -> Path:
    """Return a group's directory; a group outside the mounted part is represented by the mount's root."""
    if root != "/" and (path == root or path.startswith(f"{root}/")):
        path = path[len(root) :]
    directory = mounted / path.lstrip("/")
    return directory if directory.is_dir() else mounted


def _delegated(group: Group) -> bool:
    files = ("cgroup.procs", "cgroup.subtree_control") if group.version == 2 else ("cgroup.procs",)
    writable = (os.access(group.directory / name, os.W_OK) for name in files)
    return os.access(group.directory, os.W_OK) and all(writable)


def _described(group: Group | None) -> str:
    if group is None:
        return "not there"
    right = "writable" if _delegated(group) else "not delegated to us"
    return f"v{group.version} {right} at {group.directory}"


def _probe(status: ProbeStatus, detail: str, remedy: str | None) -> Probe:
    return Probe(name="cgroups", status=status, detail=detail, remedy=remedy, needed_for=_NEEDED_FOR)
