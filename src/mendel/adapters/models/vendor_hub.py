"""Hugging Face's client: it accepts no HTTP client, so we override the method that creates its own."""

from __future__ import annotations

import httpx  # type: ignore[import-not-found,unused-ignore] # comes with the hub's SDK
from huggingface_hub import AsyncInferenceClient  # type: ignore[import-not-found,unused-ignore] # in none of our extras

from mendel.adapters.models.vendor_http import OneCall
from mendel.adapters.models.vendor_httpx import HttpxDoor


def hub_client(key: str | None, base_url: str, calls: OneCall) -> AsyncInferenceClient:
    """Make a client that sends every request through ``calls``."""
    return _Client(key, base_url, HttpxDoor(calls).client())


class _Client(AsyncInferenceClient):  # type: ignore[misc,unused-ignore] # as its import
    def __init__(self, key: str | None, base_url: str, client: httpx.AsyncClient) -> None:
        super().__init__(base_url=base_url, api_key=key)
        self._ours = client

    async def _get_async_client(self) -> httpx.AsyncClient:
        return self._ours
