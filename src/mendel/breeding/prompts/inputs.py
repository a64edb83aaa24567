"""What a question for a changed program is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from mendel.breeding.patches.outcomes import Form
from mendel.contracts.untrusted import wrapped

OBJECTIVE: Final = "takes less time for the same answers"


@dataclass(frozen=True)
class Inspiration:
    """Another program, its files by path, and how well it does by objective or in all, more being better."""

    files: Mapping[str, str]
    gains: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """An input of those that breeding may see (rule 6), what is right and, of a failure, what the parent answers.

    All of them are short texts.
    """

    given: str
    expected: str
    got: str | None = None


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What must not be changed, in words of ours or the user's: none of it may come from a candidate.

    ``free`` are the functions that may change and ``kept`` those that may not; ``imports`` the modules that may be
    imported beside what is, and None says nothing about them. ``same_answers``: for every input it answers as before.
    ``others`` are further sentences.
    """

    signature: str = ""
    free: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    imports: tuple[str, ...] | None = None
    same_answers: bool = True
    others: tuple[str, ...] = ()

    def words(self) -> Iterator[str]:
        """Everything that is said."""
        yield from (self.signature, *self.free, *self.kept, *(self.imports or ()), *self.others)


NO_RULES: Final = Rules()


@dataclass(frozen=True, kw_only=True)
class MutationPrompt:
    """One parent that a model shall change: its editable ``files`` by path, and what is known about it.

    ``objective`` goes on after "a program that". ``inspirations``, ``examples`` and ``failures`` come with the
    weightiest first: where there is no room, their last ones are left out, in that order. ``hot_lines`` are shares of
    the time, by path and line, from 1.

    Raises:
        ValueError: there is no file, or something that we say is not one line of plain words.
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
            wrapped(words, "")  # refuses what is not one line, or has a delimiter in it

    def _ours(self) -> Iterator[str]:
        yield from (self.language, self.function, self.objective, *self.files, *self.hot_lines, *self.rules.words())
        for each in self.inspirations:
            yield from (*each.files, *each.gains)
