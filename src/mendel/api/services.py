"""What the routes may use. Everything that acts is in here by its narrowest face; wiring fills it in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request

from mendel.api.registration import DomainApi
from mendel.api.source import RunSource
from mendel.contracts.times import utc_now


def _nobody() -> frozenset[str]:
    return frozenset()


@dataclass(frozen=True)
class Services:
    """Of one server. ``conducted_here`` are the runs that a process of this server brings forward."""

    source: RunSource
    domains: Sequence[DomainApi] = ()
    page: Path | None = None
    conducted_here: Callable[[], frozenset[str]] = _nobody
    now: Callable[[], datetime] = field(default=utc_now)


def services_of(request: Request) -> Services:
    """The services of the server that got the request."""
    found = request.app.state.services
    if not isinstance(found, Services):
        raise TypeError("the app was made without services")
    return found


def source_of(request: Request) -> RunSource:
    """Where the run of the request is read: the served log, or a file that somebody opened."""
    return services_of(request).source


Served = Annotated[Services, Depends(services_of)]
Source = Annotated[RunSource, Depends(source_of)]
