"""Launching by the API: one wish, one run; caps hold before anything is recorded; strangers' text stays walled."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.api.served import LONG, SMALL, Server, one_server, serving

from mendel.contracts.entropy import Entropy

SORT = (Path(__file__).parents[2] / "examples" / "bad_sort.py").read_text()
PROGRAM = {"domain": "programs", "inputs": {"source": SORT, "function": "sort", "candidates": 2}}


pytestmark = [pytest.mark.usefixtures("plugins"), pytest.mark.xdist_group("api launching")]
server = one_server(MENDEL_CEILINGS__MAX_POPULATION="50")


def refused(server: Server, body: object, code: str, status: int = 422) -> str:
    """Why nothing came of it; and nothing did: the log has no run more."""
    before = {run["run_id"] for run in server.runs()}
    answer = server.post("/api/runs", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert {run["run_id"] for run in server.runs()} == before
    return str(answer.json()["detail"])


@pytest.mark.smoke
def test_a_run_is_begun_and_conducted_to_its_end(server):
    run_id = server.launch({**SMALL, "problem": "come closer", "slots": 3, "selector": "tournament"})
    run = server.until(run_id, "completed")
    assert run["problem"] == "come closer"
    assert run["rng_seed"] == 7
    assert run["config"]["slots"] == 3
    assert run["caps"]["max_population"] == 6
    assert run["best_fitness"] is not None
    assert server.mendel("replay", run_id).returncode == 0
    began = [line for line in server.told("conductor_began") if line["run_id"] == run_id]
    assert len(began) == 1


def test_it_comes_out_as_the_same_run_at_the_command_line_does(server):
    run_id = server.launch(SMALL)
    server.until(run_id, "completed")
    alone = ("--problem", "the twin's own")  # in a niche of its own: nobody's champion, and k from its beginning
    size = ("--seed", "7", "--population", "6", "--generations", "2")
    twin = server.mendel("run", "--domain", "reference", *size, *alone)
    assert twin.returncode == 0, twin.stderr
    digests = [_digest(server, each) for each in (run_id, "latest")]
    assert digests[0] == digests[1]


def _digest(server: Server, run: str) -> str:
    said = server.mendel("replay", run).stdout
    return next(line.split()[-3:] for line in said.splitlines() if "outcome" in line)


@pytest.mark.smoke
@pytest.mark.parametrize("cap", ["max_population", "max_generations", "energy_budget", "wall_clock_ms"])
def test_a_cap_above_its_ceiling_is_refused_before_anything_is_recorded(server, cap):
    told = refused(server, {**SMALL, "caps": {cap: 2**50}}, "run_refused")
    assert cap in told
    assert "ceiling" in told


@pytest.mark.parametrize("cap", ["12", True, 1.5])
def test_a_cap_is_a_whole_number_and_nothing_that_could_be_taken_for_one(server, cap):
    refused(server, {**SMALL, "caps": {"max_tokens": cap}}, "invalid_request")


def test_what_a_form_asks_for_above_a_ceiling_is_refused_too(server):
    body = {"domain": "programs", "inputs": {**PROGRAM["inputs"], "population": 51}}
    assert "max_population 51 > 50" in refused(server, body, "run_refused")


def test_a_default_gives_way_to_a_lower_ceiling(server):
    caps = server.get("/api/config/caps").json()
    assert caps["ceilings"]["max_population"] == 50
    assert caps["defaults"]["max_population"] == 20
    assert server.post("/api/runs/estimate", PROGRAM).status_code == 200


def test_what_is_not_there_is_refused(server):
    assert "reference" in refused(server, {"domain": "nobody"}, "unknown_plugin")
    refused(server, {**SMALL, "selector": "nobody"}, "unknown_plugin")
    assert "founders" in refused(server, {**SMALL, "config": {"founders": 0}}, "config")
    refused(server, {**SMALL, "inputs": {"source": "x"}}, "run_refused")
    assert "models" in refused(server, {**SMALL, "model_profile": "live"}, "run_refused")
    refused(server, {**SMALL, "unheard_of": 1}, "invalid_request")


def test_an_estimate_records_nothing_and_needs_no_key(server):
    before = server.runs()
    answer = server.client.post("/api/runs/estimate", json=SMALL)
    assert answer.status_code == 200
    assert answer.json()["energy"] == 100_000
    assert answer.json()["cost_microusd"] == 0
    assert server.runs() == before
    over = server.client.post("/api/runs/estimate", json={**SMALL, "caps": {"max_population": 51}})
    assert over.json()["code"] == "run_refused"


@pytest.mark.parametrize(
    "wrong", [{"selector": "nobody"}, {"problem": "a\0b"}, {"config": {"founders": 0}}, {"caps": {"max_tokens": 2**50}}]
)
def test_an_estimate_refuses_what_launching_refuses(server, wrong):
    body = {**SMALL, **wrong}
    asked = server.client.post("/api/runs/estimate", json=body)
    launched = server.post("/api/runs", body, "refused")
    assert asked.status_code == launched.status_code == 422
    assert asked.json()["code"] == launched.json()["code"]


# --- keys --------------------------------------------------------------------------------------------------


def test_the_same_key_makes_one_run(server):
    body = {**SMALL, "problem": "one run"}
    first = server.post("/api/runs", body, "one")
    again = server.post("/api/runs", body, "one")
    assert first.json() == again.json()
    assert "Idempotent-Replay" not in first.headers
    assert again.headers["Idempotent-Replay"] == "true"
    assert server.launch({**SMALL, "problem": "another run"}, "another") != first.json()["run_id"]


def test_the_same_key_with_another_body_is_refused(server):
    server.launch({**SMALL, "problem": "reused"}, "reused")
    before = server.runs()
    answer = server.post("/api/runs", {**SMALL, "rng_seed": 8}, "reused")
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    assert len(server.runs()) == len(before)


@pytest.mark.parametrize("odd", [2**70, -(10**4_000), "\ud800"])
def test_the_same_key_with_what_no_log_takes_is_refused(server, odd):
    server.launch({**SMALL, "problem": "odd"}, "odd")
    body = json.dumps({**SMALL, "config": {"founders": odd}})
    headers = {"Content-Type": "application/json", "Idempotency-Key": "odd"}
    answer = server.client.post("/api/runs", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    headers["Idempotency-Key"] = "odd, too"
    assert server.client.post("/api/runs", content=body, headers=headers).status_code == 422


def test_many_at_once_with_one_key_make_one_run(server):
    before = len(server.runs())
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda _: server.post("/api/runs", {**SMALL, "problem": "at once"}, "at once"), range(8))
        )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["run_id"] for answer in answers}) == 1
    assert sum("Idempotent-Replay" not in answer.headers for answer in answers) == 1
    assert len(server.runs()) == before + 1


@pytest.mark.parametrize("key", ["", "x" * 201, "tab\tbed"])
def test_a_key_that_is_none_is_refused(server, key):
    headers = {"Idempotency-Key": key}
    for path, body in (("/api/runs", SMALL), (f"/api/runs/{server.launch()}/stop", None)):
        answer = server.client.post(path, json=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (400, "idempotency_key_required")


def test_no_change_is_made_without_a_key(server):
    run_id = server.launch(LONG)
    before = len(server.runs())
    assert server.client.post("/api/runs", json=SMALL).status_code == 400
    for word in ("stop", "kill", "cancel", "resume"):
        assert server.client.post(f"/api/runs/{run_id}/{word}").status_code == 400
    assert len(server.runs()) == before
    assert not [event for event in server.events(run_id) if event["type"].startswith("command.")]
    server.post(f"/api/runs/{run_id}/kill")


def test_a_key_outlives_the_server_that_took_it(tmp_path):
    body = {key: value for key, value in SMALL.items() if key != "rng_seed"}
    with serving(tmp_path) as server:
        run_id = server.launch(body, "before")
        seed = server.until(run_id, "completed")["rng_seed"]
    with serving(tmp_path) as server:
        again = server.post("/api/runs", body, "before")
        assert again.json()["run_id"] == run_id
        assert again.headers["Idempotent-Replay"] == "true"
        assert server.post("/api/runs", {**body, "slots": 3}, "before").json()["code"] == "idempotency_key_reused"
        assert [run["run_id"] for run in server.runs()] == [run_id]
        other = server.launch(body, "after")
        assert server.run(other)["rng_seed"] != seed


# --- forms -------------------------------------------------------------------------------------------------


def test_every_domain_says_how_it_is_launched(server):
    domains = {domain["name"]: domain for domain in server.get("/api/domains").json()}
    assert domains["programs"]["launchable"]
    form = domains["programs"]["form"]
    assert list(form["schema"]["properties"])[:2] == ["source", "function"]
    assert form["part"] == "inputs"
    assert domains["reference"]["form"]["part"] == "config"
    assert "founders" in domains["reference"]["form"]["schema"]["properties"]
    assert not domains["texts"]["launchable"]
    assert "allow_commands" in domains["texts"]["refusal"]


def test_every_example_of_a_form_can_be_launched(server):
    for domain in server.get("/api/domains").json():
        for example in (domain["form"] or {}).get("examples", ()) if domain["launchable"] else ():
            body = {"domain": domain["name"], "inputs": example["inputs"]}
            assert server.post("/api/runs/estimate", body).status_code == 200, example["title"]


def test_a_pasted_function_is_bred(server):
    run = server.until(server.launch(PROGRAM), "completed", "stopped")
    assert run["problem"] == "program.py:sort"
    assert run["caps"]["max_candidates"] == 2
    task = run["config"]["domain_config"]["data"]
    assert task["files"] == {"program.py": SORT}
    assert task["path"] == "program.py"
    assert task["reference"] is not None
    assert str(server.folder) not in str(run["config"])


@pytest.mark.parametrize(
    ("inputs", "code", "words"),
    [
        ({"source": SORT, "function": "sart"}, "no_such_function", "program.py has no function 'sart'"),
        ({"source": "def f(:", "function": "f"}, "source_not_python", "program.py"),
        ({"source": "def f(x):\n    return x\n", "function": "f"}, "no_inputs", "type hint"),
        ({"source": SORT, "function": "sort", "objective": "beauty"}, "config", "beauty"),
        ({"source": SORT, "function": "sort", "objective": "score"}, "config", "score"),
        ({"source": SORT, "function": "sort", "target": "many"}, "config", "many"),
        ({"source": SORT, "function": "sort", "name": "../up.py"}, "config", "name"),
        ({"source": SORT, "function": "sort", "task": "import os"}, "config", "task"),
        ({"source": SORT}, "config", "function"),
    ],
)
def test_a_pasted_function_that_cannot_be_is_told_by_the_name_that_it_has_here(server, inputs, code, words):
    told = refused(server, {"domain": "programs", "inputs": inputs}, code)
    assert words in told
    assert "/tmp" not in told


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"inputs": {"source": SORT, "function": "sort", "objective": "beauty"}}, ["inputs.objective"]),
        ({"inputs": {"source": SORT, "function": "sort", "population": 1}}, ["inputs.population"]),
        ({"inputs": {"source": SORT}}, ["inputs.function"]),
        ({"inputs": PROGRAM["inputs"], "caps": {"max_tokens": 2**50}}, ["caps.max_tokens"]),
    ],
)
def test_what_is_wrong_is_told_by_its_field(server, wrong, where):
    told = server.post("/api/runs", {"domain": "programs", **wrong}).json()
    assert [field["where"] for field in told["fields"]] == where
    assert all(field["message"] for field in told["fields"])


def test_a_file_beside_the_server_is_not_taken_along(server):
    (server.folder / "beside.py").write_text("SECRET = 1\n")
    source = "from beside import SECRET\n\n\n" + SORT
    task = {"domain": "programs", "inputs": {"source": source, "function": "sort", "candidates": 2}}
    answer = server.post("/api/runs", task)
    assert answer.status_code == 422, answer.text  # behind the wall there is no such module
    assert "SECRET = 1" not in answer.text


def test_rules_that_would_run_outside_the_sandbox_cannot_be_handed_in(server):
    config = {"spec": {"source": "import os; os.system('touch /tmp/owned')", "path": "task.py"}}
    assert "inputs" in refused(server, {"domain": "programs", "config": config}, "run_refused")


def test_what_a_foreign_planner_measures_is_asked_through_a_step_of_its_own(server):
    body = {"domain": "noop", "inputs": {"purpose": "peas"}, "rng_seed": 7, "caps": {"max_generations": 2}}
    run = server.until(server.launch(body), "completed")
    weight = 2 * Entropy(7, "draft").below(10, "weight")
    assert re.fullmatch(rf"peas, weighing {weight}\.0 after (full|namespaces|landlock) walls", run["problem"])


def test_commands_need_the_consent_of_whoever_runs_the_server(server):
    inputs = {"source": "BEGIN { print 1 }\n", "name": "one.awk", "run": "awk -f one.awk"}
    assert "allow_commands" in refused(server, {"domain": "texts", "inputs": inputs}, "run_refused")


def test_with_consent_a_pasted_text_is_bred_and_takes_no_file_of_the_server_along(tmp_path):
    (tmp_path / "private.txt").write_text("nobody's business\n")
    source = "BEGIN { for (i = 0; i < 20000; i++) s += i\n  print s }\n"
    inputs = {"source": source, "name": "sum.awk", "run": "awk -f sum.awk; true private.txt", "candidates": 2}
    with serving(tmp_path, MENDEL_SANDBOX__ALLOW_COMMANDS="true") as server:
        run = server.until(server.launch({"domain": "texts", "inputs": inputs}), "completed", "stopped")
        assert run["config"]["domain_config"]["data"]["files"] == {"sum.awk": source}
        assert "nobody's business" not in str(run)


def test_a_secret_in_a_pasted_text_is_refused_and_not_told(tmp_path):
    secret = "a-long-token-of-nobody-0123456789"
    source = f'KEY = "{secret}"\n\n\n{SORT}'
    body = {"domain": "programs", "inputs": {"source": source, "function": "sort"}}
    with serving(tmp_path, MENDEL_LOG__SECRET_ENVS="LAB_SECRET", LAB_SECRET=secret) as server:
        assert "secret" in refused(server, body, "config")
        assert secret not in server.post("/api/runs", body).text
        assert secret not in server.said()
