"""Tasks of texts, through the real sandbox."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.guard.making import Native

from mendel.bench.planning import Search
from mendel.contracts.scrub import Scrubber
from mendel.domains.texts.bench import Bench
from mendel.domains.texts.models import TextTask
from mendel.domains.texts.preparing import plan
from mendel.domains.texts.wishes import TextWish, drafted
from mendel.ports.sandbox import Sandbox
from mendel.ports.sandbox_context import SandboxContext

SEED = 7
SUM = """# Adds numbers up.
BEGIN {
    seed = ENVIRON["MENDEL_SEED"] % 1000
    # mendel: evolve
    for (i = 0; i < 3000; i++) waste += i * i
    for (i = 1; i <= 20; i++) total += (seed + i) % 7
    # mendel: end
    print "of " seed
    print total
}
"""
FASTER = SUM.replace("i < 3000", "i < 3")
WRONG = SUM.replace("% 7", "% 8")
RUN = "awk -f sum.awk"


class WithCommands(Native):
    """The native sandbox, which may grant commands."""

    @staticmethod
    async def _opened(opener: Callable[[SandboxContext], Sandbox]) -> Sandbox:
        sandbox = await opener(SandboxContext(workers=2, allow_commands=True)).__aenter__()
        await sandbox.isolation()
        return sandbox


def draft(text: str = SUM, name: str = "sum.awk", **options: Any) -> TextTask:
    """The task as reading tells it."""
    Path(name).write_text(text)
    return drafted(TextWish(files=(Path(name),), **{"run": RUN, **options}), Scrubber(()))


def prepared(native: Native, text: str = SUM, name: str = "sum.awk", **options: Any) -> TextTask:
    """The task as ``mendel evolve`` makes it."""
    task = draft(text, name, **options)
    return native.on_fabric(plan(task, SEED, Search()).measured_task)


def bench(**fields: Any) -> Bench:
    """A small task that nobody has measured."""
    whole = {"path": "sum.awk", "files": {"sum.awk": SUM}, "editable": ("sum.awk",), "language": "AWK", "run": RUN}
    return Bench(TextTask(**{**whole, "objective": "speed", "cases": 2, "case_s": 10.0, **fields}), SEED)
