"""The usage of an attempt: as the provider reports it, if plausible; otherwise the worst case (rule 1)."""

from __future__ import annotations

from typing import NamedTuple

from mendel.contracts.energy import MAX_USAGE
from mendel.contracts.providers import Price
from mendel.ports.model_wire import WireUsage


class Metered(NamedTuple):
    """Tokens and cost. ``estimated``: no plausible usage was reported, so this is the worst case."""

    tokens_in: int
    tokens_out: int
    cost_microusd: int
    estimated: bool = False


NOTHING = Metered(0, 0, 0)


def metered(usage: WireUsage, price: Price, worst: Metered) -> Metered:
    """Return the usage of an answered attempt. More than the worst case is accepted: it will be billed."""
    tokens_in, tokens_out = _count(usage.tokens_in), _count(usage.tokens_out)
    if tokens_in is None or tokens_out is None:
        return worst
    return Metered(tokens_in, tokens_out, min(MAX_USAGE, price.of(tokens_in, tokens_out)))


def unanswered(worst: Metered, *, unsent: bool) -> Metered:
    """Return the usage of an attempt without an answer: nothing if it was not processed, else the worst case."""
    return NOTHING if unsent else worst


def _count(told: object) -> int | None:
    return told if isinstance(told, int) and not isinstance(told, bool) and 0 <= told <= MAX_USAGE else None
