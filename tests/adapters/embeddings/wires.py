"""A provider in this process: counts letters, and goes wrong in whatever ways it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import pairwise

from mendel.contracts.model_calls import CallLimits
from mendel.ports.model_wire import ModelWire, WireAnswer, WireFailed, WireRequest, WireUsage, WireVectors

Rows = list[list[float]]


class LettersWire(ModelWire):
    """Vectors of letters and their neighbours, of any length but 1. Refuses what a provider refuses.

    ``faults`` go wrong one after the other: a failure is raised, a function turns the rows into others.
    """

    def __init__(self, dimension: int = 64, faults: Sequence[WireFailed | Callable[[Rows], object]] = ()) -> None:
        self.dimension = dimension
        self.faults = list(faults)
        self.asked: list[list[str]] = []
        self.limits: list[CallLimits] = []
        self.models: list[str] = []
        self.usage = WireUsage(7, 0)
        self.closed = 0

    async def complete(self, request: WireRequest) -> WireAnswer:
        raise WireFailed("bad_request", "it makes embeddings only", unsent=True)

    async def embed(self, model_id: str, texts: Sequence[str], limits: CallLimits) -> WireVectors:
        self.asked.append(list(texts))
        self.limits.append(limits)
        await asyncio.sleep(0)
        if not all(text.strip() and text.encode() for text in texts):
            raise WireFailed("bad_request", "input cannot be an empty string", unsent=True)
        rows = [self._row(text) for text in texts]
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, WireFailed):
            raise fault
        answer = fault(rows) if fault is not None else rows
        return WireVectors(answer, self.models.pop(0) if self.models else model_id, "r-1", self.usage)

    def _row(self, text: str) -> list[float]:
        counts = [0.25] * self.dimension
        for pair in pairwise(f"\n{text}\n"):
            place = blake2b("".join(pair).encode(), digest_size=4).digest()
            counts[int.from_bytes(place, "big") % self.dimension] += 1.0
        return counts

    async def aclose(self) -> None:
        self.closed += 1
