"""Reads the reported usage from a vendor's unmodified answer, because an SDK would round, fill in or drop it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import orjson

from mendel.contracts.base import JsonObject
from mendel.ports.model_wire import WireUsage


class Counters(NamedTuple):
    """Where a vendor reports usage: the path of the object, one counter per direction, and additional counters."""

    path: tuple[str, ...]
    tokens_in: str
    tokens_out: str
    more_in: tuple[str, ...] = ()
    more_out: tuple[str, ...] = ()


COUNTERS: Final[Mapping[str, Counters]] = {
    "anthropic": Counters(
        ("usage",), "input_tokens", "output_tokens", ("cache_creation_input_tokens", "cache_read_input_tokens")
    ),
    "bedrock": Counters(("usage",), "inputTokens", "outputTokens", ("cacheReadInputTokens", "cacheWriteInputTokens")),
    "cohere": Counters(("usage", "tokens"), "input_tokens", "output_tokens"),
    "google": Counters(
        ("usageMetadata",),
        "promptTokenCount",
        "candidatesTokenCount",
        ("toolUsePromptTokenCount",),
        ("thoughtsTokenCount",),
    ),
    "huggingface": Counters(("usage",), "prompt_tokens", "completion_tokens"),
    "mistral": Counters(("usage",), "prompt_tokens", "completion_tokens"),
}


def usage_of(vendor: str, body: bytes) -> WireUsage:
    """Return the usage that the answer reports. A missing or non-numeric counter is passed on unchanged."""
    counters = COUNTERS[vendor]
    found = _object(body)
    for name in counters.path:
        inner = found.get(name)
        found = inner if isinstance(inner, dict) else {}
    return WireUsage(
        _sum(found, counters.tokens_in, counters.more_in), _sum(found, counters.tokens_out, counters.more_out)
    )


def without_usage(vendor: str, body: bytes) -> bytes:
    """Set the answer's usage to zero, for SDKs that reject an answer with implausible usage."""
    answer = found = _object(body)
    counters = COUNTERS[vendor]
    if not found:
        return body
    for name in counters.path:
        inner: JsonObject = {}
        found[name], found = inner, inner
    found[counters.tokens_in] = found[counters.tokens_out] = 0
    return orjson.dumps(answer)


def _object(body: bytes) -> JsonObject:
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _sum(found: JsonObject, name: str, more: tuple[str, ...]) -> object:
    """Add up all counters of one direction; if one is not a count, return that one instead."""
    total = 0
    for told in (found.get(name), *(found[each] for each in more if found.get(each) is not None)):
        if not isinstance(told, int) or isinstance(told, bool) or told < 0:
            return told
        total += told
    return total
