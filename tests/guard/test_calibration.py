"""The gate keeps its promise: at the boundary it adopts with a chance of alpha at most, counted on the gate itself."""

import random
import zlib

import numpy as np
import pytest
from benchmarks.guard_calibration_cells import CORRELATIONS, alone, boundary, cell, convolved, pairs
from benchmarks.guard_calibration_exact import Gate, drawn_parts, enumerated, first
from benchmarks.guard_calibration_jobs import QUICK, jobs
from benchmarks.guard_calibration_samples import FEW_SAMPLES, measure_samples, sample_settings
from benchmarks.guard_calibration_script import Part, Script, Setting, judge, scripted
from benchmarks.guard_calibration_strata import stratified
from tests.support.rows import check_rows

from mendel.guard import Decision

SIMULATED = 500
DEFAULTS = [("superiority", 0.02, "none"), ("noninferiority", 0.05, "none"), ("noninferiority", 0.05, "always_valid")]


def cells(kind, margin):
    return [
        cell(*sides, correlation)
        for rate in (0.95, 0.8)
        for sides in boundary(kind, margin, rate)
        for correlation in CORRELATIONS
    ]


class TestScript:
    def test_the_gate_sees_the_counts_of_the_script(self):
        script = scripted([Part(20, 3, 2, 1)], random.Random(1))
        report = judge(Setting("superiority:margin=0", 20), script)
        assert report.verdict.summaries["candidate"]["passes"] == 17
        assert report.verdict.summaries["baseline"]["passes"] == 16

    def test_parts_keep_their_place(self):
        script = scripted([Part(3, 3, 0), Part(2, 0, 2)], random.Random(1))
        assert script == Script([True] * 3 + [False] * 2, [False] * 3 + [True] * 2)

    def test_a_part_with_more_than_its_cases_is_refused(self):
        with pytest.raises(ValueError, match="no part of 3 cases"):
            scripted([Part(3, 2, 2)], random.Random(1))

    def test_what_is_scripted_can_be_adopted_and_rejected(self):
        better, worse = Script([True] * 60, [False] * 60), Script([False] * 60, [True] * 60)
        assert judge(Setting("superiority:margin=0", 60), better).decision is Decision.ADOPT
        assert judge(Setting("superiority:margin=0", 60), worse).decision is Decision.REJECT

    def test_a_sequential_run_stops_at_the_look_that_decides(self):
        setting = Setting("superiority:margin=0", 60, sequential="always_valid")
        verdict = judge(setting, Script([True] * 60, [False] * 60)).verdict
        assert verdict.looks[-1].n == verdict.n < 60
        assert verdict.n in setting.sizes

    def test_in_exact_mode_one_other_answer_rejects(self):
        setting = Setting("noninferiority:margin=0.05", 60, "exact")
        agreeing, differing = ([Part(60, 0, count, 7)] for count in (0, 1))
        assert judge(setting, scripted(agreeing, random.Random(1))).decision is Decision.ADOPT
        assert judge(setting, scripted(differing, random.Random(1))).decision is Decision.REJECT

    def test_a_later_challenge_has_to_show_more(self):
        script = scripted([Part(100, 12, 3)], random.Random(1))
        assert judge(Setting("superiority:margin=0", 100, challenge=1), script).decision is Decision.ADOPT
        assert judge(Setting("superiority:margin=0", 100, challenge=40), script).decision is Decision.UNDECIDED


class TestChances:
    @check_rows("correlation", CORRELATIONS)
    def test_the_chances_of_a_cell_add_up(self, correlation):
        truth = cell(0.8, 0.85, correlation)
        assert truth.both + truth.only_candidate + truth.only_baseline + truth.neither == pytest.approx(1)
        assert pairs(truth, 30, (31, 31)).sum() == pytest.approx(1)

    def test_more_cases_are_a_sum(self):
        truth, shape = cell(0.8, 0.85), (31, 31)
        summed = convolved(pairs(truth, 12, shape), pairs(truth, 18, shape))
        assert summed == pytest.approx(pairs(truth, 30, shape), abs=1e-12)

    @check_rows("hint", [-5, 0, 7, 8, 20, 99])
    @check_rows("edge", [0, 7, 20, 21])
    def test_an_edge_is_found_from_any_hint(self, edge, hint):
        assert first(lambda b: b >= edge, 0, 20, hint) == edge


class TestPromise:
    @check_rows(("kind", "margin", "sequential"), DEFAULTS)
    def test_false_adoptions_stay_below_alpha(self, kind, margin, sequential):
        setting = Setting(f"{kind}:margin={margin}", 20, sequential=sequential)
        found = enumerated(setting, cells(kind, margin))
        assert max(found.adoption) <= setting.alpha + 0.01
        assert max(found.adoption) > 0
        assert found.disagreements == 0

    def test_a_single_rate_is_adopted_at_its_boundary_with_alpha_at_most(self):
        setting = Setting("absolute:min_pass_rate=0.8", 20, "absolute")
        (adoption,) = enumerated(setting, [alone(0.8)]).adoption
        assert adoption == pytest.approx(0.8**20)

    def test_exact_mode_is_wrong_as_seldom_as_agreement_by_chance(self):
        setting = Setting("noninferiority:margin=0.05", 60, "exact")
        (adoption,) = enumerated(setting, [alone(0.95)]).adoption
        assert adoption == pytest.approx(0.95**60)

    def test_a_sequential_test_in_exact_mode_stops_where_agreement_by_chance_is_that_seldom(self):
        setting = Setting("noninferiority:margin=0.05", 200, "exact", "always_valid")
        seen = judge(setting, Script([True] * 200, [True] * 200)).verdict.n
        last_differs = Script([True] * (seen - 1) + [False] + [True] * (200 - seen), [True] * 200)
        assert judge(setting, last_differs).decision is Decision.REJECT
        assert 0.95**seen <= setting.alpha < 0.95 ** (seen - 1)

    def test_fewer_cases_than_the_margin_takes_are_never_enough(self):
        setting = Setting("noninferiority:margin=0.02", 50, "exact")
        assert enumerated(setting, [alone(0.98)]).adoption == [0.0]


class TestEnumeration:
    def test_agrees_with_simulation(self):
        setting, truth = Setting("noninferiority:margin=0.05", 20), cell(0.75, 0.8)
        (exact,) = enumerated(setting, [truth]).adoption
        gate, source = Gate(setting), random.Random(1)
        draws = np.random.default_rng(zlib.crc32(b"simulation"))
        adopted = sum(
            gate.experiment(list(drawn_parts(setting, truth, draws)), source)[1] == 1 for _ in range(SIMULATED)
        )
        error = (exact * (1 - exact) / SIMULATED) ** 0.5
        assert abs(adopted / SIMULATED - exact) < 4 * error

    def test_strata_are_enumeration_where_only_counts_matter(self):
        truth, setting = cell(0.75, 0.8, "half"), Setting("noninferiority:margin=0.05", 20)
        assert stratified(setting, [truth]).adoption == pytest.approx(enumerated(setting, [truth]).adoption)

    def test_nothing_is_measured_twice(self):
        found = jobs(QUICK)
        assert len(set(found)) == len(found)


class TestSamples:
    @pytest.mark.parametrize(
        "claim",
        [
            "absolute",
            "paired reals, median",
            "paired reals, mean",
            "absolute, repeated",
            "paired reals, median, repeated",
            "paired reals, mean, repeated",
        ],
    )
    def test_recorded_samples_are_adopted_with_alpha_at_most_at_the_thousandth_challenge(self, claim):
        settings = [each for each in sample_settings(FEW_SAMPLES) if each.claim == claim and each.challenge == 1_000]
        small = [each for each in settings if each.n <= 50]
        assert small
        for setting in small:
            found = measure_samples(setting)
            assert max(found.adoption) <= setting.spent.alpha
            assert found.disagreements == 0

    def test_the_chance_at_a_rate_is_the_binomial_one(self):
        setting = next(each for each in sample_settings(FEW_SAMPLES) if each.policy.endswith("=0.8") and each.n == 20)
        assert measure_samples(setting).adoption == [pytest.approx(0.8**20)]

    def test_every_mode_is_measured_early_and_late_and_nothing_twice(self):
        found = list(sample_settings(FEW_SAMPLES))
        assert {(each.mode, each.challenge) for each in found} == {
            (mode, k) for mode in ("absolute", "paired_outcomes", "paired_reals") for k in (1, 1_000)
        }
        assert len({(each.claim, each.policy, each.n, each.challenge, each.middle) for each in found}) == len(found)
