"""The kernel at the command line, on the file log, with the domains of another package."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from tests.cli.conftest import WORKERS
from tests.plugins import installed_plugins
from tests.rules.attackers import bare, install_plugin
from tests.support.rows import check_rows

from mendel.cli import running
from mendel.conformance import samples

pytestmark = pytest.mark.usefixtures("one_worker")

SMALL = ("--domain", "reference", "--seed", "7", "--population", "6", "--generations", "2")


@pytest.fixture(scope="module", autouse=True)
def plugins(tmp_path_factory):
    with installed_plugins(tmp_path_factory.mktemp("site")):
        yield


@pytest.fixture
def started(file_log, tmp_path):
    """Starts `mendel ARGUMENTS…` in a process of its own, and sees that it ends."""
    processes = []

    def started(*arguments):
        command = [sys.executable, "-m", "mendel.cli.main", *arguments]
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        processes.append(process)
        return process

    yield started
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """What the first test that asked for a finished run was given: its home, and what was said of it."""
    return {"home": tmp_path_factory.mktemp("kept") / ".mendel"}


@pytest.fixture
def finished(mendel, file_log, tmp_path, kept):
    """What was said of a run that is over; the log of this folder is a copy of its log."""
    if "run" not in kept:
        (kept["run"],) = mendel("run", *SMALL, "--json").json["runs"]
        shutil.copytree(tmp_path / ".mendel", kept["home"])
    else:
        shutil.copytree(kept["home"], tmp_path / ".mendel")
    return kept["run"]


def scored(folder):
    """How many scores the logs under a folder hold, looked up without a command: it is asked again and again."""
    return sum(path.read_bytes().count(b'"fitness.scored"') for path in folder.rglob("*") if path.is_file())


def wait_for_scores(folder, count):
    for _ in range(1_200):
        if scored(folder) >= count:
            return
        time.sleep(0.025)
    raise AssertionError(f"{count} scores did not come")


def wait_for_births(mendel, proposal_id):
    """The genomes that a proposal became; it enters when there is room."""
    for _ in range(120):
        events = mendel("events", "latest", "--type", "genome.spawned", "--json").json["events"]
        if born := [each["payload"]["genome"] for each in events if each["correlation_id"] == proposal_id]:
            return born
    raise AssertionError(f"nothing was born of {proposal_id}")


def digest(mendel):
    return mendel("replay", "latest", "--json").json["report"]["outcome_digest"]


def test_a_run_says_what_came_of_it_and_the_same_seed_comes_out_the_same(mendel, finished, tmp_path):
    before = digest(mendel)
    shutil.rmtree(tmp_path / ".mendel")  # a home of its own: another run of the niche begins with champion and k
    done = mendel("run", *SMALL)
    assert done.code == 0
    assert "completed" in done.out
    assert "champion" in done.out
    assert "seed 7" in done.err
    assert mendel("show", "latest", "--json").json["run_id"] != finished["run_id"]
    assert digest(mendel) == before


def test_for_machines_it_says_the_same_in_json(mendel, finished):
    assert finished["status"] == "completed"
    assert finished["generations"] == 2
    assert finished["best"]["candidate_id"].startswith("candidate-")
    assert mendel("show", finished["run_id"], "--json").json["status"] == "completed"


def test_the_last_lines_say_which_steps_failed_how_often_and_with_which_message(mendel, file_log):
    done = mendel("run", *SMALL, "--set", "fail_one_in=2")
    events = mendel("events", "latest", "--json").json["events"]
    ended = Counter(
        each["payload"]["step"] for each in events if each["type"].startswith(("operation.c", "operation.f"))
    )
    failed = Counter(each["payload"]["step"] for each in events if each["type"] == "operation.failed")
    assert failed
    lines = [line.strip() for line in done.out.splitlines()]
    for step, count in failed.items():
        assert f"{count} of {ended[step]} operations of {step} failed: one of those that fail" in lines
    bad = mendel("run", *SMALL, "--set", "fail_one_in=1", "--set", "founders=2", "--problem", "another", "--json")
    (told,) = bad.json["runs"]
    assert (bad.code, told["status"]) == (1, "failed")
    expected = {"step": "reference.measure", "kind": "examine", "message": "one of those that fail"}
    assert told["failed_steps"] == [{**expected, "failed": 2, "ended": 2, "times": 2}]


def test_another_seed_comes_out_otherwise(mendel, finished):
    before = digest(mendel)
    mendel("run", *SMALL, "--seed", "8")
    assert digest(mendel) != before


def test_a_replay_compares_with_what_was_recorded(mendel, finished):
    shown = mendel("replay", "latest")
    assert shown.code == 0
    assert shown.out.count("as recorded") == 2


def test_an_export_replays_from_its_file_where_nothing_else_is(mendel, finished, tmp_path, monkeypatch):
    there = mendel("replay", "latest", "--json").json["report"]
    mendel("log", "export", "latest", "run.mendel")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.delenv("PYTHONPATH")
    here = mendel("replay", tmp_path / "run.mendel", "--json").json["report"]
    assert here == there
    assert not list(elsewhere.iterdir())


def test_a_replay_that_leads_elsewhere_is_told(mendel, finished, tmp_path):
    mendel("log", "export", "latest", "run.mendel")
    text = (tmp_path / "run.mendel").read_text()
    (tmp_path / "bad.mendel").write_text(text.replace("candidate.checked", "candidate.selected", 1))
    bad = mendel("replay", "bad.mendel")
    assert bad.code == 1
    assert "altered" in bad.err


def test_a_run_in_progress_replays_with_nothing_to_compare(mendel, file_log):
    mendel("run", *SMALL, "--hold")
    shown = mendel("replay", "latest")
    assert shown.code == 0
    assert "has recorded none yet" in shown.out


def test_a_candidate_is_explained_from_its_events(mendel, finished):
    told = mendel("explain", "latest", "best")
    assert told.code == 0
    for words in ("ancestry", "evidence", "reference.measure completed", "policy reference-1"):
        assert words in told.out
    data = mendel("explain", "latest", "best", "--json").json
    assert data["score"]["components"] == {"closeness": data["score"]["total"]}


def test_an_unknown_candidate_is_told(mendel, finished):
    assert mendel("explain", "latest", "candidate-999").code == 3
    ambiguous = mendel("explain", "latest", "candidate-")
    assert ambiguous.code == 3
    assert "give a longer part" in ambiguous.err


def test_a_run_file_is_read_and_flags_win(mendel, file_log, tmp_path):
    (tmp_path / "run.toml").write_text(
        'domain = "reference"\nrng_seed = 5\n[caps]\nmax_population = 6\nmax_generations = 9\n'
        '[pace]\nkind = "steady"\n[config]\ntarget = [0.5]\n'
    )
    (run,) = mendel("run", "run.toml", "--generations", "2", "--set", "founders=3", "--json").json["runs"]
    config = mendel("show", run["run_id"], "--json").json["config"]
    assert config["caps"]["max_generations"] == 2
    assert config["pace"]["kind"] == "steady"
    assert config["domain_config"]["data"] == {"target": [0.5], "founders": 3}


@check_rows(
    ("text", "words"),
    [
        ('domain = "reference"\nslot = 4\n', "run.toml:2: slot: unknown key; did you mean slots?"),
        ('domain = "reference"\n\n[caps]\nmax_generation = 4\n', "run.toml:4: caps.max_generation: unknown key;"),
        ('domain = "reference"\n[caps]\nmax_generation = 4\n', "did you mean caps.max_generations?"),
        ('domain = "reference"\n[cap]\nmax_generations = 4\n', "run.toml:2: cap: unknown key; did you mean caps?"),
        ('domain = "reference"\nslots = 0\n', "run.toml:2: slots: expected greater than or equal to 1, found 0"),
        ('domain = "reference"\nslots = 0\npace = 3\n', "run.toml:3: pace: expected a table, found an integer"),
        (
            'domain = "reference"\n[stop]\nsecond = 4\n',
            "run.toml:3: stop.second: unknown key; did you mean stop.seconds?",
        ),
        ('domain = "reference"\nslots = \n', "run.toml: cannot be read as TOML"),
    ],
)
def test_a_wrong_key_of_a_run_file_is_told_with_its_line_and_the_nearest_one(mendel, file_log, tmp_path, text, words):
    (tmp_path / "run.toml").write_text(text)
    refused = mendel("run", "run.toml")
    assert (refused.code, refused.out) == (2, "")
    assert words in refused.err


def test_several_run_files_are_conducted_at_once(mendel, file_log, tmp_path, monkeypatch):
    monkeypatch.delenv(WORKERS)
    for seed in (1, 2, 3):
        lines = ('domain = "reference"', f'problem = "{seed}"', f"rng_seed = {seed}", "[caps]", "max_population = 4")
        (tmp_path / f"{seed}.toml").write_text("\n".join((*lines, "max_generations = 1\n")))
    runs = mendel("run", "1.toml", "2.toml", "3.toml", "--json").json["runs"]
    assert [run["status"] for run in runs] == ["completed"] * 3
    assert [run["seed"] for run in runs] == [1, 2, 3]


@check_rows(
    ("arguments", "code", "words"),
    [
        ((), 2, "--domain"),
        (("--domain", "referense"), 2, "did you mean reference"),
        (("--domain", "reference", "--population", "0"), 2, "max_population"),
        (("--domain", "reference", "--generations", "-3"), 2, "max_generations"),
        (("--domain", "reference", "--population", "1000000"), 2, "above their ceilings"),
        (("--domain", "reference", "--selector", "turnament"), 2, "did you mean tournament"),
        (("--domain", "reference", "--pace", "leisurely"), 2, "pace.kind"),
        (("--domain", "reference", "--set", "founders"), 2, "KEY=VALUE"),
        (("--domain", "reference", "--set", "foundres=1"), 2, "foundres"),
        (
            ("--domain", "reference", "--set", "founders=inf"),
            2,
            "--set: founders: inf is not a finite number",
        ),
        (("--domain", "reference", "--set", "target=[0.5, nan]"), 2, "--set: target: nan is not a finite number"),
        (("--domain", "reference", "--set", "founders=1979-05-27"), 2, "--set: founders: a date is not allowed here"),
        (("--domain", "reference", "--set", "founders=07:32:00"), 2, "founders: a time is not allowed here"),
        (("--domain", "reference", "--seconds", "nan"), 2, "--seconds"),
        (("--domain", "reference", "--seconds", "inf"), 2, "--seconds"),
        (("--domain", "reference", "--order", "arrival"), 2, "--pace steady"),
        (("--domain", "noop", "--set", "a=1"), 2, "takes no configuration"),
        (("missing.toml",), 2, "no such file"),
        (("--domain", "reference", "--from", "latest"), 3, "no run"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_recorded(mendel, file_log, arguments, code, words):
    refused = mendel("run", *arguments)
    assert (refused.code, refused.out) == (code, "")
    assert words in refused.err
    assert mendel("runs", "--json").json == {"runs": []}


@pytest.mark.parametrize("value", ["nan", "-inf", "1979-05-27", "1979-05-27T07:32:00Z"])
def test_a_value_that_no_run_can_have_is_told_with_its_line(mendel, file_log, tmp_path, value):
    (tmp_path / "r.toml").write_text(f'domain = "reference"\n[config]\nfounders = {value}\n')
    refused = mendel("run", "r.toml")
    assert (refused.code, "r.toml:3: config.founders: " in refused.err) == (2, True), refused.err


def test_a_text_that_was_read_as_something_else_is_told_how_to_be_quoted(mendel, file_log, tmp_path, monkeypatch):
    models = "\nclass Brief(BaseModel):\n    slogan: str\n"
    source = bare("slogans", payloads="{('brief', 1): Brief}").replace("class Bare", f"{models}class Bare")
    source = source.replace("    steps =", "    config_kind = ('brief', 1)\n    steps =")
    monkeypatch.syspath_prepend(str(install_plugin(tmp_path, source, {"domains": {"slogans": "Bare"}})))
    for given, quoted in (("42", "42"), ("true", "true"), ("1.5", "1.5")):
        refused = mendel("run", "--domain", "slogans", "--set", f"slogan={given}")
        assert refused.code == 2
        assert f"""put a text in quotes: --set slogan='"{quoted}"'""" in refused.err
        assert "configuration of the domain slogans: slogan: Input should be a valid string" in refused.err
        assert "payload" not in refused.err


def test_a_run_that_is_held_can_be_cancelled_but_not_stopped(mendel, file_log):
    mendel("run", *SMALL, "--hold")
    refused = mendel("stop", "latest")
    assert refused.code == 1
    assert "cancel it instead" in refused.err
    assert "cancelled" in mendel("cancel", "latest").out
    assert mendel("show", "latest", "--json").json["status"] == "cancelled"


def test_a_run_that_is_held_starts_when_it_is_resumed(mendel, file_log):
    mendel("run", *SMALL, "--hold")
    assert mendel("resume", "latest", "--json").json["runs"][0]["status"] == "completed"


@check_rows("command", ["stop", "kill", "cancel", "resume"])
def test_a_run_that_is_over_takes_no_command(mendel, finished, command):
    refused = mendel(command, "latest")
    assert refused.code == 1
    assert "completed" in refused.err


def test_another_run_goes_on_from_its_champions(mendel, finished):
    (second,) = mendel("run", "--from", "latest", "--json").json["runs"]
    config = mendel("show", second["run_id"], "--json").json["config"]
    assert config["continues"] == finished["run_id"]
    assert config["challenges_before"] == finished["challenges"]
    assert config["ancestors"][0]["candidate_id"] == finished["champion"]
    assert second["challenges"] >= finished["challenges"]


def test_resume_wants_one_run_or_all(mendel, file_log):
    assert mendel("resume").code == 2
    assert mendel("resume", "latest", "--all").code == 2
    assert mendel("resume", "--all").code == 3


SLOW = ("run", "--domain", "reference", "--seed", "3", "--generations", "1000", "--set", "pause_ms=60")


@pytest.mark.parametrize(("command", "status"), [("stop", "stopped"), ("kill", "failed")])
def test_a_living_run_is_ended_from_outside(mendel, started, tmp_path, command, status):
    process = started(*SLOW)
    wait_for_scores(tmp_path, 3)
    assert status in mendel(command, "latest", "--reason", "enough").out
    process.communicate()
    assert process.returncode == (0 if status == "stopped" else 1)
    assert mendel("replay", "latest").code == 0


def test_what_is_proposed_to_a_running_run_is_admitted_by_its_domain_or_refused_with_the_reason(
    mendel, started, tmp_path
):
    started(*SLOW)
    wait_for_scores(tmp_path, 3)
    (tmp_path / "better.json").write_text('{"values": [0.25, -0.5, 0.75]}')
    taken = mendel("propose", "latest", "better.json", "--json").json
    assert taken["status"] == "accepted"
    refused = mendel("propose", "latest", '{"values": [1]}')
    assert (refused.code, "the proposal was refused: a proposal has as many values as" in refused.err) == (1, True)
    for nonsense, words in (
        ("[1]", "a proposal must be a JSON object, such as"),
        ("nowhere.json", "nor the name of a file"),
        ("{", "the proposal is not valid JSON"),
        ('{"a": {"b": NaN}}', "the proposal: a.b: nan is not a finite number"),
        ("7", "nor the name of a file"),
    ):
        wrong = mendel("propose", "latest", nonsense)
        assert (wrong.code, words in wrong.err, "Errno" in wrong.err) == (2, True, False), wrong.err
    born = wait_for_births(mendel, taken["proposal_id"])
    mendel("stop", "latest")
    assert [each["traits"]["data"]["values"] for each in born] == [[0.25, -0.5, 0.75]]


@pytest.mark.slow
def test_parameters_take_effect_at_an_event_and_the_next_chapter_begins_with_them(mendel):
    run = ("run", "--domain", "reference", "--seed", "7", "--population", "6", "--generations", "2")
    held = mendel(*run, "--hold", "--json").json["runs"][0]["run_id"]
    told = mendel("set", held, "length=0.125", "slots=1", "caps.max_generations=1", "--json").json
    assert told["status"] == "accepted"
    (accepted,) = mendel("events", held, "--type", "command.accepted", "--json").json["events"]
    assert (accepted["sequence"], accepted["payload"]["parameters"]["data"]) == (told["sequence"], {"length": 0.125})
    assert f'{{"length":0.125}} since event {told["sequence"]}' in mendel("show", held).out
    refused = mendel("set", held, "length=-1")
    assert (refused.code, "the only parameter is length" in refused.err) == (1, True)
    assert (mendel("set", held, "caps.max_generations=9").code, mendel("set", held, "length").code) == (1, 2)
    for wrong in ("length=nan", "caps.max_candidates=nan", "length=1979-05-27"):
        told = mendel("set", held, wrong)
        assert (told.code, f"the parameters: {wrong.partition('=')[0]}: " in told.err) == (2, True), told.err
    misspelt = mendel("set", held, "caps.max_generation=3")
    assert (misspelt.code, "did you mean caps.max_generations?" in misspelt.err) == (2, True)
    assert mendel("run", "--follow", held).code != 0

    (first,) = mendel("resume", held, "--json").json["runs"]
    assert (first["status"], first["generations"]) == ("completed", 1)
    late = mendel("set", held, "length=1")
    assert (late.code, "takes no parameters" in late.err) == (1, True)
    (second,) = mendel("run", "--follow", held, "--json").json["runs"]
    (configured,) = mendel("events", second["run_id"], "--type", "run.configured", "--json").json["events"]
    config = configured["payload"]["config"]
    assert (config["follows"], config["slots"], config["parameters"]["data"]) == (held, 1, {"length": 0.125})
    assert config["challenges_before"] == first["challenges"] > 0
    assert mendel("replay", second["run_id"]).code == 0
    assert mendel("run", "--follow", held).code != 0
    chapters = mendel("runs", "--chapters", held, "--json").json["runs"]
    assert {each["run_id"] for each in chapters} == {held, second["run_id"]}


def test_a_run_that_is_interrupted_goes_on_where_it_was(mendel, started, tmp_path):
    process = started(*SLOW, "--generations", "3", "--population", "12")
    wait_for_scores(tmp_path, 3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert "mendel resume" in err
    before = scored(tmp_path)
    (run,) = mendel("resume", "latest", "--json").json["runs"]
    assert run["status"] == "completed"
    assert run["scored"] > before
    assert mendel("replay", "latest", "--json").json["report"]["agrees"] is True


@pytest.mark.slow
def test_plain_lines_say_how_it_goes_and_a_run_that_somebody_conducts_is_not_resumed(mendel, started):
    process = started(*SLOW)
    told = next(line for line in process.stderr if "scored" in line)
    assert "generation" in told
    assert "energy" in told
    busy = mendel("resume", "latest")
    assert busy.code == 1
    assert "conduct" in busy.err
    process.kill()


@pytest.mark.slow
def test_a_killed_conductor_s_run_can_be_stopped_without_one(mendel, started, tmp_path):
    process = started(*SLOW)
    wait_for_scores(tmp_path, 3)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert "stopped" in mendel("stop", "latest").out
    events = [json.loads(line) for line in mendel("events", "latest", "--json", "--follow").out.splitlines()]
    assert events[-1]["type"] == "run.stopped"
    assert mendel("replay", "latest").code == 0


@check_rows(
    ("view", "words"),
    [
        ("state", "survivors"),
        ("health", "max_population"),
        ("leaderboard", "champion"),
        ("lineage", "genomes"),
        ("replay", "outcome digest"),
    ],
)
def test_every_projection_has_a_door(mendel, finished, view, words):
    run_id = finished["run_id"]
    shown = mendel("show", run_id, "--view", view)
    assert (shown.code, words in shown.out) == (0, True)
    assert not {"{", "[", "'"} & {*shown.out}, shown.out
    data = mendel("show", run_id, "--view", view, "--json").json
    assert data["run_id"] == run_id
    assert data["sequence_through"] == len(mendel("events", run_id, "--json").json["events"]) - 1


# --- a domain that does not load -----------------------------------------------------------------------------


@pytest.fixture
def hanging(tmp_path, monkeypatch, make_run):
    """A recorded run of a domain whose import never ends."""
    endless = "import time\nwhile True:\n    time.sleep(0.01)\n"
    monkeypatch.syspath_prepend(str(install_plugin(tmp_path, endless, {"domains": {"hanging": "Hanging"}})))
    monkeypatch.setattr(running, "LOADING_S", 0.2)
    monkeypatch.setenv("MENDEL_KERNEL__DOMAIN_PATIENCE_S", "0.5")
    return make_run(begins=samples.in_niche("a", domain="hanging"))


HANGS = "domain hanging: loading it did not return within"


@check_rows("command", ["resume", "step"])
def test_a_domain_whose_import_hangs_does_not_hold_up_who_goes_on_with_its_run(mendel, hanging, command):
    refused = mendel(command, hanging)
    assert refused.code == 1
    assert HANGS in refused.err


def test_others_go_on_beside_a_run_whose_domain_does_not_load(mendel, hanging):
    mendel("run", *SMALL, "--hold")
    ends = mendel("resume", "--all", "--json").json["runs"]
    assert {each.get("status") for each in ends} == {None, "completed"}
    (failed,) = [each["error"] for each in ends if each["run_id"] == hanging]
    assert failed["code"] == "domain_failed"
    assert HANGS in failed["message"]
