"""The gate from end to end: who may ask, what is refused, challenges, families, walls."""

import asyncio
import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.guard.making import (
    ABS,
    ECHO,
    LISTS,
    NUMBERS,
    VouchedSandbox,
    codes,
    compared,
    judged,
    judged_behind_walls,
    native,
    said,
    source,
    warned,
)
from tests.support.rows import check_rows

import mendel.guard
from mendel.adapters.memory.sandbox import MemorySandbox
from mendel.contracts.errors import ConfigError, NotShippable, SandboxUnavailable, SpecFailed
from mendel.contracts.evaluations import Isolation
from mendel.contracts.verdicts import Challenge, Decision, Reason, Verdict
from mendel.guard import (
    GuardConfig,
    MetamorphicRelation,
    Property,
    TaskSpec,
    gate,
    generators,
    load_report,
    run,
    run_async,
    run_with_config,
)
from mendel.guard.evaluation import Conclusion
from mendel.guard.gate import _stepped_down, compare
from mendel.guard.tasks import program
from mendel.ports.sandbox import Ask, Attempt

TASK = TaskSpec("task", NUMBERS)

GUARDED = TaskSpec("task", NUMBERS, [Property(lambda output, x: output >= 0, "never negative")])
FEW = {"n": 60, "policy": "noninferiority:margin=0.05"}


def magnitude(x):
    return x if x > 0 else -x


# --- who may ask ---------------------------------------------------------------------------------------------------


def test_the_front_door_names_everything_it_exports():
    assert sorted(mendel.guard.__all__) == list(mendel.guard.__all__)
    assert all(hasattr(mendel.guard, name) for name in mendel.guard.__all__)


def test_the_gate_judges_functions_in_the_native_sandbox_that_it_opens_itself():
    native()  # skips where there is none
    report = run(GUARDED, baseline=abs_by_max, candidate=magnitude, **FEW)
    assert said(report) == ("adopt", "no_mismatch")
    assert not report.provenance.sandbox.weakened


def abs_by_max(x):
    return max(x, -x)


async def test_it_can_be_asked_from_inside_an_event_loop():
    assert run(TASK, source(ABS), magnitude, sandbox=VouchedSandbox(), **FEW).adopt
    assert (await run_async(TASK, source(ABS), magnitude, sandbox=VouchedSandbox(), **FEW)).adopt


def test_behind_walls_a_candidate_is_adopted_and_a_wrong_one_is_not():
    assert judged_behind_walls(GUARDED, ABS, magnitude, **FEW).adopt
    report = judged_behind_walls(GUARDED, ABS, ECHO, **FEW)
    assert said(report) == ("reject", "property_violated")
    assert report.violations[0].arguments == [-1]


def test_the_same_question_has_the_same_answer():
    first, second = (judged(GUARDED, ABS, ECHO, **FEW).verdict for _ in range(2))
    assert first.model_dump(exclude={"summaries"}) == second.model_dump(exclude={"summaries"})


def test_tasks_that_ship_are_asked_for_by_name():
    reference = program("top_k", "baseline")
    report = judged("top_k", reference, reference, n=60, policy="noninferiority:margin=0.05")
    assert report.adopt
    assert report.task == "top_k"


def test_progress_is_announced():
    told = []
    judged(TASK, ABS, ABS, announce=lambda done, whole: told.append((done, whole)), **FEW)
    assert told[-1] == (60, 60)
    assert [done for done, _ in told] == sorted({done for done, _ in told})


def test_options_come_before_the_configuration():
    report = judged(TASK, ABS, ABS, config=GuardConfig(n=10, seed=5, policy="noninferiority:margin=0.05"), n=60)
    assert report.adopt
    assert (report.config.n, report.config.seed) == (60, 5)


def test_the_policy_and_the_mode_are_told():
    verdict = judged(TASK, ABS, ABS, n=200).verdict
    assert (verdict.mode, verdict.policy) == ("exact", "noninferiority:margin=0.02")
    assert verdict.candidate_id == f"candidate:{source(ABS).hash[:16]}"
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict


# --- what is refused -----------------------------------------------------------------------------------------------


@check_rows(
    ("options", "told"),
    [
        *(({"alpha": alpha}, "alpha") for alpha in (0, 1, -1, math.nan)),
        ({"n": 0}, "n: "),
        ({"policy": "superior"}, "did you mean superiority"),
        ({"polcy": "superiority"}, "did you mean policy"),
        ({"metrics": ["nothing"]}, "no metric 'nothing'; known are time"),
        ({"min_delta": 5.0, "policy": "noninferiority"}, "margin|min_delta"),
    ],
)
def test_an_option_that_cannot_be_is_refused(options, told):
    with pytest.raises(ConfigError, match=told):
        judged(TASK, ABS, ABS, **options)


@check_rows("alpha", [0.0, 0.5, 1.0])
def test_a_challenge_with_an_alpha_that_cannot_be_is_refused(alpha):
    with pytest.raises(ConfigError, match=r"the alpha of a challenge must be in \(0, 0.5\)"):
        judged(TASK, ABS, ABS, challenge=Challenge(niche="n", k=1, alpha=alpha), **FEW)


def test_without_a_candidate_there_is_nothing_to_judge():
    with pytest.raises(ConfigError, match="there is no candidate to judge"):
        judged(TASK, ABS, None)


def test_without_a_baseline_a_comparison_is_refused():
    for options in ({}, {"mode": "statistical"}, {"policy": "superiority"}):
        with pytest.raises(ConfigError, match="compares the candidate with a baseline"):
            judged(TASK, None, ABS, **options)


def test_an_unknown_task_is_answered_with_the_known_ones():
    with pytest.raises(ConfigError, match=r"no task 'topk'; known are .*top_k.*did you mean top_k"):
        judged("topk", ABS, ABS)


def test_a_missing_file_is_told_by_name():
    with pytest.raises(NotShippable, match=r"nowhere\.py: there is no such file"):
        judged(TASK, "nowhere.py", ABS)


@check_rows(
    ("inputs", "told"),
    [
        (lambda n, seed: [(1,)] * 7, "returned 7 of 60 inputs"),
        (lambda n, seed: 1 / 0, "its generator raised ZeroDivisionError"),
        (lambda n, seed: ((i,) for i in range(n) if i < 10 or 1 / 0), "its generator raised ZeroDivisionError"),
        (lambda n, seed: 3, "returned a int"),
        (3, "neither a function"),
    ],
)
def test_a_generator_that_fails_is_the_tasks_failure(inputs, told):
    with pytest.raises(SpecFailed, match=told):
        judged(TaskSpec("task", inputs), ABS, ABS, **FEW)


def test_a_sandbox_that_was_not_allowed_to_be_weak_says_so():
    with pytest.raises(SandboxUnavailable):
        judged(TASK, ABS, ABS, sandbox=MemorySandbox(), **FEW)


# --- warnings ------------------------------------------------------------------------------------------------------


def test_transforms_that_change_their_input_are_named_and_change_no_verdict():
    def append(xs):
        xs.append(1)
        return (xs,)

    relations = [MetamorphicRelation(name, append, lambda a, b: len(b) == len(a) + 1) for name in ("grown", "longer")]
    text = "def solve(xs):\n    return sorted(xs)\n"
    report = judged(TaskSpec("task", LISTS, relations=relations), text, text, **FEW)
    assert report.adopt
    assert set(warned(report)) == {"transform_mutates"}
    told = " ".join(warning.message for warning in report.verdict.warnings)
    assert "'grown'" in told
    assert "'longer'" in told


def test_a_method_that_is_known_to_be_liberal_is_told(monkeypatch):
    monkeypatch.setattr(gate, "LIBERAL", {("statistical", "wilson"): "a false adoption in ten"})
    options = {"mode": "statistical", "n": 60}
    assert warned(judged(GUARDED, ABS, ABS, ci_method="wilson", **options)) == ["liberal_interval"]
    assert warned(judged(GUARDED, ABS, ABS, ci_method="tango", **options)) == []
    absolute = {"mode": "absolute", "n": 60, "ci_method": "wilson"}
    assert warned(judged(GUARDED, None, ABS, **absolute)) == []


def test_what_has_no_effect_is_told():
    assert warned(judged(TASK, ABS, ABS, ci_method="wilson", **FEW)) == ["no_effect"]
    assert warned(judged(GUARDED, ABS, ABS, policy="absolute:min_pass_rate=0.5", n=60)) == ["no_effect"]


@pytest.mark.parametrize("mode", ["statistical", "absolute"])
def test_where_nothing_could_fail_nothing_is_judged(mode):
    with pytest.raises(ConfigError, match="hard properties and relations"):
        judged(TASK, ABS, ABS, mode=mode, n=60)


# --- walls ---------------------------------------------------------------------------------------------------------


@check_rows("options", [FEW, {"mode": "statistical", "n": 200}, {"mode": "absolute", "n": 60}])
def test_nothing_is_adopted_that_was_seen_without_walls(options):
    baseline = None if options.get("mode") == "absolute" else ABS
    report = judged(GUARDED, baseline, ABS, sandbox=MemorySandbox(allow_weak=True), **options)
    assert said(report) == ("undecided", "weak_sandbox")
    assert len(codes(report)) == 2
    assert report.provenance.sandbox.weakened
    assert judged(GUARDED, baseline, ABS, **options).adopt


def test_a_rejection_stands_without_walls():
    assert said(judged(TASK, ABS, ECHO, sandbox=MemorySandbox(allow_weak=True), **FEW)) == ("reject", "mismatch")


class WeakAtFirst(VouchedSandbox):
    """Its first process had no walls, the others have."""

    async def attempt(self, ask: Ask) -> Attempt:
        attempt = await super().attempt(ask)
        weak = Isolation("weak", (), "said", {"every layer": "missing"})
        return attempt if len(self.asks) > 1 else type(attempt)(attempt.outcomes, attempt.usage, weak)


def test_walls_that_were_missing_once_are_not_forgotten():
    report = judged(TASK, ABS, ABS, sandbox=WeakAtFirst(), parallel=1, **FEW)
    assert said(report) == ("undecided", "weak_sandbox")


# --- challenges ----------------------------------------------------------------------------------------------------


class Listening(VouchedSandbox):
    """Remembers the inputs."""

    @property
    def inputs(self) -> set[object]:
        return {case.args for ask in self.asks for case in ask.cases}


def inputs_of(**options) -> set[object]:
    sandbox = Listening()
    judged(
        TaskSpec("task", generators.arguments(generators.integers(-(10**9), 10**9))),
        ABS,
        ABS,
        sandbox=sandbox,
        n=60,
        **options,
    )
    return sandbox.inputs


def test_every_challenge_of_a_niche_has_inputs_of_its_own():
    first, second = (Challenge.nth("niche", k, 0.05) for k in (1, 2))
    other = Challenge.nth("elsewhere", 1, 0.05)
    assert inputs_of(challenge=first) == inputs_of(challenge=first)
    drawn = [inputs_of(challenge=each) for each in (first, second, other)] + [inputs_of()]
    for left, right in itertools.combinations(drawn, 2):
        assert len(left & right) < 30  # the ends of the range come up in all of them
    assert inputs_of(challenge=first, seed=1) != inputs_of(challenge=first, seed=2)


def test_the_alpha_of_a_challenge_is_the_one_that_counts():
    lavish, thrifty = (Challenge(niche="n", k=k, alpha=alpha) for k, alpha in ((1, 0.05), (9, 0.0004)))
    assert judged(TASK, ABS, ABS, challenge=lavish, alpha=0.001, **FEW).adopt
    report = judged(TASK, ABS, ABS, challenge=thrifty, **FEW)
    assert said(report) == ("undecided", "too_few_cases")
    assert report.verdict.challenge == thrifty
    assert report.verdict.intervals[0].alpha == 0.0004
    assert set(report.provenance.seeds) == {"seed", "inputs"}
    assert report.provenance.seeds["seed"] == 42


def test_without_a_challenge_it_is_the_first_of_the_tasks_own_niche():
    assert judged(TASK, ABS, ABS, **FEW).verdict.challenge == Challenge(niche="guard:task", k=1, alpha=0.05)


# --- families ------------------------------------------------------------------------------------------------------


def test_one_of_twenty_that_would_be_adopted_alone_is_not_adopted_among_them():
    assert judged(TASK, ABS, ABS, **FEW).adopt
    family = compared(TASK, ABS, [ABS, *[ECHO] * 19], **FEW)
    assert family.adopted == []
    assert said(family.reports[0])[0] == "undecided"
    assert {said(report) for report in family.reports[1:]} == {("reject", "mismatch")}
    assert family.reports[0].verdict.n_to_decide > 60


def test_enough_cases_are_enough_in_a_family_too():
    short = compared(TASK, ABS, [ABS, ECHO, ECHO], **FEW).reports[0]
    family = compared(TASK, ABS, [ABS, ECHO, ECHO], **{**FEW, "n": short.verdict.n_to_decide})
    assert [report.adopt for report in family.reports] == [True, False, False]
    assert family.adopted == [family.reports[0]]


def test_a_family_of_one_is_judged_as_one_alone():
    family = compared(TASK, ABS, [magnitude], **FEW)
    assert family.reports[0].verdict.reasons == judged(TASK, ABS, magnitude, **FEW).verdict.reasons


def failing(share: int, of: int) -> str:
    return f"def solve(x):\n    return -1 if x % {of} < {share} else x\n"


def test_those_that_are_surely_good_make_it_easier_for_the_others():
    """Holm's step-down: the borderline one is adopted beside good ones and not beside bad ones."""
    rated = TaskSpec(
        "task", lambda n, seed: [(i,) for i in range(n)], [Property(lambda output, x: output == x, "right")]
    )
    options = {"mode": "statistical", "n": 100, "policy": "superiority", "shrink": False}
    base, good, bad, borderline = failing(50, 100), failing(0, 1), failing(100, 100), failing(45, 100)
    assert compared(rated, base, [borderline], **options).reports[0].adopt
    assert compared(rated, base, [borderline, good, good, good], **options).reports[0].adopt
    beside_bad = compared(rated, base, [borderline, bad, bad, bad], **options).reports[0]
    assert beside_bad.decision == "undecided"


def test_a_family_is_compared_on_a_fixed_number_of_cases():
    with pytest.raises(ConfigError, match="fixed number of cases"):
        compared(TASK, ABS, [ABS], sequential="pocock")
    with pytest.raises(ConfigError, match="no candidate to compare"):
        compared(TASK, ABS, [])


def test_a_family_can_be_compared_without_an_event_loop():
    family = compare(
        TASK,
        source(ABS),
        [magnitude, source(ECHO)],
        sandbox=VouchedSandbox(),
        n=200,
        policy="noninferiority:margin=0.05",
    )
    assert [report.decision.value for report in family.reports] == ["adopt", "reject"]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(1e-6, 0.2), min_size=1, max_size=8), st.sampled_from([0.05, 0.01]))
def test_the_step_down_is_holms(chances, alpha):
    """With bounds that hold exactly from their p-value on, those are adopted that Holm's procedure rejects."""

    def concluded(chance, level):
        decision = Decision.ADOPT if chance <= level else Decision.UNDECIDED
        return Conclusion(decision, (Reason(code="not_shown", message=str(decision)),))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(gate, "concluded", concluded)
        found = [each.decision == "adopt" for each in _stepped_down(chances, [None] * len(chances), alpha)]
    ordered, holm = sorted(chances), set()
    for rank, chance in enumerate(ordered):
        if chance > alpha / (len(chances) - rank):
            break
        holm.add(chance)
    assert found == [chance in holm for chance in chances]


# --- configurations ------------------------------------------------------------------------------------------------


def test_a_file_asks_for_everything(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tasks.py").write_text(
        "from mendel.guard import TaskSpec, generators\n"
        "spec = TaskSpec('mine', generators.arguments(generators.integers(-9, 9)))\n"
    )
    (tmp_path / "old.py").write_text(ABS)
    (tmp_path / "new.py").write_text("def fast(x):\n    return abs(x)\n")
    (tmp_path / "guard.toml").write_text(
        '[guard]\ntask = "tasks.py:spec"\nbaseline = "old.py"\ncandidate = "new.py:fast"\n'
        'n = 60\npolicy = "noninferiority:margin=0.05"\nreport_dir = "out"\n'
    )
    report = run_with_config("guard.toml", sandbox=VouchedSandbox())
    assert (report.task, report.adopt) == ("mine", True)
    (written,) = (tmp_path / "out").glob("*.json")
    assert load_report(written).verdict == report.verdict


def test_a_report_is_written_wherever_a_folder_is_named(tmp_path):
    report = judged(TASK, ABS, ABS, report_dir=str(tmp_path), **FEW)
    (written,) = tmp_path.glob("*.json")
    assert load_report(written).verdict == report.verdict


def test_arguments_come_before_the_file():
    asked = {"task": "nothing", "candidate": "nowhere.py", **FEW}
    report = run_with_config(asked, task=TASK, baseline=source(ABS), candidate=source(ECHO), sandbox=VouchedSandbox())
    assert said(report) == ("reject", "mismatch")


def test_a_configuration_without_a_task_is_refused():
    with pytest.raises(ConfigError, match="names no task"):
        run_with_config({"n": 3})
    with pytest.raises(ConfigError, match="no candidate"):
        run_with_config(GuardConfig(), task=TASK)


# --- several at once -----------------------------------------------------------------------------------------------


def test_many_evaluations_share_a_sandbox():
    place = native()

    async def several():
        asked = [
            run_async(GUARDED, source(ABS), source(text), sandbox=place.sandbox, **FEW)
            for text in (ABS, ECHO, ABS, ECHO)
        ]
        return [report.decision.value for report in await asyncio.gather(*asked)]

    assert place.awaited(several()) == ["adopt", "reject", "adopt", "reject"]
