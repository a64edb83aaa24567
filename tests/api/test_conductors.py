"""The processes that conduct runs for a server: how many at once, how they end, and that none is left behind."""

from __future__ import annotations

import os
import signal

import pytest
from tests.api.served import LONG, SMALL, alive, serving, wait_until

pytestmark = pytest.mark.usefixtures("plugins")


def test_so_many_are_conducted_at_once_and_the_rest_wait_in_order(tmp_path):
    with serving(tmp_path, MENDEL_KERNEL__MAX_RUNS="1") as server:
        first = server.launch(LONG)
        server.until(first, "running", scored=1)
        waiting = [server.launch({**SMALL, "rng_seed": seed}) for seed in (1, 2)]
        assert len(server.conductors()) == 1
        assert {server.run(run_id)["status"] for run_id in waiting} == {"configured"}
        assert {server.run(run_id)["conducted"] for run_id in waiting} == {"here"}
        server.post(f"/api/runs/{first}/stop")
        for run_id in waiting:
            server.until(run_id, "completed")
        assert [line["run_id"] for line in server.told("conductor_began")] == [first, *waiting]
        wait_until(lambda: len(server.told("conductor_ended")) == 3, "the end of the last process")
        assert {line["code"] for line in server.told("conductor_ended")} == {0}


def test_one_that_waits_for_its_turn_can_be_called_off(tmp_path):
    with serving(tmp_path, MENDEL_KERNEL__MAX_RUNS="1") as server:
        first = server.launch(LONG)
        waiting = server.launch(SMALL)
        assert server.post(f"/api/runs/{waiting}/cancel").status_code == 202
        server.until(waiting, "cancelled")
        server.post(f"/api/runs/{first}/kill")
        server.until(first, "failed")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_end_loses_no_event_and_the_next_goes_on(tmp_path, number):
    with serving(tmp_path) as server:
        run_id = server.launch(LONG)
        server.until(run_id, "running", scored=3)
        conductors = server.conductors()
        with server.client.stream("GET", f"/api/runs/{run_id}/stream") as stream:
            lines = stream.iter_lines()
            next(lines)
            server.process.send_signal(number)
            seen = [line for line in lines if line.startswith("id: ")]
        assert seen
        assert server.end() == 0
        assert not any(map(alive, conductors))
        assert server.told("conductor_ended")[-1]["reason"] == "interrupted"
    with serving(tmp_path) as server:
        assert len(server.events(run_id)) > len(seen)
        assert server.mendel("log", "verify", run_id).returncode == 0
        server.until(run_id, "running", scored=server.run(run_id)["scored"] + 2)
        assert server.run(run_id)["conducted"] == "here"
        server.post(f"/api/runs/{run_id}/stop")
        server.until(run_id, "stopped")
        assert server.mendel("replay", run_id).returncode == 0


@pytest.mark.smoke
def test_a_server_that_is_killed_leaves_no_conductor_behind(tmp_path):
    with serving(tmp_path) as server:
        run_id = server.launch(LONG)
        server.until(run_id, "running", scored=2)
        conductors = server.conductors()
        server.end(signal.SIGKILL)
        wait_until(lambda: not any(map(alive, conductors)), "the end of its conductors")
    with serving(tmp_path) as server:
        server.until(run_id, "running", scored=4)
        server.post(f"/api/runs/{run_id}/kill")
        server.until(run_id, "failed")
        assert server.mendel("replay", run_id).returncode == 0


def test_a_conductor_that_is_killed_is_followed_by_another(tmp_path):
    with serving(tmp_path) as server:
        run_id = server.launch(LONG)
        server.until(run_id, "running", scored=2)
        before = server.events(run_id)
        (pid,) = server.conductors()
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: server.told("conductor_died"), "its death")
        assert server.run(run_id)["conducted"] == "here"
        server.until(run_id, "running", scored=server.run(run_id)["scored"] + 2)
        assert len(server.told("conductor_began")) == 2
        assert server.events(run_id)[: len(before)] == before
        server.post(f"/api/runs/{run_id}/kill")
        server.until(run_id, "failed")
        assert server.mendel("replay", run_id).returncode == 0


def test_a_server_ends_while_it_waits_for_another_try(tmp_path):
    with serving(tmp_path) as server:
        run_id = server.launch(LONG)
        server.until(run_id, "running", scored=1)
        os.kill(server.conductors()[0], signal.SIGKILL)
        wait_until(lambda: server.told("conductor_died"), "its death")
        assert server.end() == 0
        assert len(server.told("conductor_began")) == 1


def test_what_was_only_recorded_waits_and_what_a_server_accepted_does_not(tmp_path):
    with serving(tmp_path, MENDEL_KERNEL__MAX_RUNS="1") as server:
        first = server.launch(LONG)
        server.until(first, "running")
        accepted = server.launch(SMALL)  # it waits for its turn, and its server dies
        server.mendel("run", "--domain", "reference", "--seed", "9", "--hold")
        server.end(signal.SIGKILL)
    with serving(tmp_path) as server:
        server.until(accepted, "completed")
        assert [run["status"] for run in server.runs() if run["rng_seed"] == 9] == ["configured"]
        server.post(f"/api/runs/{first}/kill")
        server.until(first, "failed")


def test_a_run_that_cannot_be_conducted_here_is_told(tmp_path):
    with serving(tmp_path) as server:
        run_id = server.launch(LONG)
        server.until(run_id, "running", scored=1)
    without = {"PYTHONPATH": ""}  # the domain is not installed any more
    with serving(tmp_path, **without) as server:
        wait_until(lambda: server.told("conductor_ended"), "the end of the conductor")
        (told,) = server.told("conductor_ended")
        assert told["reason"] == "unknown_plugin"
        assert told["level"] == "warning"
        answer = server.post(f"/api/runs/{run_id}/resume")
        assert (answer.status_code, answer.json()["code"]) == (409, "command_not_possible")
        assert "reference" in answer.json()["detail"]
        assert server.run(run_id)["status"] == "running"
