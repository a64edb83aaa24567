import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.support.rows import check_rows

from mendel.contracts.events.envelope import GENESIS, EventDraft
from mendel.contracts.events.run import RunStarted

ID_FIELDS = ["generation_id", "genome_id", "candidate_id", "operation_id"]
TEXT_FIELDS = ["correlation_id", "trace_id", "observation_id"]
BAD_IDS = [
    "",
    "Candidate-1",
    "candidate",
    "candidate-",
    "-1",
    "candidate-1\n",
    "candidate-1/..",
    "candidate- 1",
    "kandidát-1",
    "c-" + "1" * 127,
]


def drafted(**fields):
    return EventDraft.model_validate({"type": "run.started", "actor": "runtime", "payload": {}} | fields)


@check_rows("field", ID_FIELDS)
@check_rows("value", ["candidate-1", "g:0", "op-a.b_c:d-E", "c-" + "1" * 126])
def test_derived_ids_are_taken(field, value):
    assert getattr(drafted(**{field: value}), field) == value


@check_rows("field", ID_FIELDS)
@check_rows("value", BAD_IDS)
def test_other_ids_are_not(field, value):
    with pytest.raises(ValidationError, match=field):
        drafted(**{field: value})


@check_rows("field", TEXT_FIELDS)
@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=200))
def test_a_correlation_is_one_line_of_free_text(field, text):
    assert getattr(drafted(**{field: text}), field) == text


@check_rows("field", TEXT_FIELDS)
@check_rows("text", ["", "a\x00b", "a\nb", "\x7f", "a\x1f", "x" * 201, "line\n"])
def test_control_characters_and_length_are_refused(field, text):
    with pytest.raises(ValidationError, match=field):
        drafted(**{field: text})


@check_rows("value", ["", "1", "0198", "01980000-0000-7000-8000-00000000000G", "A" * 36])
def test_an_event_id_is_a_uuid_in_lower_case(value):
    with pytest.raises(ValidationError, match="id"):
        drafted(id=value)
    with pytest.raises(ValidationError, match="id"):
        drafted(id="01980000-0000-7000-8000-00000000ABCD")


def test_every_draft_gets_an_id_of_its_own():
    assert len({EventDraft.of(RunStarted()).id for _ in range(100)}) == 100


def test_a_draft_cannot_bring_its_place_along():
    for field in ("sequence", "hash", "prev_hash", "occurred_at", "run_id", "schema_version"):
        with pytest.raises(ValidationError, match="Extra inputs"):
            drafted(**{field: 1})


def test_the_first_predecessor_is_frozen_for_ever():
    assert GENESIS == "0" * 64
