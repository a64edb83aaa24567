"""An in-process sandbox without isolation, for trusted programs in tests."""

from __future__ import annotations

import builtins
import importlib.util
import io
import mmap
import operator
import os
import random
import resource
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from decimal import localcontext
from pathlib import Path
from typing import Any, Final

from mendel.adapters.sandbox import child
from mendel.adapters.sandbox.answers import Death, encoded_request, read_answers
from mendel.contracts.errors import SandboxRefused, SandboxUnavailable
from mendel.contracts.evaluations import Grants, Isolation, ResourceUse
from mendel.ports.sandbox import Ask, Attempt, Sandbox

_ISOLATION: Final = Isolation("weak", (), "memory", {"every layer": "programs run in this very process"})
_FAILURE_BYTES: Final = 32_768
"""Size reserved for each frame with a failure, in addition to the results."""

_ENDED: Final = Death(timed_out=False, status=71 << 8, limited_as_group=False)  # as if it had exited with 71


class MemorySandbox(Sandbox):
    """Runs programs in this process, one after the other, on the caller's thread.

    Values use the codec of the real sandboxes, and every attempt loads the program anew. But nothing is isolated: a
    program that exits ends this process, an endless one stops everything, time and memory are unlimited, and files,
    network and this process's modules are accessible. Only the program's own modules, builtins, standard streams, the
    import system, the environment, ``random`` and ``decimal`` are restored afterwards. Output that bypasses Python's
    streams is not captured. So the tier is ``weak``, and nothing produced here can be adopted.

    Args:
        allow_weak: must be true; the caller vouches for every program.
    """

    def __init__(self, *, allow_weak: bool = False) -> None:
        self._allow_weak = allow_weak

    async def isolation(self) -> Isolation:
        """Return an isolation without any layer."""
        self._consented()
        return _ISOLATION

    async def aclose(self) -> None:
        """Do nothing: there is no process to end."""

    async def attempt(self, ask: Ask) -> Attempt:
        """Run the cases in this thread."""
        self._consented()
        _check(ask.grants, on_disk=ask.program.on_disk)
        request = _request(ask)
        output = _Output()
        wall, cpu = time.monotonic(), time.thread_time()
        frames = _frames(request, ask, output)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1_024
        usage = ResourceUse(time.thread_time() - cpu, time.monotonic() - wall, peak, 1)
        outcomes, loaded = read_answers(frames, ask.program, len(ask.cases), _ENDED)
        return Attempt(tuple(outcomes), usage, _ISOLATION, *output.taken(ask.limits.output_bytes), loaded)

    def _consented(self) -> None:
        if not self._allow_weak:
            raise SandboxUnavailable(
                "this sandbox isolates nothing, every layer is missing; MemorySandbox(allow_weak=True) runs programs"
                " that you trust, and what they produce can never be adopted; for all others use the native sandbox"
            )


class _Output(io.StringIO):
    """Standard output and error together. A program cannot close it."""

    def close(self) -> None:
        """Do nothing: the stream stays open."""

    def taken(self, most: int) -> tuple[str, bool]:
        """Return the output, truncated to ``most`` bytes, and whether it was truncated."""
        written = self.getvalue().encode("utf-8", "replace")
        return written[:most].decode("utf-8", "replace"), len(written) > most


def _check(grants: Grants, *, on_disk: bool) -> None:
    for name, wanted in (("network", grants.network), ("gpu", grants.gpu), ("commands", grants.commands)):
        if wanted:
            raise SandboxRefused(f"{name} cannot be granted: this sandbox could not withhold it from other programs")
    if on_disk:
        raise SandboxRefused("a program on disk needs its own scratch folder, which this sandbox does not have")
    for package in grants.packages:
        if importlib.util.find_spec(package.partition(".")[0]) is None:
            raise SandboxRefused(f"the granted package {package} is not installed: pip install {package}")
    for source in grants.files.values():
        raise SandboxRefused(f"{source} cannot be granted: programs have no file system of their own here")


def _request(ask: Ask) -> bytes:
    try:
        return bytes(encoded_request(ask.program, ask.cases, ask.limits.result_bytes, counted=ask.counted))
    except child.Refused as refused:
        raise SandboxRefused(f"an argument of a case is not plain data: {refused}") from refused


def _frames(request: bytes, ask: Ask, output: _Output) -> bytes:
    """Run the program and return its frames, as a process would leave them behind."""
    size = ask.limits.result_bytes + _FAILURE_BYTES * (len(ask.cases) + 1)
    with mmap.mmap(-1, child.HEADER.size + size) as memory:
        streams = redirect_stdout(output), redirect_stderr(output)
        # In a separate process such an exception would end the process; here it only ends the answers.
        with _as_it_was(_module_names(ask.program.files)), streams[0], streams[1], suppress(BaseException):
            child.run(request, memory)
        used, _, _ = child.HEADER.unpack_from(memory, 0)
        return memory[child.HEADER.size : child.HEADER.size + used]


def _module_names(files: Collection[str]) -> set[str]:
    """Return the names of all modules and packages that these files define."""
    parts = [path.removesuffix(".py").removesuffix("/__init__").split("/") for path in files if path.endswith(".py")]
    return {".".join(names[:length]) for names in parts for length in range(1, len(names) + 1)}


@contextmanager
def _as_it_was(own: Collection[str]) -> Iterator[None]:
    """Restore the parts of the interpreter that a program may have changed, and remove its modules."""
    ours = {name: sys.modules.pop(name) for name in own if name in sys.modules}
    with ExitStack() as stack:
        stack.enter_context(localcontext())
        for names in (vars(builtins), os.environ):
            stack.callback(_restore, names, dict(names))
        lists: tuple[list[Any], ...] = (sys.path, sys.meta_path, sys.path_hooks, sys.argv)
        for places in lists:
            stack.callback(operator.setitem, places, slice(None), list(places))
        stack.callback(sys.settrace, sys.gettrace())
        stack.callback(random.setstate, random.getstate())
        stack.callback(os.chdir, Path.cwd())
        stack.callback(sys.setrecursionlimit, sys.getrecursionlimit())
        stack.callback(_restore, sys.modules, ours, only=own)
        random.seed(0)  # as in a zygote
        yield


def _restore(names: Any, before: Mapping[str, Any], only: Collection[str] | None = None) -> None:  # noqa: ANN401
    """Restore a namespace, or the environment, to its former contents."""
    for name in set(names if only is None else only) - before.keys():
        names.pop(name, None)
    for name, value in before.items():
        if names.get(name) is not value:
            names[name] = value
