"""The port through which untrusted code runs (rule 3). Nothing else in Mendel executes what somebody else wrote.

An implementer writes :meth:`Sandbox.attempt`, :meth:`Sandbox.isolation` and :meth:`Sandbox.aclose`; what callers use is
built on these here, so that no backend can leave a check out. ``mendel.conformance.sandbox`` is the contract suite.

Obligations:

* A program never learns anything but its own source, its arguments and what was granted: no oracle, no expected output,
  no seed, no other program's source or result, no environment, no file, no descriptor of the caller's.
* Every attempt begins in the same state; nothing that a program does reaches the next one.
* Whatever a program does, it ends as an outcome of its own cases. ``SandboxError`` means that the *sandbox* failed and
  that nothing is known about the program.
* Time and memory are the parent's measurements. Values are data of exactly known types; the caller alone compares.
* A backend that cannot hold all this says so in its :class:`~mendel.contracts.evaluations.Isolation`.

Many callers may use one sandbox at once; a cancelled call leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, Self

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import SandboxRefused
from mendel.contracts.evaluations import (
    NO_LIMITS_CHANGED,
    NOTHING_GRANTED,
    NOTHING_USED,
    Case,
    Evaluation,
    Grants,
    Isolation,
    Limits,
    Outcome,
    Program,
    ResourceUse,
    TimedSample,
)
from mendel.contracts.lint import Finding, Profile
from mendel.contracts.plain_values import identical
from mendel.ports.lint import lint

ALONE: Final = 3
"""Of the cases that are run again, so many each get a process of their own."""

MOST_DEATHS: Final = 32
"""So many processes may die of one batch; what is left of it then is not run."""

LEAST_SAMPLE_S: Final = 0.02
"""The least processor time of a timed batch; below it the clock and the fork say more than the function."""

MOST_FORKS: Final = 64
NEAR: Final = 4.0
"""Up to so many times the least that can be timed, a program is measured again before it is refused or not."""
FAR_APART: Final = 8.0
FEW_FORKS: Final = 12
"""Where one side is so many times as fast, fewer processes are enough to tell."""
LEAST_SHARE: Final = 0.02
"""Of what an empty process takes: a program is never said to take less than that, since nobody could tell."""

OTHER_HASHES: Final = 1
EMPTY: Final = Program.of("def empty(*args, **kwargs):\n    return None\n", "empty")

Checked = Callable[[int, Outcome], bool]
"""Whether the outcome of that case is what the caller expects; it runs on the caller's side of the wall."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one process: the outcomes of the first cases, the last of them perhaps its death.

    ``loaded`` is false where the program could not even be loaded; then ``outcomes`` has that one outcome.
    """

    outcomes: tuple[Outcome, ...]
    usage: ResourceUse
    isolation: Isolation
    output: str = ""
    output_truncated: bool = False
    loaded: bool = True


@dataclass(frozen=True, slots=True)
class Ask:
    """One process's work. ``batch_s`` is what is left of the batch's time; ``timed`` pins it to the timing core.

    ``hash_seed`` is the interpreter's: it is the same unless somebody wants to know whether it matters.
    """

    program: Program
    cases: Sequence[Case]
    limits: Limits
    grants: Grants
    batch_s: float
    timed: bool = False
    counted: bool = False
    hash_seed: int = 0


class Sandbox(ABC):
    """Runs programs that nobody trusts."""

    @abstractmethod
    async def attempt(self, ask: Ask) -> Attempt:
        """Run the cases in order in one fresh process, until the last one ended or the process did.

        Raises:
            SandboxUnavailable: too few layers can be had.
            SandboxRefused: a grant is not to be had, or the request is above a ceiling.
            SandboxFailed: it broke, for a reason that is not the program's.
        """

    @abstractmethod
    async def isolation(self) -> Isolation:
        """What is in force here, found out by attempting what each layer forbids.

        Raises:
            SandboxUnavailable: too few layers can be had, and a weak sandbox was not allowed.
        """

    @abstractmethod
    async def aclose(self) -> None:
        """End every process. Can be called again."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def lint(
        self,
        source: str,
        profile: Profile = "program",
        *,
        path: str = "candidate.py",
        known: Collection[str] = (),
        allow_imports: Collection[str] = (),
    ) -> tuple[Finding, ...]:
        """What the static policy says: early and friendly, but no wall."""
        return lint(source, profile, path=path, known=known, allow_imports=allow_imports)

    async def evaluate(
        self,
        program: Program,
        cases: Sequence[Case],
        *,
        limits: Limits = NO_LIMITS_CHANGED,
        grants: Grants = NOTHING_GRANTED,
        recheck: float = 0.0,
        entropy: Entropy | None = None,
        count_opcodes: bool = False,
        most_deaths: int = MOST_DEATHS,
        other_hashes: bool = False,
    ) -> Evaluation:
        """Call the program with each case, and say what came of it.

        The cases share a process as long as it lives; after a death the rest go on in a fresh one, until
        ``most_deaths`` died; what is left is then not run. With ``recheck``, that share of the cases (drawn by
        ``entropy``) is run again, a few alone and all in another order, and with ``other_hashes`` in an interpreter
        that hashes texts otherwise: a program that then answers differently is ``stateful``.

        Raises:
            SandboxError: as for :meth:`attempt`; never for what the program does.
        """
        ask = Ask(program, cases, limits, grants, limits.batch_s, counted=count_opcodes)
        evaluation = await self._batch(ask, most_deaths)
        if recheck <= 0 or not cases:
            return evaluation
        again = replace(ask, hash_seed=OTHER_HASHES if other_hashes else ask.hash_seed)
        return await self._rechecked(again, evaluation, _drawn(len(cases), recheck, entropy))

    async def compare(
        self,
        left: Program,
        right: Program,
        cases: Sequence[Case],
        *,
        check: Checked | None = None,
        limits: Limits = NO_LIMITS_CHANGED,
        grants: Grants = NOTHING_GRANTED,
    ) -> AsyncIterator[TimedSample]:
        """Time two programs over the same inputs, sample after sample, for as long as the caller asks for more.

        ``check`` sees every outcome of both; without it the right program must answer as the left one does. The cases
        of one sample should be distinct, so that remembering answers does not pay. Each side runs as often as it
        takes to be told from the cost of a process; the right one, if it is too fast even so, counts as the least
        that can be told.

        Raises:
            SandboxRefused: the left program takes too little time to be told from the cost of a process.
            SandboxError: as for :meth:`attempt`.
        """
        cases = self.timed_cases(cases)
        asks = [Ask(program, cases, limits, grants, limits.batch_s, timed=True) for program in (EMPTY, left, right)]
        forks = await self._forks_needed(asks, check)
        left_first = True
        while True:
            yield await self._sample(asks, forks, check, left_first=left_first)
            left_first = not left_first

    def timed_cases(self, cases: Sequence[Case]) -> Sequence[Case]:
        """The first of the cases, as many as make a timed sample: all of them, unless each takes long."""
        return cases

    async def _batch(self, ask: Ask, most_deaths: int = MOST_DEATHS) -> Evaluation:
        outcomes: list[Outcome] = []
        usage, output, truncated = NOTHING_USED, "", False
        attempt: Attempt | None = None
        while attempt is None or (
            len(outcomes) < len(ask.cases) and usage.wall_s < ask.batch_s and usage.forks < most_deaths
        ):
            rest = ask if attempt is None else _rest(ask, len(outcomes), usage.wall_s)
            attempt = await self.attempt(rest)
            usage += attempt.usage
            printed = (output + attempt.output).encode()
            truncated |= attempt.output_truncated or len(printed) > ask.limits.output_bytes
            output = printed[: ask.limits.output_bytes].decode("utf-8", "ignore")
            cannot_load = not attempt.loaded and not outcomes
            outcomes += attempt.outcomes * len(ask.cases) if cannot_load else attempt.outcomes
        missing = len(ask.cases) - len(outcomes)
        return Evaluation((*outcomes, *[_NOT_RUN] * missing), usage, attempt.isolation, output, truncated)

    async def _rechecked(self, ask: Ask, first: Evaluation, drawn: Sequence[int]) -> Evaluation:
        again: list[tuple[int, Outcome]] = []
        usage = first.usage
        for indices in (drawn, *([index] for index in drawn[:ALONE])):
            repeated = await self._batch(replace(ask, cases=[ask.cases[index] for index in indices]))
            usage += repeated.usage
            again += zip(indices, repeated.outcomes, strict=True)
        differing, unsure = await asyncio.to_thread(_contradicted, first.outcomes, again)
        return replace(
            first, usage=usage, stateful=True if differing else None if unsure else False, differing=differing
        )

    async def _forks_needed(self, asks: Sequence[Ask], check: Checked | None) -> tuple[int, int]:
        """How many processes each side of a sample takes; one that answers wrongly may be as fast as it likes."""
        empty, left, right = [await self.attempt(ask) for ask in asks]
        wrong = _wrong(left, right, len(asks[0].cases), check)
        slow = left.usage.cpu_s - empty.usage.cpu_s
        if slow * MOST_FORKS < NEAR * LEAST_SAMPLE_S:
            slow = await self._least_cpu_s(asks[1], left) - await self._least_cpu_s(asks[0], empty)
        if slow * MOST_FORKS < LEAST_SAMPLE_S:
            raise SandboxRefused(
                f"{len(asks[0].cases)} cases take {max(slow, 0) * 1e3:.3f} ms, too little to be timed;"
                f" give more or larger cases, {LEAST_SAMPLE_S * 1e3:.0f} ms of them or so"
            )
        fast = slow if wrong else right.usage.cpu_s - empty.usage.cpu_s
        far_apart = slow > FAR_APART * fast
        return _forks_for(slow), _forks_for(fast, FEW_FORKS if far_apart else MOST_FORKS)

    async def _least_cpu_s(self, ask: Ask, first: Attempt) -> float:
        """The least processor time of three attempts: on a busy machine one alone may err by more than is asked for."""
        return min(first.usage.cpu_s, *[(await self.attempt(ask)).usage.cpu_s for _ in range(2)])

    async def _sample(
        self, asks: Sequence[Ask], forks: tuple[int, int], check: Checked | None, *, left_first: bool
    ) -> TimedSample:
        seconds: list[list[float]] = [[], [], []]
        wrong, left_wrong = set[int](), set[int]()
        attempts: dict[int, Attempt] = {}
        for number in range(max(forks)):
            order = (1, 2, 0) if left_first == (number % 2 == 0) else (2, 1, 0)
            for at in order:
                if at == 0 or number < forks[at - 1]:
                    attempts[at] = await self.attempt(asks[at])
                    seconds[at].append(attempts[at].usage.cpu_s)
            bad = _wrong(attempts[1], attempts[2], len(asks[0].cases), check)
            wrong |= bad
            left_wrong |= {index for index in bad if check and not check(index, _outcome(attempts[1], index))}
        empty_s, left_s, right_s = (math.fsum(each) / len(each) for each in seconds)
        return TimedSample(
            left_s=left_s - empty_s,
            right_s=max(right_s - empty_s, LEAST_SHARE * empty_s),
            empty_s=empty_s,
            cases=len(asks[0].cases),
            forks=forks[0],
            right_forks=forks[1],
            left_first=left_first,
            wrong=tuple(sorted(wrong)),
            left_wrong=tuple(sorted(left_wrong)),
        )


def _forks_for(seconds: float, most: int = MOST_FORKS) -> int:
    """So many processes make a sample that is long enough; as many as there may be, where it is never."""
    return min(most, math.ceil(LEAST_SAMPLE_S / seconds)) if seconds > 0 else most


_NOT_RUN: Final = Outcome(
    "not_run", error_type="NotRun", error_code="SANDBOX_NOT_RUN", message="the time of the batch was over"
)


def _rest(ask: Ask, done: int, used_s: float) -> Ask:
    return replace(ask, cases=ask.cases[done:], batch_s=ask.batch_s - used_s)


def _drawn(count: int, share: float, entropy: Entropy | None) -> list[int]:
    """Which cases are run again, in another order than they stand."""
    wanted = min(count, math.ceil(count * share))
    source = entropy or Entropy(secrets.token_hex())
    drawn = list(source.sample(range(count), wanted, "recheck"))
    return drawn if drawn != sorted(drawn) else drawn[::-1]


def _contradicted(
    first: Sequence[Outcome], again: Sequence[tuple[int, Outcome]]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cases that answered differently when they were run again, and those of which one cannot be sure.

    Running out of time, or of the room that a process has for answers, may be the others' fault: that contradicts
    nothing, but it confirms nothing either.
    """
    different = [(index, outcome) for index, outcome in again if _differs(first[index], outcome)]
    unsure = {index for index, outcome in different if cramped(first[index]) or cramped(outcome)}
    differing = {index for index, outcome in different if not (cramped(first[index]) or cramped(outcome))}
    return tuple(sorted(differing)), tuple(sorted(unsure))


def cramped(outcome: Outcome) -> bool:
    """Whether a case might have ended otherwise with more time, or with more room for its answer."""
    return outcome.kind in ("timeout", "not_run") or outcome.error_code == "SANDBOX_RESULT_TOO_LARGE"


def _differs(first: Outcome, second: Outcome) -> bool:
    told = (first.kind, first.error_type, first.error_code) == (second.kind, second.error_type, second.error_code)
    return not told or not identical(first.value, second.value)


def _outcome(attempt: Attempt, index: int) -> Outcome:
    return attempt.outcomes[index] if attempt.loaded and index < len(attempt.outcomes) else _NOT_RUN


def _wrong(left: Attempt, right: Attempt, cases: int, check: Checked | None) -> set[int]:
    def good(index: int) -> bool:
        one, other = _outcome(left, index), _outcome(right, index)
        if check is not None:
            return check(index, one) and check(index, other)
        return one.kind == other.kind == "value" and identical(one.value, other.value)

    return {index for index in range(cases) if not good(index)}
