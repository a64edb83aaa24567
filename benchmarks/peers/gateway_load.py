"""The load of the benchmark ``gateway``: concurrent structured questions, and the measurement of their times.

Every side runs this in a separate process and environment, so its only dependency is pydantic. Each line on stdin is
``{"way": NAME, "calls": N, "at_once": N}``, each answer on stdout ``{"wall_s": S, "cpu_s": S, "accepted": N,
"p50_s": S, "p95_s": S}``; the first line is ``{"ready": 1, "versions": {NAME: V}}``.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import itertools
import json
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

Ask = Callable[[int], Awaitable[bool]]
"""Asks the question with that number; returns whether its answer was accepted."""

MODEL: Final = "bench-1"
KEY: Final = "none"
TOKENS_OUT: Final = 1_024
_FEWEST_UNCOUNTED: Final = 5
_RUBRIC: Final = (
    "You review a change to a program. Say what you would do with it and why: whether it keeps what the function"
    " promises, whether it is faster for large inputs, and what a maintainer would stumble over. A score of 0 is"
    " useless, 10 could not be better. Remarks name a line of the program that was given to you."
)
_PROGRAM: Final = """\
def merged(intervals):
    ordered = sorted(intervals)
    found = []
    for start, end in ordered:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
"""
_COPIES: Final = 4


class Remark(BaseModel):
    """Something about one line."""

    model_config = ConfigDict(extra="forbid")

    line: int = Field(ge=1, le=200)
    text: str


class Review(BaseModel):
    """What every side is asked for, and what its answer must fit."""

    model_config = ConfigDict(extra="forbid")

    summary: str
    verdict: Literal["adopt", "reject", "unsure"]
    score: int = Field(ge=0, le=10)
    keeps_promises: bool
    remarks: Annotated[list[Remark], Field(max_length=4)]


def messages(number: int) -> list[dict[str, str]]:
    """Return the question with that number, about 2 kB; all are different."""
    asked = f"Change {number}:\n\n{_PROGRAM * _COPIES}"
    return [{"role": "system", "content": _RUBRIC}, {"role": "user", "content": asked}]


def response_format() -> dict[str, object]:
    """Return the schema in the form of OpenAI's API."""
    named = {"name": Review.__name__, "schema": Review.model_json_schema(), "strict": True}
    return {"type": "json_schema", "json_schema": named}


def body_of(number: int) -> bytes:
    """Return the whole request as sent by our own wire, for sides that send bytes."""
    body = {"model": MODEL, "messages": messages(number), "max_completion_tokens": TOKENS_OUT}
    return json.dumps(body | {"response_format": response_format()}).encode()


async def load(ask: Ask, calls: int, at_once: int, numbers: Iterator[int]) -> dict[str, float]:
    """Ask ``calls`` questions, ``at_once`` of them in flight; a few uncounted ones open connections first."""
    await _asked(ask, itertools.islice(numbers, max(at_once, _FEWEST_UNCOUNTED)), at_once)
    cpu_before, began = time.process_time(), time.perf_counter()
    taken = await _asked(ask, itertools.islice(numbers, calls), at_once)
    wall_s, cpu_s = time.perf_counter() - began, time.process_time() - cpu_before
    seconds = sorted(second for second, _ in taken)
    return {
        "wall_s": wall_s,
        "cpu_s": cpu_s,
        "accepted": sum(accepted for _, accepted in taken),
        "p50_s": statistics.median(seconds),
        "p95_s": seconds[min(len(seconds) - 1, len(seconds) * 95 // 100)],
    }


async def _asked(ask: Ask, numbers: Iterator[int], at_once: int) -> list[tuple[float, bool]]:
    """Return the time of each call, and whether it was accepted."""
    taken: list[tuple[float, bool]] = []

    async def caller() -> None:
        for number in numbers:
            began = time.perf_counter()
            accepted = await ask(number)
            taken.append((time.perf_counter() - began, accepted))

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(caller())
    return taken


async def serve(ways: Mapping[str, Ask], packages: Sequence[str]) -> None:
    """Answer orders until stdin ends. Between them the loop is blocked, so that other sides are not disturbed."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # stdout goes to stderr: output printed by a package must not mix with the answers
    numbers = itertools.count()
    versions = {name: importlib.metadata.version(name) for name in packages}
    print(json.dumps({"ready": 1, "versions": versions}), file=answers, flush=True)
    for line in sys.stdin:  # blocks the loop on purpose: a side must be idle while another one is measured
        order = json.loads(line)
        found = await load(ways[order["way"]], order["calls"], order["at_once"], numbers)
        print(json.dumps(found), file=answers, flush=True)
