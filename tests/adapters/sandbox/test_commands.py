"""The native sandbox with commands granted keeps the contract, and says what is in force."""

from functools import partial

import pytest
from tests.support import skip_or_fail
from tests.support.rows import check_rows

from mendel.adapters.sandbox.bubblewrap import bubblewrap
from mendel.adapters.sandbox.native import NativeSandbox
from mendel.conformance.sandbox_commands import CommandsContract, commanded
from mendel.contracts.errors import SandboxError, SandboxRefused
from mendel.contracts.evaluations import NAMESPACES_NEEDED, Case, Grants, Limits, Program
from mendel.ports.command_program import GRANTS, command_case, result_of


class TestByBubblewrap(CommandsContract):
    @pytest.fixture(scope="class")
    @classmethod
    def open_sandbox(cls):
        if not bubblewrap():
            skip_or_fail("bubblewrap is not installed: apt install bubblewrap")
        return partial(NativeSandbox, allow_commands=True, workers=2)


class TestByOurOwnLauncher(CommandsContract):
    @pytest.fixture(scope="class")
    @classmethod
    def open_sandbox(cls):
        return partial(NativeSandbox, allow_commands=True, workers=2, use_bubblewrap=False)


def opened(**options):
    return NativeSandbox(allow_commands=True, allow_network=True, allow_gpu=True, workers=1, **options)


async def test_the_grant_leaves_the_tier_and_is_named_in_the_backend():
    async with opened() as sandbox:
        try:
            ordinary = await sandbox.isolation()
            granted = (await commanded(sandbox, command_case("true"))).isolation
        except SandboxError as error:
            skip_or_fail(str(error))
        assert (granted.tier, granted.layers) == (ordinary.tier, ordinary.layers)
        assert granted.backend == f"{ordinary.backend}, with commands"
        assert await sandbox.isolation() == ordinary


@check_rows("hidden", sorted(NAMESPACES_NEEDED - {"mount"}))
async def test_commands_are_refused_where_a_namespace_is_missing(hidden):
    async with opened(hidden={hidden}, allow_weak=True) as sandbox:
        with pytest.raises(SandboxRefused, match="commands cannot be granted here"):
            await commanded(sandbox, command_case("true"))


async def test_without_landlock_they_run_behind_the_other_walls():
    async with opened(hidden={"landlock", "cgroups"}) as sandbox:
        evaluation = await commanded(sandbox, command_case("echo here"))
        assert evaluation.isolation.tier == "namespaces"
        assert result_of(evaluation.outcomes[0]).output == "here\n"


@pytest.mark.parametrize("other", ["network", "gpu"])
async def test_commands_are_granted_alone(other):
    async with opened() as sandbox:
        with pytest.raises(SandboxRefused, match="commands cannot be granted together"):
            await sandbox.evaluate(Program.of("f = int", "f"), [Case()], grants=Grants(commands=True, **{other: True}))


async def test_a_program_in_python_may_start_processes_under_the_grant_and_sees_no_packages():
    source = "import subprocess\n\ndef f(code):\n"
    source += "    return subprocess.run(['/usr/bin/env', 'python3', '-c', code], capture_output=True).returncode\n"
    cases = [Case((code,)) for code in ("import json", "import mendel")]
    async with opened() as sandbox:
        evaluation = await sandbox.evaluate(Program.of(source, "f"), cases, limits=Limits(case_s=20), grants=GRANTS)
    if evaluation.outcomes[0].value == 127:
        pytest.skip("python3 is not installed for all users")
    assert [outcome.value for outcome in evaluation.outcomes] == [0, 1]
