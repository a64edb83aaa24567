"""Whatever is sent to any route: no 5xx, and every answer is what the schema says (Schemathesis, on a real server)."""

from __future__ import annotations

import os
import random

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from pydantic import TypeAdapter, ValidationError
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.api.openapi import written
from tests.api.served import serving

from mendel.contracts.base import Name

pytestmark = pytest.mark.xdist_group("api schema")

# What a schema cannot say is refused, too: a cursor that nobody gave out, a run that is over.
EXCLUDED = [positive_data_acceptance]
MANY = 100 if os.environ.get("MENDEL_TEST_PROFILE") == "long" else 3
KNOWN: dict[str, list[str]] = {"run_id": [], "cid": []}
DOMAINS = ["reference", "nobody", "programs", "texts"]
MEASURED = ["programs", "texts"]
"""Those of the document's examples: with them a function would be measured every time."""


def is_name(value):
    """Whether it is one by the schema: what is wrong on purpose must stay so."""
    try:
        TypeAdapter(Name).validate_python(value)
    except ValidationError:
        return False
    return True


@pytest.fixture(scope="module")
def server(tmp_path_factory, plugins):
    with serving(tmp_path_factory.mktemp("schema")) as served:
        run_id = served.launch()
        served.until(run_id, "completed", "stopped")
        found = served.get(f"/api/runs/{run_id}/candidates").json()["candidates"]
        KNOWN["run_id"], KNOWN["cid"] = [run_id], [each["candidate_id"] for each in found]
        yield served


@schemathesis.serializer("application/x-ndjson")
def as_lines(_context, value):
    return value if isinstance(value, bytes) else str(value).encode(errors="surrogatepass")


schema = schemathesis.openapi.from_dict(written())
# Too much is refused, too, before anybody looks at what is wrong with it.
REFUSALS = schema.config.checks.negative_data_rejection.expected_statuses
schema.config.checks.negative_data_rejection.expected_statuses = [*REFUSALS, "413"]


@schema.parametrize()
@settings(max_examples=MANY, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_route_keeps_to_its_schema(case, server):
    draws = random.Random(repr(case.path_parameters))
    for name, known in KNOWN.items():
        if case.path_parameters and name in case.path_parameters and known and draws.random() < 0.7:
            case.path_parameters[name] = draws.choice(known)
    if isinstance(case.body, dict) and is_name(case.body.get("domain")):
        case.body["domain"] = draws.choice(["reference", "nobody"] if case.body["domain"] in MEASURED else DOMAINS)
    case.call_and_validate(base_url=server.url, timeout=60, excluded_checks=EXCLUDED)
