"""The embedded PostgreSQL: real servers, killed and fooled."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.adapters.postgres.embedded_helpers import (
    ENSURE,
    PATIENCE_S,
    ROOT,
    clean_up,
    ensure_in_child,
    eventually,
    execute,
    family,
    kill_tree,
    needs_root,
    pid_of,
    query,
    stop_tree,
)
from tests.support.rows import check_rows

from mendel.adapters.postgres.embedded import EmbeddedServer
from mendel.adapters.postgres.embedded.processes import Family
from mendel.contracts.errors import EmbeddedServerError, StorageError


@pytest.fixture(scope="module")
def made_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with a cluster in it, made once: initdb takes ten times as long as a start of its server."""
    place = tmp_path_factory.mktemp("made") / "home"
    EmbeddedServer(place).ensure()
    yield place
    clean_up(place)


@pytest.fixture
def home(made_home: Path) -> Iterator[Path]:
    """The home with the cluster, its server stopped before the test and after it."""
    server = EmbeddedServer(made_home)
    server.stop()
    yield made_home
    server.stop()
    assert not server.status().socket_dir.is_dir()


@pytest.fixture
def server(home: Path) -> EmbeddedServer:
    return EmbeddedServer(home)


@pytest.fixture
def new_home(tmp_path: Path) -> Iterator[Path]:
    """A home of the test's own, with nothing in it."""
    place = tmp_path / "home"
    yield place
    clean_up(place)


@pytest.fixture
def new_server(new_home: Path) -> EmbeddedServer:
    return EmbeddedServer(new_home)


def keep(server: EmbeddedServer, rows: str) -> None:
    """Put rows into a table of ours, in place of what an earlier test kept."""
    execute(server, f"DROP TABLE IF EXISTS kept; CREATE TABLE kept AS {rows}")


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


# A cluster, and its settings


def test_the_life_of_a_server(new_home):
    lines: list[str] = []
    home, server = new_home, EmbeddedServer(new_home, announce=lines.append)
    assert not server.exists
    assert server.status().state == "absent"
    assert server.stop() is False
    assert not home.exists()

    server.ensure()

    assert lines[0] == f"initialising PostgreSQL 18 in {home.resolve() / 'pg' / 'data'}"
    assert server.exists
    running = server.status()
    assert (running.state, running.data_dir) == ("running", home.resolve() / "pg" / "data")
    assert running.version is not None
    assert running.version.startswith("18.")
    assert running.started_at is not None
    assert running.how == ("user namespace" if ROOT else "directly")
    assert running.data_dir.stat().st_uid == os.geteuid()
    server.ensure()
    assert server.status() == running

    assert server.stop() is True
    assert server.stop() is False
    assert server.exists
    assert server.status().state == "stopped"
    assert not running.socket_dir.exists()


def test_both_ways_to_connect_lead_to_our_database(server):
    server.ensure()
    for target in (server.conninfo(), server.url()):
        with psycopg.connect(target) as connection:
            assert connection.info.dbname == "mendel"
            assert connection.info.user == "postgres"
    with psycopg.connect(server.url(dbname="postgres")) as connection:
        assert connection.info.dbname == "postgres"


def test_what_is_written_survives_a_restart(server):
    server.ensure()
    keep(server, "SELECT 42 AS answer")
    server.stop()
    server.ensure()
    assert query(server, "SELECT answer FROM kept") == "42"


@check_rows(
    ("setting", "value"),
    [
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("synchronous_commit", "on"),
        ("data_checksums", "on"),
        ("listen_addresses", ""),
        ("server_encoding", "UTF8"),
        ("lc_collate", None),
        ("unix_socket_permissions", "0700"),
        ("dynamic_shared_memory_type", "mmap"),
        ("max_connections", "60"),
        ("shared_buffers", "64MB"),
    ],
)
def test_settings(setting, value, server):
    server.ensure()
    if setting == "lc_collate":
        found = query(server, "SELECT datcollate || ' ' || datlocale FROM pg_database WHERE datname = 'mendel'")
        assert found == "C C.UTF-8"
    else:
        assert query(server, f"SHOW {setting}") == value


@pytest.mark.parametrize("with_its_children", [True, False])
def test_an_initialisation_killed_half_way_leaves_no_cluster(new_server, new_home, with_its_children):
    server, home = new_server, new_home
    child = subprocess.Popen([sys.executable, "-c", ENSURE, str(home)], start_new_session=True)
    eventually(lambda: list(home.glob("pg/initialising-*/PG_VERSION")), "initdb has begun")
    if with_its_children:
        os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
    child.wait()

    assert not server.exists
    assert server.status().state == "absent"
    server.ensure()
    assert query(server, "SELECT 1") == "1"
    if with_its_children:
        assert not list(home.glob("pg/initialising-*"))


# The socket


def test_a_home_of_any_depth_has_a_short_socket(tmp_path):
    home = tmp_path.joinpath(*["d" * 99] * 3)
    server = EmbeddedServer(home)
    try:
        server.ensure()
        assert len(str(home)) > 300
        socket_dir = server.status().socket_dir
        assert len(str(socket_dir / ".s.PGSQL.5432")) < 107
        assert stat.S_IMODE(socket_dir.stat().st_mode) == 0o700
        assert query(server, "SELECT 1") == "1"
    finally:
        clean_up(home)


def plant_symlink(path: Path, target: Path) -> None:
    target.mkdir(mode=0o700)
    path.symlink_to(target)


def plant_file(path: Path, target: Path) -> None:
    path.write_text("")


def plant_open_folder(path: Path, target: Path) -> None:
    path.mkdir()
    path.chmod(0o755)


def plant_foreign_folder(path: Path, target: Path) -> None:
    path.mkdir(mode=0o700)
    os.chown(path, 1234, 1234)


@pytest.mark.parametrize(
    ("plant", "complaint"),
    [
        (plant_symlink, "is not a folder"),
        (plant_file, "is not a folder"),
        (plant_open_folder, "is open to others"),
        pytest.param(plant_foreign_folder, "belongs to uid 1234", marks=needs_root),
    ],
)
def test_a_planted_socket_folder_is_refused(server, tmp_path, plant, complaint):
    planted = server.status().socket_dir
    plant(planted, tmp_path / "target")
    before = planted.lstat()
    try:
        with pytest.raises(StorageError, match=complaint):
            server.ensure()
        assert planted.lstat() == before
        assert server.status().state == "stopped"
    finally:
        planted.rmdir() if planted.is_dir() and not planted.is_symlink() else planted.unlink()
    server.ensure()
    assert query(server, "SELECT 1") == "1"


def test_a_removed_socket_is_made_again(server):
    server.ensure()
    shutil.rmtree(server.status().socket_dir)
    server.ensure()
    assert query(server, "SELECT 1") == "1"


def test_a_moved_home_is_still_served(server, home, tmp_path):
    server.ensure()
    pid = pid_of(server)
    home.rename(tmp_path / "moved")
    moved = EmbeddedServer(tmp_path / "moved")
    try:
        moved.ensure()
        assert pid_of(moved) == pid
        assert query(moved, "SELECT 1") == "1"
    finally:
        moved.stop()
        (tmp_path / "moved").rename(home)


# Processes


@pytest.mark.parametrize("killed", [True, False])
def test_the_server_outlives_its_starter_and_holds_nothing_of_it(server, home, killed):
    # Reading to the end of the pipe would never end if the server had inherited it.
    command = f"{ENSURE}\nsys.stdout.flush()\nimport os, signal\nif {killed}: os.killpg(0, signal.SIGKILL)"
    starter = subprocess.Popen(
        [sys.executable, "-c", command, str(home)], stdout=subprocess.PIPE, start_new_session=True
    )
    output, _ = starter.communicate(timeout=PATIENCE_S)
    pid = json.loads(output)["pid"]

    assert pid_of(server) == pid
    assert query(server, "SELECT 1") == "1"
    assert os.getsid(pid) == pid
    files = [str(Path(f"/proc/{pid}/fd/{number}").readlink()) for number in range(3)]
    assert files == ["/dev/null", *[str(home.resolve() / "pg" / "server.log")] * 2]


def test_the_server_does_not_carry_its_starters_secrets(server, home):
    pid = ensure_in_child(home, API_KEY="very-secret")["pid"]
    assert b"very-secret" not in Path(f"/proc/{pid}/environ").read_bytes()


@pytest.mark.slow
def test_six_processes_at_once_make_one_server(new_server, new_home):
    command = [sys.executable, "-c", ENSURE, str(new_home)]
    starters = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(6)]
    answers = [json.loads(starter.communicate(timeout=PATIENCE_S)[0]) for starter in starters]
    assert {answer.get("pid") for answer in answers} == {pid_of(new_server)}


def test_threads_at_once_make_one_server(new_server, new_home):
    servers = [EmbeddedServer(new_home) for _ in range(4)]
    threads = [threading.Thread(target=one.ensure) for one in servers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {pid_of(one) for one in servers} == {pid_of(new_server)}


def test_the_log_stays_bounded(server, home):
    server.ensure()
    log = home / "pg" / "server.log"
    with log.open("a") as stream:
        stream.write("noise\n" * 1_000_000 + "the end\n")
    server.ensure()
    assert log.stat().st_size < 1_000_000
    kept = log.with_name("server.log.1").read_text()
    assert len(kept) <= 1024 * 1024
    assert kept.endswith("the end\n")
    execute(server, "DO $$ BEGIN RAISE WARNING 'still heard'; END $$")
    assert "still heard" in log.read_text()
    assert "\0" not in log.read_text()


# Crashes


def test_restart_after_all_processes_were_killed(server):
    server.ensure()
    keep(server, "SELECT 42 AS answer")
    status = server.status()
    kill_tree(server)
    assert (status.data_dir / "postmaster.pid").exists()
    assert (status.socket_dir / ".s.PGSQL.5432.lock").exists()
    assert server.status().state == "stopped"
    assert server.stop() is False

    server.ensure()
    assert query(server, "SELECT answer FROM kept") == "42"


@pytest.mark.slow
def test_restart_while_an_orphan_of_the_dead_server_works_on(server):
    server.ensure()
    postmaster = pid_of(server)
    with contextlib.closing(psycopg.connect(server.conninfo(), autocommit=True)) as connection:
        orphan = connection.info.backend_pid
        connection.pgconn.send_query(b"DO $$ BEGIN LOOP END LOOP; END $$")
        ours = family(server)
        os.kill(postmaster, signal.SIGKILL)
        eventually(lambda: ours.members() == [orphan], "all but the busy process noticed")

        server.ensure()
        assert not ours.owns(orphan)
    assert query(server, "SELECT 1") == "1"


def crash_one_process(server: EmbeddedServer, home: Path) -> None:
    log = home / "pg" / "server.log"
    noticed = log.read_text().count("restart_after_crash")
    with contextlib.closing(psycopg.connect(server.conninfo(), autocommit=True)) as connection:
        os.kill(connection.info.backend_pid, signal.SIGKILL)
        eventually(lambda: log.read_text().count("restart_after_crash") > noticed, "the server noticed")


@pytest.mark.slow
def test_ensure_after_a_server_process_was_killed_starts_the_server_anew(server, home):
    server.ensure()
    for _ in range(5):
        crash_one_process(server, home)
        server.ensure()
        assert query(server, "SELECT 1") == "1"


@pytest.mark.slow
def test_stop_while_the_server_ends_after_the_crash_of_a_process(server, home):
    for _ in range(5):
        server.ensure()
        crash_one_process(server, home)
        server.stop()
        assert not family(server).members()


def test_an_interrupted_stop_is_finished_by_ensure(server):
    server.ensure()
    postmaster = pid_of(server)
    with contextlib.closing(psycopg.connect(server.conninfo())) as connection:
        os.kill(connection.info.backend_pid, signal.SIGSTOP)
        os.kill(postmaster, signal.SIGINT)
        eventually(lambda: server.status().state == "stopping", "shutdown has begun")
        waker = threading.Timer(0.5, os.kill, (connection.info.backend_pid, signal.SIGCONT))
        waker.start()
        server.ensure()
        waker.join()
    assert pid_of(server) != postmaster
    assert query(server, "SELECT 1") == "1"


@pytest.mark.slow
@pytest.mark.parametrize("deaf", ["postmaster", "session"])
def test_stop_kills_a_server_that_does_not_react(home, monkeypatch, deaf):
    for patience in ("ORDERLY_PATIENCE_S", "AT_ONCE_PATIENCE_S"):
        monkeypatch.setattr(f"mendel.adapters.postgres.embedded.server.{patience}", 0.1)
    lines: list[str] = []
    server = EmbeddedServer(home, announce=lines.append)
    server.ensure()
    keep(server, "SELECT 42 AS answer")
    ours = family(server)
    with contextlib.closing(psycopg.connect(server.conninfo())) as connection:
        os.kill(pid_of(server) if deaf == "postmaster" else connection.info.backend_pid, signal.SIGSTOP)
        assert server.stop() is True

    assert not ours.members()
    assert "killing PostgreSQL, as it does not react; its next start recovers" in lines
    assert server.status().state == "stopped"
    server.ensure()
    assert query(server, "SELECT answer FROM kept") == "42"


@pytest.mark.slow
def test_ensure_says_that_it_waits_for_a_stopped_server(server, home):
    server.ensure()
    postmaster = pid_of(server)
    lines: list[str] = []

    def announce(line: str) -> None:
        lines.append(line)
        os.kill(postmaster, signal.SIGCONT)

    os.kill(postmaster, signal.SIGSTOP)
    EmbeddedServer(home, announce=announce).ensure()
    assert lines[0].startswith("waiting for the server to be ready (")
    assert pid_of(server) == postmaster


def test_a_tree_is_stopped_while_its_processes_come_and_go(server, monkeypatch):
    server.ensure()
    postmaster = pid_of(server)
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    members = Family.members
    first = [[ended.pid, *(pid for pid in family(server).members() if pid != postmaster)]]
    monkeypatch.setattr(Family, "members", lambda ours: first.pop() if first else members(ours))
    assert stop_tree(family(server)) >= {ended.pid, postmaster}
    kill_tree(server)


def put_pid(server: EmbeddedServer, pid: int) -> None:
    status = server.status()
    for path in (status.data_dir / "postmaster.pid", status.socket_dir / ".s.PGSQL.5432.lock"):
        _, _, rest = path.read_text().partition("\n")
        path.write_text(f"{pid}\n{rest}")


@pytest.mark.slow
def test_a_reused_process_id_fools_nobody(server, sleeper):
    server.ensure()
    kill_tree(server)
    put_pid(server, sleeper.pid)
    assert server.status().state == "stopped"
    assert server.stop() is False
    server.ensure()
    assert pid_of(server) != sleeper.pid
    assert query(server, "SELECT 1") == "1"
    assert sleeper.poll() is None


@pytest.mark.slow
def test_the_server_of_another_home_is_not_taken_for_ours(server, new_server):
    new_server.ensure()
    server.ensure()
    kill_tree(server)
    put_pid(server, pid_of(new_server))
    assert server.status().state == "stopped"
    assert server.stop() is False
    server.ensure()
    assert pid_of(server) != pid_of(new_server)
    assert query(new_server, "SELECT 1") == "1"


@pytest.mark.slow
def test_somebody_elses_process_in_the_data_folder_is_left_alone(server):
    server.ensure()
    kill_tree(server)
    with subprocess.Popen(["sleep", "600"], cwd=server.status().data_dir) as visitor:
        put = server.status().data_dir / "postmaster.pid"
        put.write_text(f"{visitor.pid}\n" + put.read_text().partition("\n")[2])
        server.ensure()
        assert visitor.poll() is None
        visitor.kill()


@pytest.mark.slow
@pytest.mark.parametrize("content", ["", "garbage\n"])
def test_an_unreadable_pid_file_is_no_obstacle(server, content):
    server.ensure()
    kill_tree(server)
    (server.status().data_dir / "postmaster.pid").write_text(content)
    server.ensure()
    assert query(server, "SELECT 1") == "1"


def stop_recovery_when_it_begins(server: EmbeddedServer, stopped: list[int]) -> None:
    ours = family(server)

    def hold() -> bool:
        for pid in ours.members():
            if b"startup" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGSTOP)
                stopped.append(pid)
        return bool(stopped)

    eventually(hold, "recovery began")


@pytest.mark.slow
def test_recovery_is_waited_for_and_announced(server, home):
    server.ensure()
    keep(server, "SELECT repeat('x', 500) FROM generate_series(1, 150000)")
    kill_tree(server)
    stopped: list[int] = []
    lines: list[str] = []

    def announce(line: str) -> None:
        lines.append(line)
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)

    holder = threading.Thread(target=stop_recovery_when_it_begins, args=(server, stopped))
    holder.start()
    EmbeddedServer(home, announce=announce).ensure()
    holder.join()
    assert lines
    assert lines[0].startswith("waiting for crash recovery (")
    assert query(server, "SELECT count(*) FROM kept") == "150000"


def test_a_server_that_cannot_start_is_quoted(server):
    server.ensure()
    server.stop()
    settings = server.status().data_dir / "postgresql.conf"
    good = settings.read_text()
    settings.write_text(good + "\nno_such_setting = 1\n")
    with pytest.raises(EmbeddedServerError, match='unrecognized configuration parameter "no_such_setting"'):
        server.ensure()
    settings.write_text(good)
    server.ensure()
    assert query(server, "SELECT 1") == "1"


def test_data_served_from_another_container_is_not_served_twice(server, home):
    server.ensure()
    server.stop()
    with (home / "pg" / "serving.lock").open("r+") as elsewhere:
        fcntl.flock(elsewhere, fcntl.LOCK_EX)
        with pytest.raises(EmbeddedServerError, match="another container"):
            server.ensure()
