"""The long version of the demo, which takes some minutes; run by `make tour`.

The slow sort is bred for longer and compared with plain best-of-N, and its run is replayed offline. Then a
second run is killed in the middle (SIGKILL) and resumed, with exactly the outcome of a twin that was never killed. The
gate, used on its own, refuses a function that is nearly right. A procedure plays the mutator in place of a model.
`mendel doctor` checks this machine.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from demo import EXAMPLE, Stage, console, show, step

QUIETLY = ("--order", "birth", "--candidates", "24", "--no-best-of-n", "--seed", "7", "--objective")
"""With birth order and no timed objective, a run is exactly repeatable."""
PLAYED = "mutator=offline/programs.mutator"


class Tour(Stage):
    """The parts that only the long version needs."""

    def outcome(self, run_id: str) -> str:
        """Return the outcome digest of a replay, or a message if it differs from the recorded one."""
        report = self.answer("replay", run_id)["report"]
        assert isinstance(report, dict)
        return str(report["outcome_digest"]) if report["agrees"] else f"{run_id} does not agree with itself"

    def latest(self) -> str:
        """Return the id of the latest run."""
        return str(self.answer("show", "latest")["run_id"])

    def killed_and_resumed(self) -> str:
        """Begin a run, kill its process without warning, resume it in another, and return its id."""
        runs = len(self.runs())
        arguments = ("evolve", self.target, *QUIETLY, "opcodes", "--out", str(self.out))
        console.print(f"[bold cyan]$ mendel {' '.join(arguments)}[/]")
        process = subprocess.Popen(self.command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (len(self.runs()) == runs or self.scored() < 3):
            time.sleep(0.2)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        console.print(f"[bold red]process {process.pid} killed (SIGKILL)[/]")
        self.mendel("resume", "latest")
        return self.latest()

    def runs(self) -> list[object]:
        """Return the runs in the log."""
        found = self.answer("runs")["runs"]
        assert isinstance(found, list)
        return found

    def scored(self) -> int:
        """Return how many candidates of the latest run have a fitness."""
        found = self.answer("events", "latest", "--type", "fitness.scored")["events"]
        assert isinstance(found, list)
        return len(found)


def demonstrate() -> int:
    """Run the demonstration; the exit code shows whether every step had the expected result."""
    tour = Tour(Path(".mendel") / "tour")
    tour.cleared()
    step("A slow sort")
    show(EXAMPLE, "python")
    step("Breed a better one, prove it, write a patch, and compare with best-of-N")
    code, folder = tour.evolved("--seed", "1", "--seconds", "15")
    show(folder / "winner.patch", "diff")
    step("The log is replayed offline")
    replayed = tour.mendel("replay", folder.name)
    step("A run is killed and resumed; its twin is never killed; both have the same outcome")
    first = tour.killed_and_resumed()
    # The twin needs a separate home: in this one it would start from the champion of the first run.
    twin = Tour(tour.home / "twin")
    twin.cleared()
    twin.mendel("evolve", twin.target, *QUIETLY, "opcodes", "--out", str(twin.out))
    same = tour.outcome(first) == twin.outcome(twin.latest())
    step("The gate, used on its own, refuses a function that is nearly right")
    refused = tour.mendel("guard", "evaluate", "--task", "top_k", "--candidate", "bad", "--n", "200")
    step("Models can breed too; here a procedure plays the mutator, metered and recorded like a model")
    tour.mendel("evolve", tour.target, "--models", "--route", PLAYED, *QUIETLY, "opcodes,size", "--out", str(tour.out))
    step("The capabilities of this machine")
    tour.mendel("doctor")
    step("Done")
    console.print(f"the report: {folder / 'report.html'}")
    console.print(f"the observatory: `make serve RUNS={tour.home}` shows these runs in a browser")
    checks = {
        "a winner was adopted": code == 0,
        "the replay agrees": replayed == 0,
        "the killed run and its twin have the same outcome": same,
        "the gate refused the wrong function": refused == 1,
    }
    for line, good in checks.items():
        console.print(f"{'[green]yes[/]' if good else '[red]NO[/] '}  {line}")
    return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    sys.exit(demonstrate())
