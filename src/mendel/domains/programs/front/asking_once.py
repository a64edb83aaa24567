"""Questions to models outside a run, each as a run would ask it; nothing is recorded, and everything is reported."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from mendel.breeding.code import Code, parsed
from mendel.console.evolvable import Invocation
from mendel.console.model_choices import counted, usd, worst_case
from mendel.console.session import Session
from mendel.contracts.errors import HandlerFailed, ModelCallFailed, ModelRequestRefused
from mendel.contracts.events.operation import Operation
from mendel.contracts.model_calls import AttemptRecord
from mendel.contracts.run_config import RunConfig
from mendel.contracts.work import Failure, Material, Work
from mendel.domains.programs.domain import ASK, Programs
from mendel.domains.programs.models import ProgramTask, ProgramTraits, payload, task_of
from mendel.kernel.beginning import with_models
from mendel.kernel.performing import perform_alone
from mendel.ports.model_gateway import usage_of
from mendel.ports.task_fabric import TaskFabric
from mendel.wiring import live_plan, open_run_fabric

Failed = HandlerFailed | ModelCallFailed | ModelRequestRefused
_STEP: Final = Programs.steps[ASK]
_PORTS: Final = ("sandbox", "models", "retriever")
"""No embedder: there is no population that an answer could be too similar to."""


@dataclass(frozen=True)
class Reply:
    """The result of one question: the changed main file, or why there is none, and every call that it took."""

    operator: str
    source: str
    note: str
    code: Code | None
    failed: Failed | None
    records: tuple[AttemptRecord, ...]

    @property
    def route(self) -> str:
        """The route of the last call, successful or not; empty without calls."""
        last = self.records[-1].provider if self.records else None
        return f"{last.provider}/{last.model_id}" if last is not None else ""

    def json(self) -> dict[str, JsonValue]:
        """Return the route and the resources used."""
        return {"route": self.route, **spent([self])}


def spent(replies: Iterable[Reply]) -> dict[str, JsonValue]:
    """Return the resources that questions used together."""
    records = [record for reply in replies for record in reply.records]
    usage = usage_of(records)
    return {
        "calls": len(records),
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "cost_microusd": usage.cost_microusd,
    }


def told(replies: Sequence[Reply]) -> str:
    """Return the same as a line of text."""
    records = [record for reply in replies for record in reply.records]
    usage = usage_of(records)
    names = ", ".join(dict.fromkeys(reply.route for reply in replies if reply.route)) or "no model"
    return (
        f"asked {names}: {counted(len(records), 'call')}, {usage.tokens_in:,} tokens in, {usage.tokens_out:,} out,"
        f" {usd(usage.cost_microusd)}"
    )


async def replies(session: Session, asked: Invocation[ProgramTask], operators: Sequence[str]) -> AsyncIterator[Reply]:
    """Ask one question per operator, all about the original; the maximum cost is announced before the first.

    Raises:
        MendelError: the function, the models or the sandbox do not permit any question.
    """
    models = live_plan(asked.settings)
    session.announce(worst_case(with_models(asked.plan.draft(), models), len(operators)))
    async with open_run_fabric(asked.settings, models, allow_weak=asked.weak) as fabric:
        if asked.weak:
            session.warn_if_weak(await fabric.isolation())
        config = with_models(await asked.config(session, fabric), models)
        for number, operator in enumerate(operators):
            yield await _reply(_work(config, operator, number), asked.plan.task.main, fabric)


def _work(config: RunConfig, operator: str, number: int) -> Work:
    """Return the question as an operation of that run, which itself never begins."""
    task = task_of(config)
    return Work(
        operation=Operation(
            id=f"mutate-{number}",
            step=ASK,
            kind="vary",
            subject_kind="run",
            subject_ids=("mutate",),
            operator=operator,
            entropy=(config.rng_seed, "mutate", number),
            allowance=_STEP.worst(config.models),
        ),
        material=Material(
            problem=config.problem,
            config=config.domain_config,
            parents=(payload(ProgramTraits(files=task.originals())),),
        ),
        models=config.models,
        ports=_PORTS,
    )


async def _reply(work: Work, main: str, fabric: TaskFabric) -> Reply:
    operator = work.operation.operator or ""
    outcome = await perform_alone(fabric, work, _STEP)
    if isinstance(outcome, Failure):
        error = outcome.error()  # only failures of a call belong to a reply; others end the command
        if not isinstance(error, (HandlerFailed, ModelCallFailed, ModelRequestRefused)):
            raise error
        return Reply(operator, "", str(error), None, error, outcome.calls)
    traits = ProgramTraits.model_validate(outcome.traits.data if outcome.traits is not None else {})
    code = parsed(traits.files[main], main)
    return Reply(operator, str(outcome.choices.get("site", "")), traits.note, code, None, outcome.calls)
