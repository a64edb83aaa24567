"""`mendel guard …`, on the real sandbox."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.test_sandbox_commands import walls  # noqa: F401 - a fixture
from tests.support.rows import check_rows

CHEATS = ("cheat_constant_max", "cheat_forged_result", "cheat_imports_baseline", "cheat_network")
QUICK = ("--task", "top_k", "--n", "100", "--timeout-s", "1")

TASK = """
from mendel.guard import Property, TaskSpec

CALLS = []

SPEC = TaskSpec(
    name="echo",
    gen_inputs=lambda n, seed: [(number,) for number in range(n)],
    properties=[Property(check=lambda output, number: output is not False, description="not false")],
)

RAISING = TaskSpec(name="raising", gen_inputs=lambda n, seed: 1 / 0)
STINGY = TaskSpec(name="stingy", gen_inputs=lambda n, seed: [(1,)] * 3)
NO_TASK = 3
"""


@pytest.fixture
def task(tmp_path):
    file = tmp_path / "tasks.py"
    file.write_text(TASK)
    return file


@pytest.fixture
def program(tmp_path):
    def program(source, name="program.py"):
        file = tmp_path / name
        file.write_text(source)
        return file

    return program


ECHO = "def solve(number):\n    return number\n"


# --- evaluate ------------------------------------------------------------------------------------------------------


def test_an_improvement_is_adopted(mendel):
    result = mendel("guard", "evaluate", *QUICK, "--candidate", "improved", "--policy", "noninferiority:margin=0.05")
    assert result.code == 0
    assert result.out.startswith("ADOPT  top_k, exact mode, noninferiority:margin=0.05, 100 cases")
    assert "no_mismatch" in result.out
    assert "mismatch_rate" in result.out


def test_a_mistake_is_rejected_with_a_minimal_counter_example(mendel):
    result = mendel("guard", "evaluate", *QUICK, "--candidate", "bad", "--json")
    assert result.code == 1
    (violation,) = result.json["violations"]
    assert violation["shrunk"]
    assert violation["input"] == "L=[0], k=0"


@pytest.mark.slow
@check_rows("lint", [(), ("--no-lint",)])
@check_rows("cheat", CHEATS)
def test_every_cheat_is_rejected_by_name_with_and_without_the_lint(mendel, cheat, lint):
    result = mendel("guard", "evaluate", *QUICK, "--candidate", cheat, *lint, "--json")
    assert result.code == 1
    code = result.json["reasons"][0]["code"]
    assert code in ("lint", "load_failed", "mismatch", "property_violated", "relation_violated", "raised", "crashed")
    if cheat == "cheat_constant_max":
        assert code == "mismatch"
        assert result.json["violations"][0]["shrunk"]


def test_too_few_cases_leave_it_open_and_say_how_many_would_do(mendel):
    result = mendel("guard", "evaluate", "--task", "top_k", "--n", "20", "--candidate", "improved")
    assert result.code == 3
    assert "--n 149" in result.out


def test_a_sequential_test_stops_where_the_margin_is_shown(mendel):
    sequential = ("--sequential", "always-valid", "--json")
    told = mendel("guard", "evaluate", "--task", "top_k", "--candidate", "improved", *sequential).json
    assert (told["decision"], told["n"]) == ("adopt", 149)


def test_a_file_with_a_function_of_another_name(mendel, task, program):
    good = program("def mine(number):\n    return number\n")
    result = mendel(
        "guard",
        "evaluate",
        "--task",
        f"{task}:SPEC",
        "--baseline",
        program(ECHO, "b.py"),
        "--candidate",
        f"{good}:mine",
        "--n",
        "200",
        "--json",
    )
    assert (result.code, result.json["adopt"]) == (0, True)


@check_rows(
    ("source", "code"),
    [
        ("import socket\n\ndef solve(number):\n    return number\n", "lint"),
        ("def solve(number:\n", "lint"),
        ("def other(number):\n    return number\n", "load_failed"),
        ("def solve(number):\n    return number\n\nraise ValueError('no')\n", "load_failed"),
        ("def solve(number):\n    return None\n", "mismatch"),
    ],
)
def test_what_is_wrong_with_a_candidate_is_a_verdict_not_a_usage_error(mendel, task, program, source, code):
    result = mendel(
        "guard",
        "evaluate",
        "--task",
        f"{task}:SPEC",
        "--baseline",
        program(ECHO, "b.py"),
        "--candidate",
        program(source),
        "--json",
    )
    assert (result.code, result.json["reasons"][0]["code"]) == (1, code)


@check_rows(
    ("arguments", "said"),
    [
        ((), "--task is missing"),
        (("--task", "topk"), "did you mean top_k?"),
        (("--task", "top_k"), "--candidate is missing"),
        (("--task", "top_k", "--candidate", "nowhere.py"), "nowhere.py: there is no such file"),
        (("--task", "top_k", "--candidate", "improved", "--n", "0"), "n: Input should be greater than or equal to 1"),
        (("--task", "top_k", "--candidate", "improved", "--alpha", "0"), "alpha: "),
        (("--task", "top_k", "--candidate", "improved", "--alpha", "1.5"), "alpha: "),
        (("--task", "top_k", "--candidate", "improved", "--policy", "superior"), "did you mean superiority?"),
        (("--task", "top_k", "--candidate", "improved", "--metric", "speed"), "has no metric 'speed'"),
        (("--task", "top_k", "--candidate", "improved", "--ci-method", "wald"), "ci_method: "),
        (("--task", "{task}:RAISING", "--baseline", "{echo}", "--candidate", "{echo}"), "ZeroDivisionError"),
        (("--task", "{task}:STINGY", "--baseline", "{echo}", "--candidate", "{echo}"), "3 of 400"),
        (("--task", "{task}:NO_TASK", "--baseline", "{echo}", "--candidate", "{echo}"), "RAISING, SPEC, STINGY"),
        (("--task", "{task}:SPEC", "--candidate", "{echo}"), "give one, or use absolute mode"),
    ],
)
def test_wrong_usage_says_what_and_what_to_do(mendel, task, program, arguments, said):
    echo = program(ECHO)
    result = mendel("guard", "evaluate", *(each.format(task=task, echo=echo) for each in arguments))
    assert result.code == 2
    assert said in result.err


def test_a_baseline_without_the_function_is_the_callers_mistake(mendel, task, program):
    broken = program("def other(number):\n    return number\n", "b.py")
    result = mendel("guard", "evaluate", "--task", f"{task}:SPEC", "--baseline", broken, "--candidate", program(ECHO))
    assert result.code == 2
    assert "the baseline cannot be loaded" in result.err


def test_absolute_mode_needs_no_baseline(mendel, task, program):
    options = ("--policy", "absolute:min_pass_rate=0.9", "--n", "60", "--json")
    result = mendel("guard", "evaluate", "--task", f"{task}:SPEC", "--candidate", program(ECHO), *options)
    assert (result.code, result.json["mode"]) == (0, "absolute")


def test_options_come_from_a_file_and_flags_come_first(mendel, tmp_path, task, program):
    (tmp_path / "guard.toml").write_text(
        f'[metamorphic_guard]\ntask = "{task}:SPEC"\nbaseline = "{program(ECHO, "b.py")}"\n'
        f'candidate = "{program(ECHO)}"\nn = 20\nseed = 13\npolicy = "noninferiority:margin=0.05"\n'
    )
    from_file = mendel("guard", "evaluate", "--options", "guard.toml", "--json")
    assert (from_file.code, from_file.json["n"]) == (3, 20)
    with_flag = mendel("guard", "evaluate", "--options", "guard.toml", "--n", "60", "--json")
    assert (with_flag.code, with_flag.json["n"], with_flag.json["config"]["seed"]) == (0, 60, 13)


def test_a_liberal_interval_says_so(mendel, task, program):
    options = ("--baseline", program(ECHO, "b.py"), "--mode", "statistical", "--ci-method", "bca", "--json")
    result = mendel("guard", "evaluate", "--task", f"{task}:SPEC", "--candidate", program(ECHO), *options)
    assert "liberal_interval" in [warning["code"] for warning in result.json["warnings"]]


# --- reports -------------------------------------------------------------------------------------------------------


@pytest.fixture
def report(mendel, tmp_path):
    result = mendel("guard", "evaluate", *QUICK, "--candidate", "bad", "--report-dir", tmp_path / "reports")
    assert result.code == 1
    (path,) = (tmp_path / "reports").glob("report_*.json")
    return path


def test_a_report_has_metrics_and_walls_and_a_page(report):
    told = json.loads(report.read_text())
    assert told["metrics"].keys() == {"total"}
    assert told["provenance"]["sandbox"]["tier"] in ("full", "namespaces", "landlock")
    assert told["provenance"]["seeds"] == {"seed": 42}
    assert "<html" in report.with_suffix(".html").read_text()


def test_a_violation_is_replayed_until_the_source_is_mended(mendel, report):
    assert mendel("guard", "replay", report).code == 1
    told = json.loads(report.read_text())
    told["implementations"]["candidate"]["files"]["candidate.py"] = "def solve(L, k):\n    return sorted(L)[::-1][:k]\n"
    report.write_text(json.dumps(told))
    mended = mendel("guard", "replay", report, "--json")
    assert (mended.code, mended.json[0]["holds"]) == (0, False)


def test_what_is_no_report_is_told(mendel, tmp_path):
    (tmp_path / "no.json").write_text("{}")
    result = mendel("guard", "replay", "no.json")
    assert result.code == 2
    assert "not a report of the gate" in result.err


def test_a_full_report_folder_fails_the_machinery_after_the_verdict_was_said(tmp_path):
    script = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "from mendel.guard.gate import run; from mendel.cli import guard as commands;"
        "written = commands._write\n"
        "def limited(*given):\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); written(*given)\n"
        "commands._write = limited\n"
        "from mendel.cli.main import main\n"
        "main(['guard', 'evaluate', '--task', 'top_k', '--n', '60', '--candidate', 'improved',"
        " '--policy', 'noninferiority:margin=0.05', '--report-dir', 'full'])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 4
    assert done.stdout.startswith("ADOPT")
    assert "the report cannot be written to full" in done.stderr
    assert list((tmp_path / "full").iterdir()) == []


# --- the other commands --------------------------------------------------------------------------------------------


def test_several_candidates_are_compared_at_once(mendel):
    result = mendel(
        "guard",
        "compare",
        *QUICK,
        "--candidate",
        "improved",
        "--candidate",
        "bad",
        "--policy",
        "noninferiority:margin=0.05",
        "--json",
    )
    assert result.code == 0
    assert [each["decision"] for each in result.json] == ["adopt", "reject"]


def test_where_none_is_adopted_the_code_says_why(mendel):
    assert mendel("guard", "compare", *QUICK, "--candidate", "bad", "--candidate", "cheat_constant_max").code == 1
    few = ("--task", "top_k", "--n", "20")
    assert mendel("guard", "compare", *few, "--candidate", "bad", "--candidate", "improved").code == 3


def test_power_before_anything_is_run(mendel):
    result = mendel(
        "guard",
        "power",
        "--policy",
        "superiority:margin=0",
        "--baseline-rate",
        "0.9",
        "--candidate-rate",
        "0.95",
        "--json",
    )
    told = result.json
    assert result.code == 0
    assert 0.5 < told["power"] < 1
    assert told["n_for_power"] > 100
    exact = mendel("guard", "power", "--policy", "noninferiority:margin=0.05", "--json").json
    assert exact["exact_mode_cases"] == 59
    absolute = mendel("guard", "power", "--policy", "absolute:min_pass_rate=0.9", "--candidate-rate", "0.99", "--json")
    assert absolute.json["n_for_power"] > 28


def test_equivalence_takes_both_sides(mendel):
    told = mendel("guard", "power", "--policy", "equivalence:margin=0.05", "--json").json
    one_sided = mendel("guard", "power", "--policy", "noninferiority:margin=0.05", "--json").json
    assert told["power"] == pytest.approx(2 * one_sided["power"] - 1)
    assert told["n_for_power"] > one_sided["n_for_power"]


def test_impossible_rates_are_usage_errors(mendel):
    assert mendel("guard", "power", "--baseline-rate", "1.5").code == 2


def test_the_tasks_that_ship_are_listed_and_copied(mendel, tmp_path):
    names = [task["name"] for task in mendel("guard", "tasks", "--json").json]
    assert names == ["business_days", "components", "lru_cache", "quantiles", "top_k", "word_wrap"]
    told = mendel("guard", "tasks", "top_k", "--write", tmp_path / "try", "--json").json
    assert set(CHEATS) | {"baseline", "improved", "bad"} == told["programs"].keys()
    assert all(Path(path).parent == tmp_path / "try" and Path(path).is_file() for path in told["programs"].values())
    assert "hard property" in mendel("guard", "tasks", "top_k").out


def test_help_teaches_the_exit_codes(mendel):
    assert "3 undecided" in mendel("guard", "--help").out
    told = mendel("guard", "evaluate", "--help").out
    assert "--policy" in told
    assert "400" in told
    assert "section `guard`" in " ".join(told.replace("│", " ").split())
