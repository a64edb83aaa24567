"""A domain that does not load, or is not installed, breaks only itself."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest
from fastapi import APIRouter
from tests.api.served import environment, refuses_to_start, serving
from tests.api.test_security import told
from tests.rules.attackers import install_plugin
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.api.app import create_app
from mendel.api.domain_paths import DomainPaths, Mount
from mendel.api.registration import ServedDomain
from mendel.api.security import HEADERS
from mendel.api.services import Services
from mendel.api.source import RunSource
from mendel.contracts.errors import PathsCollide

GOLDEN = Path(__file__).parents[1] / "golden"
HALF = """
from mendel.ports.registration import DomainRegistration, DomainRouter
REGISTRATION = DomainRegistration(
    name="half", title="Half", summary="Nothing of it loads.", domain="nowhere:Half", launch="nowhere:form",
    text="mendel:nothing", services=("mendel.cli.main:main",), routers=(DomainRouter(router="not a reference"),),
)
"""
GREEDY = """
from fastapi import APIRouter
from mendel.ports.registration import DomainRegistration, DomainRouter
router = APIRouter()
REGISTRATION = DomainRegistration(
    name="greedy", title="Greedy", summary="It wants the page.", domain="nowhere:Greedy",
    routers=(DomainRouter(router="{module}:router", path="{path}"),),
)
"""
SPILT = """
from mendel.api.domain_services import Service
from mendel.ports.domain_tables import Column, DomainTables, Table
from mendel.ports.registration import DomainRegistration, DomainRouter

class Kettle(Service):
    name = "kettle"

    def __init__(self, context):
        self.tables = context.tables

    async def start(self): ...
    async def stop(self): ...
    async def health(self): ...

def __getattr__(name):
    columns = (Column("tea", "text"), Column("liking", "float"))
    return DomainTables(tables=(Table(name="likings", columns=columns, key=("tea",)),))

REGISTRATION = DomainRegistration(
    name="spilt", title="Spilt", summary="Its tables are wrong.", domain="{module}:Spilt",
    services=("{module}:Kettle",), tables="{module}:tables",
)
"""
MUTE = """
from typing import Callable
from fastapi import APIRouter
from pydantic import BaseModel
from mendel.ports.registration import DomainRegistration, DomainRouter

class Cup(BaseModel):
    pour: Callable[[], int]

router, other = APIRouter(), APIRouter()

@router.post("/cup", response_model=Cup)
async def cup(): ...

@other.get("/pot", name="list_domains")
async def pot() -> int:
    return 3

REGISTRATION = DomainRegistration(
    name="mute", title="Mute", summary="A route cannot be described.", domain="nowhere:Mute",
    routers=(DomainRouter(router="{module}:router"), DomainRouter(router="{module}:other")),
)
"""
SLOW = """
import asyncio
import sys
from mendel.api.domain_services import Health, Service
from mendel.ports.registration import DomainRegistration

class Cup(Service):
    name = "cup"

    def __init__(self, context):
        pass

    async def start(self):
        print("filled", file=sys.stderr, flush=True)

    async def stop(self):
        print("emptied", file=sys.stderr, flush=True)

    async def health(self):
        return Health(True, "")

class Kettle(Cup):
    name = "kettle"

    async def start(self):
        print("heating", file=sys.stderr, flush=True)
        await asyncio.Event().wait()

REGISTRATION = DomainRegistration(
    name="slow", title="Slow", summary="It never boils.", domain="nowhere:Slow",
    services=("{module}:Cup", "{module}:Kettle"),
)
"""
FAILING = """
from fastapi import APIRouter, Request, WebSocket
from pydantic import BaseModel
from mendel.api.domain_services import Health, Service, service_of
from mendel.api.registration import LaunchForm
from mendel.ports.domain_tables import Column, DomainTables, Table
from mendel.ports.registration import DomainRegistration, DomainRouter

router = APIRouter()

class Kettle(Service):
    name = "kettle"
    def __init__(self, context):
        self.tables = context.tables
    async def start(self): ...
    async def stop(self): ...
    async def health(self):
        return Health(True, "")

class Inputs(BaseModel):
    planner: str = "raises"

class Plan:
    commands, asked_caps, measured = False, frozenset(), None
    def __getattr__(self, name):
        raise AttributeError(name)

def plan(request, seed, workshop):
    if (request.inputs or {}).get("planner") == "raises":
        raise LookupError("planted-secret")
    return Plan()

@router.get("/spilt")
async def spilt():
    raise RuntimeError("planted-secret")

@router.get("/row")
async def row(request: Request):
    return await service_of(request, Kettle).tables.rows("likings", by="licking")

@router.get("/folded")
async def folded(request: Request, run_id: str):
    await service_of(request, Kettle).tables.fresh(run_id)

@router.websocket("/live")
async def live(socket: WebSocket, accepted: bool, parses: bool = False):
    if accepted:
        await socket.accept()
    if parses:
        await socket.receive_json()
    raise RuntimeError("planted-secret")

def fold(event):
    raise KeyError("planted-secret")

TABLES = DomainTables(tables=(Table(name="likings", columns=(Column("tea", "text"),), key=("tea",)),), fold=fold)
FORM = LaunchForm(inputs=Inputs, plan=plan)
form = lambda settings: FORM

REGISTRATION = DomainRegistration(
    name="reference", title="Failing", summary="Its code raises.", domain="{module}:Failing", launch="{module}:form",
    services=("{module}:Kettle",), tables="{module}:TABLES", routers=(DomainRouter(router="{module}:router"),),
)
"""
"""It has the name of the domain that is in the golden logs."""


def registered(place: Path, name: str, source: str) -> str:
    """A distribution whose module is the registration of a domain; the folder for the path."""
    folder = install_plugin(place, "", {"registrations": {}})
    (folder / f"{name}_registered.py").write_text(source.replace("{module}", f"{name}_registered"))
    (info,) = folder.glob("*.dist-info")
    (info / "entry_points.txt").write_text(f"[mendel.domains]\n{name} = {name}_registered:REGISTRATION\n")
    return str(folder)


def idle_in(server) -> set[str]:
    """The services of which `/readyz` says that they do not run."""
    answer = server.get("/readyz")
    parts = [each for each in answer.json()["parts"] if not each["ready"]]
    assert answer.status_code == (503 if parts else 200)
    assert all(each["detail"].startswith("not started: ") for each in parts)
    return {each["name"] for each in parts}


def path_of(*folders: str) -> str:
    """These alone: what other tests of this process have installed is not there."""
    return os.pathsep.join(folders)


def imported(folder: Path, name: str) -> None:
    """A run of the golden logs in the home of a folder; nobody here has its domain."""
    (folder / "run.mendel").write_bytes(gzip.decompress((GOLDEN / f"{name}.mendel.gz").read_bytes()))


@pytest.mark.slow
@pytest.mark.smoke
def test_the_others_are_served_and_a_run_of_a_missing_one_is_read_and_replayed(tmp_path):
    raising = registered(tmp_path, "raising", "raise RuntimeError('not today')")
    half = registered(tmp_path, "half", HALF)
    imported(tmp_path, "generational")
    with serving(tmp_path, PYTHONPATH=path_of(raising, half)) as server:
        listed = server.mendel("plugin", "list")
        assert listed.returncode == 0
        assert {"raising", "half", "programs"} <= set(listed.stdout.split())
        domains = {each["name"]: each for each in server.get("/api/domains").json()}
        assert "RuntimeError: not today" in domains["raising"]["refusal"]
        assert "registers 'nowhere:form' as its launch" in domains["half"]["refusal"]
        assert domains["programs"]["launchable"]
        for name in ("raising", "half"):
            assert told(server.post("/api/runs", {"domain": name})) == (503, "broken_plugin")
        broken = [line["error"] for line in server.told("domain_broken") if line["domain"] == "half"]
        assert [any(word in each for each in broken) for word in ("as its routers", "a subclass of Service")] == [
            True
        ] * 2
        assert idle_in(server) == {"half.main"}

        assert server.mendel("log", "import", "run.mendel").returncode == 0
        (run,) = server.runs()
        assert run["domain"] == "reference"
        assert "reference" not in domains
        replayed = server.mendel("replay", run["run_id"])
        assert replayed.returncode == 0, replayed.stderr
        assert server.get(f"/api/runs/{run['run_id']}/history").status_code == 200
        with server.client.stream("GET", f"/api/runs/{run['run_id']}/stream") as stream:
            assert any(line == "event: end" for line in stream.iter_lines())
        candidates = server.get(f"/api/runs/{run['run_id']}/candidates").json()["candidates"]
        detail = server.get(f"/api/runs/{run['run_id']}/candidates/{candidates[0]['candidate_id']}").json()
        assert "values" in detail["text"]["source"]
        doctored = server.mendel("doctor", "--json").stdout
        assert '"domain raising"' in doctored
        assert '"domain half"' in doctored


@pytest.mark.slow
def test_a_wrong_word_in_the_tables_of_one_domain_is_told_and_stops_only_its_own_services(tmp_path):
    spilt = registered(tmp_path, "spilt", SPILT)
    with serving(tmp_path, PYTHONPATH=path_of(spilt)) as server:
        (of_service, of_tables) = [line["error"] for line in server.told("domain_broken")]
        assert "registers 'spilt_registered:tables' as its tables, which cannot be loaded: ValueError" in of_tables
        assert "the table 'likings': the column 'liking' is of the kind 'float'; known are text, integer" in of_tables
        assert "spilt_registered:Kettle of the domain spilt is not started: its tables" in of_service
        assert idle_in(server) == {"spilt.Kettle"}
        assert server.get("/api/runs").status_code == 200
        assert server.mendel("db", "projections", "--rebuild").returncode == 0


@pytest.mark.slow
@pytest.mark.smoke
def test_a_route_that_cannot_be_described_takes_the_document_from_nobody(tmp_path):
    mute = registered(tmp_path, "mute", MUTE)
    with serving(tmp_path, PYTHONPATH=path_of(mute)) as server:
        (line,) = [line["error"] for line in server.told("domain_broken")]
        assert "mute_registered:router of the domain mute has a route that cannot be described: " in line
        assert "raised PydanticInvalidForJsonSchema; this is a bug of the domain" in line
        paths = server.get("/api/openapi.json").json()["paths"]
        assert "/api/domains/mute/cup" not in paths
        told = paths["/api/domains/mute/pot"]["get"]
        assert told["operationId"] == "mute.list_domains"
        assert "examples" not in told["responses"]["200"]["content"]["application/json"]
        assert paths["/api/domains"]["get"]["operationId"] == "list_domains"
        assert server.get("/api/domains/mute/pot").json() == 3


@pytest.mark.slow
@pytest.mark.smoke
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_ended_before_it_listens_stops_what_it_has_started(tmp_path, number):
    slow = registered(tmp_path, "slow", SLOW)
    command = [sys.executable, "-m", "mendel", "serve", "--port", "0"]
    env = environment(tmp_path, PYTHONPATH=path_of(slow))
    with subprocess.Popen(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True) as server:
        said = list(takewhile(lambda line: line not in ("heating\n", ""), iter(server.stderr.readline, None)))
        assert [line for line in said if not line.startswith(("{", "starting "))] == ["filled\n"]
        server.send_signal(number)
        ending = server.stderr.read().splitlines()
    assert (server.returncode, ending) == (130, ["emptied"])


def closed(server, query: str) -> tuple[int, str]:
    """How a socket of the failing domain ends: the status of its handshake, or the code with which it is closed."""
    address = f"{server.url.replace('http', 'ws', 1)}/api/domains/reference/live?{query}"
    try:
        with connect(address) as opened:
            opened.send("no JSON")
            opened.recv()
    except InvalidStatus as refused:
        return refused.response.status_code, json.loads(refused.response.body)["code"]
    except ConnectionClosed as ended:
        return (ended.rcvd.code, ended.rcvd.reason) if ended.rcvd is not None else (0, "")
    raise AssertionError("it must fail")


@pytest.mark.slow
def test_a_bug_in_a_domain_s_code_is_the_domain_s_and_stands_once_in_the_log(tmp_path):
    failing = registered(tmp_path, "reference", FAILING)
    imported(tmp_path, "generational")
    with serving(tmp_path, PYTHONPATH=path_of(failing)) as server:
        assert server.mendel("log", "import", "run.mendel").returncode == 0
        (run,) = server.runs()
        own = "/api/domains/reference"
        owner = r'of the domain "reference" \(bad_plugin_\w+ 1\.0\)'
        for answer, said in (
            (server.get(f"{own}/spilt"), f"a route {owner} failed; this is a bug of the domain"),
            (
                server.get(f"{own}/row"),
                f"a route {owner} stores or queries an invalid row: the table likings has no column",
            ),
            (
                server.get(f"{own}/folded", params={"run_id": run["run_id"]}),
                f"the fold of the tables {owner} raised KeyE",
            ),
            (
                server.post("/api/runs", {"domain": "reference", "inputs": {"planner": "raises"}}),
                f"the planner {owner} rai",
            ),
            (
                server.post("/api/runs", {"domain": "reference", "inputs": {"planner": "odd"}}),
                "a Plan, which has no draft",
            ),
        ):
            assert told(answer) == (500, "domain_failed")
            assert re.search(said, answer.json()["detail"]), answer.text
            assert "planted-secret" not in answer.text
            assert {name.lower() for name in HEADERS} <= set(answer.headers)
        assert closed(server, "accepted=false") == (500, "domain_failed")
        code, reason = closed(server, "accepted=true")
        assert (code, reason.startswith('domain_failed: the domain "reference" (bad_plugin_')) == (1011, True)
        code, reason = closed(server, "accepted=true&parses=true")
        assert (code, reason.startswith('domain_failed: the domain "reference" (bad_plugin_')) == (1011, True)
        assert [server.said().count(f"{kind}: ") for kind in ("LookupError", "KeyError")] == [1, 1]
        assert server.said().count("RuntimeError: planted-secret") == 3
        assert "bug in Mendel" not in server.said()
        rebuilt = server.mendel("db", "projections", "--rebuild")
        assert (rebuilt.returncode, "the fold of the tables of the domain" in rebuilt.stderr) == (0, True)


@pytest.mark.parametrize("path", ["/runs", "/api/runs", "/metrics/more"])
def test_a_path_that_is_taken_keeps_the_server_from_starting(tmp_path, monkeypatch, path):
    monkeypatch.delitem(sys.modules, "greedy_registered", raising=False)
    greedy = registered(tmp_path, "greedy", GREEDY.replace("{path}", path))
    said = refuses_to_start(tmp_path, PYTHONPATH=path_of(greedy))
    owner = "the page" if path == "/runs" else "the API"
    assert f"the domain greedy serves {path}, which collides with /" in said
    assert owner in said


def served(*mounts: Mount, page: Path | None = None) -> None:
    domains = [ServedDomain(mount.domain, "It", "For tests.", mounts=(mount,)) for mount in mounts]
    source = RunSource(MemoryEventLog(), MemoryReadModels())
    create_app(Services(source=source, domains=domains, page=page))


@pytest.mark.parametrize(("one", "other"), [("/world", "/world"), ("/world", "/world/ws"), ("/a/b/c", "/a/b")])
def test_two_domains_that_want_one_path_are_both_named(one, other):
    with pytest.raises(PathsCollide, match=rf"domain two serves {other}, which collides with {one} of the domain one"):
        served(Mount("one", one, APIRouter()), Mount("two", other, APIRouter()))


def test_a_file_of_the_page_keeps_its_address(tmp_path):
    (tmp_path / "logo.svg").write_text("<svg/>")
    with pytest.raises(PathsCollide, match=r"/logo\.svg of the page"):
        served(Mount("one", "/logo.svg", APIRouter()), page=tmp_path)


def test_neighbours_do_not_collide(tmp_path):
    mounts = (Mount("one", "/world", APIRouter()), Mount("one", "/world/ws", APIRouter()))
    served(*mounts, Mount("two", "/worlds", APIRouter()), Mount("two", "/api/domains/two", APIRouter()))
    with pytest.raises(PathsCollide, match="/api of the API"):
        served(Mount("two", "/api/domains/one", APIRouter()))


@pytest.mark.parametrize(
    ("path", "reading"),
    [
        ("/world", {"look"}),
        ("/world/live", {"look"}),
        ("/world/ws", {"hear"}),
        ("/world/ws/live", {"hear"}),
        ("/worlds", set()),
        ("/api/domains/one/live", {"look"}),
    ],
)
def test_what_only_reads_at_a_socket_is_said_by_the_router_that_serves_it(path, reading):
    look, hear = frozenset({"look", "step"}), frozenset({"hear"})
    mounts = [Mount("one", "/world", APIRouter(), frozenset({"look"})), Mount("one", "/world/ws", APIRouter(), hear)]
    mounts += [Mount("one", "/api/domains/one", APIRouter(), each) for each in (look, frozenset({"look", "turn"}))]
    assert DomainPaths(mounts).reading_at(path) == reading
