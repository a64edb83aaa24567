"""Live search: HTTP and JSON to an endpoint that the operator chose, in SearxNG's format.

``GET ENDPOINT?q=…&format=json`` returns ``{"results": [{"title", "url", "content"}, …]}``. A search on X or YouTube
works the same way with another endpoint.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from typing import Final

import httpx2

from mendel.adapters.research.bodies import ENCODINGS, BodyRefused, body_of
from mendel.adapters.research.curated import open_curated
from mendel.contracts.errors import ConfigError
from mendel.contracts.retrieval import MAX_PASSAGE, Passage, RetrievalFailure, one_line, plain_text
from mendel.contracts.scrub import REDACTED
from mendel.ports.retriever import RetrievalFailed, Retriever, RetrieverContext

MAX_ANSWER_BYTES: Final = 2 * 1024 * 1024
_TITLE: Final = 300
_URI: Final = 2_000


class WebRetriever(Retriever):
    """Queries an endpoint, once per query; redirects are not followed, so that a key reaches no other host.

    The key is read from ``environ`` under ``key_variable`` at each query, and sent as a bearer token.

    Raises:
        ConfigError: the endpoint is not an http or https address, or contains a password.
    """

    def __init__(
        self,
        endpoint: str | None,
        *,
        name: str = "web",
        key_variable: str | None = None,
        environ: Mapping[str, str] = os.environ,
        fallback: Retriever | None = None,
        timeout_s: float = 10.0,
    ) -> None:
        self._endpoint = None if endpoint is None else _address(endpoint, name)
        self._name = name
        self._key_variable = key_variable
        self._environ = environ
        self._fallback = fallback
        self._timeout_s = timeout_s
        self._transport: httpx2.AsyncHTTPTransport | None = None

    @property
    def name(self) -> str:
        """The name given at construction."""
        return self._name

    @property
    def fallback(self) -> Retriever | None:
        """The fallback given at construction."""
        return self._fallback

    async def _retrieve(self, query: str, limit: int) -> Sequence[Passage]:
        if self._endpoint is None:
            raise RetrievalFailed("not_configured", f"no endpoint is configured for {self._name}")
        key = self._key()
        request = _request(self._endpoint, query, key)
        try:
            async with asyncio.timeout(self._timeout_s):
                body = await self._exchanged(request)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise RetrievalFailed("timeout", f"{self._name} did not answer in {self._timeout_s:g} seconds") from error
        except httpx2.HTTPError as error:
            raise RetrievalFailed("connection", f"the connection to {self._name} failed") from error
        except BodyRefused as error:
            raise RetrievalFailed(error.reason, f"{self._name}: {error}") from error
        return [_passage(each, self._name, key) for each in _results(body, self._name)[:limit]]

    def _key(self) -> str | None:
        """Read the key only when it is needed, so that runs without searches need none."""
        if self._key_variable is None:
            return None
        key = self._environ.get(self._key_variable, "").strip()
        if not key or not key.isascii() or not key.isprintable():
            raise RetrievalFailed("not_configured", f"{self._key_variable} does not hold a key for {self._name}")
        return key

    async def _exchanged(self, request: httpx2.Request) -> bytes:
        if self._transport is None:
            self._transport = httpx2.AsyncHTTPTransport(trust_env=False)  # no proxy from the environment
        response = await self._transport.handle_async_request(request)
        try:
            if response.status_code != httpx2.codes.OK:
                said = f"{self._name} answered with status {response.status_code}"
                raise RetrievalFailed(failure_of(response.status_code), said)
            return await body_of(response, MAX_ANSWER_BYTES)
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Close the connections and the fallback."""
        transport, self._transport = self._transport, None
        if transport is not None:
            await transport.aclose()
        if self._fallback is not None:
            await self._fallback.aclose()


def open_web(context: RetrieverContext) -> WebRetriever:
    """Open a live search that falls back to the curated corpus.

    Raises:
        ConfigError: the endpoint is not an address, or the corpus cannot be read.
    """
    return WebRetriever(
        context.endpoint,
        name=context.name,
        key_variable=context.key_variable,
        environ=context.environ,
        fallback=open_curated(context),
        timeout_s=context.timeout_s,
    )


def failure_of(status: int) -> RetrievalFailure:
    """Map an unsuccessful HTTP status to a failure reason."""
    if status in {401, 403}:
        return "auth"
    if status == httpx2.codes.TOO_MANY_REQUESTS:
        return "rate_limited"
    return "overloaded" if status >= httpx2.codes.INTERNAL_SERVER_ERROR else "bad_request"


def _address(endpoint: str, name: str) -> httpx2.URL:
    try:
        url = httpx2.URL(endpoint)
    except httpx2.InvalidURL as error:
        raise ConfigError(f"the endpoint of {name} is not an address") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise ConfigError(f"the endpoint of {name} must begin with http:// or https:// and name a host")
    if url.userinfo:
        raise ConfigError(f"the endpoint of {name} contains a user or a password; name a key_variable instead")
    return url


def _request(endpoint: httpx2.URL, query: str, key: str | None) -> httpx2.Request:
    url = endpoint.copy_merge_params({"q": query, "format": "json"})
    headers = {"Accept": "application/json", "Accept-Encoding": ENCODINGS, "User-Agent": "mendel"}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    return httpx2.Request("GET", url, headers=headers)


def _results(body: bytes, name: str) -> list[dict[str, object]]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RetrievalFailed("unreadable", f"{name} answered with something else than JSON") from error
    results = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(results, list):
        raise RetrievalFailed("unreadable", f"{name} answered without a list of results")
    return [each for each in results if isinstance(each, dict) and _said(each, "title", "content")]


def _passage(result: dict[str, object], name: str, key: str | None) -> Passage:
    title, text, uri = (_clean(_said(result, field), key) for field in ("title", "content", "url"))
    uri = one_line(uri, _URI)
    return Passage(
        source=_site(uri) or name,
        title=one_line(title, _TITLE),
        text=plain_text(text, MAX_PASSAGE),
        uri=uri if _site(uri) else "",
    )


def _said(result: dict[str, object], *fields: str) -> str:
    return "".join(value for field in fields if isinstance(value := result.get(field), str))


def _clean(text: str, key: str | None) -> str:
    """Remove the key, in case the endpoint repeats it (rule 4)."""
    return text.replace(key, REDACTED) if key else text


def _site(uri: str) -> str:
    """Return the host of a web address; empty for anything else."""
    try:
        url = httpx2.URL(uri)
    except (httpx2.InvalidURL, UnicodeError):
        return ""
    return one_line(url.host, 200) if url.scheme in {"http", "https"} else ""
