"""Equivalences: functions that decide whether two outputs count as the same."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

from mendel.contracts.plain_values import identical, spelled


def same(left: Any, right: Any) -> bool:  # noqa: ANN401 - outputs are whatever programs answer
    """Compare deeply with Python's ``==``, except that ``nan`` equals ``nan``.

    So ``0.0`` equals ``-0.0`` and ``1`` equals ``1.0``, while a list never equals a tuple.
    """
    if isinstance(left, float) and isinstance(right, float):
        return left == right or (math.isnan(left) and math.isnan(right))
    if isinstance(left, list | tuple) and type(left) is type(right):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
        return all(same(value, right[key]) for key, value in left.items())
    return _identical(left, right) or bool(left == right)


def _identical(left: Any, right: Any) -> bool:  # noqa: ANN401 - outputs are whatever programs answer
    try:
        return identical(left, right)
    except KeyError:  # not a plain value, so it did not come from a sandbox
        return False


def multiset_equal(left: Any, right: Any) -> bool:  # noqa: ANN401 - outputs are whatever programs answer
    """Compare two collections as multisets, in any order; other values must be the same themselves."""
    if not isinstance(left, _WITH_ITEMS) or not isinstance(right, _WITH_ITEMS):
        return same(left, right)
    if len(left) != len(right):
        return False
    try:
        if Counter(left) == Counter(right):
            return True
    except TypeError:
        pass  # items that cannot be hashed
    return _matched(list(left), list(right))


_WITH_ITEMS = (list, tuple, set, frozenset, str, bytes, bytearray)
_MOST_LEFT = 1_000
"""Maximum number of items without an identical counterpart that are matched one by one, in quadratic time."""


def _matched(left: list[Any], right: list[Any]) -> bool:
    """Match items one to one; identical items are paired off first."""
    spelled_left, spelled_right = Counter(map(spelled, left)), Counter(map(spelled, right))
    ours, theirs = _beyond(left, spelled_left - spelled_right), _beyond(right, spelled_right - spelled_left)
    if len(ours) > _MOST_LEFT:
        return False
    for item in ours:
        place = next((place for place, other in enumerate(theirs) if same(item, other)), None)
        if place is None:
            return False
        del theirs[place]
    return not theirs


def _beyond(items: list[Any], surplus: Counter[bytes]) -> list[Any]:
    kept = []
    for item in items:
        spelling = spelled(item)
        if surplus[spelling] > 0:
            surplus[spelling] -= 1
            kept.append(item)
    return kept


def close(relative: float = 1e-9, absolute: float = 1e-12) -> Callable[[Any, Any], bool]:
    """Return an equivalence that tolerates rounding in every float, at any depth."""

    def equivalent(left: Any, right: Any) -> bool:  # noqa: ANN401 - outputs are whatever programs answer
        if isinstance(left, float) or isinstance(right, float):
            return _close(left, right, relative, absolute)
        if isinstance(left, list | tuple) and type(left) is type(right):
            return len(left) == len(right) and all(map(equivalent, left, right))
        if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
            return all(equivalent(value, right[key]) for key, value in left.items())
        return same(left, right)

    return equivalent


def _close(left: Any, right: Any, relative: float, absolute: float) -> bool:  # noqa: ANN401 - as above
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        return False
    if left != left or right != right:  # nan, also where the other is too large for a float
        return left != left and right != right
    try:
        return math.isclose(left, right, rel_tol=relative, abs_tol=absolute)
    except OverflowError:
        return left == right
