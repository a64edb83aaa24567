"""The services that the routes use, each through a narrow interface; the wiring fills them in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request

from mendel.api.about import GUARD_REPORTS, About
from mendel.api.conductors import Conductors
from mendel.api.domain_paths import DomainPaths
from mendel.api.domain_projecting import TablesOf
from mendel.api.domain_services import Hosted
from mendel.api.idempotency import Remembered
from mendel.api.kept_reports import KeptReports
from mendel.api.launching import Launcher
from mendel.api.metering import OpenMetrics
from mendel.api.opened_files import OpenedFiles
from mendel.api.policy import Policy
from mendel.api.problems import Refused
from mendel.api.registration import ServedDomain
from mendel.api.source import RunSource
from mendel.api.spending import Spending
from mendel.contracts.times import utc_now


def _nobody() -> frozenset[str]:
    return frozenset()


@dataclass(frozen=True)
class Services:
    """The services of one server; ``conducted_here`` returns the runs that its processes conduct.

    ``tables`` are the tables of domains, by domain. Without ``files`` no exported run can be opened; without
    ``metrics`` nothing is counted.
    """

    source: RunSource
    domains: Sequence[ServedDomain] = ()
    hosted: Sequence[Hosted] = ()
    tables: Mapping[str, TablesOf] = field(default_factory=dict)
    page: Path | None = None
    conducted_here: Callable[[], frozenset[str]] = _nobody
    now: Callable[[], datetime] = field(default=utc_now)
    about: About = field(default_factory=About)
    files: OpenedFiles | None = None
    metrics: OpenMetrics | None = None
    launcher: Launcher | None = None
    conductors: Conductors | None = None
    policy: Policy = field(default_factory=Policy)

    @cached_property
    def paths(self) -> DomainPaths:
        """The paths of domains, and the services that issue tokens for them."""
        return DomainPaths(tuple(mount for domain in self.domains for mount in domain.mounts), self.hosted)

    @cached_property
    def remembered(self) -> Remembered:
        """The results for idempotency keys that are not in the log."""
        return Remembered()

    @cached_property
    def spending(self) -> Spending:
        """The cost of models over all runs."""
        return Spending(self.source)

    @cached_property
    def reports(self) -> KeptReports:
        """The kept reports of `mendel guard`."""
        return KeptReports(self.about.home / GUARD_REPORTS if self.about.home is not None else None)


def services_of(request: Request) -> Services:
    """Return the services of the server that received the request."""
    found = request.app.state.services
    if not isinstance(found, Services):
        raise TypeError("the app was made without services")
    return found


def source_of(request: Request) -> RunSource:
    """Return the source of the run in the request: the served log, or an opened file."""
    served, file_id = services_of(request), request.path_params.get("file_id")
    if file_id is None:
        return served.source
    if served.files is None:
        raise Refused(404, "no_files", "this server does not open files")
    return served.files.source(str(file_id))


def launcher_of(request: Request) -> Launcher:
    """Return the launcher, which starts runs."""
    found = services_of(request).launcher
    if found is None:
        raise Refused(503, "only_reads", "this server is read-only; use `mendel serve` to start runs")
    return found


def conductors_of(request: Request) -> Conductors:
    """Return the conductors of runs."""
    found = services_of(request).conductors
    if found is None:
        raise Refused(503, "only_reads", "this server is read-only; use `mendel serve` to conduct runs")
    return found


Served = Annotated[Services, Depends(services_of)]
Source = Annotated[RunSource, Depends(source_of)]
Launching = Annotated[Launcher, Depends(launcher_of)]
Conducting = Annotated[Conductors, Depends(conductors_of)]
