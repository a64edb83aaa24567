"""``gateway``: structured calls through the model gateway, against SDKs with the same server and the same questions.

The server is that of the tests, in a separate process, and answers immediately, so the benchmark measures each side's
overhead per call. Every side is a separate process, and every package has its own environment. All send the same
questions, about 2 kB, with the same schema; an answer counts if pydantic accepts it. *Ours* is the gateway as in an
operation of a run, with records, budget and scrubbing.

*Rates*: 64 questions in flight at any time. *Overhead*: one question at a time; the median time of a call minus that of
a plain round trip of the same body, ours divided by the SDK's. Sides take turns, in the opposite order every other
round, after one warm-up round. Where there are two ways, such as the SDK's ``parse`` and ``create``, or httpx and
httpx2 for the plain round trip, the faster counts. A figure is the median over the rounds of the ratio within a round.
For the overhead, which needs many short rounds, the medians over the rounds are subtracted instead, because a single
difference may be close to zero.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from typing import Final, NamedTuple

from benchmarks import machine, sandbox
from benchmarks.gateway_sides import PEERS, WAYS, Sides, Taken, started_sides
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report

AT_ONCE: Final = 64
SDK: Final = ("sdk_parse", "sdk_create")
BARE: Final = ("httpx2", "httpx")
INSTRUCTOR: Final = ("instructor_schema", "instructor_tools")
ALONE: Final = ("ours", *SDK, *BARE)
"""Sides that are also measured with one question at a time."""
PROVIDER_SDKS: Final = frozenset(
    {
        *("openai", "anthropic", "google.genai", "boto3", "botocore", "mistralai", "groq", "cohere", "ollama"),
        *("litellm", "instructor", "pydantic_ai", "langchain"),
    }
)
_MODULES: Final = "import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"

Samples = Mapping[str, Sequence[Taken]]


class Sizes(NamedTuple):
    """The amount of work: rounds, and calls per round, with 64 in flight and one at a time."""

    rounds: int
    calls: int
    alone_rounds: int
    alone_calls: int


FULL: Final = Sizes(rounds=7, calls=1_000, alone_rounds=60, alone_calls=50)
QUICK: Final = Sizes(rounds=3, calls=400, alone_rounds=20, alone_calls=25)


async def run(progress: Progress, *, quick: bool) -> Report:
    """Measure everything once."""
    sizes = QUICK if quick else FULL
    surroundings: dict[str, object] = {
        "machine": sandbox._machine(),
        "unit": {"sha256_mb_s": round(machine._sha256_mb_s())},
        "import_mendel_imports_no_sdk": not sdks_imported_by("mendel"),
        "sdks_imported_by": {module: sdks_imported_by(module) for module in ("mendel", "benchmarks.gateway_ours")},
        "sdks_that_could_be": sorted(name for name in PROVIDER_SDKS if _installed(name)),
    }
    with started_sides(progress) as sides:
        together = alternate(sides, list(WAYS), sizes.rounds, sizes.calls, AT_ONCE, progress.say)
        alone = alternate(sides, ALONE, sizes.alone_rounds, sizes.alone_calls, 1, progress.say)
    return report(together, alone, surroundings | {"sizes": sizes._asdict(), "versions": sides.versions})


def alternate(
    sides: Sides, names: Sequence[str], rounds: int, calls: int, at_once: int, say: Callable[[str], None]
) -> dict[str, list[Taken]]:
    """Return the measurements of each side, round by round, after one warm-up round."""
    taken: dict[str, list[Taken]] = {name: [] for name in names}
    for number in range(rounds + 1):
        for name in names[:: 1 if number % 2 else -1]:
            say(f"{at_once} at once, round {number} of {rounds}: {name}")
            sample = sides.ask(name, calls, at_once)
            if number:
                taken[name].append(sample)
    return taken


# --- what is imported ----------------------------------------------------------------------------------------------


def sdks_imported_by(module: str) -> list[str]:
    """Return the providers' SDKs that an import of ``module`` imports, in a fresh process."""
    command = [sys.executable, "-c", _MODULES.format(module=module)]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return sorted(PROVIDER_SDKS.intersection(json.loads(answer.stdout)))


def _installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # its parent package is missing
        return False


# --- figures -------------------------------------------------------------------------------------------------------


def report(together: Samples, alone: Samples, surroundings: Mapping[str, object]) -> Report:
    """Return the figures and their raw data."""
    ratios = {
        "to_sdk": rate_ratios(together, SDK),
        "to_litellm": rate_ratios(together, ("litellm",)),
        "to_instructor": rate_ratios(together, INSTRUCTOR),
        "overhead_to_sdk": [overhead_ratio(alone)],
    }
    aims = {"to_sdk": ">= 0.8", "to_litellm": "> 1", "to_instructor": "> 1", "overhead_to_sdk": "<= 1.5"}
    figures = {name: Figure(statistics.median(ratios[name]), aim) for name, aim in aims.items()}
    raw = {
        **surroundings,
        "peers": dict(PEERS),
        "at_once": AT_ONCE,
        "summary": _summary(together, alone) | {"by_round": {name: _rounded(each) for name, each in ratios.items()}},
        "together": _told(together),
        "alone": _told(alone),
    }
    return Report("gateway", figures, raw)


def rate_ratios(together: Samples, theirs: Sequence[str]) -> list[float]:
    """Return our calls per second, divided by those of the peer's faster way, in each round."""
    faster = max(theirs, key=lambda name: statistics.median(each.per_s for each in together[name]))
    return [a.per_s / b.per_s for a, b in zip(together["ours"], together[faster], strict=True)]


def overhead_ratio(alone: Samples) -> float:
    """Return our overhead over the faster plain round trip, divided by that of the SDK's faster way."""
    p50_s = {name: statistics.median(each.p50_s for each in taken) for name, taken in alone.items()}
    bare = min(p50_s[name] for name in BARE)
    return (p50_s["ours"] - bare) / (min(p50_s[name] for name in SDK) - bare)


def _summary(together: Samples, alone: Samples) -> dict[str, object]:
    return {
        "calls_s": _medians(together, lambda each: each.per_s, 0),
        "cpu_ms_per_call": _medians(together, lambda each: each.cpu_ms, 3),
        "server_busy": _medians(together, lambda each: each.server_busy, 2),
        "p50_ms_alone": _medians(alone, lambda each: 1e3 * each.p50_s, 3),
        "cpu_ms_per_call_alone": _medians(alone, lambda each: each.cpu_ms, 3),
    }


def _medians(samples: Samples, value: Callable[[Taken], float], digits: int) -> dict[str, float]:
    return {name: round(statistics.median(map(value, taken)), digits) for name, taken in samples.items()}


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 3) for value in values]


def _told(samples: Samples) -> dict[str, list[dict[str, float]]]:
    return {
        name: [{key: round(value, 6) for key, value in asdict(each).items()} for each in taken]
        for name, taken in samples.items()
    }
