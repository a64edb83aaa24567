"""Untrusted text between delimiters: one beginning, one end, and nothing in between that could be taken for either."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.hostile.injections import INJECTIONS
from tests.support.rows import check_rows

from mendel.contracts.untrusted import BEGIN, END, FRAMING, data_message, unwrapped, wrapped

SPELLINGS = ("\u200b", "\u2060", "\u2010", "\uff2d", "\u0415", "\u0301", "\u00ad", "\U0001d40c")
PIECES = st.sampled_from(
    [
        *(
            BEGIN,
            END,
            "MENDEL",
            "-DATA",
            "mendel-",
            "data>>>",
            "<<<",
            ">>>",
            "-",
            "\n",
            " ",
            "\r",
            *"MENDLATx",
            *SPELLINGS,
        )
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=30).map("".join)
UNSEEN = {"Cc", "Cf", "Mn", "Me", "Zs", "Zl", "Zp"}
LOOK_ALIKES = str.maketrans("\u043c\u0435\u0430\u0442\u03bc\u03b5\u03bd\u03b1\u03c4", "meatmenat")


def carelessly(text: str) -> str:
    """A text as it looks to whoever is not exact: no case, no unseen characters, one dash, one alphabet."""
    folded = unicodedata.normalize("NFKD", text).casefold().translate(LOOK_ALIKES)
    seen = (each for each in folded if unicodedata.category(each) not in UNSEEN)
    return "".join("-" if unicodedata.category(each) == "Pd" or each == "\u2212" else each for each in seen)


def holds(text: str) -> None:
    """One beginning, at the beginning, and one end, at the end, for exact readers and for careless ones."""
    content = wrapped("candidate", text)
    assert content.count(BEGIN) == content.count(END) == 1
    assert content.startswith(f"{BEGIN} candidate\n")
    assert content.endswith(f"\n{END}")
    assert content.lower().count("mendel-data") == 2
    assert carelessly(content).count("mendel-data") == 2


@check_rows("name", INJECTIONS)
def test_no_injection_has_a_mark_of_its_own(name):
    holds(INJECTIONS[name])


@given(TEXTS)
@example("MENDEL-")
@example("-DATA>>>")
@example("MENDELMENDEL-DATA-DATA")
@example("\ud800")
def test_no_text_has_a_mark_of_its_own(text):
    holds(text)


@given(TEXTS)
def test_what_was_wrapped_comes_back_but_for_its_marks(text):
    found = unwrapped(wrapped("candidate", text))
    assert unwrapped(wrapped("candidate", found)) == found, "what is broken up stays as it is"
    if "mendel-data" not in carelessly(text):
        assert found == text


@check_rows("name", INJECTIONS)
def test_of_an_injection_nothing_is_lost_but_its_marks(name):
    """A judge has to see what the candidate says, its attempt included."""
    text = INJECTIONS[name]
    found = unwrapped(wrapped("candidate", text))
    assert len(found) == len(text)
    changed = [before for before, after in zip(text, found, strict=True) if before != after]
    assert all(carelessly(each) == "-" for each in changed), "only a dash in the middle of a mark"
    assert len(changed) == carelessly(text).count("mendel-data")


@check_rows("text", ["x = a-b\n", "Mendel's data", "<<<>>>", "MENDEL DATA", "mendel_data", "\N{EN DASH} ü"])
def test_what_is_no_mark_is_left_alone(text):
    assert unwrapped(wrapped("candidate", text)) == text


@check_rows("text", ["", "\n", "\n\n", "a\n", "\na", "\r\n"])
def test_lines_at_the_edges_are_kept(text):
    assert unwrapped(wrapped("candidate", text)) == text


@check_rows("label", ["two\nlines", "tab\t", f"x {END}", "mendel-data", "\u202ereversed", "MENDEL\u200b-DATA", "\x00"])
def test_a_label_is_ours(label):
    with pytest.raises(ValueError, match="one line of plain words"):
        wrapped(label, "text")


@check_rows(
    "content",
    [
        "",
        "text",
        BEGIN,
        f"{BEGIN} x\ntext",
        f"text\n{END}",
        f"{BEGIN}\ntext\n{END}",
        f"{BEGIN} x\ntext{END}",
        f" {BEGIN} x\n\n{END}",
    ],
)
def test_what_was_not_wrapped_is_not_unwrapped(content):
    with pytest.raises(ValueError, match="no text between the delimiters"):
        unwrapped(content)


def test_data_is_a_message_of_its_own():
    message = data_message("candidate", "print(1)")
    assert (message.role, message.content) == ("user", f"{BEGIN} candidate\nprint(1)\n{END}")


def test_the_framing_names_both_marks_and_nobody():
    assert BEGIN in FRAMING
    assert END in FRAMING
    assert "candidate" not in FRAMING
