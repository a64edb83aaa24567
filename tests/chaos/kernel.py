"""The chaos suite of the kernel: `python -m tests.chaos.kernel [--seed N] [--kills 200]`.

Ends with 0 only if every promise held, every kill was made, and every gap was hit often enough.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import orjson
from tests.chaos import full_disk
from tests.chaos.full_disk import Way
from tests.chaos.homes import Backend, Home
from tests.chaos.kernel_kills import ConductorKills
from tests.chaos.kernel_outages import RESTARTS, Outages
from tests.chaos.kernel_scene import KernelScene, Kind, Plan
from tests.chaos.kernel_tally import GAPS, KernelProgress, KernelTally
from tests.chaos.ledger import PromiseBroken, require
from tests.chaos.log import TITLES, end_orderly, keep_wal_small
from tests.chaos.scene import REPOSITORY
from tests.chaos.tally import say, table

from mendel.contracts.errors import MendelError


def kill_conductors(backend: Backend, folder: Path, given: argparse.Namespace, kills: int, runs: int) -> KernelTally:
    """Runs on one log whose conductors are killed; raises PromiseBroken."""
    tally = KernelTally(f"kernel on {TITLES[backend]}, conductors killed")
    at_least = given.at_least if backend == "postgres" else 0
    with KernelProgress(tally), KernelScene(Home(backend, folder / "home"), folder, tally) as scene:
        ConductorKills(scene, f"{given.seed}/{backend}/conductors", kills=kills, at_least=at_least).run(
            runs, given.births
        )
    require(tally.killed == kills, f"{tally.killed} of {kills} kills were made")
    for gap in GAPS:
        require(tally.gaps[gap] >= at_least, f"only {tally.gaps[gap]} kills hit {gap}, not {at_least}")
    return tally


def restart_servers(folder: Path, given: argparse.Namespace) -> KernelTally:
    """Runs under whose living conductor PostgreSQL is restarted, each way each time; both paces."""
    tally = KernelTally("kernel on PostgreSQL, restarted")
    draws = random.Random(f"{given.seed}/restarts")
    with KernelProgress(tally), KernelScene(Home("postgres", folder / "home"), folder, tally) as scene:
        for number in range(given.restarts):
            ways = draws.sample(RESTARTS, len(RESTARTS))
            Outages(scene, draws).restart(_plan(draws, number, given.births), ways)
    return tally


def fill_disk_here(folder: Path, given: argparse.Namespace) -> KernelTally:
    """Runs under whose living conductor the disk is full; for a process in its own mount namespace."""
    tally = KernelTally("kernel on PostgreSQL, disk full")
    draws = random.Random(f"{given.seed}/disk")
    disk = folder / "disk"
    full_disk.mount(disk, full_disk.SIZES["postgres"])
    home = Home("postgres", disk / "home")
    home.prepare()
    keep_wal_small(home)
    ways: list[Way] = ["data", "wal"]
    with KernelProgress(tally), KernelScene(home, folder, tally) as scene:
        for number in range(given.rounds):
            Outages(scene, draws).fill(_plan(draws, number, given.births), disk, draws.sample(ways, len(ways)))
    return tally


def fill_disk_apart(folder: Path, given: argparse.Namespace) -> KernelTally:
    """The same, in a mount namespace."""
    apart = full_disk.namespace()
    require(apart is not None, "no mount namespace can be had here, so no disk can be filled")
    folder.mkdir(parents=True, exist_ok=True)
    this = [sys.executable, "-m", "tests.chaos.kernel", f"--folder={folder}", f"--seed={given.seed}", "--apart"]
    figures = [f"--rounds={given.rounds}", f"--births={given.births}"]
    child = subprocess.Popen([*(apart or ()), *this, *figures], cwd=REPOSITORY)
    try:
        code = child.wait()
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()
        Home("postgres", folder / "disk" / "home").clear()
    require(code == 0, f"PostgreSQL with a full disk: see above and {folder}")
    return KernelTally.from_json(orjson.loads((folder / "tally.json").read_bytes()))


def _plan(draws: random.Random, number: int, births: int) -> Plan:
    kinds: tuple[Kind, Kind] = ("generational", "steady")
    return Plan.drawn(draws, kinds[number % 2], draws.randint(1, 8), births)


def run_all(given: argparse.Namespace, folder: Path) -> list[KernelTally]:
    tallies = []
    if given.kills:
        tallies.append(kill_conductors("postgres", folder / "postgres-kills", given, given.kills, given.runs))
    if given.file_kills:
        runs = max(1, given.runs // 4)
        tallies.append(kill_conductors("file", folder / "file-kills", given, given.file_kills, runs))
    if given.restarts:
        tallies.append(restart_servers(folder / "restarts", given))
    if given.rounds:
        tallies.append(fill_disk_apart(folder / "disk", given))
    return tallies


def arguments() -> argparse.Namespace:
    given = argparse.ArgumentParser(prog="python -m tests.chaos.kernel", description=(__doc__ or "").splitlines()[0])
    given.add_argument("--seed", type=int, default=None, help="repeats the draws of a run")
    given.add_argument("--kills", type=int, default=200, help="kills of conductors on PostgreSQL")
    given.add_argument("--file-kills", type=int, default=None, help="kills on the file log (2 for 10 of --kills)")
    given.add_argument("--runs", type=int, default=8, help="runs that the kills on PostgreSQL are spread over")
    given.add_argument("--restarts", type=int, default=4, help="runs during which PostgreSQL is restarted, each way")
    given.add_argument("--rounds", type=int, default=4, help="runs during which the disk is full, each way")
    given.add_argument("--births", type=int, default=130, help="how many genomes a run breeds")
    given.add_argument("--at-least", type=int, default=20, help="how often each gap is to be hit")
    given.add_argument("--folder", type=Path, default=None, help="where the evidence goes")
    given.add_argument("--apart", action="store_true", help=argparse.SUPPRESS)
    found = given.parse_args()
    found.seed = random.SystemRandom().randrange(2**32) if found.seed is None else found.seed
    found.file_kills = found.kills // 5 if found.file_kills is None else found.file_kills
    return found


def apart(given: argparse.Namespace) -> int:
    """The part that has a mount namespace of its own; leaves its tally behind."""
    try:
        tally = fill_disk_here(given.folder, given)
    except (PromiseBroken, MendelError) as broken:
        say(f"BROKEN: {broken}")
        return 1
    (given.folder / "tally.json").write_bytes(orjson.dumps(tally.as_json()))
    return 0


def main() -> int:
    given = arguments()
    signal.signal(signal.SIGTERM, end_orderly)
    if given.apart:
        return apart(given)
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
