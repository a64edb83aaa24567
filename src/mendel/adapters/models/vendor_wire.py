"""A wire to a vendor's models: pydantic-ai converts requests and answers, and the HTTP call between them is ours."""

from __future__ import annotations

import os
from asyncio import timeout
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any, Final

from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import Model

from mendel.adapters.models.vendor_failures import quotes, refusal, request_id, structured
from mendel.adapters.models.vendor_http import REDIRECT, Exchange, OneCall, exchange
from mendel.adapters.models.vendor_messages import heard, parameters, settings, spoken
from mendel.adapters.models.vendor_sdks import BY_NAME, Models, Vendor
from mendel.adapters.models.vendor_usage import usage_of, without_usage
from mendel.contracts.model_calls import FailureReason
from mendel.contracts.providers import PROVIDER_KEYS
from mendel.ports.model_wire import ModelWire, WireAnswer, WireContext, WireFailed, WireRequest

_LONGEST: Final = 200  # characters of an error message that are kept


def wire_of(vendor: str, context: WireContext) -> ModelWire:
    """Make the wire to a vendor.

    Raises:
        ImportError: a library for this vendor is not installed.
    """
    found = BY_NAME[vendor]
    for module in found.modules:
        import_module(module)  # fails here rather than on the first request
    return VendorWire(found, context)


class VendorWire(ModelWire):
    """One vendor behind pydantic-ai's ``Model.request``: one request, one HTTP call, no agent, no retries."""

    def __init__(self, vendor: Vendor, context: WireContext) -> None:
        self._vendor = vendor
        self._context = _with_key(vendor, context)
        self._calls: OneCall | None = None
        self._models: Models | None = None
        self._known: dict[str, Model[Any]] = {}

    async def complete(self, request: WireRequest) -> WireAnswer:
        """Make one call."""
        with exchange(request.limits) as asked:
            answer = await self._asked(request, asked)
        if isinstance(answer, WireFailed):
            raise answer
        return answer

    async def _asked(self, request: WireRequest, asked: Exchange) -> WireAnswer | WireFailed:
        """Return the answer, or the failure; returned rather than raised, so that no SDK error is chained to it."""
        try:
            async with timeout(request.limits.timeout_ms / 1_000):
                response = await self._requested(request)
        except WireFailed as failed:
            return failed
        except TimeoutError:
            return WireFailed("timeout", f"no whole answer within {request.limits.timeout_ms:,} ms")
        except Exception as error:  # noqa: BLE001 - SDKs raise any exception; the HTTP exchange shows the cause
            return self._failure(request, asked, error)
        return self._answer(request, asked, response)

    async def _requested(self, request: WireRequest) -> ModelResponse:
        model = self._model(request.model_id)
        return await model.request(
            spoken(request.messages, model.profile),
            settings(request, self._vendor.left_out),
            parameters(request, model.profile),
        )

    def _answer(self, request: WireRequest, asked: Exchange, response: ModelResponse) -> WireAnswer | WireFailed:
        if asked.reply is None or asked.wished != 1:
            return WireFailed("unreadable", f"{self._vendor.name} was called {asked.wished} times for one request")
        told = request_id(asked.reply)
        if not response.parts and response.finish_reason is None:
            return WireFailed("unreadable", "the provider's answer has no message", request_id=told)
        return heard(response, request, usage_of(self._vendor.name, asked.reply.body), told)

    # --- failures --------------------------------------------------------------------------------------------

    def _failure(self, request: WireRequest, asked: Exchange, error: Exception) -> WireFailed:
        if asked.failed is not None:
            return asked.failed
        if asked.reply is None:
            return self._not_asked(request, error)
        if asked.reply.status >= REDIRECT:
            return refusal(self._context, request, asked.reply)
        told = request_id(asked.reply)
        if asked.wished > 1:
            return WireFailed("answer_too_large", "the answer would continue in a second call", request_id=told)
        return WireFailed(
            "unreadable", f"the provider's answer cannot be read ({type(error).__name__})", request_id=told
        )

    def _not_asked(self, request: WireRequest, error: Exception) -> WireFailed:
        """Explain why the library made no call; only its errors meant for users are quoted, without the prompt."""
        worded = isinstance(error, UserError)
        said = str(error)[:_LONGEST] if worded else type(error).__name__
        told = type(error).__name__ if quotes(said, request) else said
        reason: FailureReason = "schema_refused" if worded and structured(request) else "bad_request"
        return WireFailed(reason, f"{self._vendor.name} cannot perform this request: {told}", unsent=True)

    # --- the SDK ---------------------------------------------------------------------------------------------

    def _model(self, model_id: str) -> Model[Any]:
        if self._models is None:
            self._check_key()
            self._calls = OneCall(self._context.connections, partial(without_usage, self._vendor.name))
            self._models = self._vendor.connect(self._context, self._calls)
        found = self._known.get(model_id)
        if found is None:
            found = self._known[model_id] = self._models(model_id)
        return found

    def _check_key(self) -> None:
        variable = self._context.key_variable or PROVIDER_KEYS[self._vendor.name]
        key, instead = self._context.api_key, self._vendor.instead_of_key
        if not key and not (instead and all(os.environ.get(name) for name in instead)):
            wanted = f"the variable {variable}" + (f", or {' and '.join(instead)}" if instead else "")
            raise WireFailed("not_configured", f"{self._context.provider} needs a key: set {wanted}", unsent=True)
        if key and not (key.isascii() and key.isprintable()):
            raise WireFailed("auth", f"{variable} does not contain a key: it is not plain ASCII text", unsent=True)

    async def aclose(self) -> None:
        """Close its connections; a later request opens new ones."""
        calls, self._calls, self._models = self._calls, None, None
        self._known.clear()
        if calls is not None:
            await calls.aclose()


def _with_key(vendor: Vendor, context: WireContext) -> WireContext:
    """Add the key from the environment for a cloud with its own credentials, but only at that cloud's own address."""
    if context.api_key is not None or context.base_url is not None or not vendor.instead_of_key:
        return context
    return replace(context, api_key=os.environ.get(PROVIDER_KEYS[vendor.name]) or None)
