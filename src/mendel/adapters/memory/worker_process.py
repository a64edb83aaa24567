"""A worker process: reads tasks from one pipe, performs them one at a time, and writes the outcomes to another.

Started by :mod:`mendel.adapters.memory.worker` as ``python -m``, with its settings as JSON on the command line.
For every task it writes ``BEGUN`` once the handler has been found, and then the outcome. The deadline counts from
``BEGUN``, so importing a handler does not count as work. A task that cannot begin only has an outcome.
"""

from __future__ import annotations

import ctypes
import io
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Final, cast

from pydantic import ValidationError
from pydantic_core import to_json

from mendel.adapters.memory.frames import MAX_FRAME_BYTES, FrameReader, framed, write_all
from mendel.adapters.memory.handler_directory import HandlerDirectory
from mendel.adapters.memory.outcomes import failed, malformed, perform
from mendel.contracts.base import JsonObject
from mendel.contracts.errors import PluginError
from mendel.contracts.work import TaskPayload
from mendel.ports.handlers import PlainHandler

BEGUN: Final = b"null"  # no outcome looks like this

_PIECE_BYTES: Final = 1 << 20
_PR_SET_PDEATHSIG: Final = 1


@dataclass(frozen=True)
class WorkerSettings:
    """Settings of a worker process: its parent, the module search path, and handlers by dotted reference."""

    parent: int
    path: Sequence[str]
    references: Mapping[str, str]

    def spelled(self) -> str:
        """Return one command-line argument; JSON also preserves paths that are not valid Unicode."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str) -> WorkerSettings:
        """Parse the output of :meth:`spelled`."""
        return cls(**json.loads(text))


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent ends; exit if the parent has ended already."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def take_pipes() -> tuple[int, int]:
    """Move the protocol's pipes to other descriptors, so that a handler's prints and reads cannot touch them."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # prints go to standard error instead
    os.close(nothing)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # a killed worker cannot flush
    return incoming, outgoing


def serve(incoming: int, outgoing: int, directory: HandlerDirectory) -> None:
    """Perform tasks until the parent closes the pipe."""
    worker = os.getpid()
    for message in _messages(incoming):
        outcome = _outcome(message, outgoing, directory)
        if os.getpid() != worker:
            os._exit(0)  # a forked child of the handler returned, too: only the parent may answer
        write_all(outgoing, framed(outcome))


def _messages(incoming: int) -> Iterator[bytes]:
    frames = FrameReader()
    while piece := os.read(incoming, _PIECE_BYTES):
        frames.feed(piece)
        while (message := frames.take()) is not None:
            yield message


def _outcome(message: bytes, outgoing: int, directory: HandlerDirectory) -> bytes:
    try:
        payload = TaskPayload.model_validate_json(message)
        handler = directory.find(payload.handler)
    except ValidationError as error:
        return to_json(malformed(error))
    except PluginError as error:
        return to_json(failed("unknown_handler", type(error).__name__, str(error)))
    write_all(outgoing, framed(BEGUN))
    return _carried(perform(cast("PlainHandler", handler), payload))


def _carried(outcome: JsonObject) -> bytes:
    text = to_json(outcome)
    if len(text) <= MAX_FRAME_BYTES:
        return text
    why = f"the answer takes {len(text)} bytes, above the ceiling of {MAX_FRAME_BYTES}"
    return to_json(failed("bad_answer", "PayloadTooLarge", why))


def main() -> None:
    """Run as a worker until the parent closes the pipe or ends."""
    settings = WorkerSettings.read(sys.argv[1])
    die_with(settings.parent)
    incoming, outgoing = take_pipes()
    sys.path[:] = settings.path
    serve(incoming, outgoing, HandlerDirectory(settings.references))
    os._exit(0)  # do not wait for threads that a handler left behind


if __name__ == "__main__":
    main()
