"""What each domain adds to the API: one module per domain, and one for those that bring nothing."""

from __future__ import annotations

from mendel.api.domains import programs, texts
from mendel.api.registration import DomainApi

DOMAINS: tuple[DomainApi, ...] = (programs.API, texts.API)
