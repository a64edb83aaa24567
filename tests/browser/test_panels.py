"""Every panel of a run says what the exported log says, half-way and at its end: each is counted anew."""

import re
from collections import Counter
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect
from tests.browser.looking import number, settled, value
from tests.browser.panel_recount import (
    caps_used,
    cells,
    conducting,
    dropped,
    front,
    in_flight,
    members,
    nick,
    of_type,
    rising,
    scores,
)

pytestmark = pytest.mark.xdist_group("browser")

HALF_WAY, END = "half-way", "at its end"
both = pytest.mark.parametrize("when", [HALF_WAY, END])


TOLD = {
    "score": ["fitness.scored"],
    "dropped": [],
    "verdict": ["gate.verdict"],
    "adoption": ["adoption.made", "adoption.confirmed", "adoption.revoked"],
    "started": ["operation.started"],
    "ended": ["operation.completed"],
}
"""What a kind of line tells of."""


@contextmanager
def shown(look, scenes, when, **query):
    """The page of a run that the command line bred, and the events that it may know of."""
    events = scenes.events(scenes.programs)
    marks = [event["sequence"] for event in of_type(events, "operation.started")]
    at = marks[len(marks) // 2] if when == HALF_WAY else events[-1]["sequence"]
    place = f"/runs/{scenes.programs}/replay?{urlencode({'at': at, **query})}"
    with look() as page:
        page.goto(place if when == HALF_WAY else place.replace("/replay", ""))
        settled(page)
        expect(page.locator(f".run[data-sequence='{at}']")).to_be_attached()
        yield page, events[: at + 1]


def panel(page, name):
    return page.locator(f"[data-panel='{name}']").first


def about(told: str) -> float:
    return pytest.approx(float(told.replace(",", "")), abs=0.0006, rel=0.006)


@both
def test_fitness(look, scenes, when):
    with shown(look, scenes, when) as (page, events):
        rows = panel(page, "fitness").locator("table:has(caption) tbody tr").all()
        found = [[cell.text_content() for cell in row.locator("td").all()] for row in rows]
        expected = rising(events)
        assert [int(event.replace(",", "")) for event, _, _ in found] == [sequence for sequence, _ in expected]
        for (_, _, told), (_, best) in zip(found, expected, strict=True):
            assert best == about(told)


@both
def test_operations_at_work(look, scenes, when):
    with shown(look, scenes, when) as (page, events):
        flying = {} if when == END else in_flight(events)
        listed = panel(page, "workers").locator("[data-operation]").all()
        assert {each.get_attribute("data-operation") for each in listed} == set(flying)
        for operation in flying.values():
            found = panel(page, "workers").locator(f"[data-operation='{operation['id']}']")
            expect(found).to_have_attribute("data-step", operation["step"])
    assert (when == HALF_WAY) == bool(flying)


@both
def test_caps(look, scenes, when):
    with shown(look, scenes, when) as (page, events):
        expected = caps_used(events)
        assert {name: number(page, f"cap_{name}", "energy") for name in expected} == expected
        limits = events[0]["payload"]["config"]["caps"]
        shares = panel(page, "energy").locator("[data-cap]").all()
        assert {each.get_attribute("data-cap") for each in shares} == set(limits)


@both
def test_archive(look, scenes, when):
    with shown(look, scenes, when) as (page, events):
        axes = events[0]["payload"]["config"]["archive"]["descriptors"][:2]
        found = (
            panel(page, "archive")
            .locator(".heat-cell")
            .evaluate_all(
                """cells => cells.map(cell => {
                const [column, row] = [cell.closest("td").cellIndex - 1, cell.closest("tr").rowIndex];
                return [column, row, cell.getAttribute("aria-label")];
            })"""
            )
        )
        drawn = {}
        for column, row, told in found:
            who, count = re.search(r"by (\S+), of (\d+)$", told).groups()
            drawn[column, axes[1]["bins"] - 1 - row] = (who, int(count))
        assert drawn == cells(scores(events), axes)
        assert number(page, "archive_cells", "archive") == len(drawn) > 0


@both
def test_pareto_front(look, scenes, when):
    with shown(look, scenes, when, px="opcodes", py="size") as (page, events):
        there = panel(page, "pareto")
        turns = [there.get_by_title(f"Direction of the {axis} axis") for axis in ("horizontal", "vertical")]
        assert [each.input_value() for each in there.locator("select").all()] == ["opcodes", "size"]
        for turn in (turns[0], turns[1], turns[0]):
            less = [each.get_attribute("aria-pressed") == "true" for each in turns]
            told = [each.get_attribute("aria-label") for each in there.locator(".plot-member").all()]
            drawn = {re.match(r"On the front: (\S+):", each)[1] for each in told}
            assert drawn == front(scores(events), dict(zip(("opcodes", "size"), less, strict=True)))
            assert number(page, "front_size", "pareto") == len(told) > 0
            turn.click()
            expect(turn).not_to_have_attribute("aria-pressed", str(less[turns.index(turn)]).lower())


@both
def test_gate(look, scenes, when):
    with shown(look, scenes, when) as (page, events):
        verdicts = [event["payload"]["verdict"] for event in of_type(events, "gate.verdict")]
        assert number(page, "challenges", "gate") == len(verdicts)
        spent = sum(verdict["challenge"]["alpha"] for verdict in verdicts)
        assert number(page, "error_spent", "gate") == pytest.approx(spent)
        rows = panel(page, "gate").locator(".challenge").all()
        assert [row.get_attribute("data-decision") for row in rows] == [each["decision"] for each in reversed(verdicts)]
        for row, verdict in zip(rows, reversed(verdicts), strict=True):
            expect(row).to_contain_text(f"k = {verdict['challenge']['k']}")
            expect(row).to_contain_text(f"n = {verdict['n']}")
            expect(row).to_contain_text(nick(verdict["candidate_id"]))
            for interval in verdict["intervals"]:
                drawn = row.locator(f"[data-value='estimate-{interval['name']}']")
                assert float(drawn.get_attribute("data-raw")) == pytest.approx(interval["estimate"])
    assert when == HALF_WAY or verdicts


@both
def test_activity(look, scenes, when):
    with shown(look, scenes, when) as (page, events):
        there = panel(page, "activity")
        lost = Counter(dropped(events))
        for kind, types in TOLD.items():
            there.locator("select").select_option(kind)
            expect(there.locator(f".feed-line:not([data-kind='{kind}'])")).to_have_count(0)
            told = Counter(int(line.get_attribute("data-sequence")) for line in there.locator(".feed-line").all())
            expected = lost if kind == "dropped" else Counter(each["sequence"] for each in of_type(events, *types))
            assert told == Counter(sorted(expected.elements(), reverse=True)[:60]), kind


@both
def test_health(look, scenes, when):
    with shown(look, scenes, when) as (page, events):
        *_, conductor = took_over = list(conducting(events))
        assert value(page, "conductor", "health") == conductor
        assert number(page, "epochs", "health") == len(took_over)
        assert number(page, "last_event", "health") == events[-1]["sequence"]


@both
def test_roster(look, scenes, when):
    with shown(look, scenes, when) as (page, events):
        expected = members(events)
        rows = panel(page, "roster").locator("tbody tr").all()
        assert len(rows) == len(expected) <= 25
        for row in rows:
            cell = {each.get_attribute("data-label"): each for each in row.locator("th, td").all()}
            member = expected[cell["Birth"].locator("[title]").get_attribute("title")]
            assert cell["Status"].inner_text().strip().endswith(member.status.replace("_", " "))
            raw = cell["Fitness"].locator("[data-raw]").get_attribute("data-raw")
            assert (float(raw) if raw else None) == pytest.approx(member.fitness)
            assert cell["Operator"].inner_text() == (member.operator or "founder")
            assert cell["Parents"].inner_text() == (", ".join(map(nick, member.parents)) or "\N{EN DASH}")
            assert int(cell["Energy"].inner_text().replace(",", "")) == member.energy


@both
def test_inspector(look, scenes, when):
    events = scenes.events(scenes.programs)
    who = of_type(events, "fitness.scored")[1]["candidate_id"]
    with shown(look, scenes, when, candidate=who, view="evidence") as (page, events):
        member = members(events)[who]
        assert value(page, "candidate-status", "candidate") == member.status
        assert number(page, "candidate-energy", "candidate") == member.energy
        if member.fitness is not None:
            assert number(page, "candidate-fitness", "candidate") == pytest.approx(member.fitness)
        listed = page.locator("[data-panel='evidence'] [data-operation]").all()
        assert {each.get_attribute("data-operation") for each in listed} == member.operations


def test_the_text_of_a_candidate(look, scenes):
    events = scenes.events(scenes.programs)
    who = of_type(events, "fitness.scored")[1]["candidate_id"]
    born = {event["payload"]["genome"]["id"]: event["payload"]["genome"] for event in of_type(events, "genome.spawned")}
    (source,) = born[members(events)[who].genome_id]["traits"]["data"]["files"].values()
    with shown(look, scenes, END, candidate=who) as (page, _):
        text = panel(page, "candidate").locator("pre, code").first.text_content()
        for line in filter(None, map(str.strip, source.splitlines())):
            assert line in text
