"""Plug-ins are tested through the door that everybody uses: a real distribution, really installed."""

import json
import subprocess
import sys

import pytest
from tests.cli.conftest import alone, mendel
from tests.plugins import installed_plugins

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
