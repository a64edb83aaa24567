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
from mendel.contracts.verdicts import Reason
from mendel.contracts.work import Answer
from mendel.kernel.beginning import continued
from mendel.kernel.digest import outcome_digest
from mendel.kernel.domain import Expression, Step
from mendel.kernel.moves import Drop
from mendel.kernel.performing import material
from mendel.kernel.settling import INLINE, kept_attempts
from mendel.ports.embedder import Vector

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
    before = Stage(Embedded())
    await before.configure(config_of(caps={"max_population": 8, "max_generations": 2}))
    ended = await before.conduct()
    stage = Stage(Embedded())
    await stage.configure(continued(ended, config_of(rng_seed=2, caps={"max_population": 8, "max_generations": 2})))
    state = await stage.conduct()
    (survivor,) = state.config.ancestors
    assert survivor.looks == ended.looks_of(ended.candidates[survivor.candidate_id])
    assert state.genomes[state.births.genome_of[0]].genome.looks == survivor.looks
    shown = neighbours_shown(await stage.events())
    earlier = {(each.run_id, each.candidate_id) for _, near in shown for each in near if each.run_id is not None}
    assert earlier == {(ended.run_id, survivor.candidate_id)}
    for operation, _ in shown:
        told = [each for each in material(state, operation).neighbours if each.run_id is not None]
        assert [each.content for each in told] == [survivor.content] * len(told)


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
