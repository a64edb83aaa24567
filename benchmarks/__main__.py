"""``python -m benchmarks NAME [--quick] [--json] [--seed N]``."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from benchmarks import (
    api,
    evolve_rate,
    gateway,
    guard,
    guard_calibration,
    guard_power,
    kernel_flat,
    log_append,
    log_read,
    models_help,
    replay_rate,
    sandbox,
    time_to_best,
    ui,
)
from benchmarks.progress import Progress
from benchmarks.report import Report

Benchmark = Callable[..., Awaitable[Report]]

BENCHMARKS: Final[Mapping[str, Benchmark]] = {
    "log_append": log_append.run,
    "log_read": log_read.run,
    "kernel_flat": kernel_flat.run,
    "replay_rate": replay_rate.run,
    "sandbox": sandbox.run,
    "guard_calibration": guard_calibration.run,
    "guard": guard.run,
    "guard_power": guard_power.run,
    "evolve_rate": evolve_rate.run,
    "gateway": gateway.run,
    "models_help": models_help.run,
    "time_to_best": time_to_best.run,
    "api": api.run,
    "ui": ui.run,
}
SEEDED: Final = frozenset({"models_help", "time_to_best"})
"""Benchmarks that generate their tasks from a seed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the requested benchmarks; returns 2 for an unknown name."""
    options = _parser().parse_args(arguments)
    if options.list:
        print("\n".join(BENCHMARKS))
        return 0
    names = list(BENCHMARKS) if options.all else [options.name]
    if names[0] not in BENCHMARKS:
        asked = "name a benchmark" if options.name is None else f"there is no benchmark {options.name!r}"
        print(f"{asked}; known: {', '.join(BENCHMARKS)}; --all runs every one", file=sys.stderr)
        return 2
    if options.seed is not None and not SEEDED.intersection(names):
        print(f"{names[0]} does not use a seed; --seed is for {', '.join(sorted(SEEDED))}", file=sys.stderr)
        return 2
    for name in names:
        seeded = {"seed": options.seed} if options.seed is not None and name in SEEDED else {}
        _run(name, as_json=options.json, quick=options.quick, **seeded)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure Mendel against peers and bounds."
    )
    parser.add_argument("name", nargs="?", help="the benchmark to run")
    parser.add_argument("--all", action="store_true", help="run every benchmark, one after another")
    parser.add_argument("--list", action="store_true", help="list the benchmarks")
    parser.add_argument("--quick", action="store_true", help="smaller samples, a minute or two")
    parser.add_argument("--seed", type=int, help="seed of generated functions (models_help, time_to_best; default 1)")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object per benchmark, the last line of stdout"
    )
    return parser


def _run(name: str, *, as_json: bool, **sizes: int) -> None:
    with Progress(name) as progress:
        report = asyncio.run(_awaited(BENCHMARKS[name](progress, **sizes)))
    if as_json:
        print(report.as_json(), flush=True)
    else:
        report.show()


async def _awaited(report: Awaitable[Report]) -> Report:
    return await report


if __name__ == "__main__":
    sys.exit(main())
