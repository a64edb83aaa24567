"""The short version of the sandbox's part of `make soak`, through the same code."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.chaos.scene import REPOSITORY
from tests.support import skip_or_fail

from mendel.adapters.sandbox.native import NativeSandbox
from mendel.contracts.errors import SandboxUnavailable

HANG_S = 300.0

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("sandbox soak")]


@pytest.fixture(autouse=True)
async def _a_sandbox_can_be_had() -> None:
    try:
        async with NativeSandbox(workers=1) as sandbox:
            await sandbox.isolation()
    except SandboxUnavailable as error:
        skip_or_fail(str(error))


def test_a_sandbox_used_for_long_answers_rightly_and_leaves_nothing_behind():
    command = [sys.executable, "-m", "tests.soak.sandbox", "--evaluations=1000", "--recycle-after=80", "--seed=1"]
    soak = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=HANG_S)
    said = soak.stdout.decode()
    assert soak.returncode == 0, said
    assert "every promise held" in said
