"""Examples in docstrings: the arguments of calls that are written as literals."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator

from mendel.bench.inputs.literal_calls import arguments, distinct, is_call_of
from mendel.bench.inputs.signatures import function_named
from mendel.bench.inputs.variables import known_after
from mendel.breeding.code import Code
from mendel.guard.spec import Args


def docstring_examples(code: Code, qualname: str) -> list[Args]:
    """Return the arguments of calls like ``>>> f([1, 2])`` in the docstrings of a function and its module, each once.

    Nothing is run: a variable counts if an earlier example sets it to a literal.

    Raises:
        NoSuchFunction: the file has no function of that name.
    """
    function = function_named(code, qualname)
    texts = [ast.get_docstring(function), ast.get_docstring(code.tree)]
    return distinct(each for text in texts if text for each in _in_text(text, function.name))


def _in_text(text: str, name: str) -> Iterator[Args]:
    names: dict[str, object] = {}
    for tree in _examples(text):
        for statement in tree.body:
            for node in ast.walk(statement):
                if isinstance(node, ast.Call) and is_call_of(node, name):
                    found = arguments(node, names)
                    if found is not None:
                        yield found
            names = known_after(statement, names)


def _examples(text: str) -> Iterator[ast.Module]:
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:  # a docstring that doctest itself would refuse
        return
    for example in examples:
        try:
            yield ast.parse(example.source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
