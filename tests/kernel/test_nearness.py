"""Who looks like an earlier one is known before it costs anything, and what was looked up stands in the log."""

from __future__ import annotations

import numpy as np
import pytest
from tests.kernel.scripted import ScriptedDomain, Stage, breed, config_of, looked_at, of_type, thing, value_of
from tests.support.rows import check_rows

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.contracts.embeddings import EmbeddingRecord, similarity
from mendel.contracts.lookups import Lookups
from mendel.contracts.retrieval import Passage, Retrieval
from mendel.contracts.scrub import Scrubber
from mendel.contracts.verdicts import Reason
from mendel.contracts.work import Answer
from mendel.kernel.beginning import continued
from mendel.kernel.digest import outcome_digest
from mendel.kernel.domain import Expression, Step
from mendel.kernel.inheriting import candidates_before
from mendel.kernel.moves import Drop, Examine, Repair
from mendel.kernel.performing import material
from mendel.kernel.settling import INLINE, kept_attempts
from mendel.ports.embedder import Vector
from mendel.ports.transfer import export_run, import_run

ALIKE = 0.999


def looks_of(value: float) -> EmbeddingRecord:
    """One direction for each whole number, and numbers near it beside that; odd ones by another embedder."""
    whole = int(value)
    values = np.random.default_rng(whole).normal(size=32) + (value - whole) * 0.01
    unit = (values / np.linalg.norm(values)).astype(np.float32)
    return Vector(f"test.{whole % 2}", unit).record(str(value))


class WithLooks(ScriptedDomain):
    """Whoever looks like an earlier one is dropped."""

    def __init__(self, **given):
        super().__init__(route=dropping_the_alike, handlers={"scripted.vary": stepping}, **given)


def dropping_the_alike(dossier):
    if dossier.near is None or dossier.near.similarity < ALIKE:
        return looked_at(dossier)
    return (Drop(reason=Reason(code="alike", message=dossier.near.candidate_id)),)


async def stepping(work):
    value = work.entropy.below(8, "value") + work.entropy.unit("beside")
    return Answer(traits=thing(value), looks=looks_of(value))


class Embedded(ScriptedDomain):
    """Whatever is expressed or looked at has a vector of its own, and its steps are shown the three most like it."""

    def __init__(self):
        steps = {name: Step(neighbours=3, earlier=True) for name in ("scripted.look", "scripted.vary")}
        handlers = {"scripted.vary": shifting, "scripted.express": worded, "scripted.look": seeing}
        super().__init__(
            route=looked_at, express=lambda g, c: Expression(step="scripted.express"), steps=steps, handlers=handlers
        )


async def shifting(work):
    return Answer(traits=thing(2 * work.entropy.below(9, "value") + work.entropy.unit("beside")))


async def worded(work):
    value = value_of(work.material.traits)
    return Answer(contents=(thing(value),), looks_of_contents=(looks_of(2 * value),))


async def seeing(work):
    value = value_of(work.material.content)
    return Answer(findings=thing(value), looks=looks_of(4 * int(value) + value % 1))


def neighbours_shown(events):
    """Each operation that was shown neighbours, with these."""
    started = [event.payload.operation for event in of_type(events, "operation.started")]
    return [(each, each.neighbours) for each in started if each.neighbours]


@check_rows("pace", ["birth", "generational"])
async def test_a_step_is_shown_the_nearest_of_those_whose_results_count_by_the_vectors_they_have_last(pace):
    stage = Stage(Embedded())
    await stage.configure(config_of(pace=pace, caps={"max_population": 8, "max_generations": 4}))
    state = await stage.conduct()
    shown = neighbours_shown(await stage.events())
    assert {operation.kind for operation, _ in shown} == {"vary", "examine"}
    assert state.looks.keys() == state.candidates.keys()
    for operation, near in shown:
        subject = operation.subject_ids[0] if operation.kind == "examine" else None
        parent = state.genomes[operation.parents[0]].best[1] if subject is None else ""
        own = state.looks[parent] if subject is None else state.candidates[subject].candidate.looks
        counted = [each for each in state.candidates.values() if each.candidate.birth < operation.reads_through]
        others = [each.candidate.id for each in counted if each.candidate.id not in (subject, parent)]
        found = [similarity(own, state.looks[each]) for each in others]
        alike = sorted((each for each in found if each is not None), reverse=True)
        assert [each.similarity for each in near] == pytest.approx(alike[:3], abs=1e-5)
        for each, given in zip(near, material(state, operation).neighbours, strict=True):
            assert (given.candidate_id, given.similarity, given.run_id) == (each.candidate_id, each.similarity, None)
            assert given.content == state.candidates[each.candidate_id].content
    assert outcome_digest(await stage.folded()) == outcome_digest(state)


async def test_the_survivors_of_an_earlier_run_are_founders_with_their_vectors_and_neighbours_with_their_run():
    ended = await bred_before(stage := Stage(Embedded()), SMALL)
    await stage.configure(continued(ended, config_of(rng_seed=2, caps=SMALL)))
    state = await stage.conduct()
    (survivor,) = state.config.ancestors
    assert survivor.looks == ended.looks_of(ended.candidates[survivor.candidate_id])
    assert state.genomes[state.births.genome_of[0]].genome.looks == survivor.looks
    shown = neighbours_shown(await stage.events())
    told = [[each.candidate_id for each in near if each.run_id is not None] for _, near in shown]
    assert survivor.candidate_id in {each for near in told for each in near}
    assert all(len(near) == len(set(near)) for near in told)
    for operation, near in shown:
        given = material(state, operation).neighbours
        named = [
            each.candidate_id for each in near if each.run_id is None or each.candidate_id == survivor.candidate_id
        ]
        assert [each.candidate_id for each in given] == named


# --- candidates of earlier runs ------------------------------------------------------------------------------


SMALL = {"max_population": 8, "max_generations": 2}


async def bred_before(stage, caps, seed=1):
    """An earlier run on the log of ``stage``."""
    await stage.configure(config_of(rng_seed=seed, caps=caps))
    return await stage.conduct()


async def seen_by_log(stage, state):
    """What the log says of a run's candidates, the newest first, and what its state does."""
    made = [(each.candidate.id, each.content, state.looks_of(each)) for each in state.candidates.values()]
    found = await stage.log.newest_looks(state.run_id, 1_000)
    return [(each.candidate_id, each.content, each.looks) for each in found], [each for each in made[::-1] if each[2]]


@check_rows("pace", ["birth", "generational"])
async def test_the_log_of_a_run_says_of_its_candidates_what_its_state_does(pace):
    for domain in (Embedded(), WithLooks(), Mended()):
        stage = Stage(domain)
        await stage.configure(config_of(pace=pace, caps={"max_generations": 4}))
        told, made = await seen_by_log(stage, await stage.conduct())
        assert told
        assert told == made


class Mended(ScriptedDomain):
    """Every other one is mended before it is looked at, which sees some anew; the gate sees them, too late."""

    def __init__(self):
        handlers = {
            "scripted.vary": shifting,
            "scripted.express": worded,
            "scripted.mend": mending,
            "scripted.look": glancing,
            "scripted.survey": seeing,
        }
        express = Expression(step="scripted.express")
        super().__init__(route=mended_first, express=lambda g, c: express, handlers=handlers)


def mended_first(dossier):
    mends = int(value_of(dossier.content) * 100) % 2
    if dossier.phase == "verifying" and mends and dossier.last("scripted.mend") is None:
        return (Repair(step="scripted.mend", reason="malformed"),)
    if dossier.phase == "scoring" and dossier.last("scripted.survey") is None:
        return (Examine(step="scripted.survey"),)
    return looked_at(dossier)


async def mending(work):
    value = value_of(work.material.content) + 1
    return Answer(contents=(thing(value),), looks=looks_of(value) if int(value) % 4 else None)


async def glancing(work):
    value = value_of(work.material.content)
    return Answer(findings=thing(value), looks=looks_of(value) if int(value) % 3 else None)


async def test_neighbours_come_from_every_earlier_run_of_the_niche():
    stage = Stage(Embedded())
    earlier = [await bred_before(stage, SMALL, seed) for seed in (1, 2)]
    elsewhere = config_of(rng_seed=3, caps=SMALL, niche="elsewhere")
    await stage.configure(elsewhere)
    await stage.conduct()
    await stage.configure(config_of(rng_seed=4, caps=SMALL))
    state = await stage.conduct()
    assert state.config.ancestors == ()
    known = {
        (each.run_id, candidate_id): each.looks_of(candidate)
        for each in earlier
        for candidate_id, candidate in each.candidates.items()
    }
    contents = {(each.run_id, key): value.content for each in earlier for key, value in each.candidates.items()}
    seen = await candidates_before(stage.log, state)
    assert {(each.run_id, each.candidate_id): each.looks for each in seen} == known
    shown = [each for each in neighbours_shown(await stage.events()) if each[0].kind == "examine"]
    runs = {each.run_id for _, near in shown for each in near}
    assert runs >= {each.run_id for each in earlier}
    for operation, near in shown:
        own = state.candidates[operation.subject_ids[0]].candidate.looks
        alike = [(similarity(looks, own), key) for key, looks in known.items() if similarity(looks, own) is not None]
        told = [(each.similarity, (each.run_id, each.candidate_id)) for each in near if each.run_id is not None]
        assert [each for each, _ in told] == pytest.approx(
            sorted((each for each, _ in alike), reverse=True)[: len(told)]
        )
        assert all(dict(map(reversed, alike))[key] == pytest.approx(each, abs=1e-5) for each, key in told)
        given = material(state, operation, earlier=contents).neighbours
        assert [(each.run_id, each.candidate_id) for each in given] == [(e.run_id, e.candidate_id) for e in near]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@check_rows("pace", ["birth", "generational"])
async def test_a_run_that_was_killed_has_the_neighbours_of_one_that_was_not(pace, seed):
    states = []
    for every in (None, 7 + 4 * seed):
        stage = Stage(Embedded())
        await bred_before(stage, SMALL)
        await stage.configure(
            config_of(pace=pace, rng_seed=10 + seed, caps={"max_population": 8, "max_generations": 3})
        )
        state = None
        while state is None:
            state = await (stage.conduct() if every is None else stage.interrupt_after(every))
            await concurrent_run(stage)
        shown = neighbours_shown(await stage.events())
        assert any(each.run_id is not None for _, near in shown for each in near)
        states.append((state, {operation.id: names(near) for operation, near in shown}))
    assert states[0][1] == states[1][1]
    assert outcome_digest(states[0][0]) == outcome_digest(states[1][0])


async def concurrent_run(stage):
    """A run of the niche that claims nothing begins and ends while the other one is interrupted."""
    own = stage.run_id
    await stage.configure(
        config_of(rng_seed=99, caps={"max_population": 4, "max_generations": 1}, never_challenges=True)
    )
    await stage.conduct()
    stage.run_id = own


def names(near):
    return [(each.candidate_id, each.similarity, each.run_id is not None) for each in near]


async def test_a_run_that_is_not_over_when_another_begins_lends_it_nothing():
    stage = Stage(Embedded())
    await stage.configure(config_of(caps=SMALL, never_challenges=True))
    await stage.interrupt_after(40)
    first = stage.run_id
    await stage.configure(config_of(rng_seed=2, caps=SMALL))
    second = stage.run_id
    stage.run_id = first
    ended = await stage.conduct()
    stage.run_id = second
    state = await stage.conduct()
    assert ended.terminal
    assert await candidates_before(stage.log, state) == ()
    assert all(each.run_id is None for _, near in neighbours_shown(await stage.events()) for each in near)


async def test_only_the_newest_of_earlier_candidates_are_read(monkeypatch):
    stage = Stage(Embedded())
    earlier = [await bred_before(stage, SMALL, seed) for seed in (1, 2)]
    newest = len(earlier[1].candidates) + 2
    monkeypatch.setattr("mendel.kernel.inheriting.MOST_EARLIER", newest)
    await stage.configure(config_of(rng_seed=3, caps=SMALL))
    found = await candidates_before(stage.log, await stage.folded())
    assert [each.run_id for each in found] == [earlier[1].run_id] * (newest - 2) + [earlier[0].run_id] * 2


async def test_nothing_is_read_for_a_domain_that_does_not_ask(monkeypatch):
    async def read(log, run_id, most):
        raise AssertionError

    monkeypatch.setattr(MemoryEventLog, "newest_looks", read)
    stage = Stage(WithLooks())
    for seed in (1, 2):
        assert (await bred_before(stage, SMALL, seed)).terminal


async def test_a_neighbour_whose_run_this_log_does_not_have_is_left_out(tmp_path):
    stage = Stage(Embedded())
    await bred_before(stage, SMALL)
    await stage.configure(config_of(rng_seed=2, caps=SMALL))

    def borrows(event):
        started = event.type == "operation.started"
        return started and any(near.run_id is not None for near in event.payload.operation.neighbours)

    assert await stage.interrupt(borrows) is None
    alone = Stage(stage.domain)
    alone.run_id = stage.run_id
    with (tmp_path / "run.mendel").open("wb") as target:
        await export_run(stage.log, stage.run_id, target)
    await import_run(alone.log, tmp_path / "run.mendel", Scrubber())
    state = await alone.conduct()
    assert (state.status, state.scored > 0) == ("completed", True)


@check_rows("pace", ["birth", "arrival", "generational"])
async def test_who_looks_like_an_earlier_result_is_dropped_before_it_costs_anything(pace):
    state, events = await breed(config_of(pace=pace, caps={"max_generations": 6}), WithLooks())
    alike = {event.candidate_id for event in of_type(events, "candidate_invalidated")}
    looked = {
        event.candidate_id
        for event in of_type(events, "operation.started")
        if event.payload.operation.step == "scripted.look"
    }
    assert alike
    assert not alike & looked
    for event in of_type(events, "candidate_invalidated"):
        first, second = state.candidates[event.payload.reason], state.candidates[event.candidate_id]
        assert int(value_of(first.content)) == int(value_of(second.content))


async def test_they_are_the_same_after_a_resume():
    config = config_of(pace="birth", caps={"max_generations": 6})
    whole, _ = await breed(config, WithLooks())
    stage = Stage(WithLooks())
    await stage.configure(config)
    while (resumed := await stage.interrupt_after(23)) is None:
        pass
    ends = [{key: each.status for key, each in state.candidates.items()} for state in (resumed, whole)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize("size", [10, INLINE])
async def test_what_was_looked_up_stands_in_the_event_or_in_a_blob(size):
    passage = Passage(source="s", title="t", text="x" * size)
    lookups = Lookups(retrievals=(Retrieval(query="q", limit=1, provider="p", passages=(passage,)),))

    blobs = MemoryEventLog().blobs
    settled = await kept_attempts(Answer(lookups=lookups), blobs)
    assert settled.lookups is not None
    assert (settled.lookups.blob is None) == (size == 10)
    whole = settled.lookups
    if whole.blob is not None:
        assert whole == Lookups(blob=whole.blob)
        whole = Lookups.model_validate_json(await blobs.get(whole.blob))
    assert whole == lookups
