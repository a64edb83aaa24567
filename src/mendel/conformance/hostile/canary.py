"""The canary: an innocent program, run after each attack, that detects anything that the attack left behind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mendel.contracts.errors import SandboxError, SandboxFailed
from mendel.contracts.evaluations import Case, Evaluation, Limits, Program
from mendel.contracts.plain_values import PlainValue, identical
from mendel.ports.sandbox import Sandbox

_SOURCE: Final = """
import builtins, fcntl, gc, hashlib, json, math, os, random, resource, signal, stat, sys, threading, time


def fingerprint(module):
    parts = sorted((name, type(value).__name__, getattr(value, "__module__", None), getattr(value, "__qualname__", ""))
                   for name, value in vars(module).items() if name not in {"_", "__builtins__", "copyright", "credits"})
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def descriptors():
    found = {}
    for number in range(64):
        try:
            about = os.fstat(number)
        except OSError:
            continue
        flags = fcntl.fcntl(number, fcntl.F_GETFL)
        found[number] = [stat.S_IFMT(about.st_mode), stat.S_IMODE(about.st_mode), flags, os.get_inheritable(number)]
    return found


def listed(folder):
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        return error.strerror


def room(folder):
    try:
        about = os.statvfs(folder)
    except OSError as error:
        return error.strerror
    return [about.f_blocks, about.f_bfree, about.f_files, about.f_ffree]


def position(number):
    try:
        return os.lseek(number, 0, os.SEEK_CUR)
    except OSError as error:
        return error.strerror


def handlers():
    found = {}
    for number in range(1, 32):
        try:
            found[number] = str(signal.getsignal(number))
        except ValueError:
            pass
    return found


def look(numbers):
    facts = {
        "answer": [sum(numbers), max(numbers), sorted(numbers, reverse=True), math.sqrt(2.0), math.factorial(20)],
        "json": json.dumps(json.loads('{"a": [1, 2.5, null, "\\\\u00e9"]}'), sort_keys=True),
        "random": [random.random() for _ in range(3)],
        "hash": hash("a string"),
        "clock": 0 <= time.monotonic() and time.perf_counter() >= 0 and time.time() > 1.6e9,
        "folder": os.getcwd(),
        "scratch": [listed("."), listed("/tmp") if os.getcwd() == "/tmp" else None],
        "room": room(".") if os.getcwd() == "/tmp" else None,
        "mode": oct(os.stat(".").st_mode) if os.getcwd() == "/tmp" else None,
        "environment": dict(os.environ),
        "modules": sorted(sys.modules),
        "patched": {module.__name__: fingerprint(module) for module in (builtins, math, json, time, os, random, sys)},
        "path": list(sys.path),
        "finders": [getattr(finder, "__name__", type(finder).__name__) for finder in sys.meta_path],
        "hooks": len(sys.path_hooks),
        "arguments": list(sys.argv),
        "descriptors": descriptors(),
        "position": position(1),
        "handlers": handlers(),
        "blocked": sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, []))),
        "limits": [resource.getrlimit(kind) for kind in range(16) if kind != resource.RLIMIT_AS],
        "identity": [os.getuid(), os.getgid(), os.getgroups()],
        "recursion": sys.getrecursionlimit(),
        "collector": [gc.isenabled(), gc.get_threshold()],
        "threads": threading.active_count(),
        "traced": [sys.gettrace() is None, sys.getprofile() is None],
        "mask": os.umask(0o22),
        "processes": sorted(name for name in os.listdir("/proc") if name.isdigit()) if ALONE else None,
    }
    print("the canary sings")
    return facts


ALONE = os.getpid() == 1 and os.path.isdir("/proc/1")
"""
_PROGRAM: Final = Program({"canary.py": _SOURCE}, "canary:look")
_CASE: Final = Case(([3, 1, 4, 1, 5, 9, 2, 6],))
_SONG: Final = "the canary sings\n"

Facts = Mapping[str, PlainValue]


class Canary:
    """Runs before the first attack and after each one; any difference is a disturbance."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._before: dict[Limits, Evaluation] = {}

    async def learn(self, limits: Limits) -> None:
        """Run the canary once in the untouched sandbox, for comparison.

        Raises:
            SandboxFailed: it does not succeed.
        """
        if limits not in self._before:
            before = await self._sandbox.evaluate(_PROGRAM, [_CASE], limits=limits)
            if not before.outcomes[0].succeeded or before.output != _SONG:
                raise SandboxFailed(f"an innocent program does not run: {before.outcomes[0].message or before.output}")
            self._before[limits] = before

    async def disturbances(self, limits: Limits) -> list[str]:
        """Return everything that differs now."""
        before = self._before[limits]
        try:
            now = await self._sandbox.evaluate(_PROGRAM, [_CASE], limits=limits)
        except SandboxError as error:
            return [f"the next candidate could not be evaluated: {error}"]
        found = list(_differences(before, now))
        if now.output != before.output or now.output_truncated:
            found.append(f"the next candidate's output is {now.output[:100]!r}")
        if now.isolation.layers != before.isolation.layers:
            found.append("the next candidate runs with other layers")
        return found


def _differences(before: Evaluation, now: Evaluation) -> list[str]:
    was, outcome = before.outcomes[0].value, now.outcomes[0]
    if not isinstance(was, dict) or not isinstance(outcome.value, dict):
        return [f"the next candidate ended as {outcome.kind}: {outcome.message}"]
    names = sorted(name for name in {*was, *outcome.value} if not identical(was.get(name), outcome.value.get(name)))
    return [f"the next candidate sees another {name}: {_short(outcome.value.get(name))}" for name in names]


def _short(value: PlainValue) -> str:
    return repr(value)[:200]
