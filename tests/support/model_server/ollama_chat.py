"""Ollama's own chat, which streams lines of JSON unless told not to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson
from tests.support.model_server.dialects import (
    ERRORS,
    JSON_TYPE,
    Dialect,
    dumped,
    model_of,
    object_in,
    refusing,
    schema_in_words,
    split,
    turns_of,
    with_tools,
)
from tests.support.model_server.values import Answer, Json, Question, Reply, Tool, Turn

_LINES_TYPE: Final = ("content-type", "application/x-ndjson")
_CREATED: Final = "2026-01-01T00:00:00.000000Z"


class Ollama(Dialect):
    """``POST /api/chat``."""

    def read(self, body: Json) -> Question:
        """As the API reads it: ``format`` is a schema, or the word json."""
        turns = turns_of(body.get("messages"))
        options = body.get("options")
        limit = options.get("num_predict") if isinstance(options, dict) else None
        question = Question(
            model_of(body),
            turns,
            _schema(body.get("format"), turns),
            max_tokens=limit if isinstance(limit, int) and limit > 0 else None,
            stream=body.get("stream") is not False,
        )
        tools = [_tool(each) for each in body.get("tools") or []]
        return with_tools(question, tools, choice="auto")

    def reply(self, question: Question, answer: Answer, number: int) -> Reply:
        """One object, or lines of them."""
        if question.stream:
            return Reply(200, (_LINES_TYPE,), stream=list(_lines(question, answer)))
        return Reply(200, (JSON_TYPE,), dumped(_last(question, answer, answer.text, number)))

    def error(self, kind: str, message: str | None = None, param: str | None = None) -> Reply:
        """An ``error`` that is a sentence."""
        known = ERRORS[kind]
        return Reply(known.status, body=orjson.dumps({"error": message or known.message}))


def _schema(wanted: Any, turns: tuple[Turn, ...]) -> Json | None:
    if wanted is None or wanted == "":
        return schema_in_words(turns)
    if wanted == "json":
        return schema_in_words(turns) or {"type": "object"}
    refusing("400", "invalid format: expected a JSON schema or 'json'", unless=isinstance(wanted, dict))
    schema: Json = wanted
    return schema


def _tool(given: Any) -> Tool:
    function = given.get("function") if isinstance(given, dict) else None
    good = isinstance(function, dict) and isinstance(function.get("name"), str)
    refusing("400", "invalid tool", unless=good)
    return Tool(function["name"], function.get("parameters") or {"type": "object"})


def _spoken(question: Question, content: str | None) -> Json:
    message = {"role": "assistant", "content": content}
    return {"model": question.model, "created_at": _CREATED, "message": message, "done": False}


def _last(question: Question, answer: Answer, content: str | None, number: int = 0) -> Json:
    """The object that ends an answer; arguments that are no object can only be told as text."""
    told = _spoken(question, content)
    read = [(call, object_in(call.arguments)) for call in answer.calls]
    calls = [{"function": {"name": call.name, "arguments": found}} for call, found in read if found is not None]
    spilt = [call.arguments for call, found in read if found is None]
    if calls:
        told["message"]["tool_calls"] = calls
    if calls or spilt:
        told["message"]["content"] = (content or "") + "".join(spilt)
    told |= {"done": True, "done_reason": "length" if answer.stop == "length" else "stop", "total_duration": 1 + number}
    if answer.used is not None:
        told |= {"prompt_eval_count": answer.used.tokens_in, "eval_count": answer.used.tokens_out}
    return told


def _lines(question: Question, answer: Answer) -> Iterator[bytes]:
    for piece in split(answer.text or ""):
        yield dumped(_spoken(question, piece)) + b"\n"
    yield dumped(_last(question, answer, "")) + b"\n"
