"""What may be asked of a run by the API: stop, kill, cancel, resume; each once for its key, whoever conducts it."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from tests.api.served import LONG, Server, one_server, serving, wait_until

NOBODY = "01890000-0000-7000-8000-000000000000"


pytestmark = [pytest.mark.usefixtures("plugins"), pytest.mark.xdist_group("api commands")]
server = one_server()


def held(server: Server) -> str:
    """A run that was recorded and that nobody has begun."""
    done = server.mendel("run", "--domain", "reference", "--seed", "7", "--generations", "5000", "--hold", "--json")
    assert done.returncode == 0, done.stderr
    return next(run["run_id"] for run in server.runs() if run["status"] == "configured")


def interrupted(server: Server) -> str:
    """A run that had begun, and whose conductor was told to leave it."""
    run_id = server.launch(LONG)
    server.until(run_id, "running", scored=3)
    (pid,) = [pid for pid in server.conductors() if run_id in _words(pid)]
    subprocess.run(["kill", "-INT", str(pid)], check=True)
    wait_until(lambda: server.run(run_id)["conducted"] != "here", "the conductor's end")
    return run_id


def _words(pid: int) -> str:
    with open(f"/proc/{pid}/cmdline") as words:  # noqa: PTH123 - no file
        return words.read()


def commands(server: Server, run_id: str) -> list[str]:
    return [event["type"] for event in server.events(run_id) if event["type"].startswith("command.")]


@pytest.mark.smoke
@pytest.mark.parametrize(("word", "status"), [("stop", "stopped"), ("kill", "failed")])
def test_a_run_that_is_conducted_here_hears_a_command(server, word, status):
    run_id = server.launch(LONG)
    server.until(run_id, "running", scored=2)
    answer = server.post(f"/api/runs/{run_id}/{word}", {"reason": "seen enough"})
    assert answer.status_code == 202
    assert answer.json()["kind"] == word
    assert answer.json()["already"] is False
    server.until(run_id, status)
    accepted = next(event for event in server.events(run_id) if event["type"] == "command.accepted")
    assert accepted["payload"]["command_id"] == answer.json()["command_id"]
    assert accepted["payload"]["payload"] == {"reason": "seen enough"}
    wait_until(lambda: run_id not in {run["run_id"] for run in server.runs() if run["conducted"] == "here"}, "its end")


def test_a_command_is_given_once_for_its_key(server):
    run_id = server.launch(LONG)
    server.until(run_id, "running", scored=2)
    answers = [server.post(f"/api/runs/{run_id}/stop", key="once") for _ in range(3)]
    assert len({answer.json()["command_id"] for answer in answers}) == 1
    assert [answer.json()["already"] for answer in answers] == [False, True, True]
    assert [answer.headers.get("Idempotent-Replay") for answer in answers] == [None, "true", "true"]
    server.until(run_id, "stopped")
    after = server.post(f"/api/runs/{run_id}/stop", key="once")
    assert (after.status_code, after.json()["already"]) == (202, True)
    assert commands(server, run_id) == ["command.accepted"]
    other = server.post(f"/api/runs/{run_id}/stop", {"reason": "another"}, key="once")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


@pytest.mark.parametrize("word", ["stop", "kill", "cancel", "resume"])
def test_what_is_over_stays_so(server, word):
    run_id = server.launch()
    server.until(run_id, "completed")
    before = server.events(run_id)
    answer = server.post(f"/api/runs/{run_id}/{word}")
    assert (answer.status_code, answer.json()["code"]) == (409, "command_not_possible")
    assert answer.headers["content-type"] == "application/problem+json"
    assert server.events(run_id) == before


@pytest.mark.parametrize("word", ["stop", "kill", "cancel", "resume"])
def test_a_run_that_there_is_not_is_told(server, word):
    answer = server.post(f"/api/runs/{NOBODY}/{word}")
    assert (answer.status_code, answer.json()["code"]) == (404, "run_not_found")
    assert server.post(f"/api/runs/nonsense/{word}").status_code == 422


@pytest.mark.parametrize(("word", "status"), [("stop", "stopped"), ("kill", "failed")])
def test_a_run_that_nobody_conducts_hears_a_command_too(server, word, status):
    run_id = interrupted(server)
    assert server.post(f"/api/runs/{run_id}/{word}").status_code == 202
    server.until(run_id, status)
    assert server.mendel("replay", run_id).returncode == 0


def test_only_what_has_not_started_is_cancelled(server):
    run_id = held(server)
    assert "cancel it" in server.post(f"/api/runs/{run_id}/stop").json()["detail"]
    assert server.post(f"/api/runs/{run_id}/cancel").status_code == 202
    server.until(run_id, "cancelled")
    begun = server.launch(LONG)
    server.until(begun, "running")
    answer = server.post(f"/api/runs/{begun}/cancel")
    assert (answer.status_code, answer.json()["code"]) == (409, "command_not_possible")
    assert commands(server, begun) == []
    server.post(f"/api/runs/{begun}/kill")


def test_a_run_that_was_interrupted_goes_on_here(server):
    run_id = interrupted(server)
    before = server.events(run_id)
    answer = server.post(f"/api/runs/{run_id}/resume")
    assert (answer.status_code, answer.json()["conducted"]) == (202, "here")
    assert server.run(run_id)["conducted"] == "here"
    server.until(run_id, "running", scored=server.run(run_id)["scored"] + 3)
    assert server.events(run_id)[: len(before)] == before
    again = server.post(f"/api/runs/{run_id}/resume")
    assert (again.status_code, again.json()["conducted"]) == (202, "here")
    server.post(f"/api/runs/{run_id}/kill")
    server.until(run_id, "failed")
    ended = [line for line in server.told("conductor_ended") if line["run_id"] == run_id]
    assert ended[0]["reason"] == "interrupted"
    wait_until(lambda: server.told("conductor_ended")[-1].get("message"), "the end of the conductor")
    assert server.told("conductor_ended")[-1]["message"] == "the run is failed"


def test_a_run_is_resumed_once_for_a_key(server):
    run_id = interrupted(server)
    answers = [server.post(f"/api/runs/{run_id}/resume", key="again") for _ in range(2)]
    assert [answer.headers.get("Idempotent-Replay") for answer in answers] == [None, "true"]
    server.post(f"/api/runs/{run_id}/kill")
    server.until(run_id, "failed")
    after = server.post(f"/api/runs/{run_id}/resume", key="again")
    assert (after.status_code, after.headers["Idempotent-Replay"]) == (202, "true")
    other = server.post(f"/api/runs/{NOBODY}/resume", key="again")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


def test_a_run_that_somebody_else_conducts_is_left_to_them_and_hears_all_the_same(server):
    config = ["--set", "pause_ms=20", "--set", "challenge=false", "--seed", "11"]
    command = [sys.executable, "-m", "mendel", "run", "--domain", "reference", "--generations", "5000", *config]
    with subprocess.Popen(
        command, cwd=server.folder, env=server.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as other:
        wait_until(lambda: any(run["rng_seed"] == 11 and run["scored"] for run in server.runs()), "the other's run")
        run_id = next(run["run_id"] for run in server.runs() if run["rng_seed"] == 11)
        assert server.run(run_id)["conducted"] == "elsewhere"
        answer = server.post(f"/api/runs/{run_id}/resume")
        assert (answer.status_code, answer.json()["code"]) == (409, "run_busy")
        assert server.post(f"/api/runs/{run_id}/stop").status_code == 202
        server.until(run_id, "stopped")
        assert other.wait(60) == 0


def test_readers_write_nothing(server):
    run_id = server.launch()
    server.until(run_id, "completed")
    kept = {path: path.read_bytes() for path in (server.folder / "home").rglob("*") if path.is_file()}
    for path in ("", "/history", "/events", "/lineage", "/health", "/replay", "/final", "/export"):
        assert server.get(f"/api/runs/{run_id}{path}").status_code == 200, path
    for path in ("/api/runs", "/api/domains", "/api/config/caps"):
        assert server.get(path).status_code == 200
    assert {path: path.read_bytes() for path in (server.folder / "home").rglob("*") if path.is_file()} == kept


def test_commands_of_one_who_left_are_heard_when_the_server_is_back(tmp_path):
    with serving(tmp_path) as server:
        run_id = server.launch(LONG)
        server.until(run_id, "running", scored=2)
        server.end(signal.SIGKILL)
    with serving(tmp_path, "--no-resume") as server:
        assert server.run(run_id)["status"] == "running"
        assert not server.conductors()
        server.post(f"/api/runs/{run_id}/stop", key="again")
        server.until(run_id, "stopped")
    with serving(tmp_path) as server:
        answer = server.post(f"/api/runs/{run_id}/stop", key="again")
        assert (answer.status_code, answer.json()["already"]) == (202, True)
        assert commands(server, run_id) == ["command.accepted"]


# --- proposals -------------------------------------------------------------------------------------------------


def _proposals(server: Server, run_id: str) -> dict[str, dict]:
    told = server.client.get(f"/api/runs/{run_id}/proposals").json()["proposals"]
    return {each["proposal_id"]: each for each in told}


def test_what_is_proposed_is_queryable_with_its_status_and_the_reason_of_a_refusal(server):
    run_id = server.launch(LONG)
    server.until(run_id, "running", scored=2)
    path = f"/api/runs/{run_id}/proposals"
    better, odd = {"content": {"values": [0.25, -0.5, 0.75]}}, {"content": {"values": [1]}}
    taken, refused = server.post(path, better), server.post(path, odd)
    assert (taken.status_code, refused.status_code) == (202, 202)
    first, second = taken.json()["proposal_id"], refused.json()["proposal_id"]
    wait_until(lambda: _proposals(server, run_id)[first]["genome_id"] is not None, "the genome")
    wait_until(lambda: _proposals(server, run_id)[second]["status"] != "waiting", "the answer")
    told = _proposals(server, run_id)
    assert list(told) == [first, second]
    assert (told[first]["status"], told[first]["content"]) == ("accepted", better["content"])
    assert (told[second]["status"], told[second]["genome_id"]) == ("refused", None)
    assert told[second]["reason"] == "a proposal has as many values as the target"
    born = next(each for each in server.events(run_id) if each["genome_id"] == told[first]["genome_id"])
    assert born["correlation_id"] == first
    server.post(f"/api/runs/{run_id}/stop", {"reason": "seen enough"})
    server.until(run_id, "stopped")
    late = server.post(path, better)
    assert (late.status_code, late.json()["code"]) == (409, "command_not_possible")


def test_a_key_proposes_once(server):
    run_id = server.launch(LONG)
    server.until(run_id, "running", scored=2)
    path, better = f"/api/runs/{run_id}/proposals", {"content": {"values": [0.25, -0.5, 0.75]}}
    first, again = server.post(path, better, key="a-proposal"), server.post(path, better, key="a-proposal")
    assert first.json()["proposal_id"] == again.json()["proposal_id"]
    assert (first.json()["already"], again.json()["already"]) == (False, True)
    other = server.post(path, {"content": {"values": [1, 2, 3]}}, key="a-proposal")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert len(_proposals(server, run_id)) == 1
    server.post(f"/api/runs/{run_id}/kill", {"reason": "seen enough"})
    server.until(run_id, "failed")


# --- parameters ------------------------------------------------------------------------------------------------


def test_parameters_are_admitted_by_the_domain_or_refused_and_the_events_say_from_when_on(server):
    run_id = server.launch(LONG)
    server.until(run_id, "running", scored=2)
    path, shorter = f"/api/runs/{run_id}/parameters", {"domain": {"length": 0.1}, "slots": 1}
    taken, again = server.post(path, shorter, key="shorter"), server.post(path, shorter, key="shorter")
    assert (taken.status_code, taken.json()["already"], again.json()["already"]) == (202, False, True)
    assert again.headers["Idempotent-Replay"] == "true"
    other = server.post(path, {"slots": 2}, key="shorter")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    refused = server.post(path, {"domain": {"width": 3}})
    assert [server.post(path, body).status_code for body in ({}, {"slots": 0}, {"length": 1})] == [422, 422, 422]
    wait_until(lambda: len(commands(server, run_id)) == 2, "the answers")
    accepted, denied = [each["payload"] for each in server.events(run_id) if each["type"].startswith("command.")]
    assert (accepted["command_id"], accepted["parameters"]["data"]) == (taken.json()["command_id"], {"length": 0.1})
    assert (denied["command_id"], denied["reason"]) == (
        refused.json()["command_id"],
        "the only parameter is length, a number above nought",
    )
    server.post(f"/api/runs/{run_id}/stop", {"reason": "seen enough"})
    server.until(run_id, "stopped")
    late = server.post(path, shorter)
    assert (late.status_code, late.json()["code"]) == (409, "command_not_possible")
