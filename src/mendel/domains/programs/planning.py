"""From the task of a function to its run."""

from __future__ import annotations

from mendel.bench.archives import archive_for
from mendel.bench.objectives import target_of
from mendel.bench.planning import Plan, Search, Terms
from mendel.bench.preparing import measured
from mendel.contracts.energy import EnergyCosts
from mendel.contracts.run_config import RunConfig
from mendel.domains.programs.domain import Programs
from mendel.domains.programs.models import ProgramTask, payload


def plan(task: ProgramTask, seed: int, search: Search, asked_caps: frozenset[str] = frozenset()) -> Plan[ProgramTask]:
    """The run of a task as far as reading tells it."""
    return Plan(task, seed, search, _terms, measured, asked_caps=asked_caps)


def planned(task: ProgramTask, seed: int, search: Search) -> RunConfig:
    """The run of a task.

    Raises:
        ConfigError: its target or its archive cannot be.
    """
    return plan(task, seed, search).draft()


def _terms(task: ProgramTask, search: Search) -> Terms:
    return Terms(
        task=payload(task.model_copy(update={"asks_models": search.models})),
        problem=f"{task.path}:{task.function}",
        policy=Programs.policy.version,
        weights={str(name): weight for name, weight in task.objectives.items()},
        timed="speed" in task.objectives,
        target=target_of(search.bounds.target, task),
        energy_costs=EnergyCosts(cpu_basis="opcodes" if "opcodes" in task.objectives else "cpu_ms"),
        archive=archive_for(task, search.archive) if search.archive is not None else None,
    )
