"""Before a run begins: whether what it runs can be held (rule 3)."""

from __future__ import annotations

from mendel.contracts.errors import SandboxUnavailable
from mendel.contracts.run_config import RunConfig
from mendel.kernel.domain import Domain
from mendel.ports.sandbox import Sandbox


async def check_walls(domain: Domain, config: RunConfig, sandbox: Sandbox | None) -> None:
    """See that a sandboxed domain has a sandbox that is strong enough, or one whose weakness the run allows.

    Raises:
        SandboxUnavailable: naming what is missing.
    """
    if not domain.sandboxed:
        return
    if sandbox is None:
        raise SandboxUnavailable(f"the domain {domain.name} runs untrusted code, and there is no sandbox to run it in")
    isolation = await sandbox.isolation()
    if not isolation.adoptable and not config.allow_weak_sandbox:
        missing = ", ".join(f"{layer} ({why})" for layer, why in isolation.missing.items())
        raise SandboxUnavailable(
            f"the sandbox is too weak for the domain {domain.name}; missing: {missing}."
            " --allow-weak-sandbox goes on without; what it produces can never be adopted"
        )
