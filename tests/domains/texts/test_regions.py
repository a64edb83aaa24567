"""What of a text may change, in whatever a comment looks like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import ConfigError
from mendel.domains.texts.domain import fingerprint
from mendel.domains.texts.line_edits import edited
from mendel.domains.texts.regions import changed_outside, parts_of

COMMENTS = ("# {}", "// {}", "/* {} */", "-- {}", ";; {}", "<!-- {} -->", "REM {}", "dnl {}", "  ! {}", "(* {} *)")
LINES = st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\n")), max_size=6)


def marked(before, inside, after, comment="# {}"):
    evolve, end = comment.format("mendel: evolve"), comment.format("mendel: end")
    return "\n".join([*before, evolve, *inside, end, *after]) + "\n"


def plain(lines):
    return not any("mendel" in line.lower() for line in lines)


@given(LINES.filter(plain), LINES.filter(plain), LINES.filter(plain), st.sampled_from(COMMENTS))
def test_what_stands_between_the_marks_is_free_and_the_rest_is_kept(before, inside, after, comment):
    text = marked(before, inside, after, comment)
    parts = parts_of(text, "it")
    assert "".join(parts.pieces) == text
    assert parts.marked
    assert parts.free == ("".join(f"{line}\n" for line in inside),)
    assert changed_outside(text, marked(before, ["another"], after, comment), "it") is None
    assert changed_outside(text, marked([*before, "more"], inside, after, comment), "it") is not None


@given(LINES.filter(plain))
def test_without_marks_all_of_it_is_free(lines):
    text = "\n".join(lines)
    assert parts_of(text, "it").free == (text,)
    assert changed_outside(text, "anything", "it") is None


@check_rows(
    ("text", "told"),
    [
        ("# mendel: evolve\nx\n", "line 1: `mendel: evolve` has no `mendel: end` below it"),
        ("x\n// mendel: end\n", "line 2: `mendel: end` without a `mendel: evolve` above it"),
        ("# mendel: evolve\n# mendel: evolve\n# mendel: end\n", "line 2: `mendel: evolve` within a region"),
        ("# mendel: begin\nx\n# mendel: end\n", "line 1: no mark `mendel: begin`; known are evolve, end"),
        ("x = 1  # mendel: evolve\n", "line 1: a mark follows something else; give it a line of its own"),
    ],
)
def test_marks_that_do_not_match_are_refused_with_their_line(text, told):
    with pytest.raises(ConfigError, match=r"it, line ") as refused:
        parts_of(text, "it")
    assert told in str(refused.value)


def test_a_candidate_that_takes_marks_away_or_brings_some_is_outside():
    text = marked(["a"], ["b"], ["c"])
    assert "have to stay" in changed_outside(text, "a\nb\nc\n", "it")
    twice = text.replace("b\n", "b\n# mendel: end\n# mendel: evolve\n")
    assert "no others may come" in changed_outside(text, twice, "it")


@given(st.text(min_size=1), st.integers(0, 2**32))
def test_an_edit_of_lines_changes_something_and_is_the_same_again(text, seed):
    made = edited(text, Entropy(seed))
    assert made == edited(text, Entropy(seed))
    assert made is None or (made[0] != text and made[0].strip() and made[1].isprintable())


def test_every_kind_of_edit_is_made():
    text = "first 10\nsecond 2.5\nthird\n"
    notes = {edited(text, Entropy(seed))[1].split()[0] for seed in range(60)}
    assert notes >= {"deletes", "swaps", "copies", "10", "2.5"}


def test_texts_are_twins_but_for_blanks_at_the_ends_of_lines():
    assert fingerprint({"a": "x  \ny\t\n\n"}) == fingerprint({"a": "x\ny"})
    assert fingerprint({"a": "x\ny"}) != fingerprint({"a": " x\ny"})
    assert fingerprint({"a": "x"}) != fingerprint({"b": "x"})
