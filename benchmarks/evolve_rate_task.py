"""The task of ``evolve_rate``: a function with two constants, scored by their fit.

Both sides get the same texts. Running a candidate costs almost nothing, the scoring function takes ``SCORE_MS``; every
candidate is a different program. The original fits best, so there is never a challenge at the gate, which the peer
does not have, and an iteration is the same work on both sides.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

SCORE_MS: Final = 0.4
FUNCTION: Final = "line"
PROGRAM: Final = """\
def line() -> tuple[float, float]:
    slope = 0.5
    offset = 0.25
    return slope, offset
"""
_SCORE: Final = """\
POINTS = {points}


def score(output):
    slope, offset = output
    total = 0.0
    for step in range(POINTS):
        at = step / POINTS
        total += abs(slope * at + offset - (0.5 * at + 0.25))
    return -total / POINTS
"""
_OURS: Final = "objective = 'score'\noracle = False\n"
_PEERS: Final = """\
import importlib.util


def evaluate(program_path):
    spec = importlib.util.spec_from_file_location("program", program_path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {"combined_score": score(module.line())}
"""
_CONSTANT: Final = re.compile(r"slope = (\S+)")
_RETURN: Final = "    return slope, offset"
_GOLDEN: Final = 0.6180339887  # its multiples modulo 1 spread evenly, so that constants do not repeat
_PROBE: Final = 1_000


def slope(number: int) -> str:
    """Return the constant of the candidate with that number: below one, and unique up to ten million candidates."""
    return f"{number * _GOLDEN % 1.0:.9f}"


def edited(text: str, number: int) -> str:
    """Return ``text`` with that candidate's constant."""
    return _CONSTANT.sub(f"slope = {slope(number)}", text, count=1)


def constant_in(text: str) -> str:
    """Return the last spelling of the line's constant in ``text``."""
    return str(_CONSTANT.findall(text)[-1])


def has_constant(text: str) -> bool:
    """Whether ``text`` contains the line's constant."""
    return _CONSTANT.search(text) is not None


def looping_lines() -> tuple[str, str]:
    """Return the line with the return statement, and its replacement by an endless loop."""
    return _RETURN, f"    while True:\n        offset += slope\n{_RETURN}"


@dataclass(frozen=True)
class TaskFiles:
    """The program, and its score in either side's form; ``score_ms`` is the duration of a call on this machine."""

    program: Path
    task: Path
    evaluator: Path
    points: int
    score_ms: float


def write_task(folder: Path) -> TaskFiles:
    """Write the files; the score has as many points as take ``SCORE_MS`` on this machine."""
    points = max(1, round(_PROBE * SCORE_MS / _score_ms(_PROBE)))
    text = _SCORE.format(points=points)
    program, task, evaluator = (folder / name for name in ("fitted.py", "task.py", "evaluator.py"))
    program.write_text(PROGRAM)
    task.write_text(_OURS + text)
    evaluator.write_text(text + "\n\n" + _PEERS)
    return TaskFiles(program, task, evaluator, points, round(_score_ms(points), 3))


def _score_ms(points: int) -> float:
    names: dict[str, Any] = {}
    exec(_SCORE.format(points=points), names)
    samples = []
    for _ in range(20):
        began = time.perf_counter()
        names["score"]((0.5, 0.25))
        samples.append(time.perf_counter() - began)
    return 1e3 * min(samples)
