"""Okapi BM25: ranks the passages of a small corpus by relevance to a query."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
from typing import Final

K1: Final = 1.2  # saturation of repeated words
B: Final = 0.75  # influence of a text's length
_WORDS: Final = re.compile(r"[^\W_]+")
_COMMON: Final = (
    "a an and are as at be but by can do does for from has have how if in into is it its no not of on or so than that"
    " the their then there these they this to was what when where which who why will with"
)
_SAY_NOTHING: Final = frozenset(_COMMON.split())


def words_of(text: str) -> list[str]:
    """Split a text into lower-case words, without stop words and without the plural's final s."""
    found = (word for word in _WORDS.findall(text.casefold()) if word not in _SAY_NOTHING)
    return [word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in found]


class Ranking:
    """A deterministic index over texts: equal texts and queries always give the same order."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._counts = [Counter(words_of(text)) for text in texts]
        self._lengths = [count.total() for count in self._counts]
        self._mean = sum(self._lengths) / len(self._lengths) if any(self._lengths) else 1.0
        self._holders: dict[str, list[int]] = {}
        for place, count in enumerate(self._counts):
            for word in count:
                self._holders.setdefault(word, []).append(place)

    def best(self, query: str, limit: int) -> Sequence[int]:
        """Return the indices of texts with a word of the query, best first; ties keep the order of the texts."""
        scores: dict[int, float] = {}
        for word in dict.fromkeys(words_of(query)):  # each word once
            for place in self._holders.get(word, ()):
                scores[place] = scores.get(place, 0.0) + self._rarity(word) * self._weight(word, place)
        return sorted(scores, key=lambda place: (-scores[place], place))[:limit]

    def _rarity(self, word: str) -> float:
        """Return a word's weight. Never negative, so a word in most texts counts little, but not against them."""
        holders = len(self._holders[word])
        return log(1.0 + (len(self._counts) - holders + 0.5) / (holders + 0.5))

    def _weight(self, word: str, place: int) -> float:
        times = self._counts[place][word]
        return times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * self._lengths[place] / self._mean))
