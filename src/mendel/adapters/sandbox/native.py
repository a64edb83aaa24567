"""The native backend: isolation on Linux, without root and without a container engine."""

from __future__ import annotations

import asyncio
import functools
import os
import platform
import socket
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, get_args

from mendel.adapters.host.kernel_features import usable
from mendel.adapters.sandbox import seccomp
from mendel.adapters.sandbox.answers import Death, encoded_request, read_answers
from mendel.adapters.sandbox.bubblewrap import NEEDED, bubblewrap, bubblewrap_command
from mendel.adapters.sandbox.child import ERROR_BYTES, Refused
from mendel.adapters.sandbox.control_groups import ControlGroup, make_group
from mendel.adapters.sandbox.furniture import furniture, interpreter
from mendel.adapters.sandbox.identities import stranger_id
from mendel.adapters.sandbox.pool import Pool
from mendel.adapters.sandbox.processes import COMMAND_PROCESSES, most_processes, refuse_commands_without
from mendel.adapters.sandbox.turns import Turns
from mendel.adapters.sandbox.zygote_process import (
    MAX_ANSWER_BYTES,
    MAX_OUTPUT_BYTES,
    NAMESPACE_FILES,
    Ended,
    ZygoteProcess,
)
from mendel.contracts.errors import SandboxFailed, SandboxRefused, SandboxUnavailable
from mendel.contracts.evaluations import (
    ALWAYS_NEEDED,
    NAMESPACES_NEEDED,
    NO_LIMITS_CHANGED,
    NOTHING_GRANTED,
    Case,
    Grants,
    Isolation,
    Layer,
    Limits,
    Program,
    ResourceUse,
    tier_of,
)
from mendel.ports.sandbox import Ask, Attempt, Sandbox

SPARE: Final = 2  # zygotes beyond the programs that run at once
TRIES: Final = 2  # attempts per way to start a zygote
RECYCLE_AFTER: Final = 5_000  # evaluations per zygote
LARGE_ANSWER_BYTES: Final = 1 << 18
"""Answers above this size are decoded in a thread, so that decoding does not block other callers."""

EVERY_LAYER: Final[tuple[Layer, ...]] = get_args(Layer)

NAMESPACE_LAYERS: Final[frozenset[Layer]] = frozenset(NAMESPACE_FILES)

REMEDIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "user": "allow user namespaces: sysctl -w user.max_user_namespaces=15000, and on Ubuntu"
        " kernel.apparmor_restrict_unprivileged_userns=0; in a container run it with --security-opt seccomp=unconfined",
        "landlock": "boot Linux 5.13 or newer with landlock in the lsm= parameter",
        "seccomp": "use a kernel with CONFIG_SECCOMP_FILTER on x86_64 or aarch64",
        "rlimits": "raise the hard limits of this shell (ulimit -H)",
        "privileges": "run as a non-root user, or as a root that may change its uid",
        "cgroups": "optional: delegate a control group (systemd-run --user --scope -p Delegate=yes …)",
    }
)
_NAMESPACE_REMEDY: Final = "it needs user namespaces and a kernel that supports this kind of namespace"

_A_FILE_OF_THE_HOST: Final = str(Path(__file__).resolve())  # must be invisible inside
_REHEARSAL: Final = Program(
    {"rehearsal.py": "def rehearse(numbers, text):\n    return [sum(numbers), text, {1: 2.0}, (None, True)]\n"},
    "rehearsal:rehearse",
)


PATIENCE: Final = (600.0, 86_400.0)
"""Batch time limits in seconds for which zygotes are started; the exact limit of a batch comes with its order.

A zygote's own limit, on processor time, is only a backstop. With one zygote kind per batch time, a run of twelve
candidates once started forty-six zygotes, of nine kinds that differed only in this.
"""


@functools.lru_cache(maxsize=256)
def _made_for(limits: Limits) -> Limits:
    batch_s = next(each for each in PATIENCE if limits.batch_s <= each)  # rounded up, so that zygotes are shared
    return replace(limits, case_s=1.0, batch_s=batch_s, result_bytes=1)  # each order sets these anyway


@dataclass(frozen=True)
class Kind:
    """The properties for which a zygote is started; evaluations of the same kind share zygotes."""

    limits: Limits
    packages: tuple[str, ...]
    files: tuple[tuple[str, str], ...]
    network: bool
    gpu: bool
    hash_seed: int = 0
    timed: bool = False
    commands: bool = False

    @classmethod
    def of(cls, limits: Limits, grants: Grants, hash_seed: int = 0, *, timed: bool = False) -> Kind:
        """Return the kind for these limits and grants; exact time limits belong to each order, not to the kind."""
        files = tuple(sorted(grants.files.items()))
        granted = (grants.packages, files, grants.network, grants.gpu)
        return cls(_made_for(limits), *granted, hash_seed, timed, grants.commands)

    @property
    def more_processes(self) -> int:
        """Number of threads and processes that a program may have besides its first."""
        return self.limits.threads + (COMMAND_PROCESSES if self.commands else 0)

    @property
    def no_narrower_than_ordinary(self) -> bool:
        """Whether it starts wherever an ordinary zygote does: no grants, and at most more time and memory."""
        usual = ORDINARY.limits
        roomy = self.limits.memory_bytes >= usual.memory_bytes and self.limits.batch_s >= usual.batch_s
        alike = replace(self.limits, memory_bytes=usual.memory_bytes, batch_s=usual.batch_s)
        return roomy and replace(self, limits=alike) == ORDINARY


ORDINARY: Final = Kind.of(NO_LIMITS_CHANGED, NOTHING_GRANTED)  # no grants, default limits


@dataclass(frozen=True)
class WayIn:
    """One way to start a zygote: its layers, why the others are unavailable, and the path of bubblewrap if used."""

    layers: tuple[Layer, ...]
    absent: Mapping[str, str]
    wrapper: str | None = None

    def without(self, layers: Collection[Layer], why: str) -> WayIn:
        """Return the same way with ``why`` as the reason for these layers, unless a reason is already recorded."""
        return replace(self, absent={**dict.fromkeys(layers, why), **self.absent})

    def name_for(self, kind: Kind) -> str:
        """Return the backend's name as results report it."""
        return f"native{', by bubblewrap' * bool(self.wrapper)}{', with commands' * kind.commands}"


class NativeSandbox(Sandbox):
    """Warm zygotes isolated by namespaces, Landlock, seccomp and resource limits; one fork per attempt.

    Args:
        workers: maximum number of programs that run at once; by default one per core.
        allow_weak: continue where too few layers are available. Results from there can never be adopted.
        allow_network: whether the network may be granted at all.
        allow_gpu: whether the GPU may be granted at all.
        allow_commands: whether commands may be granted at all.
        use_bubblewrap: set up isolation with bubblewrap where it is installed, otherwise with our own launcher.
        hidden: layers to treat as unavailable on this machine; the remaining ones determine the tier.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        allow_weak: bool = False,
        allow_network: bool = False,
        allow_gpu: bool = False,
        allow_commands: bool = False,
        use_bubblewrap: bool = True,
        hidden: Collection[Layer] = (),
        recycle_after: int = RECYCLE_AFTER,
    ) -> None:
        self._allow_weak = allow_weak
        self._allowed = {"network": allow_network, "gpu": allow_gpu, "commands": allow_commands}
        self._use_bubblewrap = use_bubblewrap
        self._hidden = frozenset(hidden)
        self._way: WayIn | None = None
        self._settling = asyncio.Lock()
        self._isolation: Isolation | None = None
        size = workers or _cores()
        # More zygotes than programs that run at once: the next zygote gets its order as soon as another has answered,
        # while that answer is still being read. Otherwise the parent's work leaves cores idle a quarter of the time.
        self._turns = Turns(size)
        # Timed runs go one at a time, through one zygote: memory layout differs between processes, and with it the run
        # time of the same program. When zygotes alternated, each side had its own, and one seemed a fifth faster.
        self._timing = asyncio.Lock()
        self._pool: Pool[Kind, ZygoteProcess] = Pool(self._started, size + SPARE, recycle_after)

    async def isolation(self) -> Isolation:
        """Return the isolation in force on this machine; starts a zygote on the first call."""
        if self._isolation is None:
            async with self._pool.lease(ORDINARY) as zygote:
                self._isolation = zygote.isolation
        return self._isolation

    async def attempt(self, ask: Ask) -> Attempt:
        """Run the cases in one fork; retry once in another zygote if the first one is lost."""
        self._check(ask.limits, ask.grants)
        request = _request(ask)
        order = _order(ask)
        kind = Kind.of(ask.limits, ask.grants, ask.hash_seed, timed=ask.timed)
        async with self._timing if ask.timed else nullcontext():
            try:
                return await self._once(kind, request, order, ask)
            except SandboxFailed:  # says nothing about the program, so a retry is safe
                return await self._once(kind, request, order, ask)

    async def aclose(self) -> None:
        """End every zygote and wait until all have ended."""
        await self._pool.aclose()

    async def _once(self, kind: Kind, request: bytearray, order: Mapping[str, Any], ask: Ask) -> Attempt:
        async with self._pool.lease(kind) as zygote:
            ended = await zygote.evaluate(request, order, self._turns)
            isolation = zygote.isolation
        if len(ended.frames) > LARGE_ANSWER_BYTES:
            return await asyncio.to_thread(_attempt, ended, isolation, ask)
        return _attempt(ended, isolation, ask)

    def _check(self, limits: Limits, grants: Grants) -> None:
        for name in self._allowed:
            if getattr(grants, name) and not self._allowed[name]:
                raise SandboxRefused(f"the program was granted {name}, but this run does not allow it")
        if grants.commands and (grants.network or grants.gpu):
            raise SandboxRefused("commands cannot be granted together with the network or the gpu")
        if limits.result_bytes > MAX_ANSWER_BYTES or limits.output_bytes > MAX_OUTPUT_BYTES:
            raise SandboxRefused(
                f"the limits are too high: at most {MAX_ANSWER_BYTES} bytes of results and {MAX_OUTPUT_BYTES} of output"
            )

    async def _started(self, kind: Kind) -> ZygoteProcess:
        """Start a zygote with every available layer; the first one decides the way for all later ones."""
        async with self._settling:  # concurrent callers wait until the way is known
            if self._way is None:
                return await self._first(kind)
        return await self._behind(kind, self._way)

    async def _first(self, kind: Kind) -> ZygoteProcess:
        """Find the strongest way with an ungranted zygote, so that an unavailable grant weakens no other program."""
        settling = kind if kind.no_narrower_than_ordinary else ORDINARY
        zygote = await self._settled(settling)
        if kind == settling or self._way is None:
            return zygote
        await asyncio.to_thread(zygote.close)  # it only served to find the way
        return await self._behind(kind, self._way)

    async def _settled(self, kind: Kind) -> ZygoteProcess:
        *stronger, last = await asyncio.to_thread(_ways_in, self._hidden, use_bubblewrap=self._use_bubblewrap)
        failed = ""
        for way in [way for way in stronger for _ in range(TRIES)]:  # one failure may only mean a busy machine
            try:
                zygote = await self._behind(kind, way)
            except SandboxFailed as error:
                failed = str(error)
                continue
            self._way = way
            return zygote
        if failed:
            last = last.without(NAMESPACE_LAYERS, f"it could not be entered: {failed}")
        try:
            zygote = await self._behind(kind, last)
        except SandboxFailed as error:
            raise SandboxUnavailable(f"no sandbox can be started here: {error}{_hint()}") from error
        self._way = last
        return zygote

    async def _behind(self, kind: Kind, way: WayIn) -> ZygoteProcess:
        setup = _setup(kind, way)
        whole = kind.limits.memory_bytes + kind.limits.scratch_bytes  # scratch files are in memory, too
        group = make_group(whole, kind.more_processes) if "cgroups" in way.layers else None
        setup["group_files"] = group.membership_files if group else ()
        with socket.create_server(("127.0.0.1", 0)) as listening:  # for the probe that tries to reach the host
            told = {
                "host_file": _A_FILE_OF_THE_HOST,
                "host_pid": os.getpid(),
                "host_port": listening.getsockname()[1],
                "memory_bytes": kind.limits.memory_bytes,
                "network": kind.network,
                "commands": kind.commands,
            }
            zygote = _zygote(setup, group)
            try:
                probed = await zygote.ready(told)
                zygote.isolation = self._judged(zygote, way, probed, grouped=group is not None, kind=kind)
            except BaseException:  # also on cancellation: no zygote may stay behind
                zygote.close()
                raise
        return zygote

    def _judged(
        self, zygote: ZygoteProcess, way: WayIn, probed: Mapping[str, str], *, grouped: bool, kind: Kind
    ) -> Isolation:
        """Return the isolation in force, layer by layer; raise if it is insufficient."""
        missing: dict[str, str] = {}
        held: list[Layer] = []
        for layer in EVERY_LAYER:
            why = _why_missing(layer, way, zygote, probed, grouped=grouped)
            if layer == "net" and kind.network:
                missing[layer] = "the network was granted"
            elif why is None:
                held.append(layer)
            else:
                missing[layer] = why
        # Commands do not change the tier: every layer is in force and was probed, and all processes that commands start
        # stay inside. Their filter is wider and more files are visible, so the backend's name says so: measurements
        # under one must not be mistaken for measurements under the other.
        tier = tier_of(held)
        isolation = Isolation(tier, tuple(held), way.name_for(kind), MappingProxyType(missing))
        if tier == "weak" and not self._allow_weak:
            raise SandboxUnavailable(refusal(missing))
        if kind.commands:
            refuse_commands_without(missing)
        return isolation


def _hint() -> str:
    """Return the likely cause where root starts a sandbox without namespaces: a Python in a folder closed to others."""
    folder = next((str(parent) for parent in Path(interpreter()).parents if not parent.stat().st_mode & 0o001), None)
    if os.geteuid() != 0 or folder is None:
        return ""
    return f"; only root may enter {folder}, which contains this Python: allow namespaces, or use one that all can read"


def _zygote(setup: Mapping[str, Any], group: ControlGroup | None) -> ZygoteProcess:
    try:
        return ZygoteProcess(setup, group)
    except (OSError, SandboxFailed) as error:
        if group is not None:
            group.remove()
        raise SandboxFailed(f"no zygote could be started: {error}") from error


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def refusal(missing: Mapping[str, str]) -> str:
    """List the layers that the lowest tier lacks, with a remedy for each."""
    lines = ["the sandbox is unavailable: it requires seccomp, limits, dropped privileges, and namespaces or Landlock"]
    walls: Collection[str] = [*sorted(ALWAYS_NEEDED), *sorted(NAMESPACES_NEEDED), "landlock"]
    lines += [f"  {layer}: {missing[layer]}; {_remedy(layer)}" for layer in walls if layer in missing]
    lines.append("--allow-weak-sandbox continues without them; its results can never be adopted")
    return "\n".join(lines)


def _remedy(layer: str) -> str:
    return REMEDIES.get(layer, _NAMESPACE_REMEDY)


def _ways_in(hidden: Collection[Layer], *, use_bubblewrap: bool) -> Sequence[WayIn]:
    """Return the ways worth trying on this machine, the strongest first.

    Raises:
        SandboxUnavailable: the system is not Linux.
    """
    if sys.platform != "linux":
        raise SandboxUnavailable(
            f"the native sandbox needs Linux; on {platform.system()} run Mendel in a Linux container"
        )
    found = usable()
    absent = {layer: f"the kernel reports {why}" for layer, why in found.items() if why != "ok"}
    if not seccomp.known(platform.machine()):
        absent["seccomp"] = f"the system calls of {platform.machine()} are unknown"
    if "user" in absent or "user" in hidden:
        absent |= _without_user_namespaces(absent)
    absent |= dict.fromkeys(hidden, "hidden")
    layers = tuple(layer for layer in EVERY_LAYER if layer not in absent)
    plain = WayIn(tuple(layer for layer in layers if layer not in NAMESPACE_LAYERS), absent)
    ways = [WayIn(layers, absent), plain] if NAMESPACE_LAYERS & set(layers) else [plain]
    wrapper = bubblewrap() if use_bubblewrap and set(layers) >= NEEDED else None
    return [WayIn(layers, absent, wrapper), *ways] if wrapper else ways


def _without_user_namespaces(absent: dict[str, str]) -> dict[str, str]:
    """Without user namespaces only root can make the others; even then a fork gets none of its own."""
    others = NAMESPACE_LAYERS - {"user"}
    if os.geteuid() != 0:
        return dict.fromkeys(others - absent.keys(), "it needs user namespaces")
    for layer in others:
        absent.pop(layer, None)  # probed from within a user namespace, which root does not need
    return {}


def _setup(kind: Kind, way: WayIn) -> dict[str, Any]:
    """Return the settings that a zygote receives when it starts."""
    limits = kind.limits
    inside = furniture(kind.packages, dict(kind.files), network=kind.network, gpu=kind.gpu, commands=kind.commands)
    layers = [layer for layer in way.layers if layer != "net" or not kind.network]
    rehearsal = encoded_request(_REHEARSAL, [Case(([1, 2, 3, 4], "x"))], 4_000, counted=False)
    return {
        "layers": layers,
        "filter": seccomp.compiled((*_calls(kind, layers), seccomp.ZYGOTE)).hex() if "seccomp" in layers else "",
        "narrowing": seccomp.narrowing(tuple(_calls(kind, layers))).hex() if "seccomp" in layers else "",
        "readable": [*inside.readable, *(["/proc"] if kind.gpu else [])],
        "devices": inside.devices,
        "binds": inside.binds,
        "links": inside.links,
        "masks": inside.masks,
        "imports": inside.imports,
        "path": inside.path,
        "network": kind.network,
        "gpu": kind.gpu,
        "commands": kind.commands,
        "bubblewrap": bubblewrap_command(way.wrapper, layers, inside, gpu=kind.gpu) if way.wrapper else (),
        "outside_id": stranger_id(),
        "memory_bytes": limits.memory_bytes,
        "batch_s": limits.batch_s,
        "scratch_bytes": limits.scratch_bytes,
        "scratch_files": limits.scratch_files,
        "open_files": limits.open_files,
        "processes": most_processes(kind.more_processes, apart="user" in layers),
        "output_bytes": limits.output_bytes,
        "hash_seed": kind.hash_seed,
        "rehearsal": rehearsal.hex(),
    }


def _why_missing(
    layer: Layer, way: WayIn, zygote: ZygoteProcess, probed: Mapping[str, str], *, grouped: bool
) -> str | None:
    """Return why a layer is not in force, or None if it is."""
    if layer not in way.layers:
        return way.absent.get(layer, "it was not tried")
    if layer in NAMESPACE_LAYERS and layer not in zygote.namespaces:
        return "the zygote shares this process's namespace"
    if layer == "cgroups":
        return None if grouped else "this process may not make a control group"
    said = probed.get(layer, "held")
    return None if said == "held" else said


def _calls(kind: Kind, layers: Collection[str]) -> Iterator[str]:
    yield seccomp.COMPUTING
    if {"user", "pid"} <= set(layers) and not kind.gpu:  # a fork then sees no process but itself
        yield seccomp.SIGNALLING_ITSELF
    if "mount" in layers:  # otherwise there is no scratch folder
        yield seccomp.SCRATCH
    if kind.limits.threads:
        yield seccomp.THREADS
    if kind.network:
        yield seccomp.NETWORK
    if kind.gpu:
        yield seccomp.DEVICES
    if kind.commands:
        yield seccomp.COMMANDS


def _request(ask: Ask) -> bytearray:
    try:
        return encoded_request(ask.program, ask.cases, ask.limits.result_bytes, counted=ask.counted)
    except Refused as refused:
        raise SandboxRefused(f"an argument of a case is not plain data: {refused}") from refused


def _order(ask: Ask) -> dict[str, Any]:
    most = min(ask.batch_s, ask.limits.case_s * (len(ask.cases) + 1))  # loading counts as a case
    return {
        "case_s": ask.limits.case_s,
        "batch_s": most,
        "answer_bytes": ask.limits.result_bytes + ERROR_BYTES * (len(ask.cases) + 1),
        "output_bytes": ask.limits.output_bytes,
        "cpu": max(os.sched_getaffinity(0)) if ask.timed else None,
    }


def _attempt(ended: Ended, isolation: Isolation, ask: Ask) -> Attempt:
    death = Death(ended.how == "timeout", ended.status, ended.struck or "cgroups" in isolation.layers)
    outcomes, loaded = read_answers(ended.frames, ask.program, len(ask.cases), death)
    return Attempt(
        outcomes=tuple(outcomes),
        usage=ResourceUse(ended.cpu_s, ended.wall_s, ended.peak_bytes, 1),
        isolation=isolation,
        output=ended.output,
        output_truncated=ended.truncated,
        loaded=loaded,
    )
