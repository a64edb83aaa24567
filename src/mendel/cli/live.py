"""Live progress of runs: a panel on a terminal, plain lines elsewhere."""

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
from mendel.ports.registration import find_wording
from mendel.projections.health import LAST_SCORES, HealthView, WatchFold

REFRESH_S = 0.25
LINE_S = 2.0
QUIET_S = 30.0
"""How often to print a line although nothing has changed, as a sign of life."""
NOTHING = "-"
_STEPS_SHOWN = 5
_FAR_MS = 12 * 3_600_000  # a wall-clock cap further away says nothing about when the run will end


class RunPicture:
    """Draws a run from its folded events; ``begins`` marks where the events of this process start."""

    def __init__(self) -> None:
        self.run = WatchFold(find_wording())
        self._began = time.monotonic()  # the wall clock may be set while the run goes on
        self._scored_before: int | None = None
        self._before_ms = 0

    def begins(self) -> None:
        """Exclude all events folded so far from the rate and the elapsed time of this process."""
        self._scored_before, self._before_ms = self.run.scored, self._recorded_ms()

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self.run.over

    def rate(self) -> float:
        """Candidates scored per second since ``begins`` was called."""
        if self._scored_before is None:
            return 0.0
        return (self.run.scored - self._scored_before) / max(time.monotonic() - self._began, 0.001)

    def figures(self) -> dict[str, str]:
        """Best candidate, mean score and champion, as on the run's web page."""
        best = f"{self.run.best[0]:.6g} ({shown(self.run.best[1])})" if self.run.best else NOTHING
        champion = shown(self.run.champion) if self.run.champion is not None else "none yet"
        return {"best": best, f"mean of last {LAST_SCORES}": _number(self.run.mean), "champion": champion}

    def pace(self) -> str:
        """The number of scored candidates, with the rate while the run is live."""
        return f"{self.run.scored:,}" if self.over else f"{self.run.scored:,} at {self.rate():,.1f} a second"

    def health(self) -> HealthView | None:
        """The run's health, or None before its first event."""
        return self.run.view()

    def _recorded_ms(self) -> int:
        view = self.health()
        clock = view.caps.get("wall_clock_ms") if view is not None else None
        return clock.used if clock is not None else 0

    def left(self) -> str:
        """The time until breeding stops or the wall-clock cap ends the run; for a finished run, its duration.

        Uses this process's clock, because the recorded time does not advance between events.
        """
        if self.over:
            return f"lasted {_duration(self._recorded_ms())}"
        view = self.health()
        limit = view.caps["wall_clock_ms"].limit if view is not None and "wall_clock_ms" in view.caps else None
        used = self._before_ms + (time.monotonic() - self._began) * 1_000
        stop = self.run.config.stop if self.run.config is not None else None
        if stop is not None and stop.seconds is not None:
            rest = stop.seconds * 1_000 - used
            return f"{_duration(rest)} left to breed" if rest > 0 else "breeding done, judging the last candidates"
        if limit is None or limit - used > _FAR_MS:
            return _candidates(view)
        return f"{_duration(limit - used)} left"

    def standing(self) -> object:
        """The state that must change before another line is worth printing."""
        view = self.health()
        return self.run.scored, self.run.best, self.run.champion, (view.status, _in_flight(view)) if view else None

    def line(self) -> str:
        """The progress as one plain line."""
        view = self.health()
        if view is None:
            return "nothing yet"
        parts = [
            f"{view.run_id[-12:]} {view.status}",
            f"generation {view.generation}" if view.generation is not None else "no generation",
            f"{self.run.scored:,} scored" if self.over else f"{self.run.scored:,} scored ({self.rate():,.1f}/s)",
            f"best {_number(self.run.best[0] if self.run.best else None)} mean {_number(self.run.mean)}",
            f"in flight: {_in_flight(view)}",
            f"energy {view.energy.spent:,} of {view.energy.budget:,}",
            self.left(),
        ]
        return printable(" · ".join(parts))

    def picture(self) -> Panel:
        """The progress as a panel."""
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
        return Panel(Group(facts, energy), title=shown(self._title())[:100], subtitle=view.run_id, title_align="left")

    def _title(self) -> str:
        config = self.run.config
        return f"{config.domain}: {config.problem}" if config is not None else ""


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
    """Candidates used of the cap; shown where the wall clock does not bound the run."""
    use = view.caps.get("max_candidates") if view is not None else None
    return f"{use.used:,} of {use.limit:,} candidates" if use is not None and use.limit is not None else NOTHING


def _duration(milliseconds: float) -> str:
    """A duration in its two largest units."""
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
    """Show ``pictures`` until the block ends: redrawn on a terminal, occasional lines elsewhere."""
    work = _draw(console, pictures) if console.is_terminal else _tell(console, pictures)
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait((task,))  # the terminal must be restored before the result is printed


async def _draw(console: Console, pictures: dict[str, RunPicture]) -> None:
    def everything() -> Group:
        return Group(*(picture.picture() for picture in pictures.values()))

    with Live(console=console, auto_refresh=False, transient=True) as live:  # the result replaces the panel
        while True:
            live.update(everything(), refresh=True)
            await asyncio.sleep(REFRESH_S)


async def _tell(console: Console, pictures: dict[str, RunPicture]) -> None:
    told: dict[str, tuple[object, float]] = {}  # per run: last printed state and its time
    while True:
        await asyncio.sleep(LINE_S)
        now = time.monotonic()
        for run_id, picture in pictures.items():
            standing, (before, at) = picture.standing(), told.get(run_id, (None, -QUIET_S))
            if not picture.over and (standing != before or now - at >= QUIET_S):  # the command reports the end
                told[run_id] = standing, now
                console.print(picture.line(), style="dim", markup=False, soft_wrap=True)
