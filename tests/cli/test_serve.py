"""`mendel serve` at the command line: where it listens, what it says, and what it refuses before it does."""

from __future__ import annotations

import json
import socket

import pytest
from tests.api.served import SMALL, serving
from tests.plugins import installed_plugins


@pytest.fixture(scope="module", autouse=True)
def plugins(tmp_path_factory):
    with installed_plugins(tmp_path_factory.mktemp("site")):
        yield


def test_its_help_teaches(mendel):
    told = mendel("serve", "--help")
    assert told.code == 0
    for words in ("--host", "--port", "--open", "--no-resume", "serve.token_env", "mendel serve --open"):
        assert words in told.out


def test_a_port_in_use_is_told_in_one_line_with_what_to_do(mendel, file_log):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = mendel("serve", "--port", port)
    assert refused.code != 0
    assert refused.out == ""
    assert refused.err.count("\n") == 1
    assert f"port {port}" in refused.err
    assert "--port 0" in refused.err


def test_an_address_that_this_machine_does_not_have_is_told(mendel, file_log, monkeypatch):
    monkeypatch.setenv("LAB_TOKEN", "a-token-of-nobody-0123456789")
    monkeypatch.setenv("MENDEL_SERVE__TOKEN_ENV", "LAB_TOKEN")
    refused = mendel("serve", "--host", "192.0.2.1", "--port", "0")
    assert refused.code != 0
    assert "cannot listen on 192.0.2.1" in refused.err


def test_the_log_in_memory_is_refused(mendel):
    refused = mendel("--log", "memory", "serve", "--port", "0")
    assert refused.code != 0
    assert "--log file" in refused.err


def test_nothing_listens_for_others_without_a_token(mendel, file_log):
    refused = mendel("serve", "--host", "0.0.0.0", "--port", "0")
    assert refused.code != 0
    assert "token" in refused.err


def test_it_serves_an_empty_log_and_the_flags_of_the_command_line_go_to_its_conductors(tmp_path):
    with serving(tmp_path, MENDEL_HOME=str(tmp_path / "elsewhere")) as server:
        assert server.runs() == []
        assert server.get("/api/openapi.json").status_code == 200
        assert server.get("/api/nothing").json()["code"] == "not_found"
        run_id = server.launch(SMALL)
        server.until(run_id, "completed")
    assert server.process.returncode == 0
    assert list((tmp_path / "elsewhere").rglob(f"*{run_id}*"))


@pytest.mark.observatory
def test_on_postgresql_too(tmp_path, server, fresh_database):
    settings = {"MENDEL_LOG__BACKEND": "postgres", "MENDEL_DATABASE__URL": server.url(dbname=fresh_database)}
    with serving(tmp_path, **settings) as served:
        run_id = served.launch(SMALL, "kept")
        done = served.until(run_id, "completed")
        assert done["best_fitness"] is not None
        assert served.post("/api/runs", SMALL, "kept").headers["Idempotent-Replay"] == "true"
        refused = served.post("/api/runs", {**SMALL, "caps": {"max_population": 2**50}})
        assert refused.json()["code"] == "run_refused"
        assert [run["run_id"] for run in served.runs()] == [run_id]


@pytest.mark.observatory
def test_the_document_of_the_api_has_an_example_and_every_refusal_of_each_change(tmp_path):
    with serving(tmp_path) as server:
        document = server.get("/api/openapi.json").json()
    assert document["paths"]["/api/runs"]["post"]["requestBody"]["content"]["application/json"]["examples"]
    for path in ("/api/runs", "/api/runs/{run_id}/stop", "/api/runs/{run_id}/resume"):
        told = document["paths"][path]["post"]
        assert {"400", "401", "403", "409", "415", "422", "429"} <= told["responses"].keys()
        key = next(each for each in told["parameters"] if each["name"] == "Idempotency-Key")
        assert key["required"]
    assert "Problem" in document["components"]["schemas"]
    assert "$ref" in json.dumps(document["paths"]["/api/runs"]["post"]["responses"]["422"])
