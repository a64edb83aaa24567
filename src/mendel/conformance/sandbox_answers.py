"""The first half of the contract suite of port ``Sandbox``: the results of programs, well-behaved or not."""

from __future__ import annotations

import asyncio
import struct
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Final

import pytest
import pytest_asyncio

from mendel.conformance.sandbox_samples import (
    HOSTILE_EXCEPTIONS,
    HOSTILE_TEXT,
    LOAD_FAILURES,
    STRANGERS,
    VALUES,
)
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import SandboxRefused
from mendel.contracts.evaluations import (
    MIB,
    NOTHING_GRANTED,
    Case,
    ErrorCode,
    Evaluation,
    Grants,
    Limits,
    Outcome,
    OutcomeKind,
    Program,
    Shape,
)
from mendel.contracts.plain_values import NdArray, PlainValue, Record
from mendel.ports.sandbox import Sandbox

OpenSandbox = Callable[[], Sandbox]

PATIENT: Final = Limits(case_s=60, batch_s=240)
"""For programs that end by themselves, even on a busy machine."""
SHORT: Final = Limits(case_s=1.0, batch_s=240)
"""For programs that never end."""

_PATIENCE_S: Final = 300
_PACKAGE: Final = "iniconfig"
"""A small package that is installed wherever pytest is."""
_WORK: Final = "def f(n):\n    total = 0\n    for i in range({times} * n):\n        total += i % 7\n    return n\n"


async def evaluated(
    sandbox: Sandbox,
    source: str,
    *calls: Sequence[PlainValue],
    limits: Limits = PATIENT,
    grants: Grants = NOTHING_GRANTED,
    recheck: float = 0.0,
    count_opcodes: bool = False,
) -> Evaluation:
    """Call ``f`` of that source once for each tuple of arguments and return the evaluation."""
    program, cases = Program.of(source, "f"), [Case(tuple(args)) for args in calls]
    async with asyncio.timeout(_PATIENCE_S):
        evaluation = await sandbox.evaluate(
            program,
            cases,
            limits=limits,
            grants=grants,
            recheck=recheck,
            entropy=Entropy("conformance"),
            count_opcodes=count_opcodes,
        )
    assert len(evaluation.outcomes) == len(cases), "there is one outcome for each case"
    return evaluation


async def outcome_of(
    sandbox: Sandbox,
    source: str,
    *args: PlainValue,
    limits: Limits = PATIENT,
    grants: Grants = NOTHING_GRANTED,
) -> Outcome:
    """Call ``f`` of that source once and return its outcome."""
    return (await evaluated(sandbox, source, args, limits=limits, grants=grants)).outcomes[0]


async def value_of(sandbox: Sandbox, source: str, *args: PlainValue, grants: Grants = NOTHING_GRANTED) -> PlainValue:
    """Call ``f`` of that source once and return its value; fails unless the call succeeds."""
    outcome = await outcome_of(sandbox, source, *args, grants=grants)
    assert outcome.succeeded, outcome
    assert (outcome.error_type, outcome.error_code, outcome.message) == (None, None, "")
    return outcome.value


def failed(outcome: Outcome, kind: OutcomeKind, code: ErrorCode, error_type: str | None = None) -> None:
    """Check that the outcome is this failure and has no value."""
    assert (outcome.kind, outcome.error_code) == (kind, code), outcome
    assert outcome.value is None
    assert outcome.error_type
    assert error_type is None or outcome.error_type == error_type
    assert len(outcome.message) <= 2_000
    assert (outcome.error_type + outcome.message).encode(), "the message must be encodable"


def by_name(samples: Iterable[str]) -> pytest.MarkDecorator:
    """Parametrise a test with the names of the samples."""
    return pytest.mark.parametrize("name", list(samples))


@pytest.mark.asyncio(loop_scope="class")
class AnswersContract:
    """The first half of the obligations; subclass :class:`mendel.conformance.sandbox.SandboxContract` instead."""

    @pytest.fixture(scope="class")
    @classmethod
    def open_sandbox(cls) -> OpenSandbox:
        raise NotImplementedError("override this fixture with a callable that makes the sandbox under test")

    @pytest_asyncio.fixture(scope="class", loop_scope="class")
    @classmethod
    async def sandbox(cls, open_sandbox: OpenSandbox) -> AsyncIterator[Sandbox]:
        async with open_sandbox() as sandbox:
            yield sandbox

    # --- values ------------------------------------------------------------------------------------------------

    async def test_plain_values_cross_exactly(self, sandbox: Sandbox) -> None:
        wrong = []
        # Representations are compared, since NaN is unequal to itself and -0.0 equals 0.0.
        for value in VALUES:
            back = await value_of(sandbox, "def f(x):\n    return x, repr(x), type(x).__name__\n", value)
            assert isinstance(back, tuple)
            if (repr(back[0]), type(back[0])) != (repr(value), type(value)):
                wrong.append(f"{value!r} came back as {back[0]!r}")
            if (back[1], back[2]) != (repr(value), type(value).__name__):
                wrong.append(f"{value!r} went in as {back[2]} {back[1]}")
        assert wrong == []

    async def test_members_of_sets_cross_exactly(self, sandbox: Sandbox) -> None:
        # -1 and -2 have the same hash, and so have 2**61 - 1 and 0.
        members = {1, 2.5, "x", b"y", None, (1, 2), frozenset({3, 4}), -1, -2, 2**61 - 1, 0}
        back = await value_of(sandbox, "def f(x):\n    return x, sorted(map(repr, x)), {k: k for k in x}\n", members)
        assert back == (members, sorted(map(repr, members)), {member: member for member in members})

    async def test_keyword_arguments_cross(self, sandbox: Sandbox) -> None:
        program = Program.of("def f(a, /, *rest, b, **more):\n    return a, rest, b, more\n", "f")
        cases = [Case((1, 2), {"b": 3, "ü": [4]}), Case((1,), {"a": 1})]
        whole, partial = (await sandbox.evaluate(program, cases, limits=PATIENT)).outcomes
        assert whole.value == (1, (2,), 3, {"ü": [4]})
        failed(partial, "exception", "SANDBOX_EXCEPTION", "TypeError")

    async def test_the_payload_of_a_nan_crosses(self, sandbox: Sandbox) -> None:
        bits = struct.pack("<Q", 0x7FF8_0000_0000_1234)
        back = await value_of(sandbox, "def f(x):\n    return x, [x] * 4\n", struct.unpack("<d", bits)[0])
        assert isinstance(back, tuple)
        assert {struct.pack("<d", number) for number in (back[0], *back[1])} == {bits}

    async def test_values_are_the_programs_own(self, sandbox: Sandbox) -> None:
        value = [[1], {"k": [2]}, bytearray(b"x")]
        changed = await value_of(sandbox, "def f(x):\n    x[0].append(9)\n    x[1].clear()\n    return x\n", value)
        assert (changed, value) == ([[1, 9], {}, bytearray(b"x")], [[1], {"k": [2]}, bytearray(b"x")])

    async def test_arrays_cross(self, sandbox: Sandbox) -> None:
        pytest.importorskip("numpy")
        source = (
            "import numpy as np\n\ndef f(x):\n    x += 1\n    return x.T, np.array([[True]]), np.float64(1.5) == 1.5\n"
        )
        array = NdArray("<i4", (2, 3), struct.pack("<6i", *range(6)))
        program = Program.of(source.replace("np.float64(1.5) == 1.5", "x.dtype.str"), "f")
        evaluation = await sandbox.evaluate(
            program, [Case((array,))], limits=PATIENT, grants=Grants(packages=("numpy",))
        )
        turned = NdArray("<i4", (3, 2), struct.pack("<6i", 1, 4, 2, 5, 3, 6))
        assert evaluation.outcomes[0].value == (turned, NdArray("|b1", (1, 1), b"\1"), "<i4")

    async def test_declared_dataclasses_cross_as_records(self, sandbox: Sandbox) -> None:
        source = "import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\n    y: list\n\n"
        source += "def f(p):\n    p.x += 1\n    return [p, P(0, P(1, []))], type(p) is P\n"
        program = Program.of(source, "f", shapes=(Shape("P", ("x", "y")),))
        evaluation = await sandbox.evaluate(program, [Case((Record("P", (("x", 1), ("y", [2]))),))], limits=PATIENT)
        inner = Record("P", (("x", 1), ("y", [])))
        expected = [Record("P", (("x", 2), ("y", [2]))), Record("P", (("x", 0), ("y", inner)))]
        assert evaluation.outcomes[0].value == (expected, True)

    async def test_a_record_has_the_declared_fields_and_no_other(self, sandbox: Sandbox) -> None:
        source = "class P:\n    def __init__(self):\n        self.x, self.secret = 1, 2\n\ndef f():\n    return P()\n"
        shapes = (Shape("P", ("x",)), Shape("Q", ("x",)))
        evaluation = await sandbox.evaluate(Program.of(source, "f", shapes=shapes), [Case()], limits=PATIENT)
        assert evaluation.outcomes[0].value == Record("P", (("x", 1),))
        pretender = source.replace("return P()", "return type('P', (), {'x': 1})()")
        evaluation = await sandbox.evaluate(Program.of(pretender, "f", shapes=shapes), [Case()], limits=PATIENT)
        failed(evaluation.outcomes[0], "violation", "SANDBOX_UNDECLARED_TYPE")

    async def test_a_class_that_refuses_its_fields_is_the_programs_failure(self, sandbox: Sandbox) -> None:
        source = "class P:\n    def __init__(self, x):\n        raise ValueError('no')\n\ndef f(p):\n    return p\n"
        program = Program.of(source, "f", shapes=(Shape("P", ("x",)),))
        cases = [Case((Record("P", (("x", 1),)),)), Case((1,))]
        first, second = (await sandbox.evaluate(program, cases, limits=PATIENT)).outcomes
        failed(first, "exception", "SANDBOX_EXCEPTION", "ValueError")
        assert second.value == 1

    @by_name(STRANGERS)
    async def test_what_is_not_plain_is_a_violation(self, sandbox: Sandbox, name: str) -> None:
        failed(await outcome_of(sandbox, STRANGERS[name]), "violation", "SANDBOX_UNDECLARED_TYPE")

    @pytest.mark.parametrize("value", [object(), [len], {1: sys}, type("L", (list,), {})()], ids=type)
    async def test_arguments_that_are_not_plain_are_refused(self, sandbox: Sandbox, value: PlainValue) -> None:
        with pytest.raises(SandboxRefused, match="plain data"):
            await evaluated(sandbox, "def f(x):\n    return x\n", (value,))

    # --- failures of the program ---------------------------------------------------------------------------------

    async def test_an_exception_is_told_by_name_message_and_line(self, sandbox: Sandbox) -> None:
        source = "class Mine(ValueError):\n    pass\n\ndef g(x):\n    raise Mine(f'no {x}')\n\ndef f(x):\n    g(x)\n"
        outcome = await outcome_of(sandbox, source, "ü\0")
        failed(outcome, "exception", "SANDBOX_EXCEPTION", "Mine")
        assert (outcome.message, outcome.line) == ("no ü\0", 5)

    async def test_the_line_is_one_of_the_program(self, sandbox: Sandbox) -> None:
        outcome = await outcome_of(sandbox, "import json\n\ndef f():\n    return json.loads('{')\n")
        failed(outcome, "exception", "SANDBOX_EXCEPTION", "JSONDecodeError")
        assert outcome.line == 4

    @by_name(HOSTILE_EXCEPTIONS)
    async def test_an_exception_that_does_not_want_to_be_told(self, sandbox: Sandbox, name: str) -> None:
        source = f"{HOSTILE_TEXT}class Mine(Exception):\n    {HOSTILE_EXCEPTIONS[name]}\n\n"
        source += "def f(x):\n    if x:\n        raise Mine\n"
        evaluation = await evaluated(sandbox, source, (1,), (0,))
        failed(evaluation.outcomes[0], "exception", "SANDBOX_EXCEPTION", "Mine")
        assert evaluation.outcomes[1].succeeded

    @pytest.mark.parametrize("name", ["SystemExit", "KeyboardInterrupt", "GeneratorExit", "RecursionError"])
    async def test_every_exception_is_only_that(self, sandbox: Sandbox, name: str) -> None:
        source = f"def f(x):\n    if x:\n        raise {name}(7)\n    return x\n"
        evaluation = await evaluated(sandbox, source, (1,), (0,))
        failed(evaluation.outcomes[0], "exception", "SANDBOX_EXCEPTION", name)
        assert evaluation.outcomes[1].value == 0

    async def test_endless_recursion_is_an_exception(self, sandbox: Sandbox) -> None:
        outcome = await outcome_of(sandbox, "def f():\n    return f()\n")
        failed(outcome, "exception", "SANDBOX_EXCEPTION", "RecursionError")

    @by_name(LOAD_FAILURES)
    async def test_a_program_that_cannot_be_loaded_fails_in_every_case(self, sandbox: Sandbox, name: str) -> None:
        source, error_type, line = LOAD_FAILURES[name]
        evaluation = await evaluated(sandbox, source, (1,), (2,))
        for outcome in evaluation.outcomes:
            failed(outcome, "exception", "SANDBOX_LOAD_FAILED")
            # Older Pythons raise a ValueError for a null byte.
            assert outcome.error_type in {error_type, "ValueError" if name == "null byte" else error_type}
            assert line is None or outcome.line == line

    async def test_a_program_without_its_entry_module_cannot_be_loaded(self, sandbox: Sandbox) -> None:
        program = Program({"a.py": "def f():\n    pass\n"}, "b:f")
        evaluation = await sandbox.evaluate(program, [Case()], limits=PATIENT)
        failed(evaluation.outcomes[0], "exception", "SANDBOX_LOAD_FAILED", "ModuleNotFoundError")

    async def test_an_entry_that_cannot_be_called_fails(self, sandbox: Sandbox) -> None:
        failed(await outcome_of(sandbox, "f = 3\n"), "exception", "SANDBOX_EXCEPTION", "TypeError")

    async def test_a_program_that_never_loads_is_out_of_time(self, sandbox: Sandbox) -> None:
        evaluation = await evaluated(sandbox, "while True:\n    pass\n", (1,), (2,), limits=SHORT)
        for outcome in evaluation.outcomes:
            failed(outcome, "timeout", "SANDBOX_TIMEOUT")
        assert evaluation.usage.forks == 1, "it would not load the second time either"

    @pytest.mark.parametrize(
        "endless", ["while True:\n            pass", "import time\n        time.sleep(999)", "10 ** 10 ** 10"]
    )
    async def test_one_case_out_of_time_does_not_cost_the_others(self, sandbox: Sandbox, endless: str) -> None:
        source = f"def f(x):\n    if x == 1:\n        {endless}\n    return x\n"
        evaluation = await evaluated(sandbox, source, (0,), (1,), (2,), (3,), limits=SHORT)
        failed(evaluation.outcomes[1], "timeout", "SANDBOX_TIMEOUT", "TimeoutError")
        assert [evaluation.outcomes[n].value for n in (0, 2, 3)] == [0, 2, 3]
        assert evaluation.usage.forks == 2  # only the case out of time costs a process

    async def test_once_the_time_of_the_batch_is_over_the_rest_is_not_run(self, sandbox: Sandbox) -> None:
        source = "def f(x):\n    while x:\n        pass\n    return x\n"
        evaluation = await evaluated(sandbox, source, (0,), (1,), (0,), (0,), limits=Limits(case_s=60, batch_s=2))
        assert evaluation.outcomes[0].value == 0
        failed(evaluation.outcomes[1], "timeout", "SANDBOX_TIMEOUT")
        for outcome in evaluation.outcomes[2:]:
            failed(outcome, "not_run", "SANDBOX_NOT_RUN")

    @pytest.mark.parametrize(
        "greed", ["bytearray(2 ** 40)", "[0] * 10 ** 9", "list(map(bytearray, [2 ** 20] * 2_000))"]
    )
    async def test_too_much_memory_is_an_outcome(self, sandbox: Sandbox, greed: str) -> None:
        source = f"def f(x):\n    if x:\n        return len({greed})\n    return x\n"
        evaluation = await evaluated(sandbox, source, (0,), (1,), (0,))
        failed(evaluation.outcomes[1], "memory", "SANDBOX_MEMORY", "MemoryError")
        assert [evaluation.outcomes[n].value for n in (0, 2)] == [0, 0]

    async def test_memory_up_to_the_limit_can_be_had(self, sandbox: Sandbox) -> None:
        assert await value_of(sandbox, "def f():\n    return len(bytearray(b'x' * 100 * 2 ** 20))\n") == 100 * MIB

    @pytest.mark.parametrize("status", [0, 1, 71, 72, 255])
    async def test_a_program_that_ends_its_process_is_killed(self, sandbox: Sandbox, status: int) -> None:
        source = f"import os\n\ndef f(x):\n    if x:\n        os._exit({status})\n    return x\n"
        evaluation = await evaluated(sandbox, source, (0,), (1,), (0,))
        failed(evaluation.outcomes[1], "killed", "SANDBOX_EXITED")
        assert str(status) in evaluation.outcomes[1].message
        assert [outcome.value for outcome in evaluation.outcomes] == [0, None, 0]

    @pytest.mark.parametrize("crash", ["ctypes.string_at(0)", "os.abort()"])
    async def test_a_crash_costs_one_case(self, sandbox: Sandbox, crash: str) -> None:
        source = f"import ctypes, os\n\ndef f(x):\n    if x:\n        {crash}\n        os._exit(1)\n    return x\n"
        evaluation = await evaluated(sandbox, source, (0,), (1,), (0,))
        failed(evaluation.outcomes[1], "killed", "SANDBOX_CRASHED")
        assert [outcome.value for outcome in evaluation.outcomes] == [0, None, 0]
