"""Pictures of every page for the documentation, and a tour: `python -m tests.browser.screenshots [FOLDER]`.

They show what `make tour` leaves behind, which is given for it in a folder of its own; it takes two minutes or three.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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
    """The runs that `make tour` leaves behind."""

    def __init__(self, served: Served) -> None:
        runs = served.get("/api/runs?sort=oldest")["runs"]
        self.sort, _best_of_n, self.killed, self.twin, *_ = (str(run["run_id"]) for run in runs)
        self._served = served

    @property
    def winner(self) -> str:
        """Whom the gate let in."""
        return str(self._served.get(f"/api/runs/{self.sort}")["final_candidate_id"])

    @property
    def report(self) -> str:
        """What the gate said of one that is nearly right."""
        return str(self._served.get("/api/guard/reports?source=report")["reports"][0]["id"])


def places(gallery: Gallery, served: Served) -> Mapping[str, str]:
    """Which page is in which picture."""
    events = served.get(f"/api/runs/{gallery.sort}")["sequence"]
    return {
        "launch": "/launch?domain=programs",
        "run": f"/runs/{gallery.sort}",
        "replay": f"/runs/{gallery.sort}/replay?at={events // 2}",
        "candidate": f"/runs/{gallery.sort}?candidate={gallery.winner}",
        "final": f"/runs/{gallery.sort}/final",
        "compare": f"/compare?runs={gallery.killed},{gallery.twin}",
        "guard": f"/guard/{gallery.report}",
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
    with (
        tempfile.TemporaryDirectory(prefix="mendel-pictures-") as place,
        demonstrated(Path(place)) as stage,
        sync_playwright() as playwright,
    ):
        served = Served(stage).start()
        browser = playwright.chromium.launch(executable_path=shutil.which(CHROMIUM), args=ARGUMENTS)
        take(browser, served, Gallery(served), folder)
        browser.close()


@contextmanager
def demonstrated(folder: Path) -> Iterator[Stage]:
    """A stage on which the tour has been given."""
    shutil.copytree(REPOSITORY / "examples", folder / "examples")
    subprocess.run([sys.executable, "examples/tour.py"], cwd=folder, check=True)
    with staged(folder, install(folder / "site")) as stage:
        stage.env["MENDEL_HOME"] = str(folder / ".mendel" / "tour")
        yield stage


if __name__ == "__main__":
    main()
