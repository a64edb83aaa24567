"""Chapters are found as a chain, wherever one begins to look, and a chain that bites its tail has an end."""

import pytest

from mendel.contracts.ids import new_run_id
from mendel.contracts.log_views import NicheRun, RunOverview, chapters_of
from mendel.contracts.statuses import RunStatus


def chain(*pairs):
    return [RunOverview(run_id=run_id, follows=before) for run_id, before in pairs]


def test_a_chain_is_the_same_from_each_of_its_chapters():
    a, b, c, other = (new_run_id() for _ in range(4))
    runs = chain((c, b), (other, None), (a, None), (b, a))
    assert all([each.run_id for each in chapters_of(runs, one)] == [a, b, c] for one in (a, b, c))
    assert [each.run_id for each in chapters_of(runs, other)] == [other]
    assert chapters_of(runs, new_run_id()) == ()


def test_a_predecessor_that_is_not_there_is_the_beginning_and_a_circle_ends():
    a, b = new_run_id(), new_run_id()
    assert [each.run_id for each in chapters_of(chain((a, b)), a)] == [a]
    assert {each.run_id for each in chapters_of(chain((a, b), (b, a)), a)} == {a, b}


@pytest.mark.parametrize("status", RunStatus)
def test_a_run_claims_its_niche_while_it_may_challenge_there(status):
    assert NicheRun(run_id=new_run_id(), status=status).claims is not status.terminal
    assert not NicheRun(run_id=new_run_id(), status=status, may_challenge=False).claims
