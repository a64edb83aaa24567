import pytest
import pytest_asyncio
from tests.support import skip_or_fail
from tests.support.rows import check_rows

from mendel.adapters.sandbox.native import NativeSandbox
from mendel.contracts.errors import SandboxUnavailable
from mendel.contracts.evaluations import Case, Limits, Outcome
from mendel.ports.pytest_suite import GRANTS, reports_of, suite_program

LIMITS = Limits(case_s=20.0)
TESTS = """
import pytest
from tool import double

@pytest.mark.parametrize("number", [1, 2])
def test_doubles(number):
    assert double(number) == number * 2

def test_in_a_folder(tmp_path):
    (tmp_path / "file").write_text("x")

def test_fails():
    assert double(1) == 3

@pytest.mark.skip(reason="not today")
def test_skipped():
    pass
"""


in_one_loop = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def run():
    """Runs suites, one after the other, in one sandbox."""
    async with NativeSandbox(workers=1) as sandbox:
        try:
            await sandbox.isolation()
        except SandboxUnavailable as error:
            skip_or_fail(str(error))

        async def in_the_sandbox(files, *arguments):
            return await sandbox.evaluate(suite_program(files), [Case(arguments)], grants=GRANTS, limits=LIMITS)

        yield in_the_sandbox


@in_one_loop
async def test_a_suite_runs_behind_the_walls_and_says_how_each_test_ended(run):
    evaluation = await run({"tool.py": "def double(x):\n    return 2 * x\n", "test_tool.py": TESTS})
    reports = reports_of(evaluation.outcomes[0])
    assert {report.name.removeprefix("test_tool.py::"): report.outcome for report in reports} == {
        "test_doubles[1]": "passed",
        "test_doubles[2]": "passed",
        "test_in_a_folder": "passed",
        "test_fails": "failed",
        "test_skipped": "skipped",
    }
    assert "assert 2 == 3" in next(report.text for report in reports if report.outcome == "failed")
    assert evaluation.isolation.adoptable


@in_one_loop
async def test_only_what_is_asked_for_runs(run):
    files = {"tool.py": "def double(x):\n    return 2 * x\n", "test_tool.py": TESTS}
    evaluation = await run(files, "-k", "folder")
    assert [report.name for report in reports_of(evaluation.outcomes[0])] == ["test_tool.py::test_in_a_folder"]


@in_one_loop
async def test_what_cannot_be_collected_is_an_error(run):
    evaluation = await run({"test_tool.py": "import nobody_has_this\n"})
    assert [report.outcome for report in reports_of(evaluation.outcomes[0])] == ["error"]


@in_one_loop
async def test_a_suite_that_never_ends_has_no_reports(run):
    evaluation = await run({"tool.py": "import os\nos._exit(0)\n", "test_tool.py": "import tool\n"})
    assert reports_of(evaluation.outcomes[0]) is None
    assert evaluation.outcomes[0].kind == "killed"


@check_rows("value", [None, 7, (0, [1]), (0, [("a", "b")]), ("0", []), (0, [("a", "b", 3)])])
def test_a_suite_that_was_tampered_with_has_no_reports(value):
    assert reports_of(Outcome("value", value)) is None
