"""The groups of operations, in the order in which a reader needs them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mendel.api.registration import ServedDomain

_TAGS: Final = {
    "runs": "Runs, their events and the views derived from them, in the log or in an opened file.",
    "candidates": "The candidates of a run, and everything that the log contains about each.",
    "commands": "Start, change and end runs. Every change requires an `Idempotency-Key` and happens once per key.",
    "files": "Exported runs, opened read-only and separate from the served log.",
    "guard": "Decisions of the gate, from `mendel guard` and from runs.",
    "models": "The routes of each model role, and the cost of model calls.",
    "domains": "The installed domains, and their launch forms.",
    "installation": "Caps, settings, plug-ins, and checks of this machine.",
    "operations": "Health and metrics, for operators of this server.",
}


def tags(domains: Iterable[ServedDomain]) -> list[dict[str, str]]:
    """Return every group, including those of domains with routes of their own."""
    own = {domain.name: domain.summary for domain in domains if domain.mounts}
    return [{"name": name, "description": told} for name, told in {**_TAGS, **own}.items()]
