"""NumPy where it is granted: the same answers up to rounding, arrays made once."""

import random

import pytest
from tests.breeding.trying import load, offered, seen
from tests.support.rows import check_rows

np = pytest.importorskip("numpy")

KERNEL = """
def f(s, lags):
    out = []
    for lag in range(lags):
        total = 0.0
        for i in range(len(s) - lag):
            total += s[i] * s[i + lag]
        out.append(total)
    return out
"""
PAIRED = """
def f(s, lags):
    rows = [s[k:] for k in range(lags)]
    return [sum(a * b for a, b in zip(row, s)) for row in rows]
"""
CENTRED = """
def f(s, lags):
    if not s:
        return []
    mean = sum(s) / len(s)
    return [v - mean for v in s]
"""


def granted(source):
    return seen(source, packages=("numpy",))


def drawn(seed):
    draw = random.Random(seed)
    s = [draw.uniform(-5, 5) for _ in range(draw.randrange(12))]
    return s, draw.randrange(len(s) + 1)


@check_rows("source", [KERNEL, PAIRED, CENTRED])
def test_the_answers_agree_to_nine_digits(source):
    made = [code.text for _, code in offered(granted(source), "numeric")]
    assert made
    for text in made:
        before, after = load(source), load(text, "f")
        for seed in range(200):
            given = drawn(seed)
            assert after(*given) == pytest.approx(before(*given), rel=1e-9, abs=1e-9), text


def test_a_list_becomes_an_array_once_before_the_loop():
    made = [code.text for _, code in offered(granted(KERNEL), "numeric", 40)]
    fast = next(text for text in made if "s_array = np.array(s)\n    for lag" in text)
    assert "np.dot(s_array[:len(s) - lag], s_array[lag:" in fast
    assert "import numpy as np\n" in fast


def test_nothing_is_offered_where_numpy_is_not_granted():
    for source in (KERNEL, PAIRED, CENTRED):
        assert list(offered(seen(source), "numeric")) == []


def test_a_sum_that_moves_with_its_bound_is_left_alone():
    source = "def f(x, y, n):\n    t = 0\n    for i in range(n):\n        t += x[i] * y[i + i]\n    return t\n"
    assert list(offered(granted(source), "numeric")) == []
