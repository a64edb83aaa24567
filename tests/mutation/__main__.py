"""`python -m tests.mutation ROOM [--count 300] [--seed 7] [--jobs 2] [--json]`: mutants against that room's tests only.

The tests are collected once. A traced run says which test executes which line; each mutant then has a process of its
own, forked from the one that has everything imported, where the tests that execute its lines run, quickest first, until
one fails. A mutant that runs for too long is told apart, and counts as killed. What a test starts as another program is
not changed, and neither is what was computed at import.

To compare the tests of two versions, run one with ``--json`` and the other with ``--like`` that output: the same
changes are tried, as far as the other source has them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from tests.mutation.drawing import Mutant, alike, drawn
from tests.mutation.trial import FATES, Fate, Trials, say

ROOT = Path(__file__).parents[2]


def arguments() -> argparse.Namespace:
    given = argparse.ArgumentParser(prog="python -m tests.mutation", description=(__doc__ or "").splitlines()[0])
    given.add_argument("room", help="a folder of src/mendel, and of tests")
    given.add_argument("--count", type=int, default=300, help="how many mutants")
    given.add_argument("--seed", type=int, default=7, help="from which they are drawn")
    given.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    given.add_argument("--json", action="store_true", help="one JSON object on the last line")
    given.add_argument("--tests", type=Path, default=None, help="other tests than those of the room")
    given.add_argument(
        "--like", type=Path, default=None, help="the mutants of this --json output, instead of drawn ones"
    )
    return given.parse_args()


def mutants_of(given: argparse.Namespace, room: Path) -> list[Mutant]:
    """Drawn from the seed, or those of another run that this source has."""
    if given.like is None:
        return drawn(room, given.count, given.seed)
    told = json.loads(given.like.read_text().splitlines()[-1])["mutants"]
    found = alike(room, ROOT / "src" / "mendel", told)
    say(f"{len(found)} of {len(told)} mutants of {given.like} are in this source")
    return found


def main() -> int:
    given = arguments()
    room = ROOT / "src" / "mendel" / given.room
    mutants = mutants_of(given, room)
    trials = Trials(mutants, room, given.jobs)
    tests = given.tests or ROOT / "tests" / given.room
    without = ("-p", "no:terminal", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib")
    code = pytest.main([*without, "-m", "not breeding", str(tests)], plugins=[trials])
    if code != 0 or len(trials.fates) != len(mutants):
        say(f"the tests of {given.room} could not be run: {code!r}")
        return 1
    report(given, mutants, trials.fates)
    return 0


def report(given: argparse.Namespace, mutants: Sequence[Mutant], fates: Mapping[Mutant, Fate]) -> None:
    """What became of them: by file, those that no test notices, and in all."""
    room = ROOT / "src" / "mendel" / given.room
    told = {mutant: mutant.tell(ROOT / "src" / "mendel") for mutant in mutants}
    by_file = {
        str(path.relative_to(room)): Counter(fate for mutant, fate in fates.items() if mutant.path == path)
        for path in sorted({mutant.path for mutant in mutants})
    }
    counts = Counter(fates.values())
    for name, each in by_file.items():
        say(f"{name:40} " + "  ".join(f"{fate} {each[fate]:3}" for fate in FATES))
    for fate in ("survived", "uncovered"):
        say("\n  ".join([f"\n{fate}:", *(told[each] for each in mutants if fates[each] == fate)]))
    say(f"\n{given.room}, seed {given.seed}, {len(mutants)} mutants: " + ", ".join(f"{counts[f]} {f}" for f in FATES))
    if given.json:
        each_fate = {told[mutant]: fates[mutant] for mutant in mutants}
        say(json.dumps({"room": given.room, "seed": given.seed, **counts, "files": by_file, "mutants": each_fate}))


if __name__ == "__main__":
    sys.exit(main())
