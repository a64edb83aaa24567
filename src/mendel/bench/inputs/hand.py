"""What one draw knows: its dice, the size and shape that are asked for, and which letters texts are made of."""

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
"""As random, but whole numbers that make an input large are all about as large as the size."""

DISTINCT: Final = "distinct"
"""As timed, but no number and no text occurs twice in a collection: who stops at the first repetition finds none."""

_LENGTHS: Final = {"empty": 0, "single": 1}


@dataclass
class Hand:
    """One draw in progress. ``counted``: whole numbers alone make the input large."""

    dice: Dice
    size: int
    shape: str
    counted: bool = False
    letters: str = field(init=False)

    def __post_init__(self) -> None:
        self.letters = UNICODE if self.shape == "unicode" else self.dice.pick(ALPHABETS)

    @property
    def wanted(self) -> int:
        """How long collections are to be."""
        return _LENGTHS.get(self.shape, self.size)

    def length(self, kind: TextKind | BytesKind | ManyKind | DictKind, level: int) -> int:
        """How long a value is: as asked for on the outside, short inside of others."""
        if level == 0:
            length = self.wanted
        elif isinstance(kind, TextKind | BytesKind):
            length = 0 if self.dice.chance(0.03) else self.dice.between(1, 8)
        else:
            length = self.dice.between(0, 4)
        length = max(length, kind.least)
        return length if kind.most is None else min(length, max(kind.most, kind.least))

    def alphabet(self, kind: TextKind) -> str:
        """The characters that a text is made of."""
        return kind.alphabet or self.letters
