"""``ui``: the size of the first page, and the time until a long run and a large lineage are shown, in Chromium.

`mendel serve` runs over PostgreSQL, with the page as built into the package; every sample has a new browser context
without a cache. ``first_page_kb`` is the compressed transfer size until the list of runs is shown, with headers,
without API responses. ``open_100k_s`` is the time from the navigation until the page of a run of 100,000 events shows
the figures of its last event, the fitness curve and the roster. ``lineage_10k_s`` is the time from the start of drawing
the lineage of 10,000 genomes until it can be panned, including layout and drawing library. The rows of both runs are
already projected, as for any run that was watched before.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

from playwright.async_api import Browser, Page, async_playwright

from benchmarks import machine
from benchmarks.api_sides import served
from benchmarks.noop_history import EVENTS_PER_CANDIDATE, recorded
from benchmarks.noop_runs import noop_domain
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from mendel.api.page_files import BUILT
from mendel.api.projecting import Projector
from mendel.ports.transfer import import_run
from mendel.settings import Settings, load_settings
from mendel.wiring import embedded_server, open_log, open_read_models, scrubber

EVENTS: Final = 100_000
GENOMES: Final = 10_000
_PATIENCE_MS: Final = 120_000
_WEIGHT: Final = """() => performance.getEntriesByType("navigation")
    .concat(performance.getEntriesByType("resource"))
    .filter((entry) => !new URL(entry.name).pathname.startsWith("/api/"))
    .map((entry) => [new URL(entry.name).pathname, entry.transferSize])"""
_OPEN: Final = """(last) => {
    const shown = (panel) => document.querySelector(`[data-panel="${panel}"]`);
    const ready = document.querySelector(".run")?.dataset.sequence === String(last)
        && shown("fitness")?.querySelector("canvas") && shown("roster")?.querySelector("tbody tr");
    return ready ? performance.now() : null;
}"""
_LINEAGE: Final = """() => performance.getEntriesByName("lineage:interactive")[0]?.duration ?? null"""


class Sizes(NamedTuple):
    """The amount of work."""

    rounds: int


class Long(NamedTuple):
    """A run bred for this benchmark: its id and last event."""

    run_id: str
    last: int


FULL: Final = Sizes(rounds=7)
QUICK: Final = Sizes(rounds=2)


async def run(progress: Progress, *, quick: bool) -> Report:
    """Measure everything once."""
    if not (BUILT / "index.html").is_file():
        raise RuntimeError("the page is not built; `make page` builds it")
    sizes = QUICK if quick else FULL
    with noop_domain() as folder, tempfile.TemporaryDirectory(prefix="mendel-bench-ui-") as home:
        settings = load_settings(flags={"home": home}, environ={}).settings
        server = embedded_server(settings, progress.say)
        try:
            long = await _bred(settings, folder, EVENTS, progress)
            wide = await _bred(settings, folder, int(GENOMES * (EVENTS_PER_CANDIDATE + 0.2)), progress)
            surroundings = {"machine": machine.description(server.conninfo())}
            samples = await _samples(Path(home), long, wide, sizes, progress)
        finally:
            server.stop()
    return _report(samples, sizes, surroundings)


async def _bred(settings: Settings, folder: Path, events: int, progress: Progress) -> Long:
    """Record a run of about this many events in the log, with its rows."""
    progress.say(f"recording a run of {events:,} events")
    path = folder / f"{events}.jsonl"
    await recorded(path, events)
    async with (
        open_log(settings, create=True, announce=progress.say) as log,
        open_read_models(settings, progress.say) as models,
    ):
        moved = await import_run(log, path, scrubber(settings))
        progress.say(f"projecting {moved.events:,} events")
        return Long(moved.run_id, await Projector(log, models, moved.run_id).catch_up())


class Samples(NamedTuple):
    """The measurements, round by round."""

    first_page: list[tuple[str, int]]
    opened_s: list[float]
    lineage_s: list[float]
    nodes: int


async def _samples(home: Path, long: Long, wide: Long, sizes: Sizes, progress: Progress) -> Samples:
    opened: list[float] = []
    lineage: list[float] = []
    async with served(home) as address, _browser() as browser:
        first_page = await _first_page(browser, address)
        nodes = 0
        for number in range(sizes.rounds):
            progress.say(f"round {number + 1} of {sizes.rounds}")
            opened.append(await _opened(browser, address, long))
            took, nodes = await _lineage(browser, address, wide)
            lineage.append(took)
    return Samples(first_page, opened, lineage, nodes)


@asynccontextmanager
async def _browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def _fresh_page(browser: Browser) -> AsyncIterator[Page]:
    async with await browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        yield await context.new_page()


async def _first_page(browser: Browser, address: str) -> list[tuple[str, int]]:
    async with _fresh_page(browser) as page:
        await page.goto(address, wait_until="networkidle")
        return [(name, size) for name, size in await page.evaluate(_WEIGHT)]


async def _opened(browser: Browser, address: str, run: Long) -> float:
    async with _fresh_page(browser) as page:
        await page.goto(f"{address}/runs/{run.run_id}", wait_until="commit")
        found = await page.wait_for_function(_OPEN, arg=run.last, timeout=_PATIENCE_MS)
        return float(await found.json_value()) / 1e3


async def _lineage(browser: Browser, address: str, run: Long) -> tuple[float, int]:
    """Return seconds, and the number of genomes."""
    async with _fresh_page(browser) as page:
        await page.goto(f"{address}/runs/{run.run_id}", wait_until="commit")
        found = await page.wait_for_function(_LINEAGE, timeout=_PATIENCE_MS)
        nodes = await page.locator('[data-panel="lineage"] [data-value="nodes"]').first.inner_text()
        return float(await found.json_value()) / 1e3, int("".join(filter(str.isdigit, nodes)))


def _report(samples: Samples, sizes: Sizes, surroundings: Mapping[str, object]) -> Report:
    figures = {
        "first_page_kb": Figure(sum(size for _, size in samples.first_page) / 1e3, "<= 300"),
        "open_100k_s": Figure(statistics.median(samples.opened_s), "<= 3"),
        "lineage_10k_s": Figure(statistics.median(samples.lineage_s), "<= 2"),
    }
    return Report("ui", figures, {**surroundings, "sizes": sizes._asdict(), **samples._asdict()})
