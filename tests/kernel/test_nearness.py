"""Who looks like an earlier one is known before it costs anything, and what was looked up stands in the log."""

from __future__ import annotations

import numpy as np
import pytest
from tests.kernel.scripted import ScriptedDomain, Stage, breed, config_of, looked_at, of_type, thing, value_of
from tests.support.rows import check_rows

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.lookups import Lookups
from mendel.contracts.retrieval import Passage, Retrieval
from mendel.contracts.verdicts import Reason
from mendel.contracts.work import Answer
from mendel.kernel.calls import INLINE, kept
from mendel.kernel.moves import Drop
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
    settled = await kept(Answer(lookups=lookups), blobs)
    assert settled.lookups is not None
    assert (settled.lookups.blob is None) == (size == 10)
    whole = settled.lookups
    if whole.blob is not None:
        assert whole == Lookups(blob=whole.blob)
        whole = Lookups.model_validate_json(await blobs.get(whole.blob))
    assert whole == lookups
