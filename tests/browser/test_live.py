"""Runs as they happen: launched, watched, stopped, and watched on after the connection or the server was gone."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.looking import looked_at, settled, value
from tests.browser.proxy import Wire
from tests.browser.recount import counted
from tests.browser.test_replay import compare

pytestmark = pytest.mark.xdist_group("browser")

GONE = ("Failed to load resource", "ERR_", "net::")
"""What the browser itself writes into the console while nobody answers."""
LONG = 120_000

SLOW = {"pause_ms": 250, "founders": 4}


def launched(served, problem, candidates=36):
    """A run that takes some seconds."""
    caps = {"max_population": 8, "max_candidates": candidates, "max_generations": 100}
    return served.launch(problem=problem, rng_seed=5, caps=caps, config=SLOW, slots=2)


def shown(page):
    """The number of the last event that the page has taken up."""
    return int(page.locator(".run").get_attribute("data-sequence"))


def wait_until(page, least):
    """Wait until so many events have come."""
    page.wait_for_function("least => Number(document.querySelector('.run')?.dataset.sequence) >= least", arg=least)


def over(page):
    banner = page.locator("[data-panel='banner']")
    expect(banner).to_have_attribute("data-mode", "ended", timeout=LONG)


def mode(page, name):
    expect(page.locator("[data-panel='banner']")).to_have_attribute("data-mode", name, timeout=LONG)


def agrees_with_the_log(page, stage, run_id):
    """Nothing was lost and nothing counted twice."""
    figures = counted(stage.events(run_id))
    assert shown(page) == figures.sequence
    compare(page, figures)
    return figures


def test_a_run_is_launched_by_the_form_seen_live_and_proven(look, stage):
    with look() as page:
        page.goto("/launch?domain=reference")
        settled(page)
        page.get_by_label("Name").fill("Launched on the page")
        page.get_by_label("Seed").fill("21")
        page.locator("[data-field='pause_ms'] input").fill("100")
        page.locator("[data-value='cap-max_generations']").fill("4")
        page.locator("[data-value='cap-max_population']").fill("8")
        expect(page.locator("[data-value='worst-energy']")).to_be_visible()
        page.get_by_role("button", name="Launch", exact=True).click()
        page.wait_for_url(re.compile("/runs/[0-9a-f-]{36}$"))
        run_id = page.url.rpartition("/")[2]
        wait_until(page, 20)
        assert value(page, "status", "overview") in ("running", "completing", "completed")
        over(page)
        figures = agrees_with_the_log(page, stage, run_id)
        assert figures.generation == 3
        page.get_by_role("link", name="Final proof").click()
        page.wait_for_url(f"**/runs/{run_id}/final")
        assert value(page, "ending", "final") == "proven"
        expect(page.locator("[data-panel='final']")).to_contain_text("Launched on the page")


def test_a_run_of_the_command_line_is_stopped_by_the_button(look, scenes, stage):
    run_id, process = scenes.started("Stopped on the page")
    with look() as page:
        page.goto(f"/runs/{run_id}")
        wait_until(page, 30)
        mode(page, "live")
        page.locator("[data-control='stop']").click()
        page.get_by_label("Reason").fill("seen enough")
        page.locator("[data-confirm='stop']").click()
        over(page)
        assert value(page, "status", "overview") == "stopped"
        figures = agrees_with_the_log(page, stage, run_id)
        assert "seen enough" in (figures.reason or "")
    assert process.wait(60) is not None


def test_a_broken_connection_is_taken_up_again_with_nothing_lost_or_doubled(browser, served, stage):
    run_id = launched(served, "Seen through a wire that breaks")
    with Wire(served.port) as wire, looked_at(browser, wire.url, forgiven=GONE) as page:
        page.goto(f"/runs/{run_id}")
        for least in (30, 110):
            wait_until(page, least)
            mode(page, "live")
            wire.cut()
            mode(page, "lost")
            reached = _grow(served, run_id, shown(page) + 20)
            assert shown(page) < reached
            wire.mend()
            wait_until(page, reached)
        over(page)
        assert wire.cuts >= 2
        agrees_with_the_log(page, stage, run_id)


def _grow(served, run_id, least):
    """Let the run go on without the page."""
    for _ in range(600):
        reached = served.get(f"/api/runs/{run_id}")["sequence"]
        if reached >= least:
            return int(reached)
    raise AssertionError(f"run {run_id} does not go on")


def test_an_offline_browser_goes_on_when_it_is_back(look, served, stage):
    run_id = launched(served, "Seen on a train")
    with look(forgiven=GONE) as page:
        page.goto(f"/runs/{run_id}")
        page.locator(".uplot").first.wait_for()
        page.context.set_offline(True)
        _grow(served, run_id, shown(page) + 30)
        page.context.set_offline(False)
        over(page)
        agrees_with_the_log(page, stage, run_id)


def test_a_killed_server_comes_back_resumes_the_run_and_the_page_goes_on(look, served, stage):
    run_id = launched(served, "Seen through a crash")
    with look(forgiven=GONE) as page:
        page.goto(f"/runs/{run_id}")
        wait_until(page, 60)
        mode(page, "live")
        served.kill()
        mode(page, "lost")
        served.start()
        over(page)
        figures = agrees_with_the_log(page, stage, run_id)
        assert figures.status == "completed"
        takeovers = [event for event in stage.events(run_id) if event["type"] == "conductor_took_over"]
        assert len(takeovers) == 2
