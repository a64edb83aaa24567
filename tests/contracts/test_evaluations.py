"""What a sandbox is asked and what it answers."""

from itertools import chain, combinations
from typing import get_args

import pytest
from tests.support.rows import check_rows

from mendel.contracts.evaluations import (
    ALWAYS_NEEDED,
    MIB,
    NAMESPACES_NEEDED,
    NOTHING_USED,
    Case,
    Grants,
    Isolation,
    Layer,
    Limits,
    Outcome,
    Program,
    ResourceUse,
    Shape,
    TimedSample,
    tier_of,
)

LAYERS = frozenset(get_args(Layer))


@check_rows("path", ["candidate.py", "pkg/part.py", "a/b/c.d-e_f.txt", "__init__.py", "..a/b..py", ".hidden"])
def test_plain_relative_paths_are_files_of_a_program(path):
    assert Program({path: ""}, "candidate:f").files == {path: ""}


@check_rows(
    "path",
    [
        "",
        "/etc/passwd",
        "../x.py",
        "a/../b.py",
        "./a.py",
        "a/.",
        "a//b.py",
        "a/",
        "a b.py",
        "ä.py",
        "a\n",
        "a\\b",
        "a\0",
    ],
)
def test_other_paths_are_refused_by_name(path):
    with pytest.raises(ValueError, match="relative path of plain names"):
        Program({"candidate.py": "", path: ""}, "candidate:f")


@check_rows("entry", ["candidate:f", "pkg.part:solve", "_a.b1:_c2"])
def test_an_entry_is_a_module_and_a_function(entry):
    assert Program({}, entry).entry == entry


@check_rows(
    "entry", ["", "f", "candidate:", ":f", "a:b:c", "a b:f", "1a:f", "a:1f", "a:f.g", "a:f()", "a/b:f", "a:f\n"]
)
def test_other_entries_are_refused(entry):
    with pytest.raises(ValueError, match="module:function"):
        Program({"candidate.py": ""}, entry)


def test_a_program_of_one_file():
    program = Program.of("x = 1", "f", shapes=(Shape("P", ("x",)),))
    assert program == Program({"candidate.py": "x = 1"}, "candidate:f", (Shape("P", ("x",)),))


def test_a_case_without_arguments():
    assert Case() == Case((), {})
    with pytest.raises(TypeError):
        Case().kwargs["x"] = 1


def test_limits_as_they_are_unless_told():
    limits = Limits()
    assert limits.memory_bytes == 256 * MIB
    assert limits.case_s <= limits.batch_s
    assert limits.threads == 0


@check_rows("name", ["case_s", "batch_s", "memory_bytes", "result_bytes", "output_bytes", "open_files"])
@check_rows("value", [0, -1, float("nan")])
def test_limits_that_allow_nothing_are_refused(name, value):
    with pytest.raises(ValueError, match=name):
        Limits(**{name: value})


@check_rows("name", ["scratch_bytes", "scratch_files", "threads"])
def test_some_limits_may_be_nothing_and_none_less(name):
    assert getattr(Limits(**{name: 0}), name) == 0
    with pytest.raises(ValueError, match=name):
        Limits(**{name: -1})


@pytest.mark.parametrize("name", ["case_s", "batch_s"])
def test_a_time_without_end_is_no_limit(name):
    with pytest.raises(ValueError, match=name):
        Limits(**{name: float("inf")})


@check_rows("name", ["numpy", "data.csv", "a-b_c.1", "pkg.part"])
def test_names_that_can_be_granted(name):
    assert Grants(packages=(name,), files={name: "/x"}).packages == (name,)


@check_rows("name", ["", ".", "..", "../x", "a/b", "/etc", "-x", ".x", "a b", "a\n", "ä"])
def test_other_names_cannot_be_granted(name):
    with pytest.raises(ValueError, match="no name that can be granted"):
        Grants(files={name: "/x"})
    with pytest.raises(ValueError, match="no name that can be granted"):
        Grants(packages=(name,))


def test_nothing_is_granted_unless_told():
    assert Grants() == Grants((), {}, network=False, gpu=False)


# --- tiers -----------------------------------------------------------------------------------------------------------


@check_rows(
    ("missing", "tier"),
    [
        (set(), "full"),
        ({"uts"}, "full"),
        ({"cgroup", "cgroups"}, "full"),
        ({"landlock"}, "namespaces"),
        *[({layer}, "landlock") for layer in sorted(NAMESPACES_NEEDED)],
        *[({layer}, "weak") for layer in sorted(ALWAYS_NEEDED)],
        *[({"landlock", layer}, "weak") for layer in sorted(NAMESPACES_NEEDED)],
        (set(LAYERS), "weak"),
        (LAYERS - {"landlock"}, "weak"),
        (LAYERS - ALWAYS_NEEDED, "weak"),
        (LAYERS - ALWAYS_NEEDED - {"landlock"}, "landlock"),
        (LAYERS - ALWAYS_NEEDED - NAMESPACES_NEEDED, "namespaces"),
        (LAYERS - ALWAYS_NEEDED - NAMESPACES_NEEDED - {"landlock"}, "full"),
    ],
)
def test_what_is_in_force_makes_the_tier(missing, tier):
    assert tier_of(LAYERS - missing) == tier


def test_a_wall_more_never_makes_a_sandbox_weaker():
    order = ["weak", "landlock", "namespaces", "full"]
    subsets = chain.from_iterable(combinations(sorted(LAYERS), count) for count in range(len(LAYERS) + 1))
    for layers in subsets:
        for more in LAYERS - set(layers):
            assert order.index(tier_of({*layers, more})) >= order.index(tier_of(layers))


def test_only_what_is_not_weak_may_be_adopted():
    assert [Isolation(tier, (), "x").adoptable for tier in ("full", "namespaces", "landlock", "weak")] == [
        True,
        True,
        True,
        False,
    ]


# --- what is told ----------------------------------------------------------------------------------------------------


def test_only_a_value_is_a_success():
    assert Outcome("value").succeeded
    for kind in ("exception", "timeout", "memory", "killed", "violation", "not_run"):
        assert not Outcome(kind).succeeded


def test_usage_adds_up_and_the_peak_is_the_highest():
    one, two = ResourceUse(1.0, 2.0, 300, 1), ResourceUse(0.5, 0.25, 200, 2)
    assert one + two == ResourceUse(1.5, 2.25, 300, 3)
    assert NOTHING_USED + one == one


def test_the_ratio_is_that_of_the_right_one():
    assert TimedSample(left_s=2.0, right_s=1.0, empty_s=0.1, cases=3, forks=1, left_first=True).ratio == 0.5
