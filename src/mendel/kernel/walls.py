"""Before a run begins: whether what it runs can be held (rule 3), and whether what its steps need is open."""

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
    """See that a sandboxed domain has walls that are strong enough, or whose weakness the run allows.

    Raises:
        SandboxUnavailable: naming what is missing.
    """
    if domain.sandboxed:
        await check_isolation(config, fabric)


async def check_isolation(config: RunConfig, fabric: TaskFabric | None) -> None:
    """See that the workers of a fabric can hold what the run executes.

    Raises:
        SandboxUnavailable: naming what is missing.
    """
    isolation = await fabric.isolation() if fabric is not None else None
    if isolation is None:
        raise SandboxUnavailable(
            f"the domain {config.domain} runs untrusted code, and there is no sandbox to run it in"
        )
    if not isolation.adoptable and not config.allow_weak_sandbox:
        missing = ", ".join(f"{layer} ({why})" for layer, why in isolation.missing.items())
        raise SandboxUnavailable(
            f"the sandbox is too weak for the domain {config.domain}; missing: {missing}."
            " --allow-weak-sandbox goes on without; what it produces can never be adopted"
        )


async def check_ports(domain: Domain, config: RunConfig, opened: Collection[str], patience_s: float) -> None:
    """See that every port is open that a step of the run cannot do without.

    Steps of operators that the run does not have are never performed, and need nothing, nor do their children.

    Raises:
        RunRefused: naming the step, the port, and the setting that opens it.
    """
    lacking = [(name, port) for name, step in domain.steps.items() for port in step.ports if port not in opened]
    if not lacking:
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
