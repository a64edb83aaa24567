"""Who is let in: by which name, from which page, with which token, how often, and with how much."""

from __future__ import annotations

import json
import socket
import threading
import time
from pathlib import Path

import httpx
import pytest
from tests.api.served import SMALL, Server, one_server, refuses_to_start, serving, wait_until
from tests.support.rows import check_rows

from mendel.api.limits import Buckets
from mendel.api.policy import Policy

TOKEN = "nobody-guesses-this-0123456789abcdef"


pytestmark = [pytest.mark.usefixtures("plugins"), pytest.mark.xdist_group("api security")]
server = one_server()
locked = one_server(
    "--host",
    "0.0.0.0",
    MENDEL_SERVE__TOKEN_ENV="LAB_TOKEN",
    LAB_TOKEN=TOKEN,
    MENDEL_SERVE__ORIGINS="https://lab.example",
    MENDEL_SERVE__HOSTS="lab.example",
    MENDEL_SERVE__BODY_KB="64",
    MENDEL_SERVE__BODY_TIMEOUT_S="1",
    MENDEL_SERVE__STREAMS="2",
)


def told(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    assert answer.json()["status"] == answer.status_code
    return answer.status_code, answer.json()["code"]


# --- tokens ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_nobody_else_is_let_in_where_no_token_is_set(tmp_path, host):
    assert "serve.token_env" in refuses_to_start(tmp_path, "--host", host)


def test_a_token_that_is_not_there_is_told_before_anything_listens(tmp_path):
    (tmp_path / "mendel.toml").write_text('[serve]\ntoken_env = "LAB_TOKEN"\n')
    assert "LAB_TOKEN, but that variable is not set" in refuses_to_start(tmp_path)
    (tmp_path / "mendel.toml").unlink()
    assert "requires a token" in refuses_to_start(tmp_path, MENDEL_SERVE__READ_TOKEN="true")


@pytest.mark.parametrize("given", [None, "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer", TOKEN])
def test_without_the_token_nothing_is_changed(locked, given):
    before = locked.runs()
    headers = {"Authorization": given} if given is not None else {}
    answer = locked.post("/api/runs", SMALL, **headers)
    assert told(answer) == (401, "token_required")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert TOKEN not in answer.text
    assert locked.runs() == before


def test_with_the_token_it_is(locked):
    answer = locked.post("/api/runs", {**SMALL, "caps": {"max_population": 10**9}}, Authorization=f"Bearer {TOKEN}")
    assert told(answer) == (422, "run_refused")
    assert locked.get("/api/runs").status_code == 200


def test_reading_needs_it_where_the_settings_say_so(tmp_path):
    settings = {"MENDEL_SERVE__TOKEN_ENV": "LAB_TOKEN", "LAB_TOKEN": TOKEN, "MENDEL_SERVE__READ_TOKEN": "true"}
    with serving(tmp_path, **settings) as server:
        for path in ("/api/runs", "/api/openapi.json", "/api/domains", "/metrics", "/api/settings"):
            assert told(server.get(path)) == (401, "token_required"), path
        known = {"Authorization": f"Bearer {TOKEN}"}
        assert server.get("/api/runs", headers=known).status_code == 200
        assert server.get("/api/runs", params={"token": TOKEN}).status_code == 401
        assert server.get("/healthz").status_code == 200
        assert server.get("/launch").status_code in (200, 503)  # the page holds no data
        assert TOKEN not in server.get("/api/settings", headers=known).text
        run_id = json.loads(
            server.client.post("/api/runs", json=SMALL, headers={**known, "Idempotency-Key": "k"}).text
        )["run_id"]
        assert server.get(f"/api/runs/{run_id}/stream").status_code == 401
        with server.client.stream("GET", f"/api/runs/{run_id}/stream", headers=known) as stream:
            assert any(line == "event: end" for line in stream.iter_lines())
    assert TOKEN not in server.said()
    for path in (tmp_path / "home").rglob("*"):
        assert not path.is_file() or TOKEN.encode() not in path.read_bytes()


@pytest.fixture
def conducted(locked):
    """A run that the locked server conducts until it is killed."""
    long = {**SMALL, "problem": "long", "caps": {"max_generations": 5_000}, "config": {"pause_ms": 50}}
    launched = locked.post("/api/runs", long, Authorization=f"Bearer {TOKEN}")
    assert launched.status_code == 201, launched.text
    run_id = launched.json()["run_id"]
    yield run_id
    locked.post(f"/api/runs/{run_id}/kill", Authorization=f"Bearer {TOKEN}")
    locked.until(run_id, "failed")
    wait_until(lambda: not locked.conductors(), "the end of its conductor")


def test_a_conductor_does_not_get_the_token(locked, conducted):
    wait_until(locked.conductors, "conducting")
    (pid,) = locked.conductors()
    assert TOKEN.encode() not in Path(f"/proc/{pid}/environ").read_bytes()


# --- names and pages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", ""]
)
def test_a_name_that_was_made_to_lead_here_is_not_answered(server, host):
    for path in ("/", "/api/runs", "/healthz"):
        assert told(server.get(path, headers={"Host": host})) == (421, "unknown_host")


@pytest.mark.parametrize("host", ["localhost", "localhost:9", "127.0.0.1:80", "[::1]:8765", "LOCALHOST"])
def test_its_own_names_are(server, host):
    assert server.get("/api/runs", headers={"Host": host}).status_code == 200


def test_bound_to_all_addresses_it_answers_to_any_of_them_and_to_the_names_of_the_settings(locked):
    for host, status in (("192.0.2.7:8765", 200), ("lab.example", 200), ("evil.example", 421)):
        assert locked.get("/api/runs", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://[bad"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_stranger_page_changes_nothing(server, headers):
    before = server.runs()
    answer = server.client.post("/api/runs", json=SMALL, headers={"Idempotency-Key": "x", **headers})
    assert told(answer) == (403, "cross_site")
    assert "access-control-allow-origin" not in answer.headers
    assert server.runs() == before


def test_our_own_page_does(server):
    headers = {"Origin": server.url, "Sec-Fetch-Site": "same-origin", "Idempotency-Key": "own"}
    assert server.client.post("/api/runs", json=SMALL, headers=headers).status_code == 201


def test_no_other_page_reads_here_unless_the_settings_name_it(server, locked):
    evil = {"Origin": "https://evil.example"}
    assert "access-control-allow-origin" not in server.get("/api/runs", headers=evil).headers
    assert "access-control-allow-origin" not in locked.get("/api/runs", headers=evil).headers
    lab = {"Origin": "https://lab.example"}
    assert locked.get("/api/runs", headers=lab).headers["access-control-allow-origin"] == "https://lab.example"
    asked = {**lab, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "idempotency-key"}
    assert locked.client.options("/api/runs", headers=asked).status_code == 200
    assert locked.client.options("/api/runs", headers={**asked, **evil}).status_code == 400
    changed = locked.post("/api/runs", {}, Authorization=f"Bearer {TOKEN}", **lab)
    assert changed.status_code == 422  # it is let in, and asks for nothing
    assert changed.headers["access-control-allow-origin"] == "https://lab.example"


@pytest.mark.parametrize("path", ["/", "/api/runs", "/api/nothing", "/launch", "/healthz"])
def test_every_answer_protects_the_page(server, path):
    headers = server.get(path).headers
    policy = headers["content-security-policy"]
    script = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert script == "script-src 'self'"
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


# --- how much ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_that_a_form_could_send_is_refused(server, kind):
    headers = {"Idempotency-Key": "x", "Content-Type": kind}
    answer = server.client.post("/api/runs", content=json.dumps(SMALL), headers=headers)
    assert told(answer) == (415, "unsupported_media_type")


def test_a_body_that_is_too_large_is_refused_however_it_comes(locked):
    headers = {"Idempotency-Key": "x", "Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    large = b'"' + b"x" * 70_000 + b'"'
    assert told(locked.client.post("/api/runs", content=large, headers=headers)) == (413, "content_too_large")

    def drops():
        yield from (large[start : start + 10_000] for start in range(0, len(large), 10_000))

    assert told(locked.client.post("/api/runs", content=drops(), headers=headers)) == (413, "content_too_large")


def test_a_body_that_does_not_come_is_given_up(locked):
    host, port = locked.client.base_url.host, locked.client.base_url.port
    with socket.create_connection((host, port), timeout=60) as connection:
        connection.sendall(
            b"POST /api/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: x\r\nContent-Type: application/json\r\n"
            b"Authorization: Bearer " + TOKEN.encode() + b'\r\nContent-Length: 100\r\n\r\n{"domain": '
        )
        assert b" 408 " in connection.recv(65_536).partition(b"\r\n")[0]


def test_who_comes_too_often_waits(tmp_path):
    settings = {"MENDEL_SERVE__WRITES_PER_MINUTE": "3", "MENDEL_SERVE__READS_PER_SECOND": "1"}
    with serving(tmp_path, **settings) as server:
        answers = [server.post("/api/runs", {}) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [422, 422, 422, 429, 429]
        assert told(answers[-1]) == (429, "too_many_requests")
        assert int(answers[-1].headers["Retry-After"]) >= 1
        reads = [server.get("/api/runs").status_code for _ in range(20)]
        assert 200 in reads
        assert 429 in reads


def test_a_client_holds_so_many_streams_open_and_no_more(locked, conducted):
    path = f"/api/runs/{conducted}/stream"
    with locked.client.stream("GET", path) as one, locked.client.stream("GET", path) as two:
        assert (one.status_code, two.status_code) == (200, 200)
        assert told(locked.get(path)) == (429, "too_many_streams")
    _wait_for_stream(locked, path)


def _wait_for_stream(server: Server, path: str) -> None:
    for _ in range(600):
        with server.client.stream("GET", path) as again:
            if again.status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError("streams that were closed are counted for ever")


def test_a_bucket_fills_again_with_time():
    now = [0.0]
    buckets = Buckets(0.5, 2, clock=lambda: now[0])
    assert [buckets.wait_s("a") for _ in range(3)] == [0.0, 0.0, 2.0]
    assert buckets.wait_s("b") == 0.0
    now[0] = 2.0
    assert [buckets.wait_s("a") for _ in range(2)] == [0.0, 2.0]


@check_rows(
    ("bound", "host", "answers"),
    [
        ("127.0.0.1", "127.0.0.2", True),
        ("127.0.0.1", "10.0.0.1", False),
        ("10.0.0.1", "10.0.0.1:80", True),
        ("10.0.0.1", "10.0.0.2", False),
        ("::", "[2001:db8::1]:80", True),
        ("::1", "[::1]", True),
        ("127.0.0.1", "localhost.", True),
        ("127.0.0.1", "[", False),
        ("127.0.0.1", "user@127.0.0.1", True),
    ],
)
def test_by_which_names_a_server_is_meant(bound, host, answers):
    assert Policy(bound=bound).answers_to(host) is answers


def test_threads_of_clients_do_not_hold_each_other_up(server):
    """A body that comes slowly from one does not keep others waiting."""
    port = server.client.base_url.port
    with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
        slow.sendall(
            b"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
            b"Idempotency-Key: x\r\nContent-Type: application/json\r\n\r\n{"
        )
        found = []
        asking = threading.Thread(target=lambda: found.append(server.get("/api/runs").status_code))
        asking.start()
        asking.join(60)
        assert found == [200]
