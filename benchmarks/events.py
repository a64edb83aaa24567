"""Realistic events of a given size: findings with the source of a program and its measurements."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from pydantic import JsonValue

from mendel.conformance.samples import finding
from mendel.contracts.base import JsonObject
from mendel.contracts.canonical import canonical
from mendel.contracts.events.envelope import EventDraft

SMALL = 512
LARGE = 8_192

_NAMES = ("left", "right", "pivot", "weight", "total", "carry", "index", "limit", "score", "bucket", "node", "depth")


def drafts(count: int, size: int, start: int = 0) -> list[EventDraft]:
    """Return ``count`` drafts with canonical payloads of ``size`` bytes each."""
    padding = _padding(size)
    return [finding(number, findings(number, size, padding)) for number in range(start, start + count)]


def batches(count: int, length: int, size: int, start: int = 0) -> list[Sequence[EventDraft]]:
    """Return ``count`` batches of ``length`` drafts."""
    return [drafts(length, size, start + number * length) for number in range(count)]


def findings(number: int, size: int, padding: int) -> JsonObject:
    """Return measurements and source text of candidate ``number``: some numbers, mostly text."""
    timings: list[JsonValue] = [round(0.001 * (number % 97 + i * 7 % 13) + 0.25, 6) for i in range(max(4, size // 512))]
    return {
        "source": _source(number, padding),
        "timings_s": timings,
        "cases": {"passed": 40 + number % 10, "failed": number % 3},
        "digest": f"{number * 2654435761 % 2**64:016x}",
    }


def _source(number: int, length: int) -> str:
    """Return program text that takes exactly ``length`` bytes of JSON."""
    rows: list[str] = []
    have = 0
    while have < length:
        rows.append(_row(number, len(rows)))
        have += len(rows[-1]) + 2
    return _cut("".join(f"{row}\n" for row in rows), length)


def _row(number: int, line: int) -> str:
    left, middle, right = (_NAMES[(number * 7 + line * step) % len(_NAMES)] for step in (1, 5, 11))
    return f"    {left}_{line} = {middle}[{(number + line * 31) % 257}] * {right} + {line * 17 % 101}  # step {line}"


def _cut(text: str, length: int) -> str:
    """Truncate ``text`` to ``length`` bytes of JSON, in which a line break takes two."""
    while (excess := len(text) + text.count("\n") - length) > 0:
        text = text[:-excess]
    return text + "#" * (length - len(text) - text.count("\n"))


@cache
def _padding(size: int) -> int:
    """Return the approximate source length for a payload of ``size`` bytes; numbers differ in length."""
    empty = len(canonical(finding(100_000, findings(100_000, size, 0)).payload.model_dump(mode="json")))
    return size - empty
