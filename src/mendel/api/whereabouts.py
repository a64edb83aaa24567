"""Where in a log it is told of a candidate: found by rows, so that one is looked at without reading the whole run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from mendel.contracts.read_models import Row
from mendel.ports.read_models import ReadModels

_OF_OPERATIONS: Final = ("started", "ended", "charged")
_OF_GENOMES: Final = ("varied", "charged")


@dataclass(frozen=True)
class Whereabouts:
    """Of one candidate: whose expression it is, who made that, and the events that an explanation of it rests on.

    ``expressed`` is the first candidate of each parent that has one, ``maker`` the operation that made the genome.
    """

    genome_id: str
    created: int
    maker: str | None
    parents: tuple[str, ...]
    expressed: Mapping[str, str]
    events: frozenset[int]


async def whereabouts_of(models: ReadModels, run_id: str, candidate_id: str) -> Whereabouts | None:
    """Where it is told of a candidate; None of one that was never created."""
    candidate = await models.row(run_id, "candidates", candidate_id)
    if candidate is None or "genome_id" not in candidate.values:
        return None
    genome_id = str(candidate.values["genome_id"])
    line = await _line(models, run_id, genome_id)
    genome = line.get(genome_id)
    maker = _text(genome, "maker")
    parents = _parents(genome)
    makers = await models.matching(run_id, "operations", "key", [*filter(None, map(_maker, line.values()))])
    own = await models.matching(run_id, "operations", "subject_ids", (candidate_id, genome_id))
    worked = [*own, *(row for row in makers if row.key == maker)]
    told = {
        0,
        candidate.first,
        *_numbers(line.values(), _OF_GENOMES),
        *_numbers(makers, ("started",)),
        *_numbers(worked, _OF_OPERATIONS),
        *await _mentions(models, run_id, (candidate_id, genome_id), [row.key for row in worked]),
    }
    return Whereabouts(
        genome_id=genome_id,
        created=candidate.first,
        maker=maker,
        parents=parents,
        expressed=await _expressed(models, run_id, parents),
        events=frozenset(told),
    )


async def _line(models: ReadModels, run_id: str, genome_id: str) -> dict[str, Row]:
    """The genome and all whom it comes from; only those of this run."""
    found: dict[str, Row] = {}
    level = [genome_id]
    while level:
        rows = await models.matching(run_id, "genomes", "key", level)
        found.update({row.key: row for row in rows})
        parents = dict.fromkeys(parent for row in rows for parent in _parents(row))
        level = [parent for parent in parents if parent not in found]
    return found


async def _mentions(
    models: ReadModels, run_id: str, subjects: tuple[str, str], operations: list[str]
) -> frozenset[int]:
    """States that were entered, scores, verdicts, and calls of models."""
    candidate = subjects[:1]
    rows = [
        *await models.matching(run_id, "transitions", "subject", subjects),
        *await models.matching(run_id, "fitness_scores", "candidate_id", candidate),
        *await models.matching(run_id, "verdicts", "candidate_id", candidate),
        *await models.matching(run_id, "model_calls", "operation_id", operations),
    ]
    return frozenset(row.first for row in rows).union(row.last for row in rows)


async def _expressed(models: ReadModels, run_id: str, parents: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in await models.matching(run_id, "candidates", "genome_id", parents):
        found.setdefault(str(row.values["genome_id"]), row.key)
    return found


def _parents(genome: Row | None) -> tuple[str, ...]:
    told = genome.values.get("parents") if genome is not None else None
    return tuple(map(str, told)) if isinstance(told, list) else ()


def _maker(genome: Row) -> str | None:
    return _text(genome, "maker")


def _text(row: Row | None, name: str) -> str | None:
    value = row.values.get(name) if row is not None else None
    return value if isinstance(value, str) else None


def _numbers(rows: Iterable[Row], names: Iterable[str]) -> Iterator[int]:
    """The events that rows began with, and those that they name."""
    for row in rows:
        yield row.first
        yield from (value for name in names if isinstance(value := row.values.get(name), int))
