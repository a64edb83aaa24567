"""`[evolve.task]` of mendel.toml: a task as a table, what wins over it, and what is wrong with it."""

from pathlib import Path

import pytest

from mendel.bench.spec_file import rules_of
from mendel.console.session import Session
from mendel.contracts.errors import ConfigError
from mendel.domains.programs.front.evolve import FunctionAsked, wish_of

pytestmark = pytest.mark.usefixtures("one_worker")

TOTAL = "def total(items):\n    found = 0\n    for item in items:\n        found = found + item\n    return found\n"
RULES = """\
from mendel.guard.spec import MetamorphicRelation, Metric, Property

def make(rng, size):
    return ([rng.randrange(100) for _ in range(size)],)

def whole(output, items):
    return isinstance(output, int)

def backwards(items):
    return (items[::-1],)

def bits(output, items):
    return output.bit_length()

def rate(output, items):
    return -abs(output)

BOTH = [Property(whole, "whole"), Property(lambda output, items: output >= 0, "not negative")]
TURNED = MetamorphicRelation("turned", backwards)
METRICS = [Metric("odd", lambda output, args: output % 2)]
CALLS = [[1, 2], [3]]
NUMBER = 3
"""
TABLE = """
[evolve.task]
generate = "rules.py:make"
examples = "rules.py:CALLS"
properties = ["rules.py:BOTH"]
relations = ["rules.py:TURNED"]
metrics = ["rules.py:METRICS", "rules.py:bits"]
score = "rules.py:rate"
oracle = true
sizes = [2, 3]
timing_size = 30
held_sizes = [40, 50]
objective = { opcodes = 2, size = 1 }
packages = ["numpy"]
tests = ["test_total.py"]
files = ["helpers.py"]
"""


@pytest.fixture(autouse=True)
def files(tmp_path):
    (tmp_path / "rules.py").write_text(RULES)
    (tmp_path / "mine.py").write_text(TOTAL)
    (tmp_path / "task.py").write_text("def generate(rng, size):\n    return ([],)\nsizes = [9]\nobjective = 'memory'\n")
    return tmp_path


def wished(table, *arguments, folder=Path(), **asked):
    (folder / "mendel.toml").write_text(table)
    session = Session(config_file=folder / "mendel.toml")
    return wish_of(session, FunctionAsked(*(arguments or ("mine.py:total",)), **asked))


def told(*arguments, **asked):
    with pytest.raises(ConfigError) as caught:
        rules_of(wished(*arguments, **asked).spec())
    return str(caught.value)


def test_a_table_says_what_a_task_file_would():
    wish = wished(TABLE)
    assert wish.objectives == {"opcodes": 2.0, "size": 1.0}
    assert (wish.packages, wish.tests, wish.files) == (("numpy",), (Path("test_total.py"),), (Path("helpers.py"),))
    rules = rules_of(wish.spec())
    assert rules.generate.__name__ == "make"
    assert [each.description for each in rules.properties] == ["whole", "not negative"]
    assert [each.name for each in rules.relations] == ["turned"]
    assert [each.name for each in rules.metrics] == ["odd", "bits"]
    assert [metric.extract(7, ([7],)) for metric in rules.metrics] == [1, 3.0]
    assert (rules.rated(3, ([3],)), rules.examples) == (-3.0, (([1, 2],), ([3],)))
    assert (rules.sizes, rules.timing_size, rules.held_sizes, rules.oracle) == ((2, 3), 30, (40, 50), True)


def test_plain_functions_are_rules_that_bear_their_names():
    rules = rules_of(
        wished('[evolve.task]\nproperties = ["rules.py:whole"]\nrelations = ["rules.py:backwards"]\n').spec()
    )
    assert [each.description for each in rules.properties] == ["whole"]
    assert [each.name for each in rules.relations] == ["backwards"]
    assert rules.relations[0].transformed(([1, 2],), 0) == ([2, 1],)


def test_keys_count_instead_of_what_the_task_file_beneath_them_says():
    rules = rules_of(wished('[evolve.task]\ntask = "task.py"\ngenerate = "rules.py:make"\n').spec())
    assert (rules.generate.__name__, rules.sizes, rules.objective) == ("make", (9,), "memory")


def test_options_win_over_the_table():
    wish = wished(
        TABLE, objective="speed", tests=[Path("t.py")], files=[Path("f.py")], packages=["scipy"], mutator="other"
    )
    assert wish.objectives == {"speed": 1.0}
    assert (wish.packages, wish.tests, wish.files) == (("scipy",), (Path("t.py"),), (Path("f.py"),))
    assert wish.table is not None


def test_a_task_file_of_the_command_line_wins_over_all_rules_of_the_table():
    wish = wished(TABLE, task=Path("task.py"))
    rules = rules_of(wish.spec())
    assert (rules.generate.__name__, rules.sizes, rules.properties) == ("generate", (9,), ())
    assert (wish.objectives, wish.packages, wish.tests) == (None, (), (Path("test_total.py"),))


def test_paths_begin_where_the_file_of_settings_lies(tmp_path):
    folder = tmp_path / "below"
    folder.mkdir()
    (folder / "rules.py").write_text("def make(rng, size):\n    return (size,)\n")
    wish = wished(TABLE.partition("examples")[0] + 'files = ["helpers.py"]\n', folder=folder)
    assert wish.files == (folder / "helpers.py",)
    assert rules_of(wish.spec()).generate(None, 5) == (5,)


def test_what_the_environment_says_begins_in_the_working_directory(monkeypatch, tmp_path):
    (tmp_path / "below").mkdir()
    monkeypatch.setenv("MENDEL_EVOLVE__TASK__FILES", "a.py, b.py")
    assert wished("", folder=tmp_path / "below").files == (Path("a.py"), Path("b.py"))


def test_a_table_beside_another_function_is_not_about_this_one(capsys):
    named = '[mutate]\ntarget_file = "mine.py"\nentry_fn = "total"\n' + TABLE
    assert wished(named, None).table is not None
    assert wished(named, "./mine.py:total").table is not None
    other = wished(named, "mine.py:other")
    assert (other.table, other.files, other.objectives) == (None, (), None)
    assert "[evolve.task] is for mine.py:total and is not used for mine.py:other" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('generator = "rules.py:make"', "mendel.toml:2: evolve.task.generator: unknown key; did you mean"),
        ('generate = "rules.py"', "mendel.toml:2: evolve.task.generate: expected FILE.py:NAME"),
        ("generate = 3", "mendel.toml:2: evolve.task.generate: expected FILE.py:NAME"),
        ('properties = ["rules:whole"]', "mendel.toml:2: evolve.task.properties: expected FILE.py:NAME"),
        ("sizes = [-1]", "mendel.toml:2: evolve.task.sizes: "),
        ('objective = { speed = "much" }', "mendel.toml:2: evolve.task.objective: expected a table of weights"),
        ('objective = "sped"', "mendel.toml: evolve.task.objective: no objective 'sped'; known are speed"),
        ('objective = { speed = -1 }', "mendel.toml: evolve.task.objective: 'speed:-1'"),
        ('generate = "nowhere.py:make"', "mendel.toml: evolve.task.generate: "),
        ('task = "nowhere.py"', "mendel.toml: evolve.task.task: "),
        ('generate = "rules.py:mak"', "[evolve.task] generate: "),
        ('generate = "rules.py:NUMBER"', "[evolve.task]: generate must be a function, not a int"),
        ('relations = ["rules.py:NUMBER"]', "[evolve.task]: relations holds a int, not a MetamorphicRelation"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_file_and_key(line, complaint):
    assert complaint in told(f"[evolve.task]\n{line}\n")


@pytest.mark.breeding
@pytest.mark.smoke
def test_a_run_follows_the_table_and_records_it(mendel, file_log, files):
    table = TABLE.replace('tests = ["test_total.py"]\nfiles = ["helpers.py"]\n', "").replace(
        'packages = ["numpy"]\n', ""
    )
    (files / "mendel.toml").write_text(table.replace('score = "rules.py:rate"\n', ""))
    done = mendel(
        "evolve", "mine.py:total", "--order", "birth", "--no-best-of-n", "--candidates", "4", "--seed", "3", "--json"
    )
    assert done.code in (0, 3), done.err
    assert done.json["task"]["objectives"] == {"opcodes": 2.0, "size": 1.0}
    assert (done.json["task"]["seen_sizes"], done.json["task"]["held_sizes"]) == ([2, 3], [40, 50])
    (files / "rules.py").write_text(RULES + "# changed\n")
    assert mendel("replay", done.json["run_id"]).code == 0
