"""URLs as they may be shown to anybody."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl, urlsplit

MASK: Final = "***"
_HARMLESS_PARAMETERS: Final = frozenset({"host", "port", "dbname", "sslmode", "connect_timeout"})


def mask_url(url: str) -> str:
    """Make a URL fit to be shown: without its password, and wholly hidden where that cannot be told apart."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return MASK
    if not parts.scheme or "://" not in url or parts.fragment or "@" in parts.path + parts.query:
        return MASK
    user = parts.username or ""
    secret = f":{MASK}" if parts.password else ""
    at = "@" if user or secret else ""
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else parts.hostname or ""
    where = host if port is None else f"{host}:{port}"
    return f"{parts.scheme}://{user}{secret}{at}{where}{parts.path}{_masked_query(parts.query)}"


def _masked_query(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    shown = "&".join(f"{name}={value if name in _HARMLESS_PARAMETERS else MASK}" for name, value in pairs)
    return f"?{shown}" if shown else ""
