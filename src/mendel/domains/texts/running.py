"""Commands in the sandbox, as seen by the gate and the steps: a program's output, or the score of it.

A program and the command that scores it never share a process: the scoring command has its own files, and sees only the
output and the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Final

from mendel.bench.timing import COMMANDS
from mendel.contracts.evaluations import (
    Case,
    Grants,
    Isolation,
    Limits,
    Outcome,
    Program,
)
from mendel.ports.command_program import (
    DRIVER,
    GRANTS,
    OUTPUT_BYTES,
    CommandResult,
    command_case,
    command_program,
    result_of,
)
from mendel.ports.sandbox import Ask, Attempt, Sandbox

SEED: Final = "MENDEL_SEED"
MOST_SHOWN: Final = 1_500
_ENTRY: Final = f"{DRIVER.removesuffix('.py')}:run"


@dataclass(frozen=True)
class Scorer:
    """The command that scores a program's output."""

    command: str
    program: Program
    seconds: float

    @classmethod
    def of(cls, command: str, files: dict[str, str], seconds: float) -> Scorer:
        """Return a scorer for a command with the files that it needs."""
        return cls(command, command_program(files), seconds)

    def case(self, printed: str, seed: str) -> Case:
        """Return the call that scores the output for a seed."""
        return seeded_case(self.command, seed, self.seconds, printed)


def seeded_case(command: str, seed: int | str, seconds: float, stdin: str = "") -> Case:
    """Return the call that runs a command with a seed, given in the environment and in place of ``{seed}``."""
    variables = {SEED: str(seed)}
    return command_case(command.replace("{seed}", str(seed)), stdin=stdin, seconds=seconds, variables=variables)


def seed_of(case: Case) -> str:
    """Return the seed of a call made by :func:`seeded_case`."""
    variables = case.args[3]
    return str(variables.get(SEED, "")) if isinstance(variables, dict) else ""


class CommandSandbox(Sandbox):
    """A sandbox around another one: programs are commands, with their own limits, and answer with their output.

    With a scorer they answer with the score of that, except when they are timed. An exit status other than 0 is an
    exception ``ExitStatus…``; a missing score is one too. A program's error stream becomes the message of its outcome,
    and is not part of the answer. Closing is left to the owner of the inner sandbox.
    """

    def __init__(self, inner: Sandbox, limits: Limits, scorer: Scorer | None = None) -> None:
        self._inner, self._limits, self._scorer = inner, limits, scorer

    async def attempt(self, ask: Ask) -> Attempt:
        """Run the commands, and return the outcome of each."""
        granted = replace(ask, grants=_granted(ask.grants), limits=self._limits)
        attempt = await self._inner.attempt(granted)
        if ask.program.entry != _ENTRY or not attempt.loaded:
            return attempt
        told = replace(attempt, outcomes=tuple(map(_told, attempt.outcomes)))
        return told if ask.timed or self._scorer is None else await self._scored(self._scorer, ask.cases, told)

    def timed_cases(self, cases: Sequence[Case]) -> Sequence[Case]:
        """Return a few cases: more seeds would add no information, and a command takes long."""
        return cases[: COMMANDS.inputs]

    async def isolation(self) -> Isolation:
        """Return the inner sandbox's isolation."""
        return await self._inner.isolation()

    async def aclose(self) -> None:
        """Do nothing: the inner sandbox is closed by its owner."""

    async def _scored(self, scorer: Scorer, cases: Sequence[Case], attempt: Attempt) -> Attempt:
        places = [place for place, outcome in enumerate(attempt.outcomes) if outcome.succeeded]
        if not places:
            return attempt
        asked = [scorer.case(str(attempt.outcomes[place].value), seed_of(cases[place])) for place in places]
        found = await self._inner.evaluate(scorer.program, asked, limits=self._limits, grants=GRANTS)
        outcomes = list(attempt.outcomes)
        for place, outcome in zip(places, found.outcomes, strict=True):
            outcomes[place] = _score(outcome)
        isolation = found.isolation if attempt.isolation.adoptable else attempt.isolation
        return replace(attempt, outcomes=tuple(outcomes), isolation=isolation)


def _granted(grants: Grants) -> Grants:
    return replace(grants, commands=True)


def _told(outcome: Outcome) -> Outcome:
    result = result_of(outcome)
    if result is None:
        return outcome if not outcome.succeeded else _raised("NoResult", "the command's end was not reported")
    if result.timed_out:
        message = f"it had not ended after {result.wall_s:.3g} s"
        return Outcome("timeout", error_type="Timeout", error_code="SANDBOX_TIMEOUT", message=message)
    if result.status != 0:
        return _raised(f"ExitStatus{result.status}", ended(result))
    if len(result.output.encode()) >= OUTPUT_BYTES:  # it may have been cut, so it cannot be compared
        return _raised("PrintsTooMuch", f"it prints {OUTPUT_BYTES:,} bytes or more")
    return Outcome("value", value=result.output, message=tail(result.errors))


def _score(outcome: Outcome) -> Outcome:
    """Return the score from the scoring command's output; without a number, the scored program is at fault."""
    told = _told(outcome)
    if not told.succeeded:
        return _raised("NoScore", f"what it prints cannot be scored: {told.message}")
    number = number_in(str(told.value))
    if number is None:
        return _raised("NoScore", f"the score of what it prints is not a number: {tail(str(told.value), 200)!r}")
    return Outcome("value", value=number)


def number_in(printed: str) -> float | None:
    """Return the finite number on the last line; None if there is none."""
    lines = printed.split()  # empty without any word, and then there is no last line
    try:
        number = float(printed.strip().rpartition("\n")[2]) if lines else float("nan")
    except ValueError:
        return None
    return number if isfinite(number) else None


def ended(result: CommandResult) -> str:
    """Describe how a command failed, with the end of its error stream."""
    status = f"signal {-result.status}" if result.status < 0 else f"exit status {result.status}"
    errors = tail(result.errors)
    return f"{status}; {errors}" if errors else status


def tail(text: str, most: int = MOST_SHOWN) -> str:
    """Return the end of a text."""
    stripped = text.strip()
    return stripped if len(stripped) <= most else f"…{stripped[-most:]}"


def _raised(name: str, message: str) -> Outcome:
    return Outcome("exception", error_type=name, error_code="SANDBOX_EXCEPTION", message=message)
