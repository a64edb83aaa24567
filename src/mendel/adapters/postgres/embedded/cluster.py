"""Creates a database cluster, completely or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from mendel.adapters.postgres.embedded import failures, logfile
from mendel.adapters.postgres.embedded.binaries import Binaries
from mendel.adapters.postgres.embedded.ways import Way

DATABASE = "mendel"
SUPERUSER = "postgres"

_DRAFT = "initialising-"  # prefix of incomplete clusters
# Written to postgresql.conf, where administrators can change them. Settings for durability keep their defaults.
_SETTINGS = {
    "max_connections": "60",
    "shared_buffers": "64MB",
    # Not /dev/shm, which has only 64 MB in a container.
    "dynamic_shared_memory_type": "mmap",
    "max_wal_size": "512MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    # The log is for problems of the server; failed statements concern their sender, and may contain data.
    "log_min_error_statement": "panic",
}


def is_cluster(data: Path) -> bool:
    """Whether a cluster was completely initialised there."""
    return (data / "PG_VERSION").is_file()


def initialise(data: Path, binaries: Binaries, way: Way) -> None:
    """Make `data` a cluster with our database in it.

    It is created under another name and renamed at the end, so an interruption leaves no cluster; its remains are
    removed by the next call. One caller at a time.
    """
    for remains in data.parent.glob(f"{_DRAFT}*"):
        shutil.rmtree(remains, ignore_errors=True)
    draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=data.parent))
    try:
        way.take(draft)  # initdb may run as another id
        _run(way, _initdb(binaries, draft), data.parent)
        _run(way, _single_user(binaries, draft), data.parent, f"CREATE DATABASE {DATABASE}\n")
        draft.replace(data)
        _sync(data.parent)  # makes the rename durable
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _initdb(binaries: Binaries, data: Path) -> list[str]:
    settings = [part for name, value in _SETTINGS.items() for part in ("--set", f"{name}={value}")]
    return [
        binaries.program("initdb"),
        f"--pgdata={data}",
        f"--username={SUPERUSER}",
        "--auth=trust",  # only its own id can enter the socket's folder
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--data-checksums",
        *settings,
    ]


def _single_user(binaries: Binaries, data: Path) -> list[str]:
    return [binaries.program("postgres"), "--single", "-D", str(data), "-c", "exit_on_error=on", SUPERUSER]


def _run(way: Way, command: Sequence[str], place: Path, text: str = "") -> None:
    done = way.run(command, text)
    if done.returncode:
        said = logfile.last_lines(done.stdout + done.stderr)
        raise failures.failed(f"initialising PostgreSQL ({Path(command[0]).name})", said, place)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
