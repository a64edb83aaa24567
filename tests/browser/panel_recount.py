"""What single panels show, counted anew from the events of an exported log.

As `recount`, on purpose no fold of Mendel's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.browser.stage import Event

Score = Mapping[str, Any]
Place = tuple[int, ...]

_ENTERED = {
    "candidate.under_review": "under_review",
    "candidate.checked": "checked",
    "fitness.scored": "scored",
    "candidate.selected": "selected",
    "candidate.rejected": "rejected",
    "candidate_invalidated": "invalid",
    "lineage.culled": "culled",
}
_ENDS = ("operation.completed", "operation.failed")


def of_type(events: Iterable[Event], *types: str) -> list[Event]:
    return [event for event in events if event["type"] in types]


def scores(events: Iterable[Event]) -> list[Score]:
    return [event["payload"]["score"] for event in of_type(events, "fitness.scored")]


def rising(events: Iterable[Event]) -> list[tuple[int, float]]:
    """Each new best fitness, with the event that brought it."""
    found: list[tuple[int, float]] = []
    for event in of_type(events, "fitness.scored"):
        total = event["payload"]["score"]["total"]
        if not found or total > found[-1][1]:
            found.append((event["sequence"], total))
    return found


# --- operations ------------------------------------------------------------------------------------------------


def in_flight(events: Iterable[Event]) -> dict[str, Mapping[str, Any]]:
    """Operations whose marker has no end, by id."""
    flying: dict[str, Mapping[str, Any]] = {}
    for event in events:
        if event["type"] == "operation.started":
            flying[event["payload"]["operation"]["id"]] = event["payload"]["operation"]
        elif event["type"] in _ENDS:
            flying.pop(event["payload"]["operation_id"], None)
    return flying


def caps_used(events: Sequence[Event]) -> dict[str, int]:
    """How much of the caps on what is spent and made is used; what is in flight counts at its worst."""
    flying = in_flight(events).values()
    used = [event["payload"]["usage"] for event in of_type(events, *_ENDS)]
    used += [operation["allowance"] for operation in flying]
    spent = sum(event["payload"]["actual"] for event in of_type(events, "energy.spent"))
    return {
        "energy_budget": spent + sum(operation["reserved_energy"] for operation in flying),
        "max_tokens": sum(each["tokens_in"] + each["tokens_out"] for each in used),
        "max_cost_microusd": sum(each["cost_microusd"] for each in used),
        "max_tool_calls": sum(each["tool_calls"] for each in used),
        "max_evaluations": sum(each["evaluations"] for each in used),
        "max_candidates": len(of_type(events, "candidate.created")),
        "max_generations": len(of_type(events, "generation.started")),
        "max_spawn_depth": max(event["payload"]["genome"]["depth"] for event in of_type(events, "genome.spawned")),
    }


# --- candidates ------------------------------------------------------------------------------------------------


@dataclass
class Member:
    """A candidate, as a row of the roster says it."""

    genome_id: str
    status: str = "created"
    fitness: float | None = None
    operator: str | None = None
    parents: tuple[str, ...] = ()
    energy: int = 0
    operations: set[str] = field(default_factory=set)


def members(events: Sequence[Event]) -> dict[str, Member]:
    """Every candidate by its id."""
    found = {
        event["payload"]["candidate"]["id"]: Member(event["payload"]["candidate"]["genome_id"])
        for event in of_type(events, "candidate.created")
    }
    for event in events:
        for name in _whom(event):
            found[name].status = _ENTERED[event["type"]]
    for score in scores(events):
        found[score["candidate_id"]].fitness = score["total"]
    born = {event["payload"]["genome"]["id"]: event for event in of_type(events, "genome.spawned")}
    made = {event["payload"]["child_id"]: event for event in of_type(events, "genome.mutated", "genome.fused")}
    for name, member in found.items():
        birth = born[member.genome_id]
        member.parents = tuple(birth["payload"]["genome"]["parents"])
        member.operator = _operator(made.get(member.genome_id))
        member.operations = _about(events, {name})
        about = _about(events, {name, member.genome_id})
        member.energy = _energy(events, member, {*about, birth["operation_id"]})
    return found


def _whom(event: Event) -> list[str]:
    """Whose state an event changes."""
    if event["type"] == "lineage.culled":
        return list(event["payload"]["candidate_ids"])
    return [event["candidate_id"]] if event["type"] in _ENTERED else []


def dropped(events: Iterable[Event]) -> list[int]:
    """Each loss of a candidate, by the event that tells of it."""
    out = of_type(events, "candidate.rejected", "candidate_invalidated", "lineage.culled")
    return [event["sequence"] for event in out for _ in _whom(event)]


def _operator(made: Event | None) -> str | None:
    if made is None:
        return None
    payload = made["payload"]
    return str(payload["operator"] if made["type"] == "genome.mutated" else payload["mode"])


def _about(events: Sequence[Event], ids: set[str]) -> set[str]:
    started = (event["payload"]["operation"] for event in of_type(events, "operation.started"))
    return {operation["id"] for operation in started if ids.intersection(operation["subject_ids"])}


def _energy(events: Sequence[Event], member: Member, operations: set[str | None]) -> int:
    """What was charged for its operations and for the one that made it; a founder's birth has no operation."""
    return sum(
        event["payload"]["actual"]
        for event in of_type(events, "energy.spent")
        if (event["operation_id"] in operations if event["operation_id"] else event["genome_id"] == member.genome_id)
    )


def nick(name: str) -> str:
    """The short name: `candidate-33.0-a651f986` is `c33.0`."""
    kind, place, _ = name.split("-")
    return kind[0] + place


# --- archive and front -----------------------------------------------------------------------------------------


def figures_of(score: Score) -> dict[str, float]:
    """Components and descriptors by name."""
    return {**score["descriptor"], **score["components"]}


def cells(found: Iterable[Score], axes: Sequence[Mapping[str, Any]]) -> dict[Place, tuple[str, int]]:
    """Who is the best of each cell, and of how many."""
    best: dict[Place, Score] = {}
    count = Counter[Place]()
    for score in found:
        place = tuple(_bin(axis, figures_of(score)[axis["name"]]) for axis in axes)
        count[place] += 1
        if place not in best or score["total"] > best[place]["total"]:
            best[place] = score
    return {place: (nick(score["candidate_id"]), count[place]) for place, score in best.items()}


def _bin(axis: Mapping[str, Any], value: float) -> int:
    share = (value - axis["low"]) / (axis["high"] - axis["low"])
    return int(min(max(share, 0.0) * axis["bins"], axis["bins"] - 1))


def front(found: Iterable[Score], less_is_better: Mapping[str, bool]) -> set[str]:
    """Whom nobody beats in both of two figures."""
    points = {
        nick(score["candidate_id"]): [
            -figures_of(score)[name] if less else figures_of(score)[name] for name, less in less_is_better.items()
        ]
        for score in found
    }
    return {name for name, point in points.items() if not any(map(_beats(point), points.values()))}


def _beats(point: Sequence[float]) -> Callable[[Sequence[float]], bool]:
    def beats(other: Sequence[float]) -> bool:
        return list(other) != list(point) and all(more >= own for more, own in zip(other, point, strict=True))

    return beats


def conducting(events: Iterable[Event]) -> Iterator[str]:
    """Who took the run over, one after the other."""
    return (event["payload"]["conductor"] for event in of_type(events, "conductor_took_over"))
