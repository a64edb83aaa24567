"""The process in which `mendel replay` folds a run file from its standard input, without any outside contact.

Before it loads anything of Mendel, it forbids itself to import providers, sandboxes, fabrics, clocks, plug-ins and
other ways out, to open connections, to start processes and to write files, and it disables the clock. Audit hooks
cannot be removed again. Its output is one line of JSON: a report, or an error with its code.
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
"""Modules, with all their submodules, that a replay must not import."""

_SILENT = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "ctypes.")
_WRITING = frozenset("wax+")
_CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "sleep")


class ReachedOut(BaseException):
    """A replay tried to do more than fold; a BaseException, so that ``except Exception`` does not catch it."""


class _Refuse(MetaPathFinder):
    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - Python's signature
        target: ModuleType | None = None,  # noqa: ARG002 - as above
    ) -> ModuleSpec | None:
        """Find nothing, and raise for a forbidden module, so that no later finder is tried."""
        if any(fullname == name or fullname.startswith(f"{name}.") for name in FORBIDDEN):
            raise ImportError(f"a replay must not import {fullname} (rule 7)")
        return None


def lock_down() -> None:
    """Forbid everything but folding; this cannot be undone."""
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, _Refuse())  # before all other finders
    sys.addaudithook(_refuse_effects)
    for name in _CLOCKS:
        setattr(time, name, _no_clock)


def _refuse_effects(event: str, arguments: tuple[object, ...]) -> None:
    if event.startswith(_SILENT):
        raise ReachedOut(f"a replay must not do {event} (rule 7)")
    if event == "open" and _writes(*arguments[1:3]):
        raise ReachedOut("a replay must not write files (rules 7 and 9)")


def _writes(mode: object, flags: object) -> bool:
    """Return whether a file is opened for more than reading; ``os.open`` passes flags and no mode."""
    if isinstance(mode, str):
        return bool(_WRITING.intersection(mode))
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def _no_clock(*_arguments: object) -> NoReturn:
    raise ReachedOut("a replay must not read a clock (rule 7)")


def main() -> int:
    """Fold standard input, print the result, and return the exit code."""
    lock_down()
    gc.disable()  # saves time: a state has hardly any cycles, and the process ends after its output
    from mendel.kernel.replay_lines import answer

    line, code = answer(sys.stdin.buffer)
    sys.stdout.write(line + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
