"""A user's pytest suite as a program: it runs behind the same walls as everything else that nobody trusts.

The tests share a process with what they test, as pytest's tests do. So what they say is what the code under test lets
them say: evidence for breeding, never a verdict. Whoever must not be fooled compares values outside.
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
    """How one test ended: passed, failed, skipped or error (it could not be collected)."""

    __test__ = False

    name: str
    outcome: str
    text: str


def suite_program(files: Mapping[str, str]) -> Program:
    """The program that runs the tests among these files; call it with pytest's arguments, under ``GRANTS``."""
    return Program({**files, DRIVER: _SOURCE}, "mendel_suite:run", on_disk=True)


def reports_of(outcome: Outcome) -> tuple[TestReport, ...] | None:
    """How each test ended, as far as the suite says so; None where it did not come to its end."""
    match outcome.value:
        case (int(), list() as tests) if all(_fits(test) for test in tests):
            return tuple(TestReport(*test) for test in tests)
    return None


def _fits(test: object) -> bool:
    return isinstance(test, tuple) and len(test) == 3 and all(isinstance(part, str) for part in test)
