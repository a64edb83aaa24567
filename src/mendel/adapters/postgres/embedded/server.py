"""The supervisor of the embedded PostgreSQL."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from psycopg import pq
from psycopg.conninfo import make_conninfo

from mendel.adapters.postgres.embedded import binaries, cluster, failures, locks, logfile, pidfile, ways
from mendel.adapters.postgres.embedded.pidfile import PidFile
from mendel.adapters.postgres.embedded.places import (
    PORT,
    SOCKET,
    Places,
    clear_sockets,
    private_folder,
    remove_runtime,
)
from mendel.adapters.postgres.embedded.processes import Family
from mendel.adapters.postgres.embedded.waiting import Announce, pauses
from mendel.adapters.postgres.embedded.ways import Way
from mendel.contracts.errors import EmbeddedServerError

ServerState = Literal["absent", "stopped", "starting", "running", "stopping"]

# Time for processes of a dead server to notice its death and end; most need milliseconds.
ORPHANS_PATIENCE_S = 3.0
# Time limit for an orderly shutdown, which ends the sessions and writes at most shared_buffers.
ORDERLY_PATIENCE_S = 30.0
# Time limit for an immediate shutdown; PostgreSQL itself gives its processes five seconds.
AT_ONCE_PATIENCE_S = 10.0

# PostgreSQL's "fast" and "immediate" shutdown.
_ORDERLY, _AT_ONCE = signal.SIGINT, signal.SIGQUIT

_to_log = logging.getLogger(__name__).info


@dataclass(frozen=True)
class ServerStatus:
    """The server's state at one moment; `pid`, `started_at` and `how` are set only while it lives."""

    state: ServerState
    data_dir: Path
    socket_dir: Path
    version: str | None = None
    pid: int | None = None
    started_at: datetime | None = None
    how: str | None = None


class EmbeddedServer:
    """The PostgreSQL of one MENDEL_HOME.

    The server is not a child process of its starter: it serves every process that uses the same home, and runs
    until `stop` is called. Methods may be called concurrently by any number of processes and threads.

    Args:
        home: MENDEL_HOME. The data is in `home/pg/data`, unless PostgreSQL cannot reach that folder (see `ways`);
            then `home/pg/location.json` contains its path.
        announce: Called with one line of text for the user before and during every step that takes seconds.
    """

    def __init__(self, home: Path, *, announce: Announce = _to_log) -> None:
        self._places = Places(home.resolve())
        self._announce = announce

    @property
    def exists(self) -> bool:
        """Whether a cluster was initialised here; a StorageError if the folder cannot be read."""
        with failures.storage_errors(self._places.home):
            return cluster.is_cluster(self._places.data())

    def ensure(self) -> None:
        """Return once the server accepts connections; initialise and start it first if necessary.

        Waits for crash recovery without a time limit.

        Raises:
            EmbeddedServerError: It cannot run here, or ended while starting; the message quotes its last log lines.
            StorageError: A folder cannot be written, or the disk is full. No partial state is left; call again
                once that is fixed.
        """
        with failures.storage_errors(self._places.home):
            if self._accepts():  # a cheap check without locks, for the common case
                logfile.bound(self._places.log)
                return
            self._places.make()
            with locks.exclusive(self._places.lock, self._announce, "another process to start PostgreSQL"):
                self._bring_up()

    def stop(self) -> bool:
        """Shut the server down, ending its sessions, and wait until it is gone; False if it was not running.

        A server that does not react is killed; committed data survives that.

        Raises:
            StorageError: A folder cannot be read or written.
        """
        with failures.storage_errors(self._places.home):
            if not self._places.pg.is_dir():
                return False
            with locks.exclusive(self._places.lock, self._announce, "another process to start or stop PostgreSQL"):
                return self._take_down()

    def status(self) -> ServerStatus:
        """Report the server's state without changing anything.

        Raises:
            StorageError: A folder cannot be read.
        """
        with failures.storage_errors(self._places.home):
            return self._look()

    def conninfo(self, *, user: str = cluster.SUPERUSER, dbname: str = cluster.DATABASE) -> str:
        """Return the connection parameters as libpq keywords."""
        with failures.storage_errors(self._places.home):
            return make_conninfo(host=str(self._socket_dir()), port=PORT, user=user, dbname=dbname)

    def url(self, *, user: str = cluster.SUPERUSER, dbname: str = cluster.DATABASE) -> str:
        """Return the connection parameters as a URL."""
        with failures.storage_errors(self._places.home):
            host = quote(str(self._socket_dir()), safe="")
        return f"postgresql://{quote(user, safe='')}@{host}:{PORT}/{quote(dbname, safe='')}"

    # Inspecting

    def _look(self) -> ServerStatus:
        data, socket_dir = self._places.data(), self._socket_dir()
        if not cluster.is_cluster(data):
            return ServerStatus("absent", data, socket_dir)
        version = binaries.find().version()
        found = self._postmaster()
        if found is None:
            return ServerStatus("stopped", data, socket_dir, version)
        try:
            how = ways.describe(found.pid)
        except FileNotFoundError:  # it ended in the meantime
            return ServerStatus("stopped", data, socket_dir, version)
        return ServerStatus(self._state(found), data, socket_dir, version, found.pid, found.started_at, how)

    def _family(self) -> Family:
        return Family(self._places.data(), self._places.tag)

    def _postmaster(self) -> PidFile | None:
        family = self._family()
        found = pidfile.read(family.data)
        return found if found and family.owns(found.pid) else None

    def _socket_dir(self) -> Path:
        """Return the socket folder of the running server; after a move of the home it differs from the default."""
        found = self._postmaster()
        return found.socket_dir if found and found.socket_dir else self._places.socket_dir

    def _accepts(self) -> bool:
        found = self._postmaster()
        return found is not None and self._state(found) == "running"

    def _state(self, found: PidFile) -> ServerState:
        if found.state == "stopping":
            return "stopping"
        # Connecting to a recovering server would only fill its log. One with the state "ready" may still be
        # recovering, from the crash of one of its processes, so it is pinged.
        if found.state != "ready":
            return "starting"
        where = make_conninfo(self.conninfo(dbname=cluster.SUPERUSER), connect_timeout=2)
        return "running" if pq.PGconn.ping(where.encode()) == pq.Ping.OK else "starting"

    # Starting

    def _bring_up(self) -> None:
        self._end_unserving()
        if self._wait_until_up("the server to be ready", lambda: self._postmaster() is not None):
            return
        data = self._places.data()
        way = ways.choose(data.stat() if cluster.is_cluster(data) else None)
        data = self._prepare(way)
        crashed = (data / pidfile.NAME).exists()  # an orderly shutdown removes the file
        serving = self._take_over()
        log_start = self._launch(way, serving)
        what = "crash recovery" if crashed else "PostgreSQL to start"
        if not self._wait_until_up(what, lambda: locks.is_held(self._places.serving)):
            said = logfile.tail(self._places.log, log_start)
            raise failures.failed("starting PostgreSQL", said, data)

    def _end_unserving(self) -> None:
        """End a server that can serve no longer, so that another one can start.

        Either its shutdown was interrupted, or its socket was removed, which it cannot replace.
        """
        found = self._postmaster()
        if found is None:
            return
        removed = found.state == "ready" and not (self._socket_dir() / SOCKET).exists()
        if removed:
            self._announce("restarting PostgreSQL, as its socket was removed")
        if removed or found.state == "stopping":
            self._shut_down(found, in_recovery=False)

    def _wait_until_up(self, what: str, lives: Callable[[], bool]) -> bool:
        """Wait; return True once the server accepts connections, False if it ended."""
        for _ in pauses(self._announce, what):
            lived = lives()
            if self._accepts():
                return True
            if not lived:
                return False
        raise AssertionError("pauses() never ends")

    def _prepare(self, way: Way) -> Path:
        """Initialise the cluster if necessary, and return a data folder that `way` can serve."""
        data = self._places.data()
        if not cluster.is_cluster(data):
            data = self._places.settle(way)
            self._announce(f"initialising PostgreSQL {binaries.MAJOR} in {data}")
            cluster.initialise(data, self._binaries(way), ways.for_initdb(way))
        elif way.uid != data.stat().st_uid:
            self._hand_over(data, way)
        return data

    def _hand_over(self, data: Path, way: Way) -> None:
        if not way.reaches(data.parent):
            raise EmbeddedServerError(
                f"{data} was created where user namespaces are allowed; here they are not, and PostgreSQL "
                f"{way.name} cannot reach it. {failures.WITHOUT_SERVER}"
            )
        way.take(data)

    def _take_over(self) -> int:
        """Wait until no process of an earlier server is left; return the descriptor of the serving lock."""
        family = self._family()
        for elapsed in pauses(self._announce, "processes of the previous server to end"):
            serving = locks.try_exclusive(self._places.serving)
            orphans = family.members()
            if serving is not None and not orphans:
                pidfile.retire(family.data)  # only now, while no server can write it
                return serving
            if serving is not None:
                os.close(serving)
            if elapsed > ORPHANS_PATIENCE_S:
                self._end_orphans(family, orphans)
        raise AssertionError("pauses() never ends")

    def _end_orphans(self, family: Family, orphans: list[int]) -> None:
        if not orphans:
            raise EmbeddedServerError(
                f"{family.data} is served by PostgreSQL in another container or on another machine; stop that one "
                f"first, or set MENDEL_HOME to another folder. {failures.WITHOUT_SERVER}"
            )
        # Without a postmaster, the next start runs recovery anyway, so killing them harms no data.
        for pid in orphans:
            family.signal(pid, signal.SIGKILL)

    def _launch(self, way: Way, serving: int) -> int:
        """Start the server and pass it the serving lock; return where its part of the log begins."""
        try:
            logfile.bound(self._places.log)
            log_start = logfile.size(self._places.log)
            socket_dir = private_folder(self._places.socket_dir, way)
            clear_sockets(socket_dir)
            way.launch(self._command(way, socket_dir), self._places.log, serving)
        finally:
            os.close(serving)
        return log_start

    def _command(self, way: Way, socket_dir: Path) -> list[str]:
        settings = {
            "listen_addresses": "",
            # After a crash on a full disk, PostgreSQL 18 can restart without ever recovering, and yet report "ready".
            # With this setting it ends instead, and the next caller that needs it starts it again.
            "restart_after_crash": "off",
            "unix_socket_directories": str(socket_dir),
            "unix_socket_permissions": "0700",
            "port": str(PORT),
            "cluster_name": self._places.tag,
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [self._binaries(way).program("postgres"), "-D", str(self._places.data()), *options]

    def _binaries(self, way: Way) -> binaries.Binaries:
        found = binaries.find()
        return found if found.usable(way) else found.copy_into(self._places.elsewhere(way))

    # Stopping

    def _take_down(self) -> bool:
        socket_dir = self._socket_dir()
        found = self._postmaster()
        if found is not None:
            self._shut_down(found, in_recovery=self._state(found) == "starting")
        remove_runtime(socket_dir, self._owners())
        return found is not None

    def _shut_down(self, found: PidFile, *, in_recovery: bool) -> None:
        """End the server and wait until it is gone: orderly if possible, else immediately, at last by force.

        PostgreSQL 18 can hang for ever on an orderly shutdown that is requested while it recovers from the crash of
        one of its processes. A process stopped by SIGSTOP reacts only to SIGKILL. Anything but an orderly shutdown
        costs a recovery at the next start, but no data.
        """
        if not in_recovery and self._ends(found.pid, _ORDERLY, ORDERLY_PATIENCE_S):
            return
        if not self._ends(found.pid, _AT_ONCE, AT_ONCE_PATIENCE_S):
            self._announce("killing PostgreSQL, as it does not react; its next start recovers")
            self._kill(found.pid)

    def _ends(self, postmaster: int, request: signal.Signals, patience_s: float) -> bool:
        """Send the signal; return whether the server was gone before the time limit."""
        family = self._family()
        family.signal(postmaster, request)
        for elapsed in pauses(self._announce, "PostgreSQL to shut down"):
            if not family.owns(postmaster) and not locks.is_held(self._places.serving):
                return True
            if elapsed > patience_s:
                return False
        raise AssertionError("pauses() never ends")

    def _kill(self, postmaster: int) -> None:
        family = self._family()
        family.signal(postmaster, signal.SIGKILL)  # first, since it starts the others
        # Do not wait for the serving lock: a program that the server ran may hold it, and is not ours to kill.
        for _ in pauses(self._announce, "PostgreSQL to be gone"):
            members = family.members()
            if not members:
                return
            for pid in members:
                family.signal(pid, signal.SIGKILL)

    def _owners(self) -> set[int]:
        data = self._places.data()
        return {os.geteuid(), *({data.stat().st_uid} if data.exists() else ())}
