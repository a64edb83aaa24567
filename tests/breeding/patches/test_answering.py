"""Changed files as an answer that makes the same change."""

from hypothesis import given
from hypothesis import strategies as st

from mendel.breeding.patches.answering import answer_of
from mendel.breeding.patches.answers import apply_answer
from mendel.breeding.patches.outcomes import FORMS, Patched

LINES = st.sampled_from(
    [
        "def f(x):", "    return x", "", "    pass", "```", "=======", "<<<<<<< SEARCH", ">>>>>>> REPLACE",
        "--- a/one.py", "@@ -1,2 +1 @@", "### FILE: two.py", "\\ No newline at end of file", "é…\t",
    ]
)  # fmt: skip
TEXTS = st.lists(LINES, min_size=1, max_size=14).map(lambda lines: "".join(f"{line}\n" for line in lines))


@st.composite
def changes(draw):
    before = {"one.py": draw(TEXTS), "two.py": draw(TEXTS)}
    lines = before["one.py"].splitlines(keepends=True)
    at = draw(st.integers(0, len(lines)))
    end = draw(st.integers(at, len(lines)))
    after = "".join(lines[:at]) + draw(TEXTS) + "".join(lines[end:])
    other = before["two.py"] if draw(st.booleans()) else draw(TEXTS)
    return before, {"one.py": after, "two.py": other}


@given(changes(), st.sampled_from(FORMS))
def test_applied_it_makes_the_change_in_every_form(change, form):
    before, after = change
    if before == after or (form == "rewrite" and not all(text.strip() for text in after.values())):
        return
    outcome = apply_answer(answer_of(before, after, form), before, form)
    assert isinstance(outcome, Patched), outcome
    assert outcome.files == after


def test_a_diff_says_whether_the_last_line_ends():
    before, after = {"one.py": "a\nb"}, {"one.py": "a\nb\n"}
    outcome = apply_answer(answer_of(before, after, "diff"), before, "diff")
    assert isinstance(outcome, Patched)
    assert outcome.files == after


def test_a_block_takes_the_lines_that_tell_its_place():
    text = "x\ny\n" * 40
    after = {"one.py": text[:80] + "z\n" + text[80:]}
    outcome = apply_answer(answer_of({"one.py": text}, after, "replace"), {"one.py": text}, "replace")
    assert isinstance(outcome, Patched)
    assert outcome.files == after
