"""Records of a prompt's calls: collected for a report, and read from a report to replay it without a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Final

import orjson
from pydantic import JsonValue

from mendel.contracts.base import JsonObject
from mendel.contracts.errors import ContractError, PayloadUnserialisable
from mendel.contracts.evaluations import Case, Outcome, Program
from mendel.contracts.model_calls import AttemptRecord
from mendel.contracts.plain_values import PlainValue
from mendel.contracts.providers import ModelRoute
from mendel.contracts.value_json import from_json, to_json
from mendel.contracts.verdicts import Decision, Violation
from mendel.guard.codes import Code
from mendel.guard.evaluation import said
from mendel.guard.prompt_files import PROMPT_FILE, is_prompt, prompt_of
from mendel.guard.report import Report
from mendel.guard.spec import Args, TaskSpec
from mendel.guard.trials import Trials
from mendel.ports.model_gateway import usage_of

MOST_IDS: Final = 1_000
"""Maximum number of request ids of a prompt in a report."""

MOST_ANSWER_BYTES: Final = 64 * 1024
"""Maximum size of an answer in a report; larger ones are left out."""

NOT_RECORDED: Final = Outcome(
    "not_run",
    error_type="NotRun",
    error_code="SANDBOX_NOT_RUN",
    message="the report does not contain this answer, and a replay calls no model",
)


@dataclass(frozen=True, slots=True)
class Answered:
    """The outcome of one call of a prompt, and the provider's ids of its requests."""

    outcome: Outcome
    request_ids: tuple[str, ...] = ()


@dataclass
class Calls:
    """All calls of one prompt in an evaluation. For calls with equal arguments, only the last answer is kept."""

    route: ModelRoute
    questions: int = 0
    records: list[AttemptRecord] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    answers: dict[bytes, Answered] = field(default_factory=dict)

    def note(self, case: Case, outcome: Outcome, records: tuple[AttemptRecord, ...], failure: str | None) -> None:
        """Record one question and its outcome."""
        self.questions += 1
        made = [record for record in records if record.failure != "over_allowance"]  # those were never sent
        # Without the texts, which may be long and which a report does not use.
        self.records += [record.model_copy(update={"request": "", "response": ""}) for record in made]
        if failure is not None:
            self.failed[failure] += 1
        if outcome.kind != "not_run":  # a call that the budget refused has no answer
            ids = tuple(record.provider.request_id for record in made if record.provider.request_id)
            self.answers[key_of(case.args, case.kwargs)] = Answered(outcome, ids)

    def told(self, program: Program) -> JsonObject:
        """Return the summary for a report."""
        used = usage_of(self.records)
        verdicts = Counter[str](record.validation for record in self.records if record.validation)
        ids = [record.provider.request_id for record in self.records if record.provider.request_id]
        return {
            "role": prompt_of(program).role,
            "route": str(self.route),
            "models": [*sorted({record.provider.model_id for record in self.records})],
            "prompt": prompt_digest(program),
            "questions": self.questions,
            "calls": len(self.records),
            "answers_read": {**verdicts},
            "failed": {**self.failed},
            "tokens_in": used.tokens_in,
            "tokens_out": used.tokens_out,
            "cost_microusd": used.cost_microusd,
            "request_ids": [*ids[:MOST_IDS]],
        }


@dataclass
class Ledger:
    """The calls of every prompt of an evaluation. ``counted`` is the number of cases that the gate has counted so far.

    ``short_at`` is the value of ``counted`` when, for the first time, a call no longer fitted the budget.
    """

    calls: dict[str, Calls] = field(default_factory=dict)
    counted: int = 0
    short_at: int | None = None

    def of(self, program: Program) -> Calls | None:
        """Return the calls of a prompt; None for other programs and for prompts that were never called."""
        return self.calls.get(program.files[PROMPT_FILE]) if is_prompt(program) else None

    def short(self) -> None:
        """Note that a call did not fit the budget; only the first time counts."""
        if self.short_at is None:
            self.short_at = self.counted


def prompt_digest(program: Program) -> str:
    """Return the SHA-256 of a prompt file."""
    return sha256(program.files[PROMPT_FILE].encode("utf-8", "surrogateescape")).hexdigest()


def key_of(args: Args, kwargs: Mapping[str, PlainValue]) -> bytes:
    """Encode a call's arguments as bytes; the bytes are equal only for equal arguments."""
    keywords = {name: to_json(value) for name, value in kwargs.items()}
    return orjson.dumps([[to_json(value) for value in args], keywords], option=orjson.OPT_SORT_KEYS)


# --- into a report -----------------------------------------------------------------------------------------


def settled(report: Report, ledger: Ledger, spec: TaskSpec) -> Report:
    """Add the prompts' calls to the report; turn it into undecided if failed calls may have changed the decision."""
    summaries = dict(report.verdict.summaries)
    for side, program in _prompts(report):
        calls, told = ledger.of(program), summaries.get(side)
        if calls is not None and isinstance(told, dict):
            kept: list[JsonValue] = [*_kept(report, calls, spec)]
            summaries[side] = {**told, "model": {**calls.told(program), "answers": kept}}
    told_report = replace(report, verdict=report.verdict.model_copy(update={"summaries": summaries}))
    return _held_back(told_report, ledger)


def _prompts(report: Report) -> Iterator[tuple[str, Program]]:
    for side, given in (("candidate", report.candidate), ("baseline", report.baseline)):
        if given is not None and is_prompt(given.program):
            yield side, given.program


def _held_back(report: Report, ledger: Ledger) -> Report:
    """Decide nothing if the budget ran out, and adopt nothing if calls of the baseline's model failed."""
    verdict = report.verdict
    if ledger.short_at is not None and ledger.short_at < verdict.n and verdict.decision is not Decision.UNDECIDED:
        message = (
            f"the model budget was spent after {ledger.short_at} cases, and the other cases were not run; raise the"
            " budget, or judge fewer cases"
        )
        return _undecided(report, Code.NOT_SHOWN, message)
    baseline = ledger.of(report.baseline.program) if report.baseline is not None else None
    if baseline is not None and baseline.failed and verdict.decision is Decision.ADOPT:
        reasons = ", ".join(f"{reason} {number} times" for reason, number in sorted(baseline.failed.items()))
        message = f"calls of the baseline's model failed ({reasons}), so its answers to these cases are unknown"
        return _undecided(report, Code.BASELINE_FAILS, message)
    return report


def _undecided(report: Report, code: Code, message: str) -> Report:
    reasons = (said(code, message), *report.verdict.reasons)
    return replace(
        report, verdict=report.verdict.model_copy(update={"decision": Decision.UNDECIDED, "reasons": reasons})
    )


def _kept(report: Report, calls: Calls, spec: TaskSpec) -> Iterator[JsonObject]:
    """Yield the answers that are needed to replay the report's violations."""
    trials = Trials(spec, report.config.seed)
    wanted = {key_of(args, {}): args for each in report.violations for args in _asked(trials, each)}
    for key, args in wanted.items():
        answered = calls.answers.get(key)
        told = None if answered is None else _told(answered)
        if told is not None:
            yield {"arguments": [to_json(value) for value in args], **told}


def _asked(trials: Trials, violation: Violation) -> Iterator[Args]:
    """Yield the violation's input and its transformed inputs."""
    if violation.arguments is not None:
        trial = trials.one(violation.case, tuple(from_json(value) for value in violation.arguments))
        yield from (args for args in (trial.args, *trial.variants) if args is not None)


def _told(answered: Answered) -> JsonObject | None:
    """Return the outcome of a call as JSON; None where it is too large to keep."""
    outcome = answered.outcome
    ids: list[JsonValue] = [*answered.request_ids]
    told: JsonObject = {"kind": outcome.kind, "request_ids": ids}
    if outcome.succeeded:
        told["value"] = to_json(outcome.value)
    else:
        told |= {"error_type": outcome.error_type, "error_code": outcome.error_code, "message": outcome.message}
    return told if len(orjson.dumps(told)) <= MOST_ANSWER_BYTES else None


# --- and out of it -----------------------------------------------------------------------------------------


def recorded_answers(report: Report) -> dict[str, dict[bytes, Outcome]]:
    """Return the answers in a report, by prompt text and by arguments; invalid entries are skipped."""
    found: dict[str, dict[bytes, Outcome]] = {}
    for side, program in _prompts(report):
        told = report.verdict.summaries.get(side)
        model = told.get("model") if isinstance(told, dict) else None
        entries = model.get("answers") if isinstance(model, dict) else None
        answers = found.setdefault(program.files[PROMPT_FILE], {})
        for each in entries if isinstance(entries, list) else ():
            answers |= _read(each)
    return found


def _read(entry: Any) -> dict[bytes, Outcome]:  # noqa: ANN401 - from a file of unknown origin
    """Read one answer; a report file may come from anywhere, so an invalid entry gives an empty result."""
    try:
        key = key_of(tuple(from_json(value) for value in entry["arguments"]), {})
        if entry["kind"] == "value":
            return {key: Outcome("value", from_json(entry["value"]))}
        told = {name: entry[name] for name in ("error_type", "error_code", "message")}
        return {key: Outcome(entry["kind"], **told)}
    except (ContractError, PayloadUnserialisable, KeyError, TypeError, AttributeError):
        return {}
