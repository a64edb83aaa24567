"""The chaos suite of the event log: `python -m tests.chaos.log [--seed N] [--kills 200] [--backend both]`.

Ends with 0 only if every promise held, every kill was made, and a quarter of them (`--inside`) hit a commit.
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
from types import FrameType

import orjson
import psycopg
from tests.chaos import full_disk
from tests.chaos.full_disk import FullDisk, Way
from tests.chaos.homes import Backend, Home
from tests.chaos.kills import FileKillLoop, PostgresKillLoop
from tests.chaos.ledger import PromiseBroken, require
from tests.chaos.scene import REPOSITORY, Scene
from tests.chaos.tally import Progress, Tally, say, table

from mendel.contracts.errors import MendelError

TITLES: dict[Backend, str] = {"postgres": "PostgreSQL", "file": "files"}


def kill_loop(backend: Backend, folder: Path, seed: int, kills: int, share_inside: float) -> Tally:
    """The kill loop of one log; raises PromiseBroken."""
    tally = Tally(f"{TITLES[backend]}, killed")
    loop = PostgresKillLoop if backend == "postgres" else FileKillLoop
    with Progress(tally), Scene(Home(backend, folder / "home"), folder, seed, tally) as scene:
        loop(scene, random.Random(f"{seed}/{backend}/kills")).run(kills)
    require(tally.killed == kills, f"{tally.killed} of {kills} kills were made")
    inside, wanted = tally.killed_inside, kills * share_inside
    require(inside >= wanted, f"only {inside} of {kills} kills hit a commit, not {wanted:.0f}")
    return tally


def full_disk_here(backend: Backend, folder: Path, seed: int, rounds: int) -> Tally:
    """The rounds without room; for a process in its own mount namespace."""
    tally = Tally(f"{TITLES[backend]}, disk full")
    disk = folder / "disk"
    full_disk.mount(disk, full_disk.SIZES[backend])
    home = Home(backend, disk / "home")
    home.prepare()
    if backend == "postgres":
        keep_wal_small(home)
    ways: list[Way] = ["data"] * rounds if backend == "file" else ["data", "wal"] * rounds
    with Progress(tally), Scene(home, folder, seed, tally, pause_s=0.3, ahead=False) as scene:
        FullDisk(scene, disk, random.Random(f"{seed}/{backend}/disk")).run(scene, ways)
    return tally


def keep_wal_small(home: Home) -> None:
    """The disk is small, and is to be filled by its ballast, not by the WAL alone."""
    with psycopg.connect(home.server.conninfo(), autocommit=True) as conn:
        conn.execute("ALTER SYSTEM SET max_wal_size = '48MB'")
        conn.execute("ALTER SYSTEM SET min_wal_size = '32MB'")
        conn.execute("SELECT pg_reload_conf()")


def full_disk_apart(backend: Backend, folder: Path, seed: int, rounds: int) -> Tally:
    """The rounds without room, in a mount namespace."""
    apart = full_disk.namespace()
    require(apart is not None, "no mount namespace can be had here, so no disk can be filled")
    folder.mkdir(parents=True, exist_ok=True)
    this = [sys.executable, "-m", "tests.chaos.log", f"--folder={folder}", f"--seed={seed}", f"--backend={backend}"]
    child = subprocess.Popen([*(apart or ()), *this, f"--rounds={rounds}", "--apart"], cwd=REPOSITORY)
    try:
        code = child.wait()
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()
        Home(backend, folder / "disk" / "home").clear()
    require(code == 0, f"{TITLES[backend]} with a full disk: see above and {folder}")
    return Tally(**orjson.loads((folder / "tally.json").read_bytes()))


def run_all(given: argparse.Namespace, folder: Path) -> list[Tally]:
    backends: list[Backend] = ["postgres", "file"] if given.backend == "both" else [given.backend]
    tallies = []
    for backend in backends:
        kills = given.kills if backend == "postgres" else given.file_kills
        if kills:
            tallies.append(kill_loop(backend, folder / f"{backend}-kills", given.seed, kills, given.inside))
        if given.rounds:
            tallies.append(full_disk_apart(backend, folder / f"{backend}-disk", given.seed, given.rounds))
    return tallies


def arguments() -> argparse.Namespace:
    given = argparse.ArgumentParser(prog="python -m tests.chaos.log", description=(__doc__ or "").splitlines()[0])
    given.add_argument("--seed", type=int, default=None, help="repeats the draws of a run")
    given.add_argument("--kills", type=int, default=200, help="kills of the PostgreSQL log")
    given.add_argument("--file-kills", type=int, default=None, help="kills of the file log (3 for 10 of --kills)")
    given.add_argument("--inside", type=float, default=0.25, help="the share of the kills that is to hit a commit")
    given.add_argument("--rounds", type=int, default=3, help="rounds with a full disk, each way")
    given.add_argument("--backend", choices=["postgres", "file", "both"], default="both")
    given.add_argument("--folder", type=Path, default=None, help="where the evidence goes")
    given.add_argument("--apart", action="store_true", help=argparse.SUPPRESS)
    found = given.parse_args()
    found.seed = random.SystemRandom().randrange(2**32) if found.seed is None else found.seed
    found.file_kills = found.kills * 3 // 10 if found.file_kills is None else found.file_kills
    return found


def main() -> int:
    given = arguments()
    signal.signal(signal.SIGTERM, end_orderly)
    if given.apart:
        tally = full_disk_here(given.backend, given.folder, given.seed, given.rounds)
        (given.folder / "tally.json").write_bytes(orjson.dumps(tally.as_json()))
        return 0
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


def end_orderly(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(1)


if __name__ == "__main__":
    sys.exit(main())
