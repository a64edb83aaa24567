"""Tasks, candidates and runs of programs, through the real sandbox."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.guard.making import Native

from mendel.contracts.scrub import Scrubber
from mendel.domains.programs.examining import Examination
from mendel.domains.programs.models import Checked, ProgramTask
from mendel.domains.programs.objectives import parse_objectives
from mendel.domains.programs.preparing import prepare
from mendel.domains.programs.wishes import Wish
from mendel.domains.programs.workbench import Workbench

SORT = '''"""A module."""


def sort(items: list[int]) -> list[int]:
    """In order."""
    result = list(items)
    for _ in range(len(result)):
        for place in range(len(result) - 1):
            if result[place] > result[place + 1]:
                result[place], result[place + 1] = result[place + 1], result[place]
    return result
'''
SEED = 7


def wished(folder: Path, source: str, function: str, objective: str | None = None, **options: Any) -> Wish:
    """A wish for a function of a file that holds ``source``."""
    path = folder / "subject.py"
    path.write_text(source)
    objectives = parse_objectives(objective) if objective is not None else None
    return Wish(path=path, function=function, objectives=objectives, **options)


def prepared(native: Native, wish: Wish, seed: int = SEED) -> ProgramTask:
    """The task as ``mendel evolve`` makes it."""
    return native.awaited(prepare(wish, native.sandbox, seed=seed, announce=lambda _line: None, scrubber=Scrubber(())))


def checked(native: Native, bench: Workbench, source: str) -> Checked:
    """What the cascade says about a candidate."""
    return native.awaited(Examination(bench, native.sandbox, {bench.task.main: source}).run())
