"""The contract suite of port ``Sandbox``.

An implementer subclasses ``SandboxContract``, overrides the fixture ``open_sandbox`` and inherits every test::

    class TestMySandbox(SandboxContract):
        @pytest.fixture(scope="class")
        @classmethod
        def open_sandbox(cls):
            return MySandbox

One sandbox serves nearly all tests, one after the other. It must allow neither network nor GPU nor commands
(:mod:`mendel.conformance.sandbox_commands` tests a sandbox that allows commands). A sandbox that cannot meet every
obligation disables the tests that it fails::

    test_a_crash_costs_one_case = None  # it runs programs in our own process

No test asserts a time: timeouts keep a suite from waiting for ever, or stop programs that never end.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from mendel.conformance.sandbox_answers import (
    PATIENT,
    SHORT,
    AnswersContract,
    OpenSandbox,
    by_name,
    evaluated,
    failed,
    outcome_of,
    value_of,
)
from mendel.conformance.sandbox_samples import MARKS, PURE, STATEFUL
from mendel.contracts.errors import SandboxError, SandboxRefused
from mendel.contracts.evaluations import Case, Grants, Program, TimedSample, tier_of
from mendel.ports.sandbox import Checked, Sandbox

_PATIENCE_S: Final = 300
_PACKAGE: Final = "iniconfig"
"""A small package that is installed wherever pytest is."""
_NUMBERS: Final = [Case((n,)) for n in range(20_000, 20_008)]  # large enough to be timed


def working(times: int, answer: str = "n") -> Program:
    """Return a program that does this much work."""
    return Program.of(
        f"def f(n):\n    total = 0\n    for i in range({times} * n):\n        total += i % 7\n    return {answer}\n",
        "f",
    )


@asynccontextmanager
async def compared(
    sandbox: Sandbox, left: Program, right: Program, cases: Sequence[Case], check: Checked | None = None
) -> AsyncIterator[AsyncIterator[TimedSample]]:
    """Yield the samples of a comparison, and close it when the block is left."""
    samples = sandbox.compare(left, right, cases, check=check, limits=PATIENT)
    try:
        async with asyncio.timeout(_PATIENCE_S):
            yield samples
    finally:
        if isinstance(samples, AsyncGenerator):
            await samples.aclose()


class SandboxContract(AnswersContract):
    """What every sandbox must do."""

    # --- sizes -------------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("size", [100, 2_000])
    @pytest.mark.parametrize("value", ["b'x' * {}", "[0] * {}", "2 ** (8 * {})", "[[]] * {}", "'\\u00e4' * {}"])
    async def test_a_result_too_large_is_a_violation(self, sandbox: Sandbox, value: str, size: int) -> None:
        source = f"def f(x):\n    return {value.format(size)} if x else x\n"
        limits = replace(PATIENT, result_bytes=1_000)
        evaluation = await evaluated(sandbox, source, (0,), (1,), (0,), limits=limits)
        if size > limits.result_bytes:
            failed(evaluation.outcomes[1], "violation", "SANDBOX_RESULT_TOO_LARGE")
        else:
            assert evaluation.outcomes[1].succeeded
        assert [evaluation.outcomes[n].value for n in (0, 2)] == [0, 0]

    # Around the size at which the first answer no longer fits.
    @pytest.mark.parametrize("size", range(820, 1_000, 20))
    async def test_results_too_large_together_are_violations(self, sandbox: Sandbox, size: int) -> None:
        """Whatever room the first answers leave, a failure to answer is reported as a violation."""
        limits = replace(PATIENT, result_bytes=1_000)
        calls = [(size,), *[(500,)] * 20]
        evaluation = await evaluated(sandbox, "def f(n):\n    return b'x' * n\n", *calls, limits=limits)
        assert evaluation.outcomes[0].kind in {"value", "violation"}
        for outcome in evaluation.outcomes[1:]:
            if not outcome.succeeded:
                failed(outcome, "violation", "SANDBOX_RESULT_TOO_LARGE")

    async def test_exceptions_do_not_use_the_room_for_results_up(self, sandbox: Sandbox) -> None:
        # Together, the messages exceed the room for results, which they must not use.
        source = "def f(x):\n    raise ValueError('x' * 400)\n"
        evaluation = await evaluated(sandbox, source, *[()] * 9, limits=replace(PATIENT, result_bytes=1_000))
        for outcome in evaluation.outcomes:
            failed(outcome, "exception", "SANDBOX_EXCEPTION", "TypeError")
        evaluation = await evaluated(sandbox, source, *[(1,)] * 9, limits=replace(PATIENT, result_bytes=1_000))
        for outcome in evaluation.outcomes:
            failed(outcome, "exception", "SANDBOX_EXCEPTION", "ValueError")

    @pytest.mark.parametrize("wrap", ["[x]", "(x,)", "{'k': x}", "frozenset({x})", "(1, [x, x][:1])"])
    async def test_a_result_too_deep_is_a_violation(self, sandbox: Sandbox, wrap: str) -> None:
        source = f"def f(n):\n    x = ()\n    for _ in range(n):\n        x = {wrap}\n    return x\n"
        evaluation = await evaluated(sandbox, source, (40,), (200,), (100_000,), (1,))
        assert [outcome.succeeded for outcome in evaluation.outcomes] == [True, False, False, True]
        failed(evaluation.outcomes[1], "violation", "SANDBOX_RESULT_TOO_DEEP")
        failed(evaluation.outcomes[2], "violation", "SANDBOX_RESULT_TOO_DEEP")

    async def test_a_result_that_holds_itself_is_a_violation(self, sandbox: Sandbox) -> None:
        outcome = await outcome_of(sandbox, "def f():\n    x = []\n    x.append(x)\n    return x\n")
        failed(outcome, "violation", "SANDBOX_RESULT_TOO_DEEP")

    # --- output ------------------------------------------------------------------------------------------------

    async def test_output_is_captured(self, sandbox: Sandbox) -> None:
        source = "import os, sys\nprint('load')\n\ndef f(x):\n    print('case', x, flush=True)\n"
        source += "    print('ü', file=sys.stderr)\n    os.write(1, b'raw\\xff\\n')\n"
        evaluation = await evaluated(sandbox, source, (1,), (2,))
        assert evaluation.output == "load\n" + "".join(f"case {n}\nü\nraw\ufffd\n" for n in (1, 2))
        assert not evaluation.output_truncated

    async def test_output_of_one_evaluation_is_not_told_with_the_next(self, sandbox: Sandbox) -> None:
        await evaluated(sandbox, "def f():\n    print('x' * 5_000)\n", ())
        evaluation = await evaluated(sandbox, "def f():\n    print('y')\n", ())
        assert evaluation.output == "y\n"

    @pytest.mark.parametrize("most", [100, 1 << 20])
    async def test_too_much_output_is_cut_and_harms_nobody(self, sandbox: Sandbox, most: int) -> None:
        source = "def f(x):\n    for _ in range(30):\n        print('x' * 99_999)\n    return x\n"
        evaluation = await evaluated(sandbox, source, (1,), (2,), limits=replace(PATIENT, output_bytes=most))
        assert [outcome.value for outcome in evaluation.outcomes] == [1, 2]
        assert evaluation.output_truncated
        assert evaluation.output == ("x" * 99_999 + "\n") * 60 or evaluation.output[:100] == "x" * 100
        assert len(evaluation.output) <= most

    async def test_closed_output_harms_nobody(self, sandbox: Sandbox) -> None:
        source = "import os, sys\n\ndef f():\n    sys.stdout.close()\n    os.close(1)\n    os.close(2)\n    return 1\n"
        assert await value_of(sandbox, source) == 1

    # --- opcodes -----------------------------------------------------------------------------------------------

    async def test_opcodes_are_counted_alike_every_time(self, sandbox: Sandbox) -> None:
        source = "def f(n):\n    return sum(i * i for i in range(n))\n"
        first, again = [await evaluated(sandbox, source, (10,), (20,), (10,), count_opcodes=True) for _ in range(2)]
        counts = [outcome.opcodes or 0 for outcome in first.outcomes]
        assert [outcome.opcodes for outcome in again.outcomes] == counts
        assert counts[0] == counts[2]
        assert 0 < counts[0] < counts[1]

    async def test_opcodes_are_not_counted_unasked(self, sandbox: Sandbox) -> None:
        assert (await outcome_of(sandbox, "def f():\n    return 1\n")).opcodes is None

    # --- rechecking --------------------------------------------------------------------------------------------

    @by_name(STATEFUL)
    async def test_a_stateful_program_is_found(self, sandbox: Sandbox, name: str) -> None:
        calls = [(n,) for n in range(8)]
        evaluation = await evaluated(sandbox, STATEFUL[name], *calls, recheck=1.0)
        assert evaluation.stateful is True
        assert evaluation.differing
        assert set(evaluation.differing) <= set(range(8))

    @by_name(PURE)
    async def test_a_pure_program_is_cleared(self, sandbox: Sandbox, name: str) -> None:
        evaluation = await evaluated(sandbox, PURE[name], *[(n,) for n in range(8)], recheck=0.5)
        assert (evaluation.stateful, evaluation.differing) == (False, ())
        assert evaluation.usage.forks > 1

    async def test_nothing_is_known_of_a_program_that_was_run_once(self, sandbox: Sandbox) -> None:
        assert (await evaluated(sandbox, PURE["number"], (1,))).stateful is None

    # --- programs ----------------------------------------------------------------------------------------------

    async def test_files_and_packages_import_each_other(self, sandbox: Sandbox) -> None:
        files = {
            "main.py": "import pkg.a\nfrom pkg import b\nfrom helper import one\nimport space.inner\n"
            "def f():\n    return pkg.a.two() + b.three + one + space.inner.four, pkg.name, pkg.b is b\n",
            "helper.py": "one = 1\n",
            "pkg/__init__.py": "name = __name__\n",
            "pkg/a.py": "from . import b\nfrom ..helper import one as x\n".replace("from ..helper", "from helper")
            + "def two():\n    return x + 9 + b.three\n",
            "pkg/b.py": "import pkg.a as other\nthree = 100\n",
            "space/inner.py": "four = 1_000\n",
            "notes.txt": "not a module",
        }
        evaluation = await sandbox.evaluate(Program(files, "main:f"), [Case()], limits=PATIENT)
        assert evaluation.outcomes[0].value == (1_211, "pkg", True)

    async def test_an_entry_may_lie_in_a_package(self, sandbox: Sandbox) -> None:
        files = {"pkg/__init__.py": "", "pkg/part.py": "from . import __name__ as name\n\ndef f():\n    return name\n"}
        evaluation = await sandbox.evaluate(Program(files, "pkg.part:f"), [Case()], limits=PATIENT)
        assert evaluation.outcomes[0].value == "pkg"

    async def test_a_program_may_lie_on_disk(self, sandbox: Sandbox) -> None:
        source = "import os\nfrom pkg import part\n\ndef f():\n    found = sorted(os.listdir('.'))\n"
        source += "    return open('data.txt').read() + part.text, found, os.path.isfile(__file__)\n"
        files = {"main.py": source, "data.txt": "dä", "pkg/__init__.py": "", "pkg/part.py": "text = 'ta'\n"}
        for _ in range(2):
            evaluation = await sandbox.evaluate(Program(files, "main:f", on_disk=True), [Case()], limits=PATIENT)
            assert evaluation.outcomes[0].value == ("däta", ["data.txt", "main.py", "pkg"], True)
        assert await value_of(sandbox, "import os\n\ndef f():\n    return os.listdir('.')\n") == []

    async def test_a_program_may_have_a_module_of_any_name(self, sandbox: Sandbox) -> None:
        # Names that the sandbox's own code may use.
        for name in ("child", "zygote", "mendel", "solution", "secrets"):
            program = Program(
                {f"{name}.py": "x = 5\n", "m.py": f"from {name} import x\n\ndef f():\n    return x\n"}, "m:f"
            )
            assert (await sandbox.evaluate(program, [Case()], limits=PATIENT)).outcomes[0].value == 5

    async def test_a_coroutine_is_awaited(self, sandbox: Sandbox) -> None:
        source = "async def g(x):\n    if x > 2:\n        raise KeyError(x)\n    return x\n\n"
        source += "async def f(x):\n    return await g(x) + 1\n"
        evaluation = await evaluated(sandbox, source, (1,), (3,))
        assert evaluation.outcomes[0].value == 2
        failed(evaluation.outcomes[1], "exception", "SANDBOX_EXCEPTION", "KeyError")

    async def test_a_coroutine_that_waits_for_the_world_fails(self, sandbox: Sandbox) -> None:
        source = "class Never:\n    def __await__(self):\n        yield\n\nasync def f():\n    await Never()\n"
        failed(await outcome_of(sandbox, source), "exception", "SANDBOX_EXCEPTION", "RuntimeError")

    async def test_a_program_without_cases_has_no_outcomes(self, sandbox: Sandbox) -> None:
        evaluation = await evaluated(sandbox, "def f():\n    return 1\n", recheck=1.0)
        assert (evaluation.outcomes, evaluation.stateful) == ((), None)

    # --- isolation between programs ------------------------------------------------------------------------------

    @by_name(MARKS)
    async def test_nothing_of_a_program_is_there_for_the_next(self, sandbox: Sandbox, name: str) -> None:
        leave, look = MARKS[name]
        assert await value_of(sandbox, f"{look}\n\ndef f():\n    return found\n") is False
        for _ in range(3):
            left = await outcome_of(sandbox, f"{leave}\n\ndef f():\n    return 1\n")
            assert left.value == 1
            assert await value_of(sandbox, f"{look}\n\ndef f():\n    return found\n") is False

    async def test_every_program_begins_alike(self, sandbox: Sandbox) -> None:
        source = "import os, random, sys\n\ndef f():\n    texts = [*{str(n) for n in range(50)}]\n"
        source += "    return random.random(), hash('x'), texts, os.getcwd(), sys.argv, sys.path, dict(os.environ)\n"
        alike = [repr(await value_of(sandbox, source)) for _ in range(5)]
        assert all(told == alike[0] for told in alike), "the starting states differ"

    async def test_a_program_learns_nothing_of_ours(
        self, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("MENDEL_SECRET", "correct horse")
        (tmp_path / "secret").write_text("correct horse")
        source = "import os\n\ndef f(paths):\n    return dict(os.environ), list(map(os.path.exists, paths))\n"
        told = await value_of(sandbox, source, [str(tmp_path / "secret"), "/etc/passwd", __file__])
        assert told == ({}, [False, False, False])

    # --- callers -----------------------------------------------------------------------------------------------

    async def test_many_callers_get_their_own_answers(self, sandbox: Sandbox) -> None:
        async def call(number: int) -> object:
            return await value_of(sandbox, f"def f(x):\n    print({number})\n    return x, {number}\n", number)

        assert await asyncio.gather(*map(call, range(40))) == [(number, number) for number in range(40)]

    async def test_failures_stay_with_their_callers(self, sandbox: Sandbox) -> None:
        source = "import os\n\ndef f(x):\n    if x % 4 == 1:\n        os._exit(x)\n    if x % 4 == 2:\n"
        source += "        raise ValueError(x)\n    while x % 4 == 3:\n        pass\n    return x\n"
        outcomes = await asyncio.gather(*(outcome_of(sandbox, source, n, limits=SHORT) for n in range(12)))
        assert [outcome.kind for outcome in outcomes] == ["value", "killed", "exception", "timeout"] * 3
        assert [outcome.value for outcome in outcomes[::4]] == [0, 4, 8]

    async def test_a_cancelled_call_leaves_the_sandbox_usable(self, sandbox: Sandbox) -> None:
        endless = "def f():\n    while True:\n        pass\n"
        for pause in (0, 0, 0.01, 0.2, 0.5):  # cancel before, during and after the start of the process
            calls = [asyncio.create_task(outcome_of(sandbox, endless)) for _ in range(3)]
            await asyncio.sleep(pause)
            for call in calls:
                call.cancel()
            ended = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), _PATIENCE_S)
            assert all(isinstance(error, asyncio.CancelledError) for error in ended)
            assert await value_of(sandbox, "def f(x):\n    return x\n", 3) == 3

    async def test_it_can_be_closed_twice(self, open_sandbox: OpenSandbox) -> None:
        sandbox = open_sandbox()
        await value_of(sandbox, "def f():\n    return 1\n")
        async with asyncio.timeout(_PATIENCE_S):
            await asyncio.gather(sandbox.aclose(), sandbox.aclose())
            await sandbox.aclose()

    async def test_one_that_was_never_used_can_be_closed(self, open_sandbox: OpenSandbox) -> None:
        await open_sandbox().aclose()

    @pytest.mark.parametrize("pause", [0, 0.05, 0.5])
    async def test_closing_ends_calls(self, open_sandbox: OpenSandbox, pause: float) -> None:
        sandbox = open_sandbox()
        calls = [
            asyncio.create_task(outcome_of(sandbox, "def f():\n    while True:\n        pass\n")) for _ in range(3)
        ]
        await asyncio.sleep(pause)
        async with asyncio.timeout(_PATIENCE_S):
            await sandbox.aclose()
            ended = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(error, SandboxError) for error in ended)

    # --- comparing ---------------------------------------------------------------------------------------------

    async def test_a_comparison_tells_twice_the_work(self, sandbox: Sandbox) -> None:
        async with compared(sandbox, working(1), working(2), _NUMBERS) as samples:
            taken = [await anext(samples) for _ in range(6)]
        # The true ratio is 2; the margin allows for a busy machine.
        assert 1.2 < statistics.median(sample.ratio for sample in taken) < 4
        assert all(sample.left_s > 0 and sample.right_s > 0 and sample.forks > 0 for sample in taken)
        assert {sample.cases for sample in taken} == {len(_NUMBERS)}
        assert [sample.left_first for sample in taken] == [True, False] * 3
        assert {sample.wrong for sample in taken} == {()}

    async def test_a_comparison_names_wrong_answers(self, sandbox: Sandbox) -> None:
        wrong = working(1, "n if n != 20_003 else float(n)")
        async with compared(sandbox, working(1), wrong, _NUMBERS) as samples:
            assert (await anext(samples)).wrong == (3,)
        # This check refuses every answer.
        async with compared(sandbox, wrong, wrong, _NUMBERS, lambda index, out: out.value == index + 20_001) as samples:
            assert (await anext(samples)).wrong == tuple(range(8))

    async def test_cases_that_take_no_time_cannot_be_compared(self, sandbox: Sandbox) -> None:
        nothing = Program.of("def f(n):\n    return n\n", "f")
        async with compared(sandbox, nothing, nothing, [Case((1,))]) as samples:
            with pytest.raises(SandboxRefused, match="too little"):
                await anext(samples)

    # --- measurements and policy -------------------------------------------------------------------------------

    async def test_usage_is_told(self, sandbox: Sandbox) -> None:
        idle = await evaluated(sandbox, "def f():\n    return 1\n", ())
        busy = await evaluated(sandbox, "def f():\n    return len(bytes(3_000_000)), sum(range(3_000_000))\n", ())
        for usage in (idle.usage, busy.usage):
            assert usage.forks == 1
            assert usage.cpu_s > 0
            assert usage.wall_s > 0
            assert usage.peak_memory_bytes > 0
        assert busy.usage.cpu_s > idle.usage.cpu_s

    async def test_every_result_says_what_was_in_force(self, sandbox: Sandbox) -> None:
        isolation = await sandbox.isolation()
        assert isolation.tier == tier_of(isolation.layers)
        assert isolation.backend
        assert not set(isolation.missing) & set(isolation.layers)
        assert (await evaluated(sandbox, "def f():\n    return 1\n", ())).isolation == isolation

    async def test_the_static_policy_can_be_asked(self, sandbox: Sandbox) -> None:
        assert sandbox.lint("def f(x):\n    return x\n") == ()
        assert sandbox.lint("import subprocess\n") != ()

    # --- grants ------------------------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("grants", "named"),
        [
            (Grants(network=True), "network"),
            (Grants(gpu=True), "gpu"),
            (Grants(commands=True), "commands"),
            (Grants(packages=("no_such_package",)), "no_such_package"),
            (Grants(files={"data": "/no/such/file"}), "/no/such/file"),
        ],
        ids=["network", "gpu", "commands", "package", "file"],
    )
    async def test_what_cannot_be_granted_is_refused(self, sandbox: Sandbox, grants: Grants, named: str) -> None:
        for _ in range(2):  # a refusal must not affect the next call
            with pytest.raises(SandboxRefused, match=named):
                await evaluated(sandbox, "def f():\n    return 1\n", (), grants=grants)
        assert await value_of(sandbox, "def f():\n    return 1\n") == 1

    async def test_a_granted_file_can_be_read_and_not_changed(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "inner.txt").write_text("inner")
        (tmp_path / "data.txt").write_text("text")
        grants = Grants(files={"data.txt": str(tmp_path / "data.txt"), "folder": str(tmp_path / "folder")})
        source = "import os\n\ndef f():\n"
        source += "    told = [open('/files/data.txt').read(), open('/files/folder/inner.txt').read()]\n"
        source += "    acts = [lambda: open('/files/data.txt', 'w'), lambda: os.unlink('/files/data.txt'),\n"
        source += "            lambda: open('/files/folder/new', 'w'), lambda: os.truncate('/files/data.txt', 0)]\n"
        source += "    for act in acts:\n        try:\n            act()\n            told.append('done')\n"
        source += "        except OSError:\n            told.append('refused')\n    return told\n"
        assert await value_of(sandbox, source, grants=grants) == ["text", "inner", *["refused"] * 4]
        assert (tmp_path / "data.txt").read_text() == "text"
        assert await value_of(sandbox, "import os\n\ndef f():\n    return os.path.exists('/files/data.txt')\n") is False

    async def test_a_package_can_be_imported_where_it_was_granted(self, sandbox: Sandbox) -> None:
        source = f"def f():\n    import {_PACKAGE}\n    return {_PACKAGE}.__name__\n"
        failed(await outcome_of(sandbox, source), "exception", "SANDBOX_EXCEPTION", "ModuleNotFoundError")
        assert await value_of(sandbox, source, grants=Grants(packages=(_PACKAGE,))) == _PACKAGE
        failed(await outcome_of(sandbox, source), "exception", "SANDBOX_EXCEPTION", "ModuleNotFoundError")
