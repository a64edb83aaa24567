import json
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from tests.contracts.examples import EXAMPLES
from tests.support.rows import check_rows

from mendel.contracts.actors import Actor
from mendel.contracts.base import Contract
from mendel.contracts.canonical import canonical
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.registry import EVENT_PAYLOADS
from mendel.contracts.payloads import DomainPayload, domain_payloads

every_type = check_rows("name", sorted(EVENT_PAYLOADS))


def contracts() -> list[type[Contract]]:
    found, todo = [], [Contract]
    while todo:
        for model in todo.pop().__subclasses__():
            if model.__module__.startswith("mendel."):
                found.append(model)
                todo.append(model)
    return found


@check_rows("model", contracts())
def test_every_contract_is_frozen_and_closed(model):
    assert model.model_config["frozen"] is True
    assert model.model_config["extra"] == "forbid"
    assert model.model_config["allow_inf_nan"] is False
    assert model.model_config["hide_input_in_errors"] is True


@every_type
def test_a_payload_is_frozen(name):
    payload = EXAMPLES[name]
    for field in EVENT_PAYLOADS[name].model_fields:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(payload, field, getattr(payload, field))
    with pytest.raises((ValidationError, AttributeError)):
        payload.stray = 1


@every_type
def test_a_payload_forbids_what_it_does_not_know(name):
    fields = json.loads(EXAMPLES[name].model_dump_json(by_alias=True))
    with pytest.raises(ValidationError, match="stray"):
        EVENT_PAYLOADS[name].model_validate(fields | {"stray": 1})


@every_type
def test_a_payload_comes_back_from_json(name):
    payload = EXAMPLES[name]
    stored = canonical(payload.model_dump(mode="json", by_alias=True))
    again = EVENT_PAYLOADS[name].model_validate_json(stored)
    assert again == payload
    assert canonical(again.model_dump(mode="json", by_alias=True)) == stored


@every_type
def test_an_example_fills_every_field_of_its_type(name):
    model = EVENT_PAYLOADS[name]
    left_out = {"degraded", "repaired", "truncated", "operation_id", "request_excerpt", "response_excerpt", "usage"}
    assert set(model.model_fields) - EXAMPLES[name].model_fields_set <= left_out | {"unit", "attempt", "attempts"}


@every_type
def test_required_fields_are_required(name):
    model = EVENT_PAYLOADS[name]
    fields = json.loads(EXAMPLES[name].model_dump_json(by_alias=True))
    for field, info in model.model_fields.items():
        if info.is_required():
            with pytest.raises(ValidationError, match=field):
                model.model_validate({key: value for key, value in fields.items() if key != field})


def pieces(value: object) -> Iterator[DomainPayload]:
    """Every piece of domain data anywhere below ``value``, found without help of the payload itself."""
    if isinstance(value, DomainPayload):
        yield value
    elif isinstance(value, BaseModel):
        for field in type(value).model_fields:
            yield from pieces(getattr(value, field))
    elif isinstance(value, dict):
        for inner in value.values():
            yield from pieces(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from pieces(inner)


@every_type
def test_no_domain_data_escapes_its_model(name):
    payload = EXAMPLES[name]
    assert list(domain_payloads(payload)) == list(pieces(payload))


@every_type
def test_every_type_can_be_drafted(name):
    draft = EventDraft.of(EXAMPLES[name])
    assert (draft.type, draft.payload) == (name, EXAMPLES[name])
    assert EventDraft.model_validate_json(draft.model_dump_json(by_alias=True)) == draft


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(EVENT_PAYLOADS)), st.data())
def test_garbage_in_a_field_is_refused_or_comes_back_from_json(name, data):
    model = EVENT_PAYLOADS[name]
    if not model.model_fields:
        return
    field = data.draw(st.sampled_from(sorted(model.model_fields)))
    fields = json.loads(EXAMPLES[name].model_dump_json(by_alias=True)) | {field: data.draw(values)}
    try:
        payload = model.model_validate(fields)
    except ValidationError:
        return
    assert model.model_validate_json(payload.model_dump_json(by_alias=True)) == payload


def test_actors_of_a_draft_are_the_eight_and_no_more():
    assert [actor.value for actor in Actor] == [
        "operator",
        "runtime",
        "genome",
        "critic",
        "check_runner",
        "judge",
        "selection",
        "gate",
    ]
    with pytest.raises(ValidationError, match="actor"):
        EventDraft.model_validate({"type": "run.started", "actor": "plugin", "payload": {}})
