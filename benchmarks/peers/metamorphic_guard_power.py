"""How often the ``metamorphic-guard`` package adopts, with its own interval and decision, on drawn outcomes.

Started as ``python metamorphic_guard_power.py FOLDER``, where FOLDER is empty and may be filled. Each line on stdin is
``{"n": N, "chances": [only candidate, only baseline, neither, both], "min_delta": D, "times": N, "seed": N}``, each
answer on stdout ``{"adopted": SHARE, "adopted_by_rates": SHARE, "version": V}``; the first line of all is
``{"ready": 1}``.

All settings are the defaults of the package's ``run_eval``: a percentile bootstrap of 1,000 samples with a two-sided
level of 0.05. By default a single violation of a property rejects a candidate (``adopted``); with ``violation_cap = 0``
it records no violations, and only the rates decide (``adopted_by_rates``).
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

# The package keeps its snapshots in the temporary folder from import on, and never removes them.
tempfile.tempdir = str(Path(sys.argv[1]).resolve())

import numpy as np  # noqa: E402
from metamorphic_guard.gate import decide_adopt  # type: ignore[import-not-found]  # noqa: E402
from metamorphic_guard.harness.statistics import compute_delta_ci  # type: ignore[import-not-found]  # noqa: E402

_OUTCOMES = np.array([[1, 0], [0, 1], [0, 0], [1, 1]])
"""Whether candidate and baseline pass, in the order of the chances."""
_SEED, _SAMPLES, _ALPHA, _CAP = 42, 1_000, 0.05, 25


def _metrics(passes: Sequence[int]) -> dict[str, Any]:
    indicators = [int(passed) for passed in passes]
    rate = sum(indicators) / len(indicators)
    return {"passes": sum(indicators), "total": len(indicators), "pass_rate": rate, "pass_indicators": indicators}


def _decided(candidate: dict[str, Any], delta_ci: list[float], min_delta: float, cap: int) -> bool:
    failures = candidate["total"] - candidate["passes"]
    violations = [{"property": "passes"}] * min(failures, cap)
    result = {"candidate": {**candidate, "prop_violations": violations, "mr_violations": []}, "delta_ci": delta_ci}
    return bool(decide_adopt(result, min_delta=min_delta)["adopt"])


def _simulated(n: int, chances: Sequence[float], min_delta: float, times: int, seed: int) -> dict[str, float]:
    draws = np.random.default_rng(seed)
    adopted = by_rates = 0
    for _ in range(times):
        outcomes = _OUTCOMES[draws.choice(4, size=n, p=np.array(chances) / sum(chances))]
        candidate, baseline = _metrics(outcomes[:, 0].tolist()), _metrics(outcomes[:, 1].tolist())
        interval = compute_delta_ci(baseline, candidate, alpha=_ALPHA, seed=_SEED, samples=_SAMPLES, method="bootstrap")
        adopted += _decided(candidate, interval, min_delta, _CAP)
        by_rates += _decided(candidate, interval, min_delta, 0)
    return {"adopted": adopted / times, "adopted_by_rates": by_rates / times}


def _orders() -> Iterator[dict[str, Any]]:
    return map(json.loads, sys.stdin)


def main() -> None:
    """Answer requests until stdin ends."""
    version = importlib.metadata.version("metamorphic-guard")
    print(json.dumps({"ready": 1}), flush=True)
    for order in _orders():
        print(json.dumps({**_simulated(**order), "version": version}), flush=True)


if __name__ == "__main__":
    main()
