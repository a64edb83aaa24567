"""Commands: requests to a run from outside its conductor."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field

from mendel.contracts.actors import Actor
from mendel.contracts.base import Contract, Count, JsonObject
from mendel.contracts.ids import UuidText, new_event_id


class CommandKind(StrEnum):
    """Kind of a command."""

    STOP = "stop"
    KILL = "kill"
    CANCEL = "cancel"
    SET_PARAMETERS = "set_parameters"
    PROPOSE = "propose"


class NewCommand(Contract):
    """A command before it is stored in the log. Sending the same id again is a no-op."""

    id: UuidText = Field(default_factory=new_event_id)
    run_id: UuidText
    kind: CommandKind
    actor: Actor = Actor.OPERATOR
    payload: JsonObject = Field(default_factory=dict)


class Command(NewCommand):
    """A command that is stored in the log; ``position`` numbers the commands of a run from 1."""

    position: Annotated[Count, Field(ge=1)]
    issued_at: AwareDatetime
