"""A sandbox that plays back scripted answers instead of running programs, to count the decisions of the real gate.

Everything else is the public interface: :func:`mendel.guard.run`, a task with one property, two programs that are never
executed, and the chosen policy, interval and sequential method.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from mendel.contracts.evaluations import Isolation, Outcome, ResourceUse
from mendel.contracts.verdicts import Challenge
from mendel.guard import Implementation, Property, Report, TaskSpec, run
from mendel.ports.sandbox import Ask, Attempt, Sandbox

LOOKS: Final = 5
"""Number of looks of a sequential evaluation: the gate's default."""

BUDGET: Final = 0.05
"""The error budget of all challenges of a niche together."""

BASELINE: Final = Implementation.from_source("def solve(i):\n    return 'baseline'\n")
CANDIDATE: Final = Implementation.from_source("def solve(i):\n    return 'candidate'\n")

_ISOLATION: Final = Isolation("full", ("user", "mount", "pid", "net", "ipc", "seccomp", "landlock"), "scripted")
_USAGE: Final = ResourceUse(0.0, 0.0, 0, 1)
_OUTCOMES: Final = tuple(Outcome("value", answer) for answer in (False, True))


class Setting(NamedTuple):
    """One setting of the gate. ``challenge`` is the number of the challenge, 0 for a candidate on its own.

    ``interval`` is a ``ci_method``; None leaves the choice to the gate. In exact mode the interval is not chosen.
    """

    policy: str
    n: int
    mode: Literal["statistical", "absolute", "exact"] = "statistical"
    sequential: Literal["none", "always_valid", "pocock", "obrien_fleming"] = "none"
    alpha: float = BUDGET
    interval: str | None = None
    challenge: int = 0

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the numbers of cases at which the gate looks; every report is checked against them."""
        if self.sequential == "none":
            return (self.n,)
        return tuple(sorted({max(1, round(self.n * look / LOOKS)) for look in range(1, LOOKS + 1)}))


class Script(NamedTuple):
    """Each side's answers to case 0, 1, 2, …; in statistical and absolute mode True passes and False fails."""

    candidate: Sequence[bool]
    baseline: Sequence[bool]


class Part(NamedTuple):
    """``size`` consecutive cases: how many only the candidate passes, only the baseline passes, and neither."""

    size: int
    only_candidate: int
    only_baseline: int
    neither: int = 0


class ScriptedSandbox(Sandbox):
    """Answers case ``(i,)`` of either program from its script. It claims full isolation to allow adoptions."""

    def __init__(self, script: Script) -> None:
        self._answers = {_source(CANDIDATE): script.candidate, _source(BASELINE): script.baseline}

    async def attempt(self, ask: Ask) -> Attempt:
        """Return the answers in the script."""
        answers = self._answers[ask.program.files["candidate.py"]]
        return Attempt(tuple(_OUTCOMES[answers[_number(case.args)]] for case in ask.cases), _USAGE, _ISOLATION)

    async def isolation(self) -> Isolation:
        """Return full isolation."""
        return _ISOLATION

    async def aclose(self) -> None:
        """Do nothing."""


def _source(implementation: Implementation) -> str:
    return implementation.program.files["candidate.py"]


def _number(args: tuple[object, ...]) -> int:
    (number,) = args
    if not isinstance(number, int):
        raise TypeError(f"a scripted case is a number, not {number!r}")
    return number


def _numbered(n: int, _seed: int) -> Iterable[tuple[int]]:
    return [(number,) for number in range(n)]


def _itself(args: tuple[object, ...]) -> int:
    return _number(args)


def _passes(output: object, _number: int) -> bool:
    return output is True


PASSING: Final = TaskSpec("scripted", _numbered, [Property(_passes, "passes")])
CLUSTERED: Final = TaskSpec("scripted clusters", _numbered, [Property(_passes, "passes")], cluster_key=_itself)
AGREEING: Final = TaskSpec("scripted answers", _numbered)
"""In exact mode no property applies: an answer equals the baseline's or differs."""


def judge(setting: Setting, script: Script) -> Report:
    """Return the gate's report on a candidate and a baseline with the script's answers.

    Raises:
        mendel.contracts.errors.MendelError: as :func:`mendel.guard.run` does.
    """
    task = AGREEING if setting.mode == "exact" else CLUSTERED if setting.interval == "cluster" else PASSING
    challenge = Challenge.nth("scripted", setting.challenge, BUDGET) if setting.challenge else None
    return run(
        task,
        None if setting.mode == "absolute" else BASELINE,
        CANDIDATE,
        sandbox=ScriptedSandbox(script),
        challenge=challenge,
        mode=setting.mode,
        policy=setting.policy,
        n=setting.n,
        alpha=setting.alpha,
        ci_method=setting.interval,
        sequential=setting.sequential,
        lint=False,
        shrink=False,
        recheck=0.0,  # a script always gives the same answers
    )


def scripted(parts: Iterable[Part], source: random.Random) -> Script:
    """Return a script with these counts; the order within each part is drawn from ``source``."""
    pairs: list[tuple[bool, bool]] = []
    for size, only_candidate, only_baseline, neither in parts:
        both = size - only_candidate - only_baseline - neither
        part = [(True, False)] * only_candidate + [(False, True)] * only_baseline + [(False, False)] * neither
        part += [(True, True)] * both
        if len(part) != size:
            raise ValueError(f"{only_candidate} + {only_baseline} + {neither} are no part of {size} cases")
        source.shuffle(part)
        pairs += part
    return Script([ours for ours, _ in pairs], [theirs for _, theirs in pairs])
