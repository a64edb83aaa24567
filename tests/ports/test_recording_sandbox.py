from collections.abc import Sequence

import pytest

from mendel.contracts.errors import AllowanceSpent, SandboxFailed
from mendel.contracts.evaluations import Case, Isolation, Outcome, Program, ResourceUse, Tier
from mendel.ports.recording_sandbox import EvaluationBudget, RecordingSandbox
from mendel.ports.sandbox import Ask, Attempt, Sandbox

PROGRAM = Program.of("def f():\n    return 1\n", "f")


class Drawn(Sandbox):
    """A sandbox whose tier is drawn by a test, one for each attempt."""

    def __init__(self, tiers: Sequence[Tier]) -> None:
        self._tiers = list(tiers)
        self.closed = False

    async def attempt(self, ask: Ask) -> Attempt:
        isolation = Isolation(self._tiers.pop(0), (), "drawn")
        return Attempt((Outcome("value", 1),), ResourceUse(0.0, 0.0, 0, 1), isolation)

    async def isolation(self) -> Isolation:
        return Isolation("full", (), "drawn")

    async def aclose(self) -> None:
        self.closed = True


async def test_nothing_is_said_before_anything_ran():
    recording = RecordingSandbox(Drawn([]))
    assert recording.weakest is None
    assert (await recording.isolation()).tier == "full"
    assert recording.weakest is None


async def test_the_weakest_tier_of_all_is_remembered():
    recording = RecordingSandbox(Drawn(["full", "landlock", "namespaces", "weak", "full"]))
    seen = []
    for _ in range(5):
        await recording.evaluate(PROGRAM, [Case()])
        seen.append(recording.weakest)
    assert seen == ["full", "landlock", "landlock", "weak", "weak"]


async def test_closing_it_leaves_the_other_open():
    inner = Drawn(["full"])
    async with RecordingSandbox(inner) as recording:
        await recording.evaluate(PROGRAM, [Case()])
    assert not inner.closed


async def test_what_was_used_adds_up():
    recording = RecordingSandbox(Drawn(["full", "full"]))
    for _ in range(2):
        await recording.evaluate(PROGRAM, [Case()])
    assert recording.used.forks == 2


class Dying(Drawn):
    """A sandbox in which the second case of any attempt ends the process; it fails itself where a test says so."""

    def __init__(self) -> None:
        super().__init__([])
        self.broken = False

    async def attempt(self, ask: Ask) -> Attempt:
        if self.broken:
            raise SandboxFailed("it broke")
        outcomes = (Outcome("value", 1), Outcome("killed"))[: len(ask.cases)]
        return Attempt(outcomes, ResourceUse(0.0, 0.0, 0, 1), Isolation("full", (), "drawn"))


async def test_one_program_run_against_one_case_is_one_evaluation_and_what_never_ran_is_none():
    recording = RecordingSandbox(Dying(), EvaluationBudget(100))
    await recording.evaluate(PROGRAM, [Case()] * 5)
    assert recording.evaluations == 5
    await recording.evaluate(PROGRAM, [Case()] * 5, most_deaths=1)
    assert recording.evaluations == 7


async def test_more_than_is_allowed_is_never_begun_and_an_attempt_that_nobody_counted_counts_whole():
    inner = Dying()
    recording = RecordingSandbox(inner, EvaluationBudget(6))
    inner.broken = True
    with pytest.raises(SandboxFailed):
        await recording.evaluate(PROGRAM, [Case()] * 3)
    inner.broken = False
    assert recording.evaluations == 3
    with pytest.raises(AllowanceSpent, match=r"4 evaluations are needed, but 3 of the 6"):
        await recording.evaluate(PROGRAM, [Case()] * 4)
    assert recording.evaluations == 3
