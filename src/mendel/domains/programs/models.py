"""Records of the programs domain: the task of a run, a genome's sources, and the findings of examinations."""

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
"""With n-grams, changing one character of two kilobytes falls below this. Programs that differ only in names are twins,
which are recognised without vectors."""


class ProgramTask(FunctionTask):
    """Everything that a run needs to know about the function it improves.

    If models are used: ``same_looks`` is the similarity from which an answer counts as known (0 for never),
    ``background`` the maximum number of passages in a prompt, ``model_share`` the initial share of births by models (1
    for all).
    """

    mutator: Name = "offline"
    same_looks: Share = SAME_LOOKS
    background: Annotated[int, Field(ge=0, le=50)] = 0
    model_share: Annotated[float, Field(gt=0.0, le=1.0)] = MODEL_SHARE


class ProgramTraits(SourceTraits):
    """The inherited data of a program.

    ``same_looks`` is the similarity to another model's answer from which this one is a near duplicate. Operators
    without models make small changes on purpose, and have none.
    """

    same_looks: Share = 0.0


class LibraryUse(Contract):
    """The main file with one block replaced by the standard library, and a note of the replacement."""

    text: str
    note: str


class LibraryUses(Contract):
    """Every use of the standard library that behaved like a block of the original."""

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
    """Return the model as the log stores it."""
    return recorded(DOMAIN, KINDS, model)
