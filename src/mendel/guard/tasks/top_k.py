"""``solve(L, k)``: the ``k`` largest numbers of ``L``, the largest first; all of them if there are fewer than ``k``."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any, Final

from mendel.guard.generators import arguments, integers, lists, one_of
from mendel.guard.registry import task
from mendel.guard.spec import Args, MetamorphicRelation, Metric, Property, TaskSpec

_LONGEST: Final = 200
_LARGEST: Final = 10**9
_SHOWN: Final = 20

Numbers = list[int]


@task("top_k")
def top_k() -> TaskSpec:
    """Build the task; without a baseline, the largest number ``k`` times passes as the ``k`` largest numbers."""
    return TaskSpec(
        name="top_k",
        gen_inputs=arguments(
            lists(integers(-_LARGEST, _LARGEST), _LONGEST), one_of(integers(0, 20), integers(0, _LONGEST + 100))
        ),
        properties=(
            Property(_right_length, "as many as asked for, or as there are"),
            Property(_descending, "no number is followed by a larger one"),
            Property(_from_the_list, "every number is one of the list"),
        ),
        relations=(
            MetamorphicRelation("shuffled", _shuffled, accepts_rng=True, category="permutation"),
            MetamorphicRelation("shifted", _shifted, _all_shifted, category="shift"),
            MetamorphicRelation("one more", _one_more, _begins_with, category="monotonicity"),
            MetamorphicRelation("twice the list", _twice, "properties_hold", category="duplication"),
        ),
        metrics=(Metric("total", _total, kind="mean"),),
        fmt_in=_shown_input,
        valid=_valid,
    )


def _valid(*args: Any) -> bool:  # noqa: ANN401 - shrinking tries anything
    if len(args) != 2:
        return False
    numbers, k = args
    return isinstance(numbers, list) and all(type(number) is int for number in numbers) and type(k) is int and k >= 0


def _right_length(output: object, numbers: Numbers, k: int) -> bool:
    return isinstance(output, list) and len(output) == min(k, len(numbers))


def _descending(output: Numbers, _numbers: Numbers, _k: int) -> bool:
    return all(left >= right for left, right in pairwise(output))


def _from_the_list(output: Numbers, numbers: Numbers, _k: int) -> bool:
    return set(output) <= set(numbers)


def _shuffled(numbers: Numbers, k: int, *, rng: random.Random) -> Args:
    return rng.sample(numbers, len(numbers)), k


def _shifted(numbers: Numbers, k: int) -> Args:
    return [number + 1 for number in numbers], k


def _all_shifted(before: Numbers, after: Numbers) -> bool:
    return after == [number + 1 for number in before]


def _one_more(numbers: Numbers, k: int) -> Args:
    return list(numbers), k + 1


def _begins_with(before: Numbers, after: Numbers) -> bool:
    return after[: len(before)] == before


def _twice(numbers: Numbers, k: int) -> Args:
    return [*numbers, *numbers], k


def _total(output: Numbers, _args: Args) -> float:
    return float(sum(output))


def _shown_input(args: Args) -> str:
    numbers, k = args
    more = "" if len(numbers) <= _SHOWN else f", … {len(numbers):,} numbers"
    return f"L=[{', '.join(map(str, numbers[:_SHOWN]))}{more}], k={k}"
