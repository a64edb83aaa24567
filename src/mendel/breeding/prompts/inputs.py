"""The inputs of a mutation prompt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from mendel.breeding.patches.outcomes import Form
from mendel.contracts.untrusted import wrapped

OBJECTIVE: Final = "takes less time for the same answers"


@dataclass(frozen=True)
class Inspiration:
    """Another program: its files by path, and its gains per objective or overall; larger is better."""

    files: Mapping[str, str]
    gains: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """An input that breeding may see (rule 6), the expected result and, for a failure, the parent's result.

    All of them are short texts.
    """

    given: str
    expected: str
    got: str | None = None


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Restrictions on the change, written by Mendel or the user; no text of a candidate may appear here.

    ``free`` are the functions that may change, ``kept`` those that may not. ``imports`` are the modules that may be
    imported additionally; None leaves them unmentioned. ``same_answers`` requires the same result for every input.
    ``others`` are further sentences.
    """

    signature: str = ""
    free: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    imports: tuple[str, ...] | None = None
    same_answers: bool = True
    others: tuple[str, ...] = ()

    def words(self) -> Iterator[str]:
        """Yield every text of the rules."""
        yield from (self.signature, *self.free, *self.kept, *(self.imports or ()), *self.others)


NO_RULES: Final = Rules()


@dataclass(frozen=True, kw_only=True)
class MutationPrompt:
    """A parent that a model should change: its editable ``files`` by path, and information about it.

    ``objective`` completes the phrase "a program that". ``inspirations``, ``examples`` and ``failures`` are sorted by
    descending importance; a prompt that is too large loses inspirations first, then examples, then failures, each from
    the end. ``hot_lines`` are shares of the time by path and line, from 1.

    Raises:
        ValueError: there is no file, or a text of the instructions is not one line of plain words.
    """

    language: str
    files: Mapping[str, str]
    form: Form
    function: str = ""
    objective: str = OBJECTIVE
    rules: Rules = NO_RULES
    inspirations: tuple[Inspiration, ...] = ()
    examples: tuple[Case, ...] = ()
    failures: tuple[Case, ...] = ()
    hot_lines: Mapping[str, Mapping[int, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.files:
            raise ValueError("a prompt needs at least one file that may change")
        for words in self._ours():
            wrapped(words, "")  # refuses text with several lines or with a delimiter

    def _ours(self) -> Iterator[str]:
        yield from (self.language, self.function, self.objective, *self.files, *self.hot_lines, *self.rules.words())
        for each in self.inspirations:
            yield from (*each.files, *each.gains)
