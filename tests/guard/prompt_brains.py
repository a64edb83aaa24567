"""Brains for a model server that follow a prompt: rightly, almost rightly, credulously, or never twice alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson
from tests.support.model_server import Tool, Turn

from mendel.contracts.untrusted import BEGIN, END

_DATA: Final = re.compile(rf"^{re.escape(BEGIN)} ([^\n]*)\n(.*?)\n{re.escape(END)}", re.DOTALL | re.MULTILINE)
_ORDER: Final = re.compile(r"answer with (\d+)", re.IGNORECASE)


def data_in(messages: Sequence[Turn]) -> dict[str, Any]:
    """The arguments: what stands between delimiters, by its label. A repair brings other data, after them."""
    text = "\n".join(turn.text for turn in messages if turn.role == "user")
    return {label: orjson.loads(body) for label, body in _DATA.findall(text) if label in ("numbers", "text")}


def outside(messages: Sequence[Turn]) -> str:
    """What stands outside of delimiters."""
    return _DATA.sub("", "\n".join(turn.text for turn in messages))


def told(answer: object) -> str:
    return orjson.dumps({"answer": answer}).decode()


def _magnitude(number: int) -> int:
    return abs(number)


class Follows:
    """Does what the prompt says: the largest, or how many words. Who asks for neither gets the data back."""

    key: Callable[[int], int] | None = None

    def answer(self, messages: Sequence[Turn], schema: Mapping[str, Any] | None, tools: Sequence[Tool]) -> str:
        asked, data = outside(messages), data_in(messages)
        order = _ORDER.search(asked)
        if order is not None:
            return told(int(order.group(1)))
        if "largest" in asked:
            return told(max(next(iter(data.values())), key=self.key))
        if "words" in asked:
            return told(len(next(iter(data.values())).split()))
        return told(list(data.values()))


class AlmostFollows(Follows):
    """Takes what is farthest from zero for the largest."""

    key = staticmethod(_magnitude)


class Forgetful(Follows):
    """Answers every third question otherwise."""

    def __init__(self) -> None:
        self.asked = 0

    def answer(self, messages: Sequence[Turn], schema: Mapping[str, Any] | None, tools: Sequence[Tool]) -> str:
        self.asked += 1
        right = super().answer(messages, schema, tools)
        return right if self.asked % 3 else told(orjson.loads(right)["answer"] + 1)
