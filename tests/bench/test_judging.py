"""One rule says whether an answer is as good as the original's, in examinations and in audits."""

from __future__ import annotations

from tests.domains.programs.making import SEED, checked, prepared, sized, wished
from tests.support.rows import check_rows

from mendel.bench.auditing import _disagreement
from mendel.bench.judging import against
from mendel.bench.spec_file import OwnRules
from mendel.bench.workbench import Workbench
from mendel.contracts.evaluations import Outcome
from mendel.domains.programs.models import ProgramTask
from mendel.guard.observing import Answers
from mendel.guard.spec import MetamorphicRelation, Property
from mendel.guard.trials import Trial

POSITIVE = Property(lambda output, _x: output > 0, "is positive")
DOUBLED = MetamorphicRelation("doubled", lambda x: (2 * x,), expect="equal")
TASK = ProgramTask(
    path="s.py", files={"s.py": ""}, main="s.py", entry="s:f", function="f", roots={"s.py": ("f",)},
    objectives={"speed": 1.0},
)  # fmt: skip


def bench(*, oracle=True, relations=()):
    made = Workbench(TASK, SEED)
    made.__dict__["rules"] = OwnRules(properties=(POSITIVE,), relations=relations, oracle=oracle)
    made.__dict__["inputs"] = type("NoInputs", (), {"held": staticmethod(lambda _count, _seed: [])})
    return made


def value(number):
    return Outcome("value", number)


def raised(name):
    return Outcome("exception", error_type=name, error_code="SANDBOX_EXCEPTION")


LATE = Outcome("timeout", error_code="SANDBOX_TIMEOUT")
NO_ROOM = Outcome("memory", error_code="SANDBOX_MEMORY")
DEAD = Outcome("killed", error_code="SANDBOX_CRASHED")

WITH_ORACLE = {
    "both answer": (value(3), value(3), None),
    "another answer": (value(3), value(4), "mismatch"),
    "an answer that breaks a rule, as the original's does": (value(-3), value(-3), "property"),
    "both raise the same": (raised("ValueError"), raised("ValueError"), None),
    "raises something else": (raised("KeyError"), raised("ValueError"), "mismatch"),
    "answers where the original raises": (value(3), raised("ValueError"), "mismatch"),
    "runs out where the original raises": (LATE, raised("ValueError"), "mismatch"),
    "raises where the original answers": (raised("ValueError"), value(3), "failure"),
    "both run out": (LATE, LATE, None),
    "both run out, of different things": (NO_ROOM, LATE, None),
    "answers where the original runs out": (value(3), LATE, None),
    "breaks a rule where the original runs out": (value(-3), LATE, "property"),
    "raises where the original runs out": (raised("ValueError"), LATE, "failure"),
    "dies where the original runs out": (DEAD, LATE, "failure"),
}
WITHOUT = {
    "another answer": (value(3), value(4), None),
    "an answer that breaks a rule": (value(-3), value(4), "property"),
    "both raise the same": (raised("ValueError"), raised("ValueError"), None),
    "raises something else": (raised("KeyError"), raised("ValueError"), "failure"),
    "answers where the original raises": (value(3), raised("ValueError"), None),
    "breaks a rule where the original raises": (value(-3), raised("ValueError"), "property"),
    "runs out where the original answers": (LATE, value(3), "failure"),
    "breaks a rule where the original runs out": (value(-3), LATE, "property"),
}


def kind(found):
    return found.kind if found is not None else None


@check_rows("name", WITH_ORACLE)
def test_beside_an_oracle(name):
    ours, theirs, expected = WITH_ORACLE[name]
    assert kind(against(bench(), Trial(0, (1,)), Answers(ours), Answers(theirs))) == expected


@check_rows("name", WITHOUT)
def test_beside_an_original_that_is_no_oracle(name):
    ours, theirs, expected = WITHOUT[name]
    assert kind(against(bench(oracle=False), Trial(0, (1,)), Answers(ours), Answers(theirs))) == expected


@check_rows(
    ("ours", "theirs", "expected"),
    [
        (raised("ValueError"), raised("ValueError"), None),
        (raised("KeyError"), raised("ValueError"), "relation"),
        (raised("ValueError"), value(3), "relation"),
        (LATE, LATE, None),
        (value(4), value(3), "relation"),
    ],
)
def test_on_a_transformed_input_ending_as_the_original_does_breaks_no_relation(ours, theirs, expected):
    trial = Trial(0, (1,), ((2,),))
    found = against(bench(relations=(DOUBLED,)), trial, Answers(value(3), (ours,)), Answers(value(3), (theirs,)))
    assert kind(found) == expected


SUMS = """def total(items: list[int]) -> int:
    found = 0
    for item in items:
        found += item
    return found
"""
RULES = (
    "from mendel.guard.spec import MetamorphicRelation\n"
    "relations = [MetamorphicRelation('reversed', lambda items: (items[::-1],), expect='equal')]\n"
)


def test_a_task_with_relations_is_examined_to_the_end(native, tmp_path):
    task = prepared(native, wished(tmp_path, SUMS, "total", "opcodes", task=sized(tmp_path, RULES)))
    bench = Workbench(task, SEED)
    better = "def total(items: list[int]) -> int:\n    return sum(items)\n"
    assert checked(native, bench, better).passed
    first = "def total(items: list[int]) -> int:\n    return items[0] if items else 0\n"
    assert not checked(native, bench, first).passed
    program = bench.program({task.main: better})
    assert native.awaited(_disagreement(bench, program, native.sandbox, SEED)) is None


HANGS = "def f(n: int) -> int:\n    while n == {never}:\n        pass\n    return n\n"


def test_an_original_that_runs_out_on_an_input_is_no_worse_than_itself(native, tmp_path):
    task = prepared(native, wished(tmp_path, "def f(n: int) -> int:\n    return n\n", "f", task=sized(tmp_path)))
    some = Workbench(task, SEED).seen[20].args[0]
    text = HANGS.format(never=some)
    bench = Workbench(task.model_copy(update={"files": {task.main: text}, "case_s": 0.3}), SEED)
    assert checked(native, bench, text).passed
    assert checked(native, bench, "def f(n: int) -> int:\n    return n\n").passed


SCORED = "oracle = False\nobjective = 'score'\ndef score(output, items):\n    return output + 1\n"


def test_an_answer_that_the_users_score_cannot_rate_speaks_against_the_candidate(native, tmp_path):
    task = prepared(native, wished(tmp_path, SUMS, "total", task=sized(tmp_path, SCORED)))
    found = checked(native, Workbench(task, SEED), "def total(items: list[int]) -> int:\n    return None\n")
    assert (found.passed, found.stage) == (False, "property")
    assert found.detail.startswith("score: it raises TypeError about an answer")
