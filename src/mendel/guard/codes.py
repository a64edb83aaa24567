"""Codes for the reasons of a decision; they stay stable when the wording of a message changes."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """The code of a reason or warning in a verdict."""

    # adopt
    NO_MISMATCH = "no_mismatch"
    SUPERIOR = "superior"
    NONINFERIOR = "noninferior"
    EQUIVALENT = "equivalent"
    RATE_REACHED = "rate_reached"

    # reject: one case is enough
    LINT = "lint"
    LOAD_FAILED = "load_failed"
    MISMATCH = "mismatch"
    PROPERTY_VIOLATED = "property_violated"
    RELATION_VIOLATED = "relation_violated"
    RAISED = "raised"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASHED = "crashed"
    RESULT_TOO_LARGE = "result_too_large"
    RESULT_NOT_PLAIN = "result_not_plain"
    FLAKY = "flaky"

    # reject: the numbers say so
    VIOLATION_CAP = "violation_cap"
    INFERIOR = "inferior"
    NOT_SUPERIOR = "not_superior"
    NOT_EQUIVALENT = "not_equivalent"
    RATE_TOO_LOW = "rate_too_low"
    RELATION_REGRESSED = "relation_regressed"
    METRIC_REGRESSED = "metric_regressed"

    # undecided
    TOO_FEW_CASES = "too_few_cases"
    NOT_SHOWN = "not_shown"
    NOT_AFTER_CORRECTION = "not_after_correction"
    BASELINE_FAILS = "baseline_fails"
    BASELINE_FLAKY = "baseline_flaky"
    TOO_FAST_TO_TIME = "too_fast_to_time"
    WEAK_SANDBOX = "weak_sandbox"

    # warnings
    TRANSFORM_MUTATES = "transform_mutates"
    FEW_DISTINCT_INPUTS = "few_distinct_inputs"
    EVERY_ANSWER_NONE = "every_answer_none"
    BASELINE_RAISES = "baseline_raises"
    LATE_ONCE = "late_once"
    NO_EFFECT = "no_effect"
    LIBERAL_INTERVAL = "liberal_interval"
    CLUSTERS_IGNORED = "clusters_ignored"
    METRIC_MISSING = "metric_missing"
