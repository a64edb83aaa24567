"""Scans that a table, an order or one computation before the loop replaces."""

from tests.breeding.drawing import Case, list_and_number, lists, two_lists, two_long_lists

SCAN_CASES = {
    "spread by the list's ends": Case(
        """
def f(x):
    out = []
    for v in x:
        scale = abs(max(x) - min(x)) + 2
        out.append(v * 3 % scale)
    return out
""",
        "hoist",
        "scale = abs(max(x) - min(x)) + 2 if x else None\n    for",
        lists,
    ),
    "part of an expression that may raise": Case(
        """
def f(x):
    out = []
    for v in x:
        out.append(v - sum(x) // len(x))
    return out
""",
        "hoist",
        "held = sum(x) // len(x) if x else None\n    for",
        lists,
    ),
    "a mean that another loop needs": Case(
        """
def f(x, n):
    out = []
    for lag in range(n):
        mean = sum(x) / abs(len(x) - 20)
        centred = [v - mean for v in x]
        out.append(sum(centred[lag:]))
    return out
""",
        "hoist",
        "    centred = [v - mean for v in x] if range(n) else None\n    for lag",
        list_and_number,
    ),
    "first element": Case(
        """
def f(x):
    out = []
    for v in x:
        out.append(v - x[0] * 2)
    return out
""",
        "hoist",
        "held = x[0] * 2 if x else None",
        lists,
    ),
    "divisor of nothing": Case(
        """
def f(x, y):
    out = []
    for v in y if x else []:
        out.append(v % (sum(x) // len(x) + 1))
    return out
""",
        "hoist",
        "if x else None",
        two_lists,
    ),
    "largest first": Case(
        """
def f(x):
    waiting = list(x)
    out = []
    while waiting:
        v = max(waiting)
        waiting.remove(v)
        out.append(v + len(out) * 3)
    return out
""",
        "heap",
        "for v in sorted(waiting, reverse=True)",
        lists,
    ),
    "smallest first": Case(
        """
def f(x):
    waiting = list(x)
    out = []
    while len(waiting) > 0:
        v = waiting.pop(waiting.index(min(waiting)))
        out.append(v + len(out) * 3)
    return out
""",
        "heap",
        "for v in sorted(waiting):",
        lists,
    ),
    "largest from the end of a sorted list": Case(
        """
def f(x):
    waiting = list(x)
    out = []
    while waiting and len(out) < 5:
        waiting.sort(reverse=True)
        v = waiting.pop(0)
        out.append((v, len(waiting)))
    return out, sum(waiting)
""",
        "heap",
        "waiting.sort()\n    while",
        lists,
    ),
    "largest from a heap": Case(
        """
def f(x):
    waiting = list(x)
    out = []
    while waiting:
        v = max(waiting)
        waiting.remove(v)
        out.append(v)
        if v > 3:
            waiting.append(v // 2)
    return out
""",
        "heap",
        "heapq.heappush(waiting, -(v // 2))",
        lists,
        faster=False,
    ),
    "emptied and asked for afterwards": Case(
        """
def f(x):
    waiting = list(x)
    out = []
    while waiting:
        v = min(waiting)
        waiting.remove(v)
        out.append(v * v)
    return out, waiting
""",
        "heap",
        "waiting.clear()",
        lists,
    ),
    "tally by a list": Case(
        """
def f(x):
    out = {}
    for v in x:
        kind = v % 4
        out[kind] = len([o for o in x if o % 4 == kind])
    return out
""",
        "index",
        "collections.Counter(o % 4 for o in x)",
        lists,
    ),
    "tally by ones": Case(
        """
def f(x):
    return [sum(1 for o in x if v // 2 == o // 2 and o > 1) for v in x]
""",
        "index",
        "if o > 1)",
        lists,
        faster=False,
    ),
    "tally by a loop": Case(
        """
def f(x, y):
    out = []
    for v in x:
        hits = 0
        for o in y:
            if o * 2 % 7 == v + 1:
                hits += 1
        out.append(v + hits * 5)
    return out
""",
        "index",
        ".Counter(o * 2 % 7 for o in y)",
        two_lists,
    ),
    "total by a key": Case(
        """
def f(x, y):
    out = []
    for v in x:
        out.append(sum(o * o for o in y if o % 3 == v))
    return out
""",
        "index",
        "by_key[o % 3] += o * o",
        two_lists,
    ),
    "members by a key": Case(
        """
def f(x, y):
    out = []
    for v in x:
        near = [o + 1 for o in y if abs(o - 4) == v and o % 2]
        near.append(v)
        out.append(near)
    return out
""",
        "index",
        "by_key.setdefault(abs(o - 4), []).append(o + 1)",
        two_lists,
    ),
    "whether there is one of a kind": Case(
        """
def f(x, y):
    out = []
    for v in x:
        if not any(o + 2 == v for o in y):
            out.append(v)
    return out
""",
        "index",
        "{o + 2 for o in y}",
        two_lists,
    ),
    "pairs of two tables": Case(
        """
def f(x, y):
    out = []
    for left in x:
        wanted = left + 1
        for n, right in enumerate(y):
            if right % 5 == wanted and n != left:
                out.append((left, right, n))
    return out
""",
        "index",
        "for n, right in groups.get(wanted, ())",
        two_lists,
    ),
    "a range by its name": Case(
        """
def f(x, y):
    size = range(min(len(x), len(y)))
    t = 0
    for i in size:
        t += x[i] * y[i]
    return t
""",
        "loop_shape",
        "in zip(",
        two_lists,
        faster=False,
    ),
    "products down a column": Case(
        """
def f(x, y):
    a, b = [x, x[::-1]], [[v, v + 1] for v in x]
    out = []
    for i in range(len(a)):
        for j in range(2):
            t = 0
            for k in range(len(b)):
                t = t + a[i][k] * b[k][j]
            out.append(t)
    return out, y
""",
        "reuse",
        "sum(map(operator.mul, a[i], columns[j]))",
        two_long_lists,
    ),
    "a column walked": Case(
        """
def f(x, y):
    b = [[v, v + 1, v * 2] for v in x]
    out = []
    for j in [0, 2, 1, 2, 0] * 3:
        t = 0
        for v, row in zip(y, b):
            t += row[j] * v
        out.append(t)
    return out
""",
        "reuse",
        "zip(y, columns[j])",
        two_long_lists,
        faster=False,
    ),
    "a list that each round fills is left where it is": Case(
        """
def f(x):
    out = []
    for v in x:
        row = []
        size = len(x) * 2
        row.append(v + size)
        out.append(row)
    return out
""",
        "hoist",
        "size = len(x) * 2\n    for v in x:\n        row = []",
        lists,
    ),
    "a set says so in its annotation": Case(
        """
def f(x, y):
    done: list[int] = []
    out = []
    for v in x + y:
        if v not in done:
            out.append(v)
            done.append(v)
    return out
""",
        "set_lookup",
        "done: set[int] = set()",
        two_lists,
        faster=False,
    ),
    "a deque says so in its annotation": Case(
        """
def f(x):
    waiting: list[int] = list(x)
    out = []
    while waiting:
        out.append(waiting.pop(0))
        if waiting and waiting[0] > 3:
            waiting.append(waiting.pop(0) - 2)
    return out
""",
        "queue",
        "waiting: deque[int] = deque(list(x))",
        lists,
        faster=False,
    ),
    "dead code": Case(
        """
def f(x):
    unused = [v * 2 for v in x]
    t = 0
    for v in x:
        if v > 5:
            continue
            t += 100
        t += v
    return t
    t = 1
    return t
""",
        "tidy",
        "        t += v\n    return t\n",
        lists,
    ),
}
