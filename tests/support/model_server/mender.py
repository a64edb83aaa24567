"""A brain that mends programs: it edits the parent that it was shown, and tries each edit on the cases it was shown.

It knows no program and no solution, and remembers nothing from one question to the next. Its edits are drawn from a
hash of the prompt; which of them it goes on from, and which it answers with, is found by running them, in a process of
their own, on the prompt's cases and on others made of these: the one that is right most often, and of those the
one that does the least. :class:`WithoutCases` and :class:`WithoutParent` are the same, blind to a part of the prompt.
"""

from __future__ import annotations

import ast
import difflib
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from tests.support.model_server.brains import Echo
from tests.support.model_server.values import Json, Tool, Turn

from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.code import parsed
from mendel.breeding.operators import vary
from mendel.breeding.view import View
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import SourceNotPython
from mendel.contracts.untrusted import BEGIN, unwrapped

TRIES: Final = 2
ROUNDS: Final = 3
"""In each round every operator is tried so often."""
OWN_CASES: Final = 24
LARGE_ONES: Final = 3
LARGEST: Final = 16
SMALL: Final = 8
"""It tries programs on so many cases of its own, the last of them with so many elements, the others with fewer."""
PATIENCE_S: Final = 120.0
_PROGRAM: Final = "the program: "
_OTHER: Final = "another program"
_HEAT: Final = "where its time goes"
_CASES: Final = ("what is right", "what it gets wrong")
_FUNCTION: Final = re.compile(r"called through `([^`]+)`")
_FREE: Final = re.compile(r"Only these functions may change: ([^\n]+?)\. Everything")
_HOT: Final = re.compile(r"line (\d+), (\d+)%")
_TRYING: Final = str(Path(__file__).parent / "trying.py")
_GUESSES: Final = ("list", "sorted", "len", "sum", "max", "min", "set", "str")


@dataclass(frozen=True)
class Shown:
    """What a prompt shows: the file to change, what of it is called and what may change, cases as calls and what is
    right, others to borrow from, how hot lines are, and the form of the answer."""

    path: str
    source: str
    function: str
    calls: tuple[tuple[str, str], ...]
    form: str
    free: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    heat: dict[int, float] = field(default_factory=dict)
    fails: bool = False


def shown_in(messages: Sequence[Turn]) -> Shown | None:
    """What a question for a changed program shows; None where it is no such question."""
    data = list(data_in(messages))
    programs = [(label.removeprefix(_PROGRAM), text) for label, text in data if label.startswith(_PROGRAM)]
    system = next((turn.text for turn in messages if turn.role == "system"), "")
    function, free = _FUNCTION.search(system), _FREE.search(system)
    if not programs or function is None:
        return None
    path, source = programs[0]
    return Shown(
        path=path,
        source=source,
        function=function[1],
        calls=tuple(found for label, text in data if label.startswith(_CASES) and (found := _case(text)) is not None),
        form="diff" if "unified diff" in system else "replace" if "SEARCH" in system else "rewrite",
        free=tuple(free[1].split(", ")) if free is not None else (),
        others=tuple(text for label, text in data if label.startswith(_OTHER)),
        heat={
            int(line): int(share) / 100 for label, text in data if label.startswith(_HEAT) for line, share in _hot(text)
        },
        fails=any(label.startswith(_CASES[1]) for label, _ in data),
    )


def _hot(text: str) -> list[tuple[str, str]]:
    return [(found[1], found[2]) for line in text.splitlines() if (found := _HOT.match(line)) is not None]


def _case(text: str) -> tuple[str, str] | None:
    lines = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    given, expected = lines.get("input", ""), lines.get("expected", "")
    return (given, expected) if is_call(given) and not expected.endswith("…") else None


class Mender:
    """Breeds where it is asked to."""

    def answer(self, messages: Sequence[Turn], schema: Json | None, tools: Sequence[Tool]) -> str:
        """The best of some edits, in the form that the prompt asks for."""
        if schema is not None:
            return Echo().answer(messages, schema, tools)
        shown = shown_in(messages)
        if shown is None:
            return "I see no program here."
        seen = self.seen(shown)
        seed = int.from_bytes(blake2b(repr(messages).encode(), digest_size=8).digest(), "big")
        changed = mended(seen, Entropy(seed % 2**63)) if seen.source else guessed(seen)
        return spoken(seen, changed) if changed is not None else "I find nothing to change."

    def seen(self, shown: Shown) -> Shown:
        """What it looks at: everything."""
        return shown


class WithoutCases(Mender):
    """The same, but that it is blind to what is right: it answers with whatever edit comes first."""

    def seen(self, shown: Shown) -> Shown:
        """Everything but the cases."""
        return replace(shown, calls=())


class WithoutParent(Mender):
    """The same, but that it is blind to the parent: all it can do is to guess a program from the cases."""

    def seen(self, shown: Shown) -> Shown:
        """The cases and the form alone."""
        return Shown(shown.path, "", shown.function, shown.calls, shown.form, fails=True)


def mended(shown: Shown, entropy: Entropy) -> str | None:
    """The parent after some rounds of edits, each begun with the best so far; None where nothing can be changed.

    Where no edit is better than the parent, it is the best of the first round all the same.
    """
    best, instead = shown.source, None
    for number in range(ROUNDS):
        edits = list(_edits(replace(shown, source=best), entropy.child("round", number)))
        if not edits or not shown.calls:
            instead = instead or next(iter(edits), None)
            break
        found = _counts(shown, [best, *edits])
        instead = instead or edits[_leading(found[1:])]
        best = [best, *edits][_leading(found)]
    return best if best != shown.source else instead


def guessed(shown: Shown) -> str:
    """Of some programs of one call, the one that is right most often."""
    guesses = [f"def {shown.function}(*given):\n    return {name}(*given)\n" for name in _GUESSES]
    return guesses[_leading(_counts(shown, guesses))]


def _edits(shown: Shown, entropy: Entropy) -> Iterator[str]:
    """Programs that are an edit away, no two alike: every operator is tried, in an order of its own."""
    try:
        code = parsed(shown.source, shown.path)
        donors = tuple(parsed(text, shown.path) for text in shown.others)
    except SourceNotPython:
        return
    view = View(code, shown.free or (shown.function,), donors, shown.heat)
    known = {shown.source}
    for number in range(TRIES):
        for name in entropy.sample(tuple(OPERATORS), len(OPERATORS), "operators", number):
            made = vary(view, OPERATORS[name], entropy.child(name, number))
            if made is not None and made.code.text not in known:
                known.add(made.code.text)
                yield made.code.text


# --- trying ----------------------------------------------------------------------------------------------------------


def _counts(shown: Shown, programs: list[str]) -> list[tuple[int, int]]:
    """How often each is right, and how much it does; the first one says what is right of cases that were not shown."""
    asked = {"function": shown.function, "programs": programs, "cases": list(_cases(shown)), "all": shown.fails}
    ran = subprocess.run(
        [sys.executable, "-I", _TRYING],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    found: list[tuple[int, int]] = json.loads(ran.stdout) if ran.returncode == 0 else [(0, 0)] * len(programs)
    return found


def _leading(found: Sequence[tuple[int, int]]) -> int:
    """The place of the one that is right most often and then does the least; the first of several."""
    return min(range(len(found)), key=lambda place: (-found[place][0], found[place][1], place))


def _cases(shown: Shown) -> Iterator[tuple[str, str | None]]:
    """The shown ones; and others made of these, where the parent is right and can say what is right of them."""
    given = [ast.literal_eval(_arguments(call)) for call, _ in shown.calls]
    yield from ((repr(arguments), expected) for arguments, (_, expected) in zip(given, shown.calls, strict=True))
    if shown.fails or len({len(arguments) for arguments in given}) != 1:
        return
    entropy = Entropy("cases", repr(given))
    for number in range(OWN_CASES):
        size = LARGEST if number >= OWN_CASES - LARGE_ONES else 1 + entropy.below(SMALL, "size", number)
        columns = enumerate(zip(*given, strict=True))
        yield repr(tuple(_another(column, size, entropy.child(number, place)) for place, column in columns)), None


def _another(column: tuple[Any, ...], size: int, entropy: Entropy) -> Any:
    """A value like those that an argument has in the cases; of a sequence, one of that size with some repetitions."""
    like = column[0]
    if not isinstance(like, list | tuple | str) or not all(isinstance(each, type(like)) for each in column):
        return _near(entropy.pick(column, "value"), entropy)
    pool = [element for each in column for element in each]
    few = entropy.sample(pool, min(len(pool), max(1, size // 2)), "few")
    drawn = [
        _near(entropy.pick(few if entropy.unit("again", place) < 0.5 else pool, place), entropy.child(place))
        for place in range(size if pool else 0)
    ]
    return "".join(drawn) if isinstance(like, str) else type(like)(drawn)


def _near(value: Any, entropy: Entropy) -> Any:
    """The value, or if it is a number sometimes one beside it."""
    if isinstance(value, bool) or not isinstance(value, int) or entropy.unit("near") < 0.5:
        return value
    return entropy.pick((value + 1, value - 1, -value, value // 2, 2 * value), "which")


def _arguments(call: str) -> str:
    tree = ast.parse(call, mode="eval").body
    given = tree.args if isinstance(tree, ast.Call) else []
    return ast.unparse(ast.Tuple(given, ast.Load()))


# --- speaking --------------------------------------------------------------------------------------------------------


def spoken(shown: Shown, changed: str) -> str:
    """The changed program in the form that was asked for."""
    if shown.form == "diff":
        lines = difflib.unified_diff(
            shown.source.splitlines(keepends=True),
            changed.splitlines(keepends=True),
            f"a/{shown.path}",
            f"b/{shown.path}",
        )
        return f"```diff\n{''.join(lines)}```"
    if shown.form == "replace":
        return f"{shown.path}\n<<<<<<< SEARCH\n{shown.source}=======\n{changed}>>>>>>> REPLACE\n"
    return f"### FILE: {shown.path}\n```python\n{changed}```"


def is_call(text: str) -> bool:
    """Whether a case's input reads as a call with plain arguments."""
    try:
        tree = ast.parse(text, mode="eval").body
        return isinstance(tree, ast.Call) and not tree.keywords and all(_is_plain(each) for each in tree.args)
    except (SyntaxError, ValueError):
        return False


def _is_plain(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError):
        return False
    return True


def data_in(messages: Sequence[Turn]) -> Iterator[tuple[str, str]]:
    """The label and text of everything that stands between the delimiters."""
    for turn in messages:
        if turn.text.startswith(BEGIN):
            label = turn.text.partition("\n")[0].removeprefix(BEGIN).strip()
            yield label, unwrapped(turn.text)
