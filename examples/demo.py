"""A short demonstration of Mendel, run by `make demo`.

`mendel evolve` gets a slow sort, without configuration, key or server. It breeds a faster one, proves it
on inputs that the search never saw, and writes a patch and a report. `make tour` shows the rest.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.syntax import Syntax

from mendel.settings import load_settings
from mendel.wiring import embedded_server

EXAMPLE = Path("examples") / "bad_sort.py"
ADDRESS = "http://127.0.0.1:8765"
console = Console(highlight=False, soft_wrap=True)


class Stage:
    """A fresh home for runs, and the commands that the demonstration runs in it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.work = home / "work"
        self.out = self.work / "mendel-out"
        self.target = f"{self.work / EXAMPLE.name}:sort"

    def cleared(self) -> None:
        """Stop the server of an earlier demonstration, remove its runs, and copy the slow function."""
        embedded_server(load_settings(flags={"home": str(self.home)}).settings, console.print).stop()
        shutil.rmtree(self.home, ignore_errors=True)
        self.work.mkdir(parents=True)
        shutil.copy(EXAMPLE, self.work)

    def command(self, *arguments: str) -> list[str]:
        """Return the command line of ``mendel`` with these arguments."""
        return [sys.executable, "-m", "mendel.cli.main", "--home", str(self.home), *arguments]

    def mendel(self, *arguments: str) -> int:
        """Print a command, run it in the foreground, and return its exit code."""
        console.print(f"[bold cyan]$ mendel {' '.join(arguments)}[/]")
        return subprocess.run(self.command(*arguments), check=False).returncode

    def answer(self, *arguments: str) -> dict[str, object]:
        """Return the JSON output of a command."""
        done = subprocess.run(self.command(*arguments, "--json"), check=False, capture_output=True, text=True)
        found: dict[str, object] = json.loads(done.stdout)
        return found

    def evolved(self, *options: str) -> tuple[int, Path]:
        """Evolve the slow function; return the exit code and the folder of the results."""
        code = self.mendel("evolve", self.target, *options, "--out", str(self.out))
        folders = [path.parent for path in self.out.glob("*/run.json")]
        return code, max(folders, key=lambda path: path.stat().st_mtime, default=self.out)


def step(title: str) -> None:
    """Print a heading."""
    console.print()
    console.print(Rule(f"[bold]{title}", align="left", style="dim"))


def show(path: Path, language: str) -> None:
    """Print a file, if it exists."""
    if path.exists():
        console.print(Syntax(path.read_text(), language, background_color="default"))


def demonstrate() -> int:
    """Run the demonstration; the exit code shows whether a winner was adopted."""
    stage = Stage(Path(".mendel") / "demo")
    stage.cleared()
    step("A slow sort")
    show(EXAMPLE, "python")
    step("Breed a better one and prove it")
    code, folder = stage.evolved("--seed", "1", "--seconds", "40", "--target", "10x", "--no-best-of-n")
    step("The patch")
    show(folder / "winner.patch", "diff")
    step("Next steps")
    console.print(f"the report  {folder / 'report.html'}")
    console.print(f"the page    make serve, then {ADDRESS}/runs/{folder.name}")
    console.print("the rest    make tour")
    return code


if __name__ == "__main__":
    sys.exit(demonstrate())
