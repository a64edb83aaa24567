"""The parent's side of a zygote: starts it, sends it one evaluation at a time, and ends it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import struct
import subprocess  # nosec B404
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mendel.adapters.sandbox.child import HEADER, ROOM_FOR_ERRORS
from mendel.adapters.sandbox.control_groups import ControlGroup
from mendel.adapters.sandbox.furniture import interpreter
from mendel.adapters.sandbox.memory_watch import MemoryWatch
from mendel.adapters.sandbox.protocol import ENDED, ORDER, WAYS
from mendel.adapters.sandbox.shared_memory import Area, OutputArea, RequestArea
from mendel.adapters.sandbox.turns import Turns
from mendel.contracts.errors import SandboxFailed, SandboxRefused
from mendel.contracts.evaluations import Isolation, Layer

MAX_REQUEST_BYTES: Final = 64 << 20
MAX_ANSWER_BYTES: Final = 64 << 20
MAX_OUTPUT_BYTES: Final = 1 << 20

HERE: Final = Path(__file__).parent
ENVIRONMENT: Final[Mapping[str, str]] = {
    "LC_ALL": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
PYTHON_FLAGS: Final = ("-s", "-S")  # neither user nor site packages

NOT_JUDGED_YET: Final = Isolation("weak", (), "native")
NAMESPACE_FILES: Final[Mapping[Layer, str]] = {
    "user": "user",
    "mount": "mnt",
    "pid": "pid",
    "net": "net",
    "ipc": "ipc",
    "uts": "uts",
    "cgroup": "cgroup",
}
_START_S: Final = 20.0  # for a zygote to become ready
_GRACE_S: Final = 10.0  # beyond the batch, in which the zygote itself ends a fork
_PACKET_BYTES: Final = 1 << 20
_ANSWER_BYTES: Final = 256  # at least ``ENDED.size``, and a short error text
_CREDENTIALS: Final = struct.Struct("3i")  # pid, uid and gid


@dataclass(frozen=True)
class Ended:
    """How a fork ended, as the kernel reported it, and its output. Only ``frames`` comes from the fork itself.

    ``struck``: its processes together exceeded the memory limit and were killed for that.
    """

    how: str
    status: int
    cpu_s: float
    wall_s: float
    peak_bytes: int
    frames: bytes
    output: str
    truncated: bool
    struck: bool = False


class ZygoteProcess:
    """One zygote, for one caller at a time; once ``broken`` it is unusable."""

    def __init__(self, setup: Mapping[str, Any], group: ControlGroup | None = None) -> None:
        self.broken = False
        self.evaluations = 0
        self.pid = 0
        self.namespaces: frozenset[str] = frozenset()
        self.isolation = NOT_JUDGED_YET
        self._group = group
        self._watched_bytes = setup["memory_bytes"] if setup["commands"] and group is None else 0
        self._request = RequestArea(MAX_REQUEST_BYTES)
        self._answer = Area(HEADER.size + MAX_ANSWER_BYTES + ROOM_FOR_ERRORS)
        self._output = OutputArea(MAX_OUTPUT_BYTES + 1)
        self._errors = os.memfd_create("mendel-errors", os.MFD_CLOEXEC)
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)  # keeps packets apart
        self._control.settimeout(0)
        self._control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)  # adds the sender's pid as seen from here
        told = os.memfd_create("mendel-setup", os.MFD_CLOEXEC)
        handed = {
            "control_fd": theirs.fileno(),
            "request_fd": self._request.handed,
            "answer_fd": self._answer.handed,
            "output_fd": self._output.handed,
        }
        try:
            os.write(told, json.dumps({**setup, **handed}).encode())
            os.lseek(told, 0, os.SEEK_SET)
            self._process = self._started(told, (told, *handed.values()), setup["hash_seed"])
        except BaseException:
            self._close()
            raise
        finally:
            os.close(told)
            theirs.close()

    def _started(self, told: int, descriptors: Sequence[int], hash_seed: int) -> subprocess.Popen[bytes]:
        command = [interpreter(), *PYTHON_FLAGS, str(HERE / "launcher.py"), str(told)]
        try:
            # No untrusted input in the command: this interpreter by its absolute path, and a file of this folder.
            return subprocess.Popen(  # noqa: S603  # nosec B603
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                # A fixed hash seed: a program that iterates over a set of strings sees the same order every time.
                env={**ENVIRONMENT, "PYTHONHASHSEED": str(hash_seed)},
                cwd="/",
                pass_fds=descriptors,
                start_new_session=True,
            )
        except OSError as error:
            raise SandboxFailed(f"no zygote could be started: {error}") from error

    async def ready(self, told: Mapping[str, Any]) -> Mapping[str, str]:
        """Wait until it is isolated, warm and confined; return the results of its probes by layer."""
        try:
            async with asyncio.timeout(_START_S):
                await self._until_readable()
                packet, ancillary, _, _ = self._control.recvmsg(_PACKET_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size))
                json.loads(packet)  # only its sender matters
                self.pid = _sender(ancillary)
                self.namespaces = _namespaces_of_its_own(self.pid)
                await self._send({**told, "address_space": _address_space(self.pid)})
                probed: Mapping[str, str] = await self._receive()
                await self._receive()
        except (TimeoutError, OSError, ValueError) as error:
            self.kill()
            raise SandboxFailed(f"a zygote did not become ready: {self._last_words() or error}") from error
        except asyncio.CancelledError:
            self.kill()
            raise
        return probed

    async def evaluate(self, request: bytes | bytearray, order: Mapping[str, Any], turns: Turns) -> Ended:
        """Wait for a turn, then have a fork perform one request.

        Raises:
            SandboxRefused: the request is larger than its area.
            SandboxFailed: the zygote broke, or could not make a fork.
        """
        if len(request) > MAX_REQUEST_BYTES:
            raise SandboxRefused(f"the program and its cases take {len(request)} bytes; at most {MAX_REQUEST_BYTES}")
        self._request.put(request)
        self._answer.empty()
        self.evaluations += 1
        began = await turns.take()
        self._output.forget()
        try:
            async with MemoryWatch(self.pid, self._watched_bytes) as watch:
                answer = await self._ask(_packed(order, len(request)), order["batch_s"] + _GRACE_S)
        finally:
            turns.give_back(began)
        await asyncio.sleep(0)  # lets the next caller send its order before we decode this answer
        if len(answer) != ENDED.size:
            raise SandboxFailed(answer.decode("ascii", "replace"))
        how, status, cpu_s, wall_s, peak_kib, spoiled = ENDED.unpack(answer)
        if spoiled:
            self.kill()
        output, truncated = self._output.take(order["output_bytes"])
        frames = self._frames(order["answer_bytes"])
        return Ended(WAYS[how], status, cpu_s, wall_s, peak_kib * 1_024, frames, output, truncated, watch.struck)

    def _frames(self, most: int) -> bytes:
        size, _, _ = HEADER.unpack_from(self._answer.memory, 0)
        return self._answer.memory[HEADER.size : HEADER.size + min(size, most, self._answer.size - HEADER.size)]

    async def _ask(self, order: bytes, patience_s: float) -> bytes:
        try:
            async with asyncio.timeout(patience_s):
                self._control.send(order)  # never blocks: only one packet is in flight
                await self._until_readable()
                return self._told(_ANSWER_BYTES)
        except (TimeoutError, OSError, ValueError) as error:
            self.kill()
            raise SandboxFailed(f"a zygote was lost: {self._last_words() or str(error) or 'no answer'}") from error
        except asyncio.CancelledError:
            self.kill()
            raise

    async def _send(self, order: Mapping[str, Any]) -> None:
        await asyncio.get_running_loop().sock_sendall(self._control, json.dumps(order).encode())

    async def _receive(self) -> Any:  # noqa: ANN401 - the zygote's JSON
        await self._until_readable()
        return json.loads(self._told(_PACKET_BYTES))

    def _told(self, most: int) -> bytes:
        packet = self._control.recv(most)
        if not packet:
            raise OSError("it ended")
        return packet

    async def _until_readable(self) -> None:
        loop = asyncio.get_running_loop()
        readable: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self._control, _set, readable)
        try:
            await readable
        finally:
            loop.remove_reader(self._control)

    def _last_words(self) -> str:
        size = min(os.lseek(self._errors, 0, os.SEEK_END), 4_096)
        lines = os.pread(self._errors, size, 0).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    def kill(self) -> None:
        """Kill it and every process inside at once. It is unusable afterwards."""
        self.broken = True
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)  # wakes a caller that waits for an answer
        if self._process.poll() is None:  # not reaped yet, so its group number cannot be reused
            with suppress(ProcessLookupError):
                # The whole group: a child that bubblewrap has just started would wait for its parent's message forever.
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Kill it, wait for its end, and free its resources. Idempotent."""
        self.kill()
        self._process.wait()
        self._close()
        if self._group is not None:
            self._group.remove()

    def _close(self) -> None:
        if self._errors >= 0:
            os.close(self._errors)
            self._errors = -1
            self._control.close()
            for area in (self._request, self._answer, self._output):
                area.close()


def _set(readable: asyncio.Future[None]) -> None:
    if not readable.done():
        readable.set_result(None)


def _packed(order: Mapping[str, Any], request_bytes: int) -> bytes:
    cpu = -1 if order["cpu"] is None else order["cpu"]
    return ORDER.pack(order["case_s"], order["batch_s"], request_bytes, cpu)


def _sender(ancillary: Sequence[tuple[int, int, bytes]]) -> int:
    """Return the pid of a packet's sender, as seen from here; the kernel guarantees it."""
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            return int(_CREDENTIALS.unpack(data[: _CREDENTIALS.size])[0])
    return 0


def _address_space(pid: int) -> int:
    """Return the address space that the zygote already uses; a program's memory limit comes on top of it."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 512 << 20  # without /proc: a generous guess, so that honest programs run
    return pages * os.sysconf("SC_PAGE_SIZE")


def _namespaces_of_its_own(pid: int) -> frozenset[str]:
    """Return the namespaces in which the zygote differs from this process, according to the kernel."""
    apart = set()
    for layer, file in NAMESPACE_FILES.items():
        with suppress(OSError):
            if Path(f"/proc/{pid}/ns/{file}").readlink() != Path(f"/proc/self/ns/{file}").readlink():
                apart.add(layer)
    return frozenset(apart)
