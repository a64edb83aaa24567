"""`mendel watch` and `mendel db projections`: they read, and change nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.plugins import installed_plugins

pytestmark = pytest.mark.usefixtures("file_log", "one_worker")

RUN = ("run", "--domain", "reference", "--seed", "7", "--population", "6", "--generations", "2", "--json")


@pytest.fixture(scope="module", autouse=True)
def plugins(tmp_path_factory):
    with installed_plugins(tmp_path_factory.mktemp("site")):
        yield


@pytest.fixture
def run_id(mendel):
    (run,) = mendel(*RUN).json["runs"]
    return run["run_id"]


def test_a_run_that_is_over_is_shown_at_once_and_left_as_it_was(mendel, run_id):
    before = mendel("events", run_id, "--json").out
    told = mendel("watch", run_id)
    assert told.code == 0
    assert "completed" in told.out
    assert "best" in told.out
    watched = mendel("watch", "latest", "--json").json
    assert (watched["run_id"], watched["status"], watched["in_flight"]) == (run_id, "completed", [])
    assert mendel("events", run_id, "--json").out == before


def test_it_waits_for_the_end_of_a_run_that_somebody_else_conducts(mendel):
    (held,) = mendel(*RUN, "--hold").json["runs"]
    assert mendel("watch", held["run_id"], "--once", "--json").json["status"] == "configured"
    conducting = subprocess.Popen(
        [sys.executable, "-m", "mendel", "resume", held["run_id"]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    told = mendel("watch", held["run_id"])
    assert conducting.wait() == 0
    assert "completed" in told.out


def test_who_is_not_there_is_said(mendel, run_id):
    told = mendel("watch", "no-such-run")
    assert told.code != 0
    assert "no-such-run" in told.err


def test_tables_are_made_of_the_log_as_often_as_one_likes(mendel, run_id):
    (made,) = mendel("db", "projections", "--json").json["runs"]
    events = mendel("events", run_id, "--json").json["events"]
    assert (made["run_id"], made["through"]) == (run_id, events[-1]["sequence"])
    assert made["rows"]["candidates"] == sum(event["type"] == "candidate.created" for event in events)
    assert made["rows"]["genomes"] == sum(event["type"] == "genome.spawned" for event in events)
    assert mendel("db", "projections", run_id, "--rebuild", "--json").json["runs"] == [made]
    assert run_id in mendel("db", "projections").out


def test_where_nothing_was_bred_there_is_nothing_to_make(mendel):
    assert "No runs yet" in mendel("db", "projections").out
