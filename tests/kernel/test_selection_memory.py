"""The memories of selection: a mind that was rebuilt chooses as the living one, whatever the run asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.kernel.scripted import CROSS, ScriptedDomain, Stage, config_of, looked_at, scattered, several, value_of
from tests.kernel.test_birth_order import lucky
from tests.kernel.track import Track

from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import EnergyCosts, Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.run_config import ArchiveConfig, Descriptor, IslandsConfig, RunConfig
from mendel.contracts.scoring import ScoringPolicy
from mendel.contracts.work import Answer, Failure, Work
from mendel.kernel.decide import decide
from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.domain import Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.mind import Mind
from mendel.kernel.moves import Move, Score
from mendel.selection.archive import archive_of
from mendel.selection.operators import Operator
from mendel.selection.selectors import (
    AdaptiveEpsilon,
    AgeSelection,
    Lexicase,
    ProportionalSelection,
    RankSelection,
    Tournament,
)
from mendel.selection.track_record import ThompsonSampling, UpperConfidenceBound

SELECTORS = [
    Tournament,
    AdaptiveEpsilon,
    UpperConfidenceBound,
    RankSelection,
    ProportionalSelection,
    ThompsonSampling,
    AgeSelection,
    Lexicase,
]
NUDGE = Operator(name="nudge", step="scripted.vary", sites=("left", "right"), weight=2.0)
AXES = (Descriptor(name="side", low=-1.0, high=1.0, bins=4), Descriptor(name="age", low=0.0, high=3.0, bins=2))
GRID = ArchiveConfig(descriptors=AXES)
moderately = settings(
    max_examples=settings().max_examples // 2,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

runs = st.fixed_dictionaries(
    {
        "pace": st.sampled_from(["generational", "birth", "arrival"]),
        "window": st.integers(1, 5),
        "slots": st.integers(1, 5),
        "rng_seed": st.integers(0, 2**32),
        "caps": st.fixed_dictionaries({"max_population": st.integers(4, 12), "max_generations": st.integers(2, 6)}),
        "archive": st.sampled_from([None, GRID, ArchiveConfig(kind="cvt", descriptors=AXES, cells=5)]),
        "islands": st.sampled_from([None, IslandsConfig(count=2, interval=3), IslandsConfig(count=3, interval=1)]),
        "niches": st.sampled_from([1, 1, 2, 3]),
    }
)


def described(dossier: Dossier) -> Sequence[Move]:
    moves = looked_at(dossier)
    if not moves or not isinstance(moves[0], Score):
        return moves
    value = value_of(dossier.content)
    side = Entropy(dossier.subject_id).unit("side") * 2 - 1
    return (Score(components={"value": value, "cost": value * value}, descriptor={"side": side}),)


def domain_of(**wants: Any) -> ScriptedDomain:
    return ScriptedDomain(founders=several(4), route=described, operators=(NUDGE, CROSS), niche=scattered, **wants)


def taken_over(track: Track, selector: type) -> Mind:
    return Mind.rebuilt(track.state, track.domain, selector)


def decided(track: Track, selector: type) -> bool:
    """Decide; a mind that was rebuilt just now would have decided the same."""
    expected = [(each.type, each.payload) for each in decide(track.state, taken_over(track, selector))]
    drafts = track.decide()
    assert [(each.type, each.payload) for each in drafts] == expected
    return bool(drafts)


def go_on(track: Track, turn: int, order: int) -> None:
    each = Entropy(order).pick(track.in_flight(), turn)
    track.complete((each, lucky(track.work(each))))


@moderately
@given(run=runs, selector=st.sampled_from(SELECTORS), order=st.integers(0, 2**32))
def test_a_mind_that_was_rebuilt_chooses_as_the_living_one(run, selector, order) -> None:
    track = Track(config_of(**run), domain_of())
    track.mind = taken_over(track, selector)
    for turn in range(200):
        if track.state.terminal:
            return
        if not decided(track, selector):
            go_on(track, turn, order)


@moderately
@given(
    run=runs,
    turn_and_cap=st.tuples(st.integers(5, 60), st.integers(2, 6)),
    order=st.integers(0, 2**32),
    deep=st.booleans(),
)
def test_nor_does_a_lowered_cap_make_it_choose_otherwise(run, turn_and_cap, order, deep) -> None:
    """Who went is what was recorded, even where other caps would have let others go.

    When they went is not, and who migrated may depend on it: islands promise this for the cap on depth alone.
    """
    track = Track(config_of(**run if deep else run | {"islands": None}), domain_of())
    track.mind = taken_over(track, Tournament)
    for turn in range(150):
        if track.state.terminal:
            return
        if turn == turn_and_cap[0]:
            cap = {"max_spawn_depth": 2} if deep else {"max_population": turn_and_cap[1]}
            track.command(CommandKind.SET_PARAMETERS, caps=cap)
        if not decided(track, Tournament):
            go_on(track, turn, order)


async def _conducted(config: RunConfig, kills: Sequence[int]) -> Any:
    stage = Stage(domain_of())
    await stage.configure(config)
    for after in kills:
        if await stage.interrupt_after(after) is not None:
            break
    state = await stage.folded()
    if not state.terminal:
        state = await stage.conduct()
    assert state_digest(await stage.folded()) == state_digest(state)
    return state


@settings(moderately, max_examples=settings().max_examples // 3)
@given(run=runs, kills=st.lists(st.integers(1, 80), min_size=1, max_size=4))
def test_a_run_that_was_killed_arrives_where_its_twin_does(run, kills) -> None:
    config = config_of(**run | {"pace": "birth" if run["pace"] == "arrival" else run["pace"]}, selector="epsilon")
    with asyncio.Runner() as runner:
        twin = runner.run(_conducted(config.model_copy(update={"slots": 2}), ()))
        killed = runner.run(_conducted(config, kills))
    assert outcome_digest(killed) == outcome_digest(twin)


# --- size limits ---------------------------------------------------------------------------------------------


@moderately
@given(run=runs, order=st.integers(0, 2**32))
def test_who_owns_a_cell_is_not_evicted_while_others_can_go(run, order) -> None:
    config = config_of(**run | {"archive": GRID, "islands": None})
    track = Track(config, domain_of())
    for turn in range(150):
        if track.state.terminal:
            return
        before = list(track.mind.population.ranked())
        drafts = track.decide()
        kept = list(track.mind.population.ranked())
        for culled in (each.payload for each in drafts if each.type == "lineage.culled"):
            _check_owners(config, before, kept, culled.genome_ids)
        if not drafts:
            go_on(track, turn, order)


def _check_owners(config: RunConfig, before, kept, gone) -> None:
    assert config.archive is not None
    archive = archive_of(config.archive, Entropy("unused"))
    for each in kept:
        archive.place(each)
    others = [each for each in kept if not archive.protected(each.genome_id)]
    for member in (each for each in before if each.genome_id in gone):
        owner = archive.owner(archive.cell_of(member))
        assert not others or (owner is not None and owner.rank < member.rank)


def test_the_population_never_outgrows_its_cap_though_everybody_owns_a_cell() -> None:
    fine = ArchiveConfig(descriptors=(Descriptor(name="side", low=-1.0, high=1.0, bins=1_000),))
    track = Track(config_of(archive=fine, caps={"max_population": 4, "max_generations": 6}), domain_of())
    while not track.state.terminal:
        assert track.state.population <= 4
        if not track.decide() and not track.state.terminal:
            go_on(track, 0, 1)
    assert track.state.births.decided > 8


# --- what members show ---------------------------------------------------------------------------------------


def test_members_carry_components_that_grow_with_what_is_better() -> None:
    policy = ScoringPolicy(version="mine", weights={"value": 2.0, "cost": -1.0})
    track = Track(config_of(scoring_policy=policy), domain_of())
    track.finish(lucky)
    for member in track.mind.population.ranked():
        value = value_of(track.state.genomes[member.genome_id].genome.traits)
        assert member.components == {"value": value, "cost": -value * value}
        assert set(member.descriptor) == {"value", "cost", "side"}
        assert member.descriptor["cost"] == value * value


# --- operators -----------------------------------------------------------------------------------------------


def test_the_marker_names_the_site_and_the_memory_hears_of_it() -> None:
    track = Track(config_of(caps={"max_population": 10, "max_generations": 12}), domain_of())
    told: list[Any] = []
    feedback = track.mind.operators.feedback
    track.mind.operators.feedback = lambda outcome: told.append(outcome) or feedback(outcome)  # type: ignore[method-assign]
    track.finish(lucky)
    markers = [each.payload.operation for each in track.events if each.type == "operation.started"]
    sites = {each.birth: (each.operator, each.site) for each in markers if each.kind == "vary"}
    assert {site for operator, site in sites.values() if operator == "nudge"} == {"left", "right"}
    assert {site for operator, site in sites.values() if operator == "cross"} == {None}
    for outcome in told:
        assert sites.get(outcome.birth, (None, None)) == (outcome.operator, outcome.site)
        assert (outcome.gain is None) == (not outcome.parents)


def talkative(work: Work) -> Answer | Failure:
    """As a lucky one; a birth takes a thousand tokens, or two, or three."""
    answer = lucky(work)
    tokens = Usage(tokens_in=1_000 * (1 + (work.operation.birth or 0) % 3))
    return answer.model_copy(update={"usage": tokens}) if work.operation.kind == "vary" else answer


@pytest.mark.parametrize(("costs", "own"), [(EnergyCosts(), 50), (EnergyCosts(per_spawn=0), 1)])
def test_a_birth_costs_what_it_reserves_beside_tokens_and_the_tokens_that_were_recorded(costs, own) -> None:
    steps = {"scripted.vary": Step(allowance=Usage(tokens_in=10_000))}
    domain = ScriptedDomain(founders=several(4), route=described, operators=(NUDGE,), steps=steps)
    track = Track(config_of(energy_costs=costs), domain)
    told: list[Any] = []
    track.mind.operators.feedback = told.append  # type: ignore[method-assign]
    track.finish(talkative)
    bred = [outcome for outcome in told if outcome.parents]
    assert len({outcome.cost for outcome in bred}) == 3
    assert all(outcome.cost == own + 1 + outcome.birth % 3 for outcome in bred)


def test_where_nothing_is_priced_a_birth_costs_one() -> None:
    track = Track(config_of(energy_costs=EnergyCosts(per_spawn=0)), domain_of())
    told: list[Any] = []
    track.mind.operators.feedback = told.append  # type: ignore[method-assign]
    track.finish(lucky)
    assert {outcome.cost for outcome in told} == {1}


def test_what_gains_is_tried_more_often() -> None:
    """Only what is tried on the left is ever better than its parent."""

    def one_sided(work: Any) -> Any:
        answer = lucky(work)
        if work.operation.kind != "vary" or not hasattr(answer, "traits"):
            return answer
        shift = 1.0 if work.operation.site == "left" else -1.0
        parent = work.material.parents[0]
        data = {**parent.data, "value": value_of(parent) + shift}
        return answer.model_copy(update={"traits": parent.model_copy(update={"data": data})})

    operators = (Operator(name="nudge", step="scripted.vary", sites=("left", "right")),)
    domain = ScriptedDomain(founders=several(4), route=described, operators=operators)
    track = Track(config_of(caps={"max_population": 20, "max_generations": 25}), domain)
    track.finish(one_sided)
    markers = [each.payload.operation for each in track.events if each.type == "operation.started"]
    sites = [each.site for each in markers if each.kind == "vary"]
    assert sites[-100:].count("left") > 75
    assert "right" in sites[-100:]
