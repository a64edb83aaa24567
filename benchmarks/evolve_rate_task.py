"""What ``evolve_rate`` evolves: a function with two constants, and how well they fit is its score.

The same texts are given to both sides. What is bred costs next to nothing, the scoring function ``SCORE_MS``; every
candidate is another program. The original fits best: the gate, which the peer does not have, is asked by nobody, and
iterations are the same work on both sides.
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
_GOLDEN: Final = 0.6180339887
_PROBE: Final = 1_000


def slope(number: int) -> str:
    """The constant of the candidate of that number: below one, and no other's below ten million."""
    return f"{number * _GOLDEN % 1.0:.9f}"


def edited(text: str, number: int) -> str:
    """``text`` with that candidate's constant."""
    return _CONSTANT.sub(f"slope = {slope(number)}", text, count=1)


def constant_in(text: str) -> str:
    """The line's constant as it is spelled last in ``text``."""
    return str(_CONSTANT.findall(text)[-1])


def has_constant(text: str) -> bool:
    """Whether the line's constant is spelled there."""
    return _CONSTANT.search(text) is not None


def looping_lines() -> tuple[str, str]:
    """The line that returns, and what makes of it a loop that never ends."""
    return _RETURN, f"    while True:\n        offset += slope\n{_RETURN}"


@dataclass(frozen=True)
class TaskFiles:
    """The program, and its score as either side wants it; ``score_ms`` is what a call takes here."""

    program: Path
    task: Path
    evaluator: Path
    points: int
    score_ms: float


def write_task(folder: Path) -> TaskFiles:
    """Write the files, the score with as many points as take ``SCORE_MS`` on this machine."""
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
