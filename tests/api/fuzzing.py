"""Requests to an operation of the document, drawn by Schemathesis, and what their answers are held to.

Its plug-in of pytest would make the cases of every operation in each process that collects, and is left out
(`pyproject.toml`); this makes those of the operation that is tried.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from pydantic import TypeAdapter, ValidationError
from schemathesis.checks import load_all_checks
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.generation.hypothesis.builder import MissingPathParameters, UnserializablePayloadMark
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.api.openapi import written

from mendel.contracts.base import Name

# What a schema cannot say is refused, too: a cursor that nobody gave out, a run that is over.
EXCLUDED = [positive_data_acceptance]
MANY = 100 if os.environ.get("MENDEL_TEST_PROFILE") == "long" else 3
DOMAINS = ["reference", "nobody", "programs", "texts"]
MEASURED = ["programs", "texts"]
"""Those of the document's examples: with them a function would be measured every time."""


def is_name(value: object) -> bool:
    """Whether it is one by the schema: what is wrong on purpose must stay so."""
    try:
        TypeAdapter(Name).validate_python(value)
    except ValidationError:
        return False
    return True


@schemathesis.serializer("application/x-ndjson")
def as_lines(_context: object, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode(errors="surrogatepass")


class Fuzzing:
    """The operations of a server, with ids of which most requests use one that it knows."""

    def __init__(self, url: str, known: Mapping[str, Sequence[str]]) -> None:
        load_all_checks()
        self.url, self.known = url, known
        self.schema = schemathesis.openapi.from_dict(written())
        # Too much is refused, too, before anybody looks at what is wrong with it.
        rejection = self.schema.config.checks.negative_data_rejection
        rejection.expected_statuses = [*rejection.expected_statuses, "413"]
        self.feedback = FeedbackSources(constants_value_source=make_constants_value_source(self.schema))

    def operation(self, label: str) -> None:
        """Try one, named as `GET /api/runs`: the document's examples, values at the bounds, and some that are drawn."""
        method, _, path = label.partition(" ")

        @settings(max_examples=MANY, deadline=None, suppress_health_check=list(HealthCheck))
        def keeps_to_its_schema(case: Any) -> None:
            self.ask(case)

        tried = build_operation_test(
            config=self.schema.config,
            operation=self.schema[path][method],
            test_func=keeps_to_its_schema,
            given_kwargs={},
            feedback=self.feedback,
        )
        tried()
        assert not MissingPathParameters.is_set(tried)
        assert not UnserializablePayloadMark.is_set(tried)

    def ask(self, case: Any) -> None:
        draws = random.Random(repr(case.path_parameters))
        for name, known in self.known.items():
            if case.path_parameters and name in case.path_parameters and known and draws.random() < 0.7:
                case.path_parameters[name] = draws.choice(known)
        if isinstance(case.body, dict) and is_name(case.body.get("domain")):
            case.body["domain"] = draws.choice(["reference", "nobody"] if case.body["domain"] in MEASURED else DOMAINS)
        case.call_and_validate(base_url=self.url, timeout=60, excluded_checks=EXCLUDED)
