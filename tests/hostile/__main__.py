"""The whole hostile corpus: `python -m tests.hostile [NAME or FAMILY …]`.

Every attack by every way into the sandbox, where it must fail, and once more without what stops it, where it must
succeed. Ends with 0 only if both hold for all of them.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Sequence

from tests.hostile.lifting import lifted

from mendel.adapters.sandbox.native import NativeSandbox
from mendel.conformance.hostile import Attack, Met, attacks, run_attacks


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


async def standing(corpus: Sequence[Attack], *, use_bubblewrap: bool) -> list[Met]:
    """Run all with the walls up; those that did anything."""
    async with NativeSandbox(workers=2, use_bubblewrap=use_bubblewrap) as sandbox:
        isolation = await sandbox.isolation()
        say(f"\n{len(corpus)} attacks on {isolation.backend} ({isolation.tier}), as uid {os.geteuid()}")
        bad = []
        async for met in run_attacks(sandbox, corpus):
            bad += [] if met.held else [met]
            say(f"  {'held' if met.held else 'FAILED':7} {met.name:28} {met.kind:10} {met.error_code or ''}")
            for what in (*met.escaped, *met.forged, *met.disturbed):
                say(f"          {what}")
        return bad


def without_walls(corpus: Sequence[Attack]) -> list[str]:
    """Run all without what stops them; the names of those that did nothing even so."""
    liftable = [attack for attack in corpus if attack.liftable]
    say(f"\n{len(liftable)} attacks with what stops them lifted, in a disposable world")
    proved = set()
    for met in lifted(liftable):
        proved |= {met.name} if met.proved else set()
        found = (*met.escaped, *met.forged, *met.disturbed)
        say(f"  {'works' if met.proved else 'BROKEN':7} {met.name:28} {found[0][:80] if found else met.message[:80]}")
    for attack in corpus:
        if not attack.liftable:
            say(f"  {'-':7} {attack.name:28} {attack.never_lifted}")
    return [attack.name for attack in liftable if attack.name not in proved]


def main(names: Sequence[str]) -> int:
    began = time.monotonic()
    corpus = attacks(only=names)
    failed = [met for way in (True, False) for met in asyncio.run(standing(corpus, use_bubblewrap=way))]
    broken = without_walls(corpus)
    escapes, forgeries = sum(bool(met.escaped) for met in failed), sum(bool(met.forged) for met in failed)
    disturbances = sum(bool(met.disturbed) for met in failed)
    say(
        f"\n{len(corpus)} attacks in {time.monotonic() - began:.0f} s: {escapes} escapes, {forgeries} forged results,"
        f" {disturbances} effects on others, {len(failed)} not as expected, {len(broken)} that prove nothing"
    )
    return 1 if failed or broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
