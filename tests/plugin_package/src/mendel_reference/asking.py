"""The reference domain's questions to a model, and the procedure that plays that model offline."""

from __future__ import annotations

import json

from mendel.contracts.errors import HandlerFailed
from mendel.contracts.model_calls import Message
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.work import Answer, Work
from mendel.ports.handlers import Ports
from mendel.ports.model_gateway import ModelRequest
from mendel_reference.models import Point, wrapped


class Bell:
    """A port of this package's own, opened by whoever conducts its runs."""

    def __init__(self) -> None:
        self.rung = 0

    def ring(self) -> None:
        """Ring."""
        self.rung += 1


async def mutator(messages: tuple[Message, ...]) -> str | None:
    """Every coordinate, a third nearer to nought; None where the question shows no point."""
    try:
        point = Point.model_validate_json(messages[-1].content)
    except ValueError:
        return None
    return json.dumps({"values": [value * 2 / 3 for value in point.values]})


async def wonder(work: Work, ports: Ports) -> Answer:
    """Another point as the mutator says, with its looks and what was read about it; a bell rings where there is one."""
    moved = await _asked(work.material.parents[0], ports)
    text = " ".join(f"{value:.2f}" for value in moved.values)
    embedded = await ports.embedder.embed([text])
    read = await ports.retriever.retrieve("search and evolution")
    if ports.has("bell"):
        ports.get("bell", Bell).ring()
    return Answer(traits=wrapped(moved), looks=embedded.vectors[0].record(text), choices={"read": len(read.passages)})


async def consult(work: Work, ports: Ports) -> Answer:
    """As :func:`wonder`; the mutator is asked by a child operation."""
    found = await ports.children.perform("reference.counsel", work.material.parents[0], index=0)
    return Answer(traits=found.findings)


async def counsel(work: Work, ports: Ports) -> Answer:
    """One question to the mutator."""
    if work.operation.inputs is None:
        raise HandlerFailed("no_inputs", "there is nothing to counsel on")
    return Answer(findings=wrapped(await _asked(work.operation.inputs, ports)))


async def _asked(point: DomainPayload, ports: Ports) -> Point:
    question = Point.model_validate(point.data).model_dump_json()
    response = await ports.models.ask(ModelRequest.prompt("mutator", question, output=Point))
    if not isinstance(response.output, Point):
        raise HandlerFailed("no_point", "the mutator answered with no point")
    return response.output
