"""What every fold promises, whatever it shows."""

import copy

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.projections.histories import RUN_ID, WORDING, folded, odd_histories, shuffled_runs, whole_run
from tests.support.rows import check_rows

from mendel.projections.current_state import StateFold
from mendel.projections.explanation import ExplanationFold
from mendel.projections.health import HealthFold, RunFold
from mendel.projections.leaderboard import LeaderboardFold
from mendel.projections.lineage import LineageFold
from mendel.projections.replay_summary import ReplaySummaryFold

FOLDS = {
    "run": RunFold,
    "lineage": lambda: LineageFold(WORDING),
    "health": lambda: HealthFold(WORDING),
    "leaderboard": lambda: LeaderboardFold(top=2),
    "state": StateFold,
    "replay": ReplaySummaryFold,
    "explanation": lambda: ExplanationFold("candidate-1"),
}
every_fold = check_rows("make", FOLDS.values())
histories = st.one_of(st.just(whole_run().events), odd_histories(), shuffled_runs())


@every_fold
def test_nothing_is_said_before_the_first_event(make):
    assert make().view() is None


@every_fold
@settings(max_examples=30, deadline=None)
@given(events=histories, data=st.data())
def test_a_resumed_fold_arrives_where_one_in_one_go_does(make, events, data):
    split = data.draw(st.integers(0, len(events)))
    first = make()
    early = folded(first, events[:split])
    kept = early and early.model_dump_json()
    resumed = copy.deepcopy(first)
    assert folded(first, events[split:]) == folded(make(), events)
    assert folded(resumed, events[split:]) == folded(make(), events)
    assert (early and early.model_dump_json()) == kept


@every_fold
@settings(max_examples=30, deadline=None)
@given(events=histories)
def test_events_are_left_as_they_were(make, events):
    before = [event.model_dump_json() for event in events]
    folded(make(), events)
    assert [event.model_dump_json() for event in events] == before


@every_fold
@settings(max_examples=30, deadline=None)
@given(events=histories)
def test_a_view_says_what_it_was_built_through(make, events):
    fold = make()
    for event in events:
        assert fold.take(event) is fold
        if view := fold.view():
            assert (view.run_id, view.sequence_through) == (RUN_ID, event.sequence)


@every_fold
def test_a_view_travels_as_json(make):
    view = folded(make(), whole_run().events)
    assert type(view).model_validate_json(view.model_dump_json()) == view


@every_fold
def test_looking_changes_nothing(make):
    events = whole_run().events
    looked = make()
    for event in events:
        looked.take(event).view()
    assert looked.view() == looked.view() == folded(make(), events)
