"""What candidates and users write is text on every page; it runs nothing."""

import pytest
from playwright.sync_api import expect
from tests.browser.looking import settled
from tests.browser.places import PLACES
from tests.browser.scenes import HOSTILE

pytestmark = pytest.mark.xdist_group("browser")

WITH_SOURCE = "<img src=x onerror="
SHOWING = ("runs", "candidate", "final without a winner", "guard")


@pytest.mark.parametrize("place", SHOWING)
def test_hostile_text_is_shown_as_text(place, look, scenes, served):
    _ = scenes.without_winner, scenes.programs
    with look() as page:
        page.goto(PLACES[place](scenes, served))
        settled(page)
        page.wait_for_function("text => document.body.innerText.includes(text)", arg=WITH_SOURCE)
        assert page.locator("img[src='x']").count() == 0
        assert "owned" not in page.title()


def test_a_hostile_name_is_whole_and_does_nothing(look, scenes):
    with look() as page:
        page.goto(f"/runs/{scenes.without_winner}")
        settled(page)
        expect(page.locator("h1")).to_have_text(HOSTILE)
        assert page.locator("main script").count() == 0


def test_a_query_of_the_url_is_text_as_well(look):
    with look() as page:
        page.goto("/?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
        settled(page)
        assert page.locator("img[src='x']").count() == 0
