"""What a prompt's calls took and what they brought, for a report; and a report's prompts answered again from it."""

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
"""So many request ids of a prompt are kept in a report."""

MOST_ANSWER_BYTES: Final = 64 * 1024
"""A larger answer is not kept in a report."""

NOT_RECORDED: Final = Outcome(
    "not_run",
    error_type="NotRun",
    error_code="SANDBOX_NOT_RUN",
    message="this answer was not recorded, and to see a report again asks nobody",
)


@dataclass(frozen=True, slots=True)
class Answered:
    """One call of a prompt: what came of it, and under which ids its provider knows it."""

    outcome: Outcome
    request_ids: tuple[str, ...] = ()


@dataclass
class Calls:
    """Everything that one prompt was asked in an evaluation; of equal calls the last answer is kept."""

    route: ModelRoute
    questions: int = 0
    records: list[AttemptRecord] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    answers: dict[bytes, Answered] = field(default_factory=dict)

    def note(self, case: Case, outcome: Outcome, records: tuple[AttemptRecord, ...], failure: str | None) -> None:
        """One question more, and what came of it."""
        self.questions += 1
        made = [record for record in records if record.failure != "over_allowance"]
        self.records += [record.model_copy(update={"request": "", "response": ""}) for record in made]
        if failure is not None:
            self.failed[failure] += 1
        if outcome.kind != "not_run":
            ids = tuple(record.provider.request_id for record in made if record.provider.request_id)
            self.answers[key_of(case.args, case.kwargs)] = Answered(outcome, ids)

    def told(self, program: Program) -> JsonObject:
        """What a report says of it."""
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
    """The calls of every prompt of an evaluation. ``counted`` is how many cases the gate has counted so far.

    ``short_at`` is how many that were when, for the first time, a call no longer fitted what may be spent.
    """

    calls: dict[str, Calls] = field(default_factory=dict)
    counted: int = 0
    short_at: int | None = None

    def of(self, program: Program) -> Calls | None:
        """The calls of that prompt."""
        return self.calls.get(program.files[PROMPT_FILE]) if is_prompt(program) else None

    def short(self) -> None:
        """A call did not fit what may be spent."""
        if self.short_at is None:
            self.short_at = self.counted


def prompt_digest(program: Program) -> str:
    """SHA-256 of a prompt file."""
    return sha256(program.files[PROMPT_FILE].encode("utf-8", "surrogateescape")).hexdigest()


def key_of(args: Args, kwargs: Mapping[str, PlainValue]) -> bytes:
    """A call's arguments as bytes that are equal for equal ones only."""
    keywords = {name: to_json(value) for name, value in kwargs.items()}
    return orjson.dumps([[to_json(value) for value in args], keywords], option=orjson.OPT_SORT_KEYS)


# --- into a report -----------------------------------------------------------------------------------------


def settled(report: Report, ledger: Ledger, spec: TaskSpec) -> Report:
    """The report with what its prompts were asked; held back where calls that failed may have made the difference."""
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
    """Nothing is decided by a provider that is down, or by money that was spent."""
    verdict = report.verdict
    if ledger.short_at is not None and ledger.short_at < verdict.n and verdict.decision is not Decision.UNDECIDED:
        message = (
            f"what may be spent on models was spent after {ledger.short_at} cases, and the others could not be asked;"
            " allow more, or ask for fewer cases"
        )
        return _undecided(report, Code.NOT_SHOWN, message)
    baseline = ledger.of(report.baseline.program) if report.baseline is not None else None
    if baseline is not None and baseline.failed and verdict.decision is Decision.ADOPT:
        reasons = ", ".join(f"{reason} {number} times" for reason, number in sorted(baseline.failed.items()))
        message = f"calls of the baseline's model failed ({reasons}); what it would have answered, nobody knows"
        return _undecided(report, Code.BASELINE_FAILS, message)
    return report


def _undecided(report: Report, code: Code, message: str) -> Report:
    reasons = (said(code, message), *report.verdict.reasons)
    return replace(
        report, verdict=report.verdict.model_copy(update={"decision": Decision.UNDECIDED, "reasons": reasons})
    )


def _kept(report: Report, calls: Calls, spec: TaskSpec) -> Iterator[JsonObject]:
    """The answers that are needed to see the report's violations again."""
    trials = Trials(spec, report.config.seed)
    wanted = {key_of(args, {}): args for each in report.violations for args in _asked(trials, each)}
    for key, args in wanted.items():
        answered = calls.answers.get(key)
        told = None if answered is None else _told(answered)
        if told is not None:
            yield {"arguments": [to_json(value) for value in args], **told}


def _asked(trials: Trials, violation: Violation) -> Iterator[Args]:
    """The violation's input, and what the relations make of it."""
    if violation.arguments is not None:
        trial = trials.one(violation.case, tuple(from_json(value) for value in violation.arguments))
        yield from (args for args in (trial.args, *trial.variants) if args is not None)


def _told(answered: Answered) -> JsonObject | None:
    """What came of a call as JSON; None where it is too large to keep."""
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
    """The answers that a report keeps, by the text of their prompt and by their arguments; what is none is left out."""
    found: dict[str, dict[bytes, Outcome]] = {}
    for side, program in _prompts(report):
        told = report.verdict.summaries.get(side)
        model = told.get("model") if isinstance(told, dict) else None
        entries = model.get("answers") if isinstance(model, dict) else None
        answers = found.setdefault(program.files[PROMPT_FILE], {})
        for each in entries if isinstance(entries, list) else ():
            answers |= _read(each)
    return found


def _read(entry: Any) -> dict[bytes, Outcome]:  # noqa: ANN401 - somebody's file
    """One answer of a file that anybody may have written."""
    try:
        key = key_of(tuple(from_json(value) for value in entry["arguments"]), {})
        if entry["kind"] == "value":
            return {key: Outcome("value", from_json(entry["value"]))}
        told = {name: entry[name] for name in ("error_type", "error_code", "message")}
        return {key: Outcome(entry["kind"], **told)}
    except (ContractError, PayloadUnserialisable, KeyError, TypeError, AttributeError):
        return {}
