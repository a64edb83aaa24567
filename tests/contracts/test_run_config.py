"""Rule 6: a run chooses neither its judges nor their rubric."""

import pytest
from pydantic import ValidationError
from tests.contracts.examples import CONFIG
from tests.support.rows import check_rows

from mendel.contracts.providers import HELD_OUT_ROLES
from mendel.contracts.run_config import RunConfig

ROUTE = {"provider": "p", "model_id": "flattering"}


def config(**changes):
    return RunConfig.model_validate({"domain": "ideas", "problem": "p", "rng_seed": 1} | changes)


def test_the_held_out_roles_are_the_judge_and_the_audit():
    assert {"final_judge", "audit_judge"} == HELD_OUT_ROLES


@check_rows("roles", [["final_judge"], ["audit_judge"], ["audit_judge", "final_judge", "critic"]])
def test_no_run_chooses_the_model_of_a_judge(roles):
    with pytest.raises(ValidationError, match=f"{roles[0]}.*never chooses its judge"):
        config(model_route_overrides=dict.fromkeys(roles, ROUTE))


@check_rows("role", ["critic", "mutator", "population_generator", "coder"])
def test_other_roles_may_be_chosen(role):
    assert config(model_route_overrides={role: ROUTE}).model_route_overrides[role].model_id == "flattering"


@check_rows("role", ["Final_Judge", "final_judge ", "judge", "fusion"])
def test_a_role_that_does_not_exist_is_no_way_round(role):
    with pytest.raises(ValidationError):
        config(model_route_overrides={role: ROUTE})


@check_rows("field", ["rubric", "judge", "judge_route", "axes", "held_out", "final_judge"])
def test_there_is_no_field_for_the_rubric(field):
    with pytest.raises(ValidationError, match="Extra inputs"):
        config(**{field: ROUTE})


@check_rows(
    ("field", "value"),
    [
        ("alpha", 0.0),
        ("alpha", 1.0),
        ("alpha", float("nan")),
        ("rng_seed", -1),
        ("rng_seed", 2**63),
        ("slots", 0),
        ("slots", 10_001),
        ("min_population_survival", 1.01),
        ("generation_bias", -1.01),
        ("generation_bias", float("inf")),
        ("problem", ""),
        ("domain", "Ideas"),
        ("caps", {"max_population": 0}),
        ("pace", {"window": 0}),
        ("pace", {"kind": "whenever"}),
        ("continues", "latest"),
    ],
)
def test_a_setting_outside_its_range_is_refused(field, value):
    with pytest.raises(ValidationError, match=field):
        config(**{field: value})


def test_a_configuration_is_executed_as_it_was_recorded():
    assert RunConfig.model_validate_json(CONFIG.model_dump_json()) == CONFIG
    assert config() == RunConfig.model_validate_json(config().model_dump_json())
