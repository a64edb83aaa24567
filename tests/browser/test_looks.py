"""Every page in every theme and on a phone: axe has nothing to say, and nothing is cut off."""

import pytest
from playwright.sync_api import expect
from tests.browser.looking import AXE, PHONE, THEMES, axe_findings, scrolls_sideways, settled
from tests.browser.places import PLACES
from tests.support import skip_or_fail

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def axe():
    if not AXE.is_file():
        skip_or_fail("axe-core is not installed; install it: npm ci in web/")


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_on_any_page(theme, axe, look, scenes, served):
    found = []
    with look(theme=theme, for_axe=True) as page:
        for place, path in PLACES.items():
            page.goto(path(scenes, served))
            settled(page)
            expect(page.locator("html")).to_have_attribute("data-theme", theme)
            found += [f"{place}: {finding}" for finding in axe_findings(page)]
    if found:
        pytest.fail("\n".join(found))


def test_on_a_phone_no_page_scrolls_sideways_and_the_controls_are_within_reach(look, scenes, served):
    wide, unreachable = [], []
    with look(size=PHONE) as page:
        for place, path in PLACES.items():
            page.goto(path(scenes, served))
            settled(page)
            if scrolls_sideways(page):
                wide.append(place)
            unreachable += [f"{place}: {name}" for name in page.evaluate(BEYOND, PHONE[0])]
    assert (wide, unreachable) == ([], [])


BEYOND = """width => {
    const beyond = ({left, right, width: own}) => own > 1 && (left < -1 || right > width + 1);
    const scrolls = (it) => it !== null && (
        ["auto", "scroll"].includes(getComputedStyle(it).overflowX) || it.matches(".react-flow, .skip") ||
        scrolls(it.parentElement)
    );
    return [...document.querySelectorAll("button, a[href], input, select, textarea")]
        .filter((it) => it.checkVisibility() && beyond(it.getBoundingClientRect()) && !scrolls(it))
        .map((it) => it.getAttribute("aria-label") || it.innerText || it.name || it.outerHTML.slice(0, 80));
}"""
"""Controls that stand beyond the edge, and in no box that scrolls by itself."""


def test_no_page_goes_on_below_its_footer(look, scenes, served):
    longer = {}
    with look() as page:
        for place, path in PLACES.items():
            page.goto(path(scenes, served))
            settled(page)
            beyond = page.evaluate(BELOW_THE_FOOTER)
            if beyond > 1:
                longer[place] = beyond
    assert longer == {}


BELOW_THE_FOOTER = """() => {
    const foot = document.querySelector(".shell-foot").getBoundingClientRect().bottom + scrollY;
    return document.documentElement.scrollHeight - Math.max(foot, innerHeight);
}"""


def test_the_theme_is_chosen_in_the_settings_and_kept(look):
    with look() as page:
        page.goto("/settings")
        settled(page)
        for name, theme in (("Light", "light"), ("High contrast", "contrast"), ("Dark", "dark")):
            page.get_by_role("radio", name=name).check()
            expect(page.locator("html")).to_have_attribute("data-theme", theme)
        page.get_by_role("radio", name="High contrast").check()
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-theme", "contrast")
