"""Slices, structures and recursion: programs that a rewrite makes faster."""

from tests.breeding.drawing import (
    Case,
    full_lists,
    list_and_number,
    lists,
    number,
    short_lists,
    small_number,
    sorted_and_number,
    two_lists,
    words,
)

STRUCTURE_CASES = {
    "reversed": Case(
        """
def f(x):
    out = []
    for i in range(len(x) - 1, -1, -1):
        out.append(x[i])
    return out
""",
        "slice",
        "reversed(x)",
        lists,
    ),
    "insert at front": Case(
        """
def f(x):
    out = []
    for v in x:
        out.insert(0, v)
    return out
""",
        "slice",
        "out.reverse()",
        lists,
        faster=False,
    ),
    "concatenation": Case(
        """
def f(x):
    out = []
    for v in x:
        out = out + [v]
    return out
""",
        "slice",
        "out.append(v)",
        lists,
        faster=False,
    ),
    "palindrome": Case(
        """
def f(x):
    for i in range(len(x) // 2):
        if x[i] != x[len(x) - 1 - i]:
            return False
    return True
""",
        "slice",
        "x == x[::-1]",
        lists,
    ),
    "swap": Case(
        """
def f(x):
    x = list(x)
    t = x[0]
    x[0] = x[1]
    x[1] = t
    return x
""",
        "reuse",
        "x[0], x[1] = x[1], x[0]",
        full_lists,
        faster=False,
    ),
    "filled": Case(
        """
def f(n):
    x = [True] * n
    for j in range(0, n, 2):
        x[j] = False
    return x
""",
        "slice",
        "x[0:n:2] = ",
        number,
    ),
    "prepended": Case(
        """
def f(x):
    s = ''
    for w in x:
        s = w + s
    return s
""",
        "strings",
        "reversed(parts)",
        words,
        faster=False,
    ),
    "indices": Case(
        """
def f(x, y):
    t = 0
    for v in y:
        if v in x:
            t += x.index(v)
    return t
""",
        "set_lookup",
        "places[v]",
        two_lists,
        faster=False,
    ),
    "pairs": Case(
        """
def f(x, y):
    t = 0
    for a in x:
        for b in y:
            if b == a:
                t += 1
    return t
""",
        "set_lookup",
        "t += y.count(a)",
        two_lists,
    ),
    "two sum": Case(
        """
def f(x, n):
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[i] + x[j] == n:
                return i, j
    return None
""",
        "index",
        "index.get(n - x[i], ())",
        list_and_number,
        faster=False,
    ),
    "bisected": Case(
        """
def f(x, n):
    i = 0
    while i < len(x) and x[i] < n:
        i += 1
    return i
""",
        "bisect",
        "bisect.bisect_left(x, n)",
        sorted_and_number,
    ),
    "insort": Case(
        """
def f(x):
    out = []
    for v in x:
        out.append(v)
        out.sort()
    return out
""",
        "bisect",
        "bisect.insort(out, v)",
        lists,
        faster=False,
    ),
    "tested by halves": Case(
        """
def f(x, y):
    t = 0
    for v in x:
        if v in y:
            t += 1
    return t
""",
        "bisect",
        "ordered = sorted(y)",
        two_lists,
        faster=False,
    ),
    "most common": Case(
        """
def f(x):
    return max(x, key=x.count)
""",
        "counting",
        "Counter(x)",
        full_lists,
        faster=False,
    ),
    "grouped": Case(
        """
def f(x):
    d = {}
    for v in x:
        if v % 2 not in d:
            d[v % 2] = []
        d[v % 2].append(v)
    return d
""",
        "counting",
        "setdefault",
        lists,
    ),
    "bytes": Case(
        """
def f(n):
    seen = [False] * n
    seen[1] = True
    return sum(seen)
""",
        "array",
        "bytearray(n)",
        number,
        faster=False,
    ),
    "running": Case(
        """
def f(x):
    out = []
    for i in range(len(x)):
        out.append(max(x[:i + 1]))
    return out
""",
        "prefix_sums",
        "running_max[i]",
        lists,
        faster=False,
    ),
    "squares": Case(
        """
def f(x):
    return [v ** 2 for v in x]
""",
        "arithmetic",
        "v * v",
        lists,
        faster=False,
    ),
    "gauss": Case(
        """
def f(n):
    return sum(range(n))
""",
        "arithmetic",
        "n * (n - 1) // 2",
        number,
        faster=False,
    ),
    "lazy": Case(
        """
def f(x):
    return sum([v * v for v in x])
""",
        "generator",
        "sum(v * v for v in x)",
        lists,
        faster=False,
    ),
    "no list": Case(
        """
def f(x):
    t = 0
    for v in list(range(len(x))):
        t += v
    return t
""",
        "generator",
        "for v in range(len(x))",
        lists,
        faster=False,
    ),
    "rolling": Case(
        """
def f(n):
    t = [0] * (n + 1)
    t[0] = 0
    t[1] = 1
    for i in range(2, n + 1):
        t[i] = t[i - 1] + t[i - 2]
    return t[n]
""",
        "rolling_table",
        "older, last",
        number,
    ),
    "memo": Case(
        """
def f(n):
    return n if n < 2 else f(n - 1) + f(n - 2)
""",
        "memoise",
        "functools.cache",
        small_number,
    ),
    "memo in a dict": Case(
        """
def f(n):
    return n if n < 2 else f(n - 1) + f(n - 2)
""",
        "memoise",
        "memo.setdefault(n",
        small_number,
    ),
    "memo of tuples": Case(
        """
def f(x, n):
    if n == 0:
        return 1
    if not x or n < 0:
        return 0
    return f(x[1:], n) + f(x[1:], n - x[0])
""",
        "memoise",
        "tuple(x)",
        list_and_number,
        faster=False,
    ),
    "indexed recursion": Case(
        """
def f(x, n):
    if n == 0:
        return 1
    if len(x) == 0 or n < 0:
        return 0
    return f(x[1:], n) + f(x[1:], n - x[0])
""",
        "index_recursion",
        "x_at + 1",
        list_and_number,
        faster=False,
    ),
    "common ends": Case(
        """
def f(a, b):
    if not a or not b:
        return 0
    if a[-1] == b[-1]:
        return 1 + f(a[:-1], b[:-1])
    return max(f(a[:-1], b), f(a, b[:-1]))
""",
        "index_recursion",
        "a_end - 1",
        short_lists,
        faster=False,
    ),
}
