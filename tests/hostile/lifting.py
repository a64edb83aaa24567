"""Starts the disposable world of `outer`, and reads what came of each attack in there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from mendel.conformance.hostile import Attack, Met

REPOSITORY = Path(__file__).parents[2]
LONGEST_S = 600


class NoOuterWorld(Exception):
    """There are no namespaces to be had in which walls could be lifted."""


def lifted(attacks: Iterable[Attack]) -> Iterator[Met]:
    """Run the attacks without what stops them; those of one process each, one after the other."""
    names = [attack.name for attack in attacks]
    if not names:
        return
    command = [sys.executable, "-m", "tests.hostile.outer", *names]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=LONGEST_S)
    missing = set(names)
    for line in done.stdout.splitlines():
        told = json.loads(line)
        missing.discard(told["name"])
        yield Met(**{name: tuple(value) if isinstance(value, list) else value for name, value in told.items()})
    if done.returncode != 0 or missing:
        sys.stderr.write(done.stderr)
        last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        if "disposable" in done.stderr:
            raise NoOuterWorld(last[0])
        raise RuntimeError(f"{sorted(missing)} were not run: {last[0]}")
