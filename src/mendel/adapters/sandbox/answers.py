"""Turns the data that a dead process left behind into the outcomes of its cases.

All of the data is untrusted: it is used only for the program's own values and error texts.
"""

from __future__ import annotations

import marshal
import math
import os
import re
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mendel.adapters.sandbox.child import (
    NO_COUNT,
    READY,
    U32,
    VALUE,
    Patience,
    Refused,
    Strangers,
    Writer,
    decode,
    encode,
    refuse_stranger,
)
from mendel.contracts.evaluations import Case, ErrorCode, Outcome, OutcomeKind, Program, Shape
from mendel.contracts.plain_values import NdArray, Record

_DTYPE: Final = re.compile(r"[<>|=](?P<kind>[biufcSUVmM])(?P<size>\d{1,9})(\[\w{1,9}\])?")
_TEXT_CHARACTERS: Final = 2_000  # longer names and messages are cut
_NUMBERS: Final = 1 << 63  # larger counts and line numbers are dropped
MOST_VALUES: Final = 500_000
"""Maximum number of values read from one process, besides packed lists: a second of the parent's time."""

MOST_COMPARING: Final = 1e8
"""Maximum number of bytes of keys with equal hashes that are compared for one process."""

MOST_SECONDS: Final = 1.0
"""Maximum time for inserting keys and members into tables: a hundred times the usual."""

_CODES: Final[Mapping[str, ErrorCode]] = {
    "SANDBOX_UNDECLARED_TYPE": "SANDBOX_UNDECLARED_TYPE",
    "SANDBOX_RESULT_TOO_LARGE": "SANDBOX_RESULT_TOO_LARGE",
    "SANDBOX_RESULT_TOO_DEEP": "SANDBOX_RESULT_TOO_DEEP",
}


_READY: Final = Outcome("value")  # the outcome of every successful load


class Outside(Strangers):
    """Represents arrays and records by stand-ins; a record must have its declared shape."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self._shapes = {shape.name: shape.fields for shape in shapes}

    def array(self, dtype: str, shape: tuple[int, ...], data: bytes) -> NdArray:
        """Return an array whose buffer size matches its type and shape."""
        kind = _DTYPE.fullmatch(dtype)
        if kind is None or int(kind["size"]) * (4 if kind["kind"] == "U" else 1) * math.prod(shape) != len(data):
            raise Refused("SANDBOX_PROTOCOL", "an array whose buffer does not match its type and shape")
        return NdArray(dtype, shape, data)

    def record(self, name: str, fields: tuple[tuple[str, object], ...]) -> Record:
        """Return a stand-in for an instance of a declared dataclass."""
        if self._shapes.get(name) != tuple(field for field, _ in fields):
            raise Refused("SANDBOX_UNDECLARED_TYPE", f"a record {name} whose fields differ from the declared ones")
        return Record(name, fields)


def write_stranger(writer: Writer, value: Any, depth: int) -> None:  # noqa: ANN401 - any object at all
    """Write a stand-in as the value that it represents."""
    if type(value) is NdArray:
        writer.out += b"n"
        for part in (value.dtype, value.shape, value.data):
            writer.write(part, depth + 1)
    elif type(value) is Record:
        writer.out += b"r"
        writer.text(value.name)
        writer.write(value.fields, depth + 1)
    else:
        refuse_stranger(writer, value, depth)


def encoded_request(program: Program, cases: Sequence[Case], result_bytes: int, *, counted: bool) -> bytearray:
    """Encode a request for a process: its program and its arguments, and nothing else.

    Raises:
        Refused: an argument is not plain data.
    """
    shapes = tuple((shape.name, shape.fields) for shape in program.shapes)
    calls = [bytes(encode((case.args, dict(case.kwargs)), stranger=write_stranger)) for case in cases]
    files = {str(path): str(text) for path, text in program.files.items()}
    # marshal is safe here: our own code reads it, before any line of the program has run.
    return bytearray(marshal.dumps((files, program.entry, shapes, calls, result_bytes, counted, program.on_disk)))


@dataclass(frozen=True, slots=True)
class Death:
    """How a process ended before answering: killed after its time limit, otherwise by its status."""

    timed_out: bool
    status: int
    limited_as_group: bool

    @property
    def outcome(self) -> Outcome:
        """The outcome of the case during which it died."""
        if self.timed_out:
            return _failed("timeout", "TimeoutError", "SANDBOX_TIMEOUT", "it ran longer than allowed and was killed")
        code = os.waitstatus_to_exitcode(self.status)
        if code == -signal.SIGKILL and self.limited_as_group:
            return _failed("memory", "MemoryError", "SANDBOX_MEMORY", "it used more memory than allowed")
        if code == -signal.SIGXCPU:
            return _failed("timeout", "TimeoutError", "SANDBOX_TIMEOUT", "it used more processor time than allowed")
        if code < 0:
            return _failed("killed", "Crashed", "SANDBOX_CRASHED", f"its process was ended by {_signal_name(-code)}")
        return _failed("killed", "Exited", "SANDBOX_EXITED", f"its process ended itself with status {code}")


def read_answers(data: bytes, program: Program, cases: int, death: Death) -> tuple[list[Outcome], bool]:
    """Read the outcomes of the cases that ended, and whether the program was loaded at all."""
    outside = Outside(program.shapes)
    patience = Patience(MOST_VALUES + 100 * cases, MOST_COMPARING, MOST_SECONDS)
    outcomes: list[Outcome] = []
    loaded = False
    for frame in _frames(data):
        outcome = _outcome(frame, outside, patience)
        if loaded:
            outcomes.append(outcome)
        elif outcome.error_code is not None:
            return [outcome], False
        loaded = True
        if len(outcomes) == cases or outcome.error_code == "SANDBOX_PROTOCOL":
            return outcomes, True
    return [*outcomes, death.outcome], loaded


def _frames(data: bytes) -> Iterator[bytes]:
    at = 0
    while at + U32.size <= len(data):
        (size,) = U32.unpack_from(data, at)
        at += U32.size + size
        if at > len(data):
            return
        yield data[at - size : at]


def _plain_value(frame: bytes) -> bytes | None:
    """Return the value in a frame of the most common form, or None for other frames, which take the general decoder."""
    at = len(VALUE) + U32.size
    if not frame.startswith(VALUE) or frame[-1:] != NO_COUNT or len(frame) <= at:
        return None
    return frame[at:-1] if U32.unpack_from(frame, len(VALUE))[0] == len(frame) - at - 1 else None


def _outcome(frame: bytes, outside: Outside, patience: Patience) -> Outcome:
    if frame == READY:
        return _READY
    try:
        plain = _plain_value(frame)
        if plain is not None:
            return Outcome("value", decode(plain, outside, patience))
        match decode(frame, outside, patience):
            case ("R",):
                return Outcome("value")
            case ("V", bytes() as value, None | int() as opcodes):
                return Outcome("value", decode(value, outside, patience), opcodes=_number(opcodes))
            case ("E", str() as name, str() as message, None | int() as line):
                return _failed("exception", name, "SANDBOX_EXCEPTION", message, line)
            case ("L", str() as name, str() as message, None | int() as line):
                return _failed("exception", name, "SANDBOX_LOAD_FAILED", message, line)
            case ("M", str() as name, str() as message, None | int() as line):
                return _failed("memory", name, "SANDBOX_MEMORY", message or "it used more memory than allowed", line)
            case ("P", str() as code, str() as message) if code in _CODES:
                return _failed("violation", "ProtocolViolation", _CODES[code], message)
    except Refused as refusal:
        code = _CODES.get(refusal.code, "SANDBOX_PROTOCOL")
        return _failed("violation", "ProtocolViolation", code, str(refusal))
    return _failed("violation", "ProtocolViolation", "SANDBOX_PROTOCOL", "the answer does not follow the protocol")


def _failed(kind: OutcomeKind, name: str, code: ErrorCode, message: str, line: int | None = None) -> Outcome:
    return Outcome(kind, None, _text(name), code, _text(message), _number(line))


def _text(told: str) -> str:
    """Make a program's error text storable: truncated, and without lone surrogates."""
    return told[:_TEXT_CHARACTERS].encode("utf-8", "replace").decode()


def _number(told: int | None) -> int | None:
    """Return a number within the plausible range, else None; bool does not count as a number."""
    return told if type(told) is int and 0 <= told < _NUMBERS else None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
