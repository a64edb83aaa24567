"""Before the gate, across runs, and commands from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from math import pi

from tests.kernel.scripted import (
    ONE,
    ScriptedDomain,
    Stage,
    ambitious,
    breed,
    config_of,
    failing,
    gate,
    looked_at,
    of_type,
    payloads,
    scored_at_once,
    several,
    thing,
    until,
    value_of,
    verdict,
)
from tests.support.rows import check_rows

from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import EnergyCosts
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.statuses import RunStatus
from mendel.contracts.verdicts import Challenge as Budget
from mendel.contracts.verdicts import Decision
from mendel.contracts.work import Answer, Work
from mendel.kernel.beginning import continued
from mendel.kernel.conductor import Options
from mendel.kernel.domain import Refused
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Adopt, Challenge, Confirm, Move, Revoke

PACES = check_rows("pace", ["generational", "birth", "arrival"])


# --- the gate ------------------------------------------------------------------------------------------------


@PACES
async def test_a_challenger_that_the_gate_lets_in_is_adopted_and_confirmed(pace: str) -> None:
    state, events = await breed(config_of(pace=pace), ScriptedDomain(route=ambitious))
    made, confirmed = payloads(events, "adoption.made"), payloads(events, "adoption.confirmed")
    assert made
    assert [each.candidate_id for each in made] == [each.candidate_id for each in confirmed]
    verdicts = {event.id: event.payload.verdict for event in of_type(events, "gate.verdict")}
    assert all(verdicts[each.verdict_event_id] == each.verdict for each in made)
    assert [each.replaces for each in made] == [None, *(each.candidate_id for each in made[:-1])]
    assert state.niche.champion_id == made[-1].candidate_id
    assert events[-1].payload.final_candidate_id == made[-1].candidate_id


@PACES
async def test_challenges_are_numbered_and_spend_what_their_number_leaves_them_one_at_a_time(pace: str) -> None:
    _, events = await breed(config_of(pace=pace, slots=4, alpha=0.1), ScriptedDomain(route=ambitious))
    budgets, open_ones = [], set()
    for event in of_type(events, "operation.started", "operation.completed", "operation.failed"):
        if event.type == "operation.started" and event.payload.operation.kind == "challenge":
            budgets.append(event.payload.operation.challenge)
            assert not open_ones
            open_ones.add(event.operation_id)
        open_ones -= {event.operation_id} if event.type != "operation.started" else set()
    assert [each.k for each in budgets] == list(range(1, len(budgets) + 1))
    assert [each.alpha for each in budgets] == [0.1 * 6 / (pi**2 * k**2) for k in range(1, len(budgets) + 1)]
    assert sum(each.alpha for each in budgets) < 0.1


def climbing(config, entropy):
    return [thing(value) for value in (3.0, 1.0, 2.0, 5.0, 4.0, 6.0)]


def scored_first(dossier: Dossier) -> Sequence[Move]:
    """As ``ambitious``, but scored without a look, so that all of them wait before the gate at once."""
    return ambitious(dossier) if dossier.phase == "contending" else scored_at_once(dossier)


def challengers(events: Sequence[Event]) -> list[float]:
    """The fitness of those who came before the gate, in their order."""
    scores = {each.score.candidate_id: each.score.total for each in payloads(events, "fitness.scored")}
    started = [each.operation for each in payloads(events, "operation.started") if each.attempt == 1]
    return [scores[each.subject_ids[0]] for each in started if each.kind == "challenge"]


@check_rows(("pace", "heard"), [("generational", [3.0, 5.0, 6.0]), ("birth", [3.0, 5.0, 6.0]), ("arrival", [6.0])])
async def test_the_fittest_goes_first_unless_results_count_by_birth(pace: str, heard: list[float]) -> None:
    domain = ScriptedDomain(founders=climbing, route=scored_first)
    caps = {**ONE, "max_candidates": 6}
    _, events = await breed(config_of(pace=pace, caps=caps, window=6), domain)
    assert challengers(events) == heard


@PACES
@check_rows("cut", ["operation.started", "gate.verdict", "adoption.made", "adoption.confirmed"])
async def test_whoever_stands_before_the_gate_when_the_conductor_dies_is_heard_once(pace: str, cut: str) -> None:
    stage = Stage(ScriptedDomain(founders=climbing, route=scored_first))
    await stage.configure(config_of(pace=pace, caps={**ONE, "max_candidates": 6}, window=6))
    await stage.interrupt(lambda event: event.type == cut)
    state = await stage.conduct()
    events = await stage.events()
    assert challengers(events) == ([6.0] if pace == "arrival" else [3.0, 5.0, 6.0])
    assert [each.candidate_id for each in payloads(events, "adoption.confirmed")][-1] == state.niche.champion_id


def undaunted(dossier: Dossier) -> Sequence[Move]:
    """As ``scored_first``; a candidate without a verdict challenges, again and again."""
    undecided = dossier.phase == "contending" and dossier.decision is None
    return (Challenge(step="scripted.gate"),) if undecided else scored_first(dossier)


async def gate_unless(work: Work, fails: Callable[[float], bool]) -> Answer:
    if fails(value_of(work.material.content)):
        raise HandlerFailed("unlucky", "it does not work")
    return await gate(work)


def failing_for(fails: Callable[[float], bool]) -> ScriptedDomain:
    """Six founders, each scored by its value; those for which the gate fails challenge in vain."""

    async def judge(work: Work) -> Answer:
        return await gate_unless(work, fails)

    return ScriptedDomain(founders=climbing, route=undaunted, handlers={"scripted.gate": judge})


CLIMBING = {**ONE, "max_candidates": 6}


@PACES
async def test_a_candidate_whose_challenge_failed_does_not_challenge_again(pace: str) -> None:
    """The share of the failed challenge stays spent."""
    domain = failing_for(lambda value: value in (2.0, 4.0))
    state, events = await breed(config_of(pace=pace, caps=CLIMBING, window=6), domain)
    heard = [6.0, 5.0, 4.0, 3.0, 2.0, 1.0] if pace == "arrival" else [3.0, 1.0, 2.0, 5.0, 4.0, 6.0]
    assert challengers(events) == heard
    assert state.niche.challenges == 6
    assert state.status is RunStatus.COMPLETED


@PACES
async def test_a_niche_in_which_three_challenges_in_a_row_failed_makes_no_more(pace: str) -> None:
    domain = failing_for(lambda value: True)
    state, events = await breed(config_of(pace=pace, caps=CLIMBING, window=6), domain)
    assert len(challengers(events)) == 3
    assert (state.niche.challenges, state.status) == (3, RunStatus.COMPLETED)


@PACES
async def test_a_verdict_between_failed_challenges_lets_the_niche_go_on(pace: str) -> None:
    domain = failing_for(lambda value: value not in (2.0, 5.0))
    _, events = await breed(config_of(pace=pace, caps=CLIMBING, window=6), domain)
    heard = [6.0, 5.0, 4.0, 3.0, 2.0, 1.0] if pace == "arrival" else [3.0, 1.0, 2.0, 5.0, 4.0, 6.0]
    assert challengers(events) == heard


async def test_a_niche_without_luck_leaves_the_challenges_of_another_alone() -> None:
    domain = failing_for(lambda value: value < 4.0)
    domain._niche = lambda content, config: config.all_niches[value_of(content) >= 4.0]
    domain._founders = lambda config, entropy: [thing(value) for value in (3.0, 1.0, 2.0, 0.5, 5.0, 4.0, 6.0)]
    caps = {**ONE, "max_candidates": 7, "max_population": 14}
    state, events = await breed(config_of(caps=caps, niches=2), domain)
    assert [niche.challenges for niche in state.niches.values()] == [3, 3]
    assert challengers(events).count(0.5) == 0


@PACES
@check_rows("fails_at", [1, 2, 3])
async def test_a_resumed_run_counts_the_failed_challenges_of_before(pace: str, fails_at: int) -> None:
    stage = Stage(failing_for(lambda value: True))
    await stage.configure(config_of(pace=pace, caps=CLIMBING, window=6))
    failures = []

    def is_the_nth(event: Event) -> bool:
        failures.extend([event] if event.type == "operation.failed" else [])
        return len(failures) == fails_at

    await stage.interrupt(is_the_nth)
    state = await stage.conduct()
    assert (state.niche.challenges, state.status) == (3, RunStatus.COMPLETED)
    assert len(challengers(await stage.events())) == 3


def revoking(dossier: Dossier) -> Sequence[Move]:
    """The second who is adopted does not hold."""
    if (
        dossier.phase == "contending"
        and dossier.adoption == "made"
        and not dossier.subject_id.startswith("candidate-0")
    ):
        return (Revoke(reason="it did not hold"),)
    return ambitious(dossier)


def rising(config, entropy):
    return [thing(1.0), thing(2.0)]


async def test_a_revoked_adoption_restores_the_champion_before() -> None:
    domain = ScriptedDomain(founders=rising, route=revoking)
    state, events = await breed(config_of(caps=ONE), domain)
    first, second = state.candidates
    (revoked,) = payloads(events, "adoption.revoked")
    assert (revoked.candidate_id, revoked.restores) == (second, first)
    assert state.niche.champion_id == first
    assert state.niche.champion_content == state.candidates[first].content
    assert state.candidates[second].adoption == "revoked"
    assert events[-1].payload.final_candidate_id == first


async def test_a_host_takes_in_and_gives_up_what_it_is_told_by_operations() -> None:
    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "contending" and dossier.adoption == "made":
            return (Revoke(reason="no", step="scripted.evict"),)
        if dossier.phase == "contending" and dossier.decision is Decision.ADOPT and dossier.adoption is None:
            return (Adopt(step="scripted.host"),)
        return ambitious(dossier)

    domain = ScriptedDomain(founders=several(1), route=route)
    state, events = await breed(config_of(caps=ONE), domain)
    kinds = [each.operation.kind for each in payloads(events, "operation.started")]
    assert kinds == ["examine", "challenge", "adopt", "revoke"]
    (known,) = state.candidates.values()
    assert known.adoption == "revoked"
    assert state.niche.champion_id is None


async def test_a_host_that_does_not_take_the_challenger_in_leaves_the_champion_alone() -> None:
    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "contending" and dossier.decision is Decision.ADOPT and dossier.adoption is None:
            return () if dossier.last("scripted.host") else (Adopt(step="scripted.host"),)
        return ambitious(dossier)

    domain = ScriptedDomain(founders=several(1), route=route, handlers={"scripted.host": failing})
    state, events = await breed(config_of(caps=ONE), domain)
    assert not of_type(events, "adoption.made")
    assert state.niche.champion_id is None


@check_rows(
    "change",
    [
        {"challenge": Budget(niche="scripted:p", k=2, alpha=0.05 * 6 / pi**2)},
        {"challenge": Budget(niche="scripted:p", k=1, alpha=0.05)},
        {"challenge": Budget(niche="another", k=1, alpha=0.05 * 6 / pi**2)},
        {"candidate_id": "candidate-7.7-00000000"},
    ],
)
async def test_a_verdict_on_something_else_than_its_challenge_is_refused(change: dict) -> None:
    async def gate(work: Work) -> Answer:
        return Answer(verdict=verdict(work, Decision.ADOPT, **change))

    domain = ScriptedDomain(founders=several(1), route=ambitious, handlers={"scripted.gate": gate})
    state, events = await breed(config_of(caps=ONE), domain)
    (failed,) = payloads(events, "operation.failed")
    assert failed.error_code == "bad_answer"
    assert not of_type(events, "gate.verdict", "adoption.made")
    assert state.niche.challenges == 1


async def test_a_challenge_without_a_verdict_is_refused() -> None:
    async def gate(work: Work) -> Answer:
        return Answer(findings=thing(1.0))

    domain = ScriptedDomain(founders=several(1), route=ambitious, handlers={"scripted.gate": gate})
    _, events = await breed(config_of(caps=ONE), domain)
    assert payloads(events, "operation.failed")[0].message == "a challenge must return a verdict"


@check_rows("decision", [Decision.REJECT, Decision.UNDECIDED, None])
@check_rows("step", [None, "scripted.host"])
async def test_adopting_without_the_gates_yes_fails_the_run_and_names_the_rule(decision, step) -> None:
    async def gate(work: Work) -> Answer:
        return Answer(verdict=verdict(work, decision))

    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase != "contending" or (decision is not None and dossier.decision is None):
            return ambitious(dossier)
        return (Adopt(step=step),)

    domain = ScriptedDomain(founders=several(1), route=route, handlers={"scripted.gate": gate})
    state, events = await breed(config_of(caps=ONE), domain)
    assert state.status is RunStatus.FAILED
    assert "rule 10" in events[-1].payload.reason
    assert not of_type(events, "adoption.made")
    assert not [each for each in payloads(events, "operation.started") if each.operation.kind == "adopt"]


async def test_an_adoption_is_not_made_twice() -> None:
    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "contending" and dossier.adoption == "made":
            return (Adopt(),)
        return ambitious(dossier)

    state, events = await breed(config_of(caps=ONE), ScriptedDomain(founders=several(1), route=route))
    assert state.status is RunStatus.FAILED
    assert "rule 10" in events[-1].payload.reason
    assert len(of_type(events, "adoption.made")) == 1


async def test_confirming_what_was_never_adopted_fails_the_run() -> None:
    route = lambda d: (Confirm(),) if d.phase == "contending" else looked_at(d)  # noqa: E731
    state, events = await breed(config_of(caps=ONE), ScriptedDomain(route=route))
    assert state.status is RunStatus.FAILED
    assert "no adoption to confirm" in events[-1].payload.reason


async def test_nothing_is_given_up_by_a_host_that_was_never_taken_in() -> None:
    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "contending":
            return (Revoke(reason="no", step="scripted.evict"),)
        return looked_at(dossier)

    state, events = await breed(config_of(caps=ONE), ScriptedDomain(founders=several(1), route=route))
    assert state.status is RunStatus.FAILED
    assert not [each for each in payloads(events, "operation.started") if each.operation.kind == "revoke"]


async def test_a_route_never_sees_why_the_gate_said_what_it_said() -> None:
    shown: list[Dossier] = []

    async def gate(work: Work) -> Answer:
        return Answer(verdict=verdict(work, Decision.REJECT), findings=thing(42.0, "why"))

    def route(dossier: Dossier) -> Sequence[Move]:
        shown.append(dossier)
        return ambitious(dossier)

    domain = ScriptedDomain(founders=several(1), route=route, handlers={"scripted.gate": gate})
    await breed(config_of(caps=ONE), domain)
    told = [seen for dossier in shown for seen in dossier.observations if seen.kind == "challenge"]
    assert told
    assert all(seen.findings is None for seen in told)
    assert shown[-1].decision is Decision.REJECT


# --- continued runs ------------------------------------------------------------------------------------------


async def test_a_continued_run_counts_its_challenges_on_and_starts_from_the_champion() -> None:
    stage = Stage(ScriptedDomain(route=ambitious))
    await stage.configure(config_of())
    before = await stage.conduct()
    shown: list[Dossier] = []

    def route(dossier: Dossier) -> Sequence[Move]:
        shown.append(dossier)
        return ambitious(dossier)

    stage.domain = ScriptedDomain(route=route)
    await stage.configure(continued(before, config_of(rng_seed=2)))
    state, events = await stage.conduct(), await stage.events()
    ks = [e.operation.challenge.k for e in payloads(events, "operation.started") if e.operation.kind == "challenge"]
    assert ks == list(range(before.niche.challenges + 1, before.niche.challenges + 1 + len(ks)))
    first = next(each for each in shown if each.phase == "contending")
    assert first.champion.candidate_id == before.niche.champion_id
    assert state.genomes[state.births.genome_of[0]].genome.traits == state.config.ancestors[0].traits


# --- commands ------------------------------------------------------------------------------------------------


def admitting(proposal, config):
    value = proposal.get("value")
    return thing(value) if isinstance(value, float) else Refused("a proposal has a value")


async def conducted_with(stage: Stage, *wishes: tuple[CommandKind, dict]) -> list:
    """Conduct, with commands that were there before the run began but one, which starts nothing."""
    held = asyncio.Event()
    plain = stage.domain.handlers["scripted.look"]

    async def look(work: Work) -> Answer:
        await held.wait()
        return await plain(work)

    stage.domain.handlers["scripted.look"] = look
    seen: list[str] = []
    conducting = asyncio.create_task(stage.conduct(Options(listen=lambda event: seen.append(event.type))))
    await until(lambda: "operation.started" in seen)
    for kind, payload in wishes:
        await stage.submit(kind, **payload)
    await until(lambda: seen.count("command.accepted") + seen.count("command.refused") == len(wishes))
    held.set()
    await conducting
    return await stage.events()


@PACES
async def test_a_proposal_that_the_domain_admits_is_born_and_one_that_it_refuses_is_not(pace: str) -> None:
    stage = Stage(ScriptedDomain(admit=admitting))
    await stage.configure(config_of(pace=pace))
    events = await conducted_with(
        stage, (CommandKind.PROPOSE, {"value": 123.0}), (CommandKind.PROPOSE, {"value": "many"})
    )
    (refused,) = payloads(events, "command.refused")
    assert refused.reason == "a proposal has a value"
    (accepted,) = payloads(events, "command.accepted")
    (born,) = [event for event in of_type(events, "genome.spawned") if event.correlation_id is not None]
    assert born.correlation_id == accepted.command_id
    assert born.payload.genome.traits == thing(123.0)
    assert born.payload.genome.parents == ()
    assert events[-1].payload.summary.best_fitness >= 123.0


async def test_a_domain_that_takes_no_proposals_refuses_them() -> None:
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of())
    events = await conducted_with(stage, (CommandKind.PROPOSE, {"value": 1.0}))
    assert payloads(events, "command.refused")[0].reason == "scripted takes no proposals"


async def test_a_proposal_costs_the_energy_of_a_birth() -> None:
    stage = Stage(ScriptedDomain(admit=admitting))
    await stage.configure(config_of(energy_costs=EnergyCosts(per_spawn=7)))
    events = await conducted_with(stage, (CommandKind.PROPOSE, {"value": 1.0}))
    born = len(of_type(events, "genome.spawned"))
    assert sum(each.actual for each in payloads(events, "energy.spent")) == 7 * born


@check_rows("cap", ["max_generations", "energy_budget", "max_tokens", "wall_clock_ms"])
async def test_parameters_lower_a_cap_and_never_raise_one(cap: str) -> None:
    stage = Stage(ScriptedDomain())
    config = config_of()
    await stage.configure(config)
    now = getattr(config.caps, cap)
    events = await conducted_with(
        stage,
        (CommandKind.SET_PARAMETERS, {"caps": {cap: now - 1}}),
        (CommandKind.SET_PARAMETERS, {"caps": {cap: now}}),
        (CommandKind.SET_PARAMETERS, {"caps": {cap: 0}}),
        (CommandKind.SET_PARAMETERS, {"caps": {"max_fun": 1}}),
        (CommandKind.SET_PARAMETERS, {"alpha": 0.5}),
    )
    assert [e.payload.position for e in of_type(events, "command.accepted")] == [1]
    assert [e.payload.position for e in of_type(events, "command.refused")] == [2, 3, 4, 5]
    assert getattr((await stage.folded()).caps, cap) == now - 1


async def test_slots_can_be_set_either_way() -> None:
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of(slots=2))
    await conducted_with(stage, (CommandKind.SET_PARAMETERS, {"slots": 7}), (CommandKind.SET_PARAMETERS, {"slots": 0}))
    assert (await stage.folded()).slots == 7
