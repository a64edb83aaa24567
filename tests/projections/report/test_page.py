"""The report of a run: everything is there, and nothing of what candidates say is more than text."""

import re
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.guard.test_page import ATTRIBUTES, HOSTILE, TAGS, Reader
from tests.projections.histories import folded, odd_histories, shuffled_runs, whole_run
from tests.projections.report.stories import (
    HALVED,
    ORIGINAL,
    PATH,
    WINNER,
    Story,
    comparing,
    falling,
    losing,
    task,
    winning,
)
from tests.support.rows import check_rows

from mendel.bench.records import Stage
from mendel.contracts.verdicts import Decision, Reason
from mendel.domains.programs.front.report import ROWS
from mendel.domains.programs.models import ProgramTraits
from mendel.projections.report.page import STYLE_GOES_HERE, DiffLine, diff_lines, page
from mendel.projections.report.patch import unified_patch
from mendel.projections.report.view import ReportFold

PLACES = {"x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r"}


def html(story, other=None):
    view = folded(ReportFold(ROWS), story.events)
    return page(view, folded(ReportFold(ROWS), other.events) if other else None)


def read(text):
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    assert reader.tags <= TAGS
    assert {name for name, _ in reader.attributes} <= ATTRIBUTES | {"preserveaspectratio"}
    assert len(reader.ids) == len(set(reader.ids))
    assert "NaN" not in text
    places = [value for name, value in reader.attributes if name in PLACES]
    assert all(re.fullmatch(r"-?\d+(\.\d+)?%?", place) for place in places), places
    return reader


def begun(**changes):
    return Story().begins(task(**changes) if changes else None).founds().passes(0, 0.0)


class TestAdopted:
    def test_says_in_one_sentence_what_was_gained(self):
        text = read(html(winning())).text
        assert "512x faster" in text
        assert "On inputs of size 400, which the search never saw, the new sort is 512x as fast as the original" in text
        assert "(95% interval 488x to 538x)" in text
        assert "the same answers in all 210 held-out cases" in text

    def test_has_every_part(self):
        assert read(html(winning(), losing())).ids == [
            *("sizes", "evidence", "diff", "lineage", "search", "beside", "challenges", "fell"),
            *("operators", "cost", "replay"),
        ]

    def test_speed_by_size_as_a_table(self):
        text = read(html(winning())).text
        assert "50 38.2x 35.0x to 41.7x 210 µs 5" in text
        assert "very fast functions are understated" in text
        assert "400 512x 488x to 538x 14.8 ms 5" in text

    def test_evidence(self):
        text = read(html(winning())).text
        for word in (
            "Held-out cases at the gate 210",
            "at most 1.98% with confidence 98.48%",
            "50.0x (40.0x to 55.6x) compared with the champion before it",
            "at most 0.34% challenge 3",
            "4.14% of 5.00% for the whole run",
            "superior What the gate saw of it.",
            "On 100 further inputs",
        ):
            assert word in text

    def test_the_first_adoption_stood_beside_the_original(self):
        text = read(html(begun().breeds(1, WINNER).passes(1, 5.0).adopts(1).audits(1).confirmed(1))).text
        assert "compared with the original" in text

    def test_the_diff_is_marked_line_by_line(self):
        text = html(winning())
        assert '<span class="del">-    out = list(items)\n</span>' in text
        assert '<span class="add">+    return sorted(items)\n</span>' in text
        assert '<span class="file">bad_sort.py\n</span>' in text

    def test_lineage_names_operators_and_what_they_did(self):
        text = read(html(winning())).text
        assert "Origin The original" in text
        assert "Birth 7 library with birth 0 362x sorted does the same" in text

    def test_an_audit_that_is_not_over_is_said_aloud(self):
        text = read(html(begun().breeds(1, WINNER).passes(1, 5.0).adopts(1))).text
        assert "Not audited yet." in text
        assert "audit pending" in text
        assert "the new sort is 50.0x as fast as the original (40.0x to 55.6x)" in text

    def test_how_to_replay(self):
        assert "mendel replay 01980000-0000-7000-8000-0000000000aa" in read(html(winning())).text

    def test_where_candidates_fell_and_how_operators_did(self):
        text = read(html(winning())).text
        assert "another answer on small inputs small 1" in text
        assert "the same program as another duplicate 1" in text
        assert "library 1 0 1 1 158x" in text

    def test_best_of_n_stands_beside_it(self):
        text = read(html(winning(), losing())).text
        assert "plain best-of-N" in text
        assert "Adopted yes no" in text
        assert "Best in the search 362x 128x" in text
        assert html(winning(), losing()).count('class="line other"') == 2

    def test_best_of_n_that_was_not_gated_says_what_it_found(self):
        text = read(html(winning(), comparing())).text
        assert "No improvement found" not in text
        assert "111x in the search" in text
        assert "Adopted yes not put before the gate" in text

    def test_the_original_is_not_measured_against_itself(self):
        story = Story().begins().founds().passes(0, -0.2).breeds(1, WINNER).passes(1, 5.0).adopts(1).audits(1)
        assert "0.87x" not in read(html(story)).text

    def test_without_best_of_n_nothing_is_said_of_it(self):
        assert "best-of-N" not in html(winning())


class TestNothingAdopted:
    def test_says_so_with_the_best_that_was_rejected_and_why(self):
        text = read(html(losing())).text
        assert "No improvement found" in text
        assert "3 candidates were examined" in text
        assert "Birth 2, made by library: 128x in the search. adopted, then revoked by its audit" in text
        assert "revoked it did not hold" in text
        assert "Its changes" in text

    def test_the_gates_reasons_are_told(self):
        why = (Reason(code="mismatch", message="[2, 1] became [1]"), Reason(code="slow", message="not faster"))
        text = read(
            html(begun().breeds(1, HALVED).passes(1, 2.0).challenges(1, Decision.REJECT, reasons=why).is_over())
        ).text
        assert "refused by the gate" in text
        assert "mismatch [2, 1] became [1] slow not faster" in text

    def test_one_that_fell_is_told_with_how_near_it_came(self):
        text = read(html(begun().breeds(1, HALVED).falls(1, "property", right=90).is_over())).text
        assert "It gave the expected result in 90 of 120 cases." in text

    def test_every_stage_at_which_one_falls_has_words(self):
        row = ROWS.row(task())
        assert set(get_args(Stage)) <= set(row.words.fell)

    def test_a_run_that_bred_nothing_has_a_page(self):
        assert "No candidate got as far" in read(html(begun().is_over())).text

    def test_a_run_that_is_not_over_says_so(self):
        assert "The run is not over" in read(html(begun())).text

    def test_an_original_that_fell_is_told_as_that_and_not_as_the_best_that_was_rejected(self):
        reader = read(html(falling()))
        assert "The original itself failed" in reader.text
        assert "score: it raises TypeError about an answer" in reader.text
        assert "original" in reader.ids
        assert "refused" not in reader.ids

    def test_births_that_failed_are_told_with_the_reason(self):
        story = begun().raises_in_breeding(1, "key_error", "'<b>x'").raises_in_breeding(2, "key_error", "'<b>x'")
        assert "2 of 3 births failed: key_error: '<b>x'" in read(html(story.is_over())).text
        assert "births failed" not in read(html(begun().is_over())).text


class TestEveryPage:
    @check_rows("story", [winning, losing, falling, whole_run, begun])
    def test_needs_nothing_from_anywhere(self, story):
        text = html(story())
        assert "default-src 'none'; style-src 'unsafe-inline'" in text
        for stranger in ("http:", "https:", "//", "url(", "@import", "<script", "<link", "<img", "src=", "href="):
            assert stranger not in text, stranger

    def test_follows_the_reader_into_the_dark_onto_paper_and_onto_a_phone(self):
        text = html(winning())
        for rule in ("prefers-color-scheme: dark", "@media print", "max-width: 44rem", "width=device-width"):
            assert rule in text

    def test_looks_like_the_gates_page(self):
        text = html(winning())
        assert STYLE_GOES_HERE not in text
        assert ".banner { border-left: 8px solid var(--tone)" in text

    @check_rows("hostile", HOSTILE)
    def test_what_candidates_say_stays_text(self, hostile):
        quiet = self.page("quiet")
        loud = self.page(hostile)
        assert loud.tags == quiet.tags | ({"details", "summary"} if len(hostile) > 1000 else set())
        assert {name for name, _ in loud.attributes} <= {name for name, _ in quiet.attributes}
        assert loud.classes <= quiet.classes | {"fold"}
        seen = " ".join(hostile.replace("\N{MINUS SIGN}", "-").split())
        assert seen in loud.text

    def page(self, said):
        named = task(path=f"examples/{said}", function=said, files={PATH: ORIGINAL})
        story = Story().begins(named).founds().passes(0, 0.0)
        story.breeds(1, f"{ORIGINAL}# {said}\n", note=said).passes(1, 5.0)
        why = (Reason(code="superior", message=said),)
        story.adopts(1, reasons=why).audits(1).confirmed(1)
        story.breeds(2, said, note=said).falls(2, "small", detail=said).is_over(said)
        return read(html(story))

    def test_a_hostile_candidate_that_was_rejected_stays_text_too(self):
        story = begun().breeds(1, "<b>\n</pre><script>", note="<i>").falls(1, "load", detail="<u>").is_over()
        assert not {"b", "i", "u", "script"} & read(html(story)).tags

    def test_characters_that_hide_are_spelled_out(self):
        story = begun().breeds(1, WINNER + "# \u202eevil\n", note="no\u200bte").passes(1, 5.0).adopts(1)
        text = html(story)
        assert "⟦U+202E⟧evil" in text
        assert "no⟦U+200B⟧te" in text
        assert "\u202e" not in text

    def test_other_objectives_are_told_in_their_own_words(self):
        story = begun(objectives={"memory": 1.0}).breeds(1, WINNER).scores(1, 2.0, "memory").adopts(1, metrics={})
        text = read(html(story.audits(1, sizes=()).confirmed(1))).text
        assert "4.00x less memory" in text
        assert "as the search measured it" in text

    def test_several_files_are_shown_one_after_the_other(self):
        files = {"a.py": "x = 1\n", "b.py": "y = 1\n"}
        story = Story().begins(task(files=files, main="a.py", roots={"a.py": (), "b.py": ()})).founds(files)
        story.births(1, ProgramTraits(files={"a.py": "x = 2\n", "b.py": "y = 2\n"}, operator="swap"), (0,))
        text = read(html(story.passes(0, 0.0).passes(1, 4.0).adopts(1))).text
        assert "a.py @@ -1 +1 @@ -x = 1 +x = 2 b.py @@ -1 +1 @@ -y = 1 +y = 2" in text


@settings(max_examples=40, deadline=None)
@given(events=st.one_of(odd_histories(), shuffled_runs()))
def test_any_log_has_a_page(events):
    view = folded(ReportFold(ROWS), events)
    if view is not None:
        read(page(view, view))


def test_what_looks_like_a_header_is_a_change():
    lines = list(diff_lines(unified_patch("a.py", "-- x\n", "++ y\r\n")))
    assert lines == [
        DiffLine("file", "a.py"),
        DiffLine("hunk", "@@ -1 +1 @@"),
        DiffLine("del", "--- x"),
        DiffLine("add", "+++ y"),
    ]
