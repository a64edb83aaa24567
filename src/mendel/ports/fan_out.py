"""Fan-out: one question to several sources of an ensemble at once, and a chooser that says whose answer counts."""

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
    """What several sources answered, in the order in which they were asked; ``chosen`` is the one that counts.

    ``route`` is whose it is. ``failed`` are those who did not answer, by their route. A rejected answer is among the
    ``answers``, and never chosen.
    """

    chosen: ModelResponse | None
    answers: tuple[ModelResponse, ...]
    failed: tuple[tuple[ModelRoute, ModelCallFailed], ...] = ()
    route: ModelRoute | None = None


Chooser = Callable[[Sequence[ModelResponse]], int]
"""Which of some accepted answers counts, by its place; there is at least one. Pure, and blind to who gave it."""


async def fan_out(
    models: ModelGateway, request: ModelRequest, routes: Sequence[ModelRoute], chooser: Chooser
) -> Fanned:
    """Ask every route at once; each is a question of its own, with its retries, its repair and its records.

    Raises:
        ValueError: there is no route, or the chooser names an answer that there is not.
        ModelCallFailed: nobody answered; the reason is the first one's.
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
        raise ValueError(f"the chooser names answer {place} of {len(accepted)}")
    return place


def first(answers: Sequence[ModelResponse]) -> int:  # noqa: ARG001 - whatever they say
    """The first route's that was accepted: the order of the routes is an order of trust."""
    return 0


def most_agreed(answers: Sequence[ModelResponse]) -> int:
    """The answer that most of them gave, to the letter; of equally many, the earliest."""
    spelled = [_spelled(answer) for answer in answers]
    counts = Counter(spelled)
    return max(range(len(spelled)), key=lambda place: (counts[spelled[place]], -place))


def best_by(score: Callable[[ModelResponse], float]) -> Chooser:
    """A chooser that takes the highest score; of equal ones, the earliest."""

    def choose(answers: Sequence[ModelResponse]) -> int:
        scores = [score(answer) for answer in answers]
        return max(range(len(scores)), key=lambda place: (scores[place], -place))

    return choose


CHOOSERS: Final[Mapping[ChooserName, Chooser]] = MappingProxyType({"first": first, "most_agreed": most_agreed})
"""Those that a plan can name."""


def _spelled(answer: ModelResponse) -> bytes:
    output = answer.output
    return canonical(output.model_dump(mode="json")) if isinstance(output, BaseModel) else str(output).encode()
