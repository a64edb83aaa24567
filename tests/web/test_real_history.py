"""Rewinding is right: the page's store at an event says what the events up to it say, in real runs.

What a run was after an event is folded here from its events by those who know nothing of rows (`StateFold`, `RunFold`);
the page is given the rows that the server answers, and has to come to the same.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.api.reading import HISTORIES, bred, golden_log, observatory
from tests.web.page_tools import installed, node

from mendel.contracts.events.candidate import CandidateCreated, FitnessScored
from mendel.contracts.events.energy import LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.providers import ProviderMeta
from mendel.contracts.statuses import GenerationStatus
from mendel.ports.event_log import EventLog
from mendel.projections.current_state import StateFold, StateView
from mendel.projections.health import HealthFold, HealthView, RunFold, RunView

pytestmark = pytest.mark.xdist_group("web")

MOST_MOMENTS = 150


class Told:
    """What adds up over the events of a run."""

    def __init__(self) -> None:
        self.candidates = self.scored = self.calls = self.tokens = self.cost = 0

    def take(self, event: Event) -> None:
        match event.payload:
            case CandidateCreated():
                self.candidates += 1
            case FitnessScored():
                self.scored += 1
            case LlmCallTelemetry(provider=provider) | ProviderCallFailed(provider=provider):
                self._called(provider)

    def _called(self, provider: ProviderMeta | None) -> None:
        self.calls += 1
        if provider is not None:
            self.tokens += (provider.tokens_in or 0) + (provider.tokens_out or 0)
            self.cost += provider.cost_microusd or 0


def moments(events: Sequence[Event]) -> Iterator[dict[str, Any]]:
    """What there is to say of the run after some of its events, the last among them."""
    state, run, told, health = StateFold(), RunFold(), Told(), HealthFold()
    apart = max(1, len(events) // MOST_MOMENTS)
    for event in events:
        told.take(event)
        state.take(event)
        run.take(event)
        health.take(event)
        if event.sequence % apart == 0 or event is events[-1]:
            yield {**moment(state.view(), run.view(), told), **conducted(health.view())}


def conducted(health: HealthView | None) -> dict[str, Any]:
    """Who conducts it, and what of its caps is used, but for time, which is rounded: as `mendel watch` tells it."""
    assert health is not None
    return {
        "used": {name: cap.used for name, cap in health.caps.items() if name != "wall_clock_ms"},
        "conductor": health.conductor,
        "epochs": health.epochs,
    }


def moment(state: StateView | None, run: RunView | None, told: Told) -> dict[str, Any]:
    assert state is not None
    assert run is not None
    over = state.status is not None and state.status.terminal
    return {
        "sequence": state.sequence_through,
        "status": state.status,
        "best": [run.best_candidate_id, run.best_fitness],
        "candidates": told.candidates,
        "scored": told.scored,
        "energy": run.energy_spent,
        "calls": [told.calls, told.tokens, told.cost],
        "in_flight": [] if over else sorted(run.operations_in_flight),
        "champions": sorted(state.champions.items()),
        "candidate_statuses": sorted((row.id, row.status, row.total) for row in state.candidates),
        "genome_statuses": sorted((row.id, row.status, row.birth) for row in state.genomes),
        "generation_statuses": sorted(
            (row.id, row.status) for row in state.generations if row.status != GenerationStatus.PENDING
        ),
        "final": state.final_candidate_id,
    }


async def told_of(log: EventLog, runs: Iterable[str]) -> list[dict[str, Any]]:
    """Of each run: its rows as the server answers them, and its moments as its events tell them."""
    found = []
    async with observatory(log) as server:
        for run_id in runs:
            history = await server.get(f"/api/runs/{run_id}/history")
            events = [event async for event in log.read(run_id)]
            found.append({"history": history, "moments": list(moments(events))})
    return found


async def test_a_run_rewound_on_the_page_is_what_its_events_say(tmp_path: Path) -> None:
    stage = await bred()
    golden, runs = await golden_log(tmp_path, *HISTORIES)
    found = [*await told_of(stage.log, [stage.run_id]), *await told_of(golden, runs.values())]
    assert any(moment["champions"] for run in found for moment in run["moments"])
    assert any(moment["in_flight"] for run in found for moment in run["moments"])
    (tmp_path / "runs.json").write_text(json.dumps(found))
    environment = {**os.environ, "MENDEL_REAL_HISTORIES": str(tmp_path / "runs.json")}
    done = node(str(installed() / "vitest" / "vitest.mjs"), "run", "tests/real_history.test.ts", env=environment)
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-4_000:]
    assert f"{len(found)} passed" in done.stdout
