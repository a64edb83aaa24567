"""Every page opens with real data: no error in the console, no request that leaves, nothing that its policy forbids."""

import json

import pytest
from playwright.sync_api import expect
from tests.browser.looking import number, settled, value
from tests.browser.places import PLACES

pytestmark = pytest.mark.xdist_group("browser")


@pytest.mark.parametrize("place", PLACES)
def test_a_page_opens_and_complains_of_nothing(place, look, scenes, served):
    with look() as page:
        page.goto(PLACES[place](scenes, served))
        settled(page)
        expect(page.locator("[data-state='failed']")).to_have_count(0)


def test_the_list_says_of_every_run_what_its_log_says(look, scenes):
    wanted = [scenes.finished, scenes.without_winner, scenes.programs]
    with look() as page:
        page.goto("/")
        for run_id in wanted:
            row = page.locator(f"tr[data-run='{run_id}']")
            figures = scenes.figures(run_id)
            told = {name: row.locator(f"[data-value='{name}']").get_attribute("data-raw") for name in FIGURES}
            assert told["status"] == figures.status
            assert float(told["best"]) == pytest.approx(figures.best)
            assert int(told["candidates"]) == len(figures.candidates)
            assert int(told["energy"]) == figures.energy


FIGURES = ("status", "best", "candidates", "energy")


def test_the_filter_of_the_list_stands_in_the_url(look, scenes):
    with look() as page:
        page.goto("/?domain=programs")
        expect(page.locator(f"tr[data-run='{scenes.programs}']")).to_be_visible()
        expect(page.locator(f"tr[data-run='{scenes.finished}']")).to_have_count(0)


def test_two_runs_are_compared_by_the_figures_of_their_logs(look, scenes):
    runs = [scenes.finished, scenes.without_winner]
    with look() as page:
        page.goto(f"/compare?runs={','.join(runs)}")
        for run_id in runs:
            figures = scenes.figures(run_id)
            cell = page.locator(f"[data-panel='figures'] td[data-run='{run_id}'][data-value='energy']")
            expect(cell).to_have_attribute("data-raw", str(figures.energy))


def test_a_report_of_the_gate_shows_its_decision_and_the_smallest_input(look, scenes, served):
    report = scenes.guard_report
    (violation, *_) = report["violations"]
    with look() as page:
        page.goto(PLACES["report"](scenes, served))
        assert value(page, "decision", "decision") == report["decision"]
        assert number(page, "n", "decision") == report["n"]
        assert number(page, "violations", "violations") == len(report["violations"])
        expect(page.locator("[data-panel='violations']")).to_contain_text(violation["input"])
        expect(page.locator("[data-panel='provenance']")).to_contain_text(report["provenance"]["candidate_hash"])


def test_the_guard_lists_every_verdict_of_every_run(look, scenes):
    with look() as page:
        page.goto("/guard")
        for run_id in (scenes.finished, scenes.programs):
            page.reload()
            settled(page)
            links = page.locator(f"[data-panel='guard-verdicts'] tbody a[href='/runs/{run_id}']")
            expect(links).to_have_count(scenes.figures(run_id).verdicts)


def test_models_say_that_offline_runs_cost_nothing_and_what_to_set(look, scenes, stage):
    listed = json.loads(stage.mendel("models", "list", "--json"))
    with look() as page:
        page.goto("/models")
        assert value(page, "profile", "routes") == listed["profile"]
        expect(page.locator("[data-panel='spend'] [data-state='empty']")).to_contain_text("MENDEL_LLM__PROFILE=live")
        for role in listed["roles"]:
            expect(page.locator("[data-panel='routes']")).to_contain_text(role["role"].replace("_", " "))


def test_settings_are_those_of_the_command_line_and_the_doctor_looks_when_asked(look, stage):
    known = json.loads(stage.mendel("config", "view", "--json"))["settings"]
    with look() as page:
        page.goto("/settings?q=fabric.workers")
        row = page.locator("tr", has=page.locator("[data-setting='fabric.workers']"))
        expect(row).to_contain_text(known["fabric.workers"]["value"])
        expect(row).to_contain_text(known["fabric.workers"]["origin"])
        page.get_by_role("button", name="Probe now").click()
        probes = page.locator("[data-probe]")
        expect(probes.first).to_be_visible(timeout=60_000)
        counts = [number(page, f"probes-{status}", "doctor") for status in ("ok", "limited", "missing")]
        assert sum(counts) == probes.count()


def test_a_place_that_is_none_says_so(look):
    with look() as page:
        page.goto("/no/such/page")
        expect(page.locator("main")).to_contain_text("no such page")
    with look(forgiven=["404"]) as page:
        page.goto("/runs/01980000-0000-7000-8000-000000000000")
        expect(page.locator("[data-state='failed']").first).to_be_visible()
