"""The guarantees of log, kernel, sandbox and gate in half a minute, run by `make tour`.

1. A run breeds points that come close to a target (`examples/domain.py`). Its conductor is killed in the middle.
2. Another conductor takes over, repeats nothing that is in the log, and ends exactly like a twin that was never killed.
   A replay without access to anything outside confirms it.
3. One byte is changed and a tail is cut, with the owner's rights; `mendel log verify` detects both.
4. A hostile function runs in the sandbox, without effect.
5. The gate judges three candidates: it adopts an improvement, but neither a cheat that passes every property nor an
   honest mistake.

Log, PostgreSQL, processes, kill, tampering, sandbox and statistics are real.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import psycopg
from domain import HANDLERS, points
from rich.console import Console
from rich.rule import Rule

from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.caps import RunCaps
from mendel.contracts.run_config import Pace, RunConfig
from mendel.contracts.work import Answer, Work
from mendel.kernel import beginning
from mendel.kernel.conduct import conduct
from mendel.kernel.conductor import Options
from mendel.ports.event_log import EventLog
from mendel.ports.handlers import Handler
from mendel.settings import load_settings
from mendel.wiring import embedded_server, open_log

HOME = Path(".mendel") / "tour-log"
CAPS = RunCaps(max_population=20, max_generations=20)
CONFIG = RunConfig(
    domain="points", problem="come close to the target", rng_seed=7, slots=6, caps=CAPS, pace=Pace(kind="steady")
)
HOSTILE = """
import socket


def honest():
    return sorted([3, 1, 2])


def steal():
    return open("/etc/passwd").read()


def call_home():
    return socket.create_connection(("192.0.2.1", 80))


def hang():
    while True:
        pass
"""
SETTINGS = load_settings(flags={"home": str(HOME)}).settings
console = Console(highlight=False, soft_wrap=True)


def slowly(step: str, pause: float) -> Handler:
    """Return the handler of ``step`` with a pause, so that the run can be watched."""

    async def handle(work: Work) -> Answer:
        await asyncio.sleep(pause)
        return await HANDLERS[step](work)

    return handle


async def conduct_run(run_id: str, name: str, pause: float) -> None:
    """Take the run over and conduct it to its end."""
    fabric = MemoryTaskFabric(handlers=lambda step: slowly(step, pause))
    async with open_demo_log() as log:
        await conduct(
            run_id, log=log, fabric=fabric, clock=SystemClock(), domains=points, options=Options(conductor=name)
        )
    await fabric.close()


def open_demo_log() -> AbstractAsyncContextManager[EventLog]:
    """Open the log of this demonstration."""
    return open_log(SETTINGS, create=True, announce=announce)


def announce(line: str) -> None:
    """Print a status message of the server."""
    console.print(f"[dim]{line}[/]")


async def configure(niche: str) -> str:
    """Record a new run in ``niche``, so that no champion and no challenge of another run counts."""
    async with open_demo_log() as log:
        return await beginning.configure(log, CONFIG.model_copy(update={"niche": niche}), CAPS, domains=points)


def step(title: str) -> None:
    """Print a heading."""
    console.print()
    console.print(Rule(f"[bold]{title}", align="left", style="dim"))


def mendel(*arguments: str) -> int:
    """Print a command, run it in the foreground, and return its exit code."""
    console.print(f"[bold cyan]$ mendel {' '.join(arguments)}[/]")
    command = [sys.executable, "-m", "mendel.cli.main", "--home", str(HOME), *arguments]
    return subprocess.run(command, check=False).returncode


def kill_in_the_middle(run_id: str) -> None:
    """Start a conductor, follow it live, and kill it without warning."""
    conductor = subprocess.Popen([sys.executable, __file__, "conduct", run_id, "first", "0.01"])
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
        if number == 100:
            break
    os.kill(conductor.pid, signal.SIGKILL)
    console.print(f"[bold red]conductor {conductor.pid} killed (SIGKILL)[/]")
    follower.terminate()
    conductor.wait()
    follower.wait()


def tamper(run_id: str, statement: str) -> None:
    """Change the log directly; only the owner can do this, by disabling the trigger."""
    server = embedded_server(SETTINGS, announce)
    with psycopg.connect(server.conninfo(user="mendel_owner"), autocommit=True) as conn:
        console.print(f"[bold cyan]owner> {statement % {'run': '…'}}[/]")
        try:
            conn.execute(statement, {"run": run_id})
        except psycopg.errors.ObjectNotInPrerequisiteState as error:
            console.print(f"[yellow]refused: {error.diag.message_primary}[/]")
        console.print("[bold cyan]owner> … with the trigger disabled[/]")
        conn.execute("ALTER TABLE mendel.run_events DISABLE TRIGGER append_only")
        conn.execute(statement, {"run": run_id})
        conn.execute("ALTER TABLE mendel.run_events ENABLE ALWAYS TRIGGER append_only")


def outcome(run_id: str) -> str:
    """Return the outcome digest of a replay, or a message if it differs from the recorded one."""
    command = [sys.executable, "-m", "mendel.cli.main", "--home", str(HOME), "replay", run_id, "--json"]
    report = json.loads(subprocess.run(command, check=False, capture_output=True, text=True).stdout)["report"]
    return str(report["outcome_digest"]) if report["agrees"] else f"{run_id} does not agree with itself"


def demonstrate() -> int:
    """Run the demonstration; the exit code shows whether every step had the expected result."""
    embedded_server(SETTINGS, announce).stop()
    shutil.rmtree(HOME, ignore_errors=True)
    step("A run is configured; PostgreSQL comes from a wheel, on a private socket")
    run_id = asyncio.run(configure("points"))
    step("A conductor breeds, we follow it live, and it is killed")
    kill_in_the_middle(run_id)
    step("Another conductor takes the run over, fences the first one off, and finishes it")
    asyncio.run(conduct_run(run_id, "second", 0.0))
    finished = mendel("show", run_id)
    step("A twin with the same seed is never killed and has the same outcome, as an offline replay confirms")
    twin = asyncio.run(configure("points of the twin"))
    asyncio.run(conduct_run(twin, "third", 0.0))
    replayed = (mendel("replay", run_id), mendel("replay", twin))
    same = outcome(run_id) == outcome(twin)
    step("Why is the best one the best?")
    explained = mendel("explain", run_id, "best")
    step("A run can be sent as a file")
    verified = mendel("log", "verify", run_id)
    exported = mendel("log", "export", run_id, str(HOME / "demo.mendel"))
    mendel("replay", str(HOME / "demo.mendel"))
    step("One byte of one row is changed")
    change = "UPDATE mendel.run_events SET actor = 'Runtime' WHERE run_id = %(run)s AND sequence = 40"
    tamper(run_id, change)
    found_change = mendel("log", "verify", run_id)
    step("A tail is cut")
    tamper(twin, "DELETE FROM mendel.run_events WHERE run_id = %(run)s AND sequence > 1000")
    found_cut = mendel("log", "verify", twin)
    step("Hostile functions run in the sandbox: they cannot read files, use the network, or run without end")
    hostile = HOME / "hostile.py"
    hostile.write_text(HOSTILE)
    held = [mendel("sandbox", "run", f"{hostile}:{name}") for name in ("honest", "steal", "call_home", "hang")]
    step("Three candidates for replacing a function; the gate requires proof")
    gate = ("guard", "compare", "--task", "top_k", "--policy", "noninferiority:margin=0.05")
    judged = mendel(*gate, "--candidate", "improved", "--candidate", "cheat_constant_max", "--candidate", "bad")
    step("The runs in the log")
    mendel("runs")
    embedded_server(SETTINGS, announce).stop()
    codes = (finished, *replayed, explained, verified, exported, found_change, found_cut)
    as_told = same and codes == (0, 0, 0, 0, 0, 0, 1, 1) and {*held, judged} <= {0, 4}  # 4: no sandbox on this machine
    console.print()
    console.print("[bold green]As expected.[/]" if as_told else "[bold red]Not as expected.[/]")
    console.print(f"To explore the log: mendel --home {HOME} events {run_id}")
    return 0 if as_told else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["conduct"]:
        asyncio.run(conduct_run(sys.argv[2], sys.argv[3], float(sys.argv[4])))
    else:
        sys.exit(demonstrate())
