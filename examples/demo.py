"""Mendel in two minutes: `make demo`.

A slow sort is given to `mendel evolve`, with no configuration, no key and no server. It finds a better one, proves it
on inputs that the search never saw, and leaves a patch and a report. The run replays without calling anybody. Then a
second run is killed in the middle (SIGKILL) and resumed, and comes out exactly as its twin that was never killed. The
gate, asked by itself, refuses one that is nearly right; the mutator's role is played as a model would play it; and the
doctor looks at this machine, which the observatory shows with the runs.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.syntax import Syntax

from mendel.settings import load_settings
from mendel.wiring import embedded_server

HOME = Path(".mendel") / "demo"
WORK = HOME / "work"
OUT = WORK / "mendel-out"
EXAMPLE = Path("examples") / "bad_sort.py"
QUIETLY = ("--objective", "opcodes", "--order", "birth", "--candidates", "24", "--no-best-of-n", "--seed", "7")
"""Opcodes instead of time, and birth order: such a run repeats exactly."""
PLAYED = "mutator=offline/programs.mutator"
console = Console(highlight=False, soft_wrap=True)


def step(title: str) -> None:
    """Say what comes next."""
    console.print()
    console.print(Rule(f"[bold]{title}", align="left", style="dim"))


def command(*arguments: str) -> list[str]:
    """The command line of ``mendel``."""
    return [sys.executable, "-m", "mendel.cli.main", "--home", str(HOME), *arguments]


def mendel(*arguments: str) -> int:
    """Run a command as a person would, and show it."""
    console.print(f"[bold cyan]$ mendel {' '.join(arguments)}[/]")
    return subprocess.run(command(*arguments), check=False).returncode


def answer(*arguments: str) -> dict[str, object]:
    """What a command answers a machine."""
    done = subprocess.run(command(*arguments, "--json"), check=False, capture_output=True, text=True)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def evolved() -> tuple[int, Path]:
    """The main job; its exit code and its folder."""
    code = mendel("evolve", str(WORK / EXAMPLE.name) + ":sort", "--seed", "1", "--seconds", "15", "--out", str(OUT))
    folders = [path.parent for path in OUT.glob("*/run.json")]
    return code, max(folders, key=lambda path: path.stat().st_mtime, default=OUT)


def outcome(run_id: str) -> str:
    """The outcome digest that a replay arrives at, if it is the one that the run recorded."""
    report = answer("replay", run_id)["report"]
    assert isinstance(report, dict)
    return str(report["outcome_digest"]) if report["agrees"] else f"{run_id} does not agree with itself"


def latest() -> str:
    """The run that was begun last."""
    found = answer("show", "latest")
    return str(found["run_id"])


def killed_and_resumed(target: str) -> str:
    """Begin a run, kill its process without warning, and let another one finish it; its id."""
    runs = len(list_runs())
    arguments = ("evolve", target, *QUIETLY, "--out", str(OUT))
    console.print(f"[bold cyan]$ mendel {' '.join(arguments)}[/]")
    process = subprocess.Popen(command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and (len(list_runs()) == runs or scored() < 3):
        time.sleep(0.2)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    console.print(f"[bold red]process {process.pid} killed (SIGKILL)[/]")
    mendel("resume", "latest")
    return latest()


def list_runs() -> list[object]:
    """What is in the log."""
    found = answer("runs")["runs"]
    assert isinstance(found, list)
    return found


def scored() -> int:
    """How many candidates of the latest run have a fitness."""
    found = answer("events", "latest", "--type", "fitness.scored")["events"]
    assert isinstance(found, list)
    return len(found)


def demonstrate() -> int:
    """Tell the story; the exit code says whether it went as told."""
    embedded_server(load_settings(flags={"home": str(HOME)}).settings, console.print).stop()
    shutil.rmtree(HOME, ignore_errors=True)
    WORK.mkdir(parents=True)
    shutil.copy(EXAMPLE, WORK)
    step("A slow sort")
    console.print(Syntax(EXAMPLE.read_text(), "python", background_color="default"))
    step("Breed a better one, prove it, leave a patch")
    code, folder = evolved()
    patch = folder / "winner.patch"
    if patch.exists():
        console.print(Syntax(patch.read_text(), "diff", background_color="default"))
    step("The log replays without calling anybody")
    replayed = mendel("replay", folder.name)
    step(
        "Another run is killed in the middle; somebody else goes on; a twin is never killed, and both come out the same"
    )
    target = f"{WORK / EXAMPLE.name}:sort"
    first = killed_and_resumed(target)
    mendel("evolve", target, *QUIETLY, "--out", str(OUT))
    same = outcome(first) == outcome(latest())
    step("The gate can be asked by itself: a function that is nearly right is not let in")
    refused = mendel("guard", "evaluate", "--task", "top_k", "--candidate", "bad", "--n", "200")
    step("With a key models breed, too; without one a procedure plays the mutator, metered and recorded as they are")
    mendel("evolve", target, "--models", "--route", PLAYED, *QUIETLY, "--out", str(OUT))
    step("What of this machine can be used")
    mendel("doctor")
    step("Done")
    console.print(f"the report: {folder / 'report.html'}")
    console.print("the observatory: `make serve` shows these runs in a browser")
    told = {
        "a winner was adopted": code == 0,
        "the replay agrees": replayed == 0,
        "killed and twin are the same": same,
        "the gate let nothing wrong in": refused == 1,
    }
    for line, good in told.items():
        console.print(f"{'[green]yes[/]' if good else '[red]NO[/] '}  {line}")
    return 0 if all(told.values()) else 1


if __name__ == "__main__":
    sys.exit(demonstrate())
