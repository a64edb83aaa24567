"""Whatever is sent to any route: no 5xx, and every answer is what the schema says (Schemathesis, on a real server)."""

from __future__ import annotations

import pytest
from tests.api.openapi import written
from tests.api.served import serving

pytestmark = pytest.mark.xdist_group("api schema")

METHODS = {"get", "head", "post", "put", "patch", "delete", "options", "trace"}
OPERATIONS = sorted(
    f"{method.upper()} {path}" for path, item in written()["paths"].items() for method in METHODS & item.keys()
)


@pytest.fixture(scope="module")
def server(tmp_path_factory, plugins):
    with serving(tmp_path_factory.mktemp("schema")) as served:
        yield served


@pytest.fixture(scope="module")
def fuzzing(server):
    """Imported here: in every process that collects, Schemathesis would cost two seconds."""
    from tests.api.fuzzing import Fuzzing

    run_id = server.launch()
    server.until(run_id, "completed", "stopped")
    found = server.get(f"/api/runs/{run_id}/candidates").json()["candidates"]
    return Fuzzing(server.url, {"run_id": [run_id], "cid": [each["candidate_id"] for each in found]})


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_route_keeps_to_its_schema(operation, fuzzing):
    fuzzing.operation(operation)
