"""Builds the command with which bubblewrap sets up the same isolation as our own launcher."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from typing import Final

from mendel.adapters.sandbox.furniture import Furniture, interpreter
from mendel.adapters.sandbox.zygote_process import HERE, PYTHON_FLAGS

_INSIDE: Final = "/mendel"  # this folder's files inside the sandbox
_ID: Final = "65534"  # the uid and gid inside
_NAMESPACE_FLAGS: Final = {
    "user": "--unshare-user",
    "pid": "--unshare-pid",
    "net": "--unshare-net",
    "ipc": "--unshare-ipc",
    "uts": "--unshare-uts",
    "cgroup": "--unshare-cgroup",
}
NEEDED: Final = frozenset({"user", "mount", "pid"})
"""Layers that bubblewrap requires: it always makes a mount namespace, and is of little use without the others."""


def bubblewrap() -> str | None:
    """Return the path of bubblewrap, or None if it is not installed."""
    return shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin")


def bubblewrap_command(
    program: str, layers: Collection[str], furniture: Furniture, *, gpu: bool = False
) -> Sequence[str]:
    """Build the command that starts a zygote in bubblewrap; the caller appends the number of the setup's descriptor."""
    command = [program, *(flag for layer, flag in _NAMESPACE_FLAGS.items() if layer in layers)]
    command += ["--uid", _ID, "--gid", _ID, "--cap-add", "CAP_SYS_ADMIN", "--as-pid-1"]
    command += ["--hostname", "sandbox"] if "uts" in layers else []
    for source, target in furniture.binds:
        command += ["--dev-bind" if target in furniture.devices else "--ro-bind", source, target]
    command += ["--proc", "/proc"] if gpu else []
    for target, text in furniture.links:
        command += ["--symlink", text, target]
    for mask in furniture.masks:
        command += ["--tmpfs", mask, "--remount-ro", mask]
    command += ["--ro-bind", str(HERE), _INSIDE, "--ro-bind", interpreter(), interpreter()]
    command += ["--dir", "/tmp", "--chdir", "/", "--remount-ro", "/"]  # noqa: S108 - the inside's own  # nosec B108
    return [*command, "--", interpreter(), *PYTHON_FLAGS, f"{_INSIDE}/zygote.py"]
