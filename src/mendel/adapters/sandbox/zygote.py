"""A zygote: a warm, isolated interpreter that makes one fork for each evaluation and watches it.

It is started as a file, by :mod:`mendel.adapters.sandbox.launcher` or by bubblewrap, and uses only the standard library
and its sibling modules. It never runs a program itself. A fork is trusted until it has given up its rights, and not
afterwards.

At startup, requests and replies are JSON, one packet each, on a socket to the parent; later orders are packed structs.
When the socket closes, the zygote ends. As process 1 of its namespace it takes every process inside with it.
"""

from __future__ import annotations

import _socket
import fcntl
import functools
import gc
import importlib
import io
import json
import math
import mmap
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from mendel.adapters.sandbox import child, probing, protocol
    from mendel.adapters.sandbox import kernel_calls as kernel
else:  # inside the sandbox Mendel is not installed, only this folder's files
    import child
    import kernel_calls as kernel
    import probing
    import protocol

PACKET_BYTES = 1 << 20
READ_RIGHTS = 1 << 2 | 1 << 3  # Landlock: read a file, list a folder
WRITE_RIGHTS = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 13 | 1 << 14  # write, create, remove, rename, truncate
EXECUTE_RIGHT, LINK_RIGHT = 1 << 0, 1 << 12  # the latter for symbolic links
DEVICE_RIGHTS = 1 << 1 | 1 << 2  # write and read
DRIVER_RIGHTS = 1 << 15  # ioctl
FILE_RIGHTS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # the rights that apply to files
RIGHTS_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
NEWEST_RIGHTS = (1 << 16) - 1
NETWORK_RIGHTS, SCOPED_RIGHTS = 3, 3  # bind and connect TCP; abstract sockets and signals
SCRATCH = "/tmp"  # noqa: S108 - a private file system of the fork  # nosec B108
TROUBLE = 3  # descriptor of the trouble pipe
EXIT_BROKEN = 71  # exit status of a fork that could not perform its request
REHEARSALS = 64  # enough for the interpreter to settle
LOOKS = 8
"""Number of times within a case's time limit at which the watcher checks whether the case ended."""

ZYGOTE_CPU_S = 60
"""Processor seconds for the zygote itself, on top of the limit that it shares with its forks."""

ITSELF, TIMEOUT, CANCELLED = range(3)  # indices of ``protocol.WAYS``
OWN_MODULES = ("child", "kernel_calls", "probing", "protocol", "zygote", "launcher")

Order = dict[str, Any]


class Quiet(io.RawIOBase):
    """Standard output that never fails: output that does not fit is dropped."""

    def writable(self) -> bool:
        """Return True: it accepts everything."""
        return True

    def write(self, data: Any) -> int:  # noqa: ANN401 - any buffer
        """Write as much as fits; report everything as written."""
        with suppress(OSError):  # full: the parent reads what is there
            os.write(1, data)
        return len(data)


class CaseClock:
    """The deadline of a fork. The fork's start time of a case is used only once per finished case.

    So a program that pretends to start a new case gains nothing. One that lies about the start time gains at most the
    interval between two checks. The time limit of the batch bounds them all.
    """

    def __init__(self, began: float, case_s: float, batch_s: float) -> None:
        self._case_s = case_s
        self._over, self._end = began + case_s, began + batch_s
        self._frames, self._looked = 0, began
        self.look_again_ms = math.ceil(case_s * 1_000 / LOOKS)

    def left(self, frames: int, began_ns: int) -> int:
        """Return the milliseconds left, given the number of finished cases and the claimed start of the current one."""
        now = time.monotonic()
        if frames != self._frames:
            self._frames = frames
            self._over = min(max(began_ns / 1e9, self._looked), now) + self._case_s  # clamped: the fork may lie
        self._looked = now
        return max(0, math.ceil((min(self._over, self._end) - now) * 1_000))


class Zygote:
    """Performs orders until the parent closes the socket."""

    def __init__(self, setup: Order, control: _socket.socket) -> None:
        self._setup = setup
        self._order: tuple[Any, ...] = ()
        self._layers = frozenset(setup["layers"])
        self._control = control
        self._request = _mapped(setup["request_fd"], mmap.PROT_READ)
        self._answer = _mapped(setup["answer_fd"], mmap.PROT_READ | mmap.PROT_WRITE)
        self._untouched = 0
        # A GPU driver looks its process up in /proc by number, so a fork with a GPU must share the zygote's numbering.
        of_its_own = {"pid", "ipc"} - ({"pid"} if setup["gpu"] else set()) if "user" in self._layers else set()
        self._fork_flags = sum(kernel.NAMESPACES[name] for name in of_its_own & self._layers)
        # Commands leave files that the next program must not find: such a zygote makes only one fork.
        self._only_once = bool(setup["commands"])
        self._scratch = "mount" in self._layers and setup["scratch_bytes"] > 0
        self._clone = kernel.cloning(self._fork_flags)
        self._poll = select.poll()
        self._poll.register(control.fileno(), select.POLLIN | select.POLLHUP)
        self._trouble = _trouble_pipe()
        self._steps = [kernel.closing_descriptors(TROUBLE + 1), *self._steps_of(self._layers)]

    def _steps_of(self, layers: frozenset[str]) -> Iterator[kernel.Prepared]:
        if self._setup["gpu"]:
            yield kernel.becoming_visible()
        if "privileges" in layers:
            yield kernel.dropping_capabilities()
        if "seccomp" in layers:
            yield kernel.filtering_system_calls(bytes.fromhex(self._setup["narrowing"]))

    def _filter(self) -> kernel.Prepared:
        """Prepare the zygote's own filter, which its forks inherit and narrow."""
        return kernel.filtering_system_calls(bytes.fromhex(self._setup["filter"]))

    def confine(self, layers: frozenset[str]) -> None:
        """Give up, permanently and for every fork, all rights that the zygote itself does not need."""
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)  # the kernel requires it for unprivileged filters
        if "rlimits" in layers:
            _limit(self._setup)
        if "landlock" in layers:
            _landlock(self._setup, scratch=self._scratch)
        if "privileges" in layers:
            kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # closes its files in /proc to its forks

    def settle(self, output: int) -> None:
        """Take the last steps before the first order; the filter comes last because it forbids the others."""
        self.confine(self._layers)
        redirect_output(output)
        if self._scratch:
            os.chdir(SCRATCH)
            self._untouched = os.stat(SCRATCH).st_ctime_ns  # changes once a program writes there
        gc.collect()
        gc.freeze()  # its pages then stay shared with the forks
        kernel.trim_memory()
        if "seccomp" in self._layers and self._filter()() != 0:
            raise OSError("the kernel refused the seccomp filter")

    def serve(self) -> None:
        """Perform order after order.

        Between two forks this writes to as few pages as possible: each costs a copy, at two microseconds.
        """
        while self._ordered():
            self._control.send(self._evaluated())

    def _ordered(self) -> bool:
        packet = self._control.recv(protocol.ORDER.size)
        self._order = protocol.ORDER.unpack(packet) if packet else ()
        return bool(packet)

    def _evaluated(self) -> bytes:
        began = time.monotonic()
        fork = self._clone()
        if fork == 0:
            self._run()
        if fork < 0:
            return b"no process could be created"
        how = self._watch(fork, began)
        _, status, used = os.wait4(fork, 0)
        if status and self._in_trouble():  # a fork that could not confine itself never exits with 0
            return b"a fork could not give up its rights"
        spoiled = self._only_once or (self._scratch and os.stat(SCRATCH).st_ctime_ns != self._untouched)
        cpu_s, wall_s = used.ru_utime + used.ru_stime, time.monotonic() - began
        return protocol.ENDED.pack(how, status, cpu_s, wall_s, used.ru_maxrss, spoiled)

    def _run(self) -> None:
        """Run the request in the fork; never returns."""
        status = EXIT_BROKEN
        _, _, size, cpu = self._order
        self._order = ()  # a program must not find on its stack whether it is timed
        try:
            self._confine_fork(cpu)
            del cpu  # as above
            child.run(self._request[:size], self._answer)
            status = 0
        finally:
            os._exit(status)

    def _confine_fork(self, cpu: int) -> None:
        """Give up everything that only the zygote needs; each step needs rights that the later ones remove.

        The trouble pipe stays open until all is done. Only our own code can have written to it, so a program cannot
        disguise its own failure as one of the sandbox, whatever status it exits with.
        """
        try:
            os.setsid()  # a signal to its process group would reach the launcher
            if cpu >= 0:
                os.sched_setaffinity(0, {cpu})
            confined = not any(give_up() for give_up in self._steps)
        except OSError:
            confined = False
        if not confined:
            os.write(TROUBLE, b"!")
            os._exit(EXIT_BROKEN)
        os.close(TROUBLE)

    def _watch(self, fork: int, began: float) -> int:
        """Wait for the fork to end; kill it when its time is over, or when the parent asks for that or has ended."""
        case_s, batch_s, _, _ = self._order
        process = kernel.pidfd_open(fork)
        self._poll.register(process, select.POLLIN)
        how, clock = TIMEOUT, CaseClock(began, case_s, batch_s)
        while left := clock.left(*child.HEADER.unpack_from(self._answer, 0)[1:]):
            happened = self._poll.poll(min(left, clock.look_again_ms))
            if happened:
                how = ITSELF if (process, select.POLLIN) in happened else CANCELLED  # if both happened, its end counts
                break
        if how != ITSELF:
            os.kill(fork, signal.SIGKILL)
        self._poll.unregister(process)
        os.close(process)
        return how

    def _in_trouble(self) -> bool:
        try:
            return bool(os.read(self._trouble, 1))
        except BlockingIOError:
            return False

    def probe(self, told: Order) -> Order:
        """Attempt what each layer forbids, in a fork that has only that layer; see :mod:`probing`."""
        return {layer: self._attempted(layer, told) for layer in probing.ATTEMPTS}

    def _attempted(self, layer: str, told: Order) -> str:
        fork = kernel.clone(self._fork_flags)
        if fork == 0:
            said = probing.attempt(layer, told, functools.partial(self._confine_alone, layer)).encode()[:4_096]
            self._answer[2 : 2 + len(said)] = said
            self._answer[:2] = len(said).to_bytes(2, "little")  # last: a probe that died left none
            os._exit(0)
        _, status = os.waitpid(fork, 0)
        said = self._answer[2 : 2 + int.from_bytes(self._answer[:2], "little")]
        self._answer[: 2 + len(said)] = bytes(2 + len(said))
        return said.decode() or f"the probe ended with status {os.waitstatus_to_exitcode(status)}"

    def _confine_alone(self, layer: str) -> None:
        alone = self._layers & {layer}
        self.confine(alone)
        if "seccomp" in alone:
            self._filter()()
        for give_up in self._steps_of(alone):
            give_up()

    def rehearse(self, request: bytes) -> None:
        """Run a program of our own until the interpreter has settled, so that forks touch fewer pages."""
        for _ in range(REHEARSALS):
            child.run(request, self._answer)
            sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, child.SourceFinder)]
            sys.modules.pop("rehearsal", None)
        self._answer[:4_096] = bytes(4_096)  # no trace for the first program


def _out_of_the_way(descriptor: int) -> int:
    """Move an open file to a descriptor number of 16 or above, out of the range that is assigned explicitly."""
    moved: int = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 16)
    os.close(descriptor)
    return moved


def _trouble_pipe() -> int:
    """Make a pipe; its write end gets the lowest descriptor after the standard ones, its read end is returned."""
    reading, writing = os.pipe()
    kept = fcntl.fcntl(reading, fcntl.F_DUPFD_CLOEXEC, TROUBLE + 1)  # free even if the pipe took TROUBLE
    os.dup2(writing, TROUBLE)
    for end in {reading, writing} - {TROUBLE}:
        os.close(end)
    os.set_blocking(kept, False)
    return kept


def _mapped(descriptor: int, protection: int) -> mmap.mmap:
    memory = mmap.mmap(descriptor, 0, mmap.MAP_SHARED, protection)
    os.close(descriptor)
    return memory


def _limit(setup: Order) -> None:
    """Set the limits per process; memory counts from the address space that the zygote already uses."""
    taken = setup["address_space"]
    for kind, most in (
        (resource.RLIMIT_AS, taken + setup["memory_bytes"]),
        (resource.RLIMIT_CPU, math.ceil(setup["batch_s"]) + ZYGOTE_CPU_S),
        (resource.RLIMIT_FSIZE, max(setup["scratch_bytes"], setup["output_bytes"])),
        (resource.RLIMIT_NOFILE, setup["open_files"]),
        (resource.RLIMIT_NPROC, setup["processes"]),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, setup["memory_bytes"] if setup["gpu"] else 0),  # a driver pins what it copies
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)  # only root may raise a hard limit
        resource.setrlimit(kind, (allowed, allowed))


def _landlock(setup: Order, *, scratch: bool) -> None:
    version = kernel.landlock_version()
    handled = RIGHTS_BY_VERSION.get(version, NEWEST_RIGHTS)  # a kernel refuses unknown rights
    network = 0 if setup["network"] else NETWORK_RIGHTS
    rules = kernel.landlock_ruleset(handled, network, SCOPED_RIGHTS, version)
    reading = READ_RIGHTS | (EXECUTE_RIGHT if setup["commands"] else 0)
    writing = reading | WRITE_RIGHTS | (LINK_RIGHT if setup["commands"] else 0)
    driving = DEVICE_RIGHTS | (DRIVER_RIGHTS if setup["gpu"] else 0)
    allowed = [(path, reading) for path in setup["readable"]] + [(path, driving) for path in setup["devices"]]
    if scratch:
        allowed.append((SCRATCH, writing))
    for path, rights in allowed:
        if os.path.exists(path):
            parent = os.open(path, os.O_PATH)  # needs no permission to read
            fitting = rights if os.path.isdir(path) else rights & FILE_RIGHTS
            kernel.landlock_allow(rules, parent, handled & fitting)
            os.close(parent)
    kernel.landlock_restrict(rules)
    os.close(rules)


def warm_up(setup: Order) -> None:
    """Import the modules that programs need, and remove every trace of Mendel's location."""
    sys.path[:] = setup["path"]
    for name in setup["imports"]:
        importlib.import_module(name)
    importlib.import_module("random").seed(0)  # every fork of every zygote draws the same numbers
    for name in OWN_MODULES:  # a program may have a module with this name
        sys.modules.pop(name, None)
    sys.dont_write_bytecode = True
    sys.argv[:] = sys.orig_argv[:] = [""]  # neither Mendel's path nor its arguments
    os.environ.clear()


def redirect_output(output: int) -> None:
    """Send all further output to the area that the parent reads, and to nothing else."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(nothing)
    os.close(output)
    quiet: Any = io.TextIOWrapper(cast("Any", Quiet()), encoding="utf-8", errors="replace", write_through=True)
    sys.stdout = sys.stderr = quiet
    sys.__dict__.update(__stdout__=quiet, __stderr__=quiet)


def mount_scratch(setup: Order, target: str, owner: str = "") -> None:
    """Mount a small file system in memory, the only place that forks can write to.

    A zygote whose scratch folder was used makes no more forks. Emptying it would leave traces, such as the number of
    files it had held, through which one program could pass information to another. Most programs never use it.
    """
    options = f"size={setup['scratch_bytes']},nr_inodes={setup['scratch_files'] + 1},mode=0700{owner}"  # 1 for the root
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOATIME
    flags |= 0 if setup["commands"] else kernel.MS_NOEXEC
    kernel.mount("scratch", target, "tmpfs", flags, options)


def main(setup: Order) -> None:
    """Run as a zygote until the parent closes the socket or ends."""
    prepared(setup).serve()
    os._exit(0)


def prepared(setup: Order) -> Zygote:
    """Return a warm, probed and confined zygote. The setup stays in this frame, off the stack of every fork."""
    control = _socket.socket(fileno=_out_of_the_way(setup["control_fd"]))
    setup["output_fd"] = _out_of_the_way(setup["output_fd"])
    control.setblocking(True)  # noqa: FBT003 - the standard library's own signature
    zygote = Zygote(setup, control)
    warm_up(setup)
    zygote.rehearse(bytes.fromhex(setup["rehearsal"]))
    control.send(json.dumps({"ready": True}).encode())
    told = json.loads(control.recv(PACKET_BYTES))
    setup["address_space"] = told["address_space"]
    control.send(json.dumps(zygote.probe(told)).encode())
    zygote.settle(setup["output_fd"])
    setup.clear()
    control.send(json.dumps({"confined": True}).encode())
    return zygote


if __name__ == "__main__":
    with os.fdopen(int(sys.argv[1]), "rb") as told_at_start:
        told_at_start.seek(0)  # the launcher has already read it
        told_setup = json.load(told_at_start)
    if "mount" in told_setup["layers"] and told_setup["scratch_bytes"]:
        mount_scratch(told_setup, SCRATCH)
    main(told_setup)
