"""Tasks and results as they travel on the fabric. A test keeps their JSON Schemas in ``schemas/`` up to date."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, ConfigDict, Field, StringConstraints

from mendel.contracts.base import Contract, JsonObject

TaskId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16,}$")]
Capability = Annotated[str, StringConstraints(min_length=1, max_length=100)]

TASK_SCHEMA_VERSION = 1

_AS_ITS_SCHEMA = ConfigDict(strict=True)
"""Strict, like the schema, which is all that a worker in another language has: "1" or true for 1 is refused, too."""


class TaskKind(StrEnum):
    """Kind of work; the payload names the handler."""

    RENDER = "render"
    MUTATE = "mutate"
    EXECUTE = "execute"
    EVALUATE = "evaluate"


class Task(Contract):
    """One unit of work, for a worker that has every capability in ``requires``."""

    model_config = _AS_ITS_SCHEMA

    kind: TaskKind
    id: TaskId
    payload: JsonObject
    requires: tuple[Capability, ...]
    attempts: Annotated[int, Field(ge=0)]
    created_at: AwareDatetime
    schema_v: Annotated[int, Field(ge=1)]


class ResultStatus(StrEnum):
    """Status of a finished task."""

    OK = "ok"
    ERROR = "error"
    SKIP = "skip"


class Result(Contract):
    """Result of one task; recorded once, however often the task was delivered."""

    model_config = _AS_ITS_SCHEMA

    task_id: str
    status: ResultStatus
    data: JsonObject
    created_at: AwareDatetime
    attempts: Annotated[int, Field(ge=1)]
