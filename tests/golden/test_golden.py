"""Old logs mean what they meant: every golden history is folded again, here and in the process that reaches nobody."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mendel.kernel.replay_lines import replay_lines

FOLDER = Path(__file__).parent
DIGESTS = json.loads((FOLDER / "digests.json").read_text())
HISTORIES = sorted(path.name.removesuffix(".mendel.gz") for path in FOLDER.glob("*.mendel.gz"))


def data(name):
    return gzip.decompress((FOLDER / f"{name}.mendel.gz").read_bytes())


def test_every_history_has_its_digests():
    assert sorted(DIGESTS) == HISTORIES
    assert len(HISTORIES) >= 6


@pytest.mark.parametrize("name", HISTORIES)
def test_it_leads_where_it_always_led(name):
    report = replay_lines(data(name).splitlines(keepends=True))
    assert report.agrees is True
    assert {"state": report.state_digest, "outcome": report.outcome_digest} == DIGESTS[name]


@pytest.mark.parametrize("name", HISTORIES)
def test_it_leads_there_in_a_process_that_reaches_nobody(name):
    command = [sys.executable, "-P", "-m", "mendel.kernel.replay_process"]
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, input=data(name), capture_output=True, env=environment)
    report = json.loads(done.stdout)["report"]
    assert (done.returncode, report["agrees"]) == (0, True)
    assert {"state": report["state_digest"], "outcome": report["outcome_digest"]} == DIGESTS[name]
