r"""``solve(text, width)``: the words of a text in lines of at most ``width`` characters, each as full as possible.

Words are separated by white space in the text, and by one blank in a line. A word wider than ``width`` has a line of
its own. A text without words gives no lines: ``solve(" \n", 5) == []``.
"""

from __future__ import annotations

import random
from typing import Any, Final

from mendel.guard.generators import arguments, integers, lists, one_of, sampled, text
from mendel.guard.registry import task
from mendel.guard.spec import Args, MetamorphicRelation, Metric, Property, TaskSpec

_MOST_WORDS: Final = 1_200
_WIDEST: Final = 400
_GAPS: Final = (" ", "  ", "\n", "\t", " \n ")

Lines = list[str]


@task("word_wrap")
def word_wrap() -> TaskSpec:
    """Build the task; its properties define the result completely, so mistakes are found even without a baseline."""
    words = lists(text("abcdeäß-.", 12, 1), _MOST_WORDS)  # not ASCII only: widths count characters, not bytes
    spaced = one_of(words.map(" ".join), words.map("  ".join), words.map("\n".join), text("ab \n\t", 60))
    return TaskSpec(
        name="word_wrap",
        gen_inputs=arguments(spaced, one_of(integers(1, 24), integers(1, _WIDEST), sampled((1, 12, 80)))),
        properties=(
            Property(_same_words, "the words of the text in their order, divided by single blanks"),
            Property(_narrow, "no line but a single long word is wider than the width"),
            Property(_full, "no line has room for the next one's first word"),
        ),
        relations=(
            MetamorphicRelation("other white space", _respaced, accepts_rng=True, category="noise"),
            MetamorphicRelation("another word", _another_word, _only_the_end_changes, category="extension"),
            MetamorphicRelation("wider", _wider, _no_more_lines, category="monotonicity"),
            MetamorphicRelation("words turned round", _turned_round, "properties_hold", category="permutation"),
        ),
        metrics=(Metric("lines", _count, kind="sum", higher_is_better=False),),
        fmt_in=_shown_input,
        fmt_out=_shown_output,
        valid=_valid,
    )


def _valid(*args: Any) -> bool:  # noqa: ANN401 - shrinking tries anything
    return len(args) == 2 and isinstance(args[0], str) and type(args[1]) is int and args[1] >= 1


def _same_words(output: Lines, passage: str, _width: int) -> bool:
    return [word for line in output for word in line.split(" ")] == passage.split()


def _narrow(output: Lines, _passage: str, width: int) -> bool:
    return all(len(line) <= width or " " not in line for line in output)


def _full(output: Lines, _passage: str, width: int) -> bool:
    firsts = (line.split(" ")[0] for line in output[1:])
    return all(len(line) + 1 + len(first) > width for line, first in zip(output, firsts, strict=False))


def _respaced(passage: str, width: int, *, rng: random.Random) -> Args:
    return "".join(rng.choice(_GAPS) + word for word in passage.split()) + rng.choice(_GAPS), width


def _another_word(passage: str, width: int) -> Args:
    return passage + " end", width


def _only_the_end_changes(before: Lines, after: Lines) -> bool:
    return after[: max(0, len(before) - 1)] == before[:-1] and after[-1].endswith("end")


def _wider(passage: str, width: int) -> Args:
    return passage, width + 1


def _no_more_lines(before: Lines, after: Lines) -> bool:
    return len(after) <= len(before)


def _turned_round(passage: str, width: int) -> Args:
    return passage[::-1], width


def _count(output: Lines, _args: Args) -> float:
    return float(len(output))


def _shown_input(args: Args) -> str:
    passage, width = args
    return f"text={passage!r}, width={width}"


def _shown_output(output: object) -> str:
    return "\n".join(map(repr, output)) if isinstance(output, list) and output else repr(output)
