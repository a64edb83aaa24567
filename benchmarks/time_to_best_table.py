"""``python -m benchmarks.time_to_best_table < RESULT > docs/programs_results.md``: write the page of a result.

RESULT is the output of ``python -m benchmarks time_to_best --json``; only its last line is used.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

Row = dict[str, Any]

_MEANING: Final = {"memory_hungry": "times less memory", "circle_packing": "times the sum of radii"}
_TITLE: Final = "# What `mendel evolve` finds\n\n"
_HEAD: Final = """\
This page lists what `mendel evolve` found in the example programs, for readers who want to know what to expect of it.
Every example was run with {seeds} seeds, offline: no model, no configuration, {cpus} cores. Each row is one run.

| column | meaning |
|-|-|
| gain | the adopted winner's gain over the original (for speed at the largest held-out size); 1: nothing was adopted |
| interval | the 95% interval of the gain, if it is a speed-up |
| after | time from the command to the adoption |
| in the search | the best candidate's gain as the search measured it, at the sizes used for breeding |
| best of N | the same for as many candidates of the same operators, all children of the original, without the gate |

Measured on {date}, {system}, Python {python}, load {load}; a fixed piece of Python took {unit:.3f} s at the same time.

    python -m benchmarks time_to_best --json > result.json
    python -m benchmarks.time_to_best_table < result.json > docs/programs_results.md
"""


_QUICK: Final = """\
> From a quick run: fewer seeds, examples and functions, and less time for each, than at full size.

"""
FULL_SEEDS: Final = 5


def main() -> None:
    """Read a result from stdin and write the page to stdout."""
    print(page(json.loads(sys.stdin.read().splitlines()[-1])), end="")


def page(result: Row) -> str:
    """Return the page of a result."""
    raw = result["raw"]
    parts = [_head(raw), *_figures(result["figures"]), *_examples(raw["runs"]), *_generated(raw["generated"])]
    return "\n".join(parts) + "\n"


def _head(raw: Row) -> str:
    machine = raw["machine"]
    quick = "" if raw["sizes"]["seeds"] >= FULL_SEEDS else _QUICK
    return (
        _TITLE
        + quick
        + _HEAD.format(
            seeds=raw["sizes"]["seeds"],
            cpus=machine["cpus"],
            date=machine["date"],
            system=machine["system"],
            python=machine["python"],
            load=machine["load"][0],
            unit=raw["unit"]["python_s"],
        )
    )


def _figures(figures: Mapping[str, Row]) -> Iterator[str]:
    yield "## Figures\n"
    yield _header(["figure", "value", "aim"])
    for name, figure in figures.items():
        aim = "" if figure["aim"] == ">= 0" else figure["aim"]
        yield _line([f"`{name}`", f"{figure['value']:.3g}", aim])
    yield ""


def _examples(runs: Sequence[Row]) -> Iterator[str]:
    yield "## Examples\n"
    yield _header(["example", "seed", "gain", "interval", "after", "examined", "in the search", "best of N"])
    for run in runs:
        yield _line(_cells(run))
    yield ""
    yield from _units(runs)


def _cells(run: Row) -> list[str]:
    interval = run["interval"]
    return [
        f"`{run['name']}`",
        str(run["seed"]),
        _gain(run["gain"]),
        f"{_gain(interval[0])} to {_gain(interval[1])}" if interval else "",
        f"{run['winner_s']:.1f} s" if run["winner_s"] is not None else "nothing adopted",
        f"{run['examined']:,}",
        _gain(run["in_search"]),
        _gain(run["best_of_n"]) if run["best_of_n"] is not None else "",
    ]


def _units(runs: Sequence[Row]) -> Iterator[str]:
    told = [f"`{name}`: {unit}" for name, unit in _MEANING.items() if any(run["name"] == name for run in runs)]
    if told:
        yield f"Gains are speed-ups, except {'; '.join(told)}.\n"


def _generated(runs: Sequence[Row]) -> Iterator[str]:
    if not runs:
        return
    yield "## Generated functions\n"
    yield (
        "Each function contains two or three slow idioms with arithmetic between them"
        " (`python -m benchmarks.generated_functions SEED` shows one). *Lineage* lists the steps to the winner.\n"
    )
    yield _header(["function", "gain", "interval", "after", "examined", "lineage"])
    for run in runs:
        name, _, gain, interval, after, examined, _, _ = _cells(run)
        yield _line([name, gain, interval, after, examined, _lineage(run["lineage"])])
    yield ""


def _lineage(steps: Sequence[str]) -> str:
    """Return the steps after the original, as one cell."""
    return "; ".join(step.replace("|", "\\|").replace("\n", " ") for step in steps[1:])


def _gain(value: float) -> str:
    return f"{value:,.0f}x" if value >= 100 else f"{value:.3g}x"


def _header(names: Sequence[str]) -> str:
    return f"{_line(names)}\n{'|-' * len(names)}|"


def _line(parts: Iterable[str]) -> str:
    return "| " + " | ".join(parts) + " |"


if __name__ == "__main__":
    main()
