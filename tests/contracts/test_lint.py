"""What the static policy says, and what a trait may touch."""

import pytest
from pydantic import ValidationError
from tests.support.rows import check_rows

from mendel.contracts.lint import ENTITY, RUN_HINTS, EntityInterface, Finding, LintCode, run_finding

FINDING = Finding(code="AST_BANNED_CALL", message="no eval", file="a.py", line=3, column=7, hint="compute it")


def test_a_finding_reads_like_a_compilers():
    assert str(FINDING) == "a.py:3:7: AST_BANNED_CALL no eval (compute it)"


def test_a_finding_survives_json_and_cannot_be_changed():
    assert Finding.model_validate_json(FINDING.model_dump_json()) == FINDING
    with pytest.raises(ValidationError):
        FINDING.line = 4


@check_rows("wrong", [{"line": 0}, {"column": 0}, {"message": ""}, {"hint": ""}, {"code": "NO_SUCH"}])
def test_a_finding_always_says_what_where_and_what_instead(wrong):
    with pytest.raises(ValidationError):
        Finding.model_validate({**FINDING.model_dump(), **wrong})


def test_a_code_is_its_own_name():
    assert all(code.value == code.name for code in LintCode)


@pytest.mark.parametrize("code", RUN_HINTS)
def test_what_happened_in_a_run_is_a_finding_too(code):
    finding = run_finding(code, "ZeroDivisionError: division by zero", file="trait.py", line=9)
    assert (finding.code, finding.file, finding.line, finding.column) == (code, "trait.py", 9, 1)
    assert finding.hint == RUN_HINTS[code]


def test_a_trait_changes_its_body_and_never_its_descent():
    assert {"x", "y", "energy"} <= ENTITY.writable
    assert not ENTITY.writable & {"id", "parent_id", "generation", "dna_hash", "traits", "max_energy"}
    assert ENTITY.names == ENTITY.readable | ENTITY.writable


@check_rows(
    "names",
    [
        {"sync_methods": {"eat"}, "async_methods": {"eat"}},
        {"readable": {"eat"}, "sync_methods": {"eat"}},
        {"writable": {"eat"}, "async_methods": {"eat"}},
    ],
)
def test_a_name_of_an_entity_is_one_thing(names):
    with pytest.raises(ValidationError):
        EntityInterface(**{key: frozenset(value) for key, value in names.items()})
