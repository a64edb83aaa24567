"""What an attempt used: what the provider says, if that can be; else the worst case (rule 1)."""

from __future__ import annotations

from typing import NamedTuple

from mendel.contracts.energy import MAX_USAGE
from mendel.contracts.providers import Price
from mendel.ports.model_wire import WireUsage


class Metered(NamedTuple):
    """Tokens and money. ``estimated``: nobody told, or what was told cannot be, and the worst case stands here."""

    tokens_in: int
    tokens_out: int
    cost_microusd: int
    estimated: bool = False


NOTHING = Metered(0, 0, 0)


def metered(usage: WireUsage, price: Price, worst: Metered) -> Metered:
    """What an answered attempt used. More than the worst case is believed: whoever bills is right about the bill."""
    tokens_in, tokens_out = _count(usage.tokens_in), _count(usage.tokens_out)
    if tokens_in is None or tokens_out is None:
        return worst
    return Metered(tokens_in, tokens_out, min(MAX_USAGE, price.of(tokens_in, tokens_out)))


def unanswered(worst: Metered, *, unsent: bool) -> Metered:
    """What an attempt without an answer used: nothing if nobody has worked for it, else nobody knows."""
    return NOTHING if unsent else worst


def _count(told: object) -> int | None:
    return told if isinstance(told, int) and not isinstance(told, bool) and 0 <= told <= MAX_USAGE else None
