from hypothesis import given
from hypothesis import strategies as st
from tests.projections.histories import History, folded, whole_run

from mendel.contracts.events import candidate, genome
from mendel.contracts.statuses import CandidateStatus
from mendel.projections.leaderboard import LeaderboardFold


def board(history, top=20):
    return folded(LeaderboardFold(top=top), history.events).standings


def order(history, top=20):
    return [standing.candidate_id for standing in board(history, top)]


def test_a_whole_run():
    first, second, third = board(whole_run())
    assert (first.rank, first.candidate_id, first.genome_id, first.birth) == (1, "candidate-2", "genome-2", 2)
    assert (first.generation, first.total, first.components) == (1, 0.75, {"speed": 0.75})
    assert (first.policy_version, first.status, first.champion) == ("default-1", CandidateStatus.SELECTED, True)
    assert [second.candidate_id, third.candidate_id] == ["candidate-0", "candidate-1"]
    assert third.status is CandidateStatus.CULLED
    assert not second.champion


def test_of_equals_the_older_stands_higher():
    history = History().created(1).created(2).scored(3, 0.5).scored(2, 0.5).scored(1, 0.5)
    assert order(history) == [f"candidate-{n}" for n in (1, 2, 3)]


def test_only_so_many_have_a_place():
    history = History()
    for number in range(50):
        history.scored(number, number * 37 % 50)
    assert [standing.total for standing in board(history)] == list(range(49, 29, -1))
    assert [standing.rank for standing in board(history)] == list(range(1, 21))
    assert len(board(history, top=3)) == 3


def test_who_drops_out_keeps_the_place():
    history = History().scored(0, 0.9).scored(1, 0.5).of_candidate(0, candidate.CandidateInvalidated(reason="r"))
    history.add(genome.LineageCulled(candidate_ids=("candidate-1",), reason="r"))
    states = [(standing.candidate_id, standing.status) for standing in board(history)]
    assert states == [("candidate-0", CandidateStatus.INVALID), ("candidate-1", CandidateStatus.CULLED)]


def test_the_latest_score_counts_and_lets_others_up():
    history = History().scored(0, 0.9).scored(1, 0.8).scored(2, 0.7)
    assert order(history, top=2) == ["candidate-0", "candidate-1"]
    history.scored(0, 0.1, "default-2")
    assert order(history, top=2) == ["candidate-1", "candidate-2"]
    assert board(history)[-1].policy_version == "default-2"


def test_a_candidate_that_was_never_created_has_no_birth():
    (standing,) = board(History().scored(0, 0.5))
    assert (standing.genome_id, standing.birth, standing.generation) == (None, None, None)


def test_champions_come_and_go():
    history = History().scored(0, 0.5).scored(1, 0.6).adopted(0).adopted(1, replaces="candidate-0")
    assert [standing.champion for standing in board(history)] == [True, False]
    history.revoked(1, restores="candidate-0")
    assert [standing.champion for standing in board(history)] == [False, True]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5)), max_size=40), st.integers(1, 5))
def test_it_is_the_sorted_list_of_latest_scores(scores, top):
    history, latest = History(), {}
    for number, total in scores:
        history.scored(number, total)
        latest[f"candidate-{number}"] = (-total, number)
    fold = LeaderboardFold(top=top)
    for event in history.events:
        fold.take(event).view()
    shown = [standing.candidate_id for standing in fold.view().standings] if scores else []
    assert shown == sorted(latest, key=latest.__getitem__)[:top]
