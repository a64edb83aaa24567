"""Examples run."""

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_a_domain_on_a_page_breeds(tmp_path):
    done = subprocess.run([sys.executable, EXAMPLES / "domain.py"], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("completed: the best of 192 is 0.0")
    assert not list(tmp_path.iterdir())


def test_the_gate_on_a_page_adopts_one_and_rejects_the_other(tmp_path):
    done = subprocess.run([sys.executable, EXAMPLES / "gate.py"], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    adopted, rejected = done.stdout.splitlines()
    assert adopted.startswith("candidate: adopt, all 400 answers agree")
    assert rejected == "hasty: reject, case 0: its answer differs from the baseline's; minimal input ([0, -1],)"
    assert not list(tmp_path.iterdir())
