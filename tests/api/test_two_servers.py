"""Two servers over one log: a wish that both get at the same moment is one run, conducted once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.api.served import SMALL, serving

pytestmark = pytest.mark.usefixtures("plugins")
KEYS = [f"at once {number}" for number in range(4)]


@pytest.fixture(params=["file", "postgres"])
def log_settings(request):
    """The log that both of them serve."""
    if request.param == "file":
        return {}
    server, database = (request.getfixturevalue(name) for name in ("server", "fresh_database"))
    return {"MENDEL_LOG__BACKEND": "postgres", "MENDEL_DATABASE__URL": server.url(dbname=database)}


@pytest.fixture
def servers(tmp_path, log_settings):
    with serving(tmp_path, **log_settings) as one, serving(tmp_path, **log_settings) as two:
        yield one, two


def asked_at_once(servers, *bodies, key):
    """What each server answers to its body."""
    with ThreadPoolExecutor(len(bodies)) as pool:
        wishes = [
            pool.submit(server.post, "/api/runs", body, key) for server, body in zip(servers, bodies, strict=True)
        ]
        return [wish.result() for wish in wishes]


def test_one_key_at_two_servers_is_one_run_with_one_conductor(servers):
    wishes = {key: {**SMALL, "problem": key} for key in KEYS}  # a niche is claimed by one run at a time
    answers = {key: asked_at_once(servers, wish, wish, key=key) for key, wish in wishes.items()}
    assert {answer.status_code for both in answers.values() for answer in both} == {201}
    runs = {run["run_id"] for run in servers[0].runs()}
    assert len(runs) == len(KEYS)
    for both in answers.values():
        assert len({answer.json()["run_id"] for answer in both}) == 1
        assert sum("Idempotent-Replay" in answer.headers for answer in both) == 1
    for run_id in runs:
        servers[0].until(run_id, "completed")
        kinds = [event["type"] for event in servers[0].events(run_id)]
        assert (kinds.count("run.configured"), kinds.count("conductor_took_over")) == (1, 1)


def test_one_key_for_two_wishes_at_two_servers_is_one_of_them(servers):
    answers = asked_at_once(servers, SMALL, {**SMALL, "rng_seed": 8}, key="for two")
    assert sorted(answer.status_code for answer in answers) == [201, 422]
    assert [answer.json()["code"] for answer in answers if answer.status_code == 422] == ["idempotency_key_reused"]
    assert len(servers[1].runs()) == 1
