"""The groups of operations, in the order in which one meets them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mendel.api.registration import ServedDomain

_TAGS: Final = {
    "runs": "Runs, their events, and what is made of them; of the log, or of an opened file.",
    "candidates": "Who was bred in a run, and everything that its log says of one of them.",
    "commands": "Begin a run, or end one. Everything here needs an `Idempotency-Key`, and is done once for it.",
    "files": "Exported runs, opened read-only; the log that is served is not touched.",
    "guard": "What the gate decided, asked by hand or in runs.",
    "models": "Who answers which role, and what that has cost.",
    "domains": "What can be bred here, and the form of each.",
    "installation": "Caps, settings, plug-ins, and what of this machine can be used.",
    "operations": "For whoever keeps this server running.",
}


def tags(domains: Iterable[ServedDomain]) -> list[dict[str, str]]:
    """Every group, with those of domains that bring routes of their own."""
    own = {domain.name: domain.summary for domain in domains if domain.mounts}
    return [{"name": name, "description": told} for name, told in {**_TAGS, **own}.items()]
