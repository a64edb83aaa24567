"""Probes of the kernel features that the native sandbox requires; each is tried in a child process."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mendel.adapters.host import commands
from mendel.contracts.diagnostics import Probe

SANDBOX: Final = "running untrusted code in the native sandbox"
_CHILD: Final = Path(__file__).with_name("kernel_child.py")
_NEW_KERNEL: Final = (
    "run on Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK=y and landlock in the lsm= boot parameter"
)

# From this version on, rules also cover truncation; before, a program could empty any file it could open.
_LANDLOCK_WITH_TRUNCATE: Final = 3

_USER_NAMESPACE_SWITCHES: Final = (
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    ("kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    ("user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=15000"),
)


def namespaces() -> Probe:
    """Report which kinds of namespace an unprivileged process can enter."""
    results = _tried("namespaces", "user")
    working = [kind for kind, result in results.items() if result == "ok"]
    failing = [f"{kind} ({result})" for kind, result in results.items() if result != "ok"]
    usable = "user" in working
    detail = f"usable: {', '.join(working) or 'none'}"
    return Probe(
        name="namespaces",
        status="missing" if not usable else "limited" if failing else "ok",
        detail=f"{detail}; not usable: {', '.join(failing)}" if failing else detail,
        remedy=_namespace_remedy(Path("/proc/sys")) if failing else None,
        needed_for=SANDBOX,
    )


def seccomp() -> Probe:
    """Report whether a system call filter can be installed."""
    result = _tried("seccomp", "filter")["filter"]
    works = result == "ok"
    return Probe(
        name="seccomp",
        status="ok" if works else "missing",
        detail="a filter can be installed" if works else f"no filter can be installed: {result}",
        remedy=None if works else "use a kernel with CONFIG_SECCOMP_FILTER=y; in a container allow prctl(2)",
        needed_for=SANDBOX,
    )


def landlock() -> Probe:
    """Report the available version of Landlock."""
    abi = _tried("landlock", "abi")["abi"]
    if not abi.isdigit():
        return Probe(
            name="landlock",
            status="missing",
            detail=f"not available: {abi}",
            remedy=_NEW_KERNEL,
            needed_for=SANDBOX,
        )
    complete = int(abi) >= _LANDLOCK_WITH_TRUNCATE
    return Probe(
        name="landlock",
        status="ok" if complete else "limited",
        detail=f"ABI {abi}" if complete else f"ABI {abi}, which cannot forbid truncating files",
        remedy=None if complete else "run on Linux 6.2 or newer",
        needed_for=SANDBOX,
    )


def usable() -> Mapping[str, str]:
    """Map each kind of namespace, seccomp and Landlock to "ok" or to the reason why it is unavailable."""
    version = _tried("landlock", "abi")["abi"]
    found = {**_tried("namespaces", "user"), "seccomp": _tried("seccomp", "filter")["filter"]}
    return {**found, "landlock": "ok" if version.isdigit() else version}


def _tried(feature: str, chief: str) -> Mapping[str, str]:
    """Return the child's result for each part of a feature; if the child failed, the reason is under ``chief``."""
    answer = commands.ask([sys.executable, "-I", "-S", str(_CHILD), feature], {})
    try:
        results = json.loads(answer.line) if answer.succeeded else None
    except ValueError:
        results = None
    if not isinstance(results, dict):
        return {chief: answer.line}
    return {chief: "no answer"} | {str(part): str(result) for part, result in results.items()}


def _namespace_remedy(sysctls: Path) -> str:
    for name, closed, command in _USER_NAMESPACE_SWITCHES:
        if _content(sysctls / name) == closed:
            return f"as root: {command}"
    return "in a container, run it with --security-opt seccomp=unconfined; otherwise use a newer kernel"


def _content(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None
