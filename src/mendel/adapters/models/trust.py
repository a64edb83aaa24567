"""The certificate authorities that connections trust."""

from __future__ import annotations

import ssl
from functools import cache

import httpx2


@cache
def authorities() -> ssl.SSLContext:
    """Return httpx2's SSL context, created once: each client that creates its own takes 25 ms."""
    return httpx2.create_ssl_context()
