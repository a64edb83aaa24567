import pytest
from tests.support import skip_or_fail

from mendel.adapters.sandbox.native import NativeSandbox
from mendel.contracts.errors import SandboxUnavailable
from mendel.ports.vetting import vet

TRAIT = "class Runner(Trait):\n    async def execute(self, entity):\n        entity.x += 1\n"


@pytest.fixture
async def sandbox():
    async with NativeSandbox(workers=1) as sandbox:
        try:
            await sandbox.isolation()
        except SandboxUnavailable as error:
            skip_or_fail(str(error))
        yield sandbox


async def test_what_is_in_order_has_no_findings(sandbox):
    assert await vet(sandbox, TRAIT, "trait") == ()
    assert await vet(sandbox, "def f(x):\n    return x\n") == ()


async def test_what_the_policy_refuses_is_never_run(sandbox):
    findings = await vet(sandbox, "import os\nos.abort()\n")
    assert "AST_IMPORT_FORBIDDEN" in {finding.code for finding in findings}


async def test_what_never_ends_and_what_raises_when_it_is_loaded_is_told_in_the_same_words(sandbox):
    (slow,) = await vet(sandbox, "while True:\n    pass\n")
    assert slow.code == "SANDBOX_TIMEOUT"
    (wrong,) = await vet(sandbox, "x = 1\ny = x / 0\n", path="mine.py")
    assert (wrong.code, wrong.file, wrong.line) == ("SANDBOX_EXCEPTION", "mine.py", 2)
    assert "ZeroDivisionError" in wrong.message


async def test_a_trait_that_cannot_be_made_is_found(sandbox):
    source = TRAIT.replace("    async", "    def __init__(self):\n        self.speed = [][0]\n\n    async", 1)
    (finding,) = await vet(sandbox, source, "trait")
    assert finding.code == "SANDBOX_EXCEPTION"
    assert "IndexError" in finding.message
