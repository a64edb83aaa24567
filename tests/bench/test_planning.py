"""From a task to a run's configuration: bounds, islands, archives, and the comparison beside it."""

from __future__ import annotations

import pytest
from tests.domains.programs.making import SEED, SORT
from tests.support.rows import check_rows

from mendel.bench.archives import archive_for, parse_archive
from mendel.bench.bounds import DEFAULT_SECONDS, NO_BOUNDS, Bounds
from mendel.bench.planning import SLOTS_PER_CORE, Search, best_of_n, parse_order
from mendel.bench.records import Checked, Timed
from mendel.bench.scoring import components, descriptor
from mendel.contracts.errors import ConfigError
from mendel.contracts.run_config import OFFLINE, ArchiveConfig, RunConfig
from mendel.domains.programs.domain import Programs
from mendel.domains.programs.models import ProgramTask, task_of
from mendel.domains.programs.preparing import planned
from mendel.domains.texts import preparing as texts
from mendel.domains.texts.domain import Texts
from mendel.domains.texts.models import TextTask
from mendel.domains.texts.models import task_of as text_task_of
from mendel.selection.archive import archive_of
from mendel.selection.population import Member


def task_for(*objectives: str) -> ProgramTask:
    return ProgramTask(
        path="s.py", files={"s.py": SORT}, main="s.py", entry="s:sort", function="sort", roots={"s.py": ("sort",)},
        objectives=dict.fromkeys(objectives or ("speed",), 1.0),
    )  # fmt: skip


def config(search: Search | None = None, *objectives: str) -> RunConfig:
    return planned(task_for(*objectives), SEED, search or Search())


def test_without_any_bound_a_run_ends_soon_and_with_one_that_alone_counts():
    assert config().stop.seconds == DEFAULT_SECONDS
    for bounds in (Bounds(generations=3), Bounds(candidates=3), Bounds(target="2x"), Bounds(budget=3)):
        assert config(Search(bounds=bounds)).stop.seconds is None
    whole = config(Search(bounds=Bounds(generations=3, candidates=50, seconds=7.0, target="4x", budget=900)))
    caps = whole.caps
    assert (caps.max_generations, caps.max_candidates, caps.energy_budget) == (3, 50, 900)
    assert (whole.stop.seconds, whole.stop.target) == (7.0, 2.0)
    assert caps.wall_clock_ms > 7_000


def test_a_bound_that_is_not_given_is_the_others():
    given = Bounds(generations=3, seconds=1.0)
    assert given.or_else(Bounds(generations=5, candidates=6, seconds=7.0, target="8x", budget=9)) == Bounds(
        generations=3, candidates=6, seconds=1.0, target="8x", budget=9
    )


def test_a_bound_that_cannot_be_is_refused_by_the_name_it_was_given_under():
    with pytest.raises(ConfigError, match=r"--candidates: .*greater than or equal to 2"):
        Bounds.asked({"candidates": 1}, "--{}")


@pytest.mark.parametrize("name", ["candidates", "evaluations", "generations", "budget"])
def test_a_bound_beyond_every_cap_is_refused_by_its_name(name):
    Bounds.asked({name: 2**53 - 1}, "--{}").caps(40, 1.0)
    with pytest.raises(ConfigError, match=rf"--{name}: .*less than or equal to {2**53 - 1}"):
        Bounds.asked({name: 2**53}, "--{}")


@check_rows(
    ("least", "plan"),
    [(5_400_000, config), (220_000, lambda search: texts.planned(TEXT, SEED, search))],
)
def test_evaluations_that_no_challenge_fits_into_are_refused_with_the_least_that_does(least, plan):
    assert plan(Search(bounds=Bounds(evaluations=least))).caps.max_evaluations == least
    with pytest.raises(ConfigError, match=f"allow at least {least:,}"):
        plan(Search(bounds=Bounds(evaluations=least - 1)))
    beside = best_of_n(plan(Search()), 5, 1.0)
    few = beside.model_copy(update={"caps": beside.caps.model_copy(update={"max_evaluations": 1})})
    domain = Programs() if few.domain == "programs" else Texts()
    assert domain.refusal(few) is None


@check_rows(("domain", "plan"), [(Programs, config), (Texts, lambda search: texts.planned(TEXT, SEED, search))])
def test_whether_a_run_could_come_to_nothing_is_for_its_domain_to_say(domain, plan):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(domain, "refusal", lambda self, config: f"{config.domain} has its reasons")
        with pytest.raises(ConfigError, match=f"{domain.name} has its reasons"):
            plan(Search())


def test_every_bound_but_a_target_chooses_a_cap():
    assert NO_BOUNDS.chosen_caps() == frozenset()
    every = Bounds(generations=3, candidates=50, evaluations=900, seconds=7.0, target="4x", budget=900)
    named = {"max_generations", "max_candidates", "max_evaluations", "wall_clock_ms", "energy_budget"}
    assert every.chosen_caps() == named


def test_slots_are_several_to_a_core_unless_timings_take_turns_or_a_number_is_asked_for(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert config(None, "opcodes").slots == config(None, "size", "memory").slots == 3 * SLOTS_PER_CORE
    assert config().slots == config(None, "speed", "size").slots == 4
    assert config(Search(slots=1)).slots == 1


def test_opcodes_are_what_a_run_is_charged_where_they_count():
    assert config(None, "opcodes", "size").energy_costs.cpu_basis == "opcodes"
    assert config(None, "size").energy_costs.cpu_basis == "cpu_ms"


def test_an_order_is_one_of_two():
    assert [parse_order(each) for each in ("arrival", "birth")] == ["arrival", "birth"]
    with pytest.raises(ConfigError, match="--order is arrival or birth, not 'random'"):
        parse_order("random")


def test_best_of_n_has_the_same_operators_and_as_many_candidates_and_no_gate():
    first = config(Search(bounds=Bounds(seconds=9.0), islands=2, archive=parse_archive("size")))
    beside = best_of_n(first, 70, 30.0)
    assert (beside.caps.max_candidates, beside.caps.max_spawn_depth, beside.stop.seconds) == (70, 1, 9.0)
    assert (beside.islands, beside.archive, task_of(beside).contends) == (None, None, False)
    assert best_of_n(config(Search(bounds=Bounds(candidates=5))), 1, 0.2).stop.seconds == 1.0


TEXT = TextTask(path="s.awk", files={"s.awk": ""}, editable=("s.awk",), language="AWK", run="awk", objective="speed")


def test_best_of_n_asks_no_models_so_that_nothing_is_paid_for_twice():
    for made in (planned(task_for(), SEED, Search(models=True)), texts.planned(TEXT, SEED, Search(models=True))):
        beside = best_of_n(made, 70, 30.0)
        task = (task_of if made.domain == "programs" else text_task_of)(beside)
        assert (beside.model_profile, beside.models, beside.model_route_overrides) == (OFFLINE, None, {})
        assert (task.asks_models, task.contends) == (False, False)


@pytest.mark.parametrize(("target", "fitness"), [("4x", 2.0), ("8", 3.0)])
def test_a_target_of_texts_is_a_gain_or_with_its_sign_a_score(target, fitness):
    score = TEXT.model_copy(update={"objective": "score", "maximize": False})
    search = Search(bounds=Bounds(target=target))
    assert texts.planned(TEXT, SEED, search).stop.target == fitness
    if target == "8":
        assert texts.planned(score, SEED, search).stop.target == -8.0


def test_islands_are_configured_and_need_a_population():
    islands = config(Search(islands=4)).islands
    assert islands is not None
    assert islands.count == 4
    assert config(Search(islands=1)).islands is None
    with pytest.raises(ConfigError, match=r"--islands 4: a population of 7 leaves .* --population 8 or more"):
        Search(islands=4, population=7)
    with pytest.raises(ConfigError, match="from 1 to 64, not 65"):
        Search(islands=65, population=1_000)


@check_rows(
    ("text", "told"),
    [
        ("sped", "no descriptor 'sped'; known are speed, memory, size, age, opcodes, and also cvt:CELLS"),
        ("", "no descriptor ''"),
        ("cvt:5", "names no descriptor"),
        ("size,size", "named twice"),
        ("size:0", "'size:0': after the colon, give a whole number from 1 to 1,000"),
        ("size:x", "a whole number"),
        ("size,cvt", "'cvt': after the colon, give a whole number from 1 to 1,024"),
        ("size,cvt:2000", "from 1 to 1,024"),
        ("size:99999999999", "from 1 to 1,000"),
    ],
)
def test_archives_that_cannot_be_are_refused(text, told):
    with pytest.raises(ConfigError, match=told):
        parse_archive(text)


@check_rows(
    ("text", "objectives", "told"),
    [
        ("speed", ("memory",), "only measured with --objective speed; use memory, size or age"),
        ("speed", ("opcodes",), "only measured with --objective speed; use opcodes, size or age"),
        ("opcodes", ("speed",), "only measured with --objective opcodes"),
        ("memory", ("opcodes",), "memory is not measured if opcodes count; use opcodes, size or age"),
    ],
)
def test_what_a_run_does_not_measure_tells_nothing_apart(text, objectives, told):
    with pytest.raises(ConfigError, match=told):
        archive_for(task_for(*objectives), parse_archive(text))


def test_a_grid_and_centroids_read_as_people_write_them():
    grid = archive_for(task_for(), parse_archive("speed:20, size"))
    assert [(each.name, each.bins) for each in grid.descriptors] == [("speed", 20), ("size", 10)]
    assert grid.kind == "grid"
    cvt = archive_for(task_for(), parse_archive("memory,age,cvt:64"))
    assert (cvt.kind, cvt.cells, [each.name for each in cvt.descriptors]) == ("cvt", 64, ["memory", "age"])
    assert config(Search(archive=parse_archive("size"))).archive == archive_for(task_for(), parse_archive("size"))


def cells_of(archive: ArchiveConfig, found: list[tuple[Checked, Timed | None, int]]) -> set[object]:
    """The cells of programs of which that was found, with the depths of their lineages."""
    kept = archive_of(archive, entropy=None)  # type: ignore[arg-type]
    return {
        kept.cell_of(Member(f"g{depth}", depth, 1.0, depth, True, "c", {}, {**components(*each), **descriptor(*each)}))
        for *each, depth in found
    }


@check_rows("name", ["speed", "memory", "size", "age"])
def test_each_descriptor_tells_programs_apart_as_the_domain_describes_them(name):
    archive = archive_for(task_for(), parse_archive(name))
    slow = Checked(passed=True, nodes=60, peak_memory_bytes=12 << 20, gains={"speed": 0.1})
    other = {"memory": {"peak_memory_bytes": 60 << 20}, "size": {"nodes": 20}}.get(name, {})
    fast = slow.model_copy(update=other)
    timed = Timed(gain=4.0, samples=((1.0, 1.0),))
    found = [(slow, None, 1), (fast, timed if name == "speed" else None, 12 if name == "age" else 1)]
    cells = cells_of(archive, found)
    assert len(cells) == 2
    assert None not in cells


def test_opcodes_tell_apart_where_they_count():
    archive = archive_for(task_for("opcodes"), parse_archive("opcodes,size"))
    slow = Checked(passed=True, nodes=60, gains={"opcodes": 0.0})
    cells = cells_of(archive, [(slow, None, 1), (slow.model_copy(update={"gains": {"opcodes": 5.0}}), None, 2)])
    assert len(cells) == 2
    assert None not in cells
