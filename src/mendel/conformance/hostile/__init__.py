"""Attacks on a sandbox, and what comes of each.

An attack is a program that really tries; whether it succeeded is proved on this side of the wall, by what the parent
sees itself: a secret that came out, a connection that was heard, a file that appeared, a process that is still there, a
successor that finds something changed. ``docs/hostile.md`` says how to write one.

    async with NativeSandbox() as sandbox:
        async for met in run_attacks(sandbox, attacks()):
            assert met.held, met
"""

from mendel.conformance.hostile.corpus import Attack, attacks, corpus_folder
from mendel.conformance.hostile.runner import Met, run_attacks
from mendel.conformance.hostile.targets import Targets, targets

__all__ = ["Attack", "Met", "Targets", "attacks", "corpus_folder", "run_attacks", "targets"]
