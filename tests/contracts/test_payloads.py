import traceback

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator
from tests.support.rows import check_rows

from mendel.contracts.errors import InvalidPayload, PayloadRegisteredTwice, UnknownDomainPayload
from mendel.contracts.payloads import DomainPayload, PayloadRegistry

SECRET = "hunter2-hunter2-hunter2"


class Timing(BaseModel):
    model_config = ConfigDict(extra="forbid")

    milliseconds: int
    label: str = ""


class Other(BaseModel):
    pass


class Chatty(BaseModel):
    """A domain's model whose own complaint is harmless, but whose input is not."""

    name: str

    @field_validator("name")
    @classmethod
    def _refuse(cls, value: str) -> str:
        raise ValueError("that is no name")


@pytest.fixture
def registry():
    registry = PayloadRegistry()
    registry.register("programs", "timing", 1, Timing)
    return registry


def piece(kind="timing", version=1, **data):
    return DomainPayload(domain="programs", kind=kind, version=version, data=data)


def test_a_registered_payload_is_parsed_by_its_model(registry):
    registry.check(piece(milliseconds=3))
    assert registry.parse(piece(milliseconds=3, label="x")) == Timing(milliseconds=3, label="x")


def test_the_same_model_again_changes_nothing(registry):
    registry.register("programs", "timing", 1, Timing)
    assert list(registry) == [("programs", "timing", 1)]


def test_a_name_is_never_given_to_another_model(registry):
    with pytest.raises(PayloadRegisteredTwice, match=r"programs\.timing v1 is already .*Timing; give .*Other another"):
        registry.register("programs", "timing", 1, Other)
    assert isinstance(registry.parse(piece(milliseconds=1)), Timing)


def test_versions_live_side_by_side(registry):
    registry.register("programs", "timing", 2, Other)
    assert isinstance(registry.parse(piece(version=2)), Other)
    assert isinstance(registry.parse(piece(milliseconds=1)), Timing)


@pytest.mark.parametrize("wrong", [{"kind": "timings"}, {"version": 2}])
def test_an_unknown_payload_is_named_beside_the_known_ones(registry, wrong):
    with pytest.raises(UnknownDomainPayload, match=r"programs\.timings? v\d; registered: programs\.timing v1"):
        registry.check(piece(**wrong, milliseconds=1))


def test_an_empty_registry_says_so():
    with pytest.raises(UnknownDomainPayload, match="registered: none"):
        PayloadRegistry().check(piece())


@check_rows("key", [("Programs", "timing", 1), ("programs", "ti ming", 1), ("programs", "timing", 0)])
def test_a_name_must_be_one(key):
    with pytest.raises(ValidationError):
        PayloadRegistry().register(*key, Timing)


@pytest.mark.parametrize("data", [{"milliseconds": SECRET}, {"milliseconds": 1, "label": [SECRET]}])
def test_an_invalid_payload_is_explained_without_its_values(registry, data):
    with pytest.raises(InvalidPayload, match=r"programs\.timing v1: (milliseconds|label): Input should be") as caught:
        registry.check(piece(**data))
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_no_value_reaches_the_trace_of_a_model_that_complains_itself(registry):
    registry.register("programs", "chatty", 1, Chatty)
    with pytest.raises(InvalidPayload, match="name: that is no name") as caught:
        registry.check(piece("chatty", name=SECRET))
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_many_complaints_are_counted_not_listed(registry):
    with pytest.raises(InvalidPayload, match="and 4 more") as caught:
        registry.check(piece(milliseconds="x", a=1, b=1, c=1, d=1, e=1, f=1))
    assert str(caught.value).count(";") == 3


def test_a_domain_payload_is_data_and_no_more():
    with pytest.raises(ValidationError, match="Extra inputs"):
        DomainPayload.model_validate({"domain": "a", "kind": "b", "data": {}, "model": "x"})
    with pytest.raises(ValidationError):
        DomainPayload.model_validate({"domain": "a", "kind": "b", "data": []})
    with pytest.raises(ValidationError):
        DomainPayload.model_validate({"domain": "a", "kind": "b", "data": {"x": object()}})
