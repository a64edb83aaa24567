"""Commands: how everybody but the conductor asks something of a run."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field

from mendel.contracts.actors import Actor
from mendel.contracts.base import Contract, Count, JsonObject
from mendel.contracts.ids import UuidText, new_event_id


class CommandKind(StrEnum):
    """What may be asked of a run."""

    STOP = "stop"
    KILL = "kill"
    CANCEL = "cancel"
    SET_PARAMETERS = "set_parameters"
    PROPOSE = "propose"


class NewCommand(Contract):
    """A wish, before the log has it. Sending the same id again changes nothing."""

    id: UuidText = Field(default_factory=new_event_id)
    run_id: UuidText
    kind: CommandKind
    actor: Actor = Actor.OPERATOR
    payload: JsonObject = Field(default_factory=dict)


class Command(NewCommand):
    """A wish that the log has; ``position`` orders the commands of a run, starting at 1."""

    position: Annotated[Count, Field(ge=1)]
    issued_at: AwareDatetime
