"""Rule 10: nothing is adopted but through the gate, and all challenges of a niche share one error budget."""

from __future__ import annotations

import asyncio
from math import isclose

import pytest
from tests.kernel.scripted import (
    CEILING,
    ScriptedDomain,
    Stage,
    ambitious,
    config_of,
    notes_of,
    of_type,
    payloads,
    thing,
    value_of,
    verdict,
)
from tests.kernel.test_niches import FIRST, SECOND, polar, two

from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.adapters.sandbox.native import NativeSandbox
from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import Usage
from mendel.contracts.errors import NicheClaimed
from mendel.contracts.events.envelope import Event
from mendel.contracts.run_config import NicheStart
from mendel.contracts.verdicts import Challenge, Decision
from mendel.contracts.work import Answer, Work
from mendel.guard import Sample, get_task, judge_samples, run_async
from mendel.guard.inputs import draw
from mendel.guard.tasks import program
from mendel.kernel.beginning import configure
from mendel.kernel.conductor import Options
from mendel.kernel.domain import Step
from mendel.kernel.replaying import Replay
from mendel.ports.handlers import Ports

PROGRAMS = ("cheat_constant_max", "bad", "improved", "cheat_imports_baseline")
ALPHA = 0.05


async def gate(work: Work, ports: Ports) -> Answer:
    """The real gate, behind the real walls, for whoever challenges."""
    (name,) = notes_of(work.material.content)
    report = await run_async(
        "top_k",
        program("top_k", "baseline"),
        program("top_k", name),
        sandbox=ports.sandbox,
        challenge=work.operation.challenge,
        candidate_id=work.operation.subject_ids[0],
        n=300,
        policy="noninferiority:margin=0.05",
    )
    return Answer(verdict=report.verdict)


class Breeding(Stage):
    """A run whose candidates are programs of the task top_k, the worse ones scored higher."""

    def __init__(self, sandbox: NativeSandbox, handler=gate) -> None:
        founders = [thing(10.0 - place, name) for place, name in enumerate(PROGRAMS)]
        domain = ScriptedDomain(
            founders=lambda config, entropy: founders,
            route=ambitious,
            handlers={"scripted.gate": handler},
            steps={"scripted.gate": Step(Usage(evaluations=100_000), ports=("sandbox",))},
        )
        domain.sandboxed = True  # type: ignore[misc]
        super().__init__(domain)
        self.sandbox = sandbox

    def fabric(self) -> MemoryTaskFabric:
        return MemoryTaskFabric(workers=0, handlers=self.domain.handlers.__getitem__, ports=Ports(self.sandbox))

    async def bred(self):
        config = config_of(caps={"max_population": 4, "max_generations": 1}, alpha=ALPHA)
        await self.configure(config)
        return await self.conduct()


async def history(handler=gate) -> list[Event]:
    """A whole run with a real gate, behind real walls."""
    async with NativeSandbox() as sandbox:
        stage = Breeding(sandbox, handler)
        await stage.bred()
        return await stage.events()


@pytest.fixture(scope="module")
def events() -> list[Event]:
    return asyncio.run(history())


def test_a_run_adopts_what_the_gate_proved_and_nothing_else(events):
    said = [event.verdict for event in payloads(events, "gate.verdict")]
    decisions = {verdict.candidate_id: verdict.decision for verdict in said}
    adopted = [event.candidate_id for event in payloads(events, "adoption.made")]
    assert list(decisions.values()).count(Decision.ADOPT) == 1
    assert adopted == [candidate for candidate, decision in decisions.items() if decision is Decision.ADOPT]
    assert {verdict.reasons[0].code for verdict in said if verdict.decision is Decision.REJECT} <= {
        "mismatch",
        "property_violated",
        "relation_violated",
        "lint",
        "load_failed",
    }


def test_every_verdict_spends_its_own_share_of_one_budget(events):
    spent = [event.verdict.challenge for event in payloads(events, "gate.verdict")]
    assert [challenge.k for challenge in spent] == list(range(1, len(spent) + 1))
    assert all(challenge == Challenge.nth(challenge.niche, challenge.k, ALPHA) for challenge in spent)


def test_each_challenge_is_judged_on_inputs_that_none_before_it_saw(events):
    seeds = [event.verdict.provenance.seeds["inputs"] for event in payloads(events, "gate.verdict")]
    assert len(set(seeds)) == len(seeds) > 1
    inputs = [repr(draw(get_task("top_k"), 20, seed)) for seed in seeds]
    assert len(set(inputs)) == len(inputs)


def test_a_run_with_real_verdicts_replays_to_the_same_state(events):
    replay = Replay()
    for event in events:
        replay.take(event)
    assert replay.report().agrees


async def judged(work: Work, named_for: int | None = None) -> Answer:
    """The real gate on recorded samples: on forty cases, each side's value each time."""
    operation = work.operation
    assert operation.challenge is not None
    sides = value_of(work.material.content), value_of(work.material.champion)
    k = named_for or operation.challenge.k
    verdict = judge_samples(
        [Sample(f"{k}/{number}", operation.id, *sides) for number in range(40)],
        mode="paired_reals",
        policy="superiority:margin=0.1sd",
        candidate_id=operation.subject_ids[0],
        challenge=operation.challenge,
        sandboxed=ScriptedDomain.sandboxed,
        used_cases=(),
    )
    return Answer(verdict=verdict)


async def judged_history(handler) -> list[Event]:
    """A whole run whose challengers ``handler`` judges."""
    rising = [thing(float(number)) for number in (1, 2, 0, 3)]
    domain = ScriptedDomain(
        founders=lambda config, entropy: rising, route=ambitious, handlers={"scripted.gate": handler}
    )
    stage = Stage(domain)
    await stage.configure(config_of(caps={"max_population": 4, "max_generations": 1}, alpha=ALPHA))
    await stage.conduct()
    return await stage.events()


async def test_cases_that_an_earlier_challenge_saw_are_no_verdict():
    async def stale(work: Work) -> Answer:
        return await judged(work, named_for=1)

    events = await judged_history(stale)
    said = [event.verdict for event in payloads(events, "gate.verdict")]
    failed = [each.message for each in payloads(events, "operation.failed") if each.step == "scripted.gate"]
    assert [each.challenge.k for each in said] == [1]
    assert failed
    assert all("fresh" in message for message in failed)


async def test_recorded_samples_spend_the_same_budget_and_replay_to_the_same_state():
    events = await judged_history(judged)
    said = [event.verdict for event in payloads(events, "gate.verdict")]
    assert said
    assert all(
        each.challenge == Challenge.nth(each.challenge.niche, place, ALPHA) for place, each in enumerate(said, 1)
    )
    assert all(each.intervals[0].alpha == each.challenge.alpha for each in said)
    assert {each.verdict_event_id for each in payloads(events, "adoption.made")} <= {
        event.id for event in of_type(events, "gate.verdict") if event.payload.verdict.decision is Decision.ADOPT
    }
    assert of_type(events, "adoption.made")
    replay = Replay()
    for event in events:
        replay.take(event)
    assert replay.report().agrees


async def test_a_verdict_that_spends_more_than_its_share_is_no_verdict():
    async def generous(work: Work) -> Answer:
        challenge = work.operation.challenge
        assert challenge is not None
        return Answer(verdict=verdict(work, Decision.ADOPT, challenge=challenge.model_copy(update={"alpha": 0.5})))

    events = await history(generous)
    assert not of_type(events, "adoption.made")
    assert not of_type(events, "gate.verdict")


def test_all_shares_of_a_budget_add_up_to_it():
    shares = [Challenge.nth("niche", k, ALPHA).alpha for k in range(1, 20_000)]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) < ALPHA
    assert isclose(sum(shares), ALPHA, rel_tol=1e-3)


# --- several niches, several runs ----------------------------------------------------------------------------


def spent_in(events: list[Event], niche: str) -> list[Challenge]:
    markers = [event.operation for event in payloads(events, "operation.started") if event.attempt == 1]
    return [each.challenge for each in markers if each.challenge is not None and each.challenge.niche == niche]


async def test_each_niche_has_one_budget_and_runs_of_it_count_on():
    """Two niches, two runs of both and one of the second alone, each interrupted in the middle of a challenge."""
    stage, spent = Stage(polar()), {FIRST: [], SECOND: []}
    for config in (two(alpha=ALPHA), two(alpha=ALPHA, rng_seed=2), config_of(alpha=ALPHA, niche=SECOND, rng_seed=3)):
        await stage.configure(config)
        await stage.interrupt(lambda event: bool(spent_in([event], SECOND)))
        with pytest.raises(NicheClaimed, match=f"is claimed by run {stage.run_id}"):
            await configure(stage.log, two(rng_seed=9), CEILING, domains=stage._found)
        await stage.conduct()
        events = await stage.events()
        spent = {niche: [*before, *spent_in(events, niche)] for niche, before in spent.items()}
    for niche, challenges in spent.items():
        assert challenges == [Challenge.nth(niche, k, ALPHA) for k in range(1, len(challenges) + 1)]
        assert sum(challenge.alpha for challenge in challenges) < ALPHA
    assert len(spent[SECOND]) > 1


async def test_no_configuration_gives_itself_a_fresh_budget_in_a_known_niche():
    stage = Stage(polar())
    await stage.configure(two(alpha=ALPHA))
    first = await stage.conduct()
    fresh = (NicheStart(niche=SECOND, challenges=0),)
    await stage.configure(two(alpha=ALPHA, rng_seed=2, challenges_before=0).model_copy(update={"niches": fresh}))
    second = await stage.folded()
    assert [niche.challenges for niche in second.niches.values()] == [each.challenges for each in first.niches.values()]


async def test_a_run_that_was_killed_has_spent_what_it_began_to_spend():
    stage = Stage(polar())
    await stage.configure(two(alpha=ALPHA))
    await stage.interrupt(lambda event: bool(spent_in([event], FIRST)))
    await stage.submit(CommandKind.KILL)
    await stage.conduct(Options(only_answer=True))
    began = len(spent_in(await stage.events(), FIRST))
    await stage.configure(two(alpha=ALPHA, rng_seed=2))
    await stage.conduct()
    assert spent_in(await stage.events(), FIRST)[0].k == began + 1 > 1
