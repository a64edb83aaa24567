"""Slow functions from a seed: two or three slow idioms in a row, which no single library call can replace.

Each idiom turns a list of numbers into another; between them are arithmetic and filters with random constants.
``python -m benchmarks.generated_functions SEED`` shows one.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from itertools import count
from textwrap import indent
from typing import Any, Final, NamedTuple

from mendel.contracts.entropy import Entropy

FUNCTION: Final = "transform"
_WORDS: Final = ("kept", "rest", "marks", "parts", "steps", "found", "notes", "picks", "lines", "rows", "sums", "tags")
_ELEMENTS: Final = ("value", "number", "entry", "each", "point")
_PROBES: Final = (
    [number * number % 997 - 300 for number in range(80)],
    [Entropy("probe").below(2_001, number) - 1_000 for number in range(200)],
)
_LEAST: Final = 8
"""Minimum number of different values, or letters, in the answers to the probes."""


class Generated(NamedTuple):
    """A function: its source and its idioms."""

    seed: int
    source: str
    idioms: tuple[str, ...]


class Names(NamedTuple):
    """The names in a piece of the function: the list that it reads, the one that it creates, an element."""

    source: str
    made: str
    element: str


class Piece(NamedTuple):
    """Lines of the body, and lines of a helper function."""

    body: str
    beside: str = ""


Idiom = Callable[[Names, Entropy], Piece]


def generate(seed: int) -> Generated:
    """Return the function of a seed, always the same one. A function with too plain answers is drawn again."""
    drawn = (_drawn(seed, attempt) for attempt in count())
    return next(each for each in drawn if _says_something(each))


def _says_something(made: Generated) -> bool:
    """Whether its answers have enough different values, and depend on its input."""
    space: dict[str, Any] = {}
    exec(compile(made.source, "generated", "exec"), space)
    answers = [space[FUNCTION](items) for items in _PROBES]
    return all(len(set(answer)) >= _LEAST for answer in answers) and answers[0] != answers[1]


def _drawn(seed: int, attempt: int) -> Generated:
    entropy = Entropy("generated function", seed, attempt)
    pieces = 2 + entropy.below(2, "pieces")
    idioms = entropy.sample(sorted(IDIOMS), pieces, "idioms")
    words = entropy.sample(_WORDS, 2 * pieces + 1, "words")
    body, beside, source = "", "", "items"
    for place, name in enumerate(idioms):
        drawn = entropy.child("piece", place)
        names = Names(words[2 * place], words[2 * place + 1], drawn.pick(_ELEMENTS, "element"))
        piece = IDIOMS[name](names, drawn)
        body += _between(source, names, drawn) + piece.body
        beside += piece.beside
        source = names.made
    ending = entropy.pick(sorted(ENDINGS), "ending")
    answer, end = ENDINGS[ending](source, words[-1], entropy.child("ending"))
    text = _whole(answer, body + end, beside, (*idioms, ending))
    return Generated(seed, text, (*idioms, ending))


def _whole(answer: str, body: str, beside: str, idioms: tuple[str, ...]) -> str:
    told = ", then ".join(name.replace("_", " ") for name in idioms)
    head = f'"""Generated, and slow on purpose: {told}."""\n\n\n'
    own = f"def {FUNCTION}(items: list[int]) -> {answer}:\n" + indent(body, "    ")
    text = head + own + (f"\n\n{beside}" if beside else "")
    ast.parse(text)
    return text


def _between(source: str, names: Names, entropy: Entropy) -> str:
    """Return element-wise arithmetic, and sometimes a filter."""
    element, most = names.element, 100 + entropy.below(900, "most")
    shapes = (
        f"({element} * {2 + entropy.below(7, 'factor')} + {entropy.below(50, 'plus')}) % {most}",
        f"({element} + {element} // {2 + entropy.below(5, 'part')}) % {most}",
        f"abs({element} - {entropy.below(90, 'minus')}) % {most}",
        f"({element} ^ {1 + entropy.below(63, 'bits')}) % {most}",
    )
    step = 3 + entropy.below(5, "step")
    drop = f" if {element} % {step} != {entropy.below(step, 'drop')}" if entropy.unit("filter") < 0.5 else ""
    return f"{names.source} = [{entropy.pick(shapes, 'shape')} for {element} in {source}{drop}]\n"


# --- idioms --------------------------------------------------------------------------------------------------


def _dedupe(names: Names, entropy: Entropy) -> Piece:
    modulus = 300 + entropy.below(700, "modulus")
    key = f"{names.element} * {1 + entropy.below(6, 'factor')} % {modulus}"
    return Piece(
        f"{names.made}: list[int] = []\n"
        f"for {names.element} in {names.source}:\n"
        f"    key = {key}\n"
        f"    if key not in {names.made}:\n"
        f"        {names.made}.append(key)\n"
    )


def _membership(names: Names, entropy: Entropy) -> Piece:
    step = 2 + entropy.below(3, "step")
    shift = 1 + entropy.below(9, "shift")
    hit, miss = f"{names.element} + {shift}", f"-{names.element}"
    return Piece(
        f"wanted = [{names.element} for {names.element} in {names.source} if {names.element} % {step} == 0]\n"
        f"{names.made} = []\n"
        f"for {names.element} in {names.source}:\n"
        f"    if {names.element} + {shift} in wanted:\n"
        f"        {names.made}.append({hit})\n"
        "    else:\n"
        f"        {names.made}.append({miss})\n"
    )


def _counting(names: Names, entropy: Entropy) -> Piece:
    shown = f"{names.source}.count({names.element}) * {2 + entropy.below(5, 'factor')} + {names.element}"
    return Piece(
        f"{names.made} = []\nfor {names.element} in {names.source}:\n    {names.made}.append({shown})\n",
    )


def _slice_sums(names: Names, entropy: Entropy) -> Piece:
    width = 20 + entropy.below(60, "width")
    low = f"max(0, place - {width})" if entropy.unit("window") < 0.5 else ""
    return Piece(
        f"{names.made} = []\n"
        f"for place in range(len({names.source})):\n"
        f"    {names.made}.append(sum({names.source}[{low}:place + 1]) - {names.source}[place] * {_small(entropy)})\n"
    )


def _smallest_first(names: Names, entropy: Entropy) -> Piece:
    which = entropy.pick(("min", "max"), "which")
    return Piece(
        f"waiting = list({names.source})\n"
        f"{names.made} = []\n"
        "while waiting:\n"
        f"    {names.element} = {which}(waiting)\n"
        f"    waiting.remove({names.element})\n"
        f"    {names.made}.append({names.element} + len({names.made}) * {_small(entropy)})\n"
    )


def _invariant(names: Names, entropy: Entropy) -> Piece:
    spread = entropy.pick(("max({0}) - min({0})", "sum({0}) // len({0})", "len(set({0}))"), "spread")
    return Piece(
        f"{names.made} = []\n"
        f"for {names.element} in {names.source}:\n"
        f"    scale = abs({spread.format(names.source)}) + {_small(entropy)}\n"
        f"    {names.made}.append({names.element} * {_small(entropy, 'factor')} % scale)\n"
    )


def _pairs(names: Names, entropy: Entropy) -> Piece:
    shift = _small(entropy)
    other = entropy.pick((f"left + {shift}", f"{40 * shift} - left", f"left - {shift}", "left ^ 1"), "other")
    return Piece(
        f"{names.made} = []\n"
        f"for left in {names.source}:\n"
        "    hits = 0\n"
        f"    for right in {names.source}:\n"
        f"        if right == {other}:\n"
        "            hits += 1\n"
        f"    {names.made}.append(left + hits * {_small(entropy, 'weight')})\n"
    )


def _recursion(names: Names, entropy: Entropy) -> Piece:
    first, second = 5 + entropy.below(3, "first"), 4 + entropy.below(3, "second")
    more = f"paths(down - 1, right) * {_small(entropy)} + paths(down, right - 1)"
    return Piece(
        f"{names.made} = []\n"
        f"for {names.element} in {names.source}:\n"
        f"    {names.made}.append(paths({names.element} % {first}, {names.element} % {second}) + {names.element})\n",
        "def paths(down: int, right: int) -> int:\n"
        f"    if down == 0 or right == 0:\n        return down + right + {_small(entropy, 'base')}\n"
        f"    return {more}\n",
    )


def _sorting(names: Names, entropy: Entropy) -> Piece:
    rank = entropy.pick(("len(seen) // 2", "-1", "len(seen) // 3"), "rank")
    return Piece(
        "seen: list[int] = []\n"
        f"{names.made} = []\n"
        f"for {names.element} in {names.source}:\n"
        f"    seen.append({names.element})\n"
        "    seen = sorted(seen)\n"
        f"    {names.made}.append(seen[{rank}] - {names.element} * {_small(entropy)})\n"
    )


def _small(entropy: Entropy, label: str = "small") -> int:
    return 2 + entropy.below(6, label)


IDIOMS: Final[Mapping[str, Idiom]] = {
    "dedupe_by_list": _dedupe,
    "membership_in_list": _membership,
    "count_in_loop": _counting,
    "sum_of_slices": _slice_sums,
    "least_removed": _smallest_first,
    "invariant_in_loop": _invariant,
    "nested_pairs": _pairs,
    "naive_recursion": _recursion,
    "sort_in_loop": _sorting,
}


# --- endings -------------------------------------------------------------------------------------------------


def _as_list(source: str, made: str, entropy: Entropy) -> tuple[str, str]:
    step = 2 + entropy.below(4, "step")
    return "list[int]", f"{made} = [value * {step} - 1 for value in {source}]\nreturn {made}\n"


def _as_text(source: str, made: str, entropy: Entropy) -> tuple[str, str]:
    mark = entropy.pick((",", ";", " ", "-"), "mark")
    return "str", (f'{made} = ""\nfor value in {source}:\n    {made} = str(value) + "{mark}" + {made}\nreturn {made}\n')


def _as_tally(source: str, made: str, entropy: Entropy) -> tuple[str, str]:
    modulus = 20 + entropy.below(80, "modulus")
    return "dict[int, int]", (
        f"{made} = {{}}\n"
        f"for value in {source}:\n"
        f"    kind = value % {modulus}\n"
        f"    {made}[kind] = len([other for other in {source} if other % {modulus} == kind])\n"
        f"return {made}\n"
    )


ENDINGS: Final[Mapping[str, Callable[[str, str, Entropy], tuple[str, str]]]] = {
    "listed": _as_list,
    "text_by_adding": _as_text,
    "tally_by_scan": _as_tally,
}


if __name__ == "__main__":
    print(generate(int(sys.argv[1])).source, end="")
