"""The OpenAI-compatible wire, directly on httpx: OpenAI, OpenRouter, Groq, Ollama, vLLM, llama.cpp, any base URL."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import httpx2
import orjson

from mendel.adapters.models.http_failures import failure_of_status, told
from mendel.adapters.models.posting import Posts
from mendel.contracts.base import JsonObject
from mendel.contracts.model_calls import CallLimits, Message, Sampling, ToolCall, ToolDescriptor
from mendel.ports.model_wire import (
    ModelWire,
    WireAnswer,
    WireContext,
    WireFailed,
    WireRequest,
    WireUsage,
    WireVectors,
)

_NEWER_LIMIT: Final = frozenset({"openai"})
"""Providers with models that refuse ``max_tokens``, which all others accept."""
_REQUEST_IDS: Final = ("x-request-id", "request-id", "x-groq-id", "cf-ray")  # by provider


def open_wire(context: WireContext) -> ModelWire:
    """Open the wire to a provider; it connects on the first request.

    Raises:
        WireFailed: the provider has no base URL.
    """
    if not context.base_url:
        raise WireFailed(
            "not_configured", f"{context.provider} has no base URL; set llm.providers.{context.provider}.base_url"
        )
    return OpenAiWire(context, context.base_url)


class OpenAiWire(ModelWire):
    """Chat completions and embeddings. Redirects are not followed, so that a key never reaches another host."""

    def __init__(self, context: WireContext, base_url: str) -> None:
        self._context = context
        self._base_url = base_url
        self._posts: Posts | None = None

    async def complete(self, request: WireRequest) -> WireAnswer:
        """Make one chat completion call."""
        body = _chat(request, newer=(self._context.kind or self._context.provider) in _NEWER_LIMIT)
        answer, request_id = await self._post("/chat/completions", body, request.limits, asked=request)
        return _answer(answer, request, request_id)

    async def embed(self, model_id: str, texts: Sequence[str], limits: CallLimits) -> WireVectors:
        """Compute the vectors of the texts in one call."""
        body: JsonObject = {"model": model_id, "input": list(texts), "encoding_format": "float"}
        answer, request_id = await self._post("/embeddings", body, limits)
        return _vectors(answer, model_id, len(texts), request_id)

    async def aclose(self) -> None:
        """Close its connections; a later request opens new ones."""
        posts, self._posts = self._posts, None
        if posts is not None:
            await posts.aclose()

    # --- one HTTP call ---------------------------------------------------------------------------------------

    async def _post(
        self, path: str, body: JsonObject, limits: CallLimits, asked: WireRequest | None = None
    ) -> tuple[JsonObject, str | None]:
        question = _written(body)
        try:
            async with asyncio.timeout(limits.timeout_ms / 1_000):  # bounds the whole call, connecting included
                posted = await self._connected().post(path, question, limits.answer_bytes)
        except TimeoutError as error:
            raise WireFailed("timeout", f"no whole answer within {limits.timeout_ms:,} ms") from error
        request_id = next((posted.headers[name] for name in _REQUEST_IDS if name in posted.headers), None)
        if posted.status != httpx2.codes.OK:
            structured = asked is not None and asked.output is not None and asked.mode != "prompt"
            raise failure_of_status(
                posted.status,
                posted.headers,
                posted.body,
                hidden=self._hidden,
                request_id=request_id,
                structured=structured,
            )
        return _envelope(posted.body, request_id, self._hidden), request_id

    def _connected(self) -> Posts:
        if self._posts is None:
            self._posts = Posts(self._base_url, self._headers(), self._context.connections)
        return self._posts

    def _headers(self) -> dict[str, str]:
        headers = {"content-type": "application/json", "accept": "application/json"}
        if self._context.api_key is None:
            if self._context.key_variable is not None:
                raise _no_key(self._context)
            return headers
        if not (self._context.api_key.isascii() and self._context.api_key.isprintable()):
            raise WireFailed(
                "auth", f"{self._context.key_variable} does not contain a key: it is not plain ASCII text", unsent=True
            )
        return {**headers, "authorization": f"Bearer {self._context.api_key}"}

    @property
    def _hidden(self) -> str | None:
        return self._context.api_key


def _written(body: JsonObject) -> bytes:
    try:
        return orjson.dumps(body)
    except TypeError:
        raise WireFailed(
            "bad_request", "the text contains half a surrogate pair, which JSON cannot encode", unsent=True
        ) from None


def _no_key(context: WireContext) -> WireFailed:
    return WireFailed(
        "not_configured", f"{context.provider} needs a key: set the variable {context.key_variable}", unsent=True
    )


# --- the request -----------------------------------------------------------------------------------------


def _chat(request: WireRequest, *, newer: bool) -> JsonObject:
    body: JsonObject = {
        "model": request.model_id,
        "messages": [_message(each) for each in request.messages],
        "max_completion_tokens" if newer else "max_tokens": request.limits.tokens_out,
        **_sampling(request.sampling),
    }
    if request.output is not None and request.mode == "json_schema":
        named: JsonObject = {"name": request.output.name, "schema": request.output.schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    elif request.output is not None and request.mode == "json_object":
        body["response_format"] = {"type": "json_object"}
    if request.tools:
        body["tools"] = [_tool(each) for each in request.tools]
    return body


def _message(message: Message) -> JsonObject:
    spoken: JsonObject = {"role": message.role, "content": message.content}
    if message.tool_calls:
        spoken["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        spoken["tool_call_id"] = message.tool_call_id
    return spoken


def _sampling(sampling: Sampling) -> JsonObject:
    given = sampling.model_dump(mode="json", exclude_none=True)
    if not given["stop"]:
        del given["stop"]
    return given


def _tool(tool: ToolDescriptor) -> JsonObject:
    function: JsonObject = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


# --- the answer ------------------------------------------------------------------------------------------


def _envelope(data: bytes, request_id: str | None, hidden: str | None) -> JsonObject:
    """Parse the answer as an object; some providers return an error with status 200."""
    try:
        answer = orjson.loads(data)
    except orjson.JSONDecodeError:
        raise WireFailed("unreadable", "the provider's answer is not JSON", request_id=request_id) from None
    if not isinstance(answer, dict):
        raise WireFailed("unreadable", "the provider's answer is not a JSON object", request_id=request_id)
    found = answer.get("error")
    if isinstance(found, dict):
        code = found.get("code")
        status = code if isinstance(code, int) else httpx2.codes.BAD_GATEWAY
        raise failure_of_status(status, {}, data, hidden=hidden, request_id=request_id)
    return answer


def _answer(answer: JsonObject, request: WireRequest, request_id: str | None) -> WireAnswer:
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise WireFailed("unreadable", "the provider's answer has no message", request_id=request_id)
    refusal = message.get("refusal")
    return WireAnswer(
        text=_text(message.get("content")),
        model_id=told(answer.get("model")) or request.model_id,
        request_id=request_id or told(answer.get("id")),
        usage=_usage(answer, "prompt_tokens", "completion_tokens"),
        tool_calls=tuple(_tool_calls(message.get("tool_calls"))),
        cut=choice.get("finish_reason") == "length",
        refused=isinstance(refusal, str) or choice.get("finish_reason") == "content_filter",
    )


def _text(content: object) -> str:
    """Return a text, or the concatenated texts of its parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(_text(part.get("text")) for part in parts if isinstance(part, dict))


def _usage(answer: JsonObject, tokens_in: str, tokens_out: str | None) -> WireUsage:
    usage = answer.get("usage")
    if not isinstance(usage, dict):
        return WireUsage()
    return WireUsage(usage.get(tokens_in), usage.get(tokens_out) if tokens_out is not None else 0)


def _tool_calls(calls: object) -> list[ToolCall]:
    found = []
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(call, dict) and isinstance(function, dict):
            name, arguments = function.get("name"), function.get("arguments")
            found.append(ToolCall(id=told(call.get("id")) or "", name=told(name) or "", arguments=str(arguments or "")))
    return found


def _vectors(answer: JsonObject, model_id: str, count: int, request_id: str | None) -> WireVectors:
    data = answer.get("data")
    rows = [each for each in data if isinstance(each, dict)] if isinstance(data, list) else []
    indexed = {each["index"]: _numbers(each.get("embedding")) for each in rows if isinstance(each.get("index"), int)}
    ordered = [row for index in range(count) if (row := indexed.get(index)) is not None]
    if len(ordered) != count:
        raise WireFailed("unreadable", f"the provider's answer does not have {count} vectors", request_id=request_id)
    model = told(answer.get("model")) or model_id
    return WireVectors(ordered, model, request_id, _usage(answer, "prompt_tokens", None))


def _numbers(row: object) -> list[float] | None:
    numbers = [x for x in row if isinstance(x, int | float)] if isinstance(row, list) else None
    return numbers if isinstance(row, list) and numbers is not None and len(numbers) == len(row) else None
