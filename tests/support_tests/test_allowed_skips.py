"""The check on skips where parts of the machine are hidden: it passes what is hidden and fails on anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[2]
BUBBLEWRAP = "no bubblewrap: apt-get install bubblewrap"
IN_A_TEST = """
import pytest

def test_runs():
    pass

def test_skips():
    pytest.skip({reason!r})
"""
OF_A_MODULE = """
import pytest

pytest.skip({reason!r}, allow_module_level=True)
"""


def outcome(pytester: pytest.Pytester, reason: str, parts: str, *options: str) -> pytest.RunResult:
    pytester.makepyfile(test_one=IN_A_TEST.format(reason=reason), test_all=OF_A_MODULE.format(reason=reason))
    pytester.makeini("[pytest]\n")
    plugins = ("-p", "tests.bare.allowed_skips", "-p", "no:randomly")
    return pytester.runpytest_subprocess(*plugins, "--hidden-parts", parts, f"--rootdir={pytester.path}", *options)


@pytest.fixture(autouse=True)
def our_tests_are_importable(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reason", "parts", "options", "code"),
    [
        (BUBBLEWRAP, "bubblewrap", (), 0),
        (BUBBLEWRAP, "node,chromium", (), 1),
        (BUBBLEWRAP, "node,chromium", ("-n", "2"), 1),
        (f"{BUBBLEWRAP}, which is half of a reason", "bubblewrap", (), 1),
    ],
)
def test_only_a_hidden_part_is_a_reason_to_skip(pytester, reason, parts, options, code):
    result = outcome(pytester, reason, parts, *options)
    assert result.ret == code
    if code:
        result.stdout.fnmatch_lines([f"test_all.py: {reason}", f"test_one.py::test_skips: {reason}"])


def test_an_unknown_part_is_refused_with_those_that_are_known(pytester):
    result = outcome(pytester, "", "bublewrap")
    assert result.ret != 0
    result.stderr.fnmatch_lines(["*unknown bublewrap; known are *bubblewrap*"])
