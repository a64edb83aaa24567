"""Rows of the read models, which serve queries about runs without reading their logs.

Every row belongs to one run and can be rebuilt from its log: the log alone is authoritative (rule 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args

from pydantic import JsonValue

TableName = Literal[
    "runs",
    "generations",
    "genomes",
    "candidates",
    "critic_reviews",
    "check_results",
    "fitness_scores",
    "novelty_scores",
    "lineage_edges",
    "embeddings",
    "operations",
    "transitions",
    "verdicts",
    "model_calls",
    "proposals",
]
"""The tables. ``operations``, ``transitions``, ``verdicts`` and ``model_calls`` are historical: leaving out later rows
shows a run as it was after any of its events."""

TABLES: Final[tuple[TableName, ...]] = get_args(TableName)

ROWS_VERSION: Final = 7
"""Version of the folds that build the rows. Increase it with every change of a fold: stored rows of another version are
rebuilt."""

Values = Mapping[str, JsonValue]


class Change(NamedTuple):
    """Inserts a row, or updates some of its values; the other values stay."""

    table: TableName
    key: str
    values: Values


class Row(NamedTuple):
    """A row after the events up to sequence ``last``; ``first`` is the sequence of the event that created it."""

    key: str
    first: int
    last: int
    values: Values
