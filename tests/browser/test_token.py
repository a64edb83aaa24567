"""Where the server asks for a token, the page asks for it where it is wanted, and then goes on."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.looking import looked_at, settled
from tests.browser.scenes import Scenes
from tests.browser.stage import Served, Stage

pytestmark = pytest.mark.xdist_group("browser")

TOKEN = "a-token-that-nobody-guesses"
REFUSED = "401 (Unauthorized)"
"""What the browser itself says of a request that was refused; the page asks for the token then."""


@pytest.fixture(scope="module")
def guarded(stage: Stage) -> Iterator[Served]:
    """A server on the same stage that reads nothing and changes nothing without the token."""
    needed = {"LAB_TOKEN": TOKEN, "MENDEL_SERVE__TOKEN_ENV": "LAB_TOKEN", "MENDEL_SERVE__READ_TOKEN": "true"}
    served = Served(replace(stage, env={**stage.env, **needed})).start()
    yield served
    served.kill()


def _give(page: Page, token: str) -> None:
    prompt = page.get_by_role("dialog", name="The server requires its token")
    expect(prompt.get_by_label("Token")).to_be_focused()
    expect(prompt).to_contain_text("serve.token_env")
    prompt.get_by_label("Token").fill(token)
    page.keyboard.press("Enter")


def test_a_page_that_needs_the_token_asks_for_it_and_is_then_shown(browser: Browser, guarded: Served, scenes: Scenes):
    run = scenes.finished
    with looked_at(browser, guarded.url, forgiven=(REFUSED,)) as page:
        page.goto(f"/runs/{run}")
        _give(page, "a-token-that-is-wrong")
        expect(page.get_by_text("is not the server's")).to_be_visible()
        _give(page, TOKEN)
        settled(page)
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator("[data-panel='overview'] [data-value='status']")).to_have_attribute("data-raw", "completed")
        with page.expect_download() as downloading:
            page.get_by_role("link", name="Export the log").click()
        assert downloading.value.suggested_filename == f"{run}.mendel"
        page.goto("/settings")
        expect(page.locator("[data-panel='token'] [data-value='token-variable']")).to_have_attribute(
            "data-raw", "LAB_TOKEN"
        )


def test_who_does_not_give_it_sees_what_is_missing_and_can_still_give_it(browser: Browser, guarded: Served):
    with looked_at(browser, guarded.url, forgiven=(REFUSED,)) as page:
        page.goto("/guard")
        page.get_by_role("button", name="Not now").click()
        locked = page.locator("[data-code='token_required']")
        expect(locked).to_have_count(2)
        locked.first.get_by_role("button", name="Enter the token").click()
        _give(page, TOKEN)
        expect(locked).to_have_count(0)
        expect(page.locator("[data-panel='guard-reports']")).to_be_visible()
