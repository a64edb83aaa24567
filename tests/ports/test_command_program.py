import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.evaluations import Grants, Outcome
from mendel.ports.command_program import (
    DRIVER,
    GRANTS,
    CommandResult,
    command_case,
    command_program,
    result_of,
    results_of,
)

TOLD = (0, "out", "err", 0.5, 1.0, False)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=6) | st.lists(inner, max_size=6).map(tuple),
    max_leaves=12,
)


def test_the_program_is_its_files_and_a_driver_that_no_file_replaces():
    program = command_program({"main.c": "int main(void) { return 0; }", DRIVER: "def run(*_): return []"})
    assert set(program.files) == {"main.c", DRIVER}
    assert program.files == {**command_program({}).files, "main.c": program.files["main.c"]}
    assert program.on_disk
    assert Grants(commands=True) == GRANTS


def test_a_case_says_what_to_run_and_with_what():
    case = command_case("make", ("./main", "-v"), stdin="3", seconds=2, variables={"SIZE": "1"})
    assert case.args == (["make", ["./main", "-v"]], "3", 2.0, {"SIZE": "1"}, True)


@check_rows("steps", [(), ("",), ("make", ())])
def test_a_case_without_a_command_is_refused(steps):
    with pytest.raises(ValueError, match="needs at least one command"):
        command_case(*steps)


def test_each_command_is_told_and_the_last_is_the_result():
    outcome = Outcome("value", [TOLD, (-9, "", "", 0.0, 0.1, True)])
    assert results_of(outcome) == (CommandResult(*TOLD), CommandResult(-9, "", "", 0.0, 0.1, timed_out=True))
    assert result_of(outcome).timed_out
    assert not result_of(outcome).succeeded
    assert result_of(Outcome("value", [TOLD])).succeeded


def test_what_did_not_come_to_its_end_has_no_result():
    assert result_of(Outcome("timeout", error_code="SANDBOX_TIMEOUT")) is None
    assert result_of(Outcome("value", [])) is None


@given(plain)
def test_whatever_a_process_says_is_a_result_or_none(value):
    results = results_of(Outcome("value", value))
    assert results is None or all(isinstance(result.status, int) for result in results)


@given(st.lists(plain, min_size=6, max_size=6).map(tuple))
def test_a_step_of_other_types_is_no_result(step):
    if tuple(map(type, step)) != tuple(map(type, TOLD)):
        assert results_of(Outcome("value", [TOLD, step])) is None
