"""How answers, vectors and replies are spoilt by a fault."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from math import nan
from typing import Any, Final

import orjson
from tests.support.model_server.dialects import Dialect, dumped
from tests.support.model_server.http import chunked, encoded, head_of
from tests.support.model_server.values import NEVER, Answer, Call, Json, Piece, Question, Reply, Script, Told

Rows = list[tuple[int, list[float]]]
MARK: Final = "\N{PLACE OF INTEREST SIGN}"
_TALK: Final = "Certainly! Let me think about what you asked, step by step, before I answer. "
_FILLING: Final = "and so on, and so forth, "
_REFUSAL: Final = "I cannot help with that."
_BLOCK: Final = 64 * 1024

# --- what a model says -----------------------------------------------------------------------------------------------


def _fenced(text: str) -> str:
    return f"```json\n{text}\n```"


def _prose(text: str) -> str:
    return f"{_TALK}Here it is:\n\n{text}\n\nI hope that this helps."


def _twice(text: str) -> str:
    return f"{text}\n{text}"


def _half(text: str) -> str:
    return text[: len(text) // 2]


def _key_twice(text: str) -> str:
    found = _object(text)
    key = next(iter(found), "key")
    pair = f"{dumped(key).decode()}:{dumped(found.get(key)).decode()}"
    return "{" + pair + "," + text.strip()[1:] if found else "{" + f"{pair},{pair}" + "}"


def _less(text: str) -> str:
    found = _object(text)
    return dumped(dict(list(found.items())[1:])).decode() if found else "[]"


def _other_type(text: str) -> str:
    found = _object(text)
    key = next(iter(found), "key")
    return dumped({**found, key: [{"not": "what was asked for"}]}).decode()


def _more(text: str) -> str:
    return dumped({**_object(text), "something_that_nobody_asked_for": True}).decode()


def _object(text: str) -> Json:
    try:
        found = orjson.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


_TEXTS: Final[dict[str, Callable[[str], str]]] = {
    "not_json": lambda _text: _TALK,
    "fenced": _fenced,
    "prose": _prose,
    "truncated": _half,
    "two_objects": _twice,
    "duplicate_key": _key_twice,
    "missing_field": _less,
    "wrong_once": _less,
    "wrong_type": _other_type,
    "extra_field": _more,
    "empty": lambda _text: "",
    "length": _half,
}

_USED: Final[dict[str, Callable[[Json], Told | None]]] = {
    "usage_missing": lambda _own: None,
    "usage_negative": lambda _own: Told(-5, -7),
    "usage_absurd": lambda own: Told(own["tokens"], own["tokens"]),
    "usage_strings": lambda _own: Told("many", "more"),
}


def spoilt_answer(name: str, own: Mapping[str, Any], answer: Answer) -> Answer:
    """The answer with a fault in what it says, or in what it says that it used."""
    if name in _TEXTS:
        return replace(_rewritten(answer, _TEXTS[name]), stop="length" if name == "length" else "stop")
    if name in _USED:
        return replace(answer, used=_USED[name](dict(own)))
    others: dict[str, Callable[[], Answer]] = {
        "huge": lambda: replace(answer, text=_TALK * (1 + own["bytes"] // len(_TALK)), calls=()),
        "null": lambda: replace(answer, text=None, calls=()),
        "refusal": lambda: replace(answer, text=_REFUSAL, calls=(), stop="refusal"),
        "unknown_tool": lambda: replace(answer, text=None, calls=(Call(own["name"], "{}"),)),
        "bad_arguments": lambda: replace(answer, text=None, calls=(Call("web_search", '{"query": '),)),
        "endless": lambda: replace(answer, text=MARK, calls=()),
    }
    return others[name]() if name in others else answer


def _rewritten(answer: Answer, change: Callable[[str], str]) -> Answer:
    """The answer in other words; those of a forced tool are its arguments."""
    if not answer.calls:
        return replace(answer, text=change(answer.text or ""))
    return replace(answer, calls=tuple(replace(call, arguments=change(call.arguments)) for call in answer.calls))


def spoilt_rows(name: str, rows: Rows) -> Rows:
    """The vectors with a fault; ``reordered_vectors`` are right, for whoever reads their numbers."""
    kinds: dict[str, Callable[[], Rows]] = {
        "fewer_vectors": lambda: rows[:-1],
        "ragged_vectors": lambda: [*rows[:-1], (rows[-1][0], rows[-1][1][:-1])],
        "odd_vectors": lambda: [(index, [nan, *row[1:]]) for index, row in rows],
        "reordered_vectors": lambda: rows[::-1],
    }
    return kinds[name]() if name in kinds else rows


# --- errors that a provider tells ------------------------------------------------------------------------------------


def told_error(name: str, own: Mapping[str, Any], dialect: Dialect, key: str | None) -> Reply | None:
    """The error that a fault is, in the dialect of the API; None for other faults."""
    if name in ("429", "429_date", "503"):
        reply = dialect.error(name.removesuffix("_date"))
        wait = own.get("retry_after")
        return reply if wait is None else _with(reply, "retry-after", _when(wait) if name == "429_date" else str(wait))
    if name == "schema_refused":
        message = "Invalid schema for response_format: unions are not supported."
        return dialect.error("400", message, "response_format")
    if name == "echo_key":
        return replace(dialect.error("401", f"Incorrect API key provided: {key}."), status=own["status"])
    if name == "error_in_200":
        return replace(dialect.error("503"), status=200)
    if name == "redirect":
        return Reply(own["status"], (("location", own["location"]),))
    return dialect.error(name) if name.isdigit() or name == "quota" else None


def _when(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


def _with(reply: Reply, name: str, value: str) -> Reply:
    return replace(reply, headers=(*reply.headers, (name, value)))


# --- connections and envelopes ---------------------------------------------------------------------------------------


def spoilt_reply(name: str, own: Mapping[str, Any], reply: Reply, question: Question | None) -> Reply | Script:
    """The reply with a fault in its envelope, or in how it is sent."""
    if name == "endless":
        return _endless(reply)
    if name == "delay":
        return Script([float(own["seconds"]), *_wire(reply)])
    flat = _flat(reply)
    kinds: dict[str, Callable[[], Reply | Script]] = {
        "hang": lambda: Script([NEVER]),
        "drip": lambda: _drip(flat, own["seconds"]),
        "drip_head": lambda: Script(_drops(encoded(flat)[:20], own["seconds"], b"x")),
        "cut": lambda: Script([], "close"),
        "cut_body": lambda: Script([_half_sent(flat)], "close"),
        "reset": lambda: Script([], "reset"),
        "reset_body": lambda: Script([_half_sent(flat), 0.01], "reset"),
        "bad_envelope": lambda: replace(flat, body=flat.body[: len(flat.body) // 2]),
        "bad_utf8": lambda: replace(flat, body=flat.body.replace(b":", b":\xff\xfe", 1)),
        "html": lambda: Reply(200, (("content-type", "text/html"),), b"<html><body>Bad gateway</body></html>"),
        "odd_envelope": lambda: replace(flat, body=_odd(question)),
        "gzip_bomb": lambda: _bomb(flat, own["bytes"]),
        "cookie": lambda: _with(reply, "set-cookie", own["cookie"]),
    }
    return kinds[name]() if name in kinds else reply


def _flat(reply: Reply) -> Reply:
    """The reply with its stream in one piece."""
    if reply.stream is None:
        return reply
    return replace(reply, body=b"".join(each for each in reply.stream if isinstance(each, bytes)), stream=None)


def _wire(reply: Reply) -> Sequence[Piece]:
    return [encoded(reply)] if reply.stream is None else list(chunked(reply))


def _half_sent(flat: Reply) -> bytes:
    whole = encoded(flat)
    return whole[: len(whole) - max(1, len(flat.body) // 2)]


def _odd(question: Question | None) -> bytes:
    """JSON of another shape than anybody expects."""
    odd = {"object": "list", "choices": [], "content": 7, "message": None, "data": 7, "models": 7}
    told = orjson.dumps(odd)
    return told if question is None or not question.stream else b"data: " + told + b"\n\n"


def _bomb(flat: Reply, size: int) -> Reply:
    """A few bytes that unpack to many: the right answer after ``size`` spaces."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:
        for _ in range(max(1, size // _BLOCK)):
            file.write(b" " * _BLOCK)
        file.write(flat.body)
    return replace(_with(flat, "content-encoding", "gzip"), body=packed.getvalue())


def _drip(flat: Reply, seconds: float) -> Script:
    def pieces() -> Iterator[Piece]:
        yield head_of(flat, "transfer-encoding: chunked")
        yield from _drops(b"1\r\n" + flat.body[:1] + b"\r\n", seconds, b"1\r\n \r\n")

    return Script(pieces())


def _drops(start: bytes, seconds: float, drop: bytes) -> Iterator[Piece]:
    """``start``, then a drop every so many seconds, for ever."""
    yield start
    while True:
        yield float(seconds)
        yield drop


def _endless(reply: Reply) -> Reply:
    """The reply round the place where its text goes on and on."""
    mark = dumped(MARK)[1:-1]
    if reply.stream is None:
        return replace(reply, body=b"", stream=_for_ever([reply.body.partition(mark)[0]], _FILLING.encode() * 2_000))
    pieces = [each for each in reply.stream if isinstance(each, bytes)]
    at = next((n for n, each in enumerate(pieces) if mark in each), 0)
    return replace(reply, stream=_for_ever(pieces[:at], pieces[at].replace(mark, _FILLING.encode())))


def _for_ever(start: list[bytes], more: bytes) -> Iterator[Piece]:
    yield from start
    while True:
        yield more
