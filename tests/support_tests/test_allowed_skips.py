"""The check on skips where parts of the machine are hidden: it passes what is hidden and fails on anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[2]
SUITE = """
import pytest

def test_runs():
    pass

def test_skips():
    pytest.skip({reason!r})
"""


def outcome(pytester: pytest.Pytester, reason: str, parts: str) -> pytest.RunResult:
    pytester.makepyfile(SUITE.format(reason=reason))
    pytester.makeini("[pytest]\n")
    return pytester.runpytest_subprocess(
        "-p", "tests.bare.allowed_skips", "--hidden-parts", parts, f"--rootdir={pytester.path}", "-p", "no:randomly"
    )


@pytest.fixture(autouse=True)
def our_tests_are_importable(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.mark.parametrize(
    ("reason", "parts", "code"),
    [
        ("no bubblewrap: apt-get install bubblewrap", "bubblewrap", 0),
        ("no bubblewrap: apt-get install bubblewrap", "node,chromium", 1),
        ("no sandbox can be had here", "bubblewrap,node,chromium,compiler,root", 1),
    ],
)
def test_only_a_hidden_part_is_a_reason_to_skip(pytester, reason, parts, code):
    result = outcome(pytester, reason, parts)
    assert result.ret == code
    if code:
        result.stdout.fnmatch_lines([f"*test_skips: *{reason}"])


def test_an_unknown_part_is_refused_with_those_that_are_known(pytester):
    result = outcome(pytester, "", "bublewrap")
    assert result.ret != 0
    result.stderr.fnmatch_lines(["*unknown bublewrap; known are *bubblewrap*"])
