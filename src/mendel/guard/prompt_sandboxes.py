"""Sandboxes for prompts: a model, or a stored report, answers every case; other programs run in a wrapped sandbox."""

from __future__ import annotations

import asyncio
import time
from abc import abstractmethod
from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Final

from mendel.contracts.errors import (
    ConfigError,
    ModelCallFailed,
    ModelRequestRefused,
    PayloadUnserialisable,
    SandboxFailed,
    SandboxRefused,
)
from mendel.contracts.evaluations import Case, Isolation, Outcome, Program, ResourceUse
from mendel.contracts.model_calls import AttemptRecord, FailureReason
from mendel.contracts.model_plans import ModelPlan
from mendel.guard.evaluation import Announce
from mendel.guard.prompt_files import PROMPT_FILE, Prompt, is_prompt, prompt_of, value_in
from mendel.guard.prompt_plans import role_plan
from mendel.guard.prompt_records import NOT_RECORDED, Calls, Ledger, key_of, recorded_answers
from mendel.guard.report import Report
from mendel.ports.model_gateway import Budget, ModelGateway, ModelRequest, ModelResponse
from mendel.ports.sandbox import Ask, Attempt, Sandbox

CONCURRENCY: Final = 16
"""Maximum number of model calls in flight."""

REJECTED: Final = "output_schema_rejected"
"""The error type of an answer that does not fit its schema, even after one repair."""

_SAID: Final = 1_000
_NOTHING_KNOWN: Final[frozenset[FailureReason]] = frozenset({"auth", "not_recorded"})
"""Failures that every call would share; they end the evaluation, since they say nothing about the prompt."""

_SPENT: Final = Outcome(
    "not_run",
    error_type="NotRun",
    error_code="SANDBOX_NOT_RUN",
    message="the model budget is spent",
)


class PromptSandbox(Sandbox):
    """Wraps a sandbox and answers prompts by other means. The owner of the wrapped sandbox closes it."""

    def __init__(self, inner: Sandbox) -> None:
        self._inner = inner

    async def attempt(self, ask: Ask) -> Attempt:
        """Answer every case of a prompt; pass all other programs on to the wrapped sandbox.

        The timeouts of a prompt's calls come from its role and its file, not from the limits of ``ask``.
        """
        if not is_prompt(ask.program):
            return await self._inner.attempt(ask)
        if ask.timed:
            raise SandboxRefused("a prompt cannot be timed: only its provider's time would count; remove `time`")
        isolation, began = await self.isolation(), time.monotonic()
        outcomes = await self._answers(ask.program, ask.cases)
        return Attempt(outcomes, ResourceUse(0.0, time.monotonic() - began, 0, 0), isolation)

    async def isolation(self) -> Isolation:
        """Return the isolation of the wrapped sandbox: prompts run no code, but the other side may be a program."""
        return await self._inner.isolation()

    async def aclose(self) -> None:
        """Do nothing: the owner of the wrapped sandbox closes it."""

    async def _answers(self, program: Program, cases: Iterable[Case]) -> tuple[Outcome, ...]:
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._answer(program, case)) for case in cases]
        except ExceptionGroup as raised:
            raise raised.exceptions[0] from None  # one error is enough for the caller
        return tuple(task.result() for task in tasks)

    @abstractmethod
    async def _answer(self, program: Program, case: Case) -> Outcome:
        """Answer one case of a prompt."""


class PromptedSandbox(PromptSandbox):
    """Calls a model once for every case of a prompt; the gateway repairs an answer once and retries a failed call.

    Args:
        inner: The sandbox for all other programs.
        models: The gateway to the models.
        plan: The routes of each role. One route answers a prompt, never its role's fallback: another model would be
            another implementation.
        budget: The budget of all prompts together; the worst case of each attempt is reserved before the attempt.
        concurrency: Maximum number of calls in flight.
    """

    def __init__(
        self,
        inner: Sandbox,
        models: ModelGateway,
        plan: ModelPlan,
        *,
        budget: Budget | None = None,
        concurrency: int = CONCURRENCY,
    ) -> None:
        super().__init__(inner)
        self._models = models
        self.plan = plan
        self._budget = budget
        self._concurrency = concurrency
        self._turns = asyncio.Semaphore(concurrency)
        self._alone = asyncio.Lock()
        self.ledger = Ledger()
        """The calls so far, by prompt."""

    def counting(self, announce: Announce | None = None) -> Announce:
        """Begin a new ledger; return a callback that the gate must call with the number of counted cases."""
        ledger = self.ledger = Ledger()

        def told(done: int, whole: int) -> None:
            ledger.counted = done
            if announce is not None:
                announce(done, whole)

        return told

    async def _answer(self, program: Program, case: Case) -> Outcome:
        prompt = prompt_of(program)
        calls = self._calls(program, prompt)
        try:
            messages = prompt.messages(case)
        except PayloadUnserialisable as error:
            raise SandboxRefused(f"an argument is not plain data: {error}") from error
        except (TypeError, ValueError) as error:
            return _raised("TypeError", str(error))
        pinned = ModelPlan(roles={prompt.role: role_plan(self.plan, prompt)})
        request = ModelRequest(
            role=prompt.role,
            messages=messages,
            output=prompt.output,
            limits=prompt.limits,
            sampling=prompt.sampling,
            route=calls.route,
            plan=pinned,
            budget=self._budget,
        )
        return await self._asked(request, calls, case)

    async def _asked(self, request: ModelRequest, calls: Calls, case: Case) -> Outcome:
        records: tuple[AttemptRecord, ...] = ()
        failure: FailureReason | None = None
        try:
            response = await self._reached(request)
            outcome, records = _outcome(response), response.records
        except ModelRequestRefused as error:
            outcome = _raised(error.code, str(error))
        except ModelCallFailed as error:
            outcome, records, failure = self._failed(error), error.records, error.reason
        calls.note(case, outcome, records, None if outcome.kind == "not_run" else failure)
        return outcome

    async def _reached(self, request: ModelRequest) -> ModelResponse:
        """Call the model; if the budget is too small, call again once no other call is in flight.

        A finished call returns the unused part of its reservation, so the second call may find enough.

        Raises:
            ModelCallFailed: no model answered, or the budget is too small even for a single call.
        """
        try:
            async with self._turns:
                return await self._models.ask(request)
        except ModelCallFailed as error:
            if error.reason != "over_allowance" or self.ledger.short_at is not None:  # a spent budget stays spent
                raise
            before = error.records
        async with self._alone:  # two callers that each hold some of the turns would wait for each other for ever
            return await self._reached_alone(request, before)

    async def _reached_alone(self, request: ModelRequest, before: tuple[AttemptRecord, ...]) -> ModelResponse:
        async with AsyncExitStack() as turns:
            for _ in range(self._concurrency):
                await turns.enter_async_context(self._turns)
            try:
                response = await self._models.ask(request)
            except ModelCallFailed as error:
                raise ModelCallFailed(error.reason, str(error), (*before, *error.records)) from error
        return replace(response, records=(*before, *response.records))

    def _failed(self, error: ModelCallFailed) -> Outcome:
        if error.reason == "not_configured":
            raise ConfigError(str(error)) from error
        if error.reason in _NOTHING_KNOWN:
            raise SandboxFailed(f"{error}; nothing is known about the prompt") from error
        if error.reason == "over_allowance":
            self.ledger.short()
            return _SPENT
        return _raised(error.reason, str(error))

    def _calls(self, program: Program, prompt: Prompt) -> Calls:
        text = program.files[PROMPT_FILE]
        if text not in self.ledger.calls:
            self.ledger.calls[text] = Calls(role_plan(self.plan, prompt).sources[0].route)
        return self.ledger.calls[text]


def _outcome(response: ModelResponse) -> Outcome:
    if response.accepted and response.output is not None and not isinstance(response.output, str):
        return Outcome("value", value_in(response.output))
    return _raised(REJECTED, "; ".join(response.complaints))


def _raised(kind: str, message: str) -> Outcome:
    return Outcome("exception", error_type=kind, error_code="SANDBOX_EXCEPTION", message=message[:_SAID])


class RecordedSandbox(PromptSandbox):
    """Answers a report's prompts from the answers recorded in the report; it calls no model."""

    def __init__(self, inner: Sandbox, report: Report) -> None:
        super().__init__(inner)
        self._answers_by_prompt = recorded_answers(report)

    async def _answer(self, program: Program, case: Case) -> Outcome:
        known = self._answers_by_prompt.get(program.files[PROMPT_FILE], {})
        return known.get(key_of(case.args, case.kwargs), NOT_RECORDED)
