"""Rows of the read models: what can be asked about runs without reading their logs.

Every row belongs to one run and can be made again from its log; nothing here is the truth (rule 2).
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
"""``operations``, ``transitions``, ``verdicts`` and ``model_calls`` say when something was so: a run is shown as it was
after any of its events by leaving out what came later."""

TABLES: Final[tuple[TableName, ...]] = get_args(TableName)

ROWS_VERSION: Final = 7
"""Whoever changes what a fold makes of an event counts it up: rows of another version are made anew, wherever they are
kept."""

Values = Mapping[str, JsonValue]


class Change(NamedTuple):
    """A row comes to be, or some of its values change; others stay as they are."""

    table: TableName
    key: str
    values: Values


class Row(NamedTuple):
    """A row as the events up to ``last`` left it; ``first`` is the sequence of the event that it began with."""

    key: str
    first: int
    last: int
    values: Values
