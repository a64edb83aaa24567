"""Where a fault probably is: lines that failing cases run and passing ones do not."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, Final

from mendel.breeding.library.observing import LOOKING, line_hits
from mendel.breeding.library.search import lines_of
from mendel.breeding.view import View
from mendel.contracts.evaluations import NOTHING_GRANTED, Grants, Limits
from mendel.ports.sandbox import Sandbox

LEAST: Final = 0.01
"""What a line is suspected of at least, so that nothing is beyond reach."""


def ochiai(
    coverage: Sequence[Collection[int]], passed: Sequence[bool], lines: Collection[int] = ()
) -> dict[int, float]:
    """How suspicious each line is, from ``LEAST`` to 1, by the lines that each case ran and whether it passed.

    It is Ochiai's coefficient: failing cases that run the line, by the geometric mean of all failing cases and of all
    cases that run it. ``lines`` are those to be told of beyond the ones that ran.

    Raises:
        ValueError: there is not one verdict for each case.
    """
    if len(coverage) != len(passed):
        raise ValueError(f"{len(coverage)} cases ran, of {len(passed)} it is known whether they passed")
    failing = sum(not good for good in passed)
    told = dict.fromkeys(sorted({*lines, *(line for each in coverage for line in each)}), LEAST)
    for line in told:
        runs = [good for each, good in zip(coverage, passed, strict=True) if line in each]
        failed = sum(not good for good in runs)
        if failed:
            told[line] = max(LEAST, failed / math.sqrt(failing * len(runs)))
    return told


async def suspicion(
    view: View,
    inputs: Sequence[tuple[Any, ...]],
    passed: Sequence[bool],
    sandbox: Sandbox,
    *,
    entry: str,
    limits: Limits = LOOKING,
    grants: Grants = NOTHING_GRANTED,
) -> dict[int, float]:
    """How suspicious each line of the functions that may change is, given which inputs they pass.

    Raises:
        SandboxError: the sandbox failed; never for what the program does.
        ValueError: there is not one verdict for each input.
    """
    hits = await line_hits(view, inputs, sandbox, entry=entry, limits=limits, grants=grants)
    lines = lines_of(view)
    found = ochiai([set(each) for each in hits], passed, lines)
    return {line: found[line] for line in lines}
