"""`mendel step` at the command line: one generation at a time leads where an uninterrupted run leads."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from tests.plugins import installed_plugins

pytestmark = pytest.mark.usefixtures("one_worker")

GENERATIONAL = ("--domain", "reference", "--seed", "7", "--population", "6", "--generations", "3")
STEADY = (*GENERATIONAL, "--pace", "steady", "--window", "3")
SORT = """def sort(items: list[int]) -> list[int]:
    result = list(items)
    for _ in range(len(result)):
        for place in range(len(result) - 1):
            if result[place] > result[place + 1]:
                result[place], result[place + 1] = result[place + 1], result[place]
    return result
"""


@pytest.fixture(scope="module", autouse=True)
def plugins(tmp_path_factory):
    with installed_plugins(tmp_path_factory.mktemp("site")):
        yield


def completed(mendel, run="latest"):
    return len(mendel("events", run, "--type", "generation.completed", "--json").json["events"])


def digest(mendel, run="latest"):
    done = mendel("replay", run, "--json")
    assert done.code == 0, done.err
    return done.json["report"]["outcome_digest"]


def operations(mendel, kind):
    events = mendel("events", "latest", "--type", f"operation.{kind}", "--json").json["events"]
    return [event["operation_id"] for event in events]


@pytest.fixture(scope="module")
def kept():
    """The digest of an uninterrupted run, once the first test has asked for it."""
    return {}


@pytest.fixture
def straight(mendel, file_log, tmp_path, kept):
    """The digest of a run that nothing interrupted. Its log is gone: a run inherits what stands in its niche."""
    if "digest" not in kept:
        kept["digest"] = whole(mendel, GENERATIONAL, tmp_path)
    return kept["digest"]


def whole(mendel, pace, folder):
    """The digest of an uninterrupted run; its home is removed."""
    mendel("run", *pace)
    told = digest(mendel)
    shutil.rmtree(folder / ".mendel")
    return told


@pytest.mark.breeding
@pytest.mark.smoke
def test_a_step_is_one_generation_and_steps_alone_lead_to_the_same_end(mendel, straight):
    mendel("run", *GENERATIONAL, "--hold")
    for number in (1, 2):
        done = mendel("step", "latest")
        assert done.code == 0, done.err
        assert done.out.startswith("running")
        assert "mendel resume" in done.err
        assert completed(mendel) == number
        assert mendel("show", "latest", "--json").json["status"] == "running"
    for _ in range(12):
        (run,) = mendel("step", "latest", "--json").json["runs"]
        if run["status"] == "completed":
            break
    assert (run["status"], run["generations"]) == ("completed", 3)
    assert digest(mendel) == straight


def assert_each_operation_ended_once(mendel):
    ended = [*operations(mendel, "completed"), *operations(mendel, "failed")]
    assert len(ended) == len(set(ended))
    assert set(ended) == set(operations(mendel, "started"))
    assert mendel("log", "verify", "latest").code == 0


def stepped_and_resumed(mendel, pace):
    """The digest of a run that took two steps and went on."""
    mendel("run", *pace, "--hold")
    mendel("step", "latest")
    mendel("step", "latest")
    assert completed(mendel) == 2
    assert mendel("resume", "latest", "--json").json["runs"][0]["status"] == "completed"
    assert_each_operation_ended_once(mendel)
    return digest(mendel)


@pytest.mark.slow
def test_steps_and_a_resume_lead_where_an_uninterrupted_run_leads(mendel, straight):
    assert stepped_and_resumed(mendel, GENERATIONAL) == straight


@pytest.mark.breeding
def test_where_births_are_steady_they_do_so_too(mendel, file_log, tmp_path):
    straight = whole(mendel, STEADY, tmp_path)
    assert stepped_and_resumed(mendel, STEADY) == straight


def test_a_run_that_is_over_is_told(mendel, file_log):
    mendel("run", *GENERATIONAL)
    refused = mendel("step", "latest")
    assert refused.code == 1
    assert "a run that is over cannot go on" in refused.err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("nothing",), 3, "no run"),
        (("latest", "--seed", "3", "--objective", "size"), 2, "--objective and --seed"),
        (("mine.py:srot",), 2, "did you mean sort"),
        (("mine.py:sort", "--objective", "sped"), 2, "known are speed"),
        (("mine.py:sort", "--order", "random"), 2, "arrival or birth"),
        (("there.py:sort",), 2, "cannot be read"),
    ],
)
def test_what_is_wrong_is_said(mendel, file_log, tmp_path, arguments, code, words):
    (tmp_path / "mine.py").write_text(SORT)
    mendel("run", *GENERATIONAL, "--hold")
    refused = mendel("step", *arguments)
    assert (refused.code, refused.out) == (code, "")
    assert words in refused.err


@pytest.mark.breeding
def test_a_function_is_bred_step_by_step_as_in_one_go(mendel, file_log, tmp_path):
    (tmp_path / "mine.py").write_text(SORT)
    sizes = "sizes = [2, 5, 9]\ntiming_size = 12\nheld_sizes = [15, 20]\n"
    (tmp_path / "mendel.toml").write_text(f"[evolve.stop]\nmax_generations = 3\n[evolve.task]\n{sizes}")
    wish = ("step", "mine.py:sort", "--objective", "opcodes", "--population", "3", "--seed", "11", "--json")
    (begun,) = mendel(*wish).json["runs"]
    assert (begun["status"], begun["seed"], completed(mendel)) == ("running", 11, 1)
    assert mendel("resume", "latest").code == 0
    straight = digest(mendel)
    shutil.rmtree(tmp_path / ".mendel")
    mendel(*wish)
    (further,) = mendel("step", "latest", "--json").json["runs"]
    assert further["candidates"] > begun["candidates"] >= 3
    assert completed(mendel) == 2
    assert mendel("resume", "latest").code == 0
    assert digest(mendel) == straight
    assert completed(mendel) == 3


def test_ctrl_c_interrupts_a_step_as_any_run(mendel, file_log, tmp_path):
    mendel("run", "--domain", "reference", "--seed", "1", "--population", "400", "--generations", "9", "--hold")
    command = [sys.executable, "-m", "mendel.cli.main", "step", "latest"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(600):
            if any(b'"fitness.scored"' in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()):
                break
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert "mendel resume" in told
    assert completed(mendel) == 0
