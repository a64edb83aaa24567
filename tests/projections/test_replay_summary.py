from datetime import timedelta

from tests.contracts.examples import UUID
from tests.projections.histories import BEGAN, History, folded, whole_run

from mendel.contracts.commands import CommandKind
from mendel.contracts.events import run
from mendel.contracts.statuses import RunStatus
from mendel.projections.replay_summary import ReplaySummaryFold


def summary(history):
    return folded(ReplaySummaryFold(), history.events)


def test_a_whole_run():
    history = whole_run()
    view = summary(history)
    assert view.status is RunStatus.COMPLETED
    assert sum(view.events_by_type.values()) == len(history.events)
    assert view.events_by_type["candidate.created"] == 3
    assert (view.completions, view.failures_by_code) == (5, {"wall_clock": 1})
    assert view.repeated == {"operation-2": 2}
    assert (view.state_digest, view.outcome_digest) == ("a" * 64, "b" * 64)
    assert (view.first_event_at, view.last_event_at) == (BEGAN, history.events[-1].occurred_at)


def test_every_epoch_ends_where_the_next_begins():
    history = History().configured().wait(900).taken_over("host:1").add(run.RunStarted()).wait(5_000)
    view = summary(history.taken_over("host:2").operation(1))
    first, second = view.epochs
    assert (first.conductor, first.from_sequence, first.to_sequence, first.wall_ms) == ("host:1", 1, 2, 100)
    assert (second.conductor, second.from_sequence, second.to_sequence, second.wall_ms) == ("host:2", 3, 4, 100)


def test_a_run_that_nobody_took_has_no_epoch():
    assert summary(History().configured()).epochs == ()


def test_operations_are_repeated_whoever_counted():
    history = History().operation(1).operation(1).operation(2).operation(3, attempt=4).operation(3, attempt=5)
    assert summary(history).repeated == {"operation-1": 2, "operation-3": 5}


def test_failures_are_counted_by_code():
    history = History().failed(1, code="slow").failed(2, code="crashed").failed(3, code="slow")
    assert summary(history).failures_by_code == {"slow": 2, "crashed": 1}


def test_every_terminal_event_records_digests():
    digests = run.RunSummary(state_digest="c" * 64, outcome_digest="d" * 64)
    for payload in (run.RunStopped(reason="r", summary=digests), run.RunFailed(reason="r", summary=digests)):
        view = summary(History().begun().add(payload))
        assert (view.state_digest, view.outcome_digest) == ("c" * 64, "d" * 64)
    assert summary(History().begun()).state_digest is None


def test_commands_are_told():
    refused = run.CommandRefused(command_id=UUID, position=3, kind=CommandKind.KILL, reason="no")
    (row,) = summary(History().add(refused)).commands
    assert (row.position, row.outcome, row.reason) == (3, "refused", "no")


def test_times_are_those_of_the_first_and_the_last_event():
    view = summary(History().configured().wait(400).add(run.RunStarted()))
    assert view.last_event_at - view.first_event_at == timedelta(milliseconds=500)
