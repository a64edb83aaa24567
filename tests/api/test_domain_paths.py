"""What domains add to a server is guarded as the API is: every path, and every message of real sockets."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import create_connection

import pytest
from tests.api.served import SMALL, Server, one_server, refuses_to_start, serving, wait_until
from tests.api.test_security import TOKEN, told
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from mendel.api.domain_paths import PAGE_PATHS

AGENT = "agent-token-of-the-reference-domain"
OWN = {"Authorization": f"Bearer {TOKEN}"}
HAS_TOKEN = {"MENDEL_SERVE__TOKEN_ENV": "LAB_TOKEN", "LAB_TOKEN": TOKEN}

pytestmark = [pytest.mark.usefixtures("plugins"), pytest.mark.xdist_group("api domain paths")]
server = one_server()
locked = one_server(**HAS_TOKEN, MENDEL_SERVE__BODY_KB="64")
closed = one_server(**HAS_TOKEN, MENDEL_SERVE__READ_TOKEN="true", MARKER_BEGINS="4")


@contextmanager
def socket(server: Server, path: str = "/reference/live", **options):
    address = server.url.replace("http://", "ws://")
    with connect(f"{address}{path}", open_timeout=30, close_timeout=5, **options) as opened:
        yield opened


def said(opened, timeout=30):
    return json.loads(opened.recv(timeout=timeout))


def ends(opened) -> tuple[int, str]:
    """How a socket is closed, once everything that was sent before has been read."""
    with pytest.raises(ConnectionClosed) as caught:
        _drained(opened)
    return caught.value.rcvd.code, caught.value.rcvd.reason


def say(opened, message, times):
    """Send a message so often, or until the socket is closed for it."""
    with suppress(ConnectionClosed):
        for _ in range(times):
            opened.send(message)


def _drained(opened):
    while True:
        opened.recv(timeout=30)


def refused(server: Server, path: str = "/reference/live", **options) -> tuple[int, str]:
    """How a handshake is refused."""
    with pytest.raises(InvalidStatus) as caught, socket(server, path, **options):
        pass
    response = caught.value.response
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    return response.status_code, json.loads(response.body)["code"]


# --- where nobody needs a token ------------------------------------------------------------------------------------


@pytest.mark.smoke
def test_its_routes_and_sockets_are_served_beside_the_api_and_within(server):
    assert server.get("/reference/marker").json() == {"at": 0}
    assert server.post("/reference/marker", {"at": 7}).json() == {"at": 7}
    assert server.get("/api/domains/reference/founders").json() == {"at": 4}
    with socket(server) as opened:
        assert said(opened) == {"at": 7}
        opened.send('{"type": "jump"}')
        assert said(opened)["at"] == 17
    server.post("/reference/marker", {"at": 0})
    paths = server.get("/api/openapi.json").json()["paths"]
    assert paths["/reference/marker"]["post"]["tags"] == ["reference"]
    assert {"401", "403", "429"} <= set(paths["/reference/marker"]["get"]["responses"])


def test_what_it_does_not_serve_is_neither_the_page_nor_a_socket(server):
    assert told(server.get("/reference/nothing")) == (404, "not_found")
    assert told(server.get("/reference/marker", params={"x": 1})) == (422, "invalid_request")
    assert refused(server, "/reference/nothing") == refused(server, "/nothing/at/all") == (404, "not_found")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_a_page_of_strangers_opens_no_socket(server, origin):
    assert refused(server, origin=origin) == (403, "cross_site")


def test_its_own_page_does(server):
    with socket(server, origin=server.url) as opened:
        assert "at" in said(opened)


def test_a_name_that_was_made_to_lead_here_opens_no_socket(server):
    headers = {"Host": "evil.example"}
    assert told(server.get("/reference/marker", headers=headers)) == (421, "unknown_host")
    port = server.url.rpartition(":")[2]
    with pytest.raises(InvalidStatus) as caught:
        connect(f"ws://evil.example:{port}/reference/live", sock=create_connection(("127.0.0.1", int(port))))
    assert caught.value.response.status_code == 421


# --- where changes need one ----------------------------------------------------------------------------------------


def test_a_root_path_is_changed_with_the_token_only(locked):
    assert told(locked.post("/reference/marker", {"at": 1})) == (401, "token_required")
    assert locked.get("/reference/marker").json() == {"at": 0}
    assert locked.post("/reference/marker", {"at": 0}, Authorization=f"Bearer {TOKEN}").status_code == 200


def test_a_socket_that_only_reads_needs_none_and_a_message_that_changes_does(locked):
    with socket(locked) as opened:
        assert said(opened) == {"at": 0}
        opened.send('{"type": "look"}')
        assert said(opened)["heard"] == {"type": "look"}
        opened.send('{"type": "step"}')
        assert ends(opened) == (1008, "token_required")
    assert locked.get("/reference/marker").json() == {"at": 0}


@pytest.mark.parametrize("message", ["step", "[1]", '{"type": ["look"]}', b'{"type": "look"}', '{"kind": "look"}'])
def test_whatever_is_not_known_to_only_read_is_a_change(locked, message):
    with socket(locked) as opened:
        opened.send(message)
        assert ends(opened) == (1008, "token_required")


def test_the_token_comes_as_a_message_that_the_route_never_sees(locked):
    with socket(locked, origin=locked.url) as opened:
        said(opened)
        opened.send(json.dumps({"token": TOKEN}))
        opened.send('{"type": "step"}')
        assert said(opened) == {"at": 1, "heard": {"type": "step"}}
    with socket(locked, additional_headers=OWN) as opened:
        said(opened)
        opened.send('{"type": "step"}')
        assert said(opened)["at"] == 2
    locked.post("/reference/marker", {"at": 0}, Authorization=f"Bearer {TOKEN}")
    assert TOKEN not in locked.said()


def test_a_socket_leaves_a_line_that_says_how_it_ended_and_nothing_of_what_was_sent(locked):
    with socket(locked) as opened:
        opened.send('{"type": "secret-word"}')
        assert ends(opened) == (1008, "token_required")
    assert refused(locked, origin="https://evil.example") == (403, "cross_site")
    wait_until(lambda: any(line["status"] == 403 for line in locked.told("socket")), "a line for the refused one")
    lines = locked.told("socket")
    assert {"/reference/live"} == {line["route"] for line in lines if line["status"] in (101, 403)}
    assert any(line.get("closed") == 1008 for line in lines)
    assert next(line["code"] for line in lines if line["status"] == 403) == "cross_site"
    assert all(line["request_id"] for line in lines)
    assert "secret-word" not in locked.said()


def test_a_wrong_token_closes_the_socket(locked):
    with socket(locked) as opened:
        opened.send('{"token": "wrong"}')
        assert ends(opened) == (1008, "token_required")
    with socket(locked, additional_headers={"Authorization": "Bearer wrong"}) as opened:
        opened.send('{"type": "step"}')
        assert ends(opened) == (1008, "token_required")


@pytest.mark.parametrize("query", [f"token={TOKEN}", "access_token=x", f"anything={TOKEN}", f"x={AGENT}"])
def test_a_token_in_the_address_is_refused(locked, query):
    assert refused(locked, f"/reference/live?{query}") == (400, "token_in_address")


def test_a_message_that_is_too_large_closes_the_socket(locked):
    with socket(locked) as opened:
        opened.send(json.dumps({"type": "look", "more": "x" * (65 << 10)}))
        assert ends(opened)[0] == 1009


def test_messages_are_counted_as_requests_are(tmp_path):
    settings = {"MENDEL_SERVE__WRITES_PER_MINUTE": "3", "MENDEL_SERVE__READS_PER_SECOND": "1"}
    with serving(tmp_path, **settings) as server:
        with socket(server) as opened:
            say(opened, '{"type": "step"}', 6)
            assert ends(opened) == (1013, "too_many_requests")
        with socket(server) as opened:
            say(opened, '{"type": "look"}', 8)
            assert ends(opened) == (1013, "too_many_requests")
        codes = {_code(server) for _ in range(8)}
        assert "too_many_requests" in codes


def _code(server):
    try:
        with socket(server):
            return "opened"
    except InvalidStatus as error:
        return json.loads(error.response.body)["code"]


def test_open_sockets_are_counted_as_streams_are(tmp_path):
    with serving(tmp_path, MENDEL_SERVE__STREAMS="1") as server, socket(server):
        assert refused(server) == (429, "too_many_streams")


# --- where reading needs one, too ----------------------------------------------------------------------------------


def test_a_root_path_is_read_with_the_token_only(closed):
    for path in ("/reference/marker", "/api/domains/reference/founders"):
        assert told(closed.get(path)) == (401, "token_required")
        assert closed.get(path, headers=OWN).status_code == 200


def test_a_service_has_the_settings_of_its_domain_and_their_page_shows_them(closed):
    assert closed.get("/reference/marker", headers=OWN).json() == {"at": 4}
    rows = {each["key"]: each for each in closed.get("/api/settings", headers=OWN).json()["settings"]}
    assert (rows["reference.begins"]["value"], rows["reference.begins"]["source"]) == ("4", "environment MARKER_BEGINS")
    assert {"reference.relay", "evolve.reference_note", "mutate.target_file", "evolve.task.generate"} <= set(rows)


def test_a_socket_is_silent_until_the_token_has_come(closed):
    with socket(closed, origin=closed.url) as opened:
        with pytest.raises(TimeoutError):
            opened.recv(timeout=0.5)
        opened.send(json.dumps({"token": TOKEN}))
        assert "at" in said(opened)
        opened.send('{"type": "step"}')
        assert said(opened)["heard"] == {"type": "step"}


def test_without_the_token_it_is_closed(closed):
    with socket(closed) as opened:  # after five seconds
        assert ends(opened) == (1008, "token_required")
    for first in ('{"type": "look"}', '{"token": "wrong"}', '{"token": 5}', b"\x00", f'{{"token": "{TOKEN}", "a": 1}}'):
        with socket(closed) as opened:
            opened.send(first)
            assert ends(opened) == (1008, "token_required")
    assert refused(closed, additional_headers={"Authorization": "Bearer wrong"}) == (401, "token_required")


# --- tokens that a domain issues -----------------------------------------------------------------------------------


def test_a_token_of_a_domain_is_good_for_its_scope_and_its_own_paths_alone(closed, locked):
    agent = {"Authorization": f"Bearer {AGENT}"}
    assert closed.get("/reference/marker", headers=agent).status_code == 200
    assert closed.client.head("/reference/marker", headers=agent).status_code == 200
    for server in (closed, locked):
        assert told(server.post("/reference/marker", {"at": 1}, **agent)) == (403, "out_of_scope")
        assert told(server.post("/api/runs", SMALL, **agent)) == (403, "out_of_scope")
        # Its scope names this, and it is not the domain's to give away.
        assert told(server.get("/api/runs", headers=agent)) == (403, "out_of_scope")
        assert told(server.get("/api/domains/reference/founders", headers=agent)) == (403, "out_of_scope")


def test_a_token_of_a_domain_sends_the_messages_of_its_scope(closed, locked):
    for server in (closed, locked):
        with socket(server) as opened:
            opened.send(json.dumps({"token": AGENT}))
            opened.send('{"type": "step"}')
            while "heard" not in (answer := said(opened)):
                pass
            assert answer["heard"] == {"type": "step"}
            opened.send('{"type": "jump"}')
            assert ends(opened) == (1008, "out_of_scope")


def test_a_service_that_cannot_tell_a_token_has_not_issued_it(closed):
    broken = {"Authorization": "Bearer breaks-the-second"}
    assert told(closed.get("/reference/marker", headers=broken)) == (401, "token_required")
    assert closed.told("token_not_looked_up")


# --- services ------------------------------------------------------------------------------------------------------


def notes(folder: Path) -> list[str]:
    return (folder / "home" / "marker").read_text().split("\n")[:-1]


@pytest.mark.slow
@pytest.mark.smoke
def test_services_live_as_long_as_the_server_and_say_how_they_are(tmp_path):
    with serving(tmp_path) as server:
        parts = {each["name"]: each for each in server.get("/readyz").json()["parts"]}
        assert parts["reference.marker"] == {"name": "reference.marker", "ready": True, "detail": "at 0"}
        probes = {each["name"]: each for each in server.post("/api/doctor").json()["probes"]}
        assert probes["service reference.second"]["status"] == "ok"
        server.post("/reference/marker", {"at": -1})
        assert server.get("/readyz").status_code == 503
        probes = {each["name"]: each for each in server.post("/api/doctor").json()["probes"]}
        assert (probes["service reference.marker"]["status"], probes["service reference.marker"]["detail"]) == (
            "missing",
            "at -1",
        )
        assert server.end() == 0
    assert notes(tmp_path) == ["started", "second started", "second stopped", "stopped"]


def test_a_service_may_keep_the_server_from_listening_and_those_before_it_are_stopped(tmp_path):
    told = refuses_to_start(tmp_path, SECOND_REFUSES="the world is flat")
    assert "the service second of the domain reference does not start: the world is flat" in told
    assert notes(tmp_path) == ["started", "stopped"]
    assert "the domain reference does not start: no" in refuses_to_start(tmp_path, REFERENCE_REFUSES="no")
    assert notes(tmp_path) == ["started", "stopped"]


# --- paths ---------------------------------------------------------------------------------------------------------


def test_the_page_has_the_addresses_that_domains_cannot_have():
    routes = (Path(__file__).parents[2] / "web" / "src" / "shell" / "routes.tsx").read_text()
    firsts = {f"/{found}" for found in re.findall(r'pattern: "/(\w+)', routes)}
    assert firsts
    assert firsts | {"/assets", "/domains"} == set(PAGE_PATHS), "what domains add stands at /domains"
