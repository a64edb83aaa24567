"""The targets of an attack, and how the parent detects that one was hit."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import platform
import secrets
import shutil
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mendel.contracts.plain_values import PlainValue

_VICTIM: Final = """
import os, signal, sys
secret = sys.stdin.readline().strip() * 1
opened = os.open(sys.argv[1], os.O_RDONLY)
struck = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
for number in {signal.SIGUSR1, signal.SIGTERM, signal.SIGINT, signal.SIGIO, signal.SIGURG, signal.SIGHUP}:
    signal.signal(number, lambda number, frame: os.write(struck, b"%d\\n" % number))
import ctypes
kept = ctypes.create_string_buffer(secret.encode())
print(ctypes.addressof(kept), opened, flush=True)
while True:
    signal.pause()
"""
_VARIABLE: Final = "MENDEL_HOSTILE_SECRET"
# Numbers of system calls that the standard library does not offer.
_ADD_KEY, _KEYCTL = {"x86_64": (248, 250), "aarch64": (217, 219)}.get(platform.machine(), (-1, -1))
_SESSION_KEYRING, _UNLINK, _SET_PERMISSIONS = -3, 9, 5
_EVERYBODY_MAY: Final = 0x3F3F3F3F  # every permission for every user


@dataclass
class Victim:
    """A process of the host without any protection."""

    process: asyncio.subprocess.Process
    struck_file: Path
    address: int
    descriptor: int
    nice: int = field(init=False)
    affinity: set[int] = field(init=False)
    files_limit: str = field(init=False)

    def __post_init__(self) -> None:
        self.nice, self.affinity, self.files_limit = self._state()

    def _state(self) -> tuple[int, set[int], str]:
        pid = self.process.pid
        limits = Path(f"/proc/{pid}/limits").read_text(encoding="ascii")
        files = next(line for line in limits.splitlines() if line.startswith("Max open files"))
        return os.getpriority(os.PRIO_PROCESS, pid), os.sched_getaffinity(pid), files

    def injuries(self) -> list[str]:
        """Return what was done to it."""
        said = self.struck_file.read_text(encoding="ascii").split() if self.struck_file.exists() else []
        found = [f"the victim received signal {number}" for number in said]
        if self.process.returncode is not None or not Path(f"/proc/{self.process.pid}").exists():
            return [*found, "the victim is dead"]
        try:
            changed = self._state() != (self.nice, self.affinity, self.files_limit)
        except OSError:
            return [*found, "the victim is dead"]
        return [*found, "the victim's priority, affinity or limits were changed"] if changed else found


class Listeners:
    """Servers on every kind of socket, which record what reached them."""

    def __init__(self, folder: Path) -> None:
        self.abstract = f"mendel-hostile-{secrets.token_hex(8)}"
        self.path = str(folder / "socket")
        self._heard: set[str] = set()
        self._sockets = {
            "TCP": _bound(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            "UDP": _bound(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            "abstract unix": _bound(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + self.abstract),
            "unix": _bound(socket.AF_UNIX, socket.SOCK_STREAM, self.path),
        }
        with contextlib.suppress(OSError):  # IPv6 may be missing
            self._sockets["TCP over IPv6"] = _bound(socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0))
        Path(self.path).chmod(0o666)
        self._tasks = [asyncio.ensure_future(self._serve(*item)) for item in self._sockets.items()]

    def port(self, kind: str) -> int:
        """Return the port of this kind of server, or 0 if there is none."""
        return int(self._sockets[kind].getsockname()[1]) if kind in self._sockets else 0

    def heard(self) -> list[str]:
        """Return the servers that were reached."""
        return sorted(self._heard)

    def forget(self) -> None:
        """Forget all contacts."""
        self._heard.clear()

    async def _serve(self, kind: str, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            if listening.type == socket.SOCK_DGRAM:
                await loop.sock_recv(listening, 4_096)
            else:
                connection, _ = await loop.sock_accept(listening)
                connection.close()
            self._heard.add(kind)

    async def aclose(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for listening in self._sockets.values():
            listening.close()


def _bound(family: int, kind: int, address: object) -> socket.socket:
    made = socket.socket(family, kind)
    made.setblocking(False)  # noqa: FBT003 - the standard library's own signature
    made.bind(address)  # type: ignore[arg-type]  # an address of any family
    if kind == socket.SOCK_STREAM:
        made.listen(64)
    return made


@dataclass
class Targets:
    """Everything that an attack may use, and two values that it never receives: ``secret`` and ``answer``."""

    folder: Path
    listeners: Listeners
    victim: Victim
    key_name: str
    inherited: int
    secret: str
    answer: int

    @property
    def secret_file(self) -> Path:
        """The file with the secret."""
        return self.folder / "secret.txt"

    @property
    def open_folder(self) -> Path:
        """A world-writable folder."""
        return self.folder / "open"

    @property
    def writable_file(self) -> Path:
        """A world-writable file."""
        return self.open_folder / "ledger.txt"

    def told(self) -> dict[str, PlainValue]:
        """Return the argument of the attack; it contains nothing that the attack must find out."""
        return {
            "secret_path": str(self.secret_file),
            "folder": str(self.open_folder),
            "marker": str(self.open_folder / "marker"),
            "ledger": str(self.writable_file),
            "tcp_port": self.listeners.port("TCP"),
            "tcp6_port": self.listeners.port("TCP over IPv6"),
            "udp_port": self.listeners.port("UDP"),
            "abstract": self.listeners.abstract,
            "unix_path": self.listeners.path,
            "victim": self.victim.process.pid,
            "victim_address": self.victim.address,
            "victim_descriptor": self.victim.descriptor,
            "parent": os.getpid(),
            "inherited": self.inherited,
            "key": self.key_name,
            "python": os.path.realpath(sys.executable),
            "hostname": "taken-over",
        }

    def written(self) -> list[str]:
        """Return what was created, removed or changed among the world-writable files."""
        found = [
            f"{path.name} was created outside"
            for path in self.open_folder.iterdir()
            if path.name != self.writable_file.name
        ]
        if not self.writable_file.is_file() or self.writable_file.read_bytes() != _LEDGER:
            found.append(f"{self.writable_file.name} was changed")
        if (self.open_folder.stat().st_mode & 0o777) != 0o777:
            found.append("the folder's mode was changed")
        return found

    async def restore(self) -> None:
        """Restore the state before an attack."""
        injured = bool(self.victim.injuries())
        self._tidy()
        if injured:
            await _end(self.victim.process)
            self.victim = await _victim(self.folder, self.secret)

    def _tidy(self) -> None:
        self.listeners.forget()
        shutil.rmtree(self.open_folder, ignore_errors=True)
        self.open_folder.mkdir(exist_ok=True)
        self.open_folder.chmod(0o777)
        self.writable_file.write_bytes(_LEDGER)
        self.writable_file.chmod(0o666)
        self.victim.struck_file.write_bytes(b"")


_LEDGER: Final = b"what was written here before\n"


@contextlib.asynccontextmanager
async def targets() -> AsyncIterator[Targets]:
    """Set up every target, as exposed as on a careless host."""
    secret = f"secret-{secrets.token_hex(16)}"
    folder = Path(tempfile.mkdtemp(prefix="mendel-hostile-"))
    folder.chmod(0o755)  # mkdtemp makes it private
    (folder / "secret.txt").write_text(secret, encoding="ascii")
    (folder / "secret.txt").chmod(0o644)
    listeners = Listeners(folder)
    inherited = os.open(folder / "secret.txt", os.O_RDONLY)
    # A careless host leaks descriptors to its children.
    os.set_inheritable(inherited, True)  # noqa: FBT003 - the standard library's own signature
    key_name = f"mendel-hostile-{secrets.token_hex(8)}"
    os.environ[_VARIABLE] = secret
    made = Targets(folder, listeners, await _victim(folder, secret), key_name, inherited, secret, secrets.randbits(60))
    try:
        with _key(key_name, secret):
            await made.restore()
            yield made
    finally:
        del os.environ[_VARIABLE]
        await _end(made.victim.process)
        os.close(inherited)
        await listeners.aclose()
        shutil.rmtree(folder, ignore_errors=True)


async def _victim(folder: Path, secret: str) -> Victim:
    struck = folder / "struck"
    pipe = asyncio.subprocess.PIPE
    command = [sys.executable, "-I", "-c", _VICTIM, str(folder / "secret.txt"), str(struck)]
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, env={"SECRET": secret})
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("a process was started without the requested pipes")
    process.stdin.write(f"{secret}\n".encode())
    address, descriptor = map(int, (await process.stdout.readline()).split())
    return Victim(process, struck, address, descriptor)


async def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()


@contextlib.contextmanager
def _key(name: str, secret: str) -> Iterator[None]:
    """Store the secret as a key in the session's keyring, which every process started from here inherits."""
    libc = ctypes.CDLL(None, use_errno=True)
    payload = secret.encode()
    made = libc.syscall(
        ctypes.c_long(_ADD_KEY), b"user", name.encode(), payload, ctypes.c_size_t(len(payload)), _SESSION_KEYRING
    )
    if made > 0:
        libc.syscall(ctypes.c_long(_KEYCTL), _SET_PERMISSIONS, made, _EVERYBODY_MAY, 0, 0)
    try:
        yield
    finally:
        if made > 0:
            libc.syscall(ctypes.c_long(_KEYCTL), _UNLINK, made, _SESSION_KEYRING, 0, 0)
