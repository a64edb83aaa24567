"""When two outputs are as good as the same."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from mendel.contracts.plain_values import NdArray, Record, identical, spelled


def same(left: Any, right: Any) -> bool:  # noqa: ANN401 - outputs are whatever programs answer
    """Equal as Python's ``==`` has it, through and through, but ``nan`` equals ``nan``.

    So ``0.0`` is ``-0.0`` and ``1`` is ``1.0``, while a list is no tuple.
    """
    if isinstance(left, float) and isinstance(right, float):
        return left == right or (math.isnan(left) and math.isnan(right))
    if isinstance(left, list | tuple) and type(left) is type(right):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(value, right[key]) for key, value in left.items())
    if isinstance(left, Record | NdArray | set | frozenset):
        return bool(left == right) or identical(left, right)
    return bool(left == right)


def multiset_equal(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """The same items as often, in any order."""
    try:
        return Counter(left) == Counter(right)
    except TypeError:
        return sorted(map(spelled, left)) == sorted(map(spelled, right))


def close(relative: float = 1e-9, absolute: float = 1e-12) -> Callable[[Any, Any], bool]:
    """An equivalence that forgives rounding in every float, however deep it lies."""

    def equivalent(left: Any, right: Any) -> bool:  # noqa: ANN401 - outputs are whatever programs answer
        if isinstance(left, float) or isinstance(right, float):
            return _close(left, right, relative, absolute)
        if isinstance(left, list | tuple) and type(left) is type(right):
            return len(left) == len(right) and all(map(equivalent, left, right))
        if isinstance(left, dict) and isinstance(right, dict):
            return left.keys() == right.keys() and all(equivalent(value, right[key]) for key, value in left.items())
        return same(left, right)

    return equivalent


def _close(left: Any, right: Any, relative: float, absolute: float) -> bool:  # noqa: ANN401 - as above
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        return False
    if math.isnan(left) or math.isnan(right):
        return math.isnan(left) and math.isnan(right)
    return math.isclose(left, right, rel_tol=relative, abs_tol=absolute)
