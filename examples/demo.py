"""What Mendel can do so far, in a quarter of a minute: `make demo`.

A small search (find the peak of a bumpy curve) writes every cross it makes into the log. Its process is killed in the
middle; another takes the run over and finishes it. Then somebody with the owner's rights changes one byte, and cuts a
tail, and both are found. The search stands in for the real thing only in what it breeds: log, PostgreSQL, processes,
kill and tampering are real.
"""

from __future__ import annotations

import asyncio
import math
import os
import random
import shutil
import signal
import subprocess
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import psycopg
from pydantic import BaseModel
from rich.console import Console
from rich.rule import Rule

from mendel.contracts.actors import Actor
from mendel.contracts.events.candidate import CandidateCreated, FitnessScored
from mendel.contracts.events.energy import EnergySpent
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.run import RunCompleted, RunConfigured, RunStarted, RunSummary
from mendel.contracts.ids import new_run_id
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import PAYLOADS, DomainPayload
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scoring import FitnessScore
from mendel.ports.event_log import EventLog, RunWriter
from mendel.settings import load_settings
from mendel.wiring import embedded_server, open_log

HOME = Path(".mendel") / "demo"
CANDIDATES = 400
SETTINGS = load_settings(flags={"home": str(HOME)}).settings
console = Console(highlight=False, soft_wrap=True)


class Place(BaseModel):
    """A point on the curve: all that this genome inherits."""

    x: float


PAYLOADS.register("demo", "place", 1, Place)


def height(x: float) -> float:
    """The bumpy curve; its peak is near x = 1.9."""
    return math.sin(3 * x) + 0.6 * math.sin(7 * x) - 0.1 * (x - 2) ** 2


def cross(seed: int, birth: int, best: float) -> float:
    """A child's place. Every draw is keyed by the run's seed and the birth, so that it can be drawn again."""
    draw = random.Random(f"{seed}/{birth}")
    return draw.uniform(-5, 5) if draw.random() < 0.2 else best + draw.gauss(0, 0.3)


def born(birth: int, x: float) -> list[EventDraft]:
    """The events of one candidate: spawned, expressed, scored, paid for."""
    genome_id, candidate_id = f"genome-{birth}", f"candidate-{birth}"
    place = DomainPayload(domain="demo", kind="place", version=1, data={"x": x})
    genome = Genome(id=genome_id, birth=birth, traits=place)
    candidate = Candidate(id=candidate_id, genome_id=genome_id, birth=birth, content=place)
    score = FitnessScore(
        candidate_id=candidate_id,
        total=height(x),
        components={"height": height(x)},
        policy_version="demo-1",
        explanation="the height of the curve",
    )
    spent = EnergySpent(kind="spawn", estimate=50, actual=50, reason="one candidate")
    return [
        EventDraft.of(GenomeSpawned(genome=genome), genome_id=genome_id),
        EventDraft.of(CandidateCreated(candidate=candidate), genome_id=genome_id, candidate_id=candidate_id),
        EventDraft.of(FitnessScored(score=score), actor=Actor.SELECTION, candidate_id=candidate_id),
        EventDraft.of(spent, genome_id=genome_id),
    ]


async def so_far(log: EventLog, run_id: str) -> tuple[int, float]:
    """How many were born, and where the best of them stands: read from the log, which is the truth."""
    count, best, places = 0, (-math.inf, 0.0), {}
    async for event in log.read(run_id):
        match event.payload:
            case CandidateCreated(candidate=candidate):
                places[candidate.id] = float(candidate.content.data["x"])  # type: ignore[arg-type]
                count += 1
            case FitnessScored(score=score):
                best = max(best, (score.total, places[score.candidate_id]))
    return count, best[1]


async def search(log: EventLog, run_id: str, writer: RunWriter, pause: float) -> None:
    """Breed until there are enough."""
    count, best = await so_far(log, run_id)
    for birth in range(count, CANDIDATES):
        x = cross(7, birth, best)
        best = max(best, x, key=height)
        await writer.append(born(birth, x))
        await asyncio.sleep(pause)
    summary = RunSummary(candidates=CANDIDATES, scored=CANDIDATES, best_fitness=height(best))
    await writer.append([EventDraft.of(RunCompleted(summary=summary))])


async def conduct(run_id: str, name: str, pause: float) -> None:
    """Take the run over and go on with it."""
    async with open_demo_log() as log, log.conduct(run_id, conductor=name) as writer:
        if writer.epoch == 1:
            await writer.append([EventDraft.of(RunStarted())])
        await search(log, run_id, writer, pause)


def open_demo_log() -> AbstractAsyncContextManager[EventLog]:
    """The log of this demonstration."""
    return open_log(SETTINGS, create=True, announce=announce)


def announce(line: str) -> None:
    """Pass on what the machinery says."""
    console.print(f"[dim]{line}[/]")


async def configure() -> str:
    """Write the first event of a new run."""
    run_id = new_run_id()
    config = RunConfig(domain="demo", problem="find the peak of a bumpy curve", rng_seed=7)
    async with open_demo_log() as log:
        await log.append(run_id, [EventDraft.of(RunConfigured(config=config, mendel_version="demo"))], expected=0)
    return run_id


def step(title: str) -> None:
    """Say what comes next."""
    console.print()
    console.print(Rule(f"[bold]{title}", align="left", style="dim"))


def mendel(*arguments: str) -> int:
    """Run a command as a person would, and show it."""
    console.print(f"[bold cyan]$ mendel {' '.join(arguments)}[/]")
    command = [sys.executable, "-m", "mendel.cli.main", "--home", str(HOME), *arguments]
    return subprocess.run(command, check=False).returncode


def kill_in_the_middle(run_id: str) -> None:
    """Start a conductor, follow it live, and kill it without warning."""
    conductor = subprocess.Popen([sys.executable, __file__, "conduct", run_id, "first", "0.003"])
    follower = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "mendel.cli.main",
            "--home",
            str(HOME),
            "events",
            run_id,
            "--follow",
            "--type",
            "fitness",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert follower.stdout is not None
    for number, line in enumerate(follower.stdout):
        if number % 20 == 0:
            console.print(line.rstrip(), markup=False, overflow="ellipsis", no_wrap=True)
        if number == 120:
            break
    os.kill(conductor.pid, signal.SIGKILL)
    console.print(f"[bold red]conductor {conductor.pid} killed (SIGKILL)[/]")
    follower.terminate()
    conductor.wait()
    follower.wait()


def tamper(run_id: str, statement: str) -> None:
    """Change the log behind Mendel's back, as only the owner can, by switching its trigger off."""
    server = embedded_server(SETTINGS, announce)
    with psycopg.connect(server.conninfo(user="mendel_owner"), autocommit=True) as conn:
        console.print(f"[bold cyan]owner> {statement % {'run': '…'}}[/]")
        try:
            conn.execute(statement, {"run": run_id})
        except psycopg.errors.ObjectNotInPrerequisiteState as error:
            console.print(f"[yellow]refused: {error.diag.message_primary}[/]")
        console.print("[bold cyan]owner> … with the trigger switched off[/]")
        conn.execute("ALTER TABLE mendel.run_events DISABLE TRIGGER append_only")
        conn.execute(statement, {"run": run_id})
        conn.execute("ALTER TABLE mendel.run_events ENABLE ALWAYS TRIGGER append_only")


def demonstrate() -> int:
    """Tell the story; the exit code says whether it went as told."""
    embedded_server(SETTINGS, announce).stop()
    shutil.rmtree(HOME, ignore_errors=True)
    step("A run is configured; PostgreSQL comes from a wheel, on a private socket")
    run_id = asyncio.run(configure())
    step("A conductor breeds, we follow it live, and it is killed")
    kill_in_the_middle(run_id)
    step("Another conductor takes the run over, fences the first one off, and finishes it")
    asyncio.run(conduct(run_id, "second", 0.0))
    finished = mendel("show", run_id)
    verified = mendel("log", "verify", run_id)
    step("A run is a file one can mail")
    exported = mendel("log", "export", run_id, str(HOME / "demo.mendel"))
    mendel("log", "verify", str(HOME / "demo.mendel"))
    step("One byte of one row is changed")
    change = "UPDATE mendel.run_events SET actor = 'Runtime' WHERE run_id = %(run)s AND sequence = 40"
    tamper(run_id, change)
    found_change = mendel("log", "verify", run_id)
    step("A tail is cut")
    second = asyncio.run(configure())
    asyncio.run(conduct(second, "third", 0.0))
    tamper(second, "DELETE FROM mendel.run_events WHERE run_id = %(run)s AND sequence > 1000")
    found_cut = mendel("log", "verify", second)
    step("What there is now")
    mendel("runs")
    embedded_server(SETTINGS, announce).stop()
    as_told = (finished, verified, exported, found_change, found_cut) == (0, 0, 0, 1, 1)
    console.print()
    console.print("[bold green]As told.[/]" if as_told else "[bold red]Not as told.[/]")
    console.print(f"Look around: mendel --home {HOME} events {run_id}")
    return 0 if as_told else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["conduct"]:
        asyncio.run(conduct(sys.argv[2], sys.argv[3], float(sys.argv[4])))
    else:
        sys.exit(demonstrate())
