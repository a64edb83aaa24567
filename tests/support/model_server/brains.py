"""Brains: what the server answers when nothing is faulty. The same question always gets the same answer.

=========== ===================================================================================================
``echo``     a short fixed text, or the least value that fits the schema
``schema``   a value that fits the schema, drawn from a hash of the prompt
``tools``    calls every tool that it is offered, once; then answers as ``schema``
``garbage``  edits of lines that it found in the prompt, shuffled and broken; as text, or in a schema's strings
``judge``    scores from a hash of delimited data, and obeys what is said outside: :mod:`.judge`
``mender``   edits the program that it is shown, and answers with what does best on the cases that it is shown
=========== ===================================================================================================

Any other brain is named ``module:Class``.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import partial
from typing import Final, cast

import orjson
from tests.support.model_server.instances import Draw, Draws, Instances, least, words
from tests.support.model_server.values import Brain, Call, Json, Tool, Turn

BRAINS: Final = {
    "echo": "tests.support.model_server.brains:Echo",
    "schema": "tests.support.model_server.brains:Schema",
    "tools": "tests.support.model_server.brains:Tools",
    "garbage": "tests.support.model_server.brains:Garbage",
    "judge": "tests.support.model_server.judge:Judge",
    "mender": "tests.support.model_server.mender:Mender",
}
ECHO: Final = "ok"
_LINES: Final = 40


def brain_named(name: str) -> Brain:
    """A new brain, by a name of :data:`BRAINS` or as ``module:Class``.

    Raises:
        ValueError: it is neither.
    """
    module, colon, attribute = BRAINS.get(name, name).partition(":")
    if not colon:
        raise ValueError(f"there is no brain {name!r}; there are {', '.join(BRAINS)}, and any module:Class")
    return cast("Brain", getattr(importlib.import_module(module), attribute)())


def prompt_of(messages: Sequence[Turn]) -> str:
    """The whole conversation as one text."""
    return "\n\n".join(f"{turn.role}: {turn.text}" for turn in messages)


def written(value: object) -> str:
    """A value as the JSON text of an answer."""
    return orjson.dumps(value).decode()


class Echo:
    """The least that can be said."""

    def answer(self, messages: Sequence[Turn], schema: Json | None, tools: Sequence[Tool]) -> str:
        """``ok``, or the least value of the schema."""
        return ECHO if schema is None else written(Instances(schema, least, lambda _draw: ECHO).make())


class Schema:
    """Something different for every prompt, and always valid."""

    def answer(self, messages: Sequence[Turn], schema: Json | None, tools: Sequence[Tool]) -> str | Sequence[Call]:
        """Words, or a value of the schema."""
        draw = Draws(prompt_of(messages))
        return words(draw) if schema is None else written(Instances(schema, draw).make())


class Tools(Schema):
    """Uses whatever tools it is given before it answers."""

    def answer(self, messages: Sequence[Turn], schema: Json | None, tools: Sequence[Tool]) -> str | Sequence[Call]:
        """A call of each tool, until there is a result among the messages; then an answer."""
        if not tools or any(turn.role == "tool" for turn in messages):
            return super().answer(messages, schema, tools)
        draw = Draws(prompt_of(messages))
        return [Call(tool.name, written(Instances(tool.parameters, draw).make())) for tool in tools]


class Garbage:
    """Looks like work: diffs, search and replace blocks, programs and talk that nobody could use."""

    def answer(self, messages: Sequence[Turn], schema: Json | None, tools: Sequence[Tool]) -> str:
        """Garbage, or a value of the schema whose free strings are garbage."""
        prompt = prompt_of(messages)
        write = partial(_rubbish, [line for line in prompt.splitlines() if line.strip()])
        draw = Draws(prompt)
        return write(draw) if schema is None else written(Instances(schema, draw, write).make())


def _rubbish(lines: list[str], draw: Draw) -> str:
    kinds = (_talk, _rewritten, _replaced, _patched)
    return kinds[draw(len(kinds))](lines, draw)


def _some_lines(lines: list[str], draw: Draw, most: int) -> list[str]:
    return [lines[draw(len(lines))] if lines and draw(4) else words(draw) for _ in range(1 + draw(most))]


def _talk(_lines: list[str], draw: Draw) -> str:
    return ". ".join(words(draw) for _ in range(1 + draw(_LINES)))


def _rewritten(lines: list[str], draw: Draw) -> str:
    """A program of lines in no order."""
    body = "\n".join(" " * 4 * draw(3) + line.strip() for line in _some_lines(lines, draw, _LINES))
    return f"```python\n{body}\n```"


def _replaced(lines: list[str], draw: Draw) -> str:
    """A search and replace block; what it searches is sometimes there."""
    old, new = ("\n".join(_some_lines(lines, draw, 3)) for _ in range(2))
    return f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"


def _patched(lines: list[str], draw: Draw) -> str:
    """A unified diff whose numbers are wrong."""
    old, new = ([mark + line for line in _some_lines(lines, draw, 3)] for mark in "-+")
    head = f"--- a/program.py\n+++ b/program.py\n@@ -{draw(99)},{draw(9)} +{draw(99)},{draw(9)} @@"
    return "\n".join([head, *old, *new])
