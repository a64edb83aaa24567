"""What a verdict was made from."""

import platform
import subprocess
import sys

from tests.guard.making import ABS, ECHO, NUMBERS, WALLS, judged, source
from tests.support.rows import check_rows

import mendel
from mendel.contracts.evaluations import Isolation
from mendel.guard import MetamorphicRelation, Metric, Property, TaskSpec, generators, get_task
from mendel.guard.provenance import provenance, spec_hash

WEAK = Isolation("weak", (), "memory", {"every layer": "missing"})


def yes(output, x):
    return True


def no(output, x):
    return False


BASE = {
    "properties": [Property(yes, "fine")],
    "relations": [MetamorphicRelation("same", yes)],
    "metrics": [Metric("cost", yes)],
}
OTHERS = [
    {"properties": [Property(no, "fine")]},
    {"properties": [Property(yes, "finer")]},
    {"properties": [Property(yes, "fine", "soft")]},
    {"relations": [MetamorphicRelation("same", no)]},
    {"relations": [MetamorphicRelation("same", yes, "properties_hold")]},
    {"relations": [MetamorphicRelation("same", yes, accepts_rng=True)]},
    {"metrics": [Metric("cost", no)]},
    {"metrics": [Metric("cost", yes, higher_is_better=False)]},
    {"metrics": [Metric("cost", yes, "sum")]},
    {"equivalence": yes},
    {"packages": ("numpy",)},
]


def test_the_same_task_has_the_same_hash():
    assert spec_hash(TaskSpec("t", yes, **BASE)) == spec_hash(TaskSpec("t", yes, **BASE))


@check_rows("other", OTHERS)
def test_another_part_makes_another_hash(other):
    assert spec_hash(TaskSpec("t", yes, **BASE)) != spec_hash(TaskSpec("t", yes, **{**BASE, **other}))


def test_another_name_or_other_inputs_make_another_hash():
    hashes = {spec_hash(TaskSpec(name, inputs)) for name in "ab" for inputs in (yes, no)}
    assert len(hashes) == 4


def test_the_inputs_of_a_generator_are_part_of_the_hash():
    one, other = (TaskSpec("t", generators.arguments(generators.integers(0, top))) for top in (9, 99))
    assert spec_hash(one) != spec_hash(other)
    assert spec_hash(one) == spec_hash(TaskSpec("t", generators.arguments(generators.integers(0, 9))))


def test_of_two_lambdas_in_a_line_each_has_a_hash_of_its_own():
    left, right = [TaskSpec("t", NUMBERS, equivalence=each) for each in (lambda a, b: a == b, lambda a, b: a != b)]
    assert spec_hash(left) != spec_hash(right)


def test_what_differs_in_a_constant_only_is_another_task():
    left, right = [
        TaskSpec("t", NUMBERS, equivalence=each) for each in (lambda a, b: a < b + 1, lambda a, b: a < b + 2)
    ]
    assert spec_hash(left) != spec_hash(right)


def test_callables_of_any_kind_can_be_hashed():
    class Close:
        def __call__(self, left, right):
            return True

    for equivalence in (max, Close(), len):
        assert len(spec_hash(TaskSpec("t", NUMBERS, equivalence=equivalence))) == 64


def test_both_sides_the_seeds_and_the_walls_are_told():
    made = provenance(TaskSpec("t", NUMBERS), source(ABS), source(ECHO), WALLS, {"seed": 3})
    assert (made.baseline_hash, made.candidate_hash) == (source(ABS).hash, source(ECHO).hash)
    assert made.seeds == {"seed": 3}
    assert made.versions == {"mendel": mendel.__version__, "python": platform.python_version()}
    assert (made.sandbox.tier, made.sandbox.weakened, made.sandbox.layers) == ("full", False, WALLS.layers)
    assert platform.machine() in made.platform


def test_weak_walls_are_told_as_such():
    made = provenance(TaskSpec("t", NUMBERS), None, source(ECHO), WEAK, {})
    assert made.baseline_hash is None
    assert (made.sandbox.weakened, made.sandbox.missing) == (True, {"every layer": "missing"})
    strong = provenance(TaskSpec("t", NUMBERS), None, source(ECHO), WALLS, {})
    assert made.sandbox.fingerprint != strong.sandbox.fingerprint


def test_two_runs_of_the_same_have_the_same_provenance():
    spec = TaskSpec("t", NUMBERS)
    assert judged(spec, ABS, ABS, n=20).provenance == judged(spec, ABS, ABS, n=20).provenance
    assert judged(spec, ABS, ABS, n=20, seed=9).provenance.seeds == {"seed": 9}


EVERY_HASH = """
from mendel.guard import get_task, task_names
from mendel.guard.provenance import spec_hash
print({name: spec_hash(get_task(name)) for name in task_names()})
"""


def test_another_process_arrives_at_the_same_hashes():
    done = subprocess.run([sys.executable, "-c", EVERY_HASH], capture_output=True, text=True, timeout=120)
    theirs = eval(done.stdout)
    assert len(theirs) > 5
    assert theirs == {name: spec_hash(get_task(name)) for name in theirs}
    assert len(set(theirs.values())) == len(theirs)


def test_what_a_generator_calls_is_part_of_the_hash():
    hashes = [
        spec_hash(TaskSpec("t", generators.arguments(generators.text("abc", 5).map(change))))
        for change in (str.upper, str.lower, "-".join, "+".join, lambda text: text + "a", lambda text: text + "b")
    ]
    assert len(set(hashes)) == len(hashes)


class Keeper:
    """One of ours, which holds the task whose inputs its own method makes."""

    __module__ = "mendel.kept"

    def __init__(self):
        self.spec = TaskSpec(name="kept", gen_inputs=self.made)

    def made(self, n, seed):
        return [(seed,)] * n


def test_a_task_that_is_held_by_who_makes_its_inputs_has_a_hash():
    assert spec_hash(Keeper().spec) == spec_hash(Keeper().spec)
