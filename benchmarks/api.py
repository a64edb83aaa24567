"""``api``: a run with 1,000 events a second and a hundred clients, against a plain Starlette loop; and projecting.

*Ours* is `mendel serve` over PostgreSQL. A writer in a separate process stores the records of a real run, ten every
ten milliseconds. The delay of an event is the time from its handover to the log until a client has received it, so it
includes the commit. *Bare* is a Starlette app with one task that puts the same frames at the same pace into one queue
per client; the delay starts there. It neither stores, reads nor folds; like ours, it joins the frames that wait in a
queue. The clients are separate processes, each with some of the connections. They note the times when bytes arrive,
and parse the bytes after the run. Sides take turns, in the opposite order every other round.

``projection_growth`` is the time to project an event at the end of a long run, divided by that near its beginning.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import machine
from benchmarks.api_sides import Bare, Ours, Taken
from benchmarks.noop_history import recorded
from benchmarks.noop_runs import noop_domain
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.read_models import PostgresReadModels
from mendel.adapters.postgres.roles import PROJECTOR_ROLE
from mendel.api.projecting import AT_ONCE, Projector
from mendel.ports.event_log import EventLog
from mendel.ports.read_models import Step
from mendel.ports.transfer import import_run
from mendel.settings import Settings, load_settings
from mendel.wiring import embedded_server, open_log, scrubber

RATE: Final = 1_000
CLIENTS: Final = 100


class Sizes(NamedTuple):
    """The amount of work: rounds, seconds per round, and the events of the run that is projected."""

    rounds: int
    seconds: int
    projected: int


FULL: Final = Sizes(rounds=5, seconds=15, projected=100_000)
QUICK: Final = Sizes(rounds=2, seconds=6, projected=30_000)

Rounds = Sequence[Mapping[str, Taken]]


async def run(progress: Progress, *, quick: bool) -> Report:
    """Measure everything once."""
    sizes = QUICK if quick else FULL
    with noop_domain() as folder, tempfile.TemporaryDirectory(prefix="mendel-bench-api-") as home:
        settings = load_settings(flags={"home": home}, environ={}).settings
        server = embedded_server(settings, progress.say)
        try:
            async with open_log(settings, create=True, announce=progress.say) as log:
                surroundings = {
                    "machine": machine.description(server.conninfo()),
                    "unit": machine.unit(server.conninfo()),
                }
                growth = await _growth(settings, log, folder, sizes.projected, progress)
                rounds = await _rounds(Path(home), folder, sizes, progress)
        finally:
            server.stop()
    return _report(rounds, growth, sizes, surroundings)


async def _rounds(home: Path, folder: Path, sizes: Sizes, progress: Progress) -> Rounds:
    found = []
    for number in range(sizes.rounds):
        progress.say(f"round {number + 1} of {sizes.rounds}: recording a run")
        path = folder / f"round-{number}.jsonl"
        await recorded(path, RATE * sizes.seconds + number * 20)  # another length gives another seed, and other ids
        sides = (Ours(home, path), Bare(path))
        taken = {}
        for side in sides if number % 2 else sides[::-1]:
            progress.say(f"round {number + 1} of {sizes.rounds}: {side.name}, {CLIENTS} clients")
            taken[side.name] = await side.watched(RATE, CLIENTS, folder / f"{side.name}-{number}")
        found.append(taken)
    return found


# --- projecting ------------------------------------------------------------------------------------------------


class _Timed(PostgresReadModels):
    """Read models that record the times of their stores."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.at: list[float] = []

    async def store(self, run_id: str, steps: Sequence[Step]) -> None:
        """Store the rows and record the time."""
        await super().store(run_id, steps)
        self.at.append(time.perf_counter())


async def _growth(
    settings: Settings, log: EventLog, folder: Path, events: int, progress: Progress
) -> dict[str, object]:
    """Microseconds per event for reading, folding and storing, in the second and the last tenth of a run."""
    progress.say(f"recording a run of {events:,} events")
    path = folder / "long.jsonl"
    await recorded(path, events)
    moved = await import_run(log, path, scrubber(settings))
    address = embedded_server(settings, progress.say).conninfo(user=PROJECTOR_ROLE)
    async with _Timed(Database(address, role=PROJECTOR_ROLE)) as timed:
        progress.say(f"projecting {moved.events:,} events")
        await Projector(log, timed, moved.run_id).catch_up()
    # without the last span, whose batch may be smaller than AT_ONCE
    spans = [(after - before) / AT_ONCE * 1e6 for before, after in zip(timed.at, timed.at[1:], strict=False)][:-1]
    tenth = max(1, len(spans) // 10)  # the first tenth is skipped as a warm-up
    early, late = statistics.median(spans[tenth : 2 * tenth]), statistics.median(spans[-tenth:])
    return {"events": moved.events, "early_us": round(early, 1), "late_us": round(late, 1), "ratio": late / early}


# --- figures ---------------------------------------------------------------------------------------------------


def _report(rounds: Rounds, growth: dict[str, object], sizes: Sizes, surroundings: dict[str, object]) -> Report:
    ratios = [taken["ours"].p99_ms / taken["bare"].p99_ms for taken in rounds]
    lost = sum(taken["ours"].lost + taken["ours"].doubled for taken in rounds)
    figures = {
        "sse_lost": Figure(lost, "<= 0"),
        "sse_p99_to_bare": Figure(statistics.median(ratios), "<= 2"),
        "projection_growth": Figure(float(str(growth["ratio"])), "<= 1.2"),
    }
    raw = {
        **surroundings,
        "sizes": {**sizes._asdict(), "clients": CLIENTS, "rate": RATE},
        "summary": {"p99_to_bare": [round(ratio, 3) for ratio in ratios], "projection": growth},
        "rounds": [{name: taken._asdict() for name, taken in each.items()} for each in rounds],
    }
    return Report("api", figures, raw)
