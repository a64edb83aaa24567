"""How far one candidate walks through the source: `python -m tests.architecture.candidate_walk`.

A function is bred twice from one seed, in this process, so that both runs are equal. The first run tells who wins, the
second is traced: a file is on the winner's way when one of its functions is handed the winner, by its id, or in an
object that names it (its genome, an operation on it, an event about it). Files count in the order in which the winner
first reaches them, from the command over the kernel, the workers and the gate to the report and to the rows and
answers of the page. A change of room is a step of that order from one folder of `src/mendel` into another; the
sandbox's processes, and the page's own code, are not traced.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import sys
import tempfile
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import FrameType

import httpx

import mendel
from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.api.app import create_app
from mendel.api.services import Services
from mendel.api.source import RunSource
from mendel.cli.main import main as mendel_command
from mendel.kernel.state import RunState
from mendel.settings import load_settings
from mendel.wiring import open_log

SOURCE = Path(mendel.__file__).parent
TARGET = """def unique(items: list[int]) -> list[int]:
    found: list[int] = []
    for item in items:
        if item not in found:
            found.append(item)
    return found
"""
OPTIONS = ("--objective", "opcodes", "--order", "birth", "--slots", "1", "--no-best-of-n", "--seed", "7")
NAMING = ("id", "candidate_id", "genome_id", "operation_id", "subject_id", "subject_ids")
NAMING += ("candidate", "genome", "operation", "payload", "work")
"""Attributes by which an object says which candidate it is about."""
DEPTH = 4
MOST_LOOKS = 2_000
"""How often a function is looked at that was never handed the winner."""


class Walk:
    """The files that were handed one of ``names``, in order."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names
        self._looks: dict[object, int] = {}
        self.files: list[str] = []

    def trace(self, frame: FrameType, event: str, _argument: object) -> None:
        """A profile function: looks at what a call is handed."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(str(SOURCE)):
            return
        name = str(Path(code.co_filename).relative_to(SOURCE))
        looks = self._looks.get(code, 0)
        if name in self.files or looks > MOST_LOOKS:
            return
        self._looks[code] = looks + 1
        given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if any(self._names_it(frame.f_locals.get(each), DEPTH) for each in given):
            self.files.append(name)

    def _names_it(self, value: object, depth: int) -> bool:
        if isinstance(value, str):
            return value in self._names
        if isinstance(value, tuple | list):
            return len(value) <= 4 and any(self._names_it(part, depth - 1) for part in value)
        # The state of the run holds every candidate: whoever is handed it is handed nobody in particular.
        if depth == 0 or not type(value).__module__.startswith("mendel.") or isinstance(value, RunState):
            return False
        return any(self._names_it(getattr(value, name, None), depth - 1) for name in NAMING)

    @property
    def changes(self) -> int:
        """Steps from one room into another."""
        rooms = [name.partition("/")[0] for name in self.files]
        return sum(one != other for one, other in pairwise(rooms))


@contextlib.contextmanager
def traced(walk: Walk) -> Iterator[None]:
    """Trace every thread of this process."""
    threading.setprofile(walk.trace)
    sys.setprofile(walk.trace)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def command(home: Path, *arguments: str) -> dict[str, object]:
    """Run a command of Mendel in this process; its answer."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.suppress(SystemExit):
        mendel_command(["--home", str(home), "--log", "file", *arguments, "--json"])
    answer: dict[str, object] = json.loads(told.getvalue())
    return answer


def bred(folder: Path, candidates: int) -> str:
    """Breed below ``folder``; the run's id."""
    folder.mkdir()
    source = folder / "unique.py"
    source.write_text(TARGET)
    count = ("--candidates", str(candidates))
    command(folder / "home", "evolve", f"{source}:unique", *OPTIONS, *count, "--out", str(folder / "out"))
    return str(command(folder / "home", "show", "latest")["run_id"])


def winner_names(home: Path) -> frozenset[str]:
    """The ids by which the winner of the latest run goes: its own, its genome's, and those of its operations."""
    events = command(home, "events", "latest")["events"]
    assert isinstance(events, list)
    winner = events[-1]["payload"]["final_candidate_id"]
    genome = next(each["genome_id"] for each in events if each["candidate_id"] == winner)
    own = {winner, genome}
    steps = [each for each in events if each["type"] == "operation.started"]
    own |= {each["operation_id"] for each in steps if own & set(each["payload"]["operation"]["subject_ids"])}
    return frozenset(own)


async def looked_at(home: Path, run_id: str, candidate: str) -> None:
    """Ask the server for what the page shows of the candidate.

    Raises:
        httpx.HTTPStatusError: it answers with a refusal.
    """
    settings = load_settings(flags={"home": str(home), "log.backend": "file"}).settings
    async with (
        open_log(settings, create=False, announce=lambda _: None) as log,
        RunSource(log, MemoryReadModels()) as source,
    ):
        transport = httpx.ASGITransport(create_app(Services(source=source)))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            for path in ("", "/history", "/final", "/lineage", f"/candidates/{candidate}"):
                (await client.get(f"/api/runs/{run_id}{path}")).raise_for_status()


def walk_of(candidates: int) -> Walk:
    """Breed twice and trace the second run."""
    with tempfile.TemporaryDirectory(prefix="mendel-walk-") as scratch:
        first, second = Path(scratch, "first"), Path(scratch, "second")
        bred(first, candidates)
        names = winner_names(first / "home")
        walk = Walk(names)
        with traced(walk):
            run_id = bred(second, candidates)
            command(second / "home", "report", run_id, "--out", str(second / "report"))
            winner = next(name for name in names if name.startswith("candidate-"))
            asyncio.run(looked_at(second / "home", run_id, winner))
    return walk


def main() -> None:
    """Print the walk."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", type=int, default=12)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    walk = walk_of(asked.candidates)
    if asked.json:
        told = json.dumps({"files": walk.files, "count": len(walk.files), "changes_of_room": walk.changes})
    else:
        told = "\n".join([*walk.files, f"{len(walk.files)} files, {walk.changes} changes of room"])
    sys.stdout.write(told + "\n")


if __name__ == "__main__":
    main()
