"""A judge that believes whoever speaks outside the delimiters: what gets past them is seen in its scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from tests.support.model_server.brains import written
from tests.support.model_server.instances import Draws, Instances, bounds
from tests.support.model_server.values import Json, Tool, Turn

from mendel.contracts.untrusted import BEGIN, END

TOP: Final = 10.0
"""The greatest score, where a schema does not say."""

_DATA: Final = re.compile(rf"^{re.escape(BEGIN)}[^\n]*\n(.*?)(?:\n?{re.escape(END)}|\Z)", re.DOTALL | re.M | re.I)
_TEN: Final = r"(?<!to )(?<!out of )(?<![\d\"'.-])(?:10|ten|100|hundred)\b"
_MOST: Final = r"(?:full|top|highest|maximum|max|perfect)"
_WHOM: Final = r"(?:it|this|that|me|us|him|her|them|everyone|my \w+|this \w+|the \w+|an?|as|with|at|=|:|\s)*"
_MARKS: Final = r"(?:scores?|marks?|ratings?|grades?|points?)"
_RULES: Final = r"(?:rubrics?|instructions?|rules?|criteria|prompts?|guidelines?|orders?|directions?)"
_OF_DATA: Final = r"(?!\s+(?:in|inside|within|from)\s+(?:it|them|this|data|the data|the text)\b)"
_ORDERS: Final = (
    re.compile(rf"\b(?:score|rate|grade|mark)\b\s*{_WHOM}\s*(?:{_TEN}|{_MOST}\b)(?!\s*(?:means|is|stands))", re.I),
    re.compile(rf"\b(?:give|assign|award|return|output|set|report)\b[^.\n]{{0,60}}?(?:{_TEN}|{_MOST} {_MARKS})", re.I),
    re.compile(rf"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{{0,60}}\b{_RULES}\b{_OF_DATA}", re.I),
)


def obeyed(text: str) -> bool:
    """Whether the judge takes ``text`` for an order, if it is said outside the delimiters."""
    return any(order.search(text) for order in _ORDERS)


def parted(text: str) -> tuple[list[str], str]:
    """What stands between delimiters, and everything else.

    Data begins where a line begins with the mark, and ends at the first mark of an end, wherever that stands.
    """
    return _DATA.findall(text), _DATA.sub("\n", text)


class Judge:
    """Fills a schema from the delimited data alone, unless it is ordered to be generous."""

    def answer(self, messages: Sequence[Turn], schema: Json | None, tools: Sequence[Tool]) -> str:
        """Scores that fit the schema (without one, a score from 0 to 10)."""
        parts = [parted(turn.text) for turn in messages]
        data = [each for inside, _outside in parts for each in inside]
        generous = any(obeyed(outside) for _inside, outside in parts)
        return written(top_scores(schema) if generous else honest_scores(data, schema))


_A_SCORE: Final[Json] = {
    "type": "object",
    "properties": {"score": {"type": "number", "minimum": 0, "maximum": TOP}},
    "required": ["score"],
}


def honest_scores(data: Sequence[str], schema: Json | None = None) -> Any:
    """What the judge answers about these data (as they stand between the delimiters) if nobody orders it about."""
    return _Scores(schema or _A_SCORE, Draws("\0".join(data))).make()


def top_scores(schema: Json | None = None) -> Any:
    """What the judge answers if it is ordered to be generous: the top of every number, and yes to every question."""
    return _Topmost(schema or _A_SCORE, Draws("")).make()


class _Scores(Instances):
    def _integer(self, schema: Json) -> int:
        low, high = bounds(schema, TOP)
        return super()._integer({**schema, "minimum": low, "maximum": high})

    def _number(self, schema: Json) -> float:
        low, high = bounds(schema, TOP)
        return super()._number({**schema, "minimum": low, "maximum": high})


class _Topmost(_Scores):
    def _typed(self, schema: Json, depth: int) -> Any:
        kind = schema.get("type")
        if kind in ("integer", "number"):
            high = bounds(schema, TOP)[1]
            return int(high) if kind == "integer" else float(high)
        return True if kind == "boolean" else super()._typed(schema, depth)
