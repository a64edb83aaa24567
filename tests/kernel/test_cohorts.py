"""Material with a cohort: beside whom a candidate is judged, and a whole generation with its members."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernel.scripted import ScriptedDomain, breed, config_of, out, scattered, several, thing, value_of
from tests.kernel.test_birth_order import in_any_order, moderately, orders, slots_of_runs
from tests.kernel.test_nearness import stepping

from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.caps import RunCaps
from mendel.contracts.events.operation import OperationStarted
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import Pace, RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.contracts.work import Answer, CohortMember, Material, Work
from mendel.kernel.beginning import configure
from mendel.kernel.cohorts import cohort_of
from mendel.kernel.conduct import conduct
from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.domain import Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.fold import fold
from mendel.kernel.moves import Examine, Move, Score
from mendel.kernel.state import RunState


def compared(dossier: Dossier) -> Sequence[Move]:
    """Scored by what the cohort says, and the generation is looked at as a whole."""
    if dossier.phase == "contending":
        return ()
    if dossier.phase == "generation":
        return () if dossier.observations else (Examine(step="scripted.survey"),)
    own = value_of(dossier.content)
    if dossier.phase == "verifying":
        return (Score(components={"value": own}),)
    seen = dossier.last("scripted.look")
    if seen is None:
        return (Examine(step="scripted.look"),)
    return (Score(components={"value": own + value_of(seen.findings)}),)


def weighed(work: Work) -> Answer:
    """Everything that a cohort says, in one number."""
    told = [value_of(each.content) + (each.total or 0.0) for each in work.material.cohort]
    return Answer(findings=thing(sum(told) / 100))


def crowded(seen: list[Work] | None = None, **wants) -> ScriptedDomain:
    async def look(work: Work) -> Answer:
        if seen is not None:
            seen.append(work)
        return weighed(work)

    steps = {name: Step(cohort=True) for name in ("scripted.look", "scripted.survey")}
    handlers = {"scripted.look": look, "scripted.survey": look}
    plain = {"founders": several(4), "route": compared, "handlers": handlers, "steps": steps, "niche": scattered}
    return ScriptedDomain(**{**plain, **wants})


async def test_a_candidate_is_shown_its_generation_and_the_one_before_with_the_scores_that_stand() -> None:
    seen: list[Work] = []
    state, _ = await breed(config_of(caps={"max_population": 8, "max_generations": 3}), crowded(seen))
    looks = [work for work in seen if work.operation.subject_kind == "candidate"]
    assert len(looks) == len(state.candidates)
    for work in looks:
        known = state.candidates[work.operation.subject_ids[0]]
        members = {each.candidate_id: each for each in work.material.cohort}
        near = (known.generation - 1, known.generation)
        expected = {name for name, each in state.candidates.items() if each.generation in near} - {known.candidate.id}
        assert set(members) == expected
        for name, member in members.items():
            stands = member.generation < known.generation
            assert member.total == (state.candidates[name].score.total if stands else None)
            assert member.content == state.candidates[name].content


@pytest.mark.parametrize("pace", ["generational", "birth", "arrival"])
@pytest.mark.parametrize("order", [None, 3, 4])
def test_a_generation_is_examined_with_all_its_members(pace: str, order: int | None) -> None:
    """Those born last included; of the generation before with all who had a fitness when the survey was decided."""
    caps = {"max_population": 8, "max_generations": 6}
    config = config_of(pace=pace, niches=2, slots=4, window=4, caps=caps)
    surveys: dict[str, tuple[CohortMember, ...]] = {}

    def perform(work: Work) -> Answer:
        if work.operation.subject_kind == "generation":
            surveys[work.operation.id] = work.material.cohort
        return weighed_or_bred(work)

    track = in_any_order(config, crowded(), order, perform=perform)
    then = RunState(track.state.run_id)
    for event in track.events:
        fold(then, event)
        if isinstance(event.payload, OperationStarted) and event.payload.operation.id in surveys:
            operation = event.payload.operation
            index = then.generation_of[operation.subject_ids[0]]
            scored = {name: each for name, each in then.candidates.items() if each.score is not None}
            expected = {name: each.score.total for name, each in scored.items() if 0 <= index - each.generation <= 1}
            assert {each.candidate_id: each.total for each in surveys[operation.id]} == expected
            own = {name for name, each in track.state.candidates.items() if each.generation == index}
            assert own <= expected.keys()
            assert cohort_of(track.state, operation) == surveys[operation.id]
    assert len(surveys) == 6


async def test_a_cohort_is_of_one_niche_and_others_get_none() -> None:
    seen: list[Work] = []
    state, _ = await breed(config_of(niches=2, caps={"max_population": 8, "max_generations": 3}), crowded(seen))
    looks = [work for work in seen if work.operation.subject_kind == "candidate"]
    assert any(work.material.cohort for work in looks)
    for work in looks:
        niche = state.niche_name(work.operation.subject_ids[0])
        assert {each.niche for each in work.material.cohort} <= {niche}
    plain: list[Work] = []
    await breed(config_of(), crowded(plain, steps={}))
    assert plain
    assert all(work.material == Material.model_validate({**work.material.model_dump(), "cohort": ()}) for work in plain)


@moderately
@given(
    run=st.fixed_dictionaries(
        {
            "pace": st.sampled_from(["generational", "birth"]),
            "window": st.integers(1, 4),
            "rng_seed": st.integers(0, 2**32),
            "niches": st.integers(1, 3),
            "caps": st.fixed_dictionaries({"max_population": st.integers(2, 8), "max_generations": st.integers(1, 4)}),
        }
    ),
    slots=slots_of_runs,
    order=orders,
)
def test_what_a_cohort_shows_does_not_depend_on_the_order_of_completion(run, slots, order) -> None:
    config = config_of(**run)

    def played(slots: int, order: int | None):
        return in_any_order(config.model_copy(update={"slots": slots}), crowded(), order, perform=weighed_or_bred)

    assert outcome_digest(played(slots, order).state) == outcome_digest(played(1, None).state)


def weighed_or_bred(work: Work) -> Answer:
    if work.operation.kind == "vary":
        return Answer(traits=thing(work.entropy.unit("value")))
    return weighed(work)


@pytest.mark.parametrize("pace", [Pace(), Pace(kind="steady", window=4), Pace(kind="steady", order="arrival")])
async def test_the_reference_domain_counts_the_room_that_a_point_has(pace: Pace) -> None:
    setting = DomainPayload(domain="reference", kind="setting", data={"crowded": True, "niches": 2, "founders": 6})
    caps = RunCaps(max_population=8, max_generations=3)
    config = RunConfig(domain="reference", problem="room", rng_seed=3, caps=caps, pace=pace, domain_config=setting)
    async with MemoryEventLog() as log:
        run_id = await configure(log, config, RunCaps())
        fabric = MemoryTaskFabric(workers=1)
        state = await conduct(run_id, log=log, fabric=fabric, clock=SystemClock())
        await fabric.close()
    assert state.status is RunStatus.COMPLETED
    assert all("room" in each.score.components for each in state.candidates.values() if each.score is not None)
    for generation in state.generations:
        (survey,) = generation.steps.observations()
        assert survey.findings is not None
        own = sum(each.generation == generation.index for each in state.candidates.values())
        everybody = own + sum(each.generation == generation.index - 1 for each in state.candidates.values())
        least = own if pace.order == "arrival" else everybody
        assert least <= int(str(survey.findings.data["members"])) <= everybody


class Surviving(ScriptedDomain):
    """Survivors are scored anew in each generation, by what its conditions and its cohort say."""

    def survivors_enter(self, config: RunConfig) -> bool:
        return True


def lasting(seen: list[Work] | None = None) -> Surviving:
    made = crowded(seen, conditions=lambda generation, config, entropy, before: thing(10.0 * generation))
    steps = {name: Step(cohort=True) for name in ("scripted.look", "scripted.survey", "scripted.vary")}
    wants = {"founders": several(4), "route": renewed, "handlers": made.handlers, "steps": steps, "niche": scattered}
    return Surviving(conditions=made._conditions, **wants)


def renewed(dossier: Dossier) -> Sequence[Move]:
    """As ``compared``, with the conditions' number on top; some of those who enter leave again."""
    moves = compared(dossier)
    if dossier.entered and round(1_000 * value_of(dossier.content)) % 2:
        return (out(),)
    if dossier.phase == "scoring" and isinstance(moves[0], Score):
        return (Score(components={"value": moves[0].components["value"] + value_of(dossier.conditions)}),)
    return moves


def test_survivors_enter_each_generation_and_are_scored_under_its_conditions_beside_its_newborns() -> None:
    seen: list[Work] = []
    config = config_of(caps={"max_population": 8, "max_generations": 5}, niches=2)

    def perform(work: Work) -> Answer:
        seen.append(work)
        return weighed_or_bred(work)

    track = in_any_order(config, lasting(), 3, perform=perform)
    state = track.state
    assert state.status is RunStatus.COMPLETED
    assert sorted(state.entries) == [1, 2, 3, 4]
    scored = [
        (index, name, each) for index, found in state.entries.items() for name, each in found.items() if each.score
    ]
    assert len(scored) > 4
    assert any(each.over and each.score is None for found in state.entries.values() for each in found.values())
    for index, name, entry in scored:
        known = state.candidates[name]
        assert known.score is not None
        assert known.score.total < 10 * known.generation + 9
        assert 10 * index <= entry.score.total
        (examined,) = [w for w in seen if w.operation.entered == index and w.operation.subject_ids == (name,)]
        assert value_of(examined.material.conditions) == 10 * index
        beside = {each.candidate_id: each for each in examined.material.cohort}
        assert name not in beside
        newborn = {each.candidate.id for each in state.candidates.values() if each.generation == index}
        niche = state.niche_name(name)
        lives = {each for each in newborn | set(state.entries[index]) if state.niche_name(each) == niche} - {name}
        assert {each for each, member in beside.items() if member.generation == index} == lives
        assert {each for each in lives if beside[each].total is not None} == lives - newborn
    for survey in (work for work in seen if work.operation.subject_kind == "generation"):
        index = state.generation_of[survey.operation.subject_ids[0]]
        told = {each.candidate_id: each.total for each in survey.material.cohort if each.generation == index}
        now = {name: each.score.total for name, each in state.entries.get(index, {}).items() if each.score}
        assert now.items() <= told.items()


@moderately
@given(seed=st.integers(0, 2**32), slots=slots_of_runs, order=orders, kill=st.integers(1, 300))
def test_being_scored_anew_depends_neither_on_the_order_of_completion_nor_on_a_kill(seed, slots, order, kill) -> None:
    caps = {"max_population": 6, "max_generations": 4}
    config = config_of(rng_seed=seed, niches=1 + seed % 3, caps=caps)
    plain = in_any_order(config.model_copy(update={"slots": 1}), lasting(), None, perform=weighed_or_bred)
    mixed = in_any_order(
        config.model_copy(update={"slots": slots}), lasting(), order, perform=weighed_or_bred, kill=kill
    )
    assert outcome_digest(mixed.state) == outcome_digest(plain.state)
    assert state_digest(mixed.refolded()) == state_digest(mixed.state)


async def test_similarity_is_that_of_recorded_vectors() -> None:
    seen: list[Work] = []
    domain = crowded(seen)
    domain.handlers["scripted.vary"] = stepping
    await breed(config_of(caps={"max_population": 12, "max_generations": 4}), domain)
    alike = [each.similarity for work in seen for each in work.material.cohort if each.similarity is not None]
    assert alike
    assert all(-1.001 <= each <= 1.001 for each in alike)
    assert max(alike) > 0.99
