"""The process in which `mendel replay` folds a run file from its standard input. It cannot reach anybody.

Before anything of Mendel is loaded, it forbids itself to import providers, sandboxes, fabrics, clocks, plug-ins or any
other way out, to open a connection, to start a process and to write a file, and takes the clock away. An audit hook
cannot be removed again. What it answers is one line of JSON: a report, or an error with its code.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import NoReturn

FORBIDDEN = (
    "mendel.adapters",
    "mendel.api",
    "mendel.breeding",
    "mendel.cli",
    "mendel.domains",
    "mendel.guard",
    "mendel.ports.clock",
    "mendel.ports.event_log",
    "mendel.ports.handlers",
    "mendel.ports.registry",
    "mendel.ports.task_fabric",
    "mendel.wiring",
    "asyncio",
    "ctypes",
    "http",
    "httpx",
    "multiprocessing",
    "psycopg",
    "redis",
    "ssl",
    "subprocess",
)
"""Modules, with everything below them, that a replay has no use for."""

_SILENT = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "ctypes.")
_WRITING = frozenset("wax+")
_CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "sleep")


class ReachedOut(BaseException):
    """A replay tried to do more than fold; no handler for errors stops this."""


class _Refuse(MetaPathFinder):
    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - Python's signature
        target: ModuleType | None = None,  # noqa: ARG002 - as above
    ) -> ModuleSpec | None:
        """Find nothing, and nobody behind this may look for what is forbidden."""
        if any(fullname == name or fullname.startswith(f"{name}.") for name in FORBIDDEN):
            raise ImportError(f"a replay does not import {fullname} (rule 7)")
        return None


def lock_down() -> None:
    """Give up every way out; there is no way back."""
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, _Refuse())
    sys.addaudithook(_refuse_effects)
    for name in _CLOCKS:
        setattr(time, name, _no_clock)


def _refuse_effects(event: str, arguments: tuple[object, ...]) -> None:
    if event.startswith(_SILENT):
        raise ReachedOut(f"a replay does not do {event} (rule 7)")
    if event == "open" and _writes(*arguments[1:3]):
        raise ReachedOut("a replay does not write files (rules 7 and 9)")


def _writes(mode: object, flags: object) -> bool:
    """Whether a file is opened for more than reading; ``os.open`` has flags and no mode."""
    if isinstance(mode, str):
        return bool(_WRITING.intersection(mode))
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def _no_clock(*_arguments: object) -> NoReturn:
    raise ReachedOut("a replay does not look at a clock (rule 7)")


def main() -> int:
    """Fold standard input and print where it leads."""
    lock_down()
    gc.disable()  # a state has next to no cycles, and this process ends with its answer
    from mendel.kernel.replay_lines import answer

    line, code = answer(sys.stdin.buffer)
    sys.stdout.write(line + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
