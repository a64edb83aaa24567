"""Who answers differently when asked again is out: never scored, never a parent, and nothing is earned by it."""

from __future__ import annotations

from itertools import count

import pytest
from tests.domains.programs.making import SEED, SORT, checked, prepared, sized, wished
from tests.domains.programs.test_runs import Bred, config_of

from mendel.bench.examining import Examination
from mendel.bench.records import Checked
from mendel.bench.workbench import Workbench
from mendel.breeding.mutators import Mutation
from mendel.contracts.caps import RunCaps
from mendel.domains.programs import steps as programs
from mendel.domains.programs.domain import CHECK, Programs
from mendel.domains.programs.models import payload
from mendel.kernel.dossier import Dossier, Observation
from mendel.kernel.mind import Mind
from mendel.kernel.moves import Drop
from mendel.selection.selectors import Tournament

HEAD = SORT[: SORT.index("    result = list(items)")]
FIRST = """    first = not getattr(sort, "asked", False)
    sort.asked = True
    return sorted(items, reverse=first and len(items) > 2)
"""
"""Right in one long row of calls that begins with short lists; wrong whenever a longer one is asked about alone."""
RANDOM = "    import random\n    return sorted(items, reverse=random.random() < 0.02)\n"
"""Wrong now and then, so that it is nearly right whenever somebody looks."""


@pytest.fixture(scope="module")
def task(native, tmp_path_factory):
    folder = tmp_path_factory.mktemp("flaky")
    return prepared(native, wished(folder, SORT, "sort", "opcodes", task=sized(folder)))


def test_who_is_right_only_the_first_time_is_found_out(native, task):
    found = checked(native, Workbench(task, SEED), HEAD + FIRST)
    assert (found.passed, found.stage) == (False, "flaky")
    assert "answered" in found.detail


@pytest.mark.parametrize("body", [FIRST, RANDOM])
def test_it_is_not_worth_a_repair(native, task, body):
    bench = Workbench(task, SEED)
    found = native.awaited(Examination(bench, native.sandbox, {task.main: HEAD + body}, repairs=True).run())
    assert not found.passed
    assert found.failing == ()


def test_its_route_ends_there():
    seen = Observation(CHECK, "examine", payload(Checked(passed=False, stage="flaky", detail="differently")))
    (move,) = Programs().route(Dossier("candidate-1", "verifying", 0, SEED, observations=(seen,)))
    assert isinstance(move, Drop)
    assert move.reason.code == "flaky"


def test_in_a_run_it_is_neither_parent_nor_contender_and_its_operator_earns_nothing(native, task, monkeypatch):
    number = count()

    async def mutator(_request):
        return Mutation(HEAD + f"    _unlike = {next(number)}\n" + FIRST, "flaky")

    monkeypatch.setattr(programs, "find_mutator", lambda _name: mutator)
    caps = RunCaps(max_population=12, max_generations=100, max_candidates=6, energy_budget=10**9)
    run = Bred(native, config_of(task.model_copy(update={"mutator": "flaky"}), 2).model_copy(update={"caps": caps}))
    run.conduct()
    state = run.state()
    founder = state.births.genome_of[0]
    fallen = [event.payload for event in run.events() if event.type == "candidate.rejected"]
    assert [each.reasons[0].code for each in fallen] == ["flaky"] * 5
    assert all(bred.parents == (founder,) for bred in state.births.bred.values())
    assert state.scored_order == [state.genomes[founder].candidates[0]]
    mind = Mind.rebuilt(state, Programs(), Tournament)
    mind.learn(state, state.births.settled_through)
    assert mind.population.parents == 1
    tried = {bred.operator for bred in state.births.bred.values()}
    assert sum(mind.operators.tally(name).tries for name in tried) == 5
    assert all(mind.operators.tally(name).improvements == 0 for name in tried)
