"""Probe every model route with one small question."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from mendel.contracts.errors import ConfigError, ModelCallFailed, ModelRequestRefused
from mendel.contracts.model_calls import AttemptRecord, Verdict
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRole
from mendel.ports.account import Account
from mendel.ports.model_gateway import OTHER_PORTS, ModelRequest, ModelResponse, usage_of
from mendel.ports.offline_roles import PROVIDER as OFFLINE
from mendel.ports.progress import Progress
from mendel.settings import Settings
from mendel.wiring import open_models, route_embedder

if TYPE_CHECKING:  # brings numpy
    from mendel.ports.embedder import Embedder

Use = Literal["source", "fallback"]

AT_ONCE: Final = 8  # concurrent probes
_QUESTION: Final = (
    "This is a test of whether you can be reached. Gregor Mendel counted 5474 round and 1850 wrinkled peas. How many"
    " did he count in all? Answer in JSON: `total` is the number, `words` says it in one short sentence."
)
_WORD: Final = "pea"


class Counted(BaseModel):  # its docstring is part of the schema that models receive
    """What the question wants; whether the sum is right is not what is tested."""

    model_config = ConfigDict(extra="forbid")

    total: int = Field(description="How many peas he counted in all.")
    words: str = Field(description="The same in one short sentence.")


@dataclass(frozen=True, slots=True)
class Question:
    """One route to probe, with a plan of its role that contains only this route."""

    role: ModelRole
    source: Source
    use: Use
    plan: RolePlan


@dataclass(frozen=True, slots=True)
class Check:
    """The result of a probe; ``estimated`` usage is the worst case, because the provider reported none."""

    role: ModelRole
    route: str
    use: Use
    outcome: Verdict | Literal["failed"]
    reason: str | None
    message: str
    calls: int
    latency_ms: int
    tokens_in: int
    tokens_out: int
    cost_microusd: int
    estimated: bool

    @property
    def fine(self) -> bool:
        """Whether the route is usable."""
        return self.outcome in ("accepted", "repaired")

    def json(self) -> dict[str, JsonValue]:
        """The result as JSON."""
        return asdict(self)


def questions(plan: ModelPlan) -> Iterator[Question]:
    """Yield one question per route, including fallbacks, and one embedding request.

    Offline routes are skipped: their procedures need no network and answer only their own questions.
    """
    for role, role_plan in plan.roles.items():
        if role == "embedding":  # its fallback is a local embedder, not a route
            yield Question(role, role_plan.sources[0], "source", _alone(role_plan, role_plan.sources[0]))
        if role in OTHER_PORTS:
            continue
        for source in role_plan.sources:
            if source.route.provider != OFFLINE:
                yield Question(role, source, "source", _alone(role_plan, source))
        if role_plan.fallback is not None and role_plan.fallback.route.provider != OFFLINE:
            yield Question(role, role_plan.fallback, "fallback", _alone(role_plan, role_plan.fallback))


def _alone(plan: RolePlan, source: Source) -> RolePlan:
    return plan.model_copy(update={"sources": (source,), "fallback": None})  # so that no other route can answer


async def check_all(settings: Settings, asked: Sequence[Question], progress: Progress) -> list[Check]:
    """Probe routes concurrently; results are in the order of the questions."""
    free = asyncio.Semaphore(AT_ONCE)
    done = 0

    async def one(question: Question) -> Check:
        nonlocal done
        async with free:
            found = await _asked(settings, question)
        done += 1
        progress(done)
        return found

    return await asyncio.gather(*map(one, asked))


async def _asked(settings: Settings, question: Question) -> Check:
    plan = ModelPlan(roles={question.role: question.plan})
    if question.role == "embedding":
        return await _embedded(settings, question, plan)
    async with open_models(settings, plan=plan) as models:
        try:
            response = await models.ask(ModelRequest.prompt(question.role, _QUESTION, output=Counted))
        except ModelCallFailed as error:
            told = error.records[-1].message if error.records else str(error)  # the last attempt is the telling one
            return _check(question, "failed", error.reason, told, error.records)
        except ModelRequestRefused as error:
            return _check(question, "failed", error.code, str(error), ())
    return _answered(question, response)


async def _embedded(settings: Settings, question: Question, plan: ModelPlan) -> Check:
    """Probe an embedding route with one word; its vector must have the configured dimension."""
    account = Account()
    try:
        async with _route_embedder(settings, plan) as embedder:
            await embedder.on_account(account).embed([_WORD])
    except ModelCallFailed as error:
        told = (error.records[-1].message if error.records else "") or str(error)
        return _check(question, "failed", error.reason, told, error.records)
    except ConfigError as error:
        return _check(question, "failed", error.code, str(error), ())
    return _check(question, "accepted", None, f"a vector of {embedder.dimension} numbers", tuple(account.records))


def _route_embedder(settings: Settings, plan: ModelPlan) -> Embedder:
    embedder = route_embedder(settings, plan=plan)
    if embedder is None:
        raise ConfigError("llm.routes.embedding: no route plays this role; set its provider and model")
    return embedder


def _answered(question: Question, response: ModelResponse) -> Check:
    reason = None if response.accepted else "output_schema_rejected"
    message = "; ".join(response.complaints)
    return _check(question, response.outcome, reason, message, response.records)


def _check(
    question: Question,
    outcome: Verdict | Literal["failed"],
    reason: str | None,
    message: str,
    records: tuple[AttemptRecord, ...],
) -> Check:
    usage = usage_of(records)
    return Check(
        role=question.role,
        route=str(question.source.route),
        use=question.use,
        outcome=outcome,
        reason=reason,
        message=message,
        calls=len(records),
        latency_ms=sum(record.provider.latency_ms or 0 for record in records),  # of all attempts together
        tokens_in=usage.tokens_in,
        tokens_out=usage.tokens_out,
        cost_microusd=usage.cost_microusd,
        estimated=any(record.estimated for record in records),
    )
