"""What a span tells of a call: GenAI's semantic names, and Langfuse's where it has better ones."""

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
"""So many characters of a prompt or an answer are sent; the whole of it stands in the run's log."""
_MARGIN: Final = 8_192
"""So many more are scrubbed and dropped, so that no secret is cut in half before it can be recognised."""
_CUT: Final = " [CUT]"


def operation(role: ModelRole) -> str:
    """What is done, in the words of the semantic conventions."""
    return "embeddings" if role == "embedding" else "chat"


def asked(role: ModelRole, route: ModelRoute) -> Attributes:
    """What is known when a call begins: all of it configuration."""
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
    """What is known when it has ended, without a word of what was asked and said."""
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
    """What was asked and said, scrubbed and cut: only for those who switched it on."""
    return {name: shown(text, scrubber) for name, text in _texts(record) if text}


def shown(text: str, scrubber: Scrubber) -> str:
    """``text`` as it may leave the process: without secrets, of bounded length, and such that UTF-8 can carry it."""
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
    # A provider's complaint may quote the prompt, ours the answer.
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
