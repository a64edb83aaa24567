"""A run as it goes: a live picture on a terminal, plain lines elsewhere."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table

from mendel.console.session import printable, shown
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.run import RUN_STATUS_AFTER, RunConfigured
from mendel.contracts.run_config import OFFLINE
from mendel.ports.registration import find_wording
from mendel.projections.failed_steps import FailedSteps, Setbacks
from mendel.projections.health import LAST_SCORES, HealthView, WatchFold

REFRESH_S = 0.25
LINE_S = 2.0
QUIET_S = 30.0
"""Where nothing changed, a line this often says that the run is alive."""
NOTHING = "-"
_STEPS_SHOWN = 5
_FAR_MS = 12 * 3_600_000


class RunPicture:
    """What is shown of one run; fed every event, asked now and then."""

    def __init__(self) -> None:
        self._fold = WatchFold(find_wording())
        self._failed = FailedSteps()
        self._began = time.monotonic()
        self._scored_before = 0
        self.title = ""
        self.over = False
        self.profile = OFFLINE
        self._breeds_ms: float | None = None
        self._before_ms: int | None = None

    def take(self, event: Event, *, live: bool = True) -> None:
        """Take one event; what happened before this process came does not count for the rate."""
        if live and self._before_ms is None:
            self._before_ms = self._recorded_ms()
        self._fold.take(event)
        self._failed.take(event)
        if not live:
            self._scored_before = self.scored
        payload = event.payload
        if (status := RUN_STATUS_AFTER.get(event.type)) is not None:
            self.over = status.terminal
        if isinstance(payload, RunConfigured):
            self.title = f"{payload.config.domain}: {payload.config.problem}"
            self.profile = payload.config.model_profile
            stop = payload.config.stop
            self._breeds_ms = stop.seconds * 1_000 if stop is not None and stop.seconds is not None else None

    def rate(self) -> float:
        """Candidates scored per second since this process conducts."""
        return (self.scored - self._scored_before) / max(time.monotonic() - self._began, 0.001)

    @property
    def scored(self) -> int:
        """How many candidates were scored."""
        return self._fold.scored

    @property
    def best(self) -> tuple[float, str] | None:
        """The best fitness, and whose it is."""
        return self._fold.best

    @property
    def setbacks(self) -> Setbacks:
        """What went wrong: the steps of which operations failed, and what came of that."""
        return self._failed.setbacks()

    def figures(self) -> dict[str, str]:
        """What the page of a run calls best, mean and champion."""
        best = f"{self.best[0]:.6g} ({shown(self.best[1])})" if self.best else NOTHING
        champion = shown(self._fold.champion) if self._fold.champion is not None else "none yet"
        return {"best": best, f"mean of last {LAST_SCORES}": _number(self._fold.mean), "champion": champion}

    def pace(self) -> str:
        """How many were scored, and how fast while it goes on."""
        return f"{self.scored:,}" if self.over else f"{self.scored:,} at {self.rate():,.1f} a second"

    def health(self) -> HealthView | None:
        """The run's health."""
        return self._fold.view()

    def _recorded_ms(self) -> int:
        view = self.health()
        clock = view.caps.get("wall_clock_ms") if view is not None else None
        return clock.used if clock is not None else 0

    def left(self) -> str:
        """How long it may still take, until it stops breeding or its wall clock ends it; once over, how long it took.

        This process's own time counts from its start: between events that are minutes apart a clock goes on, too.
        """
        if self.over:
            return f"lasted {_duration(self._recorded_ms())}"
        view = self.health()
        limit = view.caps["wall_clock_ms"].limit if view is not None and "wall_clock_ms" in view.caps else None
        used = (self._before_ms or 0) + (time.monotonic() - self._began) * 1_000
        if self._breeds_ms is not None:
            rest = self._breeds_ms - used
            return f"{_duration(rest)} left to breed" if rest > 0 else "breeding is over, the last ones are judged"
        if limit is None or limit - used > _FAR_MS:
            return _candidates(view)
        return f"{_duration(limit - used)} left"

    def standing(self) -> object:
        """What has to change for another line to say anything new."""
        view = self.health()
        return self.scored, self.best, self._fold.champion, (view.status, _in_flight(view)) if view else None

    def line(self) -> str:
        """One plain line."""
        view = self.health()
        if view is None:
            return "nothing yet"
        parts = [
            f"{view.run_id[-12:]} {view.status}",
            f"generation {view.generation}" if view.generation is not None else "no generation",
            f"{self.scored:,} scored" if self.over else f"{self.scored:,} scored ({self.rate():,.1f}/s)",
            f"best {_number(self.best[0] if self.best else None)} mean {_number(self._fold.mean)}",
            f"in flight: {_in_flight(view)}",
            f"energy {view.energy.spent:,} of {view.energy.budget:,}",
            self.left(),
        ]
        return printable(" · ".join(parts))

    def picture(self) -> Panel:
        """The whole picture."""
        view = self.health()
        if view is None:
            return Panel("nothing yet")
        facts = Table.grid(padding=(0, 2))
        facts.add_column(style="bold")
        facts.add_column()
        for name, value in _facts(self, view).items():
            facts.add_row(name, value)
        budget = view.energy
        bar = ProgressBar(total=max(budget.budget or 0, 1), completed=budget.spent + budget.reserved, width=40)
        energy = Table.grid(padding=(0, 2))
        energy.add_row("[bold]energy[/]    ", bar, f"{budget.spent:,} + {budget.reserved:,} of {budget.budget:,}")
        return Panel(Group(facts, energy), title=shown(self.title)[:100], subtitle=view.run_id, title_align="left")


def _facts(picture: RunPicture, view: HealthView) -> dict[str, str]:
    population = view.caps.get("max_population")
    return {
        "status": f"{view.status}, generation {view.generation if view.generation is not None else NOTHING}",
        "population": f"{population.used:,} of {population.limit:,}" if population else NOTHING,
        "scored": picture.pace(),
        **picture.figures(),
        "in flight": _in_flight(view),
        "time": picture.left(),
    }


def _in_flight(view: HealthView) -> str:
    counts = Counter(operation.word for operation in view.in_flight)
    return ", ".join(f"{shown(word)} x{count}" for word, count in counts.most_common(_STEPS_SHOWN)) or "nothing"


def _candidates(view: HealthView | None) -> str:
    """How many of those that are allowed; where time is no bound, they are."""
    use = view.caps.get("max_candidates") if view is not None else None
    return f"{use.used:,} of {use.limit:,} candidates" if use is not None and use.limit is not None else NOTHING


def _duration(milliseconds: float) -> str:
    """In the two largest units."""
    seconds = max(0, int(milliseconds)) // 1_000
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3_600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3_600} h {seconds % 3_600 // 60} min"


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.6g}"


@asynccontextmanager
async def shown_live(console: Console, pictures: dict[str, RunPicture]) -> AsyncIterator[None]:
    """Show ``pictures`` until the block ends: redrawn on a terminal, a line each now and then elsewhere."""
    work = _draw(console, pictures) if console.is_terminal else _tell(console, pictures)
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait((task,))


async def _draw(console: Console, pictures: dict[str, RunPicture]) -> None:
    def everything() -> Group:
        return Group(*(picture.picture() for picture in pictures.values()))

    with Live(console=console, auto_refresh=False, transient=True) as live:
        while True:
            live.update(everything(), refresh=True)
            await asyncio.sleep(REFRESH_S)


async def _tell(console: Console, pictures: dict[str, RunPicture]) -> None:
    told: dict[str, tuple[object, float]] = {}
    while True:
        await asyncio.sleep(LINE_S)
        now = time.monotonic()
        for run_id, picture in pictures.items():
            standing, (before, at) = picture.standing(), told.get(run_id, (None, -QUIET_S))
            if not picture.over and (standing != before or now - at >= QUIET_S):
                told[run_id] = standing, now
                console.print(picture.line(), style="dim", markup=False, soft_wrap=True)
