"""Files rewritten as a whole."""

from hypothesis import assume, given
from hypothesis import strategies as st
from tests.breeding.patches.texts import LINES, ONE, SECOND, TWO, complaints, made
from tests.support.rows import check_rows

from mendel.breeding.patches.whole import WholeFile, parsed, written

NEW = "def total(values):\n    return sum(values)\n"


@check_rows(
    "answer",
    [
        f"```python\n{NEW}```\n",
        f"~~~~ python\n{NEW}~~~~~\n",
        f"The sum is built in.\n\n```\n{NEW}```\nThat is all.",
        f"### FILE: one.py\n```python\n{NEW}```\n",
        f"## File: `one.py`\n\n```python\n{NEW}```\n",
        f"\ufeff```python\n{NEW}```".replace("\n", "\r\n"),
    ],
)
def test_one_block_is_the_whole_file(answer):
    assert made(answer, ONE, "rewrite") == {"one.py": NEW}


def test_labelled_blocks_are_files_and_what_is_not_named_stays():
    answer = f"### FILE: pkg/one.py\n```python\n{NEW}```\n### FILE: new.js\n```js\n1;\n```\n"
    assert made(answer, TWO, "rewrite", editable=["pkg/one.py", "new.js"]) == {
        "pkg/one.py": NEW,
        "web/two.js": SECOND,
        "new.js": "1;\n",
    }


def test_a_text_with_fences_in_it_goes_between_longer_ones():
    text = "# How to\n\n```\nmake\n```\n"
    assert made(f"````markdown\n{text}````\n", {"a.md": "x\n"}, "rewrite") == {"a.md": text}
    assert "longer fences" in complaints(f"```markdown\n{text}```\n", {"a.md": "x\n"}, "rewrite")


@given(st.lists(LINES, min_size=1, max_size=8), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_file_keeps_how_its_lines_end(lines, newline, ended):
    assume(any(line.strip() for line in lines))
    end = newline if ended else ""
    expected = newline.join(lines) + end
    answer = written([WholeFile(None, tuple(lines))])
    assert made(answer, {"x": f"one{newline}two{newline}three!{end}"}, "rewrite") == {"x": expected}


@check_rows(
    ("answer", "said"),
    [
        ("I would sum the values.", "no fenced block"),
        (f"```python\n{NEW}", "in line 1 of the answer is never closed"),
        (f"```\n{NEW}```\n```\n{NEW}```\n", "2 fenced blocks, and it is not said which file those in line 1, 5 are"),
        (f"### FILE: one.py\n```\n{NEW}```\n```\n{NEW}```\n", "those in line 6 are"),
        (f"### FILE: one.py\n```\n{NEW}```\n" * 2, "one.py comes 2 times"),
        (f"### FILE: two.py\n```\n{NEW}```\n", "what may: one.py"),
        (f"### FILE: ../one.py\n```\n{NEW}```\n", "outside the folder"),
        (f"### FILE: /one.py\n```\n{NEW}```\n", "outside the folder"),
        (f"### FILE: one.py\nIt is:\n```\n{NEW}```\n", "has no fenced block right below it"),
        (f"### FILE: one.py\n```\n{NEW}```\n### FILE: two.py\n", "`### FILE: two.py` has no fenced block"),
        ("```\n\n```\n", "is empty"),
        (f"```\n{ONE['one.py']}```\n", "changes nothing"),
    ],
)
def test_answers_that_are_refused(answer, said):
    assert said in complaints(answer, ONE, "rewrite")


def test_a_block_without_a_name_is_refused_where_it_could_be_several_files():
    assert "name one of pkg/one.py, web/two.js" in complaints(f"```\n{NEW}```", TWO, "rewrite")


FILES = st.builds(WholeFile, st.sampled_from(["x", "a b/c.py"]), st.lists(LINES, max_size=8).map(tuple))


@given(st.lists(FILES, min_size=1, max_size=4))
def test_what_is_written_is_read_as_the_same(files):
    assert list(parsed(written(files))) == files
