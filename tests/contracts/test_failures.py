"""Where a plug-in raised: the innermost line of its own package."""

import json

import pytest
from pydantic import ValidationError

from mendel.contracts.base import Contract
from mendel.contracts.failures import raised_at


def raised_by(work):
    with pytest.raises((json.JSONDecodeError, ValidationError)) as raised:
        work()
    return raised_at(raised.value)


def test_it_is_the_line_that_called_what_failed_in_another_library():
    def work():
        return json.loads("{")

    assert raised_by(work) == f"contracts/test_failures.py, line {work.__code__.co_firstlineno + 1}"


def test_it_is_the_callers_line_where_our_own_code_refuses():
    def work():
        return Contract.model_validate({"a key": 1})

    assert raised_by(work) == f"contracts/test_failures.py, line {work.__code__.co_firstlineno + 1}"


def test_an_error_that_was_never_raised_has_no_place():
    assert raised_at(ValueError("alone")) is None
