"""The figures of a run of the suite, and how they are shown."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Generic, Protocol, Self, TypeVar

EVERY_S = 1.5


@dataclass
class Tally:
    """What happened to one log."""

    title: str
    kills: dict[str, int] = field(default_factory=dict)
    inside: dict[str, int] = field(default_factory=dict)
    between_write_and_sync: int = 0
    full: dict[str, int] = field(default_factory=dict)
    acknowledged: int = 0
    stored: int = 0
    unacknowledged: int = 0
    take_overs: int = 0
    verified: str = "not yet"
    seconds: float = 0.0

    @property
    def killed(self) -> int:
        return sum(self.kills.values())

    @property
    def killed_inside(self) -> int:
        return sum(self.inside.values())

    def count_kill(self, victim: str, *, inside: bool) -> None:
        self.kills[victim] = self.kills.get(victim, 0) + 1
        self.inside[victim] = self.inside.get(victim, 0) + inside

    def count_full(self, way: str) -> None:
        self.full[way] = self.full.get(way, 0) + 1

    def as_json(self) -> dict[str, object]:
        return asdict(self)

    def rows(self) -> list[tuple[str, str]]:
        kills = [
            (f"kills of {victim}", f"{count} ({self.inside[victim]} inside a commit)")
            for victim, count in sorted(self.kills.items())
        ]
        if self.kills:
            kills.append(("kills in all", f"{self.killed} ({self.killed_inside} inside a commit)"))
        if self.between_write_and_sync:
            kills.append(("of these between write and sync", f"{self.between_write_and_sync}"))
        full = [(f"disk full: {way}", f"{count}") for way, count in sorted(self.full.items())]
        return [
            *kills,
            *full,
            ("take-overs", f"{self.take_overs}"),
            ("events acknowledged", f"{self.acknowledged}"),
            ("events in the log", f"{self.stored}"),
            ("stored, not acknowledged", f"{self.unacknowledged}"),
            ("verify", self.verified),
            ("seconds", f"{self.seconds:.0f}"),
        ]


class Figures(Protocol):
    """What can be shown at the end."""

    title: str
    seconds: float

    def rows(self) -> list[tuple[str, str]]: ...


F = TypeVar("F", bound=Figures)


class Ticker(threading.Thread, Generic[F]):
    """Says every moment how far a tally is."""

    def __init__(self, tally: F) -> None:
        super().__init__(daemon=True)
        self._tally = tally
        self._over = threading.Event()
        self._began = time.monotonic()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()
        self._tally.seconds = time.monotonic() - self._began

    def run(self) -> None:
        while not self._over.wait(EVERY_S):
            self._say()

    def _say(self) -> None:
        raise NotImplementedError


class Progress(Ticker[Tally]):
    """How far the log's chaos is."""

    def _say(self) -> None:
        tally = self._tally
        elapsed = time.monotonic() - self._began
        say(
            f"{tally.title}: {elapsed:4.0f} s, {tally.killed} kills, {tally.killed_inside} inside a commit, "
            f"{sum(tally.full.values())} times full, {tally.acknowledged} events acknowledged "
            f"({tally.acknowledged / elapsed:.0f}/s)"
        )


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a program for a person's eyes


def table(tallies: Sequence[Figures]) -> str:
    lines = []
    for tally in tallies:
        lines += [f"\n{tally.title}"] + [f"  {name:<38} {value}" for name, value in tally.rows()]
    return "\n".join(lines)
