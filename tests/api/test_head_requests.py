"""HEAD is GET without its body, for everything that ends."""

from __future__ import annotations

import pytest
from tests.api.reading import bred, observatory
from tests.api.served import one_server

from mendel.contracts.ids import new_run_id

pytestmark = [pytest.mark.usefixtures("plugins"), pytest.mark.xdist_group("api head requests")]
server = one_server(
    "--host", "0.0.0.0", MENDEL_SERVE__TOKEN_ENV="LAB_TOKEN", LAB_TOKEN="t" * 40, MENDEL_SERVE__READ_TOKEN="true"
)
PER_REQUEST = {"date", "x-request-id"}


def told(answer):
    return answer.status_code, {name: value for name, value in answer.headers.items() if name not in PER_REQUEST}


@pytest.mark.parametrize(
    "path", ["/", "/healthz", "/api/runs", "/api/config/caps", "/api/nothing", "/api/openapi.json"]
)
def test_it_answers_as_get_does_without_the_body(server, path):
    bearer = {"Authorization": f"Bearer {'t' * 40}"}
    head = server.client.head(path, headers=bearer)
    get = server.client.get(path, headers=bearer)  # over the same connection: a body would be in its way
    assert told(head) == told(get)
    assert head.content == b""
    assert get.content


def test_whoever_may_not_get_something_may_not_ask_for_its_headers(server):
    assert server.client.head("/api/runs").status_code == server.client.get("/api/runs").status_code == 401


async def test_it_is_counted_as_what_it_is_and_a_stream_has_none():
    stage = await bred()
    async with observatory(stage.log) as asked:
        path = f"/api/runs/{stage.run_id}"
        assert (await asked.client.head(path)).headers["etag"] == (await asked.client.get(path)).headers["etag"]
        assert (await asked.client.head(f"/api/runs/{new_run_id()}")).status_code == 404
        assert (await asked.client.head(f"{path}/stream")).headers["allow"] == "GET"
        assert (await asked.client.put(path)).headers["allow"] == "GET, HEAD"
        assert (await asked.client.head(f"{path}/stop")).status_code == 405
        seen = (await asked.client.get("/metrics")).text
    assert 'http_requests_total{method="HEAD",route="/api/runs/{run_id}",status="200"} 1.0' in seen
    assert 'http_requests_total{method="HEAD",route="/api/runs/{run_id}",status="404"} 1.0' in seen
