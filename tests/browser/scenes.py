"""Runs that the tests look at, each made through the command line by the first test that asks for it."""

from __future__ import annotations

import json
import subprocess
import time
from functools import cached_property
from pathlib import Path

from tests.browser.recount import Figures, counted
from tests.browser.stage import Event, Stage

HOSTILE = "<img src=x onerror=\"document.title='owned'\"></script><script>document.title='owned'</script>"
"""Text that would do something if any page took it for markup."""

PROGRAM = f'''"""{HOSTILE}"""


def sort(values: list[int]) -> list[int]:
    """Sort.

    {HOSTILE}

    >>> sort([2, 1])
    [1, 2]
    """
    found = list(values)
    for _ in found:
        for place in range(len(found) - 1):
            if found[place] > found[place + 1]:
                found[place], found[place + 1] = found[place + 1], found[place]
    return found
'''


class Scenes:
    """Everything is made once."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._events: dict[str, list[Event]] = {}

    def events(self, run_id: str) -> list[Event]:
        """The log of a run that is over."""
        if run_id not in self._events:
            self._events[run_id] = self._stage.events(run_id)
        return self._events[run_id]

    def figures(self, run_id: str, through: int | None = None) -> Figures:
        """What the log of a run that is over says."""
        return counted(self.events(run_id), through)

    @cached_property
    def finished(self) -> str:
        """A run that ended with a winner; some of its operations failed."""
        sizes = ("--population", "10", "--generations", "6", "--set", "founders=6", "--set", "fail_one_in=12")
        return self._stage.run("--seed", "7", "--problem", "Points that come closer", *sizes)

    @cached_property
    def without_winner(self) -> str:
        """A run that ended with nobody adopted."""
        sizes = ("--population", "4", "--generations", "2", "--set", "target=[9.0, 9.0, 9.0]")
        return self._stage.run("--seed", "3", "--problem", HOSTILE, *sizes)

    @cached_property
    def program_file(self) -> Path:
        path = self._stage.folder / "sorting.py"
        path.write_text(PROGRAM, "utf-8")
        return path

    @cached_property
    def programs(self) -> str:
        """A run that bred functions with hostile text in them, and kept an archive."""
        size = ("--seed", "5", "--candidates", "14", "--population", "6", "--no-best-of-n")
        goal = ("--objective", "opcodes", "--archive", "size,opcodes")
        said = self._stage.mendel("evolve", f"{self.program_file}:sort", *size, *goal, "--json", may_end_with=(0, 3))
        return str(json.loads(said)["run_id"])

    def started(self, problem: str, *, pause_ms: int = 150, candidates: int = 500) -> tuple[str, subprocess.Popen[str]]:
        """A run that somebody else conducts and that takes its time; its id, and who conducts it."""
        before = set(self.run_ids())
        size = ("--population", "12", "--candidates", str(candidates), "--generations", "100")
        slow = ("--seed", "11", "--pace", "steady", "--slots", "2", "--set", f"pause_ms={pause_ms}")
        process = self._stage.start("run", "--domain", "reference", "--problem", problem, *size, *slow)
        for _ in range(600):
            new = set(self.run_ids()) - before
            if new:
                return new.pop(), process
            time.sleep(0.1)
        raise AssertionError("the run did not begin")

    def run_ids(self) -> list[str]:
        """Every run of the stage, as the command line lists them."""
        return [run["run_id"] for run in json.loads(self._stage.mendel("runs", "--json"))["runs"]]

    @cached_property
    def guard_report(self) -> dict[str, object]:
        """A report of the gate about a candidate that cheats, as the command line tells it."""
        asked = ("--task", "top_k", "--candidate", "bad", "--n", "60", "--seed", "3")
        said = self._stage.mendel("guard", "evaluate", *asked, "--json", may_end_with=(0, 1, 3))
        return dict(json.loads(said))
