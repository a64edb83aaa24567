"""Whom a connection trusts."""

from __future__ import annotations

import ssl
from functools import cache

import httpx2


@cache
def authorities() -> ssl.SSLContext:
    """The authorities of httpx2, read once: a client that reads them by itself takes 25 ms for it."""
    return httpx2.create_ssl_context()
