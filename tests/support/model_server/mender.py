"""A brain that mends programs: it edits the parent that it was shown, and tries each edit on the cases it was shown.

It knows no program and no solution. Its edits are drawn from a hash of the prompt; which of them it answers with is
found by running them, in a process of their own, on the prompt's cases: the one that is right most often, and of those
the one that does the least. Shown no cases, it answers with whatever edit comes first.
"""

from __future__ import annotations

import ast
import difflib
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from tests.support.model_server.brains import Echo
from tests.support.model_server.values import Json, Tool, Turn

from mendel.breeding.catalogue import OPERATORS, drawn
from mendel.breeding.code import Code, parsed
from mendel.breeding.operators import vary
from mendel.breeding.view import View
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import SourceNotPython
from mendel.contracts.untrusted import BEGIN, unwrapped

_PROGRAM: Final = "the program: "
_CASES: Final = ("what is right", "what it gets wrong")
_FUNCTION: Final = re.compile(r"called through `([^`]+)`")
TRIES: Final = 40
STEPS: Final = 3
PATIENCE_S: Final = 20.0

_CHILD: Final = r"""
import json, signal, sys

def count(source, calls, function):
    steps = 0
    def trace(frame, event, arg):
        nonlocal steps
        steps += event == "line"
        return trace
    names = {}
    right = 0
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        exec(compile(source, "tried.py", "exec"), names)
        for call, expected in calls:
            sys.settrace(trace)
            try:
                got = eval(call, names)
            except Exception as error:
                got = error
            finally:
                sys.settrace(None)
            right += repr(got) == expected
    except BaseException:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return right, steps

def late(*_):
    raise SystemExit("late")

signal.signal(signal.SIGALRM, late)
asked = json.load(sys.stdin)
json.dump([count(source, asked["calls"], asked["function"]) for source in asked["sources"]], sys.stdout)
"""


@dataclass(frozen=True)
class Shown:
    """What a prompt shows: the file to change, the function in it, cases as calls and what is right, and the form."""

    path: str
    source: str
    function: str
    calls: tuple[tuple[str, str], ...]
    form: str


def shown_in(messages: Sequence[Turn]) -> Shown | None:
    """What a question for a changed program shows; None where it is no such question."""
    data = list(data_in(messages))
    programs = [(label.removeprefix(_PROGRAM), text) for label, text in data if label.startswith(_PROGRAM)]
    system = next((turn.text for turn in messages if turn.role == "system"), "")
    function = _FUNCTION.search(system)
    if not programs or function is None:
        return None
    path, source = programs[0]
    calls = [found for label, text in data if label.startswith(_CASES) and (found := _case(text)) is not None]
    form = "diff" if "unified diff" in system else "replace" if "SEARCH" in system else "rewrite"
    return Shown(path, source, function[1], tuple(calls), form)


def _case(text: str) -> tuple[str, str] | None:
    lines = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    given, expected = lines.get("input", ""), lines.get("expected", "")
    return (given, expected) if is_call(given) and not given.endswith("…") else None


class Mender:
    """Breeds where it is asked to."""

    def answer(self, messages: Sequence[Turn], schema: Json | None, tools: Sequence[Tool]) -> str:
        """The best of some edits, in the form that the prompt asks for."""
        if schema is not None:
            return Echo().answer(messages, schema, tools)
        shown = shown_in(messages)
        if shown is None:
            return "I see no program here."
        seed = int.from_bytes(blake2b(repr(messages).encode(), digest_size=8).digest(), "big")
        edits = list(dict.fromkeys(_edits(shown, Entropy(seed % 2**63))))
        if not edits:
            return "I find nothing to change."
        return _spoken(shown, _best(shown, edits))


def _edits(shown: Shown, entropy: Entropy) -> Iterator[str]:
    """Chains of one to three edits of the parent."""
    try:
        first = parsed(shown.source, shown.path)
    except SourceNotPython:
        return
    for number in range(TRIES):
        code: Code = first
        for step in range(1 + number % STEPS):
            own = entropy.child("try", number, step)
            made = vary(View(code, (shown.function,)), OPERATORS[drawn(own)], own)
            code = made.code if made is not None else code
        if code.text != shown.source:
            yield code.text


def _best(shown: Shown, edits: list[str]) -> str:
    """The one that is right most often, and then takes the fewest steps."""
    if not shown.calls:
        return edits[0]
    asked = {"sources": edits, "calls": shown.calls, "function": shown.function}
    ran = subprocess.run(
        [sys.executable, "-I", "-c", _CHILD],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    counts = json.loads(ran.stdout) if ran.returncode == 0 else [None] * len(edits)
    ranked = [(-found[0], found[1], place) for place, found in enumerate(counts) if found is not None]
    return edits[min(ranked)[2]] if ranked else edits[0]


def _spoken(shown: Shown, changed: str) -> str:
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
        return isinstance(tree, ast.Call) and all(_is_plain(each) for each in tree.args)
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
