"""Users' code is type-checked: what is right must pass, and what is wrong must be reported where it is wrong."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long  # `make types` runs it beside mypy, whose cache it shares
HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="module")
def complaints():
    """File name to the numbers of the lines that mypy complains about; one run for both files."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context"]
    checked = subprocess.run(
        [*command, str(HERE / "api.py"), str(HERE / "wrong.py")], cwd=ROOT, capture_output=True, text=True
    )
    assert checked.returncode == 1, checked.stdout + checked.stderr
    found: dict[str, dict[int, str]] = {"api.py": {}, "wrong.py": {}}
    for line in checked.stdout.splitlines():
        if place := re.match(r"(?:.*/)?(api|wrong)\.py:(\d+): error: (.*)", line):
            found[f"{place[1]}.py"].setdefault(int(place[2]), place[3])
        else:
            assert ": note: " in line, line
    return found


def test_right_code_passes(complaints):
    assert complaints["api.py"] == {}


def test_every_wrong_line_is_reported_and_no_other(complaints):
    lines = (HERE / "wrong.py").read_text().splitlines()
    marked = {number for number, line in enumerate(lines, 1) if "# wrong: " in line}
    assert len(marked) > 25
    reported = set(complaints["wrong.py"])
    assert {lines[number - 1].strip() for number in marked - reported} == set()
    assert {number: complaints["wrong.py"][number] for number in reported - marked} == {}
