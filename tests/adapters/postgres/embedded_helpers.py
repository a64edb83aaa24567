"""What the tests of the embedded PostgreSQL share."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from tests.support import skip_or_fail

from mendel.adapters.postgres.embedded import EmbeddedServer
from mendel.adapters.postgres.embedded.processes import Family

PATIENCE_S = 60
LISTINGS = 100
ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not ROOT, reason="must be root")

ENSURE = """
import json, sys
from pathlib import Path
from mendel.adapters.postgres.embedded import EmbeddedServer
from mendel.contracts.errors import MendelError
server = EmbeddedServer(Path(sys.argv[1]))
try:
    server.ensure()
except MendelError as error:
    print(json.dumps({"error": type(error).__name__, "message": str(error)}))
else:
    status = server.status()
    print(json.dumps({"pid": status.pid, "how": status.how, "data": str(status.data_dir)}))
"""

# Root with the usual ids, and no right to make another user namespace: what a default container offers.
REFUSE_NAMESPACES = """
import ctypes, os, sys
ready, go = os.pipe(), os.pipe()
child = os.fork()
if child == 0:
    if ctypes.CDLL(None).unshare(0x10000000):
        os._exit(77)
    os.write(ready[1], b"x")
    os.read(go[0], 1)
    os.setgid(0)
    os.setuid(0)
    open("/proc/sys/user/max_user_namespaces", "w").write("0")
    os.execvp(sys.argv[1], sys.argv[1:])
os.close(ready[1])
if os.read(ready[0], 1):
    for name in ("uid_map", "gid_map"):
        open(f"/proc/{child}/{name}", "w").write("0 0 65536")
    os.write(go[1], b"x")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
CONTAINER_CAPABILITIES = ("chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap")


def eventually(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, f"never happened: {what}"
        time.sleep(0.002)


def family(server: EmbeddedServer) -> Family:
    status = server.status()
    return Family(status.data_dir, status.socket_dir.name.replace(f"-{os.geteuid()}-", "-"))


def pid_of(server: EmbeddedServer) -> int:
    pid = server.status().pid
    assert pid is not None
    return pid


def stop_tree(ours: Family) -> set[int]:
    """Stop every process of the family: also one that came while others were stopped, and whichever has ended."""
    stopped: set[int] = set()
    for _ in range(LISTINGS):
        new = set(ours.members()) - stopped
        if not new:
            break
        for pid in new:
            ours.signal(pid, signal.SIGSTOP)
        stopped |= new
    return stopped


def kill_tree(server: EmbeddedServer) -> None:
    ours = family(server)
    stopped = stop_tree(ours)  # or the children would tidy up on seeing their parent die
    assert stopped
    for pid in stopped:
        ours.signal(pid, signal.SIGKILL)
    eventually(lambda: not ours.members(), "the processes are gone")


def query(server: EmbeddedServer, statement: str) -> str:
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        row = connection.execute(statement.encode()).fetchone()
    assert row is not None
    return str(row[0])


def execute(server: EmbeddedServer, statement: str) -> None:
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(statement.encode())


def ensure_in_child(home: Path, *wrapper: str, **environment: str) -> dict[str, str]:
    done = subprocess.run(
        [*wrapper, sys.executable, "-c", ENSURE, str(home)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    if done.returncode == 77:
        skip_or_fail("user namespaces cannot be made here")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def as_in_container(*without: str) -> list[str]:
    if shutil.which("setpriv") is None:
        skip_or_fail("setpriv (util-linux) is not installed")
    kept = "".join(f",+{name}" for name in CONTAINER_CAPABILITIES if name not in without)
    return [sys.executable, "-c", REFUSE_NAMESPACES, "setpriv", f"--bounding-set=-all{kept}"]


def clean_up(home: Path) -> None:
    location = home / "pg" / "location.json"
    elsewhere = Path(json.loads(location.read_text())["data_dir"]).parent if location.exists() else None
    server = EmbeddedServer(home)
    server.stop()
    assert not server.status().socket_dir.is_dir()
    if elsewhere is not None:
        shutil.rmtree(elsewhere)
