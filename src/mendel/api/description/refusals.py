"""The refusals of each operation: codes that follow from its form, and codes of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from mendel.api.description.operations import Operation
from mendel.api.examples import examples
from mendel.api.problems import PROBLEM, Problem
from mendel.api.security import may_need_token, writes

Rule = tuple[str, Callable[[Operation], bool]]

_LOG: Final = frozenset({"list_runs", "launch_run", "list_reports", "get_report", "get_spend", "metrics"})
_CONDUCTS: Final = frozenset({"launch_run", "estimate_run", "get_caps", "list_domains"})
_READS_BODY: Final = ("launch_run", "estimate_run", "stop_run", "kill_run", "cancel_run", "propose", "set_parameters")
_PLAIN: Final = ("/healthz", "/readyz", "/metrics")


def _is_of_a_domain(operation: Operation) -> bool:
    return operation.path.startswith("/api/domains/") or not operation.path.startswith(("/api/", *_PLAIN))


_RULES: Final[tuple[Rule, ...]] = (
    ("unknown_host", lambda _: True),
    ("too_many_requests", lambda _: True),
    ("content_too_large", lambda _: True),
    ("internal", lambda _: True),
    ("token_required", lambda each: may_need_token(each.method, each.path)),
    ("out_of_scope", lambda each: may_need_token(each.method, each.path)),
    ("invalid_request", lambda each: each.path not in _PLAIN),
    ("cross_site", lambda each: writes(each.method, each.path)),
    ("unsupported_media_type", lambda each: writes(each.method, each.path)),
    ("idempotency_key_required", lambda each: each.has("idempotency-key")),
    ("bad_request", lambda each: each.name in _READS_BODY),
    ("request_timeout", lambda each: "requestBody" in each.told),
    ("run_not_found", lambda each: each.has("run_id")),
    ("log_integrity", lambda each: each.has("run_id")),
    ("database_unavailable", lambda each: each.name in _LOG or (each.has("run_id") and not each.has("file_id"))),
    ("only_reads", lambda each: each.name in _CONDUCTS or (each.has("run_id") and each.method == "POST")),
    ("unknown_cursor", lambda each: each.has("cursor")),
    ("file_not_open", lambda each: each.has("file_id")),
    ("no_files", lambda each: each.path.startswith("/api/files")),
    ("domain_failed", _is_of_a_domain),
    ("broken_plugin", _is_of_a_domain),
)
_PLANNED: Final = (
    "run_refused",
    "config",
    "unknown_plugin",
    "broken_plugin",
    "domain_failed",
    "forbidden_text",
    "payload_unserialisable",
    "source_not_python",
    "no_such_function",
    "no_inputs",
)
_OWN: Final[Mapping[str, tuple[str, ...]]] = {
    "launch_run": (
        *_PLANNED,
        "oracle_unfit",
        "tests_fail",
        "niche_claimed",
        "idempotency_key_reused",
        "payload_too_large",
        "sandbox_unavailable",
    ),
    "estimate_run": _PLANNED,
    "stop_run": ("command_not_possible", "idempotency_key_reused"),
    "kill_run": ("command_not_possible", "idempotency_key_reused"),
    "cancel_run": ("command_not_possible", "idempotency_key_reused"),
    "propose": ("command_not_possible", "idempotency_key_reused"),
    "set_parameters": ("command_not_possible", "idempotency_key_reused"),
    "resume_run": ("command_not_possible", "run_busy", "idempotency_key_reused"),
    "stream_run": ("too_many_streams", "bad_last_event_id"),
    "get_candidate": ("candidate_not_found",),
    "get_report": ("report_not_found",),
    "open_file": ("run_file", "file_too_large", "idempotency_key_reused"),
    "probe": ("storage", "idempotency_key_reused"),
    "close_file": ("idempotency_key_reused",),
    "metrics": ("no_metrics",),
}


def codes_of(operation: Operation) -> list[str]:
    """Return the codes of an operation's refusals."""
    return [*(code for code, holds in _RULES if holds(operation)), *_OWN.get(operation.name, ())]


def describe_refusals(operation: Operation) -> None:
    """Declare every refusal of an operation as a problem, with an example of each code."""
    operation.codes.extend(codes_of(operation))
    by_status: defaultdict[int, list[str]] = defaultdict(list)
    for code in operation.codes:
        by_status[_of(code)["status"]].append(code)
    responses = operation.told["responses"]
    for status, codes in by_status.items():
        responses[str(status)] = _declared(status, codes)


def problem_examples(codes: Iterable[str]) -> dict[str, Any]:
    """Return an example problem for each code."""
    return {code: {"value": _problem(code).model_dump(mode="json")} for code in sorted(codes)}


def _declared(status: int, codes: Iterable[str]) -> dict[str, Any]:
    shown = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
    content = {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": shown}
    return {"description": HTTPStatus(status).phrase, "content": {PROBLEM: content}}


def _problem(code: str) -> Problem:
    told = _of(code)
    defaults = {"title": HTTPStatus(told["status"]).phrase, "request_id": "2832c7eaddda43449eed494f57bb6bb8"}
    return Problem.model_validate({**defaults, "code": code, **told})


def _of(code: str) -> dict[str, Any]:
    told = examples("problems")[code]
    if not isinstance(told, dict):
        raise TypeError(f"{code} has no example")
    return told
