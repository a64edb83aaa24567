"""``guard_power``: whether the gate distinguishes mistakes from rewrites, on every built-in task.

* Mutants of each baseline (:mod:`benchmarks.mutants`). A mutant that differs from it on any of thousands of inputs
  (:mod:`benchmarks.guard_power_oracle`) is not equivalent, and the gate must reject it.
* Rewrites of each baseline (:mod:`benchmarks.rewrites`), and the built-in improved programs. If they differ on none
  of these inputs, the gate must adopt them.

The gate runs with its defaults (400 cases, seed 42, exact mode), but without shrinking counter-examples. Each figure is
the share on the task where it is lowest. ``--quick`` takes a sample of mutants and rewrites with every operator and
rule.
"""

from __future__ import annotations

import ast
import asyncio
import difflib
import os
import random
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar, cast

from benchmarks import machine, sandbox
from benchmarks.guard_power_oracle import DRAWN_SEED, EDGE_SEED, Difference, Oracle
from benchmarks.mutants import mutants
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from benchmarks.rewrites import rewrites
from mendel.guard import Code, Decision, GuardConfig, Implementation, get_task, run_async
from mendel.guard import Report as Verdict
from mendel.guard.spec import TaskSpec
from mendel.guard.tasks import program
from mendel.ports.registry import resolve
from mendel.ports.sandbox import Sandbox
from mendel.ports.sandbox_context import OpenSandbox, SandboxContext

T = TypeVar("T")

TASKS: Final = ("business_days", "components", "lru_cache", "quantiles", "top_k", "word_wrap")
_SHOWN: Final = 300


class Sizes(NamedTuple):
    """The amount of work; at most ``mutants`` and ``rewrites`` per task, in addition to ``improved`` programs."""

    mutants: int
    rewrites: int
    edges: int
    drawn: int


FULL: Final = Sizes(mutants=1_000, rewrites=24, edges=3_000, drawn=5_000)
QUICK: Final = Sizes(mutants=12, rewrites=4, edges=500, drawn=500)


class Changed(NamedTuple):
    """A program derived from a baseline, and its origin."""

    task: str
    kind: str
    source: str


@dataclass(frozen=True)
class Judged:
    """The findings about a changed program: where it differs, and the gate's verdict, if any."""

    changed: Changed
    difference: Difference | None
    decision: Decision | None = None
    code: str = ""
    reason: str = ""
    cases: int = 0
    seconds: float = 0.0
    shares: Mapping[str, float] = field(default_factory=dict)


async def run(progress: Progress, *, quick: bool) -> Report:
    """Make, check and judge everything once."""
    sizes = QUICK if quick else FULL
    surroundings: dict[str, object] = {
        "machine": sandbox._machine(),
        "unit": {"sha256_mb_s": round(machine._sha256_mb_s())},
    }
    opener = cast("OpenSandbox", resolve("mendel.sandboxes", "native"))
    async with opener(SandboxContext()) as opened:
        bench = _Bench(opened, sizes, progress)
        await bench.prepare()
        broken = await bench.judge("mutants", bench.mutants, rejects=True)
        kept = await bench.judge("rewrites", bench.rewrites, rejects=False)
        surroundings["isolation"] = (await opened.isolation()).tier
    return _report(broken, kept, bench, surroundings)


class _Bench:
    """Creates programs, checks each with the oracle, and then with the gate."""

    def __init__(self, opened: Sandbox, sizes: Sizes, progress: Progress) -> None:
        self._sandbox = opened
        self.sizes = sizes
        self._progress = progress
        self._specs: dict[str, TaskSpec] = {name: get_task(name) for name in TASKS}
        self._baselines = {name: program(name, "baseline").read_text() for name in TASKS}
        self.oracles: dict[str, Oracle] = {}
        self.mutants = [each for name in TASKS for each in self._mutants(name)]
        self.rewrites = [each for name in TASKS for each in self._rewrites(name)]

    def _mutants(self, name: str) -> list[Changed]:
        made = mutants(self._baselines[name])
        return _spread([Changed(name, mutant.operator, mutant.source) for mutant in made], self.sizes.mutants)

    def _rewrites(self, name: str) -> list[Changed]:
        made = [Changed(name, rewrite.rule, rewrite.source) for rewrite in rewrites(self._baselines[name])]
        return [*_spread(made, self.sizes.rewrites), Changed(name, "improved", program(name, "improved").read_text())]

    async def prepare(self) -> None:
        """Run every baseline on all inputs."""
        for name in TASKS:
            self._progress.say(f"{name}: the baseline answers {self.sizes.edges} + {self.sizes.drawn} inputs")
            self.oracles[name] = await Oracle.of(
                self._sandbox,
                self._specs[name],
                self._baselines[name],
                edges=self.sizes.edges,
                drawn=self.sizes.drawn,
            )

    async def judge(self, what: str, programs: Sequence[Changed], *, rejects: bool) -> list[Judged]:
        """Check all programs; the gate judges those that differ (``rejects``), or those that do not (otherwise)."""
        done = 0

        async def one(changed: Changed) -> Judged:
            nonlocal done
            judged = await self._one(changed, rejects=rejects)
            done += 1
            self._progress.say(f"{what}: {done} of {len(programs)} ({changed.task}, {changed.kind})")
            return judged

        return await _at_once(programs, one)

    async def _one(self, changed: Changed, *, rejects: bool) -> Judged:
        difference = await self.oracles[changed.task].first_difference(changed.source)
        if (difference is not None) != rejects:
            return Judged(changed, difference)
        began = time.perf_counter()
        said = await self._gate(changed)
        seconds = time.perf_counter() - began
        wrong = rejects and said.decision is not Decision.REJECT
        shares = await self.oracles[changed.task].shares(changed.source) if wrong else {}
        return Judged(changed, difference, said.decision, said.code, said.reason, said.verdict.n, seconds, shares)

    async def _gate(self, changed: Changed) -> Verdict:
        return await run_async(
            self._specs[changed.task],
            Implementation.from_source(self._baselines[changed.task]),
            Implementation.from_source(changed.source),
            sandbox=self._sandbox,
            shrink=False,
        )

    def diff(self, changed: Changed) -> str:
        """Return the difference, with both sides formatted by the unparser."""
        before, after = _lines(self._baselines[changed.task]), _lines(changed.source)
        found = difflib.unified_diff(before, after, lineterm="", n=0)
        return "\n".join(line for line in found if not line.startswith(("---", "+++")))


def _lines(source: str) -> list[str]:
    return ast.unparse(ast.parse(source)).splitlines()


def _spread(made: Sequence[Changed], most: int) -> list[Changed]:
    """Take at most this many, kinds in turn; the order within a kind is drawn from a fixed seed."""
    by_kind: defaultdict[str, list[Changed]] = defaultdict(list)
    for each in random.Random(0).sample(made, len(made)):
        by_kind[each.kind].append(each)
    turns: Iterator[Changed] = (
        group[place] for place in range(len(made)) for group in by_kind.values() if place < len(group)
    )
    return [each for each, _ in zip(turns, range(most), strict=False)]


async def _at_once(programs: Sequence[Changed], one: Callable[[Changed], Awaitable[T]]) -> list[T]:
    """Run them all, one per core at a time."""
    free = asyncio.Semaphore(len(os.sched_getaffinity(0)))

    async def waited(changed: Changed) -> T:
        async with free:
            return await one(changed)

    return list(await asyncio.gather(*map(waited, programs)))


# --- figures -------------------------------------------------------------------------------------------------------


def _report(broken: Sequence[Judged], kept: Sequence[Judged], bench: _Bench, surroundings: dict[str, object]) -> Report:
    rejected, adopted = _Share(broken, Decision.REJECT), _Share(kept, Decision.ADOPT)
    figures = {
        "mutants_rejected": Figure(rejected.lowest, ">= 0.95"),
        "rewrites_adopted": Figure(adopted.lowest, ">= 0.95"),
    }
    raw = surroundings | {
        "sizes": bench.sizes._asdict() | {"n": GuardConfig().n, "seeds": {"edges": EDGE_SEED, "drawn": DRAWN_SEED}},
        "summary": {"mutants": rejected.summary() | _cases(rejected.asked), "rewrites": adopted.summary()},
        "inputs": {name: oracle.sizes for name, oracle in bench.oracles.items()},
        "mutants": {
            "by_operator": rejected.by(lambda each: each.changed.kind),
            "codes": dict(Counter(each.code for each in rejected.asked)),
            "survivors": [_told(each, bench) for each in rejected.missed],
            "equivalent": [_told(each, bench) for each in rejected.set_aside],
        },
        "rewrites": {
            "by_rule": adopted.by(lambda each: each.changed.kind),
            "codes": dict(Counter(each.code for each in adopted.asked)),
            "not_adopted": [_told(each, bench) for each in adopted.missed],
            "not_equivalent": [_told(each, bench) for each in adopted.set_aside],
        },
        "samples": [
            [each.changed.task, each.changed.kind, each.decision, each.code, each.cases, round(each.seconds, 3)]
            for each in (*broken, *kept)
        ],
    }
    return Report("guard_power", figures, raw)


class _Share:
    """Return how many of the programs that the gate judged got the right decision."""

    def __init__(self, judged: Sequence[Judged], right: Decision) -> None:
        self.asked = [each for each in judged if each.decision is not None]
        self.set_aside = [each for each in judged if each.decision is None]
        self.missed = [each for each in self.asked if each.decision is not right]
        self._right = right

    @property
    def lowest(self) -> float:
        """Return the share on the task where it is lowest."""
        return min(part["right"] / part["asked"] for part in self.by(lambda each: each.changed.task).values())

    def by(self, group: Callable[[Judged], str]) -> dict[str, dict[str, int]]:
        """Return how many programs were judged, and how many of them rightly, by group."""
        asked = Counter(map(group, self.asked))
        right = Counter(group(each) for each in self.asked if each.decision is self._right)
        return {name: {"asked": asked[name], "right": right[name]} for name in sorted(asked)}

    def summary(self) -> dict[str, object]:
        """Return the counts of all tasks together, and by task."""
        right = len(self.asked) - len(self.missed)
        whole = {"asked": len(self.asked), "right": right, "set_aside": len(self.set_aside)}
        return whole | {"share": round(right / len(self.asked), 4), "by_task": self.by(lambda each: each.changed.task)}


def _cases(asked: Sequence[Judged]) -> dict[str, object]:
    """Return how many cases each rejection needed; programs refused by the lint need none and are excluded."""
    taken = sorted(each.cases for each in asked if each.code != Code.LINT)
    return {
        "refused_by_lint": len(asked) - len(taken),
        "cases_taken": {"median": statistics.median(taken), "p95": taken[19 * len(taken) // 20], "most": taken[-1]},
    }


def _told(judged: Judged, bench: _Bench) -> dict[str, object]:
    told: dict[str, object] = {
        "task": judged.changed.task,
        "kind": judged.changed.kind,
        "diff": bench.diff(judged.changed),
    }
    if judged.difference is not None:
        where, args, expected, found = judged.difference
        told["differs"] = {
            "in": where,
            "on": repr(args)[:_SHOWN],
            "expected": repr(expected.value)[:_SHOWN],
            "found": repr(found.value if found.succeeded else found.error_type or found.kind)[:_SHOWN],
        }
    if judged.decision is not None:
        told |= {"decision": judged.decision, "reason": judged.reason[:_SHOWN], "shares": dict(judged.shares)}
    return told
