"""Violations as a report shows them."""

from tests.guard.making import ABS, ECHO, NUMBERS, answers, evaluation, judged, raised, trial
from tests.support.rows import check_rows

from mendel.contracts.value_json import from_json
from mendel.contracts.verdicts import Violation
from mendel.guard import Code, TaskSpec
from mendel.guard.checking import Breach
from mendel.guard.tally import Judged
from mendel.guard.violations import FAILURES, MOST_ARGUMENT_BYTES, MOST_SHOWN, violation

TASK = TaskSpec("task", NUMBERS)
ONE = evaluation(TASK, ABS, ECHO)
MISMATCH = Breach("mismatch", "equivalence", "its answer differs")


def shown(breach=MISMATCH, ours=1, theirs=2, args=(3,), variants=(), spec=None, **options) -> Violation:
    place = ONE if spec is None else evaluation(spec, ABS, ECHO)
    ours, theirs = (each if isinstance(each, tuple) else (each,) for each in (ours, theirs))
    judgement = Judged(trial(*args, variants=variants, index=7), answers(*ours), answers(*theirs), (breach,))
    return violation(place, judgement, breach, **options)


def test_a_mismatch_shows_both_answers():
    found = shown()
    assert (found.kind, found.case, found.input, found.expected, found.got) == ("mismatch", 7, "(3,)", "2", "1")
    assert (found.arguments, found.shrunk, found.side) == ([3], False, "candidate")
    assert found.detail == "its answer differs"


def test_a_mismatch_on_a_variant_shows_the_variant():
    found = shown(Breach("mismatch", "equivalence", "", 0), ours=(1, 5), theirs=(1, 6), variants=[(4,)])
    assert (found.input, found.expected, found.got, found.arguments) == ("(4,)", "6", "5", [4])


def test_a_broken_property_is_what_was_expected():
    found = shown(Breach("property", "positive", "its check raised"))
    assert (found.name, found.expected, found.got, found.detail) == ("positive", "positive", "1", "its check raised")


def test_a_broken_relation_shows_the_input_and_both_answers_to_it():
    found = shown(Breach("relation", "turned", "", 0), ours=(1, 5), theirs=(1, 1), variants=[(-3,)])
    assert (found.input, found.arguments) == ("(3,)", [3])
    assert found.expected == "relation turned between the answers to the input and to the transformed input"
    assert found.got == "1; on the transformed input (-3,): 5"


def test_a_failure_is_shown_as_what_it_is():
    found = shown(Breach("failure", "SANDBOX_EXCEPTION"), ours=raised("KeyError", "x"))
    assert (found.expected, found.got) == ("2", "exception: KeyError: x")
    assert shown(ours=raised(), theirs=raised("OSError", "y")).expected == "exception: OSError: y"


def test_of_the_baseline_its_own_answer_is_shown():
    found = shown(Breach("property", "positive"), side="baseline")
    assert (found.side, found.got) == ("baseline", "2")


def test_values_are_shown_as_the_task_shows_them():
    spec = TaskSpec("task", NUMBERS, fmt_in=lambda args: f"x={args[0]}", fmt_out=lambda output: f"<{output}>")
    found = shown(spec=spec)
    assert (found.input, found.expected, found.got) == ("x=3", "<2>", "<1>")


@check_rows("text", ["a\0b", "lone \ud800 surrogate", "x" * 50_000])
def test_whatever_was_answered_can_be_stored(text):
    found = shown(Breach("property", text, text), ours=text, theirs=text, args=(text,))
    assert Violation.model_validate_json(found.model_dump_json()) == found
    assert "\0" not in found.model_dump_json()
    assert len(found.got) < MOST_SHOWN + 100
    assert tuple(map(from_json, found.arguments)) == (text,)


def test_long_text_tells_how_long_it_was():
    assert shown(ours="x" * 50_000).got.endswith("… (50,002 characters)")


def test_large_arguments_are_not_kept():
    assert shown(args=("x" * MOST_ARGUMENT_BYTES,)).arguments is None
    assert shown(args=("x" * (MOST_ARGUMENT_BYTES - 100),)).arguments is not None


def test_deep_arguments_break_nothing():
    deep = 1
    for _ in range(400):
        deep = [deep]
    found = shown(args=(deep,))
    assert Violation.model_validate_json(found.model_dump_json()) == found


def test_a_breach_without_a_name_has_one():
    assert shown(Breach("property", "")).name == "unnamed"


def test_every_failure_has_a_code():
    assert set(FAILURES.values()) <= set(Code)


def test_a_load_that_failed_is_not_shrunk():
    report = judged(TASK, ABS, "raise ValueError('no')\n\ndef solve(x):\n    return x\n", n=60)
    assert (report.code, report.violations[0].shrunk) == ("load_failed", False)
    assert "ValueError: no" in report.reason


def test_nothing_is_shrunk_where_that_was_not_wanted():
    wrong = "def solve(x):\n    return abs(x) + (x > 20)\n"
    small, plain = (judged(TASK, ABS, wrong, n=60, shrink=shrink).violations[0] for shrink in (True, False))
    assert (small.arguments, small.shrunk) == ([21], True)
    assert not plain.shrunk
    assert plain.arguments[0] > 20


def test_the_minimal_input_is_told_in_the_reason():
    report = judged(TASK, ABS, "def solve(x):\n    return abs(x) + (x > 20)\n", n=60)
    assert "minimal input (21,)" in report.reason
