"""Marks in comments: which functions of a file may change."""

import pytest
from tests.support.rows import check_rows

from mendel.breeding.code import Code
from mendel.breeding.regions import editable, refuse_idle_marks
from mendel.contracts.errors import ConfigError

PLAIN = """\
LIMIT = 3


def helper(x):
    return x


def main(x):
    return helper(x)


class Kept:
    def one(self):
        return 1

    def two(self):
        return 2
"""


def marked(**above):
    """The file with a line above each of the definitions that are named."""
    text = PLAIN
    for name, line in above.items():
        head = next(each for each in text.split("\n") if each.strip().startswith((f"def {name}(", f"class {name}:")))
        text = text.replace(head, f"{line}\n{head}")
    return text


def allowed(text, entry="main"):
    return editable(Code(text, "mine.py"), entry)


def test_without_marks_it_is_what_the_entry_calls_and_without_an_entry_everything():
    assert allowed(PLAIN) == ("main", "helper")
    assert allowed(PLAIN, None) == ("helper", "main", "Kept.one", "Kept.two")


@check_rows(
    ("text", "found"),
    [
        (marked(helper="# mendel: evolve"), ("helper",)),
        (marked(helper="# mendel: evolve", Kept="# mendel: end"), ("main", "helper")),
        (marked(helper="# mendel: evolve", main="# mendel: evolve"), ("main", "helper")),
        (marked(main="# mendel: evolve", helper="# mendel: keep"), ("main",)),
        (marked(main="# mendel: keep"), ("helper",)),
        (marked(helper="# mendel: evolve", main="# mendel: keep", Kept="# mendel: end"), ("helper",)),
        (marked(Kept="# mendel: evolve"), ("Kept.one", "Kept.two")),
        (marked(two="    # mendel: evolve"), ("Kept.two",)),
        (marked(Kept="# mendel: evolve", one="    # mendel: keep"), ("Kept.two",)),
        (marked(one="    # mendel: evolve", two="    # mendel: end"), ("Kept.one",)),
        (marked(helper="# mendel: evolve\n@cache"), ("helper",)),
        (marked(helper="# mendel: evolve\n\n# a word about it"), ("helper",)),
        (PLAIN.replace("def helper(x):", "def helper(x):  # mendel: evolve"), ("helper",)),
        (PLAIN.replace("def main(x):", "def main(x):  #mendel:keep"), ("helper",)),
        (PLAIN.replace("def helper(x):", "def helper(  # mendel: evolve\n    x,\n):"), ("helper",)),
        (PLAIN.replace("def helper(x):\n    return x", "def helper(x): return x  # mendel: evolve"), ("helper",)),
        (marked(helper="# mendel: evolve").replace("\n", "\r\n"), ("helper",)),
        ('TEXT = "# mendel: evolve"\n' + PLAIN, ("main", "helper")),
        ('"""\n# mendel: evolve\n"""\n' + PLAIN, ("main", "helper")),
        ("# mendel is mentioned here\n" + PLAIN, ("main", "helper")),
        (marked(main="## mendel: keep"), ("helper",)),
        (marked(main="# Mendel: Keep"), ("helper",)),
        (PLAIN.replace("def main(x):", "def main(x):  # noqa  # mendel: keep"), ("helper",)),
        (PLAIN.replace("def main(x):", "def main(x):  # mendel: keep  # noqa: ANN001"), ("helper",)),
        ("# what `# mendel: keep` is beside stays\n" + PLAIN, ("main", "helper")),
        ("# Mendel: a monk who bred peas\n" + PLAIN, ("main", "helper")),
    ],
)
def test_what_is_marked_may_change_and_nothing_else(text, found):
    assert allowed(text) == found


@check_rows(
    ("text", "told"),
    [
        (marked(Kept="# mendel: end"), r"mine\.py, line 12: `# mendel: end` without a `# mendel: evolve` above it"),
        ("# mendel: evolve\n" + PLAIN, r"mine\.py, line 1: `# mendel: evolve` has no `# mendel: end`; add it"),
        (PLAIN + "# mendel: evolve\n", r"line 18: `# mendel: evolve` has no `# mendel: end`"),
        ("# mendel: evolve\n# mendel: end\n" + PLAIN, r"line 1: no function between .* line 2"),
        ("# mendel: keep\n" + PLAIN, r"line 1: `# mendel: keep` applies to no function; put it above a `def`"),
        (PLAIN.replace("LIMIT = 3", "LIMIT = 3  # mendel: evolve"), "line 1: `# mendel: evolve` applies to no"),
        (PLAIN.replace("    return x", "    # mendel: evolve\n    return x"), "line 5: .* within the function helper"),
        (
            marked(helper="# mendel: evolve").replace("    return helper", "    # mendel: end\n    return helper"),
            "line 10: .* within the function main",
        ),
        (PLAIN.replace("    return x", "    return x  # mendel: keep"), "line 5: .* applies to no function"),
        (marked(main="# mendel: evolv"), r"line 8: unknown mark `# mendel: evolv`; did you mean evolve\?"),
        (marked(main="# mendel: xyz"), "line 8: unknown mark `# mendel: xyz`; the known marks are evolve, end, keep"),
        (marked(main="# Mendel: kep"), r"line 8: unknown mark `# mendel: kep`; did you mean keep\?"),
        (marked(main="# mendel keep"), r"line 8: unknown mark `# mendel keep`; did you mean `# mendel: keep`\?"),
        (marked(main="# MENDEL - end"), r"line 8: unknown mark `# MENDEL - end`; did you mean `# mendel: end`\?"),
        (
            marked(main="# def old(x):  # mendel: keep"),
            "line 8: `# mendel: keep` follows another comment; give it a line of its own",
        ),
        ("class Empty:  # mendel: evolve\n    x = 1\n", "line 1: .* applies to no function"),
    ],
)
def test_marks_that_cannot_be_are_refused_with_their_line_and_what_to_do(text, told):
    with pytest.raises(ConfigError, match=told):
        allowed(text)


@pytest.mark.parametrize(
    "marks", [{"Kept": "# mendel: evolve"}, {"main": "# mendel: keep", "helper": "# mendel: keep"}]
)
def test_marks_that_leave_the_entry_nothing_are_refused(marks):
    code = Code(marked(**marks), "mine.py")
    with pytest.raises(ConfigError, match=r"mine\.py, line \d+: the marks allow no change to main or"):
        refuse_idle_marks(code, "main", editable(code, "main"))


def test_a_mark_on_what_the_entry_calls_is_enough():
    code = Code(marked(helper="# mendel: evolve"), "mine.py")
    refuse_idle_marks(code, "main", editable(code, "main"))
