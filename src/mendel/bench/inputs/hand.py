"""The state of one draw: its dice, the wanted size and shape, and the letters for texts."""

from __future__ import annotations

import string
from dataclasses import dataclass, field
from typing import Final

from mendel.bench.inputs.dice import Dice
from mendel.bench.inputs.kinds import BytesKind, DictKind, ManyKind, TextKind

ALPHABETS: Final = (string.ascii_lowercase + " ", string.ascii_letters + "  ", "ab", "abc ", string.ascii_lowercase)
UNICODE: Final = (
    "aßéÅİÿĀжЖ中文字한글🙂🇩🇪e\u0301\u0131\u03a3\u03c3\u03c2\ufb01\u200d\u200b\u202e\u00a0\u2028\u0663\U0001d518"
)
TIMED: Final = "timed"
"""Like ``random``, but whole numbers that make an input large are all about as large as the size."""

DISTINCT: Final = "distinct"
"""Like ``timed``, but no number or text occurs twice in a collection: a search for duplicates runs to the end."""

_LENGTHS: Final = {"empty": 0, "single": 1}


@dataclass
class Hand:
    """One draw in progress. ``counted``: only whole numbers make the input large."""

    dice: Dice
    size: int
    shape: str
    counted: bool = False
    letters: str = field(init=False)

    def __post_init__(self) -> None:
        self.letters = UNICODE if self.shape == "unicode" else self.dice.pick(ALPHABETS)

    @property
    def wanted(self) -> int:
        """The wanted length of collections."""
        return _LENGTHS.get(self.shape, self.size)

    def length(self, kind: TextKind | BytesKind | ManyKind | DictKind, level: int) -> int:
        """Draw the length of a value: as wanted on the outside, short inside other values."""
        if level == 0:
            length = self.wanted
        elif isinstance(kind, TextKind | BytesKind):
            length = 0 if self.dice.chance(0.03) else self.dice.between(1, 8)  # short, and rarely empty
        else:
            length = self.dice.between(0, 4)
        length = max(length, kind.least)
        return length if kind.most is None else min(length, max(kind.most, kind.least))

    def alphabet(self, kind: TextKind) -> str:
        """Return the characters for a text."""
        return kind.alphabet or self.letters
