"""Anthropic's messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson
from tests.support.model_server.dialects import (
    ERRORS,
    EVENTS_TYPE,
    JSON_TYPE,
    Dialect,
    dumped,
    event,
    model_of,
    object_in,
    refusing,
    schema_in_words,
    split,
    text_of,
    turns_of,
    with_tools,
)
from tests.support.model_server.values import Answer, Json, Question, Reply, Tool, Turn

_CHOICES: Final = {"auto": "auto", "none": "none", "any": "required", "tool": "required"}
_STOPS: Final = {"length": "max_tokens", "refusal": "refusal"}


class Anthropic(Dialect):
    """``POST /v1/messages``. Structured answers come by a forced tool, or by ``output_config.format``."""

    def read(self, body: Json) -> Question:
        """As the API reads it: a limit of tokens is needed, a conversation begins with the user."""
        system = text_of(body.get("system"))
        turns = turns_of(body.get("messages"))
        limit = body.get("max_tokens")
        refusing("400", "max_tokens: Field required", unless=isinstance(limit, int) and limit > 0)
        allowed = {"user", "assistant", "tool"}
        good = {turn.role for turn in turns} <= allowed
        refusing("400", "messages: Unexpected role. The system prompt has a parameter of its own.", unless=good)
        turns = (Turn("system", system), *turns) if system else turns
        question = Question(
            model_of(body), turns, _schema(body, turns), max_tokens=limit, stream=bool(body.get("stream"))
        )
        return _tooled(question, body)

    def reply(self, question: Question, answer: Answer, number: int) -> Reply:
        """A message, or its events."""
        identity = ("request-id", f"req_{number:024x}")
        if question.stream:
            return Reply(200, (EVENTS_TYPE, identity), stream=list(_events(question, answer, number)))
        return Reply(200, (JSON_TYPE, identity), dumped(_message(question, answer, number)))

    def error(self, kind: str, message: str | None = None, param: str | None = None) -> Reply:
        """An ``error`` object with type and message."""
        known = ERRORS[kind]
        told = {"type": known.anthropic_type, "message": message or known.message}
        body = orjson.dumps({"type": "error", "error": told, "request_id": "req_error"})
        return Reply(known.status, (JSON_TYPE, ("request-id", "req_error")), body)

    def keys(self, headers: dict[str, str]) -> str | None:
        """The key in ``x-api-key``, or as a bearer's."""
        return headers.get("x-api-key") or super().keys(headers)


def _schema(body: Json, turns: tuple[Turn, ...]) -> Json | None:
    config = body.get("output_config")
    wanted = config.get("format") if isinstance(config, dict) else None
    if not isinstance(wanted, dict):
        return schema_in_words(turns)
    good = wanted.get("type") == "json_schema" and isinstance(wanted.get("schema"), dict)
    refusing("400", "output_config.format: a json_schema is needed", unless=good)
    schema: Json = wanted["schema"]
    return schema


def _tooled(question: Question, body: Json) -> Question:
    tools = [_tool(each) for each in body.get("tools") or []]
    given = body.get("tool_choice") or {"type": "auto"}
    choice = _CHOICES.get(given.get("type", "")) if isinstance(given, dict) else None
    refusing("400", "tool_choice: unknown type", unless=choice)
    name = given.get("name")
    known = name is None or any(tool.name == name for tool in tools)
    refusing("400", f"Tool {name!r} not found in provided tools", unless=known)
    return with_tools(question, tools, choice=str(choice), name=name)


def _tool(given: Any) -> Tool:
    good = isinstance(given, dict) and isinstance(given.get("name"), str)
    refusing("400", "tools: a name is needed", unless=good)
    return Tool(given["name"], given.get("input_schema") or {"type": "object"})


def _blocks(answer: Answer, number: int) -> list[Json]:
    """The content; arguments that are no object can only be told as text."""
    blocks: list[Json] = []
    if answer.text is not None:
        blocks.append({"type": "text", "text": answer.text})
    for at, call in enumerate(answer.calls):
        found = object_in(call.arguments)
        if found is None:
            blocks.append({"type": "text", "text": call.arguments})
        else:
            blocks.append({"type": "tool_use", "id": f"toolu_{number}_{at}", "name": call.name, "input": found})
    return blocks


def _stop(answer: Answer, blocks: list[Json]) -> str:
    ended = "tool_use" if any(each["type"] == "tool_use" for each in blocks) else "end_turn"
    return _STOPS.get(answer.stop, ended)


def _message(question: Question, answer: Answer, number: int) -> Json:
    blocks = _blocks(answer, number)
    message: Json = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": question.model,
        "content": blocks,
        "stop_reason": _stop(answer, blocks),
        "stop_sequence": None,
    }
    if answer.used is not None:
        message["usage"] = {"input_tokens": answer.used.tokens_in, "output_tokens": answer.used.tokens_out}
    return message


def _events(question: Question, answer: Answer, number: int) -> Iterator[bytes]:
    whole = _message(question, answer, number)
    usage = whole.get("usage")
    begun = {**whole, "content": [], "stop_reason": None}
    if usage is not None:
        begun["usage"] = {**usage, "output_tokens": 0}
    yield _event("message_start", message=begun)
    for index, block in enumerate(whole["content"]):
        yield from _block_events(index, block)
    delta = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    last = {} if usage is None else {"usage": {"output_tokens": usage["output_tokens"]}}
    yield _event("message_delta", delta=delta, **last)
    yield _event("message_stop")


def _block_events(index: int, block: Json) -> Iterator[bytes]:
    is_text = block["type"] == "text"
    text = block["text"] if is_text else orjson.dumps(block["input"]).decode()
    kind, field = ("text_delta", "text") if is_text else ("input_json_delta", "partial_json")
    yield _event(
        "content_block_start", index=index, content_block={**block, **({"text": ""} if is_text else {"input": {}})}
    )
    for piece in split(text):
        yield _event("content_block_delta", index=index, delta={"type": kind, field: piece})
    yield _event("content_block_stop", index=index)


def _event(name: str, **fields: Any) -> bytes:
    return event({"type": name, **fields}, name)
