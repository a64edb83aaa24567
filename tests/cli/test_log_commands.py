import asyncio
import os
import shutil
import subprocess
import sys

import psycopg
import pytest

from mendel.adapters.file.event_log import FileEventLog
from mendel.adapters.postgres.embedded import EmbeddedServer
from mendel.conformance import samples
from mendel.contracts.ids import new_run_id


def test_verify_says_ok(mendel, make_run):
    run = make_run(*samples.findings(3))
    good = mendel("log", "verify", run)
    assert good.code == 0
    assert "4 events" in good.out
    report = mendel("log", "verify", run, "--json").json["reports"][0]
    assert (report["ok"], report["events"], report["checkpoint"]) == (True, 4, "matches")
    make_run()
    assert len(mendel("log", "verify", "--json").json["reports"]) == 2


def test_verify_names_one_changed_byte(mendel, make_run, tmp_path):
    run = make_run(*samples.findings(5))
    path = tmp_path / ".mendel" / "runs" / f"{run}.mendel"
    lines = path.read_bytes().splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if b'"sequence":3' in line)
    lines[place] = lines[place].replace(b'"number":2', b'"number":7')
    path.write_bytes(b"".join(lines))
    bad = mendel("log", "verify", run)
    assert bad.code == 1
    assert "altered at sequence 3" in bad.out
    assert mendel("log", "verify", run, "--json").json["reports"][0]["problem"]["sequence"] == 3


def test_verify_names_a_cut_tail(mendel, make_run, tmp_path):
    run = make_run(*samples.findings(3))
    path = tmp_path / ".mendel" / "runs" / f"{run}.mendel"
    path.write_bytes(path.read_bytes()[:-300])
    bad = mendel("log", "verify", run)
    assert bad.code == 1
    assert "tail_cut" in bad.out
    path.unlink()
    assert "tail_cut at sequence 0" in mendel("log", "verify", run).out


def test_a_run_that_was_removed_whole_is_missed(mendel, make_run, tmp_path):
    gone, kept = make_run(samples.started()), make_run()
    (tmp_path / ".mendel" / "runs" / f"{gone}.mendel").unlink()
    for arguments in ([], [gone], [gone[-8:]], [gone.upper()]):
        missed = mendel("log", "verify", *arguments)
        assert missed.code == 1
        assert f"BAD {gone}  tail_cut at sequence 0" in missed.out
    assert mendel("log", "verify", kept).code == 0


def test_a_cut_run_cannot_be_laundered_by_an_export(mendel, make_run, tmp_path):
    run = make_run()
    path = tmp_path / ".mendel" / "runs" / f"{run}.mendel"
    whole = path.read_bytes()

    async def go_on():
        async with FileEventLog(path.parent, payloads=samples.sample_payloads()) as log:
            await log.append(run, [samples.started()], expected=1)

    asyncio.run(go_on())
    path.write_bytes(whole)
    refused = mendel("log", "export", run, "cut.mendel")
    assert refused.code == 1
    assert "tail_cut" in refused.err
    assert not (tmp_path / "cut.mendel").exists()


def test_good_and_bad_files_are_both_reported(mendel, make_run, tmp_path):
    run = make_run(samples.started())
    mendel("log", "export", run, "good.mendel")
    (tmp_path / "bad.mendel").write_bytes((tmp_path / "good.mendel").read_bytes()[:-30])
    both = mendel("log", "verify", "good.mendel", "bad.mendel")
    assert both.code == 1
    assert f"ok  {run}" in both.out
    assert "bad.mendel" in both.out
    found = mendel("log", "verify", "good.mendel", "bad.mendel", "--json").json
    assert (len(found["reports"]), len(found["refused"])) == (1, 1)


def test_an_export_has_the_mode_that_the_umask_says(mendel, make_run, tmp_path):
    run = make_run()
    before = os.umask(0o077)
    try:
        mendel("log", "export", run, "private.mendel")
    finally:
        os.umask(before)
    assert (tmp_path / "private.mendel").stat().st_mode & 0o777 == 0o600


def test_nothing_to_verify(mendel, make_run):
    assert mendel("log", "verify").code == 3
    make_run()
    assert mendel("log", "verify", new_run_id()).code == 3


def test_export_and_import(mendel, make_run, tmp_path):
    run = make_run(*samples.findings(3))
    done = mendel("log", "export", run, "run.mendel", "--json").json
    assert (done["run_id"], done["events"]) == (run, 4)
    assert mendel("log", "verify", "run.mendel").code == 0
    again = mendel("log", "export", run, "run.mendel")
    assert again.code == 2
    assert "--force" in again.err
    assert mendel("log", "export", run, "run.mendel", "--force").code == 0
    arrived = mendel("--home", "other", "log", "import", "run.mendel", "--json").json
    assert (arrived["run_id"], arrived["added"]) == (run, 4)
    assert mendel("--home", "other", "log", "import", "run.mendel", "--json").json["added"] == 0
    assert mendel("--home", "other", "log", "verify", run).code == 0
    assert mendel("--home", "other", "log", "export", run, "back.mendel").code == 0
    assert (tmp_path / "back.mendel").read_bytes() == (tmp_path / "run.mendel").read_bytes()


def test_export_to_standard_output(mendel, make_run, tmp_path):
    run = make_run()
    mendel("log", "export", run, "run.mendel")
    command = [sys.executable, "-m", "mendel.cli.main", "--log", "file", "log", "export", run, "-"]
    assert subprocess.run(command, capture_output=True, check=True).stdout == (tmp_path / "run.mendel").read_bytes()


@pytest.mark.parametrize("spoil", ["cut", "swap", "empty", "foreign", "missing"])
def test_a_spoilt_export_is_refused_and_nothing_is_made(mendel, make_run, tmp_path, spoil):
    run = make_run(*samples.findings(5))
    mendel("log", "export", run, "run.mendel")
    path = tmp_path / "run.mendel"
    lines = path.read_bytes().splitlines(keepends=True)
    spoilt = {
        "cut": lines[:-2],
        "swap": [*lines[:2], lines[3], lines[2], *lines[4:]],
        "empty": [],
        "foreign": [b"PK\x03\x04 not ours\n"],
        "missing": None,
    }[spoil]
    if spoilt is None:
        path.unlink()
    else:
        path.write_bytes(b"".join(spoilt))
    refused = mendel("--home", "other", "log", "import", "run.mendel")
    assert refused.code in {1, 2}
    assert "run.mendel" in refused.err
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("backend", ["file", "postgres"])
def test_a_folder_without_permission_is_a_clear_error(mendel, make_run, backend):
    """/sys takes no folders, not even root's."""
    run = make_run()
    mendel("log", "export", run, "run.mendel")
    refused = mendel("--home", "/sys/mendel", "--log", backend, "log", "import", "run.mendel")
    assert refused.code == 4
    assert "/sys/mendel" in refused.err
    assert "MENDEL_HOME" in refused.err


class TestOnPostgres:
    @pytest.fixture
    def database(self, server, fresh_database, monkeypatch):
        monkeypatch.setenv("MENDEL_DATABASE_URL", server.url(dbname=fresh_database))
        monkeypatch.setenv("MENDEL_LOG__BACKEND", "postgres")
        return fresh_database

    def test_a_mailed_run_lives_on_in_postgres(self, mendel, make_run, database, owner_dsn):
        run = make_run(samples.started(), *samples.findings(20))
        assert mendel("--log", "file", "log", "export", run, "run.mendel").code == 0
        assert mendel("log", "import", "run.mendel").code == 0
        assert [r["run_id"] for r in mendel("runs", "--json").json["runs"]] == [run]
        assert mendel("log", "verify", run).code == 0
        assert mendel("show", run, "--json").json["sequence_through"] == 21
        assert mendel("db", "status", "--json").json["state"] == "external"

    def test_the_owner_is_caught(self, mendel, make_run, database, owner_dsn):
        run = make_run(*samples.findings(9))
        mendel("--log", "file", "log", "export", run, "run.mendel")
        mendel("log", "import", "run.mendel")
        with psycopg.connect(owner_dsn, autocommit=True) as owner:
            owner.execute("ALTER TABLE mendel.run_events DISABLE TRIGGER append_only")
            owner.execute("UPDATE mendel.run_events SET payload = replace(payload, '4', '5') WHERE sequence = 5")
            changed = mendel("log", "verify", run)
            assert changed.code == 1
            assert "altered at sequence 5" in changed.out
            owner.execute("DELETE FROM mendel.run_events WHERE sequence >= 5")
        cut = mendel("log", "verify", run)
        assert cut.code == 1
        assert "tail_cut at sequence 5" in cut.out

    def test_another_database_is_not_missing_the_runs_of_the_first(
        self, mendel, make_run, database, server, monkeypatch
    ):
        run = make_run(samples.started())
        mendel("--log", "file", "log", "export", run, "run.mendel")
        assert mendel("log", "import", "run.mendel").code == 0
        monkeypatch.setenv("MENDEL_DATABASE_URL", server.url(dbname="mendel"))
        assert mendel("log", "verify").code == 3
        monkeypatch.setenv("MENDEL_DATABASE_URL", server.url(user="mendel_runtime", dbname=database))
        report = mendel("log", "verify", "--json").json["reports"][0]
        assert (report["ok"], report["checkpoint"]) == (True, "matches")

    def test_readers_make_nothing_in_an_empty_database(self, mendel, server, monkeypatch):
        with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
            conn.execute("CREATE DATABASE untouched")
        try:
            monkeypatch.setenv("MENDEL_DATABASE_URL", server.url(dbname="untouched"))
            assert mendel("runs", "--json").json == {"runs": []}
            with psycopg.connect(server.conninfo(dbname="untouched")) as conn:
                assert conn.execute("SELECT to_regnamespace('mendel')").fetchone() == (None,)
        finally:
            with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
                conn.execute("DROP DATABASE untouched WITH (FORCE)")

    @pytest.mark.parametrize(
        "url", ["nonsense s3cretpass", "postgresql://x:s3cretpass@h/db?wrong=1", "http://s3cretpass"]
    )
    def test_what_is_no_address_is_said_so(self, mendel, monkeypatch, url):
        monkeypatch.setenv("MENDEL_DATABASE_URL", url)
        wrong = mendel("runs")
        assert wrong.code == 2
        assert "MENDEL_DATABASE_URL" in wrong.err
        assert "s3cretpass" not in wrong.err

    def test_a_database_that_is_down_is_exit_code_4(self, mendel, monkeypatch, tmp_path):
        monkeypatch.setenv("MENDEL_DATABASE_URL", "postgresql://nobody:s3cretpass@127.0.0.1:1/none")
        monkeypatch.setenv("MENDEL_LOG__BACKEND", "postgres")
        down = mendel("runs")
        assert down.code == 4
        assert "cannot be reached" in down.err
        assert "s3cretpass" not in down.err
        assert mendel("runs", "--json").json["error"]["code"] == "database_unavailable"


def test_the_embedded_server_from_up_to_down(mendel, tmp_path):
    home = tmp_path / ".mendel"
    try:
        assert mendel("db", "status", "--json").json["state"] == "absent"
        assert mendel("db", "up").code == 0
        status = mendel("db", "status", "--json")
        assert (status.code, status.json["state"]) == (0, "running")
        for role in ("runtime", "owner", "admin"):
            with psycopg.connect(mendel("db", "url", "--role", role).out.strip()) as conn:
                assert conn.execute("SELECT 1").fetchone() == (1,)
        assert mendel("runs", "--json").json == {"runs": []}
        assert mendel("db", "down").code == 0
        assert mendel("db", "status").code == 3
        assert mendel("runs").code == 0, "a stopped server is started when it is needed"
    finally:
        EmbeddedServer(home).stop()
        shutil.rmtree(home, ignore_errors=True)
