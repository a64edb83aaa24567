"""What the port makes of a backend's attempts, with a backend that does as it is told."""

import asyncio
from dataclasses import dataclass, field, replace

import pytest
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import SandboxFailed, SandboxRefused
from mendel.contracts.evaluations import Case, Grants, Isolation, Limits, Outcome, Program, ResourceUse
from mendel.ports.sandbox import (
    EMPTY,
    FEW_FORKS,
    LEAST_SAMPLE_S,
    LEAST_SHARE,
    MOST_DEATHS,
    MOST_FORKS,
    Attempt,
    Sandbox,
)

ISOLATION = Isolation("full", ("user",), "scripted")
ECHO = Program.of("def f(x):\n    return x\n", "f")
SLOW = Program.of("def f(x):\n    return x  # slowly\n", "f")
DEATH = Outcome("killed", None, "Exited", "SANDBOX_EXITED", "died")
LOAD = Outcome("exception", None, "SyntaxError", "SANDBOX_LOAD_FAILED", "bad", 1)


def used(wall=0.1, cpu=0.1, peak=100):
    return ResourceUse(cpu, wall, peak, 1)


@dataclass
class Scripted(Sandbox):
    """Answers each attempt by ``answer``, and keeps what it was asked."""

    answer: object = None
    asked: list = field(default_factory=list)
    closed: int = 0

    async def attempt(self, ask):
        self.asked.append(ask)
        await asyncio.sleep(0)
        return self.answer(ask) if self.answer else echo(ask)

    async def isolation(self):
        return ISOLATION

    async def aclose(self):
        self.closed += 1


def echo(ask, **changes):
    outcomes = tuple(Outcome("value", case.args[0] if case.args else None) for case in ask.cases)
    return replace(Attempt(outcomes, used(), ISOLATION), **changes)


def cases(count):
    return [Case((number,)) for number in range(count)]


# --- evaluating ------------------------------------------------------------------------------------------------------


async def test_one_process_that_answers_all_is_enough():
    sandbox = Scripted()
    evaluation = await sandbox.evaluate(ECHO, cases(5))
    assert [outcome.value for outcome in evaluation.outcomes] == list(range(5))
    assert evaluation.usage == used()
    assert (evaluation.isolation, evaluation.stateful, evaluation.differing) == (ISOLATION, None, ())
    (ask,) = sandbox.asked
    assert (ask.timed, ask.counted, ask.batch_s) == (False, False, Limits().batch_s)


async def test_limits_grants_and_counting_are_passed_on():
    sandbox, limits, grants = Scripted(), Limits(case_s=3), Grants(packages=("numpy",))
    await sandbox.evaluate(ECHO, cases(1), limits=limits, grants=grants, count_opcodes=True)
    assert (sandbox.asked[0].limits, sandbox.asked[0].grants, sandbox.asked[0].counted) == (limits, grants, True)


async def test_after_a_death_the_rest_goes_on_in_another_process():
    def die_at_two(ask):
        numbers = [case.args[0] for case in ask.cases]
        alive = numbers[: numbers.index(2)] if 2 in numbers else numbers
        outcomes = [Outcome("value", number) for number in alive]
        return Attempt((*outcomes, DEATH) if 2 in numbers else tuple(outcomes), used(), ISOLATION)

    sandbox = Scripted(die_at_two)
    evaluation = await sandbox.evaluate(ECHO, cases(5))
    assert [outcome.value for outcome in evaluation.outcomes] == [0, 1, None, 3, 4]
    assert evaluation.outcomes[2] == DEATH
    assert [len(ask.cases) for ask in sandbox.asked] == [5, 2]
    assert evaluation.usage == used() + used()
    assert sandbox.asked[1].batch_s == pytest.approx(Limits().batch_s - 0.1)


async def test_a_program_that_cannot_be_loaded_is_not_tried_again():
    sandbox = Scripted(lambda ask: Attempt((LOAD,), used(), ISOLATION, loaded=False))
    evaluation = await sandbox.evaluate(ECHO, cases(4))
    assert evaluation.outcomes == (LOAD,) * 4
    assert len(sandbox.asked) == 1


async def test_a_program_that_cannot_be_loaded_any_more_fails_in_each_case():
    attempts = [
        Attempt((Outcome("value", 0), DEATH), used(), ISOLATION),
        Attempt((LOAD,), used(), ISOLATION, loaded=False),
        Attempt((LOAD,), used(), ISOLATION, loaded=False),
    ]
    evaluation = await Scripted(lambda ask: attempts.pop(0)).evaluate(ECHO, cases(4))
    assert evaluation.outcomes == (Outcome("value", 0), DEATH, LOAD, LOAD)


async def test_once_the_batch_is_over_the_rest_is_not_run():
    sandbox = Scripted(lambda ask: Attempt((DEATH,), used(wall=20.0), ISOLATION))
    evaluation = await sandbox.evaluate(ECHO, cases(5), limits=Limits(batch_s=30))
    assert [outcome.kind for outcome in evaluation.outcomes] == ["killed", "killed", "not_run", "not_run", "not_run"]
    assert {outcome.error_code for outcome in evaluation.outcomes[2:]} == {"SANDBOX_NOT_RUN"}


async def test_without_cases_a_program_is_still_loaded_once():
    sandbox = Scripted()
    evaluation = await sandbox.evaluate(ECHO, [], recheck=1.0)
    assert (evaluation.outcomes, evaluation.stateful, len(sandbox.asked)) == ((), None, 1)


async def test_output_of_all_processes_is_told_up_to_the_limit():
    attempts = ["abc", "def"]

    def print_and_die(ask):
        return Attempt((DEATH,), used(), ISOLATION, output=attempts.pop(0))

    whole = await Scripted(print_and_die).evaluate(ECHO, cases(2), limits=Limits(output_bytes=6))
    assert (whole.output, whole.output_truncated) == ("abcdef", False)
    attempts[:] = ["abc", "def"]
    cut = await Scripted(print_and_die).evaluate(ECHO, cases(2), limits=Limits(output_bytes=5))
    assert (cut.output, cut.output_truncated) == ("abcde", True)
    attempts[:] = ["ää", "b"]
    wide = await Scripted(print_and_die).evaluate(ECHO, cases(2), limits=Limits(output_bytes=4))
    assert len(wide.output.encode()) <= 4
    assert wide.output_truncated


async def test_the_sandboxs_own_failure_is_the_callers_to_hear():
    def fail(_):
        raise SandboxFailed("broken")

    with pytest.raises(SandboxFailed, match="broken"):
        await Scripted(fail).evaluate(ECHO, cases(2))


# --- rechecking ------------------------------------------------------------------------------------------------------


async def test_a_share_of_the_cases_is_run_again_in_another_order_and_a_few_alone():
    sandbox = Scripted()
    evaluation = await sandbox.evaluate(ECHO, cases(10), recheck=0.5, entropy=Entropy("x"))
    first, again, *alone = [[case.args[0] for case in ask.cases] for ask in sandbox.asked]
    assert first == list(range(10))
    assert len(again) == 5
    assert again != sorted(again)
    assert alone == [[number] for number in again[:3]]
    assert (evaluation.stateful, evaluation.differing, evaluation.usage.forks) == (False, (), 5)


async def test_which_cases_are_run_again_is_drawn():
    async def drawn(entropy):
        sandbox = Scripted()
        await sandbox.evaluate(ECHO, cases(50), recheck=0.1, entropy=entropy)
        return [case.args[0] for case in sandbox.asked[1].cases]

    assert await drawn(Entropy("x")) == await drawn(Entropy("x"))
    assert await drawn(Entropy("x")) != await drawn(Entropy("y"))
    assert len({tuple(await drawn(None)) for _ in range(5)}) > 1


@check_rows("share", [0.001, 0.5, 1.0, 7.0])
async def test_any_share_is_one_case_at_least_and_all_at_most(share):
    sandbox = Scripted()
    await sandbox.evaluate(ECHO, cases(4), recheck=share)
    assert 1 <= len(sandbox.asked[1].cases) <= 4


def second_time(outcome):
    """A backend whose second process answers the first of its cases with this outcome."""
    count = 0

    def answer(ask):
        nonlocal count
        count += 1
        attempt = echo(ask)
        return attempt if count != 2 else replace(attempt, outcomes=(outcome, *attempt.outcomes[1:]))

    return Scripted(answer)


@check_rows(
    "outcome",
    [
        Outcome("value", 99),
        Outcome("value", 99.0),
        Outcome("exception", None, "ValueError", "SANDBOX_EXCEPTION"),
        Outcome("violation", None, "ProtocolViolation", "SANDBOX_UNDECLARED_TYPE"),
    ],
)
async def test_another_answer_makes_a_program_stateful(outcome):
    evaluation = await second_time(outcome).evaluate(ECHO, cases(4), recheck=1.0)
    assert (evaluation.stateful, len(evaluation.differing)) == (True, 1)


@pytest.mark.parametrize("kind", ["timeout", "not_run"])
async def test_an_end_that_may_be_chance_contradicts_nothing_and_confirms_nothing(kind):
    evaluation = await second_time(Outcome(kind, None, "X", "SANDBOX_TIMEOUT")).evaluate(ECHO, cases(4), recheck=1.0)
    assert (evaluation.stateful, evaluation.differing) == (None, ())


@pytest.mark.parametrize("kind", ["memory", "killed"])
async def test_dying_when_it_is_run_again_makes_a_program_stateful(kind):
    evaluation = await second_time(Outcome(kind, None, "X", "SANDBOX_CRASHED")).evaluate(ECHO, cases(4), recheck=1.0)
    assert (evaluation.stateful, len(evaluation.differing)) == (True, 1)


async def test_to_be_late_once_does_not_hide_another_answer():
    late = Outcome("timeout", None, "TimeoutError", "SANDBOX_TIMEOUT")
    answers = iter([Outcome("value", 0), Outcome("value", 99), late])
    sandbox = Scripted(lambda ask: Attempt((next(answers),), used(), ISOLATION))
    assert (await sandbox.evaluate(ECHO, cases(1), recheck=1.0)).stateful is True


async def test_a_program_that_is_late_every_time_is_not_in_doubt():
    late = Outcome("timeout", None, "TimeoutError", "SANDBOX_TIMEOUT")
    sandbox = Scripted(lambda ask: Attempt((late,), used(), ISOLATION))
    assert (await sandbox.evaluate(ECHO, cases(2), recheck=1.0)).stateful is False


async def test_after_many_deaths_the_rest_is_not_run():
    sandbox = Scripted(lambda ask: Attempt((DEATH,), used(wall=0.001), ISOLATION))
    evaluation = await sandbox.evaluate(ECHO, cases(100))
    kinds = [outcome.kind for outcome in evaluation.outcomes]
    assert kinds == ["killed"] * MOST_DEATHS + ["not_run"] * (100 - MOST_DEATHS)


async def test_the_message_of_an_exception_may_differ():
    count = iter(range(100))

    def fail(ask):
        outcomes = [Outcome("exception", None, "E", "SANDBOX_EXCEPTION", f"{next(count)}") for _ in ask.cases]
        return Attempt(tuple(outcomes), used(), ISOLATION)

    assert (await Scripted(fail).evaluate(ECHO, cases(4), recheck=1.0)).stateful is False


# --- comparing -------------------------------------------------------------------------------------------------------


def timed(**seconds):
    """A backend that takes so much processor time by the program."""
    programs = {"empty": EMPTY, "left": ECHO, "right": SLOW}

    def answer(ask):
        (name,) = [name for name, program in programs.items() if program is ask.program]
        return echo(ask, usage=used(cpu=seconds[name]))

    return Scripted(answer)


@pytest.mark.parametrize("name", ["empty", "left"])
async def test_one_attempt_that_was_disturbed_decides_nothing(name):
    least = {"empty": 0.002, "left": 0.0021 if name == "left" else 0.003, "right": 0.003}
    sandbox = timed(**least)
    quiet, disturbed = sandbox.answer, []

    def answer(ask):
        attempt = quiet(ask)
        if ask.program is not {"empty": EMPTY, "left": ECHO}[name] or disturbed:
            return attempt
        disturbed.append(ask)
        return replace(attempt, usage=used(cpu=attempt.usage.cpu_s + 0.001))

    sandbox.answer = answer
    if name == "empty":
        assert (await sampled(sandbox))[0].forks == 20
    else:
        with pytest.raises(SandboxRefused, match="too little"):
            await sampled(sandbox)
    assert disturbed


async def sampled(sandbox, count=1, **options):
    samples = sandbox.compare(ECHO, SLOW, cases(4), **options)
    try:
        return [await anext(samples) for _ in range(count)]
    finally:
        await samples.aclose()


async def test_the_time_of_the_empty_function_is_taken_off():
    (sample,) = await sampled(timed(empty=0.01, left=0.05, right=0.09))
    assert (sample.left_s, sample.right_s, sample.empty_s) == pytest.approx((0.04, 0.08, 0.01))
    assert sample.ratio == pytest.approx(2.0)
    assert (sample.cases, sample.forks, sample.wrong) == (4, 1, ())


async def test_short_cases_are_run_in_more_processes():
    (sample,) = await sampled(timed(empty=0.001, left=0.002, right=0.005))
    assert sample.forks == pytest.approx(LEAST_SAMPLE_S / 0.001, abs=1)
    assert sample.left_s == pytest.approx(0.001)


async def test_each_side_runs_as_often_as_it_needs():
    sandbox = timed(empty=0.001, left=0.021, right=0.005)
    (sample,) = await sampled(sandbox)
    assert (sample.forks, sample.right_forks) == (1, pytest.approx(LEAST_SAMPLE_S / 0.004, abs=1))
    assert (sample.left_s, sample.right_s) == pytest.approx((0.02, 0.004))
    assert [ask.program for ask in sandbox.asked].count(ECHO) == 2


async def test_a_program_that_is_too_fast_to_be_seen_counts_as_the_least_that_can_be():
    (sample,) = await sampled(timed(empty=0.002, left=0.102, right=0.001))
    assert sample.right_forks == FEW_FORKS
    assert sample.right_s == pytest.approx(LEAST_SHARE * 0.002)


@check_rows("seconds", [0.0, -0.001, LEAST_SAMPLE_S / MOST_FORKS / 2])
async def test_cases_that_are_too_short_are_refused(seconds):
    with pytest.raises(SandboxRefused, match="4 cases take"):
        await sampled(timed(empty=0.01, left=0.01 + seconds, right=0.5))


async def test_programs_take_turns():
    sandbox = timed(empty=0.001, left=0.011, right=0.011)
    samples = await sampled(sandbox, 4)
    assert [sample.left_first for sample in samples] == [True, False, True, False]
    names = {id(EMPTY): "e", id(ECHO): "l", id(SLOW): "r"}
    order = "".join(names[id(ask.program)] for ask in sandbox.asked[3:])
    forks = samples[0].forks
    first, second = order[: 3 * forks], order[3 * forks : 6 * forks]
    assert first.replace("e", "")[:2] == "lr"
    assert second.replace("e", "")[:2] == "rl"
    assert order.count("l") == order.count("r") == order.count("e") == 4 * forks
    assert all(ask.timed for ask in sandbox.asked)


def wrong_right(outcomes):
    def answer(ask):
        seconds = 0.01 if ask.program is EMPTY else 0.1
        attempt = echo(ask, usage=used(cpu=seconds))
        return replace(attempt, **outcomes) if ask.program is SLOW else attempt

    return Scripted(answer)


@check_rows(
    ("changes", "wrong"),
    [
        ({"outcomes": (Outcome("value", 0), Outcome("value", 9), Outcome("value", 2), Outcome("value", 3))}, (1,)),
        ({"outcomes": (Outcome("value", 0), Outcome("value", True), Outcome("value", 2), Outcome("value", 3))}, (1,)),
        ({"outcomes": (Outcome("value", 0), DEATH)}, (1, 2, 3)),
        ({"outcomes": (LOAD,), "loaded": False}, (0, 1, 2, 3)),
        ({"outcomes": ()}, (0, 1, 2, 3)),
    ],
)
async def test_wrong_answers_are_named(changes, wrong):
    (sample,) = await sampled(wrong_right(changes))
    assert sample.wrong == wrong


async def test_a_check_of_the_callers_sees_every_outcome():
    seen = []

    def check(index, outcome):
        seen.append((index, outcome.value))
        return outcome.value != 2

    (sample,) = await sampled(timed(empty=0.01, left=0.1, right=0.1), check=check)
    assert sample.wrong == (2,)
    assert {index for index, _ in seen} == {0, 1, 2, 3}


async def test_failing_alike_is_wrong_too():
    def fail(ask):
        return Attempt((DEATH,) * 4, used(cpu=0.01 if ask.program is EMPTY else 0.1), ISOLATION)

    (sample,) = await sampled(Scripted(fail))
    assert sample.wrong == (0, 1, 2, 3)


# --- the rest --------------------------------------------------------------------------------------------------------


async def test_it_is_closed_at_the_end_of_a_block():
    sandbox = Scripted()
    async with sandbox as entered:
        assert entered is sandbox
    assert sandbox.closed == 1
    with pytest.raises(KeyError):
        async with sandbox:
            raise KeyError
    assert sandbox.closed == 2


def test_the_static_policy_is_part_of_the_port():
    sandbox = Scripted()
    assert sandbox.lint("def f(x):\n    return x\n") == ()
    (finding, *_) = sandbox.lint("import subprocess\n", path="x.py")
    assert finding
