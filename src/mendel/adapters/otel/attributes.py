"""The attributes of a call's span: GenAI semantic conventions, and Langfuse's names where those are better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import orjson

from mendel.contracts.model_calls import AttemptRecord
from mendel.contracts.providers import ModelRole, ModelRoute
from mendel.contracts.scrub import Scrubber

Value = str | int | float | bool
Attributes = Mapping[str, Value]

SHOWN: Final = 32_768
"""Maximum number of characters of a prompt or an answer that are sent; the run's log contains all of it."""
_MARGIN: Final = 8_192
"""Additional characters that are scrubbed and then dropped, so that a secret at the limit is still recognised."""
_CUT: Final = " [CUT]"  # marks a truncated text


def operation(role: ModelRole) -> str:
    """Return the operation's name in the semantic conventions."""
    return "embeddings" if role == "embedding" else "chat"


def asked(role: ModelRole, route: ModelRoute) -> Attributes:
    """Return the attributes known when a call begins, all from configuration."""
    return {
        "gen_ai.operation.name": operation(role),
        "gen_ai.system": route.provider,
        "gen_ai.provider.name": route.provider,
        "gen_ai.request.model": route.model_id,
        "langfuse.observation.type": "embedding" if role == "embedding" else "generation",
        "langfuse.trace.name": role,
        "langfuse.observation.metadata.role": role,
    }


def answered(record: AttemptRecord) -> Attributes:
    """Return the attributes known when a call has ended, without any text of the request or the answer."""
    used = record.provider
    found: dict[str, Value | None] = {
        "gen_ai.response.model": None if record.failure else used.model_id,
        "gen_ai.response.id": used.request_id,
        "gen_ai.usage.input_tokens": used.tokens_in,
        "gen_ai.usage.output_tokens": used.tokens_out,
        "langfuse.observation.cost_details": _cost(used.cost_microusd),
        "langfuse.observation.level": _level(record),
        "langfuse.observation.status_message": record.failure,
        "langfuse.observation.metadata.attempt": record.attempt,
        "langfuse.observation.metadata.outcome": record.failure or record.validation,
        "langfuse.observation.metadata.schema": record.schema_name or None,
        "langfuse.observation.metadata.estimated": record.estimated,
        "error.type": record.failure,
        **_sampled(record),
    }
    return {name: value for name, value in found.items() if value is not None}


def said(record: AttemptRecord, scrubber: Scrubber) -> Attributes:
    """Return the texts of the request and the answer, scrubbed and truncated: only where content is enabled."""
    return {name: shown(text, scrubber) for name, text in _texts(record) if text}


def shown(text: str, scrubber: Scrubber) -> str:
    """Prepare ``text`` to leave the process: without secrets, of bounded length, and encodable as UTF-8."""
    window = text[: SHOWN + _MARGIN]
    data = window.encode("utf-8", "replace")
    clean = scrubber.bytes(data).decode("utf-8", "replace")
    if len(window) < len(text):
        clean = clean[: max(0, len(clean) - _MARGIN)]
    elif len(clean) <= SHOWN:
        return clean
    return clean[:SHOWN] + _CUT


def _texts(record: AttemptRecord) -> Iterator[tuple[str, str]]:
    yield "gen_ai.prompt", record.request
    yield "gen_ai.completion", record.response or _wished(record)
    # A provider's error message may quote the prompt, and our complaints may quote the answer.
    yield "langfuse.observation.status_message", record.message
    yield "langfuse.observation.metadata.complaints", "\n".join(record.complaints)


def _wished(record: AttemptRecord) -> str:
    return orjson.dumps([call.model_dump() for call in record.tool_calls]).decode() if record.tool_calls else ""


def _cost(microusd: int | None) -> str | None:
    return None if microusd is None else orjson.dumps({"total": microusd / 1_000_000}).decode()


def _level(record: AttemptRecord) -> str:
    if record.failure is not None:
        return "ERROR"
    return "WARNING" if record.validation == "rejected" else "DEFAULT"


def _sampled(record: AttemptRecord) -> dict[str, Value | None]:
    drawn = record.sampling
    return {
        "gen_ai.request.temperature": drawn.temperature,
        "gen_ai.request.top_p": drawn.top_p,
        "gen_ai.request.seed": drawn.seed,
    }
