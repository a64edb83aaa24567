"""The chaos suite of the kernel: `python -m tests.chaos.kernel [--seed N] [--kills 200]`.

Ends with 0 only if every promise held, every kill was made, and every gap was hit often enough.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from tests.chaos.homes import Backend, Home
from tests.chaos.kernel_kills import ConductorKills
from tests.chaos.kernel_scene import KernelScene
from tests.chaos.kernel_tally import GAPS, KernelProgress, KernelTally
from tests.chaos.ledger import PromiseBroken, require
from tests.chaos.log import TITLES, end_orderly
from tests.chaos.tally import say, table

from mendel.contracts.errors import MendelError


def kill_conductors(backend: Backend, folder: Path, given: argparse.Namespace, kills: int, runs: int) -> KernelTally:
    """Runs on one log whose conductors are killed; raises PromiseBroken."""
    tally = KernelTally(f"kernel on {TITLES[backend]}, conductors killed")
    draws = random.Random(f"{given.seed}/{backend}/conductors")
    at_least = given.at_least if backend == "postgres" else 0
    with KernelProgress(tally), KernelScene(Home(backend, folder / "home"), folder, tally) as scene:
        ConductorKills(scene, draws, kills=kills, at_least=at_least).run(runs, given.births)
    require(tally.killed == kills, f"{tally.killed} of {kills} kills were made")
    for gap in GAPS:
        require(tally.gaps[gap] >= at_least, f"only {tally.gaps[gap]} kills hit {gap}, not {at_least}")
    return tally


def run_all(given: argparse.Namespace, folder: Path) -> list[KernelTally]:
    tallies = []
    if given.kills:
        tallies.append(kill_conductors("postgres", folder / "postgres-kills", given, given.kills, given.runs))
    if given.file_kills:
        runs = max(1, given.runs // 4)
        tallies.append(kill_conductors("file", folder / "file-kills", given, given.file_kills, runs))
    return tallies


def arguments() -> argparse.Namespace:
    given = argparse.ArgumentParser(prog="python -m tests.chaos.kernel", description=(__doc__ or "").splitlines()[0])
    given.add_argument("--seed", type=int, default=None, help="repeats the draws of a run")
    given.add_argument("--kills", type=int, default=200, help="kills of conductors on PostgreSQL")
    given.add_argument("--file-kills", type=int, default=None, help="kills on the file log (2 for 10 of --kills)")
    given.add_argument("--runs", type=int, default=8, help="runs that the kills on PostgreSQL are spread over")
    given.add_argument("--births", type=int, default=110, help="how many genomes a run breeds")
    given.add_argument("--at-least", type=int, default=20, help="how often each gap is to be hit")
    given.add_argument("--folder", type=Path, default=None, help="where the evidence goes")
    found = given.parse_args()
    found.seed = random.SystemRandom().randrange(2**32) if found.seed is None else found.seed
    found.file_kills = found.kills // 5 if found.file_kills is None else found.file_kills
    return found


def main() -> int:
    given = arguments()
    signal.signal(signal.SIGTERM, end_orderly)
    say(f"seed {given.seed}")
    folder = given.folder or Path(tempfile.mkdtemp(prefix="mendel-chaos-"))
    say(f"evidence goes to {folder}, and is removed if all goes well")
    try:
        tallies = run_all(given, folder)
    except (PromiseBroken, MendelError) as broken:
        say(f"BROKEN: {broken}\nseed {given.seed}; the evidence is in {folder}")
        return 1
    say(table(tallies))
    say(f"\nevery promise held; seed {given.seed}")
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
