"""The port through which untrusted code runs (rule 3). Nothing else in Mendel executes code from outside.

An implementation provides :meth:`Sandbox.attempt`, :meth:`Sandbox.isolation` and :meth:`Sandbox.aclose`. The methods
for callers are built on these here, so that no backend can omit a check. ``mendel.conformance.sandbox`` is the contract
suite.

Obligations:

* A program sees only its own source, its arguments and its grants: no oracle, no expected output, no seed, no source or
  result of another program, no environment, no file, no descriptor of the caller's.
* Every attempt begins in the same state; nothing that a program does affects the next one.
* Whatever a program does, it ends as an outcome of its own cases. ``SandboxError`` means that the *sandbox* failed and
  that nothing is known about the program.
* Time and memory are measured by the parent. Values are data of exactly known types; only the caller compares them.
* A backend that cannot guarantee all this says so in its :class:`~mendel.contracts.evaluations.Isolation`.

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
"""Number of rechecked cases that run in a process of their own."""

MOST_DEATHS: Final = 32
"""Number of processes that may die in one batch; after that, the remaining cases are not run."""

LEAST_SAMPLE_S: Final = 0.02
"""The least processor time of a timed batch; below it, the clock and the fork outweigh the function."""

MOST_FORKS: Final = 64
NEAR: Final = 4.0
"""Up to this multiple of the least measurable time, a program is measured again before it can be refused."""
FAR_APART: Final = 8.0
FEW_FORKS: Final = 12
"""Maximum number of processes of the right side if it is at least ``FAR_APART`` times as fast."""
LEAST_SHARE: Final = 0.02
"""Lower bound of a program's time, as a share of an empty process's: smaller differences cannot be measured."""

OTHER_HASHES: Final = 1  # any hash seed other than the default
EMPTY: Final = Program.of("def empty(*args, **kwargs):\n    return None\n", "empty")

Checked = Callable[[int, Outcome], bool]
"""Returns whether the outcome of that case is as expected; it runs in the caller's process."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of one process: the outcomes of the first cases, the last of which may be the death of the process.

    ``loaded`` is false if the program could not be loaded; ``outcomes`` then has only that outcome.
    """

    outcomes: tuple[Outcome, ...]
    usage: ResourceUse
    isolation: Isolation
    output: str = ""
    output_truncated: bool = False
    loaded: bool = True


@dataclass(frozen=True, slots=True)
class Ask:
    """The work of one process. ``batch_s`` is the remaining time of the batch; ``timed`` pins it to the timing core.

    ``hash_seed`` is the interpreter's. It is constant, except in a recheck that tests whether it matters.
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
    """Runs untrusted programs."""

    @abstractmethod
    async def attempt(self, ask: Ask) -> Attempt:
        """Run the cases in order in one fresh process, until the last one has ended or the process has died.

        Raises:
            SandboxUnavailable: too few layers are available.
            SandboxRefused: a grant is not available, or the request exceeds a limit.
            SandboxFailed: the sandbox failed for a reason other than the program.
        """

    @abstractmethod
    async def isolation(self) -> Isolation:
        """Return the layers in force, measured by attempting what each layer forbids.

        Raises:
            SandboxUnavailable: too few layers are available, and a weak sandbox is not allowed.
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
        """Return the findings of the static policy: early advice, not protection."""
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
        """Call the program with each case and return the outcomes.

        The cases share a process as long as it lives. After a death the rest continue in a fresh process, until
        ``most_deaths`` processes have died; the remaining cases are then not run. With ``recheck``, that share of the
        cases (drawn by ``entropy``) is run again, a few alone and all in another order, and with ``other_hashes`` in an
        interpreter with another hash seed. A program that then answers differently is ``stateful``.

        Raises:
            SandboxError: as for :meth:`attempt`; never because of the program's behaviour.
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
        """Time two programs over the same inputs, sample after sample, until the caller stops.

        ``check`` receives every outcome of both; without it the right program must return the same values as the left
        one. The cases of one sample should be distinct, so that caching answers does not pay. Each side runs as often
        as needed to distinguish it from the cost of a process. If the right one is too fast even so, it counts as the
        least measurable time.

        Raises:
            SandboxRefused: the left program takes too little time to be distinguished from the cost of a process.
            SandboxError: as for :meth:`attempt`.
        """
        cases = self.timed_cases(cases)
        asks = [Ask(program, cases, limits, grants, limits.batch_s, timed=True) for program in (EMPTY, left, right)]
        forks = await self._forks_needed(asks, check)
        left_first = True
        while True:
            yield await self._sample(asks, forks, check, left_first=left_first)
            left_first = not left_first  # alternate, so that drift of the machine favours neither side

    def timed_cases(self, cases: Sequence[Case]) -> Sequence[Case]:
        """Return the first cases, as many as make a timed sample: all of them, unless each takes long."""
        return cases

    async def _batch(self, ask: Ask, most_deaths: int = MOST_DEATHS) -> Evaluation:
        outcomes: list[Outcome] = []
        usage, output, truncated = NOTHING_USED, "", False
        attempt: Attempt | None = None
        # At least one attempt, even without cases: it reports the isolation.
        while attempt is None or (
            len(outcomes) < len(ask.cases) and usage.wall_s < ask.batch_s and usage.forks < most_deaths
        ):
            rest = ask if attempt is None else _rest(ask, len(outcomes), usage.wall_s)
            attempt = await self.attempt(rest)
            usage += attempt.usage
            printed = (output + attempt.output).encode()  # the limit counts bytes
            truncated |= attempt.output_truncated or len(printed) > ask.limits.output_bytes
            output = printed[: ask.limits.output_bytes].decode("utf-8", "ignore")
            cannot_load = not attempt.loaded and not outcomes  # then it is the outcome of every case
            outcomes += attempt.outcomes * len(ask.cases) if cannot_load else attempt.outcomes
        missing = len(ask.cases) - len(outcomes)
        return Evaluation((*outcomes, *[_NOT_RUN] * missing), usage, attempt.isolation, output, truncated)

    async def _rechecked(self, ask: Ask, first: Evaluation, drawn: Sequence[int]) -> Evaluation:
        again: list[tuple[int, Outcome]] = []
        usage = first.usage
        # Once together in another order, and a few alone: either may reveal state.
        for indices in (drawn, *([index] for index in drawn[:ALONE])):
            repeated = await self._batch(replace(ask, cases=[ask.cases[index] for index in indices]))
            usage += repeated.usage
            again += zip(indices, repeated.outcomes, strict=True)
        differing, unsure = await asyncio.to_thread(_contradicted, first.outcomes, again)
        return replace(
            first, usage=usage, stateful=True if differing else None if unsure else False, differing=differing
        )

    async def _forks_needed(self, asks: Sequence[Ask], check: Checked | None) -> tuple[int, int]:
        """Return how many processes each side of a sample takes; a right side with wrong answers counts as slow."""
        empty, left, right = [await self.attempt(ask) for ask in asks]
        wrong = _wrong(left, right, len(asks[0].cases), check)
        slow = left.usage.cpu_s - empty.usage.cpu_s
        if slow * MOST_FORKS < NEAR * LEAST_SAMPLE_S:
            slow = await self._least_cpu_s(asks[1], left) - await self._least_cpu_s(asks[0], empty)
        if slow * MOST_FORKS < LEAST_SAMPLE_S:
            raise SandboxRefused(
                f"{len(asks[0].cases)} cases take {max(slow, 0) * 1e3:.3f} ms, too little to be timed;"
                f" use more or larger cases that take about {LEAST_SAMPLE_S * 1e3:.0f} ms"
            )
        fast = slow if wrong else right.usage.cpu_s - empty.usage.cpu_s
        far_apart = slow > FAR_APART * fast
        return _forks_for(slow), _forks_for(fast, FEW_FORKS if far_apart else MOST_FORKS)

    async def _least_cpu_s(self, ask: Ask, first: Attempt) -> float:
        """Return the least processor time of three attempts, because one alone is too noisy on a busy machine."""
        return min(first.usage.cpu_s, *[(await self.attempt(ask)).usage.cpu_s for _ in range(2)])

    async def _sample(
        self, asks: Sequence[Ask], forks: tuple[int, int], check: Checked | None, *, left_first: bool
    ) -> TimedSample:
        seconds: list[list[float]] = [[], [], []]
        wrong, left_wrong = set[int](), set[int]()
        attempts: dict[int, Attempt] = {}
        for number in range(max(forks)):
            order = (1, 2, 0) if left_first == (number % 2 == 0) else (2, 1, 0)  # the empty program always last
            for at in order:
                if at == 0 or number < forks[at - 1]:
                    attempts[at] = await self.attempt(asks[at])
                    seconds[at].append(attempts[at].usage.cpu_s)
            bad = _wrong(attempts[1], attempts[2], len(asks[0].cases), check)
            wrong |= bad
            # Without a check, the left program defines the right answers.
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
    """Return how many processes make a sample long enough, limited to ``most``."""
    return min(most, math.ceil(LEAST_SAMPLE_S / seconds)) if seconds > 0 else most


_NOT_RUN: Final = Outcome(
    "not_run", error_type="NotRun", error_code="SANDBOX_NOT_RUN", message="the time of the batch was over"
)


def _rest(ask: Ask, done: int, used_s: float) -> Ask:
    return replace(ask, cases=ask.cases[done:], batch_s=ask.batch_s - used_s)


def _drawn(count: int, share: float, entropy: Entropy | None) -> list[int]:
    """Return the cases to run again, never in their original order."""
    wanted = min(count, math.ceil(count * share))
    source = entropy or Entropy(secrets.token_hex())  # unpredictable for the program
    drawn = list(source.sample(range(count), wanted, "recheck"))
    return drawn if drawn != sorted(drawn) else drawn[::-1]


def _contradicted(
    first: Sequence[Outcome], again: Sequence[tuple[int, Outcome]]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cases that answered differently when they were run again, and the cases that are inconclusive.

    A case may run out of time, or of the process's room for answers, because of other cases. That neither contradicts
    nor confirms its first answer.
    """
    different = [(index, outcome) for index, outcome in again if _differs(first[index], outcome)]
    unsure = {index for index, outcome in different if cramped(first[index]) or cramped(outcome)}
    differing = {index for index, outcome in different if not (cramped(first[index]) or cramped(outcome))}
    return tuple(sorted(differing)), tuple(sorted(unsure))


def cramped(outcome: Outcome) -> bool:
    """Return whether a case might have ended differently with more time, or with more room for its answer."""
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
