"""Unified diffs: what they change, what is forgiven in them, and what is not."""

from hypothesis import assume, given
from hypothesis import strategies as st
from tests.breeding.patches.texts import FIRST, LINES, ONE, TWO, complaints, diff, made, texts
from tests.support.rows import check_rows

from mendel.breeding.patches.hunks import FileDiff, Hunk, HunkLine
from mendel.breeding.patches.unified import parsed, written

FASTER = FIRST.replace(
    "    result = 0\n    for value in values:\n        result += value\n", "    result = sum(values)\n"
)
HUNK = """\
@@ -1,5 +1,3 @@
 def total(values):
-    result = 0
-    for value in values:
-        result += value
+    result = sum(values)
     return result
"""
HEAD = "--- a/one.py\n+++ b/one.py\n"


# --- what difflib writes ------------------------------------------------------------------------------------------


@given(texts(), texts(), st.integers(1, 4))
def test_a_diff_between_two_texts_makes_the_second_of_the_first(old, new, context):
    assume(old != new)
    assert made(diff(old, new, context=context), {"x": old}, "diff") == {"x": new}


@given(texts(), texts())
def test_a_file_keeps_its_ends_of_lines_whatever_the_answer_has(old, new):
    assume(old != new)
    answer = diff(old, new)
    windows = {"x": old.replace("\n", "\r\n")}
    expected = new.replace("\n", "\r\n") if "\n" in old else new
    assert made(answer, windows, "diff") == {"x": expected}
    assert made(answer.replace("\n", "\r\n"), windows, "diff") == {"x": expected}
    assert made(answer.replace("\n", "\r\n"), {"x": old}, "diff") == {"x": new}


def test_lines_that_are_left_alone_keep_ends_that_are_mixed():
    old = "a\r\nb\nc\r\nd\r\n"
    assert made("--- a/x\n+++ b/x\n@@ -2,2 +2,2 @@\n b\n-c\n+C\n", {"x": old}, "diff") == {"x": "a\r\nb\nC\r\nd\r\n"}


@given(st.lists(LINES, min_size=1, max_size=12, unique=True), st.data())
def test_wrong_line_numbers_do_not_matter_where_lines_stand_once(lines, data):
    old = "\n".join(lines) + "\n"
    at = data.draw(st.integers(0, len(lines) - 1))
    new = "\n".join([*lines[:at], "something new", *lines[at + 1 :]]) + "\n"
    wrong = data.draw(st.integers(0, 999_999_999))
    head, _, body = diff(old, new, context=len(lines)).partition("@@ -1")
    assert made(f"{head}@@ -{wrong}{body}", {"x": old}, "diff") == {"x": new}


# --- headings ------------------------------------------------------------------------------------------------------


@check_rows(
    "answer",
    [
        HEAD + HUNK,
        f"diff --git a/one.py b/one.py\nindex 12..34 100644\n{HEAD}{HUNK}",
        "--- one.py\t2024-01-01 00:00:00\n+++ one.py\t2024-01-02\n" + HUNK,
        "--- ./one.py\n+++ ./one.py\n" + HUNK,
        "--- one.py\n+++ b/one.py\n" + HUNK,
        HUNK,
        f"I sum in C:\n\n```diff\n{HEAD}{HUNK}```\nThat is faster.\n",
        f"~~~\n{HEAD}{HUNK}~~~",
        f"```python\nsum(values)\n```\nis faster:\n```diff\n{HEAD}{HUNK}```",
        HEAD + HUNK.replace("@@ -1,5 +1,3 @@", "@@ -40,7 +41,9 @@ def total(values):"),
        HEAD + HUNK.replace("@@ -1,5 +1,3 @@", "@@ -1,2 +1,2 @@"),
        HEAD + HUNK.replace("@@ -1,5 +1,3 @@", "@@ ... @@"),
        HEAD + HUNK.replace("-1,5 +1,3", "-99999999999999999999,5 +1,3"),
        HEAD + HUNK.replace("def total(values):\n", "def total(values):  \n"),
        "\ufeff" + HEAD + HUNK + "\n\n",
        HEAD + HUNK + "\nThis is faster, since the loop is in C.\n",
    ],
)
def test_what_surrounds_hunks_and_how_they_are_counted_does_not_matter(answer):
    assert made(answer, ONE, "diff") == {"one.py": FASTER}


def test_several_files_change_at_once_and_the_others_stay():
    files = {**TWO, "README": "x\n"}
    changed = {path: text.replace("result", "sum_") for path, text in TWO.items()}
    answer = "".join(diff(text, changed[path], path) for path, text in TWO.items())
    assert made(answer, files, "diff") == {**changed, "README": "x\n"}


def test_a_prefix_is_taken_off_only_where_it_is_one():
    files = {"a/x": "1\n", "x": "1\n", "b/x": "1\n"}
    hunk = "@@ -1 +1 @@\n-1\n+2\n"
    assert made(f"--- a/x\n+++ b/x\n{hunk}", files, "diff") == {**files, "x": "2\n"}
    assert made(f"--- a/x\n+++ a/x\n{hunk}", files, "diff") == {**files, "a/x": "2\n"}
    assert made(f"--- a/b/x\n+++ b/b/x\n{hunk}", files, "diff") == {**files, "b/x": "2\n"}
    assert made("--- b/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", files, "diff") == {"a/x": "1\n", "x": "1\n"}


def test_the_hunks_of_one_file_may_be_in_two_pieces_and_in_any_order():
    first, second = "@@ -1,2 +1,2 @@\n-a\n+A\n b\n", "@@ -4,2 +4,2 @@\n d\n-e\n+E\n"
    head = "--- a/x\n+++ b/x\n"
    assert made(head + second + head + first, {"x": "a\nb\nc\nd\ne\n"}, "diff") == {"x": "A\nb\nc\nd\nE\n"}


def test_context_that_two_hunks_share_is_no_conflict():
    answer = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-a\n+A\n b\n c\n@@ -2,3 +2,3 @@\n b\n c\n-d\n+D\n"
    assert made(answer, {"x": "a\nb\nc\nd\n"}, "diff") == {"x": "A\nb\nc\nD\n"}


def test_a_blank_line_of_context_may_have_lost_its_blank():
    answer = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+B\n"
    assert made(answer, {"x": "a\n\nb\n"}, "diff") == {"x": "a\n\nB\n"}


# --- files that come and go ---------------------------------------------------------------------------------------


def test_a_file_that_may_be_changed_may_come_and_go():
    new = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+one\n+two\n"
    assert made(new, {"x": "a\n"}, "diff", editable=["x", "new.py"]) == {"x": "a\n", "new.py": "one\ntwo\n"}
    assert "may not be changed" in complaints(new, {"x": "a\n"}, "diff")
    gone = "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    assert made(gone, {"x": "a\n", "y": "b\n"}, "diff") == {"y": "b\n"}
    assert "may not be changed" in complaints(gone, {"x": "a\n", "y": "b\n"}, "diff", editable=["y"])


def test_a_file_that_exists_is_not_new_and_one_that_has_lines_left_does_not_go():
    assert "exists" in complaints("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n", {"x": "a\n"}, "diff")
    assert "not all" in complaints("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", {"x": "a\nb\n"}, "diff")


@check_rows(
    ("head", "said"),
    [
        ("--- a/../one.py\n+++ b/../one.py\n", "outside"),
        ("--- /etc/passwd\n+++ /etc/passwd\n", "outside"),
        ("--- C:\\one.py\n+++ C:\\one.py\n", "outside"),
        ("--- a/..\\one.py\n+++ b/..\\one.py\n", "outside"),
        ("--- a/two.py\n+++ b/two.py\n", "what may: one.py"),
        ("--- a/one.py\n+++ b/two.py\n", "renamed"),
        ("rename from one.py\nrename to two.py\n" + HEAD, "renamed"),
        ("GIT binary patch\n" + HEAD, "binary"),
        ("--- \n+++ \n", "no path"),
    ],
)
def test_paths_that_are_refused(head, said):
    assert said in complaints(head + HUNK, ONE, "diff")


def test_a_hunk_without_a_name_is_refused_where_it_could_be_about_several_files():
    assert "pkg/one.py, web/two.js" in complaints(HUNK, TWO, "diff")


# --- what does not fit --------------------------------------------------------------------------------------------


def test_a_complaint_says_which_hunk_what_it_wants_and_what_is_there():
    answer = HEAD + HUNK.replace("for value in values", "for each in values")
    said = complaints(answer, ONE, "diff")
    assert "hunk 1 of one.py (line 3 of the answer)" in said
    assert "its first 2 lines can be found at line 1" in said
    assert "`    for each in values:` is wanted, and line 3 is `    for value in values:`" in said


def test_the_nearest_line_is_told_where_not_even_the_first_one_is_there():
    said = complaints(HEAD + "@@ -8,1 +8,1 @@\n-def meen(values):\n+def mean(xs):\n", ONE, "diff")
    assert "the nearest is line 8, `def mean(values):`" in said
    assert "nor anything like it" in complaints(HEAD + "@@ -1 +1 @@\n-@@@@@@@@\n+x\n", ONE, "diff")


def test_every_hunk_that_does_not_fit_is_told_and_none_is_applied():
    answer = HEAD + HUNK + "@@ -9 +7 @@\n-no such line\n+x\n@@ -19 +17 @@\n-nor such\n+x\n"
    said = complaints(answer, ONE, "diff")
    assert "hunk 1" not in said
    assert "hunk 2" in said
    assert "hunk 3" in said


@check_rows(
    ("body", "said"),
    [
        ("@@ -7 +7 @@\n-a\n+b\n", "more than one place, lines 1, 3"),
        ("@@ -7,0 +7 @@\n+b\n", "no line of the file"),
        ("@@ -1,2 +1,2 @@\n a\n b\n", "changes nothing"),
        ("@@ -1 +1 @@\n-a\n+A\n@@ -1 +1 @@\n-a\n+Á\n", "hunk 1 of x and hunk 2 of x both change line 1"),
        ("@@ -1,2 +1,2 @@\n-a\n+A\nb\n", "line 6 of the answer, `b`, begins with none of"),
        ("@@ -1,1 +1,1 @@\n-a\n+A\nb\n-a\n", "line 6 of the answer, `b`, begins with none of"),
        ("-a\n+b\n", "no hunk"),
        ("", "no hunk"),
    ],
)
def test_hunks_that_are_refused(body, said):
    assert said in complaints("--- a/x\n+++ b/x\n" + body, {"x": "a\nb\na\nc\n"}, "diff")


@check_rows(
    ("answer", "said"),
    [
        ("I would sum the values.", "no hunk in the answer"),
        (f"```diff\n{HEAD}{HUNK}", "never closed"),
        (f"```diff\n{HEAD}{HUNK}```\n{HEAD}{HUNK}", "fenced block and others do not"),
        (HEAD + "@@ -1,2 +1,2 @@\n-def total(values):\n+def total(values):\n", "changes nothing"),
    ],
)
def test_answers_that_are_refused(answer, said):
    assert said in complaints(answer, ONE, "diff")


# --- reading what was written -------------------------------------------------------------------------------------

NAMES = st.sampled_from(["x", "a/x", "b/x", "some name.txt", None])
HUNK_LINES = st.builds(HunkLine, st.sampled_from([" ", "-", "+"]), LINES, st.sampled_from([True, True, True, False]))
HUNKS = st.builds(
    Hunk,
    st.integers(0, 99_999),
    st.lists(HUNK_LINES, min_size=1, max_size=8)
    .map(tuple)
    .filter(lambda lines: any(line.sign != " " for line in lines)),
)
DIFFS = st.builds(FileDiff, NAMES, NAMES, st.lists(HUNKS, min_size=1, max_size=3).map(tuple)).filter(
    lambda diff: diff.old or diff.new
)


@given(st.lists(DIFFS, min_size=1, max_size=3))
def test_what_is_written_is_read_as_the_same(diffs):
    assert list(parsed(written(diffs))) == diffs
