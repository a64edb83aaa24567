"""One `mendel evolve` as started by a user: a separate process, an empty home, and its outputs."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
NOTHING_FOUND: Final = 3
"""The exit code of a run that adopts nothing."""


class Target(NamedTuple):
    """A function to improve, and the options on its command line."""

    name: str
    file: Path
    function: str
    options: tuple[str, ...] = ()


class EvolveFailed(RuntimeError):
    """The command ended neither with a winner nor normally without one; its output follows."""

    def __init__(self, message: str, wall_s: float) -> None:
        super().__init__(message)
        self.wall_s = wall_s


@dataclass(frozen=True)
class Adoption:
    """An adoption by the gate: seconds since the command, and the audited gain; None if none was measured."""

    candidate: str
    seconds: float
    gain: float | None
    revoked: bool = False


@dataclass(frozen=True)
class Run:
    """The result of one run.

    ``gain`` is its winner's: the speed-up at the largest held-out size, the factor in memory, or the score relative to
    the original's. ``in_search`` is the best candidate's gain as the search measured it. ``best_of_n`` is the same for
    the comparison run, which has no gate; ``None`` if there was none.
    """

    name: str
    seed: int
    wall_s: float
    adoptions: tuple[Adoption, ...]
    gain: float
    interval: tuple[float, float] | None
    examined: int
    in_search: float
    best_of_n: float | None
    headline: str
    lineage: tuple[str, ...]

    @classmethod
    def without(cls, name: str, seed: int, wall_s: float, why: str) -> Run:
        """Return the result of a failed run."""
        return cls(name, seed, wall_s, (), 1.0, None, 0, 1.0, None, why, ())

    @property
    def adopted(self) -> bool:
        """Whether the run has a winner."""
        return any(not each.revoked for each in self.adoptions)

    @property
    def winner_s(self) -> float | None:
        """Return seconds from the command to the adoption of the winner, the last that was not revoked."""
        return next((each.seconds for each in reversed(self.adoptions) if not each.revoked), None)

    def reached_s(self, gain: float) -> float | None:
        """Return seconds to the first adoption with at least this gain that was not revoked."""
        stayed = (each for each in self.adoptions if not each.revoked)
        return next((each.seconds for each in stayed if each.gain is not None and each.gain >= gain), None)

    def as_raw(self) -> dict[str, object]:
        """Return the result in the form of the report."""
        return {**asdict(self), "adopted": self.adopted, "winner_s": self.winner_s}


async def evolve(target: Target, seed: int, *, seconds: float | None, best_of_n: bool) -> Run:
    """Run the command and read its outputs.

    Raises:
        EvolveFailed: it ended neither with a winner nor normally without one.
    """
    with _home() as home:
        more = [] if seconds is None else ["--seconds", f"{seconds:g}"]
        beside = "--best-of-n" if best_of_n else "--no-best-of-n"
        out = ["--out", str(home / "out"), beside, "--seed", str(seed), "--json"]
        began = datetime.now(UTC)
        answer = await _mendel(
            home, "evolve", f"{target.file}:{target.function}", *target.options, *more, *out, allowed={0, NOTHING_FOUND}
        )
        wall_s = (datetime.now(UTC) - began).total_seconds()
        told = json.loads(answer)
        if "run_id" not in told:
            raise EvolveFailed(f"mendel evolve did not begin: {answer.strip()[-500:]}", round(wall_s, 2))
        events = json.loads(await _mendel(home, "events", told["run_id"], "--json", allowed={0}))
        await _mendel(home, "db", "down", allowed=None)  # the server outlives the command that started it
    return _read(target.name, seed, wall_s, told, _adoptions(_listed(events), began))


@contextmanager
def _home() -> Iterator[Path]:
    """Create a separate home for a run, because champions and error budgets would carry over to later runs."""
    home = Path(tempfile.mkdtemp(prefix="mendel-time-to-best-"))
    try:
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)


async def _mendel(home: Path, *arguments: str, allowed: set[int] | None) -> str:
    began = time.monotonic()
    started = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "mendel.cli.main", "--home", str(home / "home"), *arguments),
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(home)},  # so that temporary files are removed with the home
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, errors = await started.communicate()
    if allowed is not None and started.returncode not in allowed:
        said = errors.decode(errors="replace").strip()[-2_000:]
        told = f"mendel {' '.join(arguments[:2])} ended with {started.returncode}: {out.decode().strip()[-500:]} {said}"
        raise EvolveFailed(told, round(time.monotonic() - began, 2))
    return out.decode()


# --- reading -------------------------------------------------------------------------------------------------


def _listed(events: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - JSON
    found = events["events"] if isinstance(events, dict) else events
    return [dict(each) for each in found]


def _adoptions(events: Iterable[Mapping[str, Any]], began: datetime) -> tuple[Adoption, ...]:
    made: dict[str, float] = {}
    gains: dict[str, float | None] = {}
    revoked: set[str] = set()
    for event in events:
        candidate, payload = event["candidate_id"], event["payload"]
        if event["type"] == "adoption.made":
            made[candidate] = (datetime.fromisoformat(event["occurred_at"]) - began).total_seconds()
        elif event["type"] == "adoption.revoked":
            revoked.add(candidate)
        elif event["type"] == "operation.completed" and payload["step"] == "programs.audit":
            gains[candidate] = _at_largest(payload)
    return tuple(Adoption(each, round(seconds, 2), gains.get(each), each in revoked) for each, seconds in made.items())


def _at_largest(payload: Mapping[str, Any]) -> float | None:
    """Return the audited speed-up at the largest size; None if no speed was measured."""
    sizes = payload["findings"]["data"]["sizes"]
    return float(max(sizes, key=lambda each: int(each["size"]))["speedup"]) if sizes else None


def _read(name: str, seed: int, wall_s: float, told: Mapping[str, Any], adoptions: tuple[Adoption, ...]) -> Run:
    speedup, beside = told["speedup"], told["best_of_n"]
    return Run(
        name=name,
        seed=seed,
        wall_s=round(wall_s, 2),
        adoptions=adoptions,
        gain=gain(told),
        interval=(speedup["lower"], speedup["upper"]) if speedup else None,
        examined=told["cost"]["examined"],
        in_search=_in_search(told["best"], told),
        best_of_n=_in_search(beside["best"], told) if beside else None,
        headline=told["headline"],
        lineage=tuple(f"{each['birth']}: {each['operator'] or 'original'} {each['note']}" for each in told["lineage"]),
    )


def gain(told: Mapping[str, Any]) -> float:
    """Return the adopted winner's gain over the original; 1 if nothing was adopted."""
    if not told["adopted"]:
        return 1.0
    return float(told["speedup"]["estimate"]) if told["speedup"] else _in_search(told["winner"]["total"], told)


def _in_search(total: float | None, told: Mapping[str, Any]) -> float:
    """Return a search total relative to the original's: the ratio of scores, or a power of two."""
    if total is None:
        return 1.0
    return float(total / told["original_total"]) if "score" in told["task"]["objectives"] else float(2.0**total)
