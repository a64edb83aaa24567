"""Pictures of every page for the documentation, and a tour: `python -m tests.browser.screenshots [FOLDER]`.

Real runs are bred for it, on a server and a database of its own; it takes a minute or two.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from io import BytesIO
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.looking import PHONE, WIDE, looked_at, picture, settled
from tests.browser.stage import REPOSITORY, Served, Stage, staged
from tests.plugins import install

FOLDER = REPOSITORY / "docs/images/observatory"
MOST_BYTES = 200_000
MOST_TOUR_BYTES = 1_500_000
TOUR_WIDTH = 900
FRAME_MS = 1_600
COLOURS = 128
SHARES = (0.1, 0.3, 0.55, 0.8, 1.0)


class Gallery:
    """The runs that are worth a picture."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    @cached_property
    def sort(self) -> str:
        """A slow sort, made better and proven."""
        shutil.copy(REPOSITORY / "examples/bad_sort.py", self._stage.folder)
        size = ("--seed", "5", "--evaluations", "40", "--population", "12", "--no-best-of-n")
        goal = ("--objective", "opcodes", "--archive", "size,opcodes")
        said = self._stage.mendel("evolve", "bad_sort.py:sort", *size, *goal, "--json", may_end_with=(0, 3))
        return str(json.loads(said)["run_id"])

    @cached_property
    def points(self) -> str:
        """Points that come closer to a target, generation by generation."""
        return self._points("Points that come closer", "7")

    @cached_property
    def others(self) -> str:
        """The same with another seed."""
        return self._points("Points that come closer, another seed", "8")

    def _points(self, problem: str, seed: str) -> str:
        size = ("--population", "16", "--generations", "8", "--set", "founders=8", "--set", "fail_one_in=15")
        return self._stage.run("--problem", problem, "--seed", seed, *size)

    def report(self, served: Served) -> str:
        """A report of the gate on one that cheats."""
        asked = ("--task", "top_k", "--candidate", "bad", "--n", "200")
        self._stage.mendel("guard", "evaluate", *asked, may_end_with=(0, 1, 3))
        adopted = ("--task", "top_k", "--candidate", "improved", "--policy", "noninferiority:margin=0.05")
        self._stage.mendel("guard", "evaluate", *adopted, "--mode", "statistical", may_end_with=(0, 1, 3))
        return str(served.get("/api/guard/reports?source=report")["reports"][0]["id"])


def places(gallery: Gallery, served: Served) -> Mapping[str, str]:
    """Which page is in which picture."""
    sort, points = gallery.sort, gallery.points
    events = served.get(f"/api/runs/{points}")["sequence"]
    final = served.get(f"/api/runs/{sort}")["final_candidate_id"]
    return {
        "launch": "/launch?domain=programs",
        "run": f"/runs/{points}",
        "replay": f"/runs/{points}/replay?at={events // 2}",
        "candidate": f"/runs/{sort}?candidate={final}",
        "final": f"/runs/{sort}/final",
        "compare": f"/compare?runs={points},{gallery.others}",
        "guard": f"/guard/{gallery.report(served)}",
        "models": "/models",
        "settings": "/settings?q=serve",  # not probed: what is found names folders of this machine
        "runs": "/",
    }


def take(browser: Browser, served: Served, gallery: Gallery, folder: Path) -> None:
    """All pictures."""
    paths = places(gallery, served)
    with looked_at(browser, served.url, theme="dark") as page:
        for name, path in paths.items():
            _take(page, path, folder / f"{name}.png")
        tour(page, paths, folder / "tour.gif")
    with looked_at(browser, served.url, theme="light") as page:
        _take(page, paths["run"], folder / "run-light.png")
    with looked_at(browser, served.url, theme="dark", size=PHONE) as page:
        _take(page, paths["run"], folder / "run-390.png")


def _take(page: Page, path: str, file: Path) -> None:
    page.goto(path)
    _still(page)
    picture(page, file)
    if file.stat().st_size > MOST_BYTES:
        _fewer_colours(file)
    _say(file, MOST_BYTES)


def _still(page: Page) -> None:
    """Wait for what is drawn late: charts and the lineage."""
    settled(page)
    if page.locator("[data-panel='lineage']").count() > 0:
        page.locator("[data-panel='lineage'][data-ready='true']").wait_for()
    page.wait_for_timeout(800)


def _fewer_colours(file: Path) -> None:
    from PIL import Image

    with Image.open(file) as image:
        image.convert("P", palette=Image.Palette.ADAPTIVE, colors=COLOURS).save(file, optimize=True)


def _say(file: Path, most: int) -> None:
    size = file.stat().st_size
    sys.stdout.write(f"{file.name}: {size:,} bytes{'' if size <= most else f', more than {most:,}'}\n")


def tour(page: Page, paths: Mapping[str, str], file: Path) -> None:
    """A few frames: from the list through a run that is replayed to its proof."""
    frames: list[bytes] = []

    def frame(path: str, then: Callable[[Page], object] | None = None) -> None:
        page.goto(path)
        _still(page)
        if then is not None:
            then(page)
        frames.append(page.screenshot(animations="disabled", caret="hide"))

    frame(paths["runs"])
    frame(paths["launch"])
    replay, _, at = paths["replay"].partition("?at=")
    for share in SHARES:
        frame(f"{replay}?at={round(2 * int(at) * share)}")
    frame(paths["run"], lambda page: page.locator("[data-panel='lineage']").scroll_into_view_if_needed())
    for name in ("candidate", "final", "guard"):
        frame(paths[name])
    _write_tour(frames, file)
    _say(file, MOST_TOUR_BYTES)


def _write_tour(frames: Sequence[bytes], file: Path) -> None:
    from PIL import Image

    size = TOUR_WIDTH, TOUR_WIDTH * WIDE[1] // WIDE[0]
    images = [
        Image.open(BytesIO(each))
        .convert("RGB")
        .resize(size)
        .convert("P", palette=Image.Palette.ADAPTIVE, colors=COLOURS)
        for each in frames
    ]
    images[0].save(file, save_all=True, append_images=images[1:], duration=FRAME_MS, loop=0, optimize=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    folder = parser.parse_args(arguments).folder
    with tempfile.TemporaryDirectory(prefix="mendel-pictures-") as place:
        home = Path(place)
        with staged(home, install(home / "site")) as stage, sync_playwright() as playwright:
            served = Served(stage).start()
            browser = playwright.chromium.launch(executable_path=shutil.which(CHROMIUM), args=ARGUMENTS)
            take(browser, served, Gallery(stage), folder)
            browser.close()


if __name__ == "__main__":
    main()
