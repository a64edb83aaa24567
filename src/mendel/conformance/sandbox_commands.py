"""The contract suite of a sandbox that allows commands, in addition to :mod:`mendel.conformance.sandbox`.

An implementer subclasses ``CommandsContract`` and overrides the fixture ``open_sandbox`` with a callable that creates a
sandbox in which commands are allowed. If it refuses the grant anyway, every test is skipped with its reason.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Final

import pytest
import pytest_asyncio

from mendel.conformance.sandbox_answers import OpenSandbox, failed, outcome_of
from mendel.contracts.errors import SandboxRefused
from mendel.contracts.evaluations import Case, Evaluation
from mendel.ports.command_program import (
    GRANTS,
    LIMITS,
    CommandResult,
    command_case,
    command_program,
    result_of,
    results_of,
)
from mendel.ports.sandbox import Sandbox

_FILES: Final = {"tool.sh": "tr a-z A-Z\n", "folder/data.txt": "data\n"}
_PROGRAM_SPAWNS: Final = "import os\n\ndef f():\n    return os.posix_spawn('/bin/sh', ['sh', '-c', 'exit 0'], {})\n"


async def commanded(sandbox: Sandbox, *cases: Case, files: Mapping[str, str] = _FILES) -> Evaluation:
    """Run each case of commands among these files."""
    return await sandbox.evaluate(command_program(files), cases, limits=LIMITS, grants=GRANTS)


async def ended(sandbox: Sandbox, *steps: str, stdin: str = "", files: Mapping[str, str] = _FILES) -> CommandResult:
    """Return the result of the last of these commands."""
    evaluation = await commanded(sandbox, command_case(*steps, stdin=stdin, seconds=20), files=files)
    result = result_of(evaluation.outcomes[0])
    assert result is not None, evaluation.outcomes[0]
    return result


@pytest.mark.asyncio(loop_scope="class")
class CommandsContract:
    """What every sandbox that allows commands must do."""

    @pytest.fixture(scope="class")
    @classmethod
    def open_sandbox(cls) -> OpenSandbox:
        raise NotImplementedError("override this fixture with a callable that makes the sandbox under test")

    @pytest_asyncio.fixture(scope="class", loop_scope="class")
    @classmethod
    async def sandbox(cls, open_sandbox: OpenSandbox) -> AsyncIterator[Sandbox]:
        async with open_sandbox() as sandbox:
            try:
                await commanded(sandbox, command_case("true"))
            except SandboxRefused as refused:
                pytest.skip(str(refused))
            yield sandbox

    async def test_a_command_reads_its_input_and_the_files(self, sandbox: Sandbox) -> None:
        result = await ended(sandbox, "sh tool.sh; cat folder/data.txt; echo told >&2", stdin="input\n")
        assert (result.status, result.output, result.errors) == (0, "INPUT\ndata\n", "told\n")
        assert result.succeeded

    async def test_words_are_not_read_by_a_shell(self, sandbox: Sandbox) -> None:
        case = command_case(["echo", "$HOME; *"])
        results = results_of((await commanded(sandbox, case)).outcomes[0])
        assert results is not None
        assert results[0].output == "$HOME; *\n"

    async def test_steps_share_files_and_stop_at_the_first_that_fails(self, sandbox: Sandbox) -> None:
        building = "printf '#!/bin/sh\\necho built\\n' > tool && chmod +x tool"
        case = command_case(building, ["./tool"], "exit 3", "echo never")
        evaluation = await commanded(sandbox, case)
        results = results_of(evaluation.outcomes[0])
        assert results is not None
        assert [(result.status, result.output) for result in results] == [(0, ""), (0, "built\n"), (3, "")]

    async def test_a_signal_and_a_program_that_is_not_there_are_told(self, sandbox: Sandbox) -> None:
        assert (await ended(sandbox, "kill -TERM $$")).status < 0
        evaluation = await commanded(sandbox, command_case(["/no/such/program"]))
        result = result_of(evaluation.outcomes[0])
        assert result is not None
        assert result.status == 127

    async def test_the_environment_is_what_was_handed_in(self, sandbox: Sandbox) -> None:
        case = command_case("env | cut -d= -f1 | sort", variables={"SIZE": "3", "PATH": "/nowhere"})
        result = result_of((await commanded(sandbox, case)).outcomes[0])
        assert result is not None
        # The shell itself sets the variables that are subtracted.
        assert set(result.output.split()) - {"PWD", "OLDPWD", "SHLVL", "_"} == {
            "HOME",
            "LANG",
            "PATH",
            "SIZE",
            "TMPDIR",
        }

    async def test_time_that_is_over_ends_one_command_and_all_that_it_started(self, sandbox: Sandbox) -> None:
        cases = [command_case("sleep 600 & sleep 600", seconds=0.3), command_case("echo next", seconds=20)]
        results = [result_of(outcome) for outcome in (await commanded(sandbox, *cases)).outcomes]
        assert [result and (result.timed_out, result.output) for result in results] == [(True, ""), (False, "next\n")]

    async def test_a_command_is_waited_for_where_it_closes_its_output_and_not_where_others_hold_it(
        self, sandbox: Sandbox
    ) -> None:
        case = command_case("exec >&- 2>&-; sleep 0.2; echo late > file", "cat file; sleep 600 &", seconds=20)
        result = result_of((await commanded(sandbox, case)).outcomes[0])
        assert result is not None
        assert (result.status, result.output, result.timed_out) == (0, "late\n", False)

    async def test_more_output_than_fits_is_cut(self, sandbox: Sandbox) -> None:
        # More than the limits of output and errors.
        result = await ended(sandbox, "yes output | head -c 3000000; yes errors | head -c 300000 >&2; echo last >&2")
        assert result.output.startswith("output\n")
        assert len(result.output) < 3_000_000
        assert result.errors.endswith("last\n")
        assert len(result.errors) < 300_000

    async def test_usage_covers_what_commands_start(self, sandbox: Sandbox) -> None:
        spinning = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
        evaluation = await commanded(sandbox, command_case(f"sh -c '{spinning}' & wait", seconds=25))
        result = result_of(evaluation.outcomes[0])
        assert result is not None
        assert evaluation.usage.cpu_s >= result.cpu_s > 0

    async def test_commands_that_are_not_timed_answer_the_same_again(self, sandbox: Sandbox) -> None:
        cases = [command_case(f"echo {number}", seconds=20, timed=False) for number in range(2)]
        program = command_program(_FILES)
        evaluation = await sandbox.evaluate(program, cases, limits=LIMITS, grants=GRANTS, recheck=1.0)
        assert evaluation.stateful is False

    async def test_nothing_is_left_for_the_next_evaluation(self, sandbox: Sandbox) -> None:
        await ended(sandbox, 'echo word > "$TMPDIR/left"; (sleep 600; echo late > left) & exit 0')
        result = await ended(sandbox, 'ls -A "$TMPDIR"', files={})
        assert result.output.split() == ["mendel_command.py"]

    async def test_without_the_grant_no_process_is_made(self, sandbox: Sandbox) -> None:
        failed(await outcome_of(sandbox, _PROGRAM_SPAWNS), "exception", "SANDBOX_EXCEPTION", "PermissionError")
