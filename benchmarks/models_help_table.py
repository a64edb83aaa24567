"""``python -m benchmarks.models_help_table < result.json``: gains by function and side for docs/benchmarks.md."""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.generated_functions import generate
from benchmarks.models_help import SIDES


def table(runs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Return the lines of a table: a function, and the mean gain of each side over its seeds."""
    yield f"| function | {' | '.join(f'`{side}`' for side in SIDES)} |"
    yield "|" + "-|" * (1 + len(SIDES))
    for function in dict.fromkeys(int(each["function"]) for each in runs):
        of = [each for each in runs if each["function"] == function]
        told = ", ".join(name.replace("_", " ") for name in generate(function).idioms)
        yield f"| {function}: {told} | {' | '.join(_mean(of, side) for side in SIDES)} |"
    yield f"| all | {' | '.join(_mean(runs, side) for side in SIDES)} |"


def _mean(runs: Sequence[Mapping[str, Any]], side: str) -> str:
    return f"{statistics.fmean(each['gain'] for each in runs if each['side'] == side):.2f}"


if __name__ == "__main__":
    print("\n".join(table(json.loads(sys.stdin.read().splitlines()[-1])["raw"]["runs"])))
