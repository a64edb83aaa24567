"""One server with real runs for all tests of the page, and one browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from tests.browser.looking import looked_at
from tests.browser.scenes import Scenes
from tests.browser.stage import Served, Stage, staged
from tests.plugins import install
from tests.support import skip_or_fail

from mendel.api.page_files import BUILT

CHROMIUM = "chromium"
ARGUMENTS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking")


@pytest.fixture(scope="package")
def chromium() -> str:
    found = shutil.which(CHROMIUM)
    if found is None:
        skip_or_fail("there is no Chromium; install it: apt-get install chromium")
    return found


@pytest.fixture(scope="package")
def built() -> Path:
    if not (BUILT / "index.html").is_file():
        skip_or_fail("the page is not built; build it: make page")
    return BUILT


@pytest.fixture(scope="package")
def stage(built: Path, chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("observatory")
    with staged(folder, install(folder / "site")) as stage:
        yield stage


@pytest.fixture(scope="package")
def served(stage: Stage) -> Served:
    return Served(stage).start()


@pytest.fixture(scope="package")
def scenes(stage: Stage) -> Scenes:
    return Scenes(stage)


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    """It goes with the package: while Playwright runs, no other event loop can, and other tests need theirs."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def look(browser: Browser, served: Served):
    """Opens a page: `with look() as page`."""
    return partial(looked_at, browser, served.url)
