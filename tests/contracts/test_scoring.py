"""Rule 6: the axes of the held-out judge are closed, and every one is scored."""

import pytest
from pydantic import ValidationError
from tests.contracts.examples import make_judge_result
from tests.support.rows import check_rows

from mendel.contracts.scoring import FitnessScore, JudgeAxis, JudgeRubric

FULL = dict.fromkeys((axis.value for axis in JudgeAxis), 2.5)


def test_the_axes_are_the_five_of_the_seed():
    assert [axis.value for axis in JudgeAxis] == [
        "grounding",
        "novelty",
        "feasibility",
        "falsification_survival",
        "subtype_check_pass",
    ]


def test_a_judge_that_scored_every_axis_is_heard():
    assert make_judge_result(axis_scores=FULL).axis_scores[JudgeAxis.NOVELTY] == 2.5


@check_rows("axis", JudgeAxis)
def test_a_judge_that_left_an_axis_out_is_not(axis):
    scores = {name: score for name, score in FULL.items() if name != axis.value}
    with pytest.raises(ValidationError, match=f"missing: {axis.value}"):
        make_judge_result(axis_scores=scores)


def test_no_axis_can_be_added():
    with pytest.raises(ValidationError, match="charm"):
        make_judge_result(axis_scores=FULL | {"charm": 5.0})
    with pytest.raises(ValidationError):
        JudgeRubric(axes=("grounding", "charm"), weights={}, policy_version="1")


@check_rows("score", [-0.01, 5.01, float("nan"), float("inf"), None, "high"])
def test_a_score_is_between_nothing_and_five(score):
    with pytest.raises(ValidationError, match="novelty"):
        make_judge_result(axis_scores=FULL | {"novelty": score})


@check_rows("field", ["rubric", "weights", "score_override", "immutable_to_agents"])
def test_an_answer_cannot_move_its_own_rubric(field):
    with pytest.raises(ValidationError, match="Extra inputs"):
        make_judge_result(**{field: {}})


@check_rows("flag", [False, None, 0])
def test_a_rubric_is_immutable_to_what_it_judges(flag):
    with pytest.raises(ValidationError, match="immutable_to_agents"):
        JudgeRubric.model_validate({"weights": {}, "policy_version": "1", "immutable_to_agents": flag})


def test_a_fitness_is_bound_to_the_policy_that_weighed_it():
    fields = {"candidate_id": "c-1", "total": 1.0, "components": {}, "policy_version": "v", "explanation": "e"}
    assert FitnessScore.model_validate(fields).policy_version == "v"
    for broken in ({"policy_version": ""}, {"total": float("nan")}, {"explanation": ""}):
        with pytest.raises(ValidationError):
            FitnessScore.model_validate(fields | broken)
