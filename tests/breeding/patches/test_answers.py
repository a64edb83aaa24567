"""The door: whatever an answer is, it is applied as a whole or complained about."""

from hypothesis import given
from hypothesis import strategies as st
from tests.breeding.patches.texts import FIRST, ONE, SECOND, TWO, complaints, diff, made
from tests.support.rows import check_rows

from mendel.breeding.patches.answers import Bounds, apply_answer
from mendel.breeding.patches.outcomes import FORMS, LONGEST_COMPLAINT, MOST_COMPLAINTS, NotApplicable, Patched

PIECES = st.sampled_from(
    [
        "<<<<<<< SEARCH\n",
        "=======\n",
        ">>>>>>> REPLACE\n",
        "--- a/one.py\n",
        "+++ b/one.py\n",
        "+++ /dev/null\n",
        "@@ -1,2 +1 @@\n",
        "@@ -0,0 +1 @@\n",
        "@@\n",
        "```\n",
        "```diff\n",
        "### FILE: one.py\n",
        "### FILE: ../x\n",
        "\\ No newline at end of file\n",
        " def total(values):\n",
        "-    result = 0\n",
        "+    result = 1\n",
        *FIRST.splitlines(keepends=True),
    ]
)
GARBAGE = st.one_of(
    st.text(), st.lists(st.one_of(PIECES, PIECES, PIECES, st.text(max_size=5)), max_size=30).map("".join)
)


@given(GARBAGE, st.sampled_from(FORMS))
def test_garbage_never_raises_and_never_touches_what_it_may_not(answer, form):
    files = {**ONE, "kept.py": SECOND}
    outcome = apply_answer(answer, files, form, editable=["one.py"])
    assert files == {**ONE, "kept.py": SECOND}
    if isinstance(outcome, NotApplicable):
        assert 1 <= len(outcome.complaints) <= MOST_COMPLAINTS + 1
        assert all(0 < len(each) <= LONGEST_COMPLAINT and each.isprintable() for each in outcome.complaints)
    else:
        assert outcome.files["kept.py"] == SECOND
        assert set(outcome.files) <= {"one.py", "kept.py"}
        assert outcome.files != files


@check_rows("form", FORMS)
@check_rows("answer", ["", " \n", "a\0b", "```\na\0b\n```", "\ud800", "x" * 101])
def test_what_is_no_text_is_refused_in_every_form(form, answer):
    complaints(answer, ONE, form, bounds=Bounds(answer_characters=100))


@check_rows(
    ("form", "answer", "said"),
    [
        ("diff", diff("a\nb\nc\nd\ne\n", "A\nb\nC\nd\nE\n", context=0), "3 hunks; at most 2"),
        ("replace", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n" * 3, "3 blocks; at most 2"),
        ("rewrite", "### FILE: x\n```\na\n```\n" * 3, "3 files; at most 2"),
    ],
)
def test_an_answer_has_only_so_many_parts(form, answer, said):
    assert said in complaints(answer, {"x": "a\nb\nc\nd\ne\n"}, form, bounds=Bounds(parts=2))


@check_rows(
    ("form", "answer"),
    [
        ("diff", diff("a\n", "a\n" + "b" * 50 + "\n")),
        ("replace", "<<<<<<< SEARCH\na\n=======\n" + "b" * 50 + "\n>>>>>>> REPLACE\n"),
        ("rewrite", "```\n" + "b" * 50 + "\n```\n"),
    ],
)
def test_a_file_grows_only_so_much(form, answer):
    assert "at most 40" in complaints(answer, {"x": "a\n"}, form, bounds=Bounds(file_characters=40))
    assert "b" * 50 in made(answer, {"x": "a\n"}, form)["x"]


def test_a_large_file_that_is_left_alone_does_not_matter():
    files = {"large": "x" * 100, "x": "a\n"}
    assert made("### FILE: x\n```\nb\n```", files, "rewrite", bounds=Bounds(file_characters=40))["x"] == "b\n"


def test_complaints_are_few_and_short():
    block = "<<<<<<< SEARCH\n" + "no such line " * 400 + "\n=======\nb\n>>>>>>> REPLACE\n"
    outcome = apply_answer(block * 40, ONE, "replace")
    assert isinstance(outcome, NotApplicable)
    assert outcome.complaints[-1] == "and more of the kind"
    assert len(outcome.complaints) == MOST_COMPLAINTS + 1


def test_complaints_spell_control_characters_out():
    said = complaints("<<<<<<< SEARCH\n\x1b[2Jreturn\t\u2028\n=======\nb\n>>>>>>> REPLACE\n", ONE, "replace")
    assert "`\\x1b[2Jreturn\\t\\u2028`" in said
    assert said.isprintable()


def test_lines_that_repeat_without_end_are_looked_through_all_the_same():
    files = {"x": "a\n" * 200_000 + "b\n"}
    search = "a\n" * 100_000
    said = complaints(f"<<<<<<< SEARCH\n{search}c\n=======\nd\n>>>>>>> REPLACE\n", files, "replace")
    assert "its first 100000 lines can be found" in said
    found = made(f"<<<<<<< SEARCH\n{search}b\n=======\nd\n>>>>>>> REPLACE\n", files, "replace")
    assert found == {"x": "a\n" * 100_000 + "d\n"}


@check_rows(
    ("form", "answer", "note"),
    [
        ("diff", diff(FIRST, FIRST.replace("0", "1"), "pkg/one.py"), "diff: 1 hunk in pkg/one.py"),
        ("replace", "<<<<<<< SEARCH\n    result = 0\n=======\n>>>>>>> REPLACE\n", "replace: 1 block in pkg/one.py"),
        ("rewrite", "### FILE: web/two.js\n```\n1;\n```", "rewrite: web/two.js rewritten"),
    ],
)
def test_a_note_says_what_was_done(form, answer, note):
    outcome = apply_answer(answer, TWO, form)
    assert isinstance(outcome, Patched)
    assert outcome.note == note
