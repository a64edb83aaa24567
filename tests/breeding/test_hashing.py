"""A list becomes a set, or gets one beside it, only where a look at the program does not tell that this is wrong."""

from tests.breeding.trying import offered, seen
from tests.support.rows import check_rows

ROWS = "def f(rows: list[list[int]], wanted: list[list[int]]):\n    n = 0\n    for row in rows:\n{body}    return n\n"

NEVER = {
    "annotated as lists of lists": (
        "set_lookup",
        "set(",
        ROWS.format(body="        if row in wanted:\n            n += 1\n"),
    ),
    "what is sought is a list": (
        "set_lookup",
        "set(",
        "def f(x, y):\n    n = 0\n    for v in x:\n        if [v, v] in y:\n            n += 1\n    return n\n",
    ),
    "what is sought is a row of a table": (
        "set_lookup",
        "set(",
        (
            "def f(rows: list[list[int]], y):\n"
            "    n = 0\n    for row in rows:\n        if row in y:\n            n += 1\n    return n\n"
        ),
    ),
    "lists are appended": (
        "set_lookup",
        "set(",
        (
            "def f(x):\n    seen = []\n    for v in x:\n        if v not in seen:\n            seen.append([v, 1])\n"
            "    return len(seen)\n"
        ),
    ),
    "made of lists": (
        "set_lookup",
        "set(",
        (
            "def f(x, y):\n    pairs = [[a, a] for a in x]\n    n = 0\n"
            "    for b in y:\n        if b in pairs:\n            n += 1\n    return n\n"
        ),
    ),
    "a list looked up by index": (
        "set_lookup",
        "places",
        (
            "def f(rows: list[list[int]]):\n    found = []\n    for row in rows:\n"
            "        found.append(rows.index(row))\n"
            "    return found\n"
        ),
    ),
    "each row once": (
        "dedupe",
        "fromkeys",
        (
            "def f(rows: list[list[int]]):\n    out = []\n    for row in rows:\n        if row not in out:\n"
            "            out.append(row)\n    return out\n"
        ),
    ),
    "a part of a text": (
        "set_lookup",
        "set(",
        (
            "def f(words, text: str):\n    n = 0\n"
            "    for w in words:\n        if 'ab' in text:\n            n += 1\n    return n\n"
        ),
    ),
    "one text in another": (
        "set_lookup",
        "set(",
        (
            "def f(x, part: str, text: str):\n    n = 0\n"
            "    for v in x:\n        if part in text:\n            n += v\n    return n\n"
        ),
    ),
    "elements that are there several times count": (
        "set_lookup",
        "= set()",
        (
            "def f(x):\n    seen = []\n    n = 0\n    for v in x:\n        if v in seen:\n            n += 1\n"
            "        seen.append(v)\n    return n, len(seen)\n"
        ),
    ),
    "a row of equal flags": (
        "set_lookup",
        "set(",
        "def f(n):\n    flags = [0] * n\n    flags.remove(0)\n    return sum(flags)\n",
    ),
    "removed once, there twice": (
        "set_lookup",
        ".discard(",
        (
            "def f(x, y):\n    known = []\n    for v in x:\n        known.append(v)\n        if y in known:\n"
            "            known.remove(y)\n    return known\n"
        ),
    ),
}

STILL = {
    "numbers": (
        "set_lookup",
        "set(y)",
        (
            "def f(x: list[int], y: list[int]):\n"
            "    n = 0\n    for v in x:\n        if v in y:\n            n += 1\n    return n\n"
        ),
    ),
    "tuples": (
        "set_lookup",
        "set(y)",
        (
            "def f(x: list[tuple[int, int]], y: list[tuple[int, int]]):\n"
            "    n = 0\n    for v in x:\n        if v in y:\n            n += 1\n    return n\n"
        ),
    ),
    "characters of a text": (
        "set_lookup",
        "set(vowels)",
        (
            "def f(text: str, vowels: str):\n    n = 0\n"
            "    for c in text:\n        if c in vowels:\n            n += 1\n    return n\n"
        ),
    ),
    "each once, counted": (
        "set_lookup",
        "= set()",
        (
            "def f(x):\n    seen = []\n    for v in x:\n        if v not in seen:\n            seen.append(v)\n"
            "    return len(seen)\n"
        ),
    ),
    "each once, by a jump": (
        "set_lookup",
        "= set()",
        (
            "def f(x):\n    seen = []\n    for v in x:\n        if v in seen:\n            continue\n"
            "        seen.append(v)\n"
            "    return len(seen)\n"
        ),
    ),
    "elements that are there several times, only sought": (
        "set_lookup",
        "= set()",
        (
            "def f(x):\n    seen = []\n    n = 0\n    for v in x:\n        if v in seen:\n            n += 1\n"
            "        seen.append(v)\n    return n\n"
        ),
    ),
    "removed where each is there once": (
        "set_lookup",
        ".discard(",
        (
            "def f(x, y):\n    known = []\n    for v in x:\n        if v not in known:\n            known.append(v)\n"
            "        if y in known:\n            known.remove(y)\n    return known\n"
        ),
    ),
    "each number once": (
        "dedupe",
        "fromkeys",
        (
            "def f(rows: list[int]):\n    out = []\n    for row in rows:\n        if row not in out:\n"
            "            out.append(row)\n    return out\n"
        ),
    ),
}


def texts_of(operator, source):
    return [made.text for _, made in offered(seen(source), operator, 40)]


@check_rows("name", NEVER)
def test_what_is_plainly_wrong_is_not_offered(name):
    operator, unwanted, source = NEVER[name]
    assert not [text for text in texts_of(operator, source) if unwanted in text]


@check_rows("name", STILL)
def test_what_may_be_right_is_offered(name):
    operator, wanted, source = STILL[name]
    assert [text for text in texts_of(operator, source) if wanted in text]
