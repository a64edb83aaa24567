"""The setting of the model suites: providers that follow a script, and a sample schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from pydantic import Field

from mendel.contracts.base import Contract
from mendel.contracts.model_calls import AttemptRecord, CallLimits, FailureReason
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRole, ModelRoute, Price
from mendel.ports.model_gateway import Check, ModelGateway, ModelRequest
from mendel.ports.model_wire import WireAnswer, WireFailed, WireUsage

FIRST: Final = "first"
SECOND: Final = "second"
"""Names of the providers that the suite uses."""
ROLE: Final[ModelRole] = "critic"
PRICE: Final = Price(input_microusd=1_000_000, output_microusd=3_000_000)
"""An input token costs a millionth of a dollar, an output token three."""
PATIENT: Final = CallLimits(prompt_bytes=20_000, tokens_out=500)
HASTY: Final = PATIENT.model_copy(update={"timeout_ms": 400})
"""For providers that never answer."""
TOLD: Final = WireUsage(tokens_in=30, tokens_out=12)

Turn = WireAnswer | WireFailed
"""A provider's response to one HTTP call."""


class Review(Contract):
    """The output that the suite requests from models."""

    score: Annotated[int, Field(ge=0, le=10)]
    why: str


GOOD: Final = '{"score": 7, "why": "it is short"}'
GOOD_REVIEW: Final = Review(score=7, why="it is short")

WRONG: Final[Mapping[str, str]] = {
    "empty": "",
    "words": "I would say seven.",
    "cut": '{"score": 7, "why": "it is sh',
    "cut in a fence": '```json\n{"score": 7, "why": "it is short"',
    "another type": '{"score": "high", "why": "it is short"}',
    "out of range": '{"score": 11, "why": "it is short"}',
    "a key too few": '{"score": 7}',
    "a key too many": '{"score": 7, "why": "it is short", "passed": true}',
    "a key twice": '{"score": 7, "score": 10, "why": "it is short"}',
    "two objects": '{"score": 7, "why": "it is short"}\n{"score": 10, "why": "no, it is long"}',
    "two fences": f"```json\n{GOOD}\n```\nor\n```json\n{GOOD}\n```",
    "a list of them": f"[{GOOD}]",
    "no number": '{"score": NaN, "why": "it is short"}',
    "single quotes": "{'score': 7, 'why': 'it is short'}",
    "very deep": "[" * 100_000,
    "a very long number": '{"score": ' + "9" * 5_000 + ', "why": "it is short"}',
}
"""Answers of which nothing may be accepted."""

FITTING: Final[Mapping[str, str]] = {
    "bare": GOOD,
    "white space": f"\n\n  {GOOD}\n",
    "fenced": f"```json\n{GOOD}\n```",
    "fenced without a name": f"```\n{GOOD}\n```",
    "words before": f"Here is my review:\n\n{GOOD}",
    "words after": f"{GOOD}\n\nI hope that this helps.",
    "words and a fence": f"Here it is.\n```json\n{GOOD}\n```\nGood luck.",
}
"""Answers with an unambiguous meaning."""

SEVEN: Final = Check("seven", lambda text: () if "seven" in text else ("it does not say seven",))
"""A check for answers without a schema."""


def answer(text: str, *, usage: WireUsage = TOLD, cut: bool = False, refused: bool = False) -> WireAnswer:
    """Return a provider's answer."""
    return WireAnswer(text, "model", request_id="request-1", usage=usage, cut=cut, refused=refused)


def failure(reason: FailureReason, *, retry_after_s: float | None = None) -> WireFailed:
    """Return a provider's failure."""
    return WireFailed(reason, f"as the script says: {reason}", retry_after_s=retry_after_s)


def source(provider: str, model_id: str = "model") -> Source:
    """Return a source of that provider."""
    return Source(name=provider, route=ModelRoute(provider=provider, model_id=model_id), price=PRICE)


def plan_of(
    *providers: str, fallback: str | None = None, retries: int = 2, limits: CallLimits = PATIENT, role: ModelRole = ROLE
) -> ModelPlan:
    """Return a plan with one role, which these providers play."""
    played = RolePlan(
        sources=tuple(map(source, providers)),
        fallback=source(fallback) if fallback is not None else None,
        retries=retries,
        limits=limits,
    )
    return ModelPlan(roles={role: played})


def review_request(text: str = "Judge this.", role: ModelRole = ROLE) -> ModelRequest:
    """Return a question for a review."""
    return ModelRequest.prompt(role, text, output=Review)


def made(records: Sequence[AttemptRecord]) -> list[AttemptRecord]:
    """Return the records of actual HTTP calls: one without enough allowance may be recorded, but was not made."""
    return [record for record in records if record.failure != "over_allowance"]


class ModelStage(ABC):
    """Opens the gateway under test on scripted providers. It has the key ``key``, which must not appear anywhere."""

    key: str = "canary-0f8b2c64d1e97a35"

    @abstractmethod
    async def open(self, plan: ModelPlan, script: Mapping[str, Sequence[Turn]]) -> ModelGateway:
        """Open the gateway; its providers are those of the script and take one turn for each HTTP call.

        A provider with no turns left fails in any way. Waiting between retries may be omitted.
        """

    @abstractmethod
    def asked(self, provider: str) -> Sequence[str]:
        """Return the content of every HTTP call to the provider, in order: its messages' texts, joined by newlines."""
