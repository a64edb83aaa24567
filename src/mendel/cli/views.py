"""`mendel show --view`: one of the projections of a run, as a table or a tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Protocol

from rich.console import RenderableType
from rich.table import Table
from rich.tree import Tree

from mendel.console.session import shown
from mendel.contracts.events.envelope import Event
from mendel.contracts.times import utc_now
from mendel.ports.registration import find_wording
from mendel.projections.current_state import StateFold, StateView
from mendel.projections.health import HealthFold, HealthView, stalled
from mendel.projections.leaderboard import LeaderboardFold, LeaderboardView
from mendel.projections.lineage import LineageFold, LineageView
from mendel.projections.replay_summary import ReplaySummaryFold, ReplaySummaryView

COUNTS_SHOWN = 10  # of each kind; --json has all
NODES_SHOWN = 400  # a longer tree is of no use on a terminal

View = StateView | HealthView | LeaderboardView | LineageView | ReplaySummaryView


class ViewName(StrEnum):
    """The projections that can be shown."""

    STATE = "state"
    HEALTH = "health"
    LEADERBOARD = "leaderboard"
    LINEAGE = "lineage"
    REPLAY = "replay"


class Fold(Protocol):
    """The interface of every projection."""

    def take(self, event: Event) -> Any:  # noqa: ANN401 - each returns itself
        """Fold one event."""

    def view(self) -> Any:  # noqa: ANN401 - each has a view of its own
        """Return the projection of the events so far."""


def fold_of(name: ViewName) -> Fold:
    """Return an empty projection by name."""
    folds: Mapping[ViewName, Callable[[], Fold]] = {
        ViewName.STATE: StateFold,
        ViewName.HEALTH: lambda: HealthFold(find_wording()),
        ViewName.LEADERBOARD: LeaderboardFold,
        ViewName.LINEAGE: lambda: LineageFold(find_wording()),
        ViewName.REPLAY: ReplaySummaryFold,
    }
    return folds[name]()


def drawn(view: View) -> RenderableType:
    """Render a view as a table or tree."""
    match view:
        case StateView():
            return _generations(view)
        case HealthView():
            return _health(view)
        case LeaderboardView():
            return _leaderboard(view)
        case LineageView():
            return _lineage(view)
        case ReplaySummaryView():
            return _replay(view)


def _table(*columns: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, no_wrap=True)
    return table


def _generations(view: StateView) -> Table:
    table = _table("generation", "status", "population", "survivors", "offspring", "best", "mean")
    for row in view.generations:
        cells = (row.index, row.status, row.population, row.survivors, row.offspring, row.best, row.mean)
        table.add_row(*map(_cell, cells))
    return table


def _leaderboard(view: LeaderboardView) -> Table:
    table = _table("rank", "candidate", "fitness", "generation", "birth", "status", "components")
    for row in view.standings:
        name = f"{row.candidate_id}{' (champion)' if row.champion else ''}"
        made_of = ", ".join(f"{part} {value:.6g}" for part, value in row.components.items())
        cells = (row.rank, name, row.total, row.generation, row.birth, row.status, made_of)
        table.add_row(*map(_cell, cells))
    return table


def _health(view: HealthView) -> Table:
    facts = {
        "status": view.status,
        "stalled": "yes: no event for three heartbeats" if stalled(view, utc_now()) else "no",
        "generation": view.generation,
        "last event": f"{view.last_event.type} at {view.last_event_at:%Y-%m-%d %H:%M:%S} UTC",
        "conductor": f"{view.conductor} (epoch {view.epoch}, {view.epochs} in all)",
    }
    for name, use in view.caps.items():
        facts[name] = f"{use.used:,} of {use.limit:,}" if use.limit is not None else f"{use.used:,}"
    for operation in view.in_flight:
        facts[operation.id] = f"{operation.word}, attempt {operation.attempt}, since {operation.started_at:%H:%M:%S}"
    return _facts(facts)


def _replay(view: ReplaySummaryView) -> Table:
    facts: dict[str, object] = {
        "status": view.status,
        "events": f"{view.sequence_through + 1:,}",
        "first event": f"{view.first_event_at:%Y-%m-%d %H:%M:%S} UTC",
        "last event": f"{view.last_event_at:%Y-%m-%d %H:%M:%S} UTC",
        "completions": f"{view.completions:,}",
        "failures": _counted(view.failures_by_code),
        "repeated": _counted(view.repeated),
        "state digest": view.state_digest,
        "outcome digest": view.outcome_digest,
    }
    for number, epoch in enumerate(view.epochs, start=1):
        wrote = f"events {epoch.from_sequence:,} to {epoch.to_sequence:,} in {epoch.wall_ms / 1_000:,.1f} s"
        facts[f"conductor {number}"] = f"{epoch.conductor}: {wrote}"
    return _facts(facts)


def _counted(counts: Mapping[str, int]) -> str:
    """Names with their counts, or ``none``."""
    shown_first = list(counts.items())[:COUNTS_SHOWN]
    more = [f"and {len(counts) - COUNTS_SHOWN:,} more"] if len(counts) > COUNTS_SHOWN else []
    return ", ".join([f"{name} x{count:,}" for name, count in shown_first] + more) or "none"


def _facts(facts: Mapping[str, object]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for name, value in facts.items():
        table.add_row(shown(name), _cell(value))
    return table


def _lineage(view: LineageView) -> Tree:
    """The lineage as a tree; a child of several parents is placed below its first parent."""
    nodes = {node.id: node for node in view.nodes if node.kind == "genome"}
    children: defaultdict[str, list[str]] = defaultdict(list)
    born: set[str] = set()
    for edge in view.edges:
        if edge.kind == "parent_of" and edge.target not in born:
            born.add(edge.target)
            children[edge.source].append(edge.target)
    root = Tree(f"{view.run_id}: {len(nodes):,} genomes")
    left = [NODES_SHOWN]  # a list, so that _grow can count it down
    for node_id in nodes:
        if node_id not in born:
            _grow(root, node_id, nodes, children, left)
    if len(nodes) > NODES_SHOWN:
        root.add(f"… and {len(nodes) - NODES_SHOWN:,} more; --json shows all")
    return root


def _grow(
    tree: Tree, node_id: str, nodes: Mapping[str, Any], children: Mapping[str, list[str]], left: list[int]
) -> None:
    """Add a genome and its descendants, without recursion, because lineages are deep."""
    waiting = [(tree, node_id)]
    while waiting and left[0] > 0:
        branch, each = waiting.pop()
        left[0] -= 1
        grown = branch.add(f"{shown(each)} [dim]{shown(nodes[each].status or '')}[/]")
        waiting.extend((grown, child) for child in reversed(children.get(each, [])))


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else shown(value)
