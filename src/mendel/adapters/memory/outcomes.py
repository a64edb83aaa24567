"""Outcomes of a task in the form of a result: an answer, or a failure with its code."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError
from pydantic_core import from_json

from mendel.contracts.base import JsonObject
from mendel.contracts.energy import Usage
from mendel.contracts.errors import HandlerFailed, MendelError, ModelCallFailed
from mendel.contracts.failures import raised_at
from mendel.contracts.payloads import explain
from mendel.contracts.tasks import ResultStatus
from mendel.contracts.work import Answer, Failure, TaskPayload, Work
from mendel.ports.children import ChildLine
from mendel.ports.handlers import Ports, takes_ports
from mendel.ports.model_gateway import usage_of
from mendel.ports.recording import Recording

MAX_MESSAGE: Final = 2_000  # characters
_MAX_TYPE_NAME: Final = 200
_FORBIDDEN: Final = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL cannot store these


@dataclass(frozen=True, slots=True)
class Outcome:
    """``data`` is ``{"answer": …}`` or ``{"failure": …}``; ``dead``: every worker that performed the task died."""

    data: JsonObject
    deliveries: int = 1
    dead: bool = False

    @property
    def status(self) -> ResultStatus:
        """Whether the task succeeded, as a result's status."""
        return ResultStatus.OK if "answer" in self.data else ResultStatus.ERROR


def perform(handler: Callable[[Work], object], payload: TaskPayload) -> JsonObject:
    """Run a plain function; any exception it raises becomes its failure."""
    try:
        return answered(_unwalled(handler(payload.work)))
    except BaseException as error:  # noqa: BLE001 - third-party code: even SystemExit must end only its task
        return raised(error)


def _unwalled(answer: object) -> object:
    """Drop claims about isolation and evaluations: a plain function has no sandbox."""
    if not isinstance(answer, Answer):
        return answer
    return answer.model_copy(update={"isolation": None, "usage": _uncounted(answer.usage)})


def _uncounted(usage: Usage) -> Usage:
    return usage.model_copy(update={"evaluations": 0})


async def perform_inline(
    handler: Callable[..., Awaitable[object]], payload: JsonObject, ports: Ports, line: ChildLine | None = None
) -> JsonObject:
    """Run a coroutine function; any exception becomes its failure, except a cancellation of this task."""
    try:
        work = TaskPayload.model_validate(payload).work
    except ValidationError as error:
        return malformed(error)
    recording = None
    try:
        recording = Recording(work, ports, line)  # a port may fail to open here
        answer = await (handler(work, recording.ports) if takes_ports(handler) else handler(work))
        return answered(recording.completed(answer) if isinstance(answer, Answer) else answer)
    except BaseException as error:  # as above
        if isinstance(error, asyncio.CancelledError) and _is_cancelled():
            raise
        failure = raised(error)
        return recording.failed(failure) if recording is not None else failure


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def answered(answer: object) -> JsonObject:
    """Return an answer that survived JSON and fits its contract, or a failure if it does not."""
    if not isinstance(answer, Answer):
        return failed("bad_answer", type(answer).__name__, f"the handler returned {type(answer).__name__}, no Answer")
    try:
        text = answer.model_dump_json(warnings="error")  # a field of a wrong type would only warn
        Answer.model_validate_json(text)
        return {"answer": from_json(text)}
    except (ValueError, RecursionError) as error:
        return failed("bad_answer", type(error).__name__, f"the answer does not fit its contract: {_said_by(error)}")


def raised(error: BaseException) -> JsonObject:
    """Return the failure of a handler that raised ``error``."""
    if isinstance(error, ModelCallFailed):
        return failed(error.reason, type(error).__name__, _said_by(error), usage_of(error.records))
    if isinstance(error, HandlerFailed):
        try:
            usage = _uncounted(error.usage) if isinstance(error.usage, Usage) else error.usage
            return failed(error.reason, type(error).__name__, _said_by(error), usage, error.attempts)
        except ValidationError:
            pass  # an invalid reason or usage: the failure is built without them below
    said, kind = _said_by(error), type(error).__name__
    if isinstance(error, MendelError):  # the message of our own errors needs no location
        return failed("handler_raised", kind, said)
    place = raised_at(error)
    return failed("handler_raised", kind, f"{kind}: {said}".removesuffix(": ") + (f" ({place})" if place else ""))


def malformed(error: ValidationError) -> JsonObject:
    """Return the failure of a task with a payload that is no :class:`~mendel.contracts.work.TaskPayload`."""
    return failed("bad_payload", "InvalidPayload", f"the task's payload does not fit its contract: {explain(error)}")


def overran(deadline_s: float) -> JsonObject:
    """Return the failure of a task that was stopped at its deadline."""
    return failed("deadline", "TimeoutError", f"the handler was stopped after {deadline_s:g} s")


def failed(code: str, error_type: str, message: str, usage: Usage | None = None, attempts: int = 1) -> JsonObject:
    """Build a failure; texts are truncated to the limits of a result."""
    kind = _storable(error_type, _MAX_TYPE_NAME) or "Exception"
    failure = Failure(
        error_type=kind,
        error_code=code,
        message=_storable(message, MAX_MESSAGE) or kind,
        usage=usage,
        attempts=attempts,
    )
    return {"failure": failure.model_dump(mode="json")}


def _storable(text: str, longest: int) -> str:
    return _FORBIDDEN.sub("\ufffd", text[:longest])


def _said_by(error: BaseException) -> str:
    try:
        return explain(error) if isinstance(error, ValidationError) else str(error)
    except BaseException as second:  # noqa: BLE001 - the exception's ``__str__`` is third-party code, too
        return f"its message is unavailable: {type(second).__name__}"
