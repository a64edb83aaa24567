"""How the gate is asked: arguments, mappings, TOML."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.support.rows import check_rows

from mendel.contracts.errors import ConfigError
from mendel.guard import EvaluationConfig, EvaluatorConfig, GuardConfig
from mendel.guard.config import LATER, configured, load_request

options = st.fixed_dictionaries(
    {},
    optional={
        "n": st.integers(1, 10_000),
        "seed": st.integers(-(2**40), 2**40),
        "mode": st.sampled_from(["exact", "statistical", "absolute"]),
        "policy": st.sampled_from(["superiority", "noninferiority:margin=0.1", "equivalence:alpha=0.01"]),
        "alpha": st.floats(0.001, 0.4),
        "min_pass_rate": st.floats(0.1, 1),
        "violation_cap": st.integers(0, 50),
        "ci_method": st.sampled_from(["tango", "exact", "cluster"]),
        "sequential": st.sampled_from(["none", "always_valid", "pocock", "obrien_fleming"]),
        "looks": st.integers(1, 9) | st.lists(st.integers(1, 99), min_size=1, max_size=4, unique=True).map(sorted),
        "parallel": st.integers(0, 8),
        "timeout_s": st.floats(0.01, 60),
        "metrics": st.lists(st.sampled_from(["time", "cost"]), max_size=2, unique=True),
        "shrink": st.booleans(),
        "report_dir": st.sampled_from(["out", "a/b"]),
    },
)


def spelled(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case list():
            return "[" + ", ".join(map(spelled, value)) + "]"
        case _:
            return repr(value)


# --- the same from everywhere --------------------------------------------------------------------------------------


@given(options)
def test_arguments_a_mapping_and_a_file_ask_for_the_same(tmp_path_factory, chosen):
    path = tmp_path_factory.mktemp("asked") / "guard.toml"
    path.write_text("[guard]\n" + "".join(f"{name} = {spelled(value)}\n" for name, value in chosen.items()))
    config = configured(**chosen)
    assert load_request(chosen).config == config
    assert load_request({"guard": chosen}).config == config
    assert load_request({"metamorphic_guard": chosen}).config == config
    assert load_request(path).config == config
    assert load_request(str(path)).config == config
    assert load_request(config).config is config


@given(options)
def test_a_configuration_survives_json(chosen):
    config = configured(**chosen)
    assert GuardConfig.model_validate_json(config.model_dump_json()) == config
    assert GuardConfig(**config.model_dump(mode="json", exclude_none=True)) == config


@given(options, options)
def test_what_is_changed_changes_and_nothing_else(first, second):
    changed = configured(configured(**first), **second)
    assert changed == configured(**{**first, **second})


def test_names_beside_the_configuration_are_the_task_and_both_sides(tmp_path):
    path = tmp_path / "guard.toml"
    path.write_text('task = "top_k"\nbaseline = "a.py"\ncandidate = "b.py:fast"\nn = 12\n')
    request = load_request(path)
    assert (request.task, request.baseline, request.candidate) == ("top_k", "a.py", "b.py:fast")
    assert request.config == GuardConfig(n=12)


def test_the_other_names_are_the_same_class():
    assert EvaluationConfig is EvaluatorConfig is GuardConfig


@check_rows(
    ("alias", "name", "value"),
    [
        ("power_target", "power", 0.7),
        ("sequential_method", "sequential", "pocock"),
        ("max_looks", "looks", 3),
        ("relation_correction", "correction", "bh"),
    ],
)
def test_fields_have_the_names_of_elsewhere_too(alias, name, value):
    assert configured(**{alias: value}) == configured(**{name: value})
    assert getattr(configured(configured(**{name: getattr(GuardConfig(), name)}), **{alias: value}), name) == value


def test_hyphens_are_underscores():
    assert configured(sequential="obrien-fleming").sequential == "obrien_fleming"


# --- what is refused -----------------------------------------------------------------------------------------------


@check_rows(
    ("option", "value"),
    [
        *(("n", wrong) for wrong in (0, -1, 1.5, "many", None)),
        *(("alpha", wrong) for wrong in (0, 1, -1, 0.5, math.nan, math.inf)),
        *(("min_delta", wrong) for wrong in (1, -1, 5, math.nan, math.inf)),
        *(("min_pass_rate", wrong) for wrong in (0, 1.1, math.nan)),
        *(("power", wrong) for wrong in (0, 1, math.nan)),
        *(("timeout_s", wrong) for wrong in (0, -1, 1e-9, math.nan, 1e9)),
        *(("looks", wrong) for wrong in (0, -3, [], [5, 5], [9, 3], [0, 4])),
        ("mem_mb", 1),
        ("violation_cap", -1),
        ("recheck", 1.5),
        ("parallel", -1),
        ("mode", "loose"),
        ("ci_method", "wald"),
        ("sequential", "sometimes"),
        ("correction", "bonferroni"),
        ("timing_samples", 2),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_its_name(option, value):
    with pytest.raises(ConfigError, match=option):
        configured(**{option: value})


@check_rows("policy", ["noninferiority", "superiority", "equivalence"])
@check_rows("delta", [1.0, -1.0, 5.0])
def test_a_margin_is_below_one_wherever_it_stands(policy, delta):
    with pytest.raises(ConfigError, match=r"margin|min_delta"):
        configured(policy=policy, min_delta=delta).settled()


def test_a_policy_that_cannot_be_read_is_refused_at_once():
    with pytest.raises(ConfigError, match="did you mean noninferiority"):
        configured(policy="noninferiorty")
    with pytest.raises(ConfigError, match="there is no policy"):
        GuardConfig(policy="nonsense")


def test_an_unknown_option_is_answered_with_the_nearest():
    with pytest.raises(ConfigError, match="no option 'aplha'; did you mean alpha"):
        configured(aplha=0.1)


@check_rows("name", sorted(LATER))
def test_what_belongs_to_the_surroundings_is_refused_as_such(name):
    with pytest.raises(ConfigError, match=f"{name}: monitors, alerts, queues and sandbox plugins are not supported"):
        configured(**{name: []})


def test_a_name_that_is_no_string_is_refused():
    with pytest.raises(ConfigError, match="candidate must be a string, not a int"):
        load_request({"candidate": 3})


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path):
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot be read"):
        load_request(tmp_path / "nowhere.toml")
    for name, content in (("bad.toml", b"n = = 3"), ("latin.toml", b'task = "\xff"')):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ConfigError, match=f"{name}: not valid TOML"):
            load_request(tmp_path / name)


def test_a_configuration_is_frozen():
    with pytest.raises(ValidationError):
        GuardConfig().n = 3


# --- policies ------------------------------------------------------------------------------------------------------


def test_without_a_word_the_candidate_must_not_be_worse():
    policy = GuardConfig().resolved_policy()
    assert (policy.kind, policy.margin) == ("noninferiority", None)
    assert GuardConfig(mode="absolute").resolved_policy().kind == "absolute"


@check_rows(
    ("chosen", "kind", "margin"),
    [
        ({"min_delta": 0.1}, "superiority", 0.1),
        ({"min_delta": 0.0}, "noninferiority", 0.0),
        ({"min_delta": -0.1}, "noninferiority", 0.1),
        ({"min_delta": -0.1, "policy": "superiority"}, "superiority", 0.1),
        ({"min_delta": 0.1, "policy": "superiority:margin=0.3"}, "superiority", 0.3),
    ],
)
def test_a_least_difference_is_the_margin_unless_the_policy_has_one(chosen, kind, margin):
    policy = GuardConfig(**chosen).resolved_policy()
    assert (policy.kind, policy.margin) == (kind, margin)


def test_a_floor_stands_beside_the_policy_unless_it_has_one():
    assert GuardConfig(min_pass_rate=0.9).resolved_policy().min_pass_rate == 0.9
    assert GuardConfig(min_pass_rate=0.9, policy="absolute:min_pass_rate=0.5").resolved_policy().min_pass_rate == 0.5


def test_a_policy_sets_thresholds():
    config = GuardConfig(alpha=0.1, policy="superiority:alpha=0.01,power=0.9,violation_cap=3").settled()
    assert (config.alpha, config.power, config.violation_cap) == (0.01, 0.9, 3)
    assert isinstance(config.violation_cap, int)


@check_rows("value", ["alpha=0", "alpha=0.7", "power=1", "violation_cap=-1", "violation_cap=2.7"])
def test_a_threshold_that_cannot_be_is_refused_in_a_policy_too(value):
    with pytest.raises(ConfigError, match=value.partition("=")[0]):
        GuardConfig(policy=f"superiority:{value}").settled()
