import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.contracts.events.operation import Operation
from mendel.contracts.work import Answer, Material, TaskPayload, Work

OPERATION = Operation(
    id="op-1", step="sample.look", subject_kind="candidate", subject_ids=("candidate-1",), entropy=(7, "vary", 3)
)
WORK = Work(operation=OPERATION, material=Material(problem="a sample"))


def test_an_operation_draws_by_its_own_key_at_every_attempt():
    again = WORK.model_copy(update={"attempt": 2})
    assert WORK.entropy.word("x") == again.entropy.word("x") == Entropy(7, "vary", 3).word("x")


def test_work_crosses_the_fabric_unchanged():
    payload = TaskPayload(handler="sample.look", run_id="run", work=WORK)
    assert TaskPayload.model_validate(payload.model_dump(mode="json")) == payload


@given(st.sampled_from(["energy", "status", "score_override"]))
def test_an_answer_has_no_room_for_anything_else(name):
    with pytest.raises(ValidationError):
        Answer.model_validate({name: 1})


@check_rows("wrong", [{"spawn_budget": 0}, {"attempts": 0}, {"usage": {"tokens_in": -1}}])
def test_an_answer_has_no_impossible_numbers(wrong):
    with pytest.raises(ValidationError):
        Answer.model_validate(wrong)
