"""Plug-ins are tested through the door that everybody uses: a real distribution, really installed."""

import json
import subprocess
import sys

import pytest
from tests.cli.conftest import alone, mendel
from tests.plugins import installed_plugins

from mendel.projections.report.claims import times

__all__ = ["alone", "mendel"]


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory):
    """A folder with the package installed in it, on the path of this process and of those it starts."""
    with installed_plugins(tmp_path_factory.mktemp("site")) as folder:
        yield folder


def test_it_is_listed_with_its_package(mendel):
    found = mendel("plugin", "list", "--json").json["plugins"]
    example = next(plugin for plugin in found if plugin["name"] == "example")
    assert (example["distribution"], example["version"]) == ("mendel-example-plugins", "1.2.3")
    assert example["summary"] == "A log and two domains from another package"


def test_it_is_used_by_its_name(tmp_path):
    command = [sys.executable, "-m", "mendel.cli.main", "--log", "example", "runs", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert json.loads(done.stdout) == {"runs": []}


def test_one_that_does_not_load_says_whose_fault_it_is(mendel):
    broken = mendel("--log", "broken", "runs")
    assert broken.code == 4
    assert "mendel-example-plugins" in broken.err
    assert "mendel_example_log.missing" in broken.err
    info = mendel("plugin", "info", "broken", "--json").json["plugins"][0]
    assert info["loads"].startswith("no: ")


def test_an_unknown_one_is_answered_with_the_known_ones(mendel):
    unknown = mendel("--log", "exampel", "runs")
    assert unknown.code == 2
    for name in ("example", "file", "memory", "postgres"):
        assert name in unknown.err


def test_foreign_steps_get_the_ports_that_they_name_and_ask_for_operations_of_their_own(mendel):
    run = ("--seed", "7", "--population", "12", "--generations", "4", "--set", "probes=true", "--set", "ponders=true")
    assert mendel("run", "--domain", "reference", *run, "--json").code == 0
    assert mendel("events", "latest", "--type", "operation.failed", "--json").json["events"] == []
    begun = mendel("events", "latest", "--type", "operation.started", "--json").json["events"]
    steps = {each["payload"]["operation"]["id"]: each["payload"]["operation"] for each in begun}
    ended = mendel("events", "latest", "--type", "operation.completed", "--json").json["events"]
    used = [(steps[each["operation_id"]], each["payload"]["usage"]) for each in ended]
    assert {use["evaluations"] for step, use in used if step["step"] == "reference.probe"} == {3}
    assert {use["tool_calls"] for step, use in used if step["step"] == "reference.ponder"} == {3}
    parents = {steps[step["parent"]]["step"] for step, _ in used if step["step"] == "reference.advise"}
    assert parents == {"reference.ponder"}
    assert mendel("replay", "latest").code == 0


def test_its_command_stands_beside_those_of_the_house_and_replaces_none(mendel):
    assert mendel("distance", "3", "4", "--json").json == {"distance": 5.0}
    listed = mendel("--help").out
    assert "How far a point is from the origin." in listed
    assert "RUN" in mendel("replay", "--help").out


def test_a_foreign_run_has_the_report_of_all_runs_with_rows_of_its_own(mendel, tmp_path):
    run = ("--seed", "7", "--population", "12", "--generations", "4", "--set", "proves=true")
    assert mendel("run", "--domain", "reference", *run, "--json").code == 0
    told = mendel("report", "latest", "--best-of-n", "latest", "--out", tmp_path / "out", "--json").json
    assert (told["schema"], told["adopted"]) == ("mendel.run/2", True)
    assert (told["task"]["path"], told["task"]["function"], told["task"]["held_sizes"]) == ("point", None, [])
    (evidence,) = told["winner"]["audits"][0]["sizes"]
    assert (evidence["size"], told["speedup"]["estimate"]) == (None, evidence["speedup"])
    assert told["headline"].startswith(f"The new point is {times(evidence['speedup'])} as close as the original")
    assert len(told["lineage"]) > 1 < len(told["curve"])
    assert told["cost"]["cpu_seconds"] > 0 < told["counts"]["examined"]
    assert told["best_of_n"]["best"] == told["best"] == told["winner"]["total"]
    folder = tmp_path / "out" / told["run_id"]
    assert sorted(each.name for each in folder.iterdir()) == ["report.html", "run.json", "winner.txt"]
    assert json.loads((folder / "run.json").read_text())["winner"] == told["winner"]
    page = (folder / "report.html").read_text()
    for said in ("Times as close as the original", "+0.", "nudge", "What plain best-of-N found", "Distance</h2>"):
        assert said in page, said
    for unsaid in ("Size", "size of the input", "faster", "Original takes", "winner.patch"):
        assert unsaid not in page, unsaid


def test_a_run_of_a_domain_without_rows_says_that_it_has_no_report(mendel):
    assert mendel("run", "--domain", "noop", "--seed", "7", "--population", "4", "--generations", "1").code == 0
    refused = mendel("report", "latest")
    assert refused.code == 2
    assert "is no run of programs or texts or reference, and has no report" in refused.err
