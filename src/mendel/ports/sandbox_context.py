"""The context from which a sandbox is opened; plug-ins of the group ``mendel.sandboxes`` are such openers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mendel.ports.sandbox import Sandbox


@dataclass(frozen=True)
class SandboxContext:
    """The number of programs that run at once (0: one per core), and the permissions of the run."""

    workers: int = 0
    allow_weak: bool = False
    allow_network: bool = False
    allow_gpu: bool = False
    bubblewrap: bool = True
    allow_commands: bool = False


OpenSandbox = Callable[[SandboxContext], Sandbox]
