"""The programs that `mendel evolve` is shown and measured with: each can be made a task of, one is really evolved."""

import ast
import json
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.generated_functions import FUNCTION, IDIOMS, generate
from benchmarks.time_to_best import EXAMPLES as MEASURED
from benchmarks.time_to_best import figures_of_bad_sort
from benchmarks.time_to_best_runs import Adoption, Run
from benchmarks.time_to_best_table import page
from tests.support.rows import check_rows

from mendel.bench.objectives import parse_objectives
from mendel.contracts.scrub import Scrubber
from mendel.domains.programs.preparing import prepare
from mendel.domains.programs.wishes import Wish

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(
    path
    for path in (ROOT / "examples").glob("*.py")
    if f"mendel evolve examples/{path.name}:" in (ast.get_docstring(ast.parse(path.read_text())) or "")
)


def command(path):
    """What the first lines of an example say how to run it."""
    return shlex.split(re.search(r"mendel evolve ([^\n`]+)", path.read_text()).group(1))


def wish(path):
    target, *options = command(path)
    given = dict(zip(options[::2], options[1::2], strict=True))
    file, function = Wish.parse(target)
    return Wish(
        path=ROOT / file,
        function=function,
        task=ROOT / given["--task"] if "--task" in given else None,
        objectives=parse_objectives(given.get("--objective", "speed")),
        packages=(given["--allow"],) if "--allow" in given else (),
    )


def test_there_are_eight_of_them():
    assert {path.stem for path in EXAMPLES} == {
        "bad_sort", "slow_shortest", "text_search", "matrix_product", "matcher", "numeric_kernel", "memory_hungry",
        "circle_packing",
    }  # fmt: skip


@pytest.mark.breeding
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_prepared_as_its_first_lines_say(native, path):
    asked = wish(path)
    task = native.on_fabric(lambda fabric: prepare(asked, fabric, seed=1, announce=lambda _: None, scrubber=Scrubber()))
    assert task.function in command(path)[0]
    assert task.timing_size >= 8
    assert max(task.held_sizes) >= task.timing_size
    assert (task.reference is not None) == ("speed" in task.objectives)
    assert task.objectives == asked.objectives


@pytest.mark.breeding
def test_bad_sort_is_evolved(tmp_path):
    """By opcodes, which takes a third of the time that a clock does; `make demo` does it by the clock."""
    (tmp_path / "small.py").write_text("sizes = [2, 5, 9]\ntiming_size = 24\nheld_sizes = [40]\n")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mendel.cli.main", "--home", tmp_path / "home", "--log", "file"),
            *(
                "evolve",
                "examples/bad_sort.py:sort",
                "--seed",
                "1",
                "--target",
                "4x",
                "--seconds",
                "60",
                "--objective",
                "opcodes",
            ),
            *("--task", tmp_path / "small.py"),
            *("--no-best-of-n", "--out", tmp_path / "out", "--json"),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-2_000:]
    told = json.loads(done.stdout)
    assert told["adopted"]
    space = {}
    exec((Path(told["folder"]) / "winner.py").read_text(), space)
    assert space["sort"]([3, 1, 2, 3, -1]) == [-1, 1, 2, 3, 3]


def test_the_benchmark_measures_every_example_as_its_first_lines_say():
    told = {(each.name, f"{each.file}:{each.function}", each.options) for each in MEASURED}
    assert told == {(path.stem, command(path)[0], tuple(command(path)[1:])) for path in EXAMPLES}


def test_a_run_without_a_winner_is_never_a_fast_one():
    nothing = Run.without("bad_sort", 1, 12.0, "none came through")
    weak = replace(nothing, adoptions=(Adoption("a", 5.0, 3.0), Adoption("b", 8.0, 300.0, revoked=True)))
    strong = replace(nothing, adoptions=(Adoption("a", 5.0, 3.0), Adoption("b", 31.0, 40.0), Adoption("c", 50.0, 90.0)))
    assert (weak.winner_s, strong.winner_s) == (5.0, 50.0)
    for run in (nothing, weak):
        figures = figures_of_bad_sort([strong, run], 0.05)
        assert (figures["bad_sort_seeds_ok"].value, figures["bad_sort_worst_s"].met) == (1, False)
    figures = figures_of_bad_sort([strong] * 5, 0.05)
    assert [figure.met for figure in figures.values()] == [True, True, True]
    assert figures["bad_sort_worst_s"].value == 31.0


def answered(made, items):
    space = {}
    exec(made.source, space)
    return space[FUNCTION](items)


ITEMS = [(number * 7919 + number**3) % 2_003 - 900 for number in range(150)]


@check_rows("seed", range(60))
def test_a_generated_function_answers_with_much_and_changes_nothing(seed):
    made, given = generate(seed), list(ITEMS)
    answer = answered(made, given)
    assert given == ITEMS
    assert len(set(answer)) >= 8
    assert answer != answered(made, ITEMS[::2])
    for small in ([], [0], [10**30, -5], [3, 3, 3]):
        answered(made, small)


def test_generated_functions_are_the_same_for_ever_and_differ_by_seed():
    many = [generate(seed) for seed in range(60)]
    assert many == [generate(seed) for seed in range(60)]
    assert len({made.source.partition("def")[2] for made in many}) == 60
    assert len({made.idioms for made in many}) > 40
    assert {idiom for made in many for idiom in made.idioms} > set(IDIOMS)
    assert len({str(answered(made, ITEMS)) for made in many}) == 60


def test_the_table_tells_every_run():
    run = {
        "name": "bad_sort", "seed": 3, "gain": 212.4, "interval": [190.0, 230.5], "winner_s": 12.34,
        "examined": 1_234, "in_search": 3.0, "best_of_n": 1.5,
        "lineage": ["0: original ", "4: library sorted(items) | instead"],
    }  # fmt: skip
    none = {**run, "name": "circle_packing", "gain": 1.0, "interval": None, "winner_s": None, "best_of_n": None}
    machine = {"cpus": 2, "date": "today", "system": "a machine", "python": "3.11", "load": [0.1]}
    raw = {
        "sizes": {"seeds": 5},
        "machine": machine,
        "unit": {"python_s": 0.04},
        "runs": [run, none],
        "generated": [run],
    }
    figures = {"bad_sort_s": {"value": 12.34, "aim": ">= 0"}, "bad_sort_worst_s": {"value": 20.0, "aim": "<= 60"}}
    told = page({"benchmark": "time_to_best", "figures": figures, "raw": raw})
    assert "| `bad_sort` | 3 | 212x | 190x to 230x | 12.3 s | 1,234 | 3x | 1.5x |" in told
    assert "| `circle_packing` | 3 | 1x |  | nothing adopted | 1,234 | 3x |  |" in told
    assert "| `bad_sort_worst_s` | 20 | <= 60 |" in told
    assert "4: library sorted(items) \\| instead |" in told
