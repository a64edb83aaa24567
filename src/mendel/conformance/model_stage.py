"""What the contract suites of models are played on: providers that do as a script says, and a sample schema."""

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
"""Names of the providers that the suite asks for."""
ROLE: Final[ModelRole] = "critic"
PRICE: Final = Price(input_microusd=1_000_000, output_microusd=3_000_000)
"""A token in costs a millionth of a dollar, a token out three."""
PATIENT: Final = CallLimits(prompt_bytes=20_000, tokens_out=500)
HASTY: Final = PATIENT.model_copy(update={"timeout_ms": 400})
"""For providers that never answer."""
TOLD: Final = WireUsage(tokens_in=30, tokens_out=12)

Turn = WireAnswer | WireFailed
"""What a provider does with one HTTP call."""


class Review(Contract):
    """What the suite asks models for."""

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
"""Answers whose meaning is beyond doubt."""

SEVEN: Final = Check("seven", lambda text: () if "seven" in text else ("it does not say seven",))
"""What an answer without a schema can be held to."""


def answer(text: str, *, usage: WireUsage = TOLD, cut: bool = False, refused: bool = False) -> WireAnswer:
    """A provider's answer."""
    return WireAnswer(text, "model", request_id="request-1", usage=usage, cut=cut, refused=refused)


def failure(reason: FailureReason, *, retry_after_s: float | None = None) -> WireFailed:
    """A provider's failure."""
    return WireFailed(reason, f"as the script says: {reason}", retry_after_s=retry_after_s)


def source(provider: str, model_id: str = "model") -> Source:
    """A source of that provider."""
    return Source(name=provider, route=ModelRoute(provider=provider, model_id=model_id), price=PRICE)


def plan_of(
    *providers: str, fallback: str | None = None, retries: int = 2, limits: CallLimits = PATIENT, role: ModelRole = ROLE
) -> ModelPlan:
    """A plan of one role, which these providers play."""
    played = RolePlan(
        sources=tuple(map(source, providers)),
        fallback=source(fallback) if fallback is not None else None,
        retries=retries,
        limits=limits,
    )
    return ModelPlan(roles={role: played})


def review_request(text: str = "Judge this.", role: ModelRole = ROLE) -> ModelRequest:
    """A question for a review."""
    return ModelRequest.prompt(role, text, output=Review)


def made(records: Sequence[AttemptRecord]) -> list[AttemptRecord]:
    """The records of HTTP calls: one that was not made for want of allowance may be recorded too, and is none."""
    return [record for record in records if record.failure != "over_allowance"]


class ModelStage(ABC):
    """Opens the gateway under test on scripted providers. ``key`` was given to it, and must not be seen anywhere."""

    key: str = "canary-0f8b2c64d1e97a35"

    @abstractmethod
    async def open(self, plan: ModelPlan, script: Mapping[str, Sequence[Turn]]) -> ModelGateway:
        """The gateway, whose providers are those of the script and take one turn for each HTTP call.

        A provider whose turns are over fails, in any way. Waiting between retries may be left out.
        """

    @abstractmethod
    def asked(self, provider: str) -> Sequence[str]:
        """What every HTTP call to the provider said, in their order: the texts of its messages joined by lines."""
