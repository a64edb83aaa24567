"""Loops and what is computed in them: programs that a rewrite makes faster."""

from tests.breeding.drawing import Case, full_lists, list_and_number, list_and_turned, lists, number, two_lists

LOOP_CASES = {
    "zip": Case(
        """
def f(x, y):
    t = 0
    for i in range(len(x)):
        t += x[i] * y[i]
    return t
""",
        "loop_shape",
        "zip(x, y)",
        list_and_turned,
    ),
    "enumerate": Case(
        """
def f(x):
    t = 0
    for i in range(len(x)):
        t += i * x[i] + x[i]
    return t
""",
        "loop_shape",
        "enumerate(x)",
        lists,
    ),
    "neighbours": Case(
        """
def f(x):
    return [x[i] - x[i - 1] for i in range(1, len(x))]
""",
        "loop_shape",
        "x[1:]",
        lists,
    ),
    "counter": Case(
        """
def f(x):
    t = 0
    i = 0
    while i < len(x):
        # every one
        t += x[i]
        i += 1
    return t
""",
        "loop_shape",
        "for i in range(len(x)):\n        # every one",
        lists,
    ),
    "fusion": Case(
        """
def f(x):
    a = b = 0
    for v in x:
        a += v
    for w in x:
        b = max(b, w)
    return a, b
""",
        "loop_shape",
        "b = max(b, v)",
        lists,
    ),
    "unswitch": Case(
        """
def f(x, y):
    t = 0
    for v in x:
        if len(y) > 3:
            t += v
        else:
            t -= v
    return t
""",
        "loop_shape",
        "if len(y) > 3:\n        for v",
        two_lists,
    ),
    "drained": Case(
        """
def f(x):
    x = list(x)
    t = 0
    while x:
        v = x.pop(0)
        t = t * 2 + v
    return t
""",
        "loop_shape",
        "for v in x",
        lists,
    ),
    "items": Case(
        """
def f(x):
    d = dict(enumerate(x))
    t = 0
    for k in d:
        t += k * d[k]
    return t
""",
        "loop_shape",
        "d.items()",
        lists,
        faster=False,
    ),
    "interchange": Case(
        """
def f(x, y):
    t = 0
    for a in x:
        for b in y:
            t += a * b
    return t
""",
        "loop_shape",
        "for b in y:\n        for a in x",
        two_lists,
        faster=False,
    ),
    "comprehension": Case(
        """
def f(x):
    out = []
    for v in x:
        if v > 2:
            out.append(v * v)
    return out
""",
        "comprehension",
        "out = [v * v for v in x if v > 2]",
        lists,
    ),
    "nested comprehension": Case(
        """
def f(x, y):
    out = []
    for a in x:
        for b in y:
            out.append(a + b)
    return out
""",
        "comprehension",
        "for a in x for b in y",
        two_lists,
    ),
    "dict comprehension": Case(
        """
def f(x):
    d = {}
    for v in x:
        d[v] = v + 1
    return d
""",
        "comprehension",
        "{v: v + 1 for v in x}",
        lists,
        faster=False,
    ),
    "sum": Case(
        """
def f(x):
    t = 0
    for v in x:
        t += v
    return t
""",
        "accumulate",
        "sum(v for v in x)",
        lists,
        faster=False,
    ),
    "max": Case(
        """
def f(x):
    m = x[0]
    for v in x:
        if v > m:
            m = v
    return m
""",
        "accumulate",
        "max(v for v in x)",
        full_lists,
        faster=False,
    ),
    "any": Case(
        """
def f(x):
    for v in x:
        if v > 7:
            return True
    return False
""",
        "accumulate",
        "any(v > 7 for v in x)",
        lists,
        faster=False,
    ),
    "all": Case(
        """
def f(x):
    ok = True
    for v in x:
        if v > 7:
            ok = False
    return ok
""",
        "accumulate",
        "not any(v > 7 for v in x)",
        lists,
        faster=False,
    ),
    "next": Case(
        """
def f(x):
    for v in x:
        if v > 5:
            return v
    return None
""",
        "accumulate",
        "next((v for v in x if v > 5), None)",
        lists,
        faster=False,
    ),
    "in": Case(
        """
def f(x, n):
    return any(v == n for v in x)
""",
        "accumulate",
        "n in x",
        list_and_number,
    ),
    "count": Case(
        """
def f(x, n):
    return sum(1 for v in x if v == n)
""",
        "accumulate",
        "x.count(n)",
        list_and_number,
    ),
    "break when found": Case(
        """
def f(x):
    found = False
    for v in x:
        if v == 3:
            found = True
    return found
""",
        "early_exit",
        "found = True\n            break",
        lists,
        faster=False,
    ),
    "return at once": Case(
        """
def f(x):
    r = None
    for v in x:
        if v == 3:
            r = v
            break
    return r
""",
        "early_exit",
        "return v",
        lists,
        faster=False,
    ),
    "insertion": Case(
        """
def f(x):
    x = list(x)
    for i in range(1, len(x)):
        for j in range(i, 0, -1):
            if x[j] < x[j - 1]:
                x[j], x[j - 1] = x[j - 1], x[j]
    return x
""",
        "early_exit",
        "else:\n                break",
        lists,
    ),
    "divisors": Case(
        """
def f(n):
    for d in range(2, n):
        if n % d == 0:
            return False
    return True
""",
        "shrink_range",
        "math.isqrt(n) + 1",
        number,
    ),
    "unrolled": Case(
        """
def f(n):
    t = 0
    for i in range(n):
        t += i * i
    return t
""",
        "unroll",
        "range(0, whole, 4)",
        number,
        faster=False,
    ),
    "hoisted": Case(
        """
def f(x, y):
    t = 0
    for v in x:
        t += v * len(y)
    return t
""",
        "hoist",
        "size = len(y)",
        two_lists,
    ),
    "method": Case(
        """
def f(x):
    out = []
    for v in x:
        out.append(v)
    return out
""",
        "hoist",
        "append = out.append",
        lists,
        faster=False,
    ),
    "cell": Case(
        """
def f(x):
    c = [0]
    for v in x:
        c[0] += v
    return c
""",
        "hoist",
        "c[0] = total",
        lists,
    ),
    "shared": Case(
        """
def f(x):
    return sum(x) * sum(x) + sum(x)
""",
        "reuse",
        "sum_of = sum(x)",
        lists,
        faster=False,
    ),
    "cached calls": Case(
        """
def f(x):
    t = 0
    for v in x:
        t += g(v)
    return t


def g(n):
    return sum(i * i for i in range(100 + n))
""",
        "reuse",
        "functools.cache(g)",
        lists,
    ),
}
