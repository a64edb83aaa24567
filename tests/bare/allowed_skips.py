"""A pytest plugin: with ``--hidden-parts``, a test may skip only for want of one of these.

Which reasons belong to which part stands in ``allowed_skips.toml``. A skip for any other reason, of a test or of a
whole module, fails the session: on a machine that lacks only these parts, everything else has to run.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ALLOWED = Path(__file__).with_suffix(".toml")
_PREFIX = "Skipped: "


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--hidden-parts", default=None, help="comma-separated parts that this machine does without")


def pytest_configure(config: pytest.Config) -> None:
    parts = config.getoption("--hidden-parts")
    if parts is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(SkipCheck(allowed_reasons(parts.split(","))))


def allowed_reasons(parts: list[str]) -> frozenset[str]:
    """The reasons for which a test may skip where ``parts`` are hidden."""
    table: dict[str, list[str]] = tomllib.loads(ALLOWED.read_text())["reasons"]
    unknown = [part for part in parts if part not in table]
    if unknown:
        raise pytest.UsageError(f"--hidden-parts: unknown {', '.join(unknown)}; known are {', '.join(sorted(table))}")
    return frozenset(reason for part in parts for reason in table[part])


class SkipCheck:
    """Collects the reasons of all skips, and fails the session for those that are not allowed."""

    def __init__(self, allowed: frozenset[str]) -> None:
        self._allowed = allowed
        self.refused: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if not report.skipped or hasattr(report, "wasxfail"):
            return
        told = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = told.removeprefix(_PREFIX)
        if reason not in self._allowed:
            self.refused.append(f"{report.nodeid}: {reason}")

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.refused:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.refused:
            terminalreporter.section("skipped for a part that is not hidden", red=True)
            for line in self.refused:
                terminalreporter.line(line)
