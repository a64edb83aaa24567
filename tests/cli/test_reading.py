import asyncio
import json
import os
import subprocess
import sys

import pytest
from tests.api.reading import golden_file
from tests.plugins import installed_plugins
from tests.support.rows import check_rows

from mendel import __version__
from mendel.adapters.file.event_log import FileEventLog
from mendel.conformance import samples
from mendel.contracts.ids import new_run_id
from mendel.contracts.times import utc_now
from mendel.projections.health import STALLED_AFTER


def test_help_teaches_and_names_the_exit_codes(mendel):
    shown = mendel("--help")
    assert shown.code == 0
    for word in ("runs", "events", "log", "db", "config", "plugin", "doctor", "Exit codes"):
        assert word in shown.out


@check_rows(
    "command",
    [
        *(
            "runs",
            "show",
            "events",
            "log verify",
            "log export",
            "log import",
            "db up",
            "db down",
            "db status",
            "db url",
        ),
        *("config view", "config validate", "config schema", "plugin list", "plugin info", "doctor", "version"),
    ],
)
def test_every_command_has_help(mendel, command):
    shown = mendel(*command.split(), "--help")
    assert shown.code == 0
    assert "Usage" in shown.out


@check_rows("arguments", [("nonsense",), ("show",), ("events", "x", "--since", "-1"), ("runs", "--what")])
def test_wrong_usage_is_exit_code_2(mendel, arguments):
    assert mendel(*arguments).code == 2


def test_version(mendel):
    assert mendel("version").out == f"mendel {__version__}\n"
    assert mendel("version", "--json").json["version"] == __version__


@pytest.mark.parametrize("backend", ["file", "postgres"])
def test_an_empty_folder_has_no_runs_and_stays_empty(mendel, tmp_path, backend):
    assert mendel("--log", backend, "runs", "--json").json == {"runs": []}
    assert "No runs" in mendel("--log", backend, "runs").out
    assert mendel("--log", backend, "show", "latest").code == 3
    assert list(tmp_path.iterdir()) == [], "readers write nothing"


def test_runs_and_show(mendel, make_run):
    first = make_run()
    second = make_run(samples.started(), *samples.findings(3))
    listed = mendel("runs", "--json").json["runs"]
    assert [run["run_id"] for run in listed] == [second, first]
    assert [run["status"] for run in listed] == ["running", "configured"]
    assert second in mendel("runs").out
    shown = mendel("show", second, "--json").json
    assert shown["status"] == "running"
    assert shown["events_by_type"]["operation.completed"] == 3
    assert shown["sequence_through"] == 4
    assert shown["config"]["problem"] == "a sample run"
    assert "operation.completed" in mendel("show", "latest").out


def test_a_run_that_nobody_conducts_any_more_is_told_as_interrupted(mendel, make_run):
    """Its status is what the log says; that it should go on and does not is said beside it."""

    def long_ago():
        return utc_now() - 2 * STALLED_AFTER

    waiting, over = make_run(clock=long_ago), make_run(samples.started(), samples.completed(), clock=long_ago)
    left, going = make_run(samples.started(), clock=long_ago), make_run(samples.started())
    told = {run["run_id"]: (run["status"], run["interrupted"]) for run in mendel("runs", "--json").json["runs"]}
    assert told == {
        waiting: ("configured", False),
        over: ("completed", False),
        left: ("running", True),
        going: ("running", False),
    }
    lines = {line.split()[0]: line.split()[1] for line in mendel("runs").out.splitlines()[1:]}
    assert lines == {waiting: "configured", over: "completed", left: "interrupted", going: "running"}
    shown = {run: mendel("show", run, "--json").json for run in (left, going)}
    assert [(run["status"], run["interrupted"]) for run in shown.values()] == [("running", True), ("running", False)]
    assert f"running, but interrupted: mendel resume {left} continues it" in mendel("show", left).out
    assert "interrupted" not in mendel("show", going).out


def test_a_run_is_found_by_any_unambiguous_part(mendel, make_run):
    run = make_run()
    assert mendel("show", run[-9:], "--json").json["run_id"] == run
    assert mendel("show", run.upper(), "--json").json["run_id"] == run
    make_run()
    several = mendel("show", run[:6])
    assert several.code == 3
    assert "2 run ids" in several.err
    missing = mendel("show", "zzz", "--json")
    assert missing.code == 3
    assert missing.json["error"]["code"] == "run_not_found"


def test_events_carry_their_aliases_and_are_found_by_them(mendel, file_log, tmp_path):
    with installed_plugins(tmp_path / "site"):
        run = mendel("log", "import", golden_file("generational", tmp_path), "--json").json["run_id"]
        found = mendel("events", run, "--json", "--type", "point.").json["events"]
        assert {(each["type"], each["alias"]) for each in found} == {
            ("operation.completed", "point.measured"),
            ("operation.completed", "point.weighed"),
        }
        assert "point.weighed" in mendel("events", run, "--type", "point.").out
        assert "point.measured" in mendel("show", run, "--view", "lineage", "--json").out


def test_events(mendel, make_run):
    run = make_run(*samples.findings(5))
    found = mendel("events", run, "--json").json
    assert found["run_id"] == run
    assert [event["sequence"] for event in found["events"]] == list(range(6))
    assert [e["sequence"] for e in mendel("events", run, "--json", "--since", 4).json["events"]] == [4, 5]
    assert [e["type"] for e in mendel("events", run, "--json", "--type", "run.").json["events"]] == ["run.configured"]
    plain = mendel("events", run)
    assert len(plain.out.splitlines()) == 6
    assert mendel("events", run, "--type", "zzz").code == 3


def test_following_ends_with_the_run(tmp_path, make_run):
    run = make_run(samples.started())
    environment = {**os.environ, "MENDEL_LOG__BACKEND": "file"}
    command = [sys.executable, "-m", "mendel.cli.main", "events", run, "--follow", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as follower:
        seen = [json.loads(follower.stdout.readline())["sequence"] for _ in range(2)]

        async def finish():
            async with FileEventLog(tmp_path / ".mendel" / "runs", payloads=samples.sample_payloads()) as log:
                await log.append(run, [samples.finding(1), samples.completed()], expected=2)

        asyncio.run(finish())
        rest = follower.stdout.read()
    assert follower.returncode == 0
    assert seen + [json.loads(line)["sequence"] for line in rest.splitlines()] == [0, 1, 2, 3]


def test_an_unknown_log_names_those_there_are(mendel):
    wrong = mendel("--log", "fil", "runs")
    assert wrong.code == 2
    assert "file" in wrong.err
    assert "memory" in wrong.err


def test_a_closed_pipe_is_no_drama(make_run):
    run = make_run(*samples.findings(500))
    environment = {**os.environ, "MENDEL_LOG__BACKEND": "file"}
    command = f"{sys.executable} -m mendel.cli.main events {run} | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_doctor_names_keys_and_never_shows_them(mendel, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-value-1234567890")
    shown, machine = mendel("doctor"), mendel("doctor", "--json")
    assert shown.code == machine.code == 0
    assert "OPENAI_API_KEY" in shown.out
    assert "very-secret" not in shown.out + shown.err + machine.out + machine.err
    assert {probe["status"] for probe in machine.json["probes"]} <= {"ok", "limited", "missing"}


def test_plugins_are_listed_and_shown(mendel):
    names = {(p["group"], p["name"]) for p in mendel("plugin", "list", "--json").json["plugins"]}
    assert {("mendel.event_logs", name) for name in ("memory", "file", "postgres")} <= names
    assert "postgres" in mendel("plugin", "list").out
    info = mendel("plugin", "info", "mendel.event_logs:file", "--json").json["plugins"][0]
    assert info["loads"] == "yes"
    unknown = mendel("plugin", "info", "nobody")
    assert unknown.code == 2
    assert "memory" in unknown.err


class TestConfig:
    def test_view_says_where_from(self, mendel, tmp_path, monkeypatch):
        (tmp_path / "mendel.toml").write_text('[log]\nbackend = "file"\n')
        monkeypatch.setenv("MENDEL_DATABASE_URL", "postgresql://bob:hunter2hunter2@example/db")
        settings = mendel("--home", "elsewhere", "config", "view", "--json").json["settings"]
        assert settings["log.backend"] == {"value": "file", "origin": "mendel.toml"}
        assert settings["home"] == {"value": "elsewhere", "origin": "flag --home"}
        assert "hunter2" not in mendel("config", "view").out
        assert "hunter2" not in json.dumps(settings)

    def test_mistakes_are_named(self, mendel, tmp_path):
        (tmp_path / "mendel.toml").write_text('[log]\nbackand = "file"\n[telemetry]\nlog_level = "loud"\n')
        wrong = mendel("runs")
        assert wrong.code == 2
        for word in ("mendel.toml:2", "log.backand", "log.backend", "mendel.toml:4", "telemetry.log_level", "warning"):
            assert word in wrong.err
        assert mendel("config", "validate").code == 2
        assert mendel("config", "validate", "--json").json["error"]["code"] == "config"

    def test_validate_and_schema(self, mendel, tmp_path):
        (tmp_path / "other.toml").write_text("home = 'x'\n")
        assert mendel("config", "validate", tmp_path / "other.toml").code == 0
        assert mendel("config", "validate", tmp_path / "missing.toml").code == 2
        assert "backend" in json.dumps(mendel("config", "schema").json)


class TestFlagsWin:
    @pytest.mark.parametrize("variable", ["elsewhere", ""])
    def test_home_on_the_command_line_beats_the_environment(self, mendel, monkeypatch, variable):
        monkeypatch.setenv("MENDEL_HOME", variable)
        settings = mendel("--home", "here", "config", "view", "--json").json["settings"]
        assert settings["home"] == {"value": "here", "origin": "flag --home"}


HOSTILE = "hello [/foo] [red]x[/red] \x1b[2J\x1b]0;pwned\x07 \nstatus completed \x9b31m"


class TestDataFromStrangers:
    @pytest.fixture
    def run(self, tmp_path, file_log):
        async def write():
            async with FileEventLog(tmp_path / ".mendel" / "runs", payloads=samples.sample_payloads()) as log:
                run_id = new_run_id()
                await log.append(run_id, [samples.configured(HOSTILE), samples.finding(1, {"x": HOSTILE})], expected=0)
                return run_id

        return asyncio.run(write())

    @pytest.mark.parametrize("command", [["runs"], ["show", "latest"], ["events", "latest"]])
    def test_it_is_shown_and_does_nothing(self, mendel, run, command):
        shown = mendel(*command)
        assert shown.code == 0
        assert "[/foo]" in shown.out
        assert not any(character in shown.out for character in "\x1b\x07\x9b")
        assert not any(line.startswith("status completed") for line in shown.out.splitlines())


class TestOneDamagedRunLeavesTheOthersAlone:
    def damage(self, tmp_path, run, old, new):
        path = tmp_path / ".mendel" / "runs" / f"{run}.mendel"
        path.write_bytes(path.read_bytes().replace(old, new, 1))

    @pytest.mark.parametrize("change", [(b'{"event":', b'{"evint":'), (b'"rng_seed":7', b'"rng_seed":"')])
    def test_in_the_first_event(self, mendel, make_run, tmp_path, change):
        bad, good = make_run(samples.started()), make_run(samples.started())
        self.damage(tmp_path, bad, *change)
        listed = {run["run_id"]: run for run in mendel("runs", "--json").json["runs"]}
        assert listed[bad]["damage"]
        assert listed[good]["status"] == "running"
        assert "damaged" in mendel("runs").out
        assert mendel("show", good).code == 0
        assert mendel("log", "verify", good).code == 0
        assert mendel("log", "verify", bad).code == 1
        assert mendel("log", "verify").code == 1

    def test_an_altered_end_line(self, mendel, make_run, tmp_path):
        bad = make_run(samples.started())
        self.damage(tmp_path, bad, b'"events":2', b'"events":3')
        assert "altered" in mendel("log", "verify", bad).out
        assert mendel("log", "export", bad, "x.mendel").code == 1

    def test_a_file_that_is_no_run_is_not_listed(self, mendel, make_run, tmp_path):
        run = make_run()
        (tmp_path / ".mendel" / "runs" / "copy.mendel").write_text("a copy somebody left here")
        assert [found["run_id"] for found in mendel("runs", "--json").json["runs"]] == [run]


@pytest.mark.parametrize("backend", ["file", "postgres"])
def test_a_home_that_is_a_file_is_a_clear_error(mendel, tmp_path, backend):
    (tmp_path / "afile").write_text("")
    wrong = mendel("--home", "afile", "--log", backend, "runs")
    assert wrong.code == 4
    assert "afile" in wrong.err
    assert "bug" not in wrong.err


def test_a_folder_that_may_not_be_listed_is_not_an_empty_one(mendel, make_run, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("must not be root")
    make_run()
    folder = tmp_path / ".mendel" / "runs"
    folder.chmod(0)
    try:
        assert mendel("runs").code == 4
    finally:
        folder.chmod(0o700)
