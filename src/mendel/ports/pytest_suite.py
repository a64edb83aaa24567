"""A user's pytest suite as a program: it runs inside the sandbox like all other untrusted code.

Like all pytest tests, they share a process with the code under test, which can therefore forge their results: evidence
for breeding, never a verdict. A trustworthy check compares values outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mendel.contracts.evaluations import Grants, Outcome, Program

GRANTS: Final = Grants(packages=("pytest",))
DRIVER: Final = "mendel_suite.py"
_SOURCE: Final = """
import pytest


class Notes:
    def __init__(self):
        self.tests = {}

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            self.tests[report.nodeid] = (report.outcome, report.longreprtext[-1000:])

    def pytest_collectreport(self, report):
        if report.failed:
            self.tests[report.nodeid] = ("error", report.longreprtext[-1000:])


def run(*arguments):
    notes = Notes()
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=sys", "--rootdir=."]
    status = pytest.main([*options, *arguments], plugins=[notes])
    return int(status), [(name, outcome, text) for name, (outcome, text) in notes.tests.items()]
"""


@dataclass(frozen=True, slots=True)
class TestReport:
    """The result of one test: passed, failed, skipped or error (it could not be collected)."""

    __test__ = False  # pytest would collect the class by its name

    name: str
    outcome: str
    text: str


def suite_program(files: Mapping[str, str]) -> Program:
    """Return the program that runs the tests among these files; call it with pytest's arguments, under ``GRANTS``."""
    return Program({**files, DRIVER: _SOURCE}, "mendel_suite:run", on_disk=True)


def reports_of(outcome: Outcome) -> tuple[TestReport, ...] | None:
    """Return the result of each test, as the suite reports it; None if the suite did not finish."""
    match outcome.value:
        case (int(), list() as tests) if all(_fits(test) for test in tests):
            return tuple(TestReport(*test) for test in tests)
    return None


def _fits(test: object) -> bool:
    return isinstance(test, tuple) and len(test) == 3 and all(isinstance(part, str) for part in test)
