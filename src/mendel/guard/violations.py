"""Violations for a report: a case in which a side fails, on an input as small as shrinking finds."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import orjson
from pydantic import JsonValue

from mendel.contracts.errors import PayloadUnserialisable
from mendel.contracts.evaluations import Outcome
from mendel.contracts.value_json import to_json
from mendel.contracts.verdicts import Violation
from mendel.guard.checking import Breach
from mendel.guard.codes import Code
from mendel.guard.evaluation import Evaluation
from mendel.guard.shrinking import shrunk
from mendel.guard.spec import Args
from mendel.guard.tally import Judged

MOST_SHOWN: Final = 2_000
MOST_ARGUMENT_BYTES: Final = 64 * 1024
"""Maximum size of arguments in a verdict; larger or deeper ones can be drawn again from the task and the seed."""

MOST_DEPTH: Final = 20
"""Maximum nesting depth of arguments in a verdict, since events limit their depth."""

FAILURES: Final[Mapping[str, Code]] = MappingProxyType(
    {
        "SANDBOX_EXCEPTION": Code.RAISED,
        "SANDBOX_LOAD_FAILED": Code.LOAD_FAILED,
        "SANDBOX_TIMEOUT": Code.TIMEOUT,
        "SANDBOX_NOT_RUN": Code.TIMEOUT,
        "SANDBOX_MEMORY": Code.MEMORY,
        "SANDBOX_CRASHED": Code.CRASHED,
        "SANDBOX_EXITED": Code.CRASHED,
        "SANDBOX_RESULT_TOO_LARGE": Code.RESULT_TOO_LARGE,
        "SANDBOX_RESULT_TOO_DEEP": Code.RESULT_TOO_LARGE,
        "SANDBOX_UNDECLARED_TYPE": Code.RESULT_NOT_PLAIN,
        "SANDBOX_PROTOCOL": Code.CRASHED,
    }
)


async def minimal_violation(evaluation: Evaluation, judged: Judged, breach: Breach) -> Violation:
    """Shrink the input of a breach, if configured, and return the violation."""
    if breach.name == "SANDBOX_LOAD_FAILED":  # the input does not matter
        return violation(evaluation, judged, breach).model_copy(update={"input": "", "expected": "", "arguments": None})
    if not evaluation.config.shrink or breach.name == "SANDBOX_NOT_RUN":
        return violation(evaluation, judged, breach)
    smaller, same = await shrunk(evaluation, judged, breach)
    return violation(evaluation, smaller, same, shrunk=smaller is not judged)


def violation(
    evaluation: Evaluation,
    judged: Judged,
    breach: Breach,
    *,
    shrunk: bool = False,
    side: Literal["candidate", "baseline"] = "candidate",
) -> Violation:
    """Describe a breach of a judged trial for a report."""
    args = judged.trial.args if breach.place is None else judged.trial.variants[breach.place] or judged.trial.args
    shown = args if breach.kind == "mismatch" else judged.trial.args  # relations start from the original input
    return Violation(
        kind=breach.kind,
        name=_clean(breach.name)[:500] or "unnamed",
        side=side,
        case=judged.trial.index,
        detail=_clean(breach.detail),
        input=_clean(evaluation.checker.shown_input(shown)),
        expected=_expected(evaluation, judged, breach, side),
        got=_got(evaluation, judged, breach, side),
        arguments=_arguments(shown),
        shrunk=shrunk,
    )


def _expected(evaluation: Evaluation, judged: Judged, breach: Breach, side: str) -> str:
    if breach.kind == "relation":
        return f"relation {_clean(breach.name)} between the answers to the input and to the transformed input"
    if breach.kind == "property":
        return _clean(breach.name)
    if side == "baseline" or judged.baseline is None:
        return "an answer"
    return _outcome(evaluation, _pick(judged.baseline.original, judged.baseline.variants, breach.place))


def _got(evaluation: Evaluation, judged: Judged, breach: Breach, side: str) -> str:
    answers = judged.candidate if side == "candidate" else judged.baseline or judged.candidate
    if breach.kind == "relation" and breach.place is not None:
        before = _outcome(evaluation, answers.original)
        variant = evaluation.checker.shown_input(judged.trial.variants[breach.place] or ())
        after = _outcome(evaluation, answers.variants[breach.place])
        return _clean(f"{before}; on the transformed input {variant}: {after}")
    return _outcome(evaluation, _pick(answers.original, answers.variants, breach.place))


def _pick(original: Outcome, variants: tuple[Outcome | None, ...], place: int | None) -> Outcome | None:
    return original if place is None else variants[place]


def _outcome(evaluation: Evaluation, outcome: Outcome | None) -> str:
    if outcome is None:
        return ""
    if outcome.succeeded:
        return _clean(evaluation.checker.shown_output(outcome.value))
    return _clean(f"{outcome.kind}: {outcome.error_type}: {outcome.message}")


def _arguments(args: Args) -> list[JsonValue] | None:
    try:
        written = [to_json(value) for value in args]
        if len(orjson.dumps(written)) <= MOST_ARGUMENT_BYTES and _shallow(written, MOST_DEPTH):
            return written
    except (PayloadUnserialisable, orjson.JSONEncodeError, RecursionError):
        pass
    return None


def _shallow(data: JsonValue, depth: int) -> bool:
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return depth > 0 and all(_shallow(each, depth - 1) for each in inner)


def _clean(text: str) -> str:
    """Make a text storable (no lone surrogates, no NUL) and limit its length."""
    kept = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}… ({len(text):,} characters)"
    return kept.encode("utf-8", "replace").decode().replace("\0", "�")
