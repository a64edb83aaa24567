"""A mutator is foreign code: what it does wrong is told by name, and no birth comes of it."""

from __future__ import annotations

import pytest
from tests.domains.programs.making import SORT, prepared, sized, wished
from tests.domains.programs.test_runs import Bred, config_of
from tests.projections.histories import folded

from mendel.breeding.mutators import Mutation
from mendel.contracts.caps import RunCaps
from mendel.domains.programs import steps as programs
from mendel.domains.programs.front.report import ROWS
from mendel.projections.report.claims import headline
from mendel.projections.report.view import ReportFold


def plain(_request):
    return Mutation(SORT, "the same")


async def of_another_type(_request):
    return 3


async def of_nothing(_request):
    return None


async def of_bytes(_request):
    return Mutation(SORT.encode(), "bytes")


async def raising(_request):
    raise KeyError("x")


@pytest.fixture(scope="module")
def task(native, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mutators")
    return prepared(native, wished(folder, SORT, "sort", "opcodes", task=sized(folder)))


@pytest.mark.parametrize(
    ("mutator", "code", "told"),
    [
        (plain, "bad_mutator", 'mutator "plain" is no coroutine function: called, it returns a value of type Mutation'),
        (of_another_type, "bad_mutation", 'mutator "of_another_type" returned a value of type int'),
        (of_nothing, "bad_mutation", 'mutator "of_nothing" returned None'),
        (of_bytes, "bad_mutation", "a Mutation whose text is a value of type bytes"),
        (raising, "mutator_raised", "births failed: mutator \"raising\" raised KeyError: 'x'"),
    ],
)
def test_what_a_mutator_does_wrong_is_told(native, task, monkeypatch, mutator, code, told):
    monkeypatch.setattr(programs, "find_mutator", lambda _name: mutator)
    caps = RunCaps(max_population=12, max_generations=100, max_candidates=3, energy_budget=10**9)
    named = task.model_copy(update={"mutator": mutator.__name__})
    run = Bred(native, config_of(named, 2).model_copy(update={"caps": caps}))
    run.conduct()
    failed = [event.payload for event in run.events() if event.type == "operation.failed"]
    assert failed
    assert {each.error_code for each in failed} == {code}
    if code != "mutator_raised":
        assert "a mutator is a coroutine function (async def) of a MutationRequest" in failed[0].message
    said = headline(folded(ReportFold(ROWS), run.events()))
    assert f"{len(failed)} of {len(failed) + 1} births failed: " in said
    assert told in said
