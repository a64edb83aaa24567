"""One registration per domain: what it adds to the API. Its part of the page is registered under the same name."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter


@dataclass(frozen=True)
class DomainApi:
    """What a domain adds; routes are served under ``/api/domains/NAME``."""

    name: str
    title: str
    what: str
    router: APIRouter | None = None
