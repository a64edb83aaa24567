"""Attacks on a sandbox, and their results.

An attack is a program that really tries to break out. Whether it succeeded is decided outside the sandbox, by what the
parent observes itself: a leaked secret, an accepted connection, a new file, a process that still runs, a change that
the next program finds. ``docs/hostile.md`` says how to write one.

    async with NativeSandbox() as sandbox:
        async for met in run_attacks(sandbox, attacks()):
            assert met.held, met
"""

from mendel.conformance.hostile.corpus import Attack, attacks, corpus_folder
from mendel.conformance.hostile.runner import Met, run_attacks
from mendel.conformance.hostile.targets import Targets, targets

__all__ = ["Attack", "Met", "Targets", "attacks", "corpus_folder", "run_attacks", "targets"]
