"""``python -m tests.support.model_server``: prints its URL, and serves until SIGTERM or the end of its input."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import stat
import sys
from collections.abc import Iterator, Mapping
from typing import Final

import orjson
from tests.support.model_server import brains
from tests.support.model_server.faults import FAULTS
from tests.support.model_server.server import ModelServer
from tests.support.model_server.values import Json

FAULTS_TOLD: Final[Mapping[str, str]] = {
    "400": "a bad request",
    "401": "the key is refused",
    "403": "the key may not do that",
    "404": "there is no such model",
    "413": "the request is too large",
    "429": "too many requests; wait for so many seconds",
    "429_date": "the same, with the moment until which to wait",
    "quota": "429 as well: the money is used up",
    "500": "an error of the server's own",
    "503": "overloaded",
    "529": "overloaded, as Anthropic says it",
    "schema_refused": "400 to whoever sends a schema",
    "echo_key": "an error that repeats the key it was sent",
    "error_in_200": "an error under the status 200",
    "redirect": "a redirect to another address",
    "delay": "the right answer, later",
    "hang": "no byte, for ever",
    "drip": "an answer byte by byte, without an end",
    "drip_head": "headers byte by byte, without an end",
    "cut": "the connection is closed before the answer",
    "cut_body": "… in the middle of it",
    "reset": "the connection is reset before the answer",
    "reset_body": "… in the middle of it",
    "bad_envelope": "half of the envelope's JSON",
    "bad_utf8": "bytes that are no text",
    "html": "a page instead of JSON",
    "odd_envelope": "JSON of another shape",
    "gzip_bomb": "a few bytes that unpack to many",
    "cookie": "the right answer, and a cookie",
    "not_json": "talk instead of JSON",
    "fenced": "the right JSON in a fenced block",
    "prose": "the right JSON amid talk",
    "truncated": "half of the answer",
    "two_objects": "the answer twice",
    "duplicate_key": "an object with a key twice",
    "missing_field": "an object without its first field",
    "wrong_type": "a field of another type",
    "extra_field": "a field that nobody asked for",
    "wrong_once": "missing_field, a single time",
    "huge": "an answer of so many bytes",
    "endless": "an answer that never ends",
    "empty": "an empty answer",
    "null": "no answer in the envelope",
    "refusal": "the model refuses",
    "length": "half of the answer, cut off by its length",
    "unknown_tool": "a call of a tool that there is not",
    "bad_arguments": "a call of a tool with broken arguments",
    "usage_missing": "the right answer, without what it used",
    "usage_negative": "… with less than nothing used",
    "usage_absurd": "… with more tokens used than there can be",
    "usage_strings": "… with words for numbers",
    "fewer_vectors": "a vector too few",
    "ragged_vectors": "a vector that is too short",
    "odd_vectors": "a vector with what is no number",
    "reordered_vectors": "the right vectors in another order",
}
"""What each fault of :data:`FAULTS` is, for ``--help``."""


def _names() -> Iterator[str]:
    """The brains and the faults, a line each."""
    table = (brains.__doc__ or "").splitlines()
    yield "brains (--brain), and any module:Class:"
    yield from (f"  {line.partition(': :mod:')[0].replace('``', '')}" for line in table if line.startswith("``"))
    yield "\nfaults (--fault NAME, or as JSON with their parameters and times, after, match):"
    for name, known in FAULTS.items():
        own = ", ".join(f"{key}={value}" for key, value in known.parameters.items())
        yield f"  {name:<18}{FAULTS_TOLD[name]}" + (f" ({own})" if own else "")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.model_server",
        description=__doc__,
        epilog="\n".join(_names()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=0, help="0 takes any that is free")
    parser.add_argument("--brain", default="echo", help="a brain's name, or module:Class")
    parser.add_argument("--fault", action="append", default=[], help="a name (for ever) or a JSON object; repeatable")
    parser.add_argument("--key", help="answer 401 to whoever does not send it")
    parser.add_argument("--model", action="append", default=[], help="the only models there are; repeatable")
    parser.add_argument("--lenient", action="store_true", help="take schemas outside OpenAI's strict subset")
    return parser.parse_args()


def _fault(given: str) -> Json:
    if not given.startswith("{"):
        return {"fault": given, "times": None}
    found: Json = orjson.loads(given)
    return found


def _watch(done: asyncio.Event) -> None:
    """Set ``done`` on a signal, or when the pipe that is our input ends: then whoever started us is gone."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, done.set)
    kind = os.fstat(0).st_mode
    if stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind):
        loop.add_reader(0, lambda: None if os.read(0, 4_096) else done.set())


async def _serve(given: argparse.Namespace) -> None:
    server = ModelServer(
        given.brain,
        faults=map(_fault, given.fault),
        key=given.key,
        models=given.model,
        strict=not given.lenient,
        port=given.port,
    )
    done = asyncio.Event()
    _watch(done)
    async with server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        await done.wait()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    asyncio.run(_serve(_arguments()))
