"""Blocks to search and replace: where they fit, and what is said where they do not."""

from hypothesis import assume, given
from hypothesis import strategies as st
from tests.breeding.patches.texts import FIRST, LINES, ONE, SECOND, TWO, complaints, made
from tests.support.rows import check_rows

from mendel.breeding.patches.blocks import Block, parsed, written

MARKS = st.sampled_from(["=======", "========", "<<<<<<< SEARCH", ">>>>>>> REPLACE", ">>>>>>>> REPLACE", "======= "])


def block(search, replace, path=None):
    above = f"### FILE: {path}\n" if path else ""
    return f"{above}<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"


SUM = block("    return total(values) / len(values)\n", "    return sum(values) / len(values)\n")
FASTER = FIRST.replace("return total(values)", "return sum(values)")


# --- where they fit -----------------------------------------------------------------------------------------------


@check_rows(
    "answer",
    [
        SUM,
        f"The sum is built in.\n\n{SUM}\nThat is all.",
        f"```python\n{SUM}```\n",
        f"one.py\n```python\n{SUM}```\n",
        f"**`one.py`**:\n{SUM}",
        f"File: one.py\n\n{SUM}",
        f"### FILE: ./one.py\n{SUM}",
        f"# one.py\n{SUM}",
        "\ufeff" + SUM.replace("\n", "\r\n"),
        SUM.replace(" SEARCH", "SEARCH").replace("=======", "======= "),
        SUM.replace("<<<<<<<", "<" * 9).replace("=======", "=" * 9).replace(">>>>>>>", ">" * 9),
    ],
)
def test_what_surrounds_a_block_does_not_matter(answer):
    assert made(answer, ONE, "replace") == {"one.py": FASTER}


@given(st.lists(LINES, min_size=1, max_size=10, unique=True), st.lists(LINES, max_size=4), st.data())
def test_lines_that_stand_once_are_replaced_and_nothing_else(lines, new, data):
    start = data.draw(st.integers(0, len(lines) - 1))
    end = data.draw(st.integers(start + 1, len(lines)))
    expected = [*lines[:start], *new, *lines[end:]]
    assume(expected != lines)
    answer = written([Block(None, tuple(lines[start:end]), tuple(new))])
    for newline in ("\n", "\r\n"):
        files = {"x": "".join(line + newline for line in lines)}
        assert made(answer, files, "replace") == {"x": "".join(line + newline for line in expected)}


def test_blocks_of_several_files_are_applied_together():
    answer = block("    result = 0\n", "    result = 0.0\n", "pkg/one.py") + block(
        "  let result = 0;\n", "  let result = 0.0;\n", "web/two.js"
    )
    assert made(answer, TWO, "replace") == {
        "pkg/one.py": FIRST.replace("= 0", "= 0.0"),
        "web/two.js": SECOND.replace("= 0", "= 0.0"),
    }


def test_a_block_without_a_path_is_about_the_one_file_that_has_its_lines():
    answer = block("  let result = 0;\n", "  let result = 1;\n")
    assert made(answer, TWO, "replace") == {**TWO, "web/two.js": SECOND.replace("= 0", "= 1")}
    both = {"x": "a\n", "y": "a\n"}
    assert "x, lines 1; y, lines 1" in complaints(block("a\n", "b\n"), both, "replace")
    assert made(block("a\n", "b\n", "y"), both, "replace") == {"x": "a\n", "y": "b\n"}


def test_blocks_are_looked_for_in_the_file_as_it_was():
    answer = block("a\n", "b\n") + block("b\n", "a\n")
    assert made(answer, {"x": "a\nb\n"}, "replace") == {"x": "b\na\n"}


def test_an_empty_search_fills_an_empty_file_only():
    files = {"x": "a\n", "new.py": ""}
    assert made(block("", "b\n", "new.py"), files, "replace") == {"x": "a\n", "new.py": "b\n"}
    assert made(block("", "b\n", "newer.py"), files, "replace", editable=["newer.py"])["newer.py"] == "b\n"
    assert "searches for nothing" in complaints(block("", "b\n", "x"), files, "replace")


def test_lines_may_be_taken_away_and_a_file_keeps_whether_its_last_line_ends():
    assert made(block("b\n", ""), {"x": "a\nb\nc"}, "replace") == {"x": "a\nc"}
    assert made(block("c\n", "d\ne\n"), {"x": "a\nb\nc"}, "replace") == {"x": "a\nb\nd\ne"}


# --- what is forgiven ---------------------------------------------------------------------------------------------


def test_white_space_behind_lines_is_forgiven():
    assert made(block("a \nb\n", "c\n"), {"x": "a\nb\t\n"}, "replace") == {"x": "c\n"}


def test_a_constant_indentation_is_forgiven_and_given_to_the_new_lines():
    nested = {"x": "if a:\n    for b in c:\n\n        d()\n    e()\n"}
    flat = block("for b in c:\n\n    d()\n", "for b in c:\n\n    f()\n    g()\n")
    assert made(flat, nested, "replace") == {"x": "if a:\n    for b in c:\n\n        f()\n        g()\n    e()\n"}
    deep = block("        for b in c:\n\n            d()\n", "        for b in d:\n            f()\n")
    assert made(deep, nested, "replace") == {"x": "if a:\n    for b in d:\n        f()\n    e()\n"}


def test_tabs_and_blanks_are_no_constant_indentation():
    files = {"x": "\tif a:\n\t\tb()\n"}
    assert made(block("if a:\n\tb()\n", "if c:\n\td()\n"), files, "replace") == {"x": "\tif c:\n\t\td()\n"}
    assert "indented differently" in complaints(block("if a:\n    b()\n", "c()\n"), files, "replace")


def test_new_lines_that_are_left_of_the_old_ones_are_refused():
    files = {"x": "if a:\n    b()\n"}
    assert "indented less" in complaints(block("        b()\n", "        c()\nd()\n"), files, "replace")


def test_the_stricter_comparison_wins():
    files = {"x": "    a\na\n"}
    assert made(block("a\n", "b\n"), files, "replace") == {"x": "    a\nb\n"}
    assert made(block("a \n", "b\n"), files, "replace") == {"x": "    a\nb\n"}
    assert "lines 1, 2" in complaints(block("  a\n", "b\n"), files, "replace")


# --- what is refused ----------------------------------------------------------------------------------------------


@check_rows(
    ("answer", "said"),
    [
        ("I would sum the values.", "no block in the answer"),
        (SUM.replace(" SEARCH", " ORIGINAL"), "line 1 of the answer is almost the mark"),
        (" " + SUM, "line 1 of the answer is almost the mark"),
        ("\n" + SUM + SUM.split("=======\n")[1], "line 8 of the answer is almost the mark"),
        (SUM.replace("=======\n", ""), "has no `=======` before line 4"),
        (SUM.replace("=======\n", "=======\na\n=======\n"), "a second `=======` in line 5"),
        (SUM.replace(">>>>>>> REPLACE\n", ""), "has no `>>>>>>> REPLACE`; the answer seems to be cut off"),
        (SUM.replace(">>>>>>> REPLACE\n", "") + SUM, "does not end before the next, line 5"),
        (SUM + SUM, "both change line 9"),
        (block("    return\n", "x\n"), "`    return` is nowhere in one.py; the nearest is line 5, `    return result`"),
        (block("    result = 0\n    while 1:\n", "x\n"), "line 3 is `    for value in values:`"),
        (block("    result = 0\n", "x\n", "../one.py"), "outside the folder"),
        (block("    result = 0\n", "x\n", "/one.py"), "outside the folder"),
        ("~/one.py\n" + SUM, "outside the folder"),
        ("two.py\n" + SUM, "`two.py` may not be changed; what may: one.py"),
        (block("    result = 0\n", "    result = 0\n"), "changes nothing"),
    ],
)
def test_answers_that_are_refused(answer, said):
    assert said in complaints(answer, ONE, "replace")


def test_lines_that_stand_more_than_once_are_refused():
    said = complaints(block("a\n", "b\n"), {"x": "a\nb\n" * 30}, "replace")
    assert "block 1 (line 1 of the answer) fits more than one place: x, lines 1, 3, 5, 7 and more" in said


def test_a_file_that_is_shown_but_may_not_change_is_refused():
    answer = block("  let result = 0;\n", "  let result = 1;\n")
    assert "not to be found" in complaints(answer, TWO, "replace", editable=["pkg/one.py"])
    assert "may not be changed" in complaints(f"web/two.js\n{answer}", TWO, "replace", editable=["pkg/one.py"])


def test_one_block_that_does_not_fit_keeps_the_others_out():
    said = complaints(SUM + block("no such line\n", "x\n"), ONE, "replace")
    assert "block 2 (line 6 of the answer)" in said
    assert "block 1" not in said


# --- reading what was written -------------------------------------------------------------------------------------

SOME = st.lists(st.one_of(LINES, MARKS), max_size=6).map(tuple)


@given(st.lists(st.builds(Block, st.sampled_from([None, "x.py", "a b/c"]), SOME, SOME), min_size=1, max_size=4))
def test_what_is_written_is_read_as_the_same(blocks):
    assert list(parsed(written(blocks))) == blocks
