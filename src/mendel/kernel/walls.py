"""Checks before a run starts: isolation for its untrusted code (rule 3), and open ports for its steps."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from mendel.contracts.errors import RunRefused, SandboxUnavailable
from mendel.contracts.run_config import RunConfig
from mendel.kernel.asking import Asked
from mendel.kernel.domain import Domain
from mendel.kernel.domain_thread import DomainThread
from mendel.ports.handlers import how_to_open
from mendel.ports.task_fabric import TaskFabric


async def check_walls(domain: Domain, config: RunConfig, fabric: TaskFabric | None) -> None:
    """Check that a sandboxed domain has a strong sandbox, or that the run allows a weak one.

    Raises:
        SandboxUnavailable: it has not; the message names the missing layers.
    """
    if domain.sandboxed:
        await check_isolation(config, fabric)


async def check_isolation(config: RunConfig, fabric: TaskFabric | None) -> None:
    """Check that the workers of a fabric can isolate the run's code.

    Raises:
        SandboxUnavailable: they cannot; the message names the missing layers.
    """
    isolation = await fabric.isolation() if fabric is not None else None
    if isolation is None:
        raise SandboxUnavailable(f"the domain {config.domain} runs untrusted code, and no sandbox is available")
    if not isolation.adoptable and not config.allow_weak_sandbox:
        missing = ", ".join(f"{layer} ({why})" for layer, why in isolation.missing.items())
        raise SandboxUnavailable(
            f"the sandbox is too weak for the domain {config.domain}; missing: {missing}."
            " --allow-weak-sandbox runs without them; its results can never be adopted"
        )


async def check_ports(domain: Domain, config: RunConfig, opened: Collection[str], patience_s: float) -> None:
    """Check that every port required by a step of the run is open.

    The steps of operators that the run does not use are never performed, and neither are their children: their ports
    are not required.

    Raises:
        RunRefused: a port is missing; the message names the step, the port, and the setting that opens it.
    """
    lacking = [(name, port) for name, step in domain.steps.items() for port in step.ports if port not in opened]
    if not lacking:  # the usual case, decided without the domain's code
        return
    idle = await _idle_steps(domain, config, patience_s)
    for name, port in lacking:
        if name not in idle:
            raise RunRefused(f"the step {name} needs the port {port}, which is not open: {how_to_open(port)}")


async def _idle_steps(domain: Domain, config: RunConfig, patience_s: float) -> set[str]:
    thread = DomainThread(domain.name, lambda: f"domain {domain.name}: operators_for", patience_s)
    try:
        ways = await thread.call(partial(Asked(domain).operators_for, config))
    finally:
        thread.close()
    idle = {each.step for each in domain.operators} - {each.step for each in ways}
    asked = {child for name, step in domain.steps.items() if name not in idle for child in step.children}
    return idle | ({child for name in idle for child in domain.steps[name].children} - asked)
