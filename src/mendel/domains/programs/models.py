"""What the programs domain records: the task of a run, a genome's sources, and what examinations found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import Field

from mendel.bench.records import (
    Audited,
    Checked,
    Duelled,
    FunctionTask,
    Repair,
    SourceContent,
    SourceTraits,
    TaskOf,
    Timed,
    recorded,
)
from mendel.contracts.base import Contract, Name, Share
from mendel.contracts.payloads import DomainPayload

DOMAIN: Final = "programs"
MODEL_SHARE: Final = 0.25
SAME_LOOKS: Final = 0.9995
"""By n-grams, changing one sign of two kilobytes is below this; programs that differ in their names only are twins,
and need no vectors to be known."""


class ProgramTask(FunctionTask):
    """Everything a run has to know of the function it improves.

    Where models are asked: ``same_looks`` is the similarity from which an answer counts as what is known already (0 for
    never), ``background`` how many passages a prompt may bring, ``model_share`` the part of births that models begin
    with (1 for all).
    """

    mutator: Name = "offline"
    same_looks: Share = SAME_LOOKS
    background: Annotated[int, Field(ge=0, le=50)] = 0
    model_share: Annotated[float, Field(gt=0.0, le=1.0)] = MODEL_SHARE


class ProgramTraits(SourceTraits):
    """What is inherited of a program.

    ``same_looks`` is the similarity to what another model wrote from which this one is as good as the same; operators
    that need nobody make small changes on purpose, and have none.
    """

    same_looks: Share = 0.0


class LibraryUse(Contract):
    """The main file with one block of it replaced by the standard library, and what was replaced."""

    text: str
    note: str


class LibraryUses(Contract):
    """Every use of the standard library that did what a block of the original was seen to do."""

    uses: tuple[LibraryUse, ...] = ()


task_of: Final = TaskOf(ProgramTask, "a run of programs needs its task; `mendel evolve FILE:FUNC` makes one")
KINDS: Final[Mapping[str, type[Contract]]] = {
    "task": ProgramTask,
    "traits": ProgramTraits,
    "program": SourceContent,
    "checked": Checked,
    "repair": Repair,
    "library": LibraryUses,
    "timed": Timed,
    "duelled": Duelled,
    "audited": Audited,
}


def payload(model: Contract) -> DomainPayload:
    """The model as it stands in the log."""
    return recorded(DOMAIN, KINDS, model)
