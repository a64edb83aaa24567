"""Fault localisation: score lines by how often failing and passing cases execute them."""

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
"""Minimum suspicion of a line, so that every line can still be chosen."""


def ochiai(
    coverage: Sequence[Collection[int]], passed: Sequence[bool], lines: Collection[int] = ()
) -> dict[int, float]:
    """Return the suspicion of each line, from ``LEAST`` to 1, given the lines that each case ran and whether it passed.

    This is Ochiai's coefficient: the number of failing cases that run the line, divided by the geometric mean of the
    number of failing cases and the number of cases that run it. ``lines`` are further lines to include.

    Raises:
        ValueError: the numbers of cases and verdicts differ.
    """
    if len(coverage) != len(passed):
        raise ValueError(f"{len(coverage)} cases ran, but there are {len(passed)} verdicts; pass one per case")
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
    """Return the suspicion of each line of the editable functions, given which inputs the program passes.

    Raises:
        SandboxError: the sandbox itself failed; failures of the program do not raise it.
        ValueError: the numbers of inputs and verdicts differ.
    """
    hits = await line_hits(view, inputs, sandbox, entry=entry, limits=limits, grants=grants)
    lines = lines_of(view)
    found = ochiai([set(each) for each in hits], passed, lines)
    return {line: found[line] for line in lines}
