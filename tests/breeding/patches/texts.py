"""Texts to patch, and ways to draw them."""

import difflib

from hypothesis import strategies as st

from mendel.breeding.patches.answers import apply_answer
from mendel.breeding.patches.outcomes import NotApplicable, Patched

FIRST = """\
def total(values):
    result = 0
    for value in values:
        result += value
    return result


def mean(values):
    return total(values) / len(values)
"""
SECOND = """\
export function total(values) {
  let result = 0;
  for (const value of values) {
    result += value;
  }
  return result;
}
"""
TWO = {"pkg/one.py": FIRST, "web/two.js": SECOND}
ONE = {"one.py": FIRST}

CHARACTERS = st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs"])
FEW = st.sampled_from(["", " ", "a", "b", "  a", "-- a", "++ b", "@@ -1 +1 @@", "--- a/x", "+++ b/x", "\\ x", "```"])
LINES = st.one_of(FEW, FEW, st.text(CHARACTERS, max_size=8))
"""Lines without an end: many that are the same, many that look like parts of an answer."""


@st.composite
def texts(draw):
    """A text of some lines, whose last one may have no end."""
    lines = draw(st.lists(LINES, max_size=14))
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"]))


def diff(old, new, path="x", context=3):
    """A unified diff between two texts, with the marks that difflib leaves out where a last line has no end."""
    texts = [text.split("\n") for text in (old, new)]
    lines = [[line + "\n" for line in text[:-1]] + ([text[-1]] if text[-1] else []) for text in texts]
    made = difflib.unified_diff(*lines, f"a/{path}", f"b/{path}", n=context)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in made)


def made(answer, files, form, **options):
    """The files after an answer that applies."""
    outcome = apply_answer(answer, files, form, **options)
    assert isinstance(outcome, Patched), outcome
    return outcome.files


def complaints(answer, files, form, **options):
    """Why an answer does not apply."""
    before = dict(files)
    outcome = apply_answer(answer, files, form, **options)
    assert isinstance(outcome, NotApplicable), outcome
    assert outcome.complaints
    assert files == before
    return "\n".join(outcome.complaints)
