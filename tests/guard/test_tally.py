"""What was seen, counted."""

import math

import pytest
from tests.guard.making import NUMBERS, answers, raised, trial
from tests.support.rows import check_rows

from mendel.contracts.errors import SpecFailed
from mendel.guard import MetamorphicRelation, Metric, Property, TaskSpec
from mendel.guard.checking import Breach, Checker
from mendel.guard.statistics.samples import Paired
from mendel.guard.tally import MOST_KEPT, Judged, Tally

BAD = (Breach("property", "positive"),)
TURNED = Breach("relation", "turned", "", 0)


def tally(**parts) -> Tally:
    spec = TaskSpec("task", NUMBERS, **parts)
    return Tally(spec, Checker(spec), spec.metrics)


def judged(ours=1, theirs=1, against=(), against_baseline=(), index=0, variants=()) -> Judged:
    baseline = None if theirs is ... else answers(theirs)
    return Judged(trial(index, variants=variants, index=index), answers(ours), baseline, against, against_baseline)


def counted(into: Tally, *all_judged: Judged) -> Tally:
    for each in all_judged:
        into.add(each)
    return into


def test_passes_are_paired():
    found = counted(
        tally(),
        judged(),
        judged(),
        judged(against_baseline=BAD),
        judged(against=BAD),
        judged(against=BAD),
        judged(against=BAD),
        judged(against=BAD, against_baseline=BAD),
    )
    assert found.paired == Paired(2, 1, 3, 1)
    assert found.differences == [0, 0, 1, -1, -1, -1, 0]
    assert (found.n, found.candidate.passes, found.baseline.passes) == (7, 3, 5)


def test_without_a_baseline_there_is_one_side():
    found = counted(tally(), judged(theirs=...), judged(theirs=..., against=BAD))
    assert (found.n, found.candidate.passes, found.baseline.passes) == (2, 1, 0)


def test_failures_nones_and_soft_properties_are_counted_by_name():
    found = counted(
        tally(properties=[Property(lambda output, x: output is not None, "some", "soft")]),
        judged(raised(), None, against=(Breach("failure", "SANDBOX_EXCEPTION"),)),
        judged(None, 1),
        judged(1, 1),
    )
    assert (found.candidate.failures, found.baseline.failures) == ({"exception": 1}, {})
    assert (found.candidate.nones, found.baseline.nones) == (1, 1)
    assert (found.candidate.soft, found.baseline.soft) == ({"some": 1}, {"some": 1})
    assert found.candidate.passes == 2


def test_only_some_trials_are_kept_but_all_are_counted():
    found = counted(tally(), judged(), *(judged(against=BAD, index=n) for n in range(MOST_KEPT + 5)))
    assert [each.trial.index for each in found.kept] == list(range(MOST_KEPT))
    assert found.n == MOST_KEPT + 6


# --- clusters ------------------------------------------------------------------------------------------------------


def test_without_a_key_every_trial_is_independent():
    found = counted(tally(), *(judged(index=n) for n in range(4)))
    assert (found.independent, found.cluster_numbers) == (4, [0, 1, 2, 3])


def test_trials_of_a_key_are_one_cluster():
    found = counted(tally(cluster_key=lambda args: args[0] % 2), *(judged(index=n) for n in (3, 0, 5, 2)))
    assert (found.independent, found.cluster_numbers) == (2, [0, 1, 0, 1])


def test_a_key_may_be_none():
    found = counted(tally(cluster_key=lambda args: None), *(judged(index=n) for n in range(3)))
    assert found.independent == 1


@pytest.mark.parametrize(
    ("key", "told"),
    [
        (lambda args: [1], "cluster_key returns a value that is not hashable"),
        (lambda args: 1 / 0, "cluster_key raised Zero"),
    ],
)
def test_a_key_that_cannot_be_is_the_tasks_failure(key, told):
    with pytest.raises(SpecFailed, match=told):
        counted(tally(cluster_key=key), judged())


# --- relations -----------------------------------------------------------------------------------------------------


def test_relations_are_paired_over_the_trials_they_apply_to():
    found = counted(
        tally(relations=[MetamorphicRelation("turned", lambda x: (x,))]),
        judged(variants=[(1,)]),
        judged(variants=[(1,)], against=(TURNED,)),
        judged(variants=[(1,)], against=(TURNED,), against_baseline=(TURNED,)),
        judged(variants=[(1,)], against_baseline=(TURNED,)),
        judged(variants=[(1,)], against=BAD),
        judged(variants=[None], against=BAD),
    )
    assert found.relations == {"turned": [2, 1, 1, 1]}


# --- metrics -------------------------------------------------------------------------------------------------------


def valued(extract=lambda output, args: output, **parts) -> Tally:
    return tally(metrics=[Metric("value", extract)], **parts)


def test_a_metric_is_taken_of_outputs_and_arguments_where_both_sides_answer():
    found = counted(
        valued(lambda output, args: output + args[0]),
        judged(1, 2, index=10),
        judged(raised(), 2, against=BAD),
        judged(3, raised()),
        judged(5, 4, index=20, against=BAD),
    ).metrics["value"]
    assert (found.candidate, found.baseline, found.missing) == ([11, 25], [12, 24], 0)


@check_rows("answer", [math.nan, math.inf, "text", None, [], 10**400])
def test_a_candidate_may_have_no_number(answer):
    found = counted(valued(), judged(answer, 1), judged(2, 1)).metrics["value"]
    assert (found.candidate, found.baseline, found.missing) == ([2], [1], 1)


@check_rows("answer", [math.nan, "text", None, 10**400])
def test_a_baseline_without_a_number_is_the_tasks_failure(answer):
    with pytest.raises(SpecFailed, match="metric 'value'"):
        counted(valued(), judged(1, answer))


def test_an_extract_that_raises_on_the_candidate_only_is_counted():
    found = counted(valued(lambda output, args: 1 / output), judged(0, 1), judged(1, 1)).metrics["value"]
    assert (found.candidate, found.missing) == ([1.0], 1)


def test_an_extract_that_raises_on_the_baseline_is_the_tasks_failure():
    with pytest.raises(SpecFailed, match="metric 'value' raised ZeroDivisionError"):
        counted(valued(lambda output, args: 1 / output), judged(1, 0))


def test_numbers_too_far_apart_for_a_difference_are_missing():
    found = counted(valued(), judged(1e308, -1e308), judged(2.0, 1.0)).metrics["value"]
    assert (found.candidate, found.missing) == ([2.0], 1)
