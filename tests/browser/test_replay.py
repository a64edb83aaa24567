"""A replay rewinds everything: what the page shows at an event is what the exported log says up to it."""

import pytest
from playwright.sync_api import expect
from tests.browser.looking import number, settled, value

pytestmark = pytest.mark.xdist_group("browser")

SHARES = (0.0, 0.15, 0.5, 0.85, 1.0)


def go_to(page, sequence):
    """Put the handle of the scrubber there."""
    page.get_by_role("slider", name="Event").evaluate(
        """(slider, to) => {
            Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(slider, to);
            slider.dispatchEvent(new Event("input", {bubbles: true}));
        }""",
        str(sequence),
    )
    expect(page.locator(f".run[data-sequence='{sequence}']")).to_be_attached()


def compare(page, figures):
    """Everything that the panels say, with what was counted."""
    assert value(page, "status", "overview") == (figures.status or "")
    assert number(page, "events", "overview") == figures.events
    assert number(page, "candidates", "overview") == len(figures.candidates)
    assert number(page, "scored", "overview") == len(figures.scores)
    assert number(page, "energy_spent", "overview") == figures.energy
    assert number(page, "in_flight", "workers") == len(figures.running)
    assert number(page, "challenges", "gate") == figures.verdicts
    assert number(page, "roster_count", "roster") == len(figures.candidates)
    if figures.best is not None:
        assert number(page, "best_fitness", "overview") == pytest.approx(figures.best)
        assert number(page, "mean_fitness", "overview") == pytest.approx(figures.mean_of_last)
    if figures.champion is not None:
        assert value(page, "champion", "overview") == figures.champion
    if figures.generation is not None:
        assert number(page, "generation", "overview") == figures.generation


def genomes_shown(page):
    cards = page.locator("[data-panel='lineage'] [data-node]")
    return {card.get_attribute("data-node") for card in cards.all()}


def test_every_figure_at_an_event_is_counted_from_the_log_up_to_it(look, scenes):
    run_id = scenes.finished
    last = len(scenes.events(run_id)) - 1
    with look() as page:
        page.goto(f"/runs/{run_id}/replay?at={last}")
        settled(page)
        for share in SHARES:
            sequence = round(share * last)
            go_to(page, sequence)
            compare(page, scenes.figures(run_id, sequence))


def test_the_lineage_at_an_event_has_exactly_the_genomes_born_by_then(look, scenes):
    run_id = scenes.finished
    births = [event["sequence"] for event in scenes.events(run_id) if event["type"] == "genome.spawned"]
    moments = (births[0], births[len(births) // 2] - 1, births[len(births) // 2], births[-1])
    with look() as page:
        page.goto(f"/runs/{run_id}/replay?at={births[-1]}")
        settled(page)
        for sequence in moments:
            go_to(page, sequence)
            born = scenes.figures(run_id, sequence).genomes
            expect(page.locator("[data-panel='lineage'] [data-value='nodes']")).to_have_attribute(
                "data-raw", str(len(born))
            )
            page.get_by_role("button", name="as a table").click()
            expect(page.locator("[data-panel='lineage'] tr[data-node]")).to_have_count(len(born))
            assert genomes_shown(page) == born
            page.get_by_role("button", name="as a graph").click()


@pytest.mark.smoke
def test_a_finished_run_and_its_replay_at_the_end_show_the_same(look, scenes):
    run_id = scenes.programs
    figures = scenes.figures(run_id)
    with look() as page:
        page.goto(f"/runs/{run_id}")
        settled(page)
        compare(page, figures)
        page.goto(f"/runs/{run_id}/replay?at={figures.sequence}")
        settled(page)
        expect(page.locator("[data-panel='banner']")).to_have_attribute("data-mode", "replay")
        compare(page, figures)


def test_the_archive_of_a_replay_holds_only_who_was_scored_by_then(look, scenes):
    run_id = scenes.programs
    first = next(event["sequence"] for event in scenes.events(run_id) if event["type"] == "fitness.scored")
    with look() as page:
        page.goto(f"/runs/{run_id}/replay?at={first}")
        settled(page)
        assert number(page, "archive_cells") == 1
        page.goto(f"/runs/{run_id}/replay?at={first - 1}")
        settled(page)
        expect(page.locator("[data-value='best_fitness']").first).not_to_have_attribute("data-raw", "0")
        assert scenes.figures(run_id, first - 1).best is None
        expect(page.locator("[data-panel='archive'] [data-value='archive_cells'][data-raw='1']")).to_have_count(0)


def test_the_final_proof_says_what_the_log_ended_with(look, scenes):
    figures = scenes.figures(scenes.programs)
    end = scenes.events(scenes.programs)[-1]["payload"]["summary"]
    with look() as page:
        page.goto(f"/runs/{scenes.programs}/final")
        settled(page)
        assert value(page, "outcome-digest", "check") == end["outcome_digest"]
        assert number(page, "energy", "spent") == figures.energy
        assert number(page, "candidates", "spent") == len(figures.candidates)
        expect(page.locator("[data-panel='final']")).to_contain_text(figures.final)


def test_a_run_without_a_winner_is_shown_as_what_it_is(look, scenes):
    assert scenes.figures(scenes.without_winner).champion is None
    with look() as page:
        page.goto(f"/runs/{scenes.without_winner}/final")
        settled(page)
        assert value(page, "ending", "final") == "nothing"
        expect(page.locator("[data-panel='proof']")).to_have_count(0)


def test_nobody_is_called_winner_whom_the_gate_did_not_let_in(look, scenes):
    with look() as page:
        page.goto(f"/runs/{scenes.without_winner}")
        expect(page.locator("[data-panel='lineage'][data-ready='true']")).to_be_visible()
        expect(page.locator("[data-panel='lineage']")).not_to_contain_text("winner")
        expect(page.locator("[data-value='best_unadopted']")).to_contain_text("is not champion: the gate rejected it")
