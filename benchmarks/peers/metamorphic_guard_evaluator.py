"""Evaluates a trivial candidate in the sandbox of the ``metamorphic-guard`` package, and reports the times.

Started as ``python metamorphic_guard_evaluator.py FOLDER``, where FOLDER is empty and may be filled. Each line on
stdin is ``{"workers": N, "evaluations": N}``, each answer on stdout ``{"wall_s": S, "cpu_s": S, "p50_s": S,
"evaluations": N, "workers": N, "right": 0 or 1, "version": V}``; the first line is ``{"ready": 1}``.

One evaluation is one case: one call of ``run_in_sandbox`` with the default executor, ``local``, and its
default limits. The dispatcher is that of the package's harness (``--parallel N``: threads). It also offers processes,
but passes them a closure, which cannot be pickled, and then falls back to threads and loses results.
"""

from __future__ import annotations

import importlib.metadata
import itertools
import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_FOLDER = Path(sys.argv[1]).resolve()

# The package keeps its snapshots in the temporary folder from import on, and never removes them.
tempfile.tempdir = str(_FOLDER)

from metamorphic_guard.dispatch import LocalDispatcher  # type: ignore[import-not-found]  # noqa: E402
from metamorphic_guard.sandbox import run_in_sandbox  # type: ignore[import-not-found]  # noqa: E402

_CANDIDATE = "def solve(x):\n    return x + 1\n"


class Evaluator:
    """One candidate in a separate folder, so that the package takes its snapshot once and then links to it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._file = folder / "candidate.py"
        self._file.write_text(_CANDIDATE)
        # Every input is new, so that the package cannot answer from a cache.
        self._inputs = itertools.count()

    def evaluate(self, workers: int, evaluations: int) -> dict[str, object]:
        """Evaluate with this many concurrent cases; the processor time includes all their ended processes."""
        inputs = list(itertools.islice(self._inputs, evaluations))
        dispatcher = LocalDispatcher(workers)
        seconds: list[float] = []

        def run_case(_index: int, arguments: tuple[int]) -> dict[str, Any]:
            began = time.perf_counter()
            result: dict[str, Any] = run_in_sandbox(str(self._file), "solve", arguments)
            seconds.append(time.perf_counter() - began)
            return result

        cpu_before, began = _cpu_s(), time.perf_counter()
        results = dispatcher.execute(test_inputs=[(x,) for x in inputs], run_case=run_case, role="candidate")
        wall_s, cpu_s = time.perf_counter() - began, _cpu_s() - cpu_before
        right = all(result["success"] and result["result"] == x + 1 for x, result in zip(inputs, results, strict=True))
        return {"wall_s": wall_s, "cpu_s": cpu_s, "p50_s": statistics.median(seconds), "right": int(right)}


def _cpu_s() -> float:
    """Return user and system time of this process and of all its children that were waited for."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _orders() -> Iterator[dict[str, int]]:
    return map(json.loads, sys.stdin)


def main() -> None:
    """Answer requests until stdin ends, after one warm-up evaluation."""
    evaluator = Evaluator(_FOLDER / "candidate")
    evaluator.evaluate(workers=1, evaluations=1)
    version = importlib.metadata.version("metamorphic-guard")
    print(json.dumps({"ready": 1}), flush=True)
    for order in _orders():
        print(json.dumps(evaluator.evaluate(**order) | order | {"version": version}), flush=True)


if __name__ == "__main__":
    main()
