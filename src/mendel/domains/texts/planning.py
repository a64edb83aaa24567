"""From the task of texts to its run."""

from __future__ import annotations

from typing import Final

from mendel.bench.bounds import fitness_of
from mendel.bench.planning import Plan, Search, Terms
from mendel.contracts.run_config import RunConfig
from mendel.domains.texts.bench import SCORE
from mendel.domains.texts.domain import Texts
from mendel.domains.texts.models import TextTask, payload
from mendel.domains.texts.preparing import measured

_HARD_S: Final = 1_800.0
"""Commands take long, and so does hearing what stands before the gate to its end."""


def plan(task: TextTask, seed: int, search: Search, asked_caps: frozenset[str] = frozenset()) -> Plan[TextTask]:
    """The run of a task as far as reading tells it."""
    return Plan(task, seed, search, _terms, measured, commands=True, asked_caps=asked_caps)


def planned(task: TextTask, seed: int, search: Search) -> RunConfig:
    """The run of a task.

    Raises:
        ConfigError: its target cannot be.
    """
    return plan(task, seed, search).draft()


def _terms(task: TextTask, search: Search) -> Terms:
    return Terms(
        task=payload(task.model_copy(update={"asks_models": search.models})),
        problem=task.path,
        policy=Texts.policy.version,
        weights={task.objective: 1.0},
        timed=True,  # whatever counts, a command keeps a core busy
        target=fitness_of(search.bounds.target, scored=task.objective == SCORE, sign=task.sign),
        hard_s=_HARD_S,
    )
