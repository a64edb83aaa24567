"""The collector to send spans to, as configured in the environment; does not import OpenTelemetry."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Final
from urllib.parse import unquote, urlsplit

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
TRACES_ENDPOINT: Final = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
HEADERS: Final = "OTEL_EXPORTER_OTLP_HEADERS"
TRACES_HEADERS: Final = "OTEL_EXPORTER_OTLP_TRACES_HEADERS"
TIMEOUTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT")  # most specific first
LANGFUSE_HOSTS: Final = ("LANGFUSE_HOST", "LANGFUSE_BASE_URL")
PUBLIC_KEY: Final = "LANGFUSE_PUBLIC_KEY"
SECRET_KEY: Final = "LANGFUSE_SECRET_KEY"  # noqa: S105 - the name of a variable
TIMEOUT_S: Final = 10.0

_LANGFUSE_PATH: Final = "/api/public/otel/v1/traces"
_LANGFUSE_INGESTION: Final = ("x-langfuse-ingestion-version", "4")


class CollectorUnclear(ValueError):
    """The environment's settings for a collector are unusable; the message contains no variable's value."""


@dataclass(frozen=True)
class Collector:
    """A collector that accepts OTLP over HTTP. Its headers and a password in its address are never shown."""

    endpoint: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout_s: float = TIMEOUT_S

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Collector | None:
        """Read OpenTelemetry's variables, else Langfuse's; None if neither are set.

        Raises:
            CollectorUnclear: an address is invalid, or some of Langfuse's variables are missing.
        """
        endpoint = environ.get(TRACES_ENDPOINT) or _traces_of(environ.get(ENDPOINT))
        if endpoint:
            headers = _pairs(environ.get(TRACES_HEADERS) or environ.get(HEADERS) or "")
            return cls(_address(endpoint, ENDPOINT), headers, _timeout(environ))
        return cls._langfuse(environ)

    @classmethod
    def _langfuse(cls, environ: Mapping[str, str]) -> Collector | None:
        host = next((environ[name] for name in LANGFUSE_HOSTS if environ.get(name)), None)
        keys = [environ.get(name) for name in (PUBLIC_KEY, SECRET_KEY)]
        if host is None and not any(keys):
            return None
        if host is None or not all(keys):
            raise CollectorUnclear(f"Langfuse needs {LANGFUSE_HOSTS[0]}, {PUBLIC_KEY} and {SECRET_KEY}; set all three")
        if environ.get(HEADERS) or environ.get(TRACES_HEADERS):
            raise CollectorUnclear(f"{HEADERS} is for another collector than Langfuse: set {ENDPOINT} too, or unset it")
        basic = b64encode(":".join(filter(None, keys)).encode()).decode()
        headers = dict([("authorization", f"Basic {basic}"), _LANGFUSE_INGESTION])
        return cls(_address(host.rstrip("/") + _LANGFUSE_PATH, LANGFUSE_HOSTS[0]), headers, _timeout(environ))

    @property
    def place(self) -> str:
        """The address for display: no user, no password, no path, no query."""
        parts = urlsplit(self.endpoint)
        port = f":{parts.port}" if parts.port is not None else ""
        return f"{parts.scheme}://{parts.hostname}{port}"

    def secrets(self) -> tuple[str, ...]:
        """Return the secrets in headers, which a scrubber cannot find in the environment: with and without scheme."""
        sent = [value for name, value in self.headers.items() if name != _LANGFUSE_INGESTION[0]]
        return tuple(dict.fromkeys([*sent, *(value.rpartition(" ")[2] for value in sent)]))


def secrets_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the secrets in the headers of the collector that ``environ`` configures; empty if that is unusable."""
    try:
        collector = Collector.from_environment(environ)
    except CollectorUnclear:
        return ()
    return collector.secrets() if collector is not None else ()


def _traces_of(base: str | None) -> str | None:
    return f"{base.rstrip('/')}/v1/traces" if base else None


def _address(url: str, variable: str) -> str:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good:
        raise CollectorUnclear(f"{variable} is not an address that begins with http:// or https://")
    return url


def _pairs(text: str) -> dict[str, str]:
    """Parse the headers in ``name=value,name=value`` with percent-encoded values; malformed pairs are skipped."""
    pairs = (part.partition("=") for part in text.split(","))
    return {name.strip().lower(): unquote(value.strip()) for name, sign, value in pairs if sign and name.strip()}


def _timeout(environ: Mapping[str, str]) -> float:
    for variable in TIMEOUTS:
        try:
            seconds = float(environ.get(variable) or "nan")
        except ValueError:
            continue
        if isfinite(seconds) and seconds > 0:
            return seconds
    return TIMEOUT_S
