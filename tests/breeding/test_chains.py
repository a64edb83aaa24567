"""Slow programs of every kind get fast by chains of operators, and answer as before."""

import random

import pytest
from tests.breeding.corpus import CORPUS
from tests.breeding.trying import chain, load, opcodes
from tests.support import by_profile
from tests.support.rows import check_rows


def same_answers(before, after, inputs):
    for given in inputs:
        assert after(*copied(given)) == before(*copied(given)), given


def copied(given):
    return [list(each) if isinstance(each, list) else each for each in given]


def numbers(draw, most=12, top=9):
    return [draw.randrange(-top, top) for _ in range(draw.randrange(most))]


def word(draw, letters, most):
    return "".join(draw.choice(letters) for _ in range(draw.randrange(most)))


def graph(draw, most=8):
    names = "abcdefgh"[: draw.randrange(1, most + 1)]
    return {n: {m: draw.randrange(1, 9) for m in names if m != n and draw.random() < 0.4} for n in names}


DRAWS = by_profile(100, 300)


def inputs(make, count=DRAWS):
    draw = random.Random(7)
    return [make(draw) for _ in range(count)]


def test_a_bubble_sort_stops_early_and_shrinks():
    after = chain(
        CORPUS["bubble_sort"],
        ("early_exit", "changed = True", "if not changed"),
        ("shrink_range", "range((len(items) - 1) - i)"),
    )
    fast, slow = load(after), load(CORPUS["bubble_sort"])
    same_answers(slow, fast, inputs(lambda draw: (numbers(draw),)))
    ordered = list(range(100))
    assert opcodes(fast, ordered) * 20 < opcodes(slow, ordered)
    assert "# a copy" in after
    assert '"""Sort."""' in after


@check_rows(
    ("name", "steps"),
    [
        ("dijkstra", [("heap", "heappush"), ("set_lookup", "unvisited = set(graph)")]),
        ("dijkstra_scan", [("heap", "min((v for v in graph"), ("heap", "heappush")]),
        ("dijkstra_scan", [("heap", "heappush")]),
    ],
)
def test_dijkstra_gets_a_heap(name, steps):
    after = chain(CORPUS[name], *steps)
    fast, slow = load(after), load(CORPUS[name])

    def made(draw):
        drawn = graph(draw)
        return drawn, draw.choice(list(drawn))

    same_answers(slow, fast, inputs(made))
    line = {n: {n + 1: 1} for n in range(200)} | {200: {}}
    assert opcodes(fast, line, 0) * 5 < opcodes(slow, line, 0)


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("search", [("strings", "startswith"), ("reuse", "if text.startswith(pattern, i)"), ("strings", ".find(")]),
        ("search_all", [("strings", "startswith"), ("strings", ".find(pattern, i + 1)")]),
    ],
)
def test_a_letter_by_letter_search_becomes_find(name, steps):
    fast, slow = load(chain(CORPUS[name], *steps)), load(CORPUS[name])
    same_answers(slow, fast, inputs(lambda draw: (word(draw, "ab", 12), word(draw, "ab", 4))))
    assert opcodes(fast, "a" * 500, "aab") * 50 < opcodes(slow, "a" * 500, "aab")


COLUMNS = "reuse", "columns = list(zip(*b))", "a[i][k] * columns[j][k]"
ROWS = "loop_shape", "in zip(a[i], columns[j])"


def matrix(draw, rows, columns):
    return [[draw.randrange(9) for _ in range(columns)] for _ in range(rows)]


def matrices(draw):
    n, m, p = (draw.randrange(1, 5) for _ in range(3))
    return matrix(draw, n, m), matrix(draw, m, p)


@pytest.mark.slow
@check_rows(
    ("name", "steps"),
    [
        ("matmul", [("reuse", "columns = list(zip(*b))", "in zip(")]),
        ("matmul", [COLUMNS, ("accumulate", "total = sum("), ROWS, ("accumulate", "operator.mul")]),
        ("matmul_cells", [("hoist", "total = c[i][j]"), COLUMNS, ("accumulate", "total = sum(("), ROWS]),
    ],
)
def test_a_matrix_product_takes_columns_once_and_goes_through_rows(name, steps):
    fast, slow = load(chain(CORPUS[name], *steps)), load(CORPUS[name])
    same_answers(slow, fast, inputs(matrices))
    wide = [[1] * 20] * 20
    assert opcodes(fast, wide, wide) < opcodes(slow, wide, wide)


@pytest.mark.slow
@pytest.mark.parametrize("operator", ["memoise", "index_recursion"])
def test_a_matcher_remembers(operator):
    wanted = "cache" if operator == "memoise" else "p_at"
    fast, slow = load(chain(CORPUS["matcher"], (operator, wanted))), load(CORPUS["matcher"])
    same_answers(slow, fast, inputs(lambda draw: (word(draw, "ab*?", 6), word(draw, "ab", 7))))
    assert opcodes(fast, "*a" * 7 + "b", "a" * 16) * 10 < opcodes(slow, "*a" * 7 + "b", "a" * 16)


def test_what_was_remembered_does_not_outlive_the_call():
    fast = load(chain(CORPUS["fib"], ("memoise", "functools.cache")))
    assert opcodes(fast, 30) == opcodes(fast, 30)


@check_rows(
    "steps",
    [
        [("set_lookup", "out_set.add")],
        [("loop_shape", "for x_at in x"), ("dedupe", "dict.fromkeys(x)")],
        [("dedupe", "dict.fromkeys")],
        [("dedupe", "dict.fromkeys"), ("loop_shape", "(x_at for x_at in x)"), ("generator", "dict.fromkeys(x)")],
    ],
)
def test_quadratic_dedupe_becomes_linear(steps):
    fast, slow = load(chain(CORPUS["dedupe"], *steps)), load(CORPUS["dedupe"])
    same_answers(slow, fast, inputs(lambda draw: (numbers(draw),)))


def test_membership_in_loops_gets_sets():
    after = chain(CORPUS["common"], ("set_lookup", "b_set = set(b)"), ("set_lookup", "out_set.add"))
    same_answers(load(CORPUS["common"]), load(after), inputs(lambda draw: (numbers(draw), numbers(draw))))
    assert "in b " not in after


@pytest.mark.parametrize("steps", [[("set_lookup", "Counter")], [("counting", "Counter")]])
def test_counting_counts_once(steps):
    fast, slow = load(chain(CORPUS["counts"], *steps)), load(CORPUS["counts"])
    same_answers(slow, fast, inputs(lambda draw: (numbers(draw),)))


def test_a_string_is_joined():
    after = chain(CORPUS["render"], ("strings", '"".join(parts)', 'parts.append("\\n")'))
    rows = inputs(lambda draw: ([numbers(draw) for _ in range(draw.randrange(4))],))
    same_answers(load(CORPUS["render"]), load(after), rows)
    assert "out = out" not in after


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("windows", [("prefix_sums", "sums[i + k] - sums[i]")]),
        ("queries", [("accumulate", "sum("), ("prefix_sums", "sums[b] - sums[a]")]),
    ],
)
def test_sums_of_slices_are_read_from_a_table(name, steps):
    after = chain(CORPUS[name], *steps)
    fast, slow = load(after), load(CORPUS[name])
    if name == "windows":
        made = inputs(lambda draw: ([1, *numbers(draw)], 1))
    else:
        made = inputs(lambda draw: ([draw.randrange(9) for _ in range(9)], [(draw.randrange(4), draw.randrange(4, 9))]))
        long = list(range(300)), [(0, 300)] * 50
        assert opcodes(fast, *long) * 20 < opcodes(slow, *long)
    same_answers(slow, fast, made)


def test_a_big_list_that_is_only_summed_is_never_built():
    after = chain(CORPUS["squares"], ("comprehension", "values = ["), ("generator", "values = ("))
    assert "[" not in after
    same_answers(load(CORPUS["squares"]), load(after), inputs(lambda draw: (draw.randrange(40),)))


def test_a_search_goes_through_a_deque_and_a_set():
    after = chain(CORPUS["bfs"], ("queue", "popleft"), ("set_lookup", "seen_set.add"))

    def made(draw):
        drawn = graph(draw)
        return {n: list(to) for n, to in drawn.items()}, draw.choice(list(drawn))

    same_answers(load(CORPUS["bfs"]), load(after), inputs(made))


def test_merging_the_smallest_goes_through_a_heap():
    after = chain(CORPUS["merge_all"], ("heap", "heappush"))
    assert ".sort()" not in after
    same_answers(load(CORPUS["merge_all"]), load(after), inputs(lambda draw: ([abs(v) for v in numbers(draw)],)))
