"""Lenses and dial reach exactly the operations whose steps name them, and are nowhere in the material of any other."""

import json

import pytest
from tests.kernel.scripted import ScriptedDomain, Stage, ambitious, config_of, thing

from mendel.adapters.memory.task_lane import MemoryTaskLane
from mendel.contracts.work import Answer, Work
from mendel.kernel.domain import Step

LENS, DIAL = "upside_down", 0.8125


async def look(work, ports):
    await ports.children.perform("scripted.use", thing(1.0), index=0)
    return Answer(findings=thing(work.entropy.unit("looked")))


async def use(work):
    return Answer(findings=thing(1.0))


async def tasks_of(hinted, monkeypatch):
    """Every task of a run, as JSON, by the step that it is for."""
    sent = []
    submit = MemoryTaskLane.submit

    async def noted(lane, task, **how):
        sent.append((task.payload["handler"], task.model_dump_json()))
        await submit(lane, task, **how)

    monkeypatch.setattr(MemoryTaskLane, "submit", noted)
    steps = {name: Step(hints=name in hinted) for name in ("scripted.vary", "scripted.gate", "scripted.use")}
    steps["scripted.look"] = Step(children=("scripted.use",), hints="scripted.look" in hinted)
    domain = ScriptedDomain(route=ambitious, handlers={"scripted.look": look, "scripted.use": use}, steps=steps)
    stage = Stage(domain)
    caps = {"max_generations": 2}
    await stage.configure(config_of(caps=caps, generation_operators=(LENS,), generation_bias=DIAL))
    await stage.conduct()
    return sent


@pytest.mark.parametrize("hinted", ["scripted.vary", "scripted.use", None])
async def test_hints_reach_the_steps_that_name_them_and_cannot_be_found_anywhere_else(hinted, monkeypatch):
    sent = await tasks_of({hinted}, monkeypatch)
    assert {"scripted.vary", "scripted.look", "scripted.use", "scripted.gate"} <= {step for step, _ in sent}
    for step, text in sent:
        told = LENS in text, str(DIAL) in text, "hints" in text, "generation_bias" in text
        assert set(told) == {step == hinted}, step
    for step, text in sent:
        work = Work.model_validate(json.loads(text)["payload"]["work"])
        assert (work.material.hints is not None) == (step == hinted)
        if work.material.hints is not None:
            assert (work.material.hints.generation_operators, work.material.hints.generation_bias) == ((LENS,), DIAL)
