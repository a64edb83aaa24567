"""How many examples properties get, who may not be called, and an embedded PostgreSQL per test process."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from _pytest.nodeid import NodeId
from hypothesis import settings
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from mendel.adapters.postgres import schema
from mendel.adapters.postgres.embedded import EmbeddedServer

# No test asserts a time. What properties draw is decided beforehand, but for the long profile, which draws freshly.
settings.register_profile("short", max_examples=12, deadline=None, derandomize=True, database=None)
settings.register_profile("long", max_examples=1_000, deadline=None, derandomize=False)
settings.load_profile(os.environ.get("MENDEL_TEST_PROFILE", "short"))

_TESTS = Path(__file__).parent
_API = ("test_commands.py", "test_conductors.py", "test_launching.py", "test_two_servers.py")
_OBSERVATORY = ("browser", "web", *(f"api/{each}" for each in _API))
_SPREAD = ("xdist_group", "breeding", "observatory", "long")
_numbers = count()


def _refuse_strangers(event: str, args: tuple[object, ...]) -> None:
    """No test leaves this machine: no provider is ever asked, whatever keys the environment has."""
    if event != "socket.connect":
        return
    connecting, address = args
    if not isinstance(connecting, socket.socket) or connecting.family not in (socket.AF_INET, socket.AF_INET6):
        return
    host = str(address[0]) if isinstance(address, tuple) else ""
    if host != "localhost" and not _is_loopback(host):
        raise PermissionError(f"a test connects to {host}; tests talk to this machine only")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


# A shell that starts the tests in the background has them ignore Ctrl-C, and so would the commands that they interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

LIVE = os.environ.get("MENDEL_TEST_LIVE") == "1"
collect_ignore = [] if LIVE else ["live"]
if not LIVE:
    sys.addaudithook(_refuse_strangers)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What starts many servers or a browser, or builds the page, has a suite of its own; smoke tests are in both.

    The tests of a file go to one process: what they share is made once, not in each. Those that take long go where
    there is room, unless they name a group.
    """
    for item in items:
        if _apart(item.path) and item.get_closest_marker("smoke") is None:
            item.add_marker(pytest.mark.observatory)
        if getattr(config.option, "loadgroup", False):
            if not any(item.get_closest_marker(each) for each in _SPREAD):
                item.add_marker(pytest.mark.xdist_group(item.path.relative_to(_TESTS).as_posix()))
            _name_group(item)
    twice = [name for name, times in Counter(item.nodeid for item in items).items() if times > 1]
    if twice:
        raise pytest.UsageError(f"of several tests with one name, xdist runs one: {', '.join(twice)}")


def _name_group(item: pytest.Item) -> None:
    """Have the tests of a group go to one process: xdist 3.8 writes it where pytest 9.2 reads no more."""
    groups = "_".join(sorted({str(mark.args[0]) for mark in item.iter_markers("xdist_group")}))
    if groups and not item.nodeid.endswith(f"@{groups}"):
        item._id = NodeId.parse(f"{item.nodeid}@{groups}")


@cache
def _apart(path: Path) -> bool:
    return any(path.is_relative_to(_TESTS / each) for each in _OBSERVATORY)


class ExternalServer:
    """Somebody's PostgreSQL, reached as a superuser who may log in as anybody; for trying other versions."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn

    def conninfo(self, *, user: str = "postgres", dbname: str = "mendel") -> str:
        return make_conninfo(self._dsn, user=user, dbname=dbname)

    def url(self, *, user: str = "postgres", dbname: str = "mendel") -> str:
        host = quote(conninfo_to_dict(self._dsn)["host"], safe="")
        return f"postgresql://{user}@{host}/{dbname}"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer | ExternalServer]:
    """The embedded server, or the one that MENDEL_TEST_DATABASE names (`host=…`, trusting every user)."""
    given = os.environ.get("MENDEL_TEST_DATABASE")
    if given is not None:
        external = ExternalServer(given)
        schema.prepare(external.conninfo(), may_log_in=True)
        yield external
        return
    server = EmbeddedServer(tmp_path_factory.mktemp("mendel-home"))
    server.ensure()
    with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
        # No test cuts the power: databases come and go without waiting for the disk.
        conn.execute("ALTER SYSTEM SET fsync = off")
        conn.execute("SELECT pg_reload_conf()")
    schema.prepare(server.conninfo(), may_log_in=True)
    yield server
    server.stop()


@pytest.fixture
def fresh_database(server: EmbeddedServer | ExternalServer) -> Iterator[str]:
    """The name of a migrated, empty database of this test's own."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name} TEMPLATE mendel")
    yield name
    with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
        conn.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def owner_dsn(server: EmbeddedServer | ExternalServer, fresh_database: str) -> str:
    return server.conninfo(user="mendel_owner", dbname=fresh_database)


@pytest.fixture
def runtime_dsn(server: EmbeddedServer | ExternalServer, fresh_database: str) -> str:
    return server.conninfo(user="mendel_runtime", dbname=fresh_database)


@pytest.fixture
def checkpoint_folder(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints"


def pytest_collection() -> None:
    """What is collected stays to the end: no collector need walk through thousands of tests, again and again."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()
