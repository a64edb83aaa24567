"""Fan-out: one question to several sources of an ensemble at once, and a chooser that selects one answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel

from mendel.contracts.canonical import canonical
from mendel.contracts.errors import ModelCallFailed
from mendel.contracts.model_plans import ChooserName
from mendel.contracts.providers import ModelRoute
from mendel.ports.model_gateway import ModelGateway, ModelRequest, ModelResponse


@dataclass(frozen=True, slots=True)
class Fanned:
    """The answers of several sources, in route order. ``chosen`` is the selected one, ``route`` its route.

    ``failed`` contains the errors of sources without an answer, with their routes. A rejected answer is among the
    ``answers`` and is never chosen.
    """

    chosen: ModelResponse | None
    answers: tuple[ModelResponse, ...]
    failed: tuple[tuple[ModelRoute, ModelCallFailed], ...] = ()
    route: ModelRoute | None = None


Chooser = Callable[[Sequence[ModelResponse]], int]
"""Returns the index of the answer that counts, given at least one accepted answer. Pure, and blind to the sources."""


async def fan_out(
    models: ModelGateway, request: ModelRequest, routes: Sequence[ModelRoute], chooser: Chooser
) -> Fanned:
    """Send the request to every route at once; each is a separate question with its own retries, repair and records.

    Raises:
        ValueError: there is no route, or the chooser returns an index out of range.
        ModelCallFailed: no source answered; the error is that of the first route.
    """
    if not routes:
        raise ValueError("a fan-out needs at least one route")
    asked = await asyncio.gather(*(_asked(models, replace(request, route=route)) for route in routes))
    answers = tuple(each for each in asked if isinstance(each, ModelResponse))
    failed = tuple(
        (route, each) for route, each in zip(routes, asked, strict=True) if isinstance(each, ModelCallFailed)
    )
    if not answers:
        raise failed[0][1]
    pairs = zip(routes, asked, strict=True)
    accepted = [(route, each) for route, each in pairs if isinstance(each, ModelResponse) and each.accepted]
    if not accepted:
        return Fanned(None, answers, failed)
    route, chosen = accepted[_chosen([each for _, each in accepted], chooser)]
    return Fanned(chosen, answers, failed, route)


async def _asked(models: ModelGateway, request: ModelRequest) -> ModelResponse | ModelCallFailed:
    try:
        return await models.ask(request)
    except ModelCallFailed as error:
        return error


def _chosen(accepted: Sequence[ModelResponse], chooser: Chooser) -> int:
    place = chooser(accepted)
    if not 0 <= place < len(accepted):
        raise ValueError(f"the chooser returned the index {place} for {len(accepted)} answers")
    return place


def first(answers: Sequence[ModelResponse]) -> int:  # noqa: ARG001 - their content does not matter
    """Choose the first accepted answer: the order of the routes is an order of trust."""
    return 0


def most_agreed(answers: Sequence[ModelResponse]) -> int:
    """Choose the most frequent answer, compared to the letter; among equally frequent ones, the earliest."""
    spelled = [_spelled(answer) for answer in answers]
    counts = Counter(spelled)
    return max(range(len(spelled)), key=lambda place: (counts[spelled[place]], -place))


def best_by(score: Callable[[ModelResponse], float]) -> Chooser:
    """Return a chooser that takes the highest score; among equal ones, the earliest."""

    def choose(answers: Sequence[ModelResponse]) -> int:
        scores = [score(answer) for answer in answers]
        return max(range(len(scores)), key=lambda place: (scores[place], -place))

    return choose


CHOOSERS: Final[Mapping[ChooserName, Chooser]] = MappingProxyType({"first": first, "most_agreed": most_agreed})
"""The choosers that a plan can name."""


def _spelled(answer: ModelResponse) -> bytes:
    output = answer.output
    return canonical(output.model_dump(mode="json")) if isinstance(output, BaseModel) else str(output).encode()
