"""Parameters of a domain: admitted by it, recorded when they take effect, and in force for what starts after that."""

import asyncio

from tests.kernel.scripted import ScriptedDomain, Stage, config_of, payloads, thing, value_of

from mendel.contracts.commands import CommandKind
from mendel.contracts.work import Answer
from mendel.kernel.digest import state_digest
from mendel.kernel.domain import Refused


class Tunable(ScriptedDomain):
    """Takes a pace above nought, and remembers what each execution was shown."""

    def __init__(self):
        super().__init__(handlers={"scripted.look": self.looking})
        self.shown = []
        self.gate = asyncio.Event()
        self.waiting = asyncio.Event()

    def admit_parameters(self, wanted, before, config):
        pace = wanted.get("pace")
        if not isinstance(pace, int | float) or pace <= 0:
            return Refused("the pace is a number above nought")
        if pace > 1_000:
            raise ValueError("nobody is so fast")
        return thing(pace, *(["again"] if before is not None else []))

    async def looking(self, work):
        pace = value_of(work.material.parameters) if work.material.parameters is not None else None
        self.shown.append((work.operation.id, work.attempt, pace))
        if len(self.shown) == 1:
            self.waiting.set()
            await self.gate.wait()
        return Answer(findings=thing(1.0))


async def tuned(*wishes, interrupted=False):
    """A run whose first examination is under way while the parameters are set."""
    domain = Tunable()
    stage = Stage(domain)
    await stage.configure(config_of(slots=1, caps={"max_population": 4, "max_generations": 1}))
    running = asyncio.create_task(stage.conduct())
    await domain.waiting.wait()
    for wish in wishes:
        await stage.submit(CommandKind.SET_PARAMETERS, **wish)
    while len(payloads(await stage.events(), "command.accepted", "command.refused")) < len(wishes):
        await asyncio.sleep(0.001)
    if interrupted:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        domain.gate.set()
        return domain, await stage.conduct(), stage
    domain.gate.set()
    return domain, await running, stage


async def test_what_starts_after_sees_the_new_ones_and_what_is_in_flight_does_not():
    domain, state, stage = await tuned({"domain": {"pace": 3}})
    assert state.status == "completed"
    assert [pace for _, _, pace in domain.shown] == [None, 3.0, 3.0, 3.0]
    (accepted,) = payloads(await stage.events(), "command.accepted")
    assert value_of(accepted.parameters) == 3.0
    assert state_digest(state) == state_digest(await stage.folded())


async def test_what_was_in_flight_at_a_kill_is_performed_again_with_those_that_it_was_started_with():
    domain, state, _ = await tuned({"domain": {"pace": 3}}, interrupted=True)
    assert state.status == "completed"
    first = domain.shown[0][0]
    assert [(attempt, pace) for name, attempt, pace in domain.shown if name == first] == [(1, None), (2, None)]
    assert {pace for name, _, pace in domain.shown if name != first} == {3.0}


async def test_what_the_domain_does_not_admit_is_refused_with_its_reason_and_nothing_of_it_takes_effect():
    wishes = ({"domain": {"pace": 0}}, {"domain": {"pace": 9_999}}, {"domain": 3}, {"slots": 0, "domain": {"pace": 5}})
    domain, state, stage = await tuned(*wishes)
    reasons = [each.reason for each in payloads(await stage.events(), "command.refused")]
    assert reasons[0] == "the pace is a number above nought"
    assert "admit_parameters raised ValueError" in reasons[1]
    assert reasons[2] == "domain must be a table of the domain's parameters"
    assert reasons[3].startswith("slots must be a whole number")
    assert {pace for _, _, pace in domain.shown} == {None}
    assert state.parameters is None


async def test_the_next_ones_are_made_knowing_those_before():
    domain, state, _ = await tuned({"domain": {"pace": 3}}, {"domain": {"pace": 4}, "slots": 2})
    assert state.parameters == thing(4, "again")
    assert {pace for _, _, pace in domain.shown[1:]} == {4.0}
    assert state.slots == 2
