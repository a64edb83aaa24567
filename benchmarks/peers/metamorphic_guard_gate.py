"""Judges a candidate with the ``metamorphic-guard`` package: its own task ``top_k``, with its defaults.

Started as ``python metamorphic_guard_gate.py FOLDER``, where FOLDER is empty and may be filled. Each line on stdin is
one of these, and is answered with one line on stdout; the first line is ``{"ready": 1}``.

* ``{"write": PATH, "n": N, "seed": S}``: the inputs that the task draws, as JSON; ``{"written": N}``.
* ``{"baseline": PATH, "candidate": PATH, "n": N, "seed": S, "parallel": N or null}``: ``run_eval`` with everything else
  at its default; ``{"wall_s": S, "cpu_s": S, "adopt": 0 or 1, "reason": R, "passes": N, "baseline_passes": N,
  "workers": N, "version": V}``.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_FOLDER = Path(sys.argv[1]).resolve()

# The package keeps its snapshots in the temporary folder from import on, and never removes them; reports go to the
# working folder.
tempfile.tempdir = str(_FOLDER)
os.chdir(_FOLDER)

from metamorphic_guard import top_k_spec  # type: ignore[import-not-found]  # noqa: E402
from metamorphic_guard.harness import run_eval  # type: ignore[import-not-found]  # noqa: E402


def judge(order: dict[str, Any]) -> dict[str, object]:
    """Measure one evaluation from call to result; the processor time includes all its ended processes."""
    cpu_before, began = _cpu_s(), time.perf_counter()
    result = run_eval(
        "top_k",
        order["baseline"],
        order["candidate"],
        n=order["n"],
        seed=order["seed"],
        parallel=order["parallel"],
    )
    wall_s, cpu_s = time.perf_counter() - began, _cpu_s() - cpu_before
    return {
        "wall_s": wall_s,
        "cpu_s": cpu_s,
        "adopt": int(result["decision"]["adopt"]),
        "reason": result["decision"]["reason"],
        "passes": result["candidate"]["passes"],
        "baseline_passes": result["baseline"]["passes"],
        "workers": result["config"]["parallel"],
        "version": importlib.metadata.version("metamorphic-guard"),
    }


def write(order: dict[str, Any]) -> dict[str, object]:
    """Return the inputs that ``run_eval`` draws for ``n`` and ``seed``."""
    inputs = top_k_spec().gen_inputs(order["n"], order["seed"])
    Path(order["write"]).write_text(json.dumps(inputs))
    return {"written": len(inputs)}


def _cpu_s() -> float:
    """Return user and system time of this process and of all its children that were waited for."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main() -> None:
    """Answer requests until stdin ends."""
    print(json.dumps({"ready": 1}), flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps(write(order) if "write" in order else judge(order)), flush=True)


if __name__ == "__main__":
    main()
