from collections.abc import Sequence

from mendel.contracts.evaluations import Case, Isolation, Outcome, Program, ResourceUse, Tier
from mendel.ports.recording_sandbox import RecordingSandbox
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
