"""Functions as people write them, slow and otherwise, for operators to be tried on."""

CORPUS = {
    "bubble_sort": '''
def bubble_sort(x: list[int]) -> list[int]:
    """Sort."""
    items = list(x)  # a copy
    for i in range(len(items)):
        # one pass
        for j in range(len(items) - 1):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items
''',
    "insertion_sort": '''
def insertion_sort(x):
    out = x[:]
    for i in range(1, len(out)):
        for j in range(i, 0, -1):
            if out[j] < out[j - 1]:
                out[j], out[j - 1] = out[j - 1], out[j]
    return out
''',
    "selection_sort": '''
def selection_sort(x):
    rest = list(x)
    out = []
    while rest:
        m = min(rest)
        rest.remove(m)
        out.append(m)
    return out
''',
    "dijkstra": '''
def shortest(graph, start):
    dist = {node: float("inf") for node in graph}
    dist[start] = 0
    unvisited = list(graph)
    while unvisited:
        u = min(unvisited, key=lambda node: dist[node])
        unvisited.remove(u)
        for v, w in graph[u].items():
            alt = dist[u] + w
            if alt < dist[v]:
                dist[v] = alt
    return dist
''',
    "dijkstra_scan": '''
def shortest(graph, start):
    dist = {}
    for node in graph:
        dist[node] = float("inf")
    dist[start] = 0
    visited = set()
    while True:
        best = float("inf")
        u = None
        for v in graph:
            if v not in visited and dist[v] < best:
                best = dist[v]
                u = v
        if u is None:
            break
        visited.add(u)
        for v, w in graph[u].items():
            if dist[u] + w < dist[v]:
                dist[v] = dist[u] + w
    return dist
''',
    "search": '''
def search(text: str, pattern: str) -> int:
    n, m = len(text), len(pattern)
    for i in range(n - m + 1):
        ok = True
        for j in range(m):
            if text[i + j] != pattern[j]:
                ok = False
                break
        if ok:
            return i
    return -1
''',
    "search_all": '''
def search_all(text, pattern):
    hits = []
    for i in range(len(text) - len(pattern) + 1):
        j = 0
        while j < len(pattern) and text[i + j] == pattern[j]:
            j += 1
        if j == len(pattern):
            hits.append(i)
    return hits
''',
    "matmul": '''
def matmul(a, b):
    n, m, p = len(a), len(b), len(b[0])
    c = [[0] * p for _ in range(n)]
    for i in range(n):
        for j in range(p):
            total = 0
            for k in range(m):
                total += a[i][k] * b[k][j]
            c[i][j] = total
    return c
''',
    "matmul_cells": '''
def matmul(a, b):
    c = []
    for i in range(len(a)):
        c.append([0] * len(b[0]))
    for i in range(len(a)):
        for j in range(len(b[0])):
            for k in range(len(b)):
                c[i][j] += a[i][k] * b[k][j]
    return c
''',
    "matcher": '''
def match(p, s):
    if not p:
        return not s
    if p[0] == "*":
        return match(p[1:], s) or (len(s) > 0 and match(p, s[1:]))
    if not s:
        return False
    if p[0] == "?" or p[0] == s[0]:
        return match(p[1:], s[1:])
    return False
''',
    "lcs": '''
def lcs(a, b):
    if a == "" or b == "":
        return 0
    if a[-1] == b[-1]:
        return 1 + lcs(a[:-1], b[:-1])
    return max(lcs(a[:-1], b), lcs(a, b[:-1]))
''',
    "fib": '''
def fib(n: int) -> int:
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
''',
    "fib_table": '''
def fib(n):
    table = [0, 1]
    for i in range(2, n + 1):
        table.append(table[i - 1] + table[i - 2])
    return table[-1]
''',
    "knapsack": '''
def knapsack(weights, values, at, room):
    if at == len(weights):
        return 0
    best = knapsack(weights, values, at + 1, room)
    if weights[at] <= room:
        best = max(best, values[at] + knapsack(weights, values, at + 1, room - weights[at]))
    return best
''',
    "dedupe": '''
def dedupe(x):
    out = []
    for i in range(len(x)):
        if x[i] not in out:
            out.append(x[i])
    return out
''',
    "common": '''
def common(a, b):
    out = []
    for v in a:
        if v in b and v not in out:
            out.append(v)
    return out
''',
    "counts": '''
def counts(x):
    d = {}
    for v in x:
        d[v] = x.count(v)
    return d
''',
    "histogram": '''
def histogram(words):
    d = {}
    for w in words:
        if w in d:
            d[w] += 1
        else:
            d[w] = 1
    return d
''',
    "group": '''
def group(words):
    groups = {}
    for w in words:
        key = "".join(sorted(w))
        if key not in groups:
            groups[key] = []
        groups[key].append(w)
    return groups
''',
    "render": '''
def render(rows):
    out = ""
    for row in rows:
        for cell in row:
            out += str(cell) + ","
        out = out + "\\n"
    return out
''',
    "windows": '''
def windows(x, k):
    out = []
    for i in range(len(x) - k + 1):
        out.append(sum(x[i:i + k]))
    return out
''',
    "queries": '''
def queries(x, pairs):
    answers = []
    for a, b in pairs:
        total = 0
        for k in range(a, b):
            total += x[k]
        answers.append(total)
    return answers
''',
    "squares": '''
def squares(n):
    values = []
    for i in range(n):
        values.append(i ** 2)
    return sum(values)
''',
    "primes": '''
def primes(n):
    out = []
    for c in range(2, n):
        is_prime = True
        for d in range(2, c):
            if c % d == 0:
                is_prime = False
        if is_prime:
            out.append(c)
    return out
''',
    "sieve": '''
def sieve(n):
    flags = [True] * (n + 1)
    i = 2
    while i <= n:
        if flags[i]:
            for j in range(2 * i, n + 1, i):
                flags[j] = False
        i += 1
    return [i for i in range(2, n + 1) if flags[i]]
''',
    "two_sum": '''
def two_sum(x, target):
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[i] + x[j] == target:
                return i, j
    return None
''',
    "joined_pairs": '''
def joined(left, right):
    out = []
    for a in left:
        for b in right:
            if a[0] == b[0]:
                out.append((a, b))
    return out
''',
    "bfs": '''
def bfs(graph, start):
    queue = [start]
    seen = [start]
    while queue:
        node = queue.pop(0)
        for other in graph[node]:
            if other not in seen:
                seen.append(other)
                queue.append(other)
    return seen
''',
    "merge_all": '''
def huffman(weights):
    heap = list(weights)
    total = 0
    while len(heap) > 1:
        heap.sort()
        a = heap.pop(0)
        heap.sort()
        b = heap.pop(0)
        heap.append(a + b)
        total += a + b
    return total
''',
    "ranks": '''
def ranks(x):
    out = []
    for v in x:
        out.append(sum(1 for w in x if w < v))
    return out
''',
    "place": '''
def place(x, t):
    for i in range(len(x)):
        if x[i] >= t:
            return i
    return len(x)
''',
    "flags": '''
def has_negative(x):
    found = False
    for v in x:
        if v < 0:
            found = True
    return found
''',
    "palindrome": '''
def palindrome(s):
    for i in range(len(s) // 2):
        if s[i] != s[len(s) - 1 - i]:
            return False
    return True
''',
    "reverse": '''
def reverse(x):
    out = []
    for v in x:
        out.insert(0, v)
    return out
''',
    "running_max": '''
def running(x):
    return [max(x[:i + 1]) for i in range(len(x))]
''',
    "packing": '''
def radii():
    step = 0.125
    centres = [(0.1 + step * i, 1e-3) for i in range(4)]
    return [(x * 0.5, y) for x, y in centres]
''',
    "odd_layout": '''
def odd(x, *, key=None, **more):
    if x: return [v for v in x if v]
    else: y = 1; z = 2
    try:
        with open("f") as f: pass
    except (OSError, ValueError) as error:
        raise RuntimeError(f"no {x!r} {y:>{z}}") from error
    finally:
        del y
    lam = lambda a, b=2: (yield)
    while (n := len(x)) > 3: x = x[1:]
    else:
        pass
    match x:
        case [first, *rest] if first: return rest
        case {"a": 1, **kw}: return kw
        case _: pass
    return -x[0] if not x else (x[-1], *x)
''',
    "generator": '''
def walk(tree, depth=0):
    yield depth
    for child in tree:
        yield from walk(child, depth + 1)
''',
    "nested": '''
def outer(x):
    cache = {}
    def inner(k):
        """Deep."""
        nonlocal x
        if k <= 0:
            return 1
        return inner(k - 1) + inner(k - 2)
    return {k: inner(k) for k in x if k not in cache}
''',
    "method": '''
class Thing:
    """A thing."""

    def total(self, xs):
        self.seen = []
        for x in xs:
            if x not in self.seen:
                self.seen.append(x)
                self.count = self.count + 1
        return sum([x * x for x in self.seen])

    async def later(self):
        async for x in self:
            await x
''',
    "unicode": '''
def grüße(wörter):
    ä = ""
    for ö in wörter:
        ä = ä + "ß" + ö; b = "é" * 2
    return ä, b  # naïve
''',
    "helper": '''
import math

LIMIT = 10


def cost(n):
    total = 0
    for d in range(1, n + 1):
        if n % d == 0:
            total += math.sqrt(d)
    return total


def best(values):
    top = None
    for v in values:
        if top is None or cost(v) > cost(top):
            top = v
    return top
''',
    "empty": "def nothing(): pass\n",
    "one_line": "def one(x): return [i for i in range(len(x)) if x[i] == x[0]]\n",
}  # fmt: skip
