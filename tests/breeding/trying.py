"""Trying operators on sources: every edit that an operator can make, chains of them, and what the programs answer."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from typing import Any

from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.code import Code, Edit
from mendel.breeding.view import View
from mendel.contracts.entropy import Entropy

DRAWS = 12


def seen(source: str, *roots: str, donors: tuple[Code, ...] = (), packages: tuple[str, ...] = ()) -> View:
    """A view of all functions of a source, or of those named."""
    code = Code(source)
    return View(code, roots or tuple(name for name, _ in code.functions()), donors, packages=packages)


def offered(view: View, operator: str, draws: int = DRAWS) -> Iterator[tuple[Edit, Code]]:
    """What an operator makes of a program, every place tried with several draws."""
    chosen = OPERATORS[operator]
    known: set[str] = set()
    for place, node in enumerate(chosen.places(view)):
        for draw in range(draws):
            edit = chosen.edit(view, node, Entropy("offered", place, draw))
            made = view.code.edited(edit) if edit is not None else None
            if edit is not None and made is not None and made.text not in known:
                known.add(made.text)
                yield edit, made


def step(source: str, operator: str, *fragments: str) -> str:
    """The first thing an operator makes that holds every fragment."""
    made = [code.text for _, code in offered(seen(source), operator, 40)]
    for text in made:
        if all(fragment in text for fragment in fragments):
            return text
    raise AssertionError(f"{operator} offers nothing with {fragments}; it offers\n" + "\n~~~\n".join(made))


def chain(source: str, *steps: tuple[str, ...]) -> str:
    """A source after several steps, each an operator and fragments of what it has to make."""
    for operator, *fragments in steps:
        source = step(source, operator, *fragments)
    return source


def load(source: str, name: str | None = None) -> Callable[..., Any]:
    """The function of a source of ours, ready to be called."""
    spec = importlib.util.spec_from_loader("sample", loader=None)
    module = importlib.util.module_from_spec(spec)
    exec(compile(source, "sample.py", "exec"), module.__dict__)
    return module.__dict__[name or next(n for n, _ in Code(source).functions())]


def opcodes(function: Callable[..., Any], *given: Any) -> int:
    """How many opcodes a call takes in Python code of the sample, its comprehensions and generators included."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        frame.f_trace_opcodes = frame.f_code.co_filename == "sample.py"
        count += event == "opcode"
        return trace

    sys.settrace(trace)
    try:
        function(*given)
    finally:
        sys.settrace(None)
    return count
