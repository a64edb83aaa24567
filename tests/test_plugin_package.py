"""Plug-ins are tested through the door that everybody uses: a real distribution, really installed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import alone, file_log, mendel
from tests.plugins import installed_plugins, path_without_plugins

from mendel.projections.report.claims import times

__all__ = ["alone", "file_log", "mendel"]

pytestmark = pytest.mark.usefixtures("file_log")  # a server of PostgreSQL for every test would outlive it


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


def test_its_command_stands_beside_those_of_the_house(mendel):
    assert mendel("distance", "3", "4", "--json").json == {"distance": 5.0}
    listed = mendel("--help").out
    assert "How far a point is from the origin." in listed


def test_runs_are_read_and_replayed_without_the_settings_of_their_domain(mendel, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mendel.toml").write_text("[reference]\nbegins = 3\n")
    assert mendel("run", "--domain", "reference", "--population", 4, "--generations", 1, "--json").code == 0
    Path("mendel.toml").write_text("[reference]\nbegins = -3\n")
    assert "mendel.toml:2: reference.begins: " in mendel("runs").err
    monkeypatch.setattr(sys, "path", path_without_plugins())
    for command in (("runs",), ("show", "latest"), ("events", "latest"), ("replay", "latest")):
        done = mendel(*command)
        assert done.code == 0, done.err
        assert "mendel.toml:1: reference: ignored: " in done.err


# --- niches, chapters and parameters of a foreign domain -------------------------------------------------------

SMALL = ("--domain", "reference", "--seed", "7", "--population", "6", "--generations", "3")


def _run(mendel, *more):
    (run,) = mendel("run", *more, "--json").json["runs"]
    return run


def _config(mendel, run):
    (first,) = mendel("events", run["run_id"], "--type", "run.configured", "--json").json["events"]
    return first["payload"]["config"]


def _founders(mendel, run):
    born = [
        each["payload"]["genome"]
        for each in mendel("events", run["run_id"], "--json").json["events"]
        if "genome" in each["payload"]
    ]
    return [genome["traits"]["data"]["values"] for genome in born if not genome["parents"]]


def test_a_second_run_begins_with_k_and_champion_of_the_first_unless_another_holds_the_niche(mendel, alone):
    first = _run(mendel, *SMALL)
    assert first["niches"] == {
        "reference:breed reference": {**first["niches"]["reference:breed reference"], "ours": True}
    }
    second = _run(mendel, *SMALL, "--hold")
    config = _config(mendel, second)
    (champion,) = config["ancestors"]
    assert config["challenges_before"] == first["challenges"] > 0
    assert (champion["run_id"], champion["candidate_id"]) == (first["run_id"], first["champion"])
    refused = mendel("run", *SMALL)
    assert refused.code != 0
    assert f"claimed by run {second['run_id']}" in refused.err
    (ended,) = mendel("resume", second["run_id"], "--json").json["runs"]
    assert ended["challenges"] >= first["challenges"]
    assert _founders(mendel, second)[0] == champion["traits"]["data"]["values"]


def test_a_domain_may_keep_a_champion_out_of_its_founders(mendel, alone, monkeypatch):
    first = _run(mendel, *SMALL)
    monkeypatch.setattr("mendel_reference.domain.ReferenceDomain.champion_is_founder", False)
    second = _run(mendel, *SMALL, "--seed", "8")
    (champion,) = _config(mendel, second)["ancestors"]
    assert champion["candidate_id"] == first["champion"]
    assert champion["traits"]["data"]["values"] not in _founders(mendel, second)
    assert second["challenges"] >= first["challenges"]
    assert mendel("replay", second["run_id"]).code == 0


def _shifts(mendel, run):
    made = mendel("events", run["run_id"], "--type", "genome.mutated", "--json").json["events"]
    return [abs(each["payload"]["choices"]["shift"]) for each in made if "shift" in each["payload"]["choices"]]


def test_chapters_keep_a_parameter_that_was_set_also_past_one_that_failed(mendel, alone):
    first = _run(mendel, *SMALL, "--hold")
    assert mendel("set", first["run_id"], "length=0.001").code == 0
    (first,) = mendel("resume", first["run_id"], "--json").json["runs"]
    failed = _run(mendel, "--follow", first["run_id"], "--hold")
    assert mendel("kill", failed["run_id"]).code == 0
    assert mendel("show", failed["run_id"], "--json").json["status"] == "failed"
    last = _run(mendel, "--follow", failed["run_id"])
    config = _config(mendel, last)
    assert (config["follows"], config["parameters"]["data"]) == (failed["run_id"], {"length": 0.001})
    assert config["challenges_before"] == first["challenges"] > 0
    assert config["ancestors"][0]["candidate_id"] == first["champion"]
    for run in (first, last):
        assert 0.0 < max(_shifts(mendel, run)) <= 0.0005
    usual = _run(mendel, *SMALL, "--set", "target=[0.1]")
    assert max(_shifts(mendel, usual)) > 0.0005


def test_a_foreign_domain_plays_its_own_role_where_nobody_may_be_asked(mendel):
    """Its procedure answers handlers and child operations; vectors and passages are there without any setting."""
    run = ("--seed", "7", "--population", "12", "--generations", "5", "--set", "wonders=true")
    told = mendel("run", "--domain", "reference", *run, "--json")
    assert told.code == 0, told.err
    assert mendel("events", "latest", "--type", "operation.failed", "--json").json["events"] == []
    begun = mendel("events", "latest", "--type", "operation.started", "--json").json["events"]
    steps = {each["payload"]["operation"]["id"]: each["payload"]["operation"]["step"] for each in begun}
    calls = mendel("events", "latest", "--type", "llm_call_telemetry", "--json").json["events"]
    assert {steps[each["operation_id"]] for each in calls} == {"reference.wonder", "reference.counsel"}
    providers = [each["payload"]["provider"] for each in calls]
    assert {(each["provider"], each["model_id"]) for each in providers} == {("offline", "reference.mutator")}
    assert {(each["tokens_in"], each["tokens_out"], each["cost_microusd"]) for each in providers} == {(0, 0, 0)}
    ended = mendel("events", "latest", "--type", "operation.completed", "--json").json["events"]
    wondered = [each["payload"] for each in ended if steps[each["operation_id"]] == "reference.wonder"]
    assert {each["lookups"]["retrievals"][0]["provider"] for each in wondered} == {"curated"}
    born = mendel("events", "latest", "--type", "genome.spawned", "--json").json["events"]
    assert sum(each["payload"]["genome"]["looks"] is not None for each in born) == len(wondered) > 0
    assert mendel("replay", "latest").code == 0


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
    for said in ("Times as close as the original", "+0.", "nudge", "Comparison with plain best-of-N", "Distance</h2>"):
        assert said in page, said
    for unsaid in ("Size", "size of the input", "faster", "Original takes", "winner.patch"):
        assert unsaid not in page, unsaid


def test_of_several_niches_each_winner_has_a_folder_and_none_is_applied_to_files_that_nobody_has(mendel, tmp_path):
    run = (*SMALL, "--population", "16", "--generations", "5", "--set", "niches=2", "--problem", "apart")
    ended = mendel("run", *run)
    assert "# report and winners" in ended.out
    told = mendel("report", "latest", "--out", tmp_path / "out", "--json").json
    folder = tmp_path / "out" / told["run_id"]
    for place, niche in enumerate(("reference_apart", "reference_apart_1")):
        files = told["niches"][place]["winner"]["files"]
        assert (folder / f"{place + 1}-{niche}" / "winner.txt").read_text() == files["point.txt"]
    assert not (folder / "winner.txt").exists()
    refused = mendel("report", "latest", "--out", tmp_path / "out", "--apply")
    assert refused.code == 2
    assert "nothing to apply: the run changes none of your files" in refused.err
    assert "Adopted in 2 of 2 niches" in refused.out


def test_a_run_of_a_domain_without_rows_has_the_report_of_all_runs(mendel, tmp_path):
    run = ("--domain", "noop", "--seed", "7", "--population", "4", "--generations", "1")
    assert "# report\n" in mendel("run", *run).out
    told = mendel("report", "latest", "--out", tmp_path, "--json")
    assert (told.code, told.json["task"], told.json["counts"]["births"]) == (3, None, 4)
    assert sorted(each.name for each in (tmp_path / told.json["run_id"]).iterdir()) == ["report.html", "run.json"]


def test_a_run_has_a_report_after_its_domain_is_gone(mendel, tmp_path, monkeypatch):
    assert mendel("run", *SMALL, "--problem", "left behind").code == 0
    config = mendel("events", "latest", "--type", "run.configured", "--json").json["events"][0]["payload"]["config"]
    assert config["domain_config"]["data"] == {}
    monkeypatch.setattr(sys, "path", path_without_plugins())
    told = mendel("report", "latest", "--out", tmp_path, "--json")
    assert "the report omits the part specific to its domain: " in told.err
    winner = json.loads((tmp_path / told.json["run_id"] / "winner.json").read_text())
    assert (told.code, told.json["adopted"], list(winner)) == (0, True, ["values"])
