"""Everything can be done without a mouse."""

import pytest
from playwright.sync_api import expect
from tests.browser.looking import focused, settled

pytestmark = pytest.mark.xdist_group("browser")


def tab_to(page, wanted, most=60):
    """Press Tab until what is wanted has the focus; what was passed on the way."""
    passed = []
    for _ in range(most):
        page.keyboard.press("Tab")
        passed.append(focused(page))
        if wanted in passed[-1]:
            return passed
    raise AssertionError(f"{wanted!r} is not among what Tab reaches: {passed}")


def test_the_first_stop_skips_to_the_content_and_the_next_ones_are_the_pages(look):
    with look() as page:
        page.goto("/")
        settled(page)
        passed = tab_to(page, "Open a file")
        assert passed[0] == "Skip to content"
        assert [name for name in passed if name in PAGES] == list(PAGES)
        page.keyboard.press("Enter")
        page.wait_for_url("**/open")
        expect(page.locator("main")).to_be_focused()


PAGES = ("Runs", "Launch", "Guard", "Models", "Settings", "Open a file")


def test_what_has_the_focus_can_be_seen(look):
    with look() as page:
        page.goto("/settings")
        settled(page)
        for _ in range(12):
            page.keyboard.press("Tab")
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            shadow = page.evaluate("getComputedStyle(document.activeElement).boxShadow")
            assert (outline, shadow) != ("none", "none"), focused(page)


def test_a_run_is_opened_and_the_keys_are_listed(look, scenes):
    with look() as page:
        page.goto("/")
        settled(page)
        link = page.locator(f"tr[data-run='{scenes.finished}'] a").first
        link.focus()
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/runs/{scenes.finished}")
        settled(page)
        page.keyboard.press("?")
        keys = page.get_by_role("dialog")
        expect(keys).to_be_visible()
        page.keyboard.press("Escape")
        expect(keys).not_to_be_visible()


def test_the_scrubber_moves_by_arrows_home_and_end(look, scenes):
    run_id = scenes.finished
    last = len(scenes.events(run_id)) - 1
    with look() as page:
        page.goto(f"/runs/{run_id}/replay?at=100")
        settled(page)
        slider = page.get_by_role("slider", name="Event")
        slider.focus()
        for key, sequence in (("ArrowLeft", 99), ("ArrowRight", 100), ("Home", 0), ("ArrowRight", 1), ("End", last)):
            page.keyboard.press(key)
            expect(page.locator(f".run[data-sequence='{sequence}']")).to_be_attached()
            expect(slider).to_have_value(str(sequence))
        expect(page).to_have_url(f"{page.url.partition('?')[0]}?at={last}")


def test_the_inspector_closes_by_escape_and_the_focus_goes_back(look, scenes):
    with look() as page:
        page.goto(f"/runs/{scenes.finished}")
        settled(page)
        row = page.locator("[data-panel='roster'] tbody tr").first
        row.focus()
        page.keyboard.press("Enter")
        inspector = page.locator("[data-panel='candidate']")
        expect(inspector).to_be_visible()
        expect(inspector.locator("[data-value='candidate-birth']")).to_be_visible()
        page.keyboard.press("Escape")
        expect(inspector).to_have_count(0)
        expect(row).to_be_focused()


def test_the_lineage_is_walked_by_arrows_and_enter_inspects(look, scenes):
    with look() as page:
        page.goto(f"/runs/{scenes.finished}")
        settled(page)
        page.get_by_role("application", name="Lineage of").focus()
        seen = set()
        for key in ("ArrowRight", "ArrowDown", "ArrowRight"):
            page.keyboard.press(key)
            page.wait_for_function("document.activeElement?.dataset.node !== undefined")
            seen.add(page.evaluate("document.activeElement.dataset.node"))
        assert seen <= scenes.figures(scenes.finished).genomes
        assert len(seen) > 1
        page.keyboard.press("Enter")
        expect(page.locator("[data-panel='candidate']")).to_be_visible()
