"""OpenAI's chat completions and embeddings."""

from __future__ import annotations

import base64
import struct
import time
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from math import sqrt
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
    refusing,
    schema_in_words,
    split,
    turns_of,
    with_tools,
)
from tests.support.model_server.strict import objection
from tests.support.model_server.values import Answer, Json, Question, Refused, Reply, Told, Tool, Turn

DIMENSION: Final = 32
_CHOICES: Final = ("none", "auto", "required")


class OpenAI(Dialect):
    """``POST /v1/chat/completions``. A ``strict`` one holds strict schemas to the subset that OpenAI takes."""

    def __init__(self, *, strict: bool = True) -> None:
        self._strict = strict

    def read(self, body: Json) -> Question:
        """As the API reads it: JSON mode has to be announced in words, a strict schema has to be one."""
        turns = turns_of(body.get("messages"))
        options = body.get("stream_options")
        question = Question(
            model_of(body),
            turns,
            self._schema(body.get("response_format"), turns),
            max_tokens=_limit(body),
            stream=bool(body.get("stream")),
            stream_usage=isinstance(options, dict) and bool(options.get("include_usage")),
        )
        return _tooled(question, body)

    def _schema(self, wanted: Any, turns: tuple[Turn, ...]) -> Json | None:
        kind = wanted.get("type") if isinstance(wanted, dict) else "text"
        if kind == "text":
            return schema_in_words(turns)
        if kind == "json_object":
            message = (
                "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
            )
            refusing("400", message, unless=any("json" in turn.text.lower() for turn in turns), param="messages")
            return schema_in_words(turns) or {"type": "object"}
        given = wanted.get("json_schema")
        good = kind == "json_schema" and isinstance(given, dict) and isinstance(given.get("name"), str)
        refusing("400", "Missing or unknown 'response_format'.", unless=good, param="response_format")
        why = objection(given["name"], given.get("schema"), strict=self._strict and given.get("strict") is True)
        refusing("400", why or "", unless=why is None, param="response_format")
        schema: Json = given["schema"]
        return schema

    def reply(self, question: Question, answer: Answer, number: int) -> Reply:
        """A completion, or its chunks."""
        identity = ("x-request-id", f"req_{number:032x}")
        if question.stream:
            return Reply(200, (EVENTS_TYPE, identity), stream=list(_chunks(question, answer, number)))
        return Reply(200, (JSON_TYPE, identity), dumped(_completion(question, answer, number)))

    def error(self, kind: str, message: str | None = None, param: str | None = None) -> Reply:
        """An ``error`` object with message, type, param and code."""
        known = ERRORS[kind]
        told = {
            "message": message or known.message,
            "type": known.openai_type,
            "param": param,
            "code": known.openai_code,
        }
        return Reply(known.status, (JSON_TYPE, ("x-request-id", "req_error")), orjson.dumps({"error": told}))


def _limit(body: Json) -> int | None:
    limit = body.get("max_completion_tokens", body.get("max_tokens"))
    refusing("400", "max_tokens is too small", unless=limit is None or (isinstance(limit, int) and limit > 0))
    return limit


def _tooled(question: Question, body: Json) -> Question:
    tools = [_tool(each) for each in body.get("tools") or []]
    choice = body.get("tool_choice") or "auto"
    if isinstance(choice, dict):
        name = choice.get("function", {}).get("name")
        known = any(tool.name == name for tool in tools)
        refusing("400", f"Tool choice {name!r} is not among the tools.", unless=known, param="tool_choice")
        return with_tools(question, tools, choice="required", name=name)
    refusing("400", "Unknown 'tool_choice'.", unless=choice in _CHOICES, param="tool_choice")
    return with_tools(question, tools, choice=choice)


def _tool(given: Any) -> Tool:
    function = given.get("function") if isinstance(given, dict) else None
    good = isinstance(function, dict) and isinstance(function.get("name"), str)
    refusing("400", "A tool needs a function with a name.", unless=good, param="tools")
    return Tool(function["name"], function.get("parameters") or {"type": "object"})


def calls_of(answer: Answer, number: int) -> list[Json]:
    """The calls as OpenAI writes them."""
    return [
        {"id": f"call_{number}_{at}", "type": "function", "function": {"name": each.name, "arguments": each.arguments}}
        for at, each in enumerate(answer.calls)
    ]


def _finish(answer: Answer) -> str:
    if answer.stop == "stop":
        return "tool_calls" if answer.calls else "stop"
    return "length" if answer.stop == "length" else "stop"


def _usage(used: Told) -> Json:
    numbers = [each for each in (used.tokens_in, used.tokens_out) if isinstance(each, int)]
    total = sum(numbers) if len(numbers) == 2 else used.tokens_in
    return {"prompt_tokens": used.tokens_in, "completion_tokens": used.tokens_out, "total_tokens": total}


def _completion(question: Question, answer: Answer, number: int) -> Json:
    refused = answer.stop == "refusal"
    message: Json = {
        "role": "assistant",
        "content": None if refused else answer.text,
        "refusal": answer.text if refused else None,
    }
    if answer.calls:
        message["tool_calls"] = calls_of(answer, number)
    body = _envelope(question, number, "chat.completion")
    body["choices"] = [{"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(answer)}]
    if answer.used is not None:
        body["usage"] = _usage(answer.used)
    return body


def _envelope(question: Question, number: int, kind: str) -> Json:
    return {"id": f"chatcmpl-{number}", "object": kind, "created": int(time.time()), "model": question.model}


def _chunks(question: Question, answer: Answer, number: int) -> Iterator[bytes]:
    def chunk(delta: Json, finish: str | None = None) -> bytes:
        body = _envelope(question, number, "chat.completion.chunk")
        return event({**body, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    yield chunk({"role": "assistant", "content": None if answer.calls else ""})
    field = "refusal" if answer.stop == "refusal" else "content"
    for piece in split(answer.text or ""):
        yield chunk({field: piece})
    for at, call in enumerate(calls_of(answer, number)):
        opened = {**call, "index": at, "function": {"name": call["function"]["name"], "arguments": ""}}
        yield chunk({"tool_calls": [opened]})
        for piece in split(call["function"]["arguments"]):
            yield chunk({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
    yield chunk({}, _finish(answer))
    if question.stream_usage and answer.used is not None:
        body = _envelope(question, number, "chat.completion.chunk")
        yield event({**body, "choices": [], "usage": _usage(answer.used)})
    yield b"data: [DONE]\n\n"


# --- embeddings ------------------------------------------------------------------------------------------------


def texts_of(body: Json) -> list[str]:
    """The texts that a body wants embedded; tokens are taken as a text of their numbers.

    Raises:
        Refused: there are none, or an empty one.
    """
    given = body.get("input")
    listed: list[Any] = given if isinstance(given, list) else [given]
    if listed and all(isinstance(each, int) for each in listed):
        listed = [listed]
    texts = [each if isinstance(each, str) else " ".join(map(str, each or ())) for each in listed]
    refusing("400", "'$.input' is invalid.", unless=texts and all(texts), param="input")
    return texts


def vectors(texts: Sequence[str], dimension: int) -> list[list[float]]:
    """Unit vectors of hashed trigrams: like texts lie near each other."""
    return [_vector(text, dimension) for text in texts]


def _vector(text: str, dimension: int) -> list[float]:
    found = [0.0] * dimension
    padded = f" {text.lower()} "
    for at in range(len(padded) - 2):
        digest = blake2b(padded[at : at + 3].encode(errors="surrogatepass"), digest_size=4).digest()
        found[int.from_bytes(digest[:3], "big") % dimension] += 1.0 if digest[3] & 1 else -1.0
    length = sqrt(sum(each * each for each in found)) or 1.0
    return [each / length for each in found]


def dimension_of(body: Json) -> int:
    """How many numbers a vector shall have.

    Raises:
        Refused: that is no such number.
    """
    wanted = body.get("dimensions", DIMENSION)
    if not isinstance(wanted, int) or not 0 < wanted <= 4_096:
        raise Refused("400", "'dimensions' must be from 1 to 4096", param="dimensions")
    return wanted


def embeddings(body: Json, rows: Sequence[tuple[int, list[float]]], used: Told | None, number: int) -> Reply:
    """The answer to ``POST /v1/embeddings``, as numbers or in base64; ``rows`` are numbered."""
    binary = body.get("encoding_format") == "base64"
    data = [
        {"object": "embedding", "index": index, "embedding": _base64(row) if binary else row} for index, row in rows
    ]
    told: Json = {"object": "list", "data": data, "model": body["model"]}
    if used is not None:
        told["usage"] = {"prompt_tokens": used.tokens_in, "total_tokens": used.tokens_in}
    return Reply(200, (JSON_TYPE, ("x-request-id", f"req_{number:032x}")), dumped(told))


def _base64(row: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode()
