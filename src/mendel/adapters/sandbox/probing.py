"""Attempts at what each layer forbids, made by the zygote in a fork that has only that layer. Standard library only.

An attempt returns ``held`` if the layer stopped it, and otherwise a description of what was possible.
"""

from __future__ import annotations

import _socket
import mmap
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mendel.adapters.sandbox import kernel_calls as kernel
else:
    import kernel_calls as kernel

Order = dict[str, Any]
Confined = Callable[[], None]
"""Gives up the rights that the layer under test removes."""

HELD = "held"


def attempt(layer: str, order: Order, confined: Confined) -> str:
    """Make the attempt and describe its result."""
    try:
        return ATTEMPTS[layer](order, confined)
    except OSError as error:
        return f"the probe failed: {error}"


def _refused(act: Callable[[], object], what: str) -> str:
    try:
        act()
    except OSError:
        return HELD
    return what


def _mount(order: Order, _confined: Confined) -> str:
    if os.path.exists(order["host_file"]):
        return "a file of the host can be seen"
    return _refused(lambda: os.open("/mendel-was-here", os.O_WRONLY | os.O_CREAT), "the root can be written")


def _pid(order: Order, _confined: Confined) -> str:
    if os.getpid() != 1 or os.getppid() != 0:
        return "the fork is not the first process of a namespace"
    if order["host_pid"] == 1:  # Mendel is pid 1 of its own namespace: the fork would only find itself
        return HELD
    return _refused(lambda: os.kill(order["host_pid"], 0), "a process of the host can be signalled")


def _net(order: Order, _confined: Confined) -> str:
    def connect() -> None:
        reaching = _socket.socket()
        reaching.settimeout(1)
        reaching.connect(("127.0.0.1", order["host_port"]))

    return _refused(connect, "a server of the host can be reached")


def _seccomp(order: Order, confined: Confined) -> str:
    confined()
    if not order["network"] and _refused(_socket.socket, "") != HELD:
        return "a socket can be made"
    if order["commands"]:
        return _refused(lambda: kernel.unshare(kernel.NEW_UTS), "a namespace can be made")
    return _refused(lambda: kernel.clone(0), "a process can be made")


def _landlock(_order: Order, confined: Confined) -> str:
    confined()
    return _refused(lambda: os.listdir("/"), "the root can be listed")


def _rlimits(order: Order, confined: Confined) -> str:
    confined()
    return _refused(lambda: mmap.mmap(-1, 2 * order["memory_bytes"]), "more memory than allowed can be allocated")


def _privileges(_order: Order, confined: Confined) -> str:
    confined()
    if 0 in (os.getuid(), os.geteuid(), os.getgid(), os.getegid()):
        return "the fork runs as root"
    return _refused(lambda: kernel.mount("tmpfs", "/", "tmpfs", 0), "a file system can be mounted")


ATTEMPTS = {
    "mount": _mount,
    "pid": _pid,
    "net": _net,
    "seccomp": _seccomp,
    "landlock": _landlock,
    "rlimits": _rlimits,
    "privileges": _privileges,
}
