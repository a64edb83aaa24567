"""``python -m tests.support.model_server``: prints its URL, and serves until SIGTERM or the end of its input."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import stat
import sys

import orjson
from tests.support.model_server.server import ModelServer
from tests.support.model_server.values import Json


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.support.model_server", description=__doc__)
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
