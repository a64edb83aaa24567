"""All operators that vary one parent, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mendel.breeding.expressions import CONSTANT, EXPRESSION, OPERATOR
from mendel.breeding.operators import Operator
from mendel.breeding.rewrites.accumulations import ACCUMULATE, COMPREHENSION
from mendel.breeding.rewrites.arithmetic import ARITHMETIC
from mendel.breeding.rewrites.counting import COUNTING
from mendel.breeding.rewrites.exits import EARLY_EXIT
from mendel.breeding.rewrites.hoisting import HOIST
from mendel.breeding.rewrites.loops import LOOP_SHAPE
from mendel.breeding.rewrites.membership import DEDUPE, SET_LOOKUP
from mendel.breeding.rewrites.memory import GENERATOR, ROLLING
from mendel.breeding.rewrites.numeric import NUMERIC
from mendel.breeding.rewrites.prefix import PREFIX_SUMS
from mendel.breeding.rewrites.queues import HEAP, QUEUE
from mendel.breeding.rewrites.ranges import SHRINK_RANGE, UNROLL
from mendel.breeding.rewrites.recursion import INDEX_RECURSION, MEMOISE
from mendel.breeding.rewrites.reusing import REUSE
from mendel.breeding.rewrites.slices import SLICE, STRINGS
from mendel.breeding.rewrites.sorted_lists import ARRAY, BISECT, INDEX
from mendel.breeding.rewrites.tidying import TIDY
from mendel.breeding.statements import DELETE, INSERT, MOVE, REPLACE, SWAP
from mendel.contracts.entropy import Entropy

_RANDOM: Final = (DELETE, INSERT, SWAP, REPLACE, MOVE, OPERATOR, CONSTANT, EXPRESSION)
_LOOPS: Final = (LOOP_SHAPE, COMPREHENSION, ACCUMULATE, EARLY_EXIT, SHRINK_RANGE, UNROLL, HOIST, REUSE)
_STRUCTURES: Final = (SET_LOOKUP, DEDUPE, QUEUE, HEAP, BISECT, INDEX, COUNTING, ARRAY)
_WHOLE: Final = (SLICE, STRINGS, PREFIX_SUMS, ARITHMETIC, GENERATOR, ROLLING, MEMOISE, INDEX_RECURSION, NUMERIC, TIDY)

OPERATORS: Final[Mapping[str, Operator]] = MappingProxyType(
    {each.name: each for each in (*_RANDOM, *_LOOPS, *_STRUCTURES, *_WHOLE)}
)
"""All operators; a domain may exclude some."""
_NAMES: Final = tuple(OPERATORS)
_WEIGHTS: Final = tuple(each.weight for each in OPERATORS.values())


def drawn(entropy: Entropy) -> str:
    """Draw an operator's name with probability proportional to its weight; used for second edits."""
    return _NAMES[entropy.weighted(_WEIGHTS, "operator")]


def in_turn(entropy: Entropy) -> list[str]:
    """Return every name once, in a weighted random order: the fallbacks when an operator finds nothing to change."""
    # Weighted sampling without replacement (Efraimidis and Spirakis): the order of u ** (1 / weight), descending.
    keys = {name: entropy.unit("turn", name) ** (1.0 / OPERATORS[name].weight) for name in _NAMES}
    return sorted(_NAMES, key=lambda name: -keys[name])
