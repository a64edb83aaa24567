"""Probe of Redis: the configured server if there is one, else the installed server program."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from mendel.adapters.host.commands import ask, find
from mendel.contracts.diagnostics import Probe, ProbeStatus

TIMEOUT_S: Final = 1.0  # per step
_ANSWER_BYTES: Final = 512  # enough for the first line
_PORT: Final = 6379


def redis(url: str | None, environ: Mapping[str, str]) -> Probe:
    """Report whether Redis is usable: at the URL if one is given, else through an installed server program."""
    if url is not None:
        return _reached(url)
    binary = find("redis-server", environ)
    install = "apt-get install redis-server, or set MENDEL_REDIS_URL"
    if binary is None:
        return _probe("missing", "redis-server is not on PATH and no URL is configured", install)
    answer = ask([binary, "--version"], environ)
    if not answer.succeeded:
        return _probe("missing", f"{binary} does not run: {answer.line}", install)
    return _probe("ok", f"{answer.line}; no URL is configured", None)


def _reached(url: str) -> Probe:
    try:
        parts = urlsplit(url)
        where = _where(parts)
    except ValueError:
        return _probe("missing", "the configured URL cannot be read", "set MENDEL_REDIS_URL to redis://HOST:PORT/0")
    start = f"start Redis at {where} (redis-server), or correct MENDEL_REDIS_URL"
    try:
        answer = _ping(parts)
    except (OSError, ValueError) as error:
        return _probe("missing", f"{where} cannot be reached: {_reason(error)}", start)
    if answer == b"+PONG":
        return _probe("ok", f"{where} answers PING", None)
    if answer.startswith((b"-NOAUTH", b"-WRONGPASS", b"-NOPERM", b"-ERR")):
        code = answer[1:].split()[0].decode("ascii", "replace")
        return _probe("limited", f"{where} refuses with {code}", "correct user and password in MENDEL_REDIS_URL")
    return _probe("missing", f"{where} answers, but not like Redis" if answer else f"{where} does not answer", start)


def _where(parts: SplitResult) -> str:
    """Return the address without user and password."""
    if parts.scheme == "unix":
        return parts.path
    # An "@" after the host means an unescaped password that was split: its first half would be taken for the port.
    if parts.scheme not in {"redis", "rediss"} or "@" in parts.path + parts.query + parts.fragment:
        raise ValueError("not a Redis URL")
    return f"{parts.hostname or 'localhost'}:{parts.port or _PORT}"


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__


def _ping(parts: SplitResult) -> bytes:
    """Return the first line of the reply, or of the refusal of our credentials; empty if none comes in time."""
    deadline = time.monotonic() + TIMEOUT_S
    with _connected(parts) as connection:
        if parts.password:
            names = [unquote(part) for part in (parts.username, parts.password) if part]
            connection.sendall(_command("AUTH", *names))
            answer = _line(connection, deadline)
            if answer != b"+OK":
                return answer
        connection.sendall(_command("PING"))
        return _line(connection, deadline)


@contextmanager
def _connected(parts: SplitResult) -> Iterator[socket.socket]:
    if parts.scheme == "unix":
        connection = socket.socket(socket.AF_UNIX)
        with connection:
            connection.settimeout(TIMEOUT_S)
            connection.connect(parts.path)
            yield connection
        return
    host = parts.hostname or "localhost"
    with socket.create_connection(_resolved(host, parts.port or _PORT), TIMEOUT_S) as plain:
        if parts.scheme == "redis":
            yield plain
        else:
            with ssl.create_default_context().wrap_socket(plain, server_hostname=host) as secured:
                yield secured


def _resolved(host: str, port: int) -> tuple[str, int]:
    """Return the first address of a host; a hanging name service is abandoned after the timeout."""
    found: list[str] = []

    def look_up() -> None:
        try:
            found.append(str(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][4][0]))
        except (OSError, ValueError):
            return

    thread = threading.Thread(target=look_up, daemon=True)  # must not delay the end of the process
    thread.start()
    thread.join(TIMEOUT_S)
    if not found:
        raise OSError(socket.EAI_NONAME, "the host's name is not known")
    return found[0], port


def _command(*words: str) -> bytes:
    encoded = [word.encode("utf-8", "surrogateescape") for word in words]
    return b"*%d\r\n" % len(encoded) + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in encoded)


def _line(connection: socket.socket, deadline: float) -> bytes:
    received = b""
    while b"\n" not in received and len(received) < _ANSWER_BYTES:
        left = deadline - time.monotonic()
        if left <= 0:
            break
        connection.settimeout(left)
        try:
            chunk = connection.recv(_ANSWER_BYTES)
        except TimeoutError:
            break
        if not chunk:
            break
        received += chunk
    return received.partition(b"\n")[0].strip()


def _probe(status: ProbeStatus, detail: str, remedy: str | None) -> Probe:
    return Probe(
        name="redis", status=status, detail=detail, remedy=remedy, needed_for="the task fabric on Redis Streams"
    )
