"""Rows from events: the same whether a fold reads everything or goes on from rows, and as the other folds see it."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st
from tests.projections.histories import RUN_ID, folded, odd_histories, shuffled_runs, whole_run

from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.contracts.read_models import TABLES
from mendel.ports.read_models import Step
from mendel.projections.current_state import StateFold
from mendel.projections.health import RunFold
from mendel.projections.lineage import LineageFold
from mendel.projections.tables import TableFold

HISTORIES = st.one_of(st.just(whole_run().events), odd_histories(), shuffled_runs())


def rows_after(*folds_and_events):
    """The rows that are left when each fold in turn has taken its events, whatever the one before has left."""

    async def store():
        models = MemoryReadModels()
        for make, events in folds_and_events:
            known = {name: await models.rows(RUN_ID, name) for name in TABLES}
            fold = make(known)
            await models.store(RUN_ID, [Step(event.sequence, fold.take(event)) for event in events])
        return {name: list(await models.rows(RUN_ID, name)) for name in TABLES}

    return asyncio.run(store())


def whole(events):
    return rows_after((lambda _: TableFold(), events))


def by_key(rows, table):
    return {row.key: row.values for row in rows[table]}


@given(events=HISTORIES, data=st.data())
def test_who_goes_on_from_rows_arrives_where_one_in_one_go_does(events, data):
    split = data.draw(st.integers(0, len(events)))
    stopped = rows_after((lambda _: TableFold(), events[:split]), (TableFold.restored, events[split:]))
    assert stopped == whole(events)


@given(events=HISTORIES)
def test_a_row_says_when_it_began_and_what_touched_it_last(events):
    last = max((event.sequence for event in events), default=-1)
    for rows in whole(events).values():
        assert all(0 <= row.first <= row.last <= last for row in rows)
        assert [row.first for row in rows] == sorted(row.first for row in rows)


def test_the_run_is_told_as_the_other_fold_tells_it():
    events = whole_run().events
    view, told = folded(RunFold(), events), by_key(whole(events), "runs")[RUN_ID]
    assert told["status"] == view.status
    assert told["events"] == len(events)
    assert (told["best_fitness"], told["best_candidate_id"]) == (view.best_fitness, view.best_candidate_id)
    assert told["energy_spent"] == view.energy_spent
    assert (told["domain"], told["problem"]) == (view.config.domain, view.config.problem)
    assert told["started_at"] == view.started_at.isoformat()
    assert told["last_event_at"] == view.last_event_at.isoformat()


def test_states_are_those_of_the_other_fold():
    events = whole_run().events
    view, rows = folded(StateFold(), events), whole(events)
    assert {key: each["status"] for key, each in by_key(rows, "candidates").items()} == {
        each.id: each.status for each in view.candidates
    }
    assert {key: each["status"] for key, each in by_key(rows, "genomes").items()} == {
        each.id: each.status for each in view.genomes
    }


def test_edges_are_those_of_the_other_fold():
    events = whole_run().events
    drawn = {
        edge.id: edge.label
        for edge in folded(LineageFold(), events).edges
        if edge.kind in ("parent_of", "member_of", "expressed")
    }
    assert {key: each.get("label") for key, each in by_key(whole(events), "lineage_edges").items()} == drawn


def test_a_run_as_it_was_is_what_came_no_later():
    events = whole_run().events
    rows = whole(events)
    for upto in range(len(events)):
        early = whole(events[: upto + 1])
        then = {}
        for row in rows["transitions"]:
            if row.first <= upto:
                then[row.values["table"], row.values["subject"]] = row.values["status"]
        assert {key: status for (table, key), status in then.items() if table == "candidates"} == {
            key: each["status"] for key, each in by_key(early, "candidates").items()
        }
        flying = [
            row.key for row in rows["operations"] if row.first <= upto and (row.values["ended"] or upto + 1) > upto
        ]
        assert flying == [row.key for row in early["operations"] if row.values["ended"] is None]
