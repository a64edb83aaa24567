"""The Pareto front of several objectives: in the view, for machines, on a terminal and on the page."""

import pytest
from tests.guard.test_page import plain
from tests.projections.histories import folded
from tests.projections.report.stories import Story, balancing, task, winning
from tests.projections.report.test_page import html, read

from mendel.domains.programs.front.report import ROWS
from mendel.projections.report.claims import headline, run_json
from mendel.projections.report.drawing import draw_front
from mendel.projections.report.population import MOST
from mendel.projections.report.view import ReportFold


def view(story):
    return folded(ReportFold(ROWS), story.events)


def births(front):
    return [row.birth for row in front]


def test_whom_nobody_beats_in_everything_is_told_once_by_the_first_objective():
    front = view(balancing()).front
    assert births(front) == [1, 5, 2]
    assert front[0].gains == {"opcodes": 3.0, "size": -1.0}
    assert [row.winner for row in front] == [False, True, False]
    assert not any(row.original or row.dominated for row in front)


def test_of_equals_the_winner_counts():
    story = Story().begins(task(objectives={"opcodes": 1.0, "size": 1.0})).founds().gains(0, opcodes=0.0, size=0.0)
    for number in (1, 2):
        story.breeds(number, f"# {number}\n").gains(number, opcodes=1.0, size=1.0)
    front = view(story.adopts(2).audits(2, sizes=()).confirmed(2)).front
    assert [(row.birth, row.winner) for row in front] == [(2, True)]


def test_a_winner_that_somebody_beat_in_the_search_is_told_as_that():
    story = balancing()
    story.breeds(6, "# better\n").gains(6, opcodes=4.0, size=4.0)
    front = view(story).front
    assert [(row.birth, row.winner, row.dominated) for row in front] == [(6, False, False), (5, True, True)]
    assert "birth 5, the winner (another measured better in all)" in headline(view(story))


def test_the_original_stands_on_the_front_while_nobody_beats_it():
    story = Story().begins(task(objectives={"opcodes": 1.0, "size": 1.0})).founds().gains(0, opcodes=0.0, size=0.0)
    story.breeds(1, "# 1\n").gains(1, opcodes=1.0, size=-1.0)
    assert [row.original for row in view(story).front] == [False, True]


def test_whoever_was_not_measured_in_every_objective_is_left_out():
    story = balancing().breeds(6, "# six\n").gains(6, opcodes=9.0)
    assert births(view(story).front) == [1, 5, 2]


def test_one_objective_has_no_front():
    assert view(winning()).front == ()
    assert "front" not in read(html(winning())).ids
    assert "Not beaten in" not in headline(view(winning()))
    assert run_json(view(winning()))["front"] == []


def test_of_very_many_those_in_dense_places_are_left_out_and_the_winner_never():
    story = Story().begins(task(objectives={"opcodes": 1.0, "size": 1.0})).founds().gains(0, opcodes=0.0, size=0.0)
    for number in range(1, 2 * MOST):
        story.breeds(number, f"# {number}\n").gains(number, opcodes=float(number), size=-float(number))
    front = view(story.adopts(7).audits(7, sizes=()).confirmed(7)).front
    assert len(front) in (MOST, MOST + 1)
    assert 7 in births(front)


def test_machines_and_terminals_are_told_with_gains_and_winner():
    told = run_json(view(balancing()))["front"]
    assert [(row["birth"], row["gains"], row["winner"]) for row in told] == [
        (1, {"opcodes": 3.0, "size": -1.0}, False),
        (5, {"opcodes": 2.0, "size": 0.5}, True),
        (2, {"opcodes": 1.0, "size": 1.0}, False),
    ]
    lines = [plain(line) for line in headline(view(balancing())).splitlines()]
    assert "Not beaten in opcodes and size at once, as the search measured it:" in lines
    assert "  birth 1: opcodes 8.00x, size 0.50x" in lines
    assert "  birth 5, the winner: opcodes 4.00x, size 1.41x" in lines


def test_a_terminal_is_not_flooded():
    story = Story().begins(task(objectives={"opcodes": 1.0, "size": 1.0})).founds().gains(0, opcodes=0.0, size=0.0)
    for number in range(1, 30):
        story.breeds(number, f"# {number}\n").gains(number, opcodes=float(number), size=-float(number))
    lines = headline(view(story.adopts(2).audits(2, sizes=()).confirmed(2))).splitlines()
    assert sum(line.startswith("  ") for line in lines) == 9
    assert any("21 more in the report" in line for line in lines)


def test_the_page_has_a_table_and_of_two_objectives_a_picture():
    text = html(balancing())
    reader = read(text)
    assert "front" in reader.ids
    assert "birth 5, the winner 4.00x 1.41x 2.5" in reader.text
    assert text.count('<circle class="winner"') == 1
    three = html(balancing(("opcodes", "size", "memory")))
    assert "birth 5, the winner 4.00x 1.41x 1.00x" in read(three).text
    assert '<circle class="winner"' not in three


def test_in_the_picture_right_and_up_is_better_and_the_winner_is_drawn_last():
    seen = view(balancing())
    drawn = draw_front(seen.front, seen.task)
    places = {point.label: (point.at, point.height) for point in drawn.points}
    assert drawn.names == ("opcodes", "size")
    assert places["birth 1"][0] > places["birth 5, the winner"][0] > places["birth 2"][0]
    assert places["birth 1"][1] > places["birth 5, the winner"][1] > places["birth 2"][1]
    assert [point.kind for point in drawn.points][-1] == "winner"
    assert drawn.across
    assert drawn.upwards


@pytest.mark.parametrize("rows", [(), view(balancing(("opcodes", "size", "memory"))).front])
def test_no_other_number_of_objectives_is_drawn(rows):
    assert draw_front(rows, None) is None


def test_a_score_is_told_as_itself():
    lines = [plain(line) for line in headline(view(balancing(("score", "size")))).splitlines()]
    assert "  birth 5, the winner: score 2, size 1.41x" in lines
