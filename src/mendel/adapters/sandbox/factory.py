"""The factory through which wiring opens the native sandbox."""

from __future__ import annotations

from mendel.adapters.sandbox.native import NativeSandbox
from mendel.ports.sandbox_context import SandboxContext


def open_sandbox(context: SandboxContext) -> NativeSandbox:
    """Open the native sandbox; it starts no process before its first use."""
    return NativeSandbox(
        workers=context.workers or None,
        allow_weak=context.allow_weak,
        allow_network=context.allow_network,
        allow_gpu=context.allow_gpu,
        allow_commands=context.allow_commands,
        use_bubblewrap=context.bubblewrap,
    )
