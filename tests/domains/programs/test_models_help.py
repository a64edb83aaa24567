"""What ``benchmarks models_help`` rests on: sides that differ in their models alone, and figures over pairs of runs."""

from __future__ import annotations

import json

import pytest
from benchmarks.models_help import BRAINS, SIDES, Sizes, compared, difference, jobs, report
from benchmarks.models_help_runs import Bred, Job
from benchmarks.models_help_table import table


class Quiet:
    def say(self, step):
        pass


def rows(gains):
    """Runs of two functions with two seeds, each side with the same gains on top of what a pair has anyway."""
    return [
        Bred(function, seed, side, function % 10 + seed + gain, 24, 6, 1)
        for function in (1000, 1001)
        for seed in (1, 2)
        for side, gain in gains.items()
    ]


GAINS = {"offline": 0.0, "mender": 0.5, "garbage": 0.0, "without_cases": 0.1, "without_parent": 0.0}


def test_every_side_has_every_function_and_seed():
    wanted = list(jobs(Sizes(functions=2, seeds=3, candidates=9), seed=4))
    assert [(each.function, each.seed) for each in wanted] == [(4000 + n, s) for n in (0, 1) for s in (1, 2, 3)]
    assert {each.candidates for each in wanted} == {9}


def test_differences_are_taken_within_pairs():
    found = difference(rows(GAINS), "mender", "offline")
    assert (found.mean, found.low, found.high) == pytest.approx((0.5, 0.5, 0.5))
    assert (found.above, found.equal, found.below) == (4, 0, 0)


def test_an_interval_is_as_wide_as_functions_differ_and_no_wider_for_their_seeds():
    def mixed(more):
        return [each._replace(gain=each.gain + more(each)) if each.side == "mender" else each for each in rows(GAINS)]

    by_function = difference(mixed(lambda each: each.function % 10), "mender", "offline")
    assert (by_function.mean, by_function.low, by_function.high) == pytest.approx((1.0, 0.5, 1.5))
    by_seed = difference(mixed(lambda each: each.seed), "mender", "offline")
    assert (by_seed.mean, by_seed.low, by_seed.high) == pytest.approx((2.0, 2.0, 2.0))


def test_the_report_has_every_figure_and_every_run():
    told = json.loads(report(rows(GAINS), {"sizes": {}}).as_json())
    values = {name: figure["value"] for name, figure in told["figures"].items()}
    assert values == {
        "mender_to_offline": 0.5,
        "mender_to_offline_low": 0.5,
        "garbage_to_offline": 0.0,
        "garbage_to_offline_high": 0.0,
        "without_cases_to_mender_high": -0.4,
        "without_parent_to_mender_high": -0.5,
    }
    assert len(told["raw"]["runs"]) == 4 * len(SIDES)
    assert [line.count("|") for line in table(told["raw"]["runs"])] == [len(SIDES) + 2] * 5


@pytest.mark.breeding
async def test_sides_breed_the_same_function_with_as_many_candidates():
    offline, garbage = await compared(Quiet(), [Job(1000, 1, 4)], {"garbage": BRAINS["garbage"]})
    assert (offline.side, offline.candidates, offline.asked, offline.refused) == ("offline", 4, 0, 0)
    assert (garbage.side, garbage.candidates) == ("garbage", 4)
    assert garbage.asked == garbage.refused > 0, "what cannot be applied costs no evaluation"
