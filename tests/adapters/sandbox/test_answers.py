"""From what a dead process left behind to outcomes: nothing that it says can hurt, and little is believed."""

import marshal
import signal
import struct

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.adapters.sandbox.answers import Death, encoded_request, read_answers, write_stranger
from mendel.adapters.sandbox.child import Refused, encode
from mendel.contracts.evaluations import Case, Outcome, Program, Shape
from mendel.contracts.plain_values import NdArray, Record

PROGRAM = Program.of("def f():\n    pass\n", "f", shapes=(Shape("P", ("x",)),))
KINDS = {"value", "exception", "timeout", "memory", "killed", "violation"}


def exited(status: int) -> Death:
    return Death(timed_out=False, status=status << 8, limited_as_group=False)


def frames(*parts: object) -> bytes:
    encoded = [part if isinstance(part, bytes) else bytes(encode(part)) for part in parts]
    return b"".join(struct.pack("<I", len(frame)) + frame for frame in encoded)


def value(content: object) -> tuple[str, bytes, None]:
    return ("V", bytes(encode(content)), None)


def read(data: bytes, cases: int = 2, death: Death | None = None) -> tuple[list[Outcome], bool]:
    outcomes, loaded = read_answers(data, PROGRAM, cases, death or exited(0))
    assert all(outcome.kind in KINDS for outcome in outcomes)
    assert all((outcome.error_code is None) == (outcome.kind == "value") for outcome in outcomes)
    assert len(outcomes) == 1 if not loaded else len(outcomes) <= cases
    return outcomes, loaded


# --- honest processes ----------------------------------------------------------------------------------------------


def test_every_case_has_its_answer():
    assert read(frames(("R",), value(1), value([2]))) == ([Outcome("value", 1), Outcome("value", [2])], True)


def test_a_process_that_died_answers_for_the_cases_it_ended():
    outcomes, loaded = read(frames(("R",), value(1)), 3, exited(7))
    assert loaded
    assert [outcome.kind for outcome in outcomes] == ["value", "killed"]
    assert outcomes[1].error_code == "SANDBOX_EXITED"
    assert "7" in outcomes[1].message


def test_a_process_that_died_while_it_was_loading_answers_for_all():
    outcomes, loaded = read(b"", 3, exited(7))
    assert not loaded
    assert [outcome.kind for outcome in outcomes] == ["killed"]


def test_a_load_failure_is_told():
    outcomes, loaded = read(frames(("L", "SyntaxError", "bad", 3)))
    assert not loaded
    failure = Outcome("exception", None, "SyntaxError", "SANDBOX_LOAD_FAILED", "bad", 3)
    assert outcomes == [failure]


@check_rows(
    ("frame", "outcome"),
    [
        (("E", "ValueError", "no", 4), Outcome("exception", None, "ValueError", "SANDBOX_EXCEPTION", "no", 4)),
        (("E", "ValueError", "no", None), Outcome("exception", None, "ValueError", "SANDBOX_EXCEPTION", "no")),
        (("M", "MemoryError", "m", 4), Outcome("memory", None, "MemoryError", "SANDBOX_MEMORY", "m", 4)),
        (
            ("P", "SANDBOX_RESULT_TOO_DEEP", "deep"),
            Outcome("violation", None, "ProtocolViolation", "SANDBOX_RESULT_TOO_DEEP", "deep"),
        ),
        (("V", bytes(encode(1)), 77), Outcome("value", 1, opcodes=77)),
    ],
)
def test_every_frame_is_one_outcome(frame, outcome):
    assert read(frames(("R",), frame, value(2))) == ([outcome, Outcome("value", 2)], True)


def test_long_texts_are_cut():
    outcomes, _ = read(
        frames(("R",), ("E", "x" * 100_000, "y" * 100_000, 1), ("P", "SANDBOX_RESULT_TOO_LARGE", "z" * 9_999))
    )
    assert [(len(outcome.error_type), len(outcome.message)) for outcome in outcomes] == [(2_000, 2_000), (17, 2_000)]


# --- forged and garbled frames ---------------------------------------------------------------------------------------


@check_rows(
    "frame",
    [
        b"", b"\xff", b"N" * 100, ("Q",), ("R", 1), (), [], "V", ("V",), ("V", 1, None), ("V", "x", None),
        ("V", b"N", 1.0), ("V", b"N", None, None), ("E", "a", "b"), ("E", 1, "b", None), ("E", "a", b"b", None),
        ("E", "a", "b", "c"), ("P", "SANDBOX_MEMORY", "x"), ("P", "SANDBOX_TIMEOUT", "x"), ("P", "", "x"),
        ("P", "SANDBOX_NOT_RUN", "x"), ("K", "SANDBOX_CRASHED"), ("V", b"\xff", None), ("V", b"", None),
        ("V", b"NN", None),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_a_violation_and_ends_the_process_word(frame):
    outcomes, loaded = read(frames(("R",), value(1), frame, value(3), value(4)), 4)
    assert loaded
    assert outcomes[0] == Outcome("value", 1)
    assert (outcomes[1].kind, outcomes[1].error_code) == ("violation", "SANDBOX_PROTOCOL")
    assert len(outcomes) == 2, "what follows is believed no more"


def test_more_answers_than_cases_are_not_read():
    assert read(frames(("R",), *map(value, range(50)))) == ([Outcome("value", 0), Outcome("value", 1)], True)


def test_a_truncated_frame_is_none():
    whole = frames(("R",), value(1), value(2))
    for end in range(len(whole)):
        outcomes, _ = read(whole[:end], 2, exited(5))
        assert outcomes[-1].kind == "killed"
    assert read(whole + b"\xff\xff\xff\xff")[0] == read(whole)[0]


def test_a_frame_longer_than_the_area_is_none():
    outcomes, loaded = read(frames(("R",)) + b"\xff\xff\xff\xff" + b"N" * 100, 1, exited(0))
    assert loaded
    assert outcomes[0].kind == "killed"


def test_undeclared_records_are_violations():
    def write(writer, _value, _depth):
        writer.out += b"r" + encode("Q") + encode((("x", 1),))

    outcomes, _ = read(frames(("R",), ("V", bytes(encode(object(), stranger=write)), None)), 1)
    assert (outcomes[0].kind, outcomes[0].error_code) == ("violation", "SANDBOX_UNDECLARED_TYPE")


def test_numbers_of_opcodes_and_lines_are_numbers():
    outcomes, _ = read(frames(("R",), ("V", b"N", True), ("E", "a", "b", True)))
    assert all(type(outcome.opcodes) in {int, type(None)} for outcome in outcomes)
    assert all(type(outcome.line) in {int, type(None)} for outcome in outcomes)


@settings(deadline=None)
@given(st.binary(max_size=400), st.integers(0, 5))
@example(b"\0\0\0\0" * 10, 3)
def test_any_bytes_are_read_without_complaint(data, cases):
    read(data, cases)


@settings(deadline=None)
@given(st.data())
def test_any_mutation_is_read_without_complaint(data):
    whole = bytearray(
        frames(("R",), value([1, {"x": (2,)}]), ("E", "a", "b", 1), ("P", "SANDBOX_RESULT_TOO_LARGE", "x"))
    )
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    read(bytes(whole), 3)


# --- how a process ended ---------------------------------------------------------------------------------------------


def killed_by(number: int, *, group: bool = False) -> Outcome:
    return Death(timed_out=False, status=number, limited_as_group=group).outcome


def test_every_end_is_told_apart():
    late = Death(timed_out=True, status=signal.SIGKILL, limited_as_group=True).outcome
    assert (late.kind, late.error_type, late.error_code) == ("timeout", "TimeoutError", "SANDBOX_TIMEOUT")
    assert killed_by(signal.SIGXCPU).error_code == "SANDBOX_TIMEOUT"
    assert killed_by(signal.SIGKILL, group=True).error_code == "SANDBOX_MEMORY"
    assert killed_by(signal.SIGKILL).error_code == "SANDBOX_CRASHED"
    assert "SIGSEGV" in killed_by(signal.SIGSEGV).message
    assert "SIGSYS" in killed_by(signal.SIGSYS | 0x80).message, "with a core dumped, too"


@check_rows("status", [0, 1, 71, 72, 255])
def test_a_status_is_told(status):
    outcome = exited(status).outcome
    assert (outcome.kind, outcome.error_code) == ("killed", "SANDBOX_EXITED")
    assert str(status) in outcome.message


@check_rows("number", [*range(1, 65)])
def test_every_signal_has_an_outcome(number):
    outcome = killed_by(number)
    assert outcome.error_code in {"SANDBOX_CRASHED", "SANDBOX_TIMEOUT"}
    assert outcome.message


# --- what a process is told ------------------------------------------------------------------------------------------


def test_a_process_is_told_its_program_and_its_arguments_and_nothing_else():
    cases = [Case((1, Record("P", (("x", 1),))), {"k": NdArray("<f8", (0,), b"")})]
    told = marshal.loads(bytes(encoded_request(PROGRAM, cases, 123, counted=True)))
    assert told[:3] == (dict(PROGRAM.files), PROGRAM.entry, (("P", ("x",)),))
    assert len(told[3]) == 1
    assert told[4:] == (123, True, False)


@check_rows("argument", [object(), {1: len}, type("L", (list,), {})()])
def test_an_argument_that_is_not_plain_is_refused(argument):
    with pytest.raises(Refused, match="may not cross"):
        encoded_request(PROGRAM, [Case((argument,))], 1_000, counted=False)


@check_rows(
    ("dtype", "shape", "data"),
    [
        ("O", (1,), bytes(8)),
        ("<f8", (2**39,), bytes(8)),
        ("<f8", (2,), bytes(8)),
        ("<U2", (1,), bytes(2)),
        ("f8", (1,), bytes(8)),
    ],
)
def test_an_array_is_as_large_as_it_says(dtype, shape, data):
    value = encode(NdArray(dtype, shape, data), stranger=write_stranger)
    (outcome,), loaded = read(frames(("R",), ("V", bytes(value), None)), cases=1)
    assert loaded
    assert outcome.error_code == "SANDBOX_PROTOCOL"
