from uuid import UUID

import pytest
from pydantic import TypeAdapter, ValidationError
from tests.support.rows import check_rows

from mendel.contracts.ids import CandidateId, UuidText, new_event_id, new_run_id, new_task_id, parse_run_id
from mendel.contracts.tasks import TaskId


@pytest.mark.parametrize("make", [new_run_id, new_event_id])
def test_ids_are_uuid_7_and_sort_by_creation(make):
    made = [make() for _ in range(500)]
    assert made == sorted(made)
    assert len(set(made)) == 500
    assert {UUID(text).version for text in made} == {7}
    assert all(TypeAdapter(UuidText).validate_python(text) == text for text in made)


def test_a_task_id_is_a_uuid_7_without_hyphens():
    made = new_task_id()
    assert TypeAdapter(TaskId).validate_python(made) == made
    assert UUID(made).version == 7
    assert len(made) == 32


@pytest.mark.parametrize("spelling", ["0198AAAA-0000-7000-8000-00000000000F", "0198aaaa0000700080000000 0000000f"])
def test_a_run_id_is_read_in_canonical_form(spelling):
    assert parse_run_id(spelling.replace(" ", "")) == "0198aaaa-0000-7000-8000-00000000000f"


@check_rows("text", ["", "latest", "../../etc/passwd", "0198aaaa"])
def test_what_is_no_uuid_is_no_run_id(text):
    with pytest.raises(ValueError, match="badly formed"):
        parse_run_id(text)


@check_rows("text", ["x" * 36, "0198AAAA-0000-7000-8000-00000000000F", "0" * 32, ""])
def test_a_stored_uuid_has_one_spelling(text):
    with pytest.raises(ValidationError):
        TypeAdapter(UuidText).validate_python(text)


def test_a_derived_id_cannot_be_a_path():
    for text in ("a-../b", "a-b/c", "a-b\\c", "a-b\x00"):
        with pytest.raises(ValidationError):
            TypeAdapter(CandidateId).validate_python(text)
