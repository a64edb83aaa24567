"""Recorded samples before the gate: what is asked of them, what counts as one, and what the verdict says."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.errors import ConfigError, SamplesRefused
from mendel.contracts.evaluations import Isolation
from mendel.contracts.verdicts import Challenge, Decision, Verdict
from mendel.guard import Code, Sample, judge_samples

FULL = Isolation("full", ("seccomp",), "said")
WEAK = Isolation("weak", (), "said", {"seccomp": "not there"})
ORDER = [Decision.REJECT, Decision.UNDECIDED, Decision.ADOPT]
few = settings(max_examples=10, derandomize=True)


def judged(samples, mode, policy, k=1, **changes) -> Verdict:
    """The verdict on samples whose cases are named for challenge ``k``."""
    samples = [replace(each, case=each.case and f"{k}/{each.case}") for each in samples]
    asked = {
        "candidate_id": "candidate:1",
        "challenge": Challenge.nth("niche", k, 0.05),
        "sandboxed": False,
        "used_cases": (),
    }
    return judge_samples(samples, mode=mode, policy=policy, **asked | changes)


def outcomes(passed, champion=None):
    sides = champion or [None] * len(passed)
    return [Sample(f"case {n}", f"operation:{n}", *pair) for n, pair in enumerate(zip(passed, sides, strict=True))]


ASKED = {
    "rate": ("absolute", "absolute:min_pass_rate=0.6", None),
    "outcomes": ("paired_outcomes", "superiority:margin=0.02", None),
    "floor": ("paired_outcomes", "noninferiority:margin=0.1,min_pass_rate=0.4", None),
    "median": ("paired_reals", "superiority:margin=0.1", None),
    "mean": ("paired_reals", "noninferiority:margin=0.5", (0.0, 5.0)),
    "deviations": ("paired_reals", "superiority:margin=0.1sd", None),
}
in_every_mode = pytest.mark.parametrize("asked", ASKED)


def drawn(asked, size, source):
    mode = ASKED[asked][0]
    if mode == "paired_reals":
        return outcomes(*([source.uniform(low, 5.0) for _ in range(size)] for low in (2.0, 0.0)))
    champion = [source.random() < 0.4 for _ in range(size)] if mode == "paired_outcomes" else None
    return outcomes([source.random() < 0.8 for _ in range(size)], champion)


def verdict_of(asked, samples, **changes):
    mode, policy, bounds = ASKED[asked]
    return judged(samples, mode, policy, bounds=bounds, **changes)


def best(sample):
    return replace(sample, candidate=5.0 if isinstance(sample.candidate, float) else True)


def told(verdict):
    return verdict.decision, verdict.n, verdict.intervals, verdict.reasons, verdict.summaries


# --- properties ----------------------------------------------------------------------------------------------------


@in_every_mode
@few
@given(st.integers(5, 16), st.randoms(use_true_random=False))
def test_the_order_of_samples_does_not_matter(asked, size, source):
    samples = drawn(asked, size, source)
    verdict = verdict_of(asked, samples)
    source.shuffle(samples)
    assert verdict_of(asked, samples) == verdict


@in_every_mode
@few
@given(st.integers(5, 16), st.randoms(use_true_random=False))
def test_repeats_of_a_case_count_once(asked, size, source):
    samples = drawn(asked, size, source)
    again = [replace(each, operation="operation:again") for each in samples for _ in range(source.randint(0, 3))]
    once, repeated = verdict_of(asked, samples), verdict_of(asked, samples + again)
    assert told(repeated) == told(once)
    assert repeated.provenance.samples.recorded == len(samples) + len(again)


@in_every_mode
@few
@given(st.integers(8, 16), st.randoms(use_true_random=False))
def test_repeats_decide_nothing_that_the_first_samples_leave_open(asked, size, source):
    first = drawn(asked, size, source)
    again = [replace(each, case=source.choice(first).case) for each in drawn(asked, source.randint(1, 9), source)]
    repeated = verdict_of(asked, first + again).decision
    assert repeated in (Decision.UNDECIDED, verdict_of(asked, first).decision)


@in_every_mode
@few
@given(st.integers(5, 16), st.randoms(use_true_random=False))
def test_a_case_that_goes_better_never_makes_a_verdict_worse(asked, size, source):
    samples = drawn(asked, size, source)
    before = ORDER.index(verdict_of(asked, samples).decision)
    for place in source.sample(range(size), 3):
        samples[place] = best(samples[place])
    assert ORDER.index(verdict_of(asked, samples).decision) >= before


@in_every_mode
@pytest.mark.parametrize("k", [1, 1_000])
def test_too_few_cases_are_refused_with_the_number_that_could_be_enough(asked, k):
    source = random.Random(1)
    one = verdict_of(asked, drawn(asked, 1, source), k=k)
    least = one.n_to_decide
    assert one.decision is Decision.UNDECIDED
    assert one.reasons[0].code == Code.TOO_FEW_CASES
    assert str(least) in one.reasons[0].message
    perfect = [best(each) for each in drawn(asked, least, source)]
    perfect = [each if each.champion is None else replace(each, champion=each.candidate * 0) for each in perfect]
    perfect = [each if ASKED[asked][0] == "paired_reals" else _outcome(each) for each in perfect]
    assert verdict_of(asked, perfect, k=k).decision is Decision.ADOPT
    short = verdict_of(asked, perfect[1:], k=k)
    assert (short.decision, short.n_to_decide) == (Decision.UNDECIDED, least)


def _outcome(sample):
    return sample if sample.champion is None else replace(sample, champion=False)


def test_even_many_failures_are_too_few_where_no_success_would_be_enough():
    assert judged(outcomes([False] * 9), "absolute", "absolute:min_pass_rate=0.9").decision is Decision.UNDECIDED
    assert judged(outcomes([False] * 60), "absolute", "absolute:min_pass_rate=0.9").decision is Decision.REJECT


def test_no_samples_at_all_decide_nothing():
    for mode, policy, bounds in ASKED.values():
        verdict = judged([], mode, policy, bounds=bounds, sandboxed=True)
        assert (verdict.decision, verdict.n, verdict.intervals) == (Decision.UNDECIDED, 0, ())


# --- what counts as one --------------------------------------------------------------------------------------------


def test_a_case_has_passed_if_each_of_its_samples_has():
    passed = outcomes([True] * 12)
    repeated = [*passed, replace(passed[3], candidate=False), passed[3]]
    verdict = judged(repeated, "absolute", "absolute:min_pass_rate=0.5")
    assert verdict.summaries["candidate"] == {"n": 12, "passes": 11, "pass_rate": 11 / 12}


def test_a_case_counts_as_the_sample_that_shows_least():
    samples = [Sample("one", "operation:1", value, 1.0) for value in (3.0, 9.0, 2.0, 9.0)]
    verdict = judged(samples, "paired_reals", "superiority")
    assert verdict.summaries["candidate"] == {"n": 1, "mean": 2.0}


def test_what_repeats_leave_open_widens_the_interval():
    samples = outcomes([2.0] * 12, [0.0] * 12)
    (once,) = judged(samples, "paired_reals", "superiority").intervals
    (wide,) = judged([*samples, *outcomes([3.0] * 12, [0.0] * 12)], "paired_reals", "superiority").intervals
    assert (once.lower, once.upper, wide.lower, wide.upper) == (2.0, 2.0, 2.0, 3.0)


def test_one_good_case_repeated_a_thousand_times_shows_nothing():
    verdict = judged([Sample("one", "operation:1", 5.0, 1.0)] * 1_000, "paired_reals", "superiority")
    assert (verdict.n, verdict.decision, verdict.reasons[0].code) == (1, Decision.UNDECIDED, Code.TOO_FEW_CASES)


# --- repeating a case until it looks well --------------------------------------------------------------------------


def coin(source, chance=0.5):
    return source.random() < chance


def skewed(source):
    """Better by 0.52 on average: mostly by 0.9, and now and then worse by more than that."""
    return (0.9, 0.0) if coin(source, 0.8) else (0.0, 1.0)


REPEATED = {
    "a coin": ("paired_outcomes", "superiority", None, lambda source: (coin(source), coin(source))),
    "a better one": ("paired_outcomes", "equivalence:margin=0.3", None, lambda source: (True, coin(source))),
    "a rate": ("absolute", "absolute:min_pass_rate=0.6", None, lambda source: (coin(source, 0.6), False)),
    "noise": ("paired_reals", "superiority", None, lambda source: (source.gauss(), 0.0)),
    "deviations": ("paired_reals", "superiority:margin=0.3sd", None, lambda source: (source.gauss(0.3), 0.0)),
    "bounded": ("paired_reals", "superiority", (0, 1), lambda source: (source.random(), source.random())),
    "seldom worse": ("paired_reals", "equivalence:margin=0.5", (0, 1), skewed),
}
"""Each draws from where its claim just does not hold."""
CONTENT = {
    "a better one": lambda seen, _: seen[-1][0] == seen[-1][1],
    "seldom worse": lambda seen, place: place % 2 or seen[-1][0] < seen[-1][1],
}
"""When a strategy stops repeating a case; by default, once the candidate is ahead."""


def ahead(seen, _):
    return sum(left - right for left, right in seen) > 0


def repeated(strategy, source):
    """The samples of sixty cases, each repeated for as long as the caller is not content."""
    mode, _, _, draw = REPEATED[strategy]
    for place in range(60):
        seen = [draw(source)]
        while not CONTENT.get(strategy, ahead)(seen, place) and len(seen) < 200:
            seen.append(draw(source))
        for left, right in seen:
            yield Sample(f"case {place}", "operation:1", left, None if mode == "absolute" else right)


@pytest.mark.parametrize("k", [1, 1_000])
@pytest.mark.parametrize("strategy", REPEATED)
def test_repeating_a_case_until_it_looks_well_shows_nothing(strategy, k):
    """Adopted is only whose first samples alone would be, which happens with a chance of alpha."""
    mode, policy, bounds, _ = REPEATED[strategy]
    adopted = []
    for seed in range(5):
        samples = list(repeated(strategy, random.Random(f"{strategy} {seed}")))
        first = list({each.case: each for each in reversed(samples)}.values())
        chosen, fair = (judged(each, mode, policy, k, bounds=bounds).decision for each in (samples, first))
        assert chosen in (Decision.UNDECIDED, fair)
        adopted.append(chosen is Decision.ADOPT)
    assert sum(adopted) <= 1


# --- power ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "k", "n", "decision"),
    [
        ("rate", 1_000, 300, Decision.ADOPT),
        ("outcomes", 1_000, 260, Decision.ADOPT),
        ("floor", 1_000, 160, Decision.ADOPT),
        ("median", 1_000, 500, Decision.ADOPT),
        ("mean", 1_000, 400, Decision.ADOPT),
        ("deviations", 1_000, 500, Decision.ADOPT),
    ],
)
def test_what_is_clearly_better_is_adopted(asked, k, n, decision):
    assert verdict_of(asked, drawn(asked, n, random.Random(7)), k=k).decision is decision


@pytest.mark.parametrize("asked", ["outcomes", "median", "deviations"])
def test_what_is_clearly_worse_is_rejected(asked):
    samples = drawn(asked, 120, random.Random(7))
    swapped = [replace(each, candidate=each.champion, champion=each.candidate) for each in samples]
    assert verdict_of(asked, swapped).decision is Decision.REJECT


def test_a_floor_stands_beside_the_comparison():
    samples = outcomes([True] * 40 + [False] * 60, [True] * 10 + [False] * 90)
    verdict = judged(samples, "paired_outcomes", "superiority:margin=0.05,min_pass_rate=0.7")
    assert verdict.decision is Decision.REJECT
    assert [reason.code for reason in verdict.reasons] == [Code.RATE_TOO_LOW, Code.SUPERIOR]
    assert [each.method for each in verdict.intervals] == ["exact", "clopper_pearson"]


# --- what is told --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "name", "method"),
    [
        ("rate", "pass_rate", "clopper_pearson"),
        ("outcomes", "pass_rate_difference", "exact"),
        ("median", "median_difference", "sign_test"),
        ("mean", "mean_difference", "betting"),
        ("deviations", "standardised_difference", "sign_exact"),
    ],
)
def test_a_verdict_names_what_was_estimated_and_how(asked, name, method):
    verdict = verdict_of(asked, drawn(asked, 30, random.Random(3)))
    assert [(each.name, each.method) for each in verdict.intervals] == [(name, method)]
    assert verdict.intervals[0].alpha == verdict.challenge.alpha
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict


def test_a_margin_in_deviations_stands_in_the_policy():
    verdict = judged(outcomes([1.0] * 9, [0.0] * 9), "paired_reals", "superiority:margin=0.3sd")
    assert verdict.policy == "superiority:margin=0.3sd"
    assert "more than 0.3 sd is required" in verdict.reasons[0].message


def test_provenance_leads_to_the_operations_that_recorded_the_samples():
    samples = outcomes([1.0, 2.0, 3.0], [0.0] * 3)
    origin = judged(samples, "paired_reals", "superiority").provenance
    assert origin.samples.operations == ("operation:0", "operation:1", "operation:2")
    assert (origin.sandbox.tier, origin.sandbox.weakened, origin.samples.sandboxed) == ("none", False, False)
    others = [replace(each, case=f"{each.case}!") for each in samples]
    changed = [replace(samples[0], candidate=7.0), *samples[1:]]
    seen = [judged(each, "paired_reals", "superiority").provenance for each in (samples, others, changed)]
    assert len({each.samples.cases for each in seen}) == 2
    assert len({each.candidate_hash for each in seen}) == 3
    assert {each.spec_hash for each in seen} == {origin.spec_hash}
    assert judged(samples, "paired_reals", "superiority:margin=1").provenance.spec_hash != origin.spec_hash


# --- what is refused -----------------------------------------------------------------------------------------------


def test_a_case_that_was_used_before_is_refused():
    samples = outcomes([True] * 12)
    with pytest.raises(SamplesRefused, match="case '1/case 7' was used before"):
        judged(samples, "absolute", "absolute", used_cases={"1/case 7"})


@pytest.mark.parametrize("case", ["case 7", "1/case 7", "21/case 7", "2", "2/"])
def test_a_case_that_is_not_named_for_its_challenge_is_refused(case):
    samples = [Sample(case, "operation:1", True)]
    with pytest.raises(SamplesRefused, match=rf"case '{case}' is not named for challenge 2; its id must begin"):
        judge_samples(
            samples,
            mode="absolute",
            candidate_id="candidate:1",
            challenge=Challenge.nth("niche", 2, 0.05),
            policy="absolute",
            sandboxed=False,
            used_cases=(),
        )


@pytest.mark.parametrize(
    ("mode", "sample", "said"),
    [
        ("absolute", Sample("", "operation:1", True), "empty case id"),
        ("absolute", Sample("a", "what?", True), "not the id of an operation"),
        ("absolute", Sample("a", "operation:1", True, True), "no champion value"),
        ("absolute", Sample("a", "operation:1", 1.0), "True or False"),
        ("paired_outcomes", Sample("a", "operation:1", True), "each side must be True or False"),
        ("paired_outcomes", Sample("a", "operation:1", True, 0.5), "each side must be True or False"),
        ("paired_reals", Sample("a", "operation:1", 1.0), "each side must be a finite number, not None"),
        ("paired_reals", Sample("a", "operation:1", True, False), "must be a finite number"),
        ("paired_reals", Sample("a", "operation:1", float("nan"), 0.0), "must be a finite number"),
        ("paired_reals", Sample("a", "operation:1", 0.0, 1e200), "outside the bounds"),
        ("paired_reals", Sample("a", "operation:1", 0.0, 10**5_000), "a number is outside the bounds"),
        ("absolute", Sample("a", "operation:1", True, isolation="full"), "isolation must be the Isolation"),
    ],
)
def test_a_sample_of_another_kind_is_refused(mode, sample, said):
    with pytest.raises(SamplesRefused, match=said):
        judged([sample], mode, "absolute" if mode == "absolute" else "superiority")


def test_a_number_outside_the_declared_bounds_is_refused():
    with pytest.raises(SamplesRefused, match=r"5\.5 is outside the bounds 0 and 5"):
        judged(outcomes([5.5], [1.0]), "paired_reals", "superiority", bounds=(0, 5))


@pytest.mark.parametrize(
    ("mode", "policy", "bounds", "said"),
    [
        ("absolute", "superiority", None, "it cannot be used with absolute samples"),
        ("paired_outcomes", "absolute", None, "it cannot be used with paired_outcomes samples"),
        ("paired_outcomes", "superiority:margin=0.3sd", None, "only a margin for recorded real numbers"),
        ("paired_outcomes", "superiority:margin=2", None, "below 1"),
        ("paired_outcomes", "superiority", (0, 1), "only paired_reals takes bounds"),
        ("paired_outcomes", "superiority:alpha=0.2", None, "alpha has no effect"),
        ("paired_reals", "noninferiority", None, "give a margin"),
        ("paired_reals", "superiority:min_pass_rate=0.5", None, "no pass rate"),
        ("paired_reals", "superiority:margin=0.3sd", (0, 1), "need no bounds"),
        ("paired_reals", "superiority", (1, 0), "bounds must be two increasing numbers"),
        ("paired_reals", "superiority", (0, float("inf")), "bounds must be two increasing numbers"),
        ("paired_reals", "superiority", (1,), "bounds must be two increasing numbers"),
        ("paired_reals", "superiority", ("0", "1"), "bounds must be two increasing numbers"),
    ],
)
def test_a_policy_that_is_not_for_the_samples_is_refused(mode, policy, bounds, said):
    with pytest.raises(ConfigError, match=said):
        judged([], mode, policy, bounds=bounds)


@check_rows(
    "told, said",
    [
        ({"mode": "absolut"}, "mode 'absolut' is unknown; it must be one of absolute, paired_outcomes, paired_reals"),
        ({"used_cases": "1/a3"}, r"a collection of case ids, not one string \('1/a3'\)"),
        ({"candidate_id": "no id\n"}, "candidate_id 'no id"),
    ],
)
def test_a_call_that_names_something_else_is_refused(told, said):
    call = {"mode": "absolute", "candidate_id": "candidate:1", "used_cases": ()} | told
    with pytest.raises(ConfigError, match=said):
        judge_samples([], challenge=Challenge.nth("niche", 1, 0.05), policy="absolute", sandboxed=False, **call)


def test_what_is_no_sample_is_refused_with_its_place():
    call = {"mode": "absolute", "candidate_id": "candidate:1", "policy": "absolute", "used_cases": ()}
    samples = [Sample("1/a", "operation:1", True), ("1/b", "operation:1", True)]
    with pytest.raises(SamplesRefused, match=r"samples\[1\] is a tuple, not a Sample"):
        judge_samples(samples, challenge=Challenge.nth("niche", 1, 0.05), sandboxed=False, **call)


@pytest.mark.parametrize(
    ("sample", "said"),
    [
        (Sample(5, "operation:1", True), r"samples\[1\].case is an int, not a string"),
        (Sample(["1/b"], "operation:1", True), r"samples\[1\].case is a list, not a string"),
        (Sample("1/b", 5, True), r"samples\[1\].operation is an int, not a string"),
        (Sample("1/b", None, True), r"samples\[1\].operation is None, not a string"),
    ],
)
def test_a_sample_that_is_named_by_no_text_is_refused_with_its_place(sample, said):
    call = {"mode": "absolute", "candidate_id": "candidate:1", "policy": "absolute", "used_cases": ()}
    samples = [Sample("1/a", "operation:1", True), sample]
    with pytest.raises(SamplesRefused, match=said):
        judge_samples(samples, challenge=Challenge.nth("niche", 1, 0.05), sandboxed=False, **call)


@pytest.mark.parametrize("k", [0, -1])
def test_challenges_are_numbered_from_one(k):
    with pytest.raises(ValueError, match="numbered from 1"):
        Challenge.nth("niche", k, 0.05)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_a_challenge_that_spends_nothing_or_everything_is_refused(alpha):
    with pytest.raises(ConfigError, match="the alpha of a challenge"):
        judged([], "absolute", "absolute", challenge=Challenge(niche="niche", k=1, alpha=alpha))


# --- isolation -----------------------------------------------------------------------------------------------------


def isolated(*kinds):
    return [replace(each, isolation=kinds[place % len(kinds)]) for place, each in enumerate(outcomes([True] * 30))]


@pytest.mark.parametrize(
    ("kinds", "sandboxed", "decision", "tier"),
    [
        ((FULL,), True, Decision.ADOPT, "full"),
        ((FULL, Isolation("landlock", ("landlock",), "said")), True, Decision.ADOPT, "landlock"),
        ((FULL, FULL, WEAK), True, Decision.UNDECIDED, "weak"),
        ((FULL, FULL, None), True, Decision.UNDECIDED, "weak"),
        ((None,), True, Decision.UNDECIDED, "weak"),
        ((None,), False, Decision.ADOPT, "none"),
        ((None, FULL), False, Decision.ADOPT, "full"),
        ((None, WEAK), False, Decision.UNDECIDED, "weak"),
    ],
)
def test_the_weakest_isolation_counts_and_none_where_the_domain_has_to_have_some(kinds, sandboxed, decision, tier):
    verdict = judged(isolated(*kinds), "absolute", "absolute:min_pass_rate=0.6", sandboxed=sandboxed)
    assert verdict.decision is decision
    assert verdict.provenance.sandbox.tier == tier
    assert verdict.provenance.samples.sandboxed is sandboxed
    if decision is not Decision.ADOPT:
        assert verdict.provenance.sandbox.weakened
        assert [reason.code for reason in verdict.reasons] == [Code.WEAK_SANDBOX, Code.RATE_REACHED]


def test_isolation_that_was_not_given_is_not_called_a_weak_sandbox():
    verdict = judged(isolated(FULL, FULL, None), "absolute", "absolute:min_pass_rate=0.6", sandboxed=True)
    assert verdict.reasons[0].message.startswith("no isolation was given for 10 of 30 samples")
    given = judged(isolated(FULL, FULL, WEAK), "absolute", "absolute:min_pass_rate=0.6", sandboxed=True)
    assert given.reasons[0].message.startswith("the sandbox was weak")


def test_what_failed_without_walls_has_failed():
    failed = [replace(each, candidate=False) for each in isolated(WEAK)]
    assert judged(failed, "absolute", "absolute:min_pass_rate=0.6", sandboxed=True).decision is Decision.REJECT
