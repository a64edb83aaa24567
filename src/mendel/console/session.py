"""State shared by every command: settings, consoles, and output for people and machines."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, TypeVar

import orjson
import typer
from pydantic import BaseModel
from rich.console import Console
from rich.markup import escape

from mendel.contracts.errors import RunNotFound
from mendel.contracts.evaluations import Isolation
from mendel.contracts.log_views import RunOverview
from mendel.ports.event_log import EventLog
from mendel.ports.progress import Progress
from mendel.settings import Loaded, load_settings
from mendel.wiring import open_log

T = TypeVar("T")

JsonFlag = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for machines.")]
WeakFlag = Annotated[
    bool,
    typer.Option(
        "--allow-weak-sandbox", help="Continue if isolation layers are missing; results are then never adopted."
    ),
]
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="A run's id, any unambiguous part of it, or `latest`.")]

_PATIENCE_S = 2.0  # shorter work shows no progress


def _console(*, stderr: bool) -> Console:
    """Return a console as wide as its terminal, or 200 columns wide for other outputs, where rich assumes 80."""
    console = Console(stderr=stderr, highlight=False)
    return (
        console
        if console.is_terminal or "COLUMNS" in os.environ
        else Console(stderr=stderr, highlight=False, width=200)
    )


@dataclass
class Session:
    """One invocation of the command line."""

    flags: Mapping[str, str] = field(default_factory=dict)
    config_file: Path | None = None
    out: Console = field(default_factory=lambda: _console(stderr=False))
    err: Console = field(default_factory=lambda: _console(stderr=True))

    @cached_property
    def loaded(self) -> Loaded:
        """The settings, loaded on first use; prints their warnings."""
        loaded = load_settings(flags=self.flags, file=self.config_file)
        for warning in loaded.warnings:
            self.announce(warning)
        return loaded

    def announce(self, line: str) -> None:
        """Print a message to standard error, separate from the result."""
        # markup=False, because a line may quote untrusted text in square brackets.
        self.err.print(printable(line), style="dim", markup=False, soft_wrap=True)

    def warn_if_weak(self, isolation: Isolation | None) -> None:
        """Print a prominent warning if the isolation is weak; None means that nothing runs in a sandbox."""
        if isolation is not None and not isolation.adoptable:
            missing = ", ".join(isolation.missing)
            self.err.print(
                f"WEAK SANDBOX: without {missing}. Untrusted code may reach this machine,"
                " and nothing that comes out of it can ever be adopted.",
                style="bold white on red",
            )

    def answer(self, data: object) -> None:
        """Print ``data`` as JSON."""
        sys.stdout.write(_json(data) + "\n")
        sys.stdout.flush()  # a reader of a pipe may wait for this line

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to completion."""
        return asyncio.run(work)

    @asynccontextmanager
    async def log(self, *, create: bool = False) -> AsyncIterator[EventLog]:
        """Open the configured log."""
        async with open_log(self.loaded.settings, create=create, announce=self.announce) as log:
            yield log

    @contextmanager
    def progress(self, what: str, unit: str = "events") -> Iterator[Progress]:
        """Show the progress of ``what``; without a terminal, print a line every two seconds."""
        began = time.monotonic()
        with self.err.status(f"{what} …") if self.err.is_terminal else _Quiet() as status:
            yield _reporter(what, unit, began, status.update if self.err.is_terminal else self._lines())

    def _lines(self) -> Callable[[str], None]:
        """Return a function that prints at most one line every ``_PATIENCE_S`` seconds."""
        last = time.monotonic()

        def say(text: str) -> None:
            nonlocal last
            if time.monotonic() - last >= _PATIENCE_S:
                last = time.monotonic()
                self.announce(text)

        return say


class _Quiet:
    """A status display that shows nothing."""

    def __enter__(self) -> _Quiet:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def update(self, text: str) -> None:
        """Show nothing."""


def _reporter(what: str, unit: str, began: float, say: Callable[[str], None]) -> Progress:
    def report(done: int) -> None:
        seconds = time.monotonic() - began
        say(f"{what}: {done:,} {unit}, {done / max(seconds, 0.001):,.0f} a second")

    return report


def _json(data: object) -> str:
    options = orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS | orjson.OPT_UTC_Z
    return orjson.dumps(data, default=_plain, option=options).decode()


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, tuple):
        return list(value)
    raise TypeError(type(value).__name__)


def printable(text: str) -> str:
    """Escape characters that control a terminal, because the text may be untrusted."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def shown(value: object) -> str:
    """Return ``value`` as text on one line, with markup and terminal control characters escaped."""
    return escape(printable(str(value)).replace("\n", "\\n"))


def session_of(context: typer.Context) -> Session:
    """Return the session of a Typer context."""
    session = context.find_object(Session)
    if session is None:
        raise RuntimeError("the command was not called through `mendel`")
    return session


async def find_run(log: EventLog, text: str) -> RunOverview:
    """Return the run with the id ``text``, with an unambiguous part of it, or the ``latest`` one.

    Raises:
        RunNotFound: no run matches, or several do.
    """
    runs = await log.runs()
    if text == "latest" and runs:
        return runs[0]  # the log lists the newest run first
    wanted = text.lower()
    matches = [run for run in runs if wanted in run.run_id]
    if len(matches) == 1:
        return matches[0]
    if not matches:
        raise RunNotFound(f"there is no run {text!r} in this log; `mendel runs` lists all runs")
    ids = ", ".join(run.run_id for run in matches[:4])  # a single letter may match hundreds
    raise RunNotFound(f"{text!r} is part of {len(matches)} run ids ({ids}); give a longer part")
