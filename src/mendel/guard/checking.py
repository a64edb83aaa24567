"""Checking answers: violated properties and relations, and mismatches with the baseline's answers.

This module runs a task's own code on the answers of programs. An error in that code on a candidate's answer counts
against the candidate; an error on the baseline's own answer is a mistake in the task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from mendel.contracts.errors import SpecFailed
from mendel.contracts.evaluations import Outcome
from mendel.contracts.plain_values import identical
from mendel.guard.observing import Answers
from mendel.guard.spec import Args, MetamorphicRelation, Property, TaskSpec, positional, shown
from mendel.guard.trials import Trial, copied

LATE: Final = frozenset({"timeout", "not_run"})
"""Kinds of outcome that a busy machine may cause."""

WATCHED: Final = 32
"""Number of checks whose arguments are compared before and after, to catch checks that modify them."""


@dataclass(frozen=True, slots=True)
class Breach:
    """One violation by a side on one trial; ``place`` is the index of the relation's variant, None for the input."""

    kind: Literal["mismatch", "property", "relation", "failure"]
    name: str
    detail: str = ""
    place: int | None = None


class _Raised(Exception):
    """A task's own function raised."""


class Checker:
    """Applies a task's properties, relations and equivalence."""

    def __init__(self, spec: TaskSpec) -> None:
        self._spec = spec
        self._hard = spec.hard
        self.soft = [rule for rule in spec.properties if rule.mode == "soft"]
        self._watched = 0

    def breaches(self, trial: Trial, answers: Answers) -> tuple[Breach, ...]:
        """Collect a side's own breaches: no answer, or violated hard properties and relations."""
        original = answers.original
        if original.kind != "value":
            return (failure(original),)
        found = [*self._violated(self._hard, original.value, trial.args)]
        for place, relation in enumerate(self._spec.relations):
            found += self._relation(relation, place, trial, answers)
        return tuple(found)

    def soft_breaches(self, trial: Trial, answers: Answers) -> list[str]:
        """Name the soft properties that do not hold."""
        if not self.soft or not answers.original.succeeded:
            return []
        return [breach.name for breach in self._violated(self.soft, answers.original.value, trial.args)]

    def mismatches(self, candidate: Answers, baseline: Answers) -> Iterator[Breach]:
        """Yield the mismatches between the candidate's and the baseline's answers, to the input and to its variants.

        Where the baseline raised, an error of the same type is the same answer.

        Raises:
            SpecFailed: the equivalence cannot even compare an answer of the baseline with itself.
        """
        places: list[int | None] = [None, *range(len(candidate.variants))]
        for place in places:
            ours, theirs = _at(candidate, place), _at(baseline, place)
            if ours is not None and theirs is not None:
                why = self._differs(ours, theirs)
                if why is not None:
                    yield Breach("mismatch", "equivalence", why, place)

    def _differs(self, ours: Outcome, theirs: Outcome) -> str | None:
        if theirs.kind == "exception":
            same = ours.kind == "exception" and ours.error_type == theirs.error_type
            return None if same else f"the baseline raises {theirs.error_type} here"
        if theirs.kind != "value" or ours.kind != "value":
            return None  # a missing answer is a breach of its own
        return self._not_equivalent(ours.value, theirs.value)

    def _not_equivalent(self, ours: Any, theirs: Any) -> str | None:  # noqa: ANN401 - whatever programs answer
        try:
            equal = self._equivalent(ours, theirs)
        except _Raised as raised:
            self._compare_with_itself(theirs)
            return f"the equivalence {raised}"
        return None if equal else "its answer differs from the baseline's"

    def _compare_with_itself(self, value: Any) -> None:  # noqa: ANN401 - whatever programs answer
        try:
            self._equivalent(value, value)
        except _Raised as raised:
            raise SpecFailed(
                f"task {self._spec.name!r}: the equivalence {raised} when it compares an answer of the baseline with"
                f" itself: {self.shown_output(value)[:500]}"
            ) from raised.__cause__

    def _equivalent(self, left: Any, right: Any) -> bool:  # noqa: ANN401 - whatever programs answer
        """Apply the task's equivalence; identical values are always equivalent, even ``nan``."""
        return _called(self._spec.equivalence, left, right) or identical(left, right)

    def _violated(self, rules: list[Property], output: Any, args: Args) -> Iterator[Breach]:  # noqa: ANN401
        for rule in rules:
            before = copied((output, args)) if self._watched < WATCHED else None  # copies of all would be slow
            try:
                if not _called(rule.check, output, *args):
                    yield Breach("property", rule.description)
            except _Raised as raised:
                yield Breach("property", rule.description, f"its check {raised}")
            if before is not None:
                self._watch(rule, before, (output, args))

    def _watch(self, rule: Property, before: object, after: object) -> None:
        """Refuse a check that modifies its arguments or the output: later checks would see other values."""
        self._watched += 1
        if not identical(before, after):
            raise SpecFailed(
                f"task {self._spec.name!r}: the check of property {rule.description!r} changes its arguments or the"
                " output in place; let it work on a copy"
            )

    def _relation(self, relation: MetamorphicRelation, place: int, trial: Trial, answers: Answers) -> Iterator[Breach]:
        after, args = answers.variants[place], trial.variants[place]
        if after is None or args is None:
            return
        if after.kind != "value":
            yield Breach("relation", relation.name, f"on the transformed input: {_told(after)}", place)
            return
        try:
            if not self._related(relation, answers.original.value, after.value, trial.args, args):
                yield Breach("relation", relation.name, "", place)
        except _Raised as raised:
            yield Breach("relation", relation.name, f"its expectation {raised}", place)

    def _related(self, relation: MetamorphicRelation, before: Any, after: Any, args: Args, transformed: Args) -> bool:  # noqa: ANN401
        expect = relation.expect
        if expect == "equal":
            return self._equivalent(before, after)
        if not callable(expect):
            return not any(self._violated(self._hard, after, transformed))
        given = (before, after, args, transformed) if positional(expect) == 4 else (before, after)
        return _called(expect, *given)

    def shown_input(self, args: Args) -> str:
        """Format arguments with the task's formatter."""
        return _shown(self._spec.fmt_in, args)

    def shown_output(self, value: Any) -> str:  # noqa: ANN401 - whatever programs answer
        """Format an output with the task's formatter."""
        return _shown(self._spec.fmt_out, value)


def failure(outcome: Outcome) -> Breach:
    """Build the breach for an outcome without an answer."""
    return Breach("failure", str(outcome.error_code), _told(outcome))


def _told(outcome: Outcome) -> str:
    where = f" (line {outcome.line})" if outcome.line else ""
    if outcome.kind == "exception" or outcome.error_code == "SANDBOX_LOAD_FAILED":
        return f"it raises {outcome.error_type}: {outcome.message}{where}"
    return outcome.message or outcome.kind


def _at(answers: Answers, place: int | None) -> Outcome | None:
    return answers.original if place is None else answers.variants[place]


def _called(function: Callable[..., Any], *args: Any) -> bool:  # noqa: ANN401 - a task's own code
    try:
        return bool(function(*args))
    # Broad on purpose: a task's own code is a boundary; each caller decides which side is at fault. Exiting counts too.
    except (Exception, SystemExit) as error:
        raise _Raised(f"raised {type(error).__name__}: {error}") from error


def _shown(show: Callable[[Any], str], value: Any) -> str:  # noqa: ANN401 - whatever programs answer
    try:
        return str(show(value))
    # Broad on purpose: the formatter is a task's own code, and its errors must not fail the evaluation.
    except Exception:  # noqa: BLE001
        return shown(value)
