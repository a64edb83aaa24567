"""An exported run opens from a file, read-only; what is no run is refused with what is wrong."""

import pytest
from playwright.sync_api import expect
from tests.browser.looking import settled, value
from tests.browser.test_replay import compare, go_to

pytestmark = pytest.mark.xdist_group("browser")


def choose(page, path):
    page.goto("/open")
    settled(page)
    page.locator("input[type='file']").set_input_files(path)


def test_an_exported_run_opens_read_only_and_replays(look, scenes, stage):
    run_id = scenes.finished
    figures = scenes.figures(run_id)
    with look() as page:
        choose(page, stage.export(run_id))
        page.wait_for_url(f"**/files/*/runs/{run_id}**")
        settled(page)
        expect(page.locator("[data-panel='banner']")).to_have_attribute("data-mode", "file")
        go_to(page, figures.sequence)
        compare(page, figures)
        go_to(page, figures.sequence // 3)
        compare(page, scenes.figures(run_id, figures.sequence // 3))
        for control in page.locator("[data-control]").all():
            assert control.get_attribute("aria-disabled") == "true"
        page.goto(f"{page.url.partition('?')[0].removesuffix('/replay')}/final")
        settled(page)
        assert value(page, "ending", "final") == "proven"


def test_an_opened_file_joins_no_list_of_runs(look, scenes, stage, served):
    path = stage.export(scenes.programs)
    before = served.get("/api/runs")["total"]
    with look() as page:
        choose(page, path)
        page.wait_for_url("**/files/**")
        settled(page)
    assert served.get("/api/runs")["total"] == before


@pytest.mark.parametrize("damage", ["no run", "tampered", "empty"])
def test_what_is_no_run_is_refused_and_says_why(damage, look, scenes, stage, tmp_path):
    path = tmp_path / "run.jsonl"
    text = stage.export(scenes.without_winner).read_text("utf-8")
    path.write_text({"no run": "hello\n", "tampered": text.replace('"birth":1', '"birth":9', 1), "empty": ""}[damage])
    with look(forgiven=["Failed to load resource"]) as page:
        choose(page, path)
        expect(page.locator("[data-panel='open'] [role='alert']")).to_be_visible()
        assert page.url.endswith("/open")
