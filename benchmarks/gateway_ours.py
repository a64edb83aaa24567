"""Our side of ``gateway``: ``python -m benchmarks.gateway_ours URL``; orders and answers are those of ``gateway_load``.

It uses the live gateway on the OpenAI-compatible wire as set up by the wiring. As in an operation of a run, each
question goes through :class:`~mendel.ports.model_gateway.RecordingModels` with its plan and its budget: question and
answer are searched for secrets, the worst case of an attempt is reserved before it and settled afterwards, the answer
is validated, and every call is recorded.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from benchmarks.peers.gateway_load import KEY, MODEL, TOKENS_OUT, Ask, Review, messages, serve
from mendel.adapters.models.live import LiveGateway
from mendel.adapters.models.openai_wire import open_wire
from mendel.contracts.model_calls import CallLimits, Message
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRole, ModelRoute, Price
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_gateway import Budget, ModelRequest, RecordingModels
from mendel.ports.model_wire import ModelWire, WireContext
from mendel.ports.observing import NOBODY, Watched

PROVIDER: Final = "openai"
ROLE: Final[ModelRole] = "critic"
_PRICE: Final = Price(input_microusd=1_000_000, output_microusd=4_000_000)
_BUDGET: Final = 10_000_000


def plan() -> ModelPlan:
    """Return a plan with one role and one model with a known price."""
    source = Source(name="bench", route=ModelRoute(provider=PROVIDER, model_id=MODEL), price=_PRICE)
    return ModelPlan(roles={ROLE: RolePlan(sources=(source,), limits=CallLimits(tokens_out=TOKENS_OUT))})


def open_gateway(url: str) -> LiveGateway:
    """Open the gateway to the server with this OpenAI base URL."""

    def wire(provider: str) -> ModelWire:
        return open_wire(WireContext(provider, base_url=url, api_key=KEY))

    return LiveGateway(plan(), wire, scrubber=Scrubber(), observer=Watched(NOBODY))


def asking(gateway: LiveGateway) -> Ask:
    """Return a function that sends a question as a separate operation; it must leave exactly one record."""
    recorded = plan()

    async def ask(number: int) -> bool:
        models = RecordingModels(gateway, plan=recorded, budget=Budget(_BUDGET, _BUDGET))
        said = tuple(Message.model_validate(each) for each in messages(number))
        response = await models.ask(ModelRequest(role=ROLE, messages=said, output=Review))
        return isinstance(response.output, Review) and len(models.records) == 1

    return ask


async def main(url: str) -> None:
    """Serve orders."""
    async with open_gateway(url) as gateway:
        await serve({"ask": asking(gateway)}, ("httpx2",))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
