"""Compute repeated expressions once, and inline values that are used once."""

from __future__ import annotations

from mendel.breeding.rewrites.accumulations import DOTS
from mendel.breeding.rewrites.columns import column_walk, transposed
from mendel.breeding.rewrites.elements import elements
from mendel.breeding.rewrites.hoisting import INLINED, bound_global, cached_calls, shared
from mendel.breeding.rewrites.rules import operator, then

REUSE = operator(
    "reuse",
    1.5,
    shared,
    cached_calls,
    transposed,
    then(transposed, elements),
    then(transposed, *DOTS),
    column_walk,
    bound_global,
    *INLINED,
)
