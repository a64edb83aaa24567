"""Each rewrite on a program that needs it: it answers as before, and takes fewer opcodes where it claims to."""

import random

import pytest
from tests.breeding.loop_cases import LOOP_CASES
from tests.breeding.scan_cases import SCAN_CASES
from tests.breeding.structure_cases import STRUCTURE_CASES
from tests.breeding.trying import chain, load, offered, opcodes, seen
from tests.support import by_profile
from tests.support.rows import check_rows

CASES = LOOP_CASES | STRUCTURE_CASES | SCAN_CASES
DRAWS = by_profile(50, 200)


@pytest.mark.slow
@check_rows("name", CASES)
def test_a_rewrite_answers_as_before_and_takes_fewer_opcodes(name):
    case = CASES[name]
    after = chain(case.source, (case.operator, case.wanted))
    before, rewritten = load(case.source), load(after, "f")
    draw = random.Random(name)
    made = [case.inputs(draw) for _ in range(DRAWS)]
    for given in made:
        assert rewritten(*given) == before(*given), (given, after)
    if case.faster:
        assert sum(opcodes(rewritten, *given) for given in made) < sum(opcodes(before, *given) for given in made)


NOT_OFFERED = {
    "strings are not summed": (
        "accumulate",
        "sum(",
        "def f(x):\n    t = ''\n    for v in x:\n        t += str(v) + ';'\n    return t\n",
    ),
    "what comes in front is not appended": ("slice", "extend", "def f(x, y):\n    x = y + x\n    return x\n"),
    "counting is not asking": (
        "set_lookup",
        "if 3 in x",
        "def f(x):\n    n = 0\n    for v in x:\n        if v == 3:\n            n += 1\n    return n\n",
    ),
    "a range stays where it is walked": (
        "hoist",
        "= range",
        "def f(x):\n    for v in x:\n        for i in range(len(x)):\n            x[i] = v\n    return x\n",
    ),
    "builtins keep their names": (
        "reuse",
        "local_",
        "def f(x):\n    t = 0\n    for v in x:\n        t += abs(v)\n    return t\n",
    ),
}


@check_rows("name", NOT_OFFERED)
def test_what_cannot_be_right_is_not_offered(name):
    operator, unwanted, source = NOT_OFFERED[name]
    assert not any(unwanted in made.text for _, made in offered(seen(source), operator, 40))
