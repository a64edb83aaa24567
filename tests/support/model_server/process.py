"""The server as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import orjson
from tests.support.model_server.values import Json

_ROOT: Final = Path(__file__).parents[3]
_PATIENCE_S: Final = 10


@contextmanager
def started_server(
    brain: str = "echo",
    *,
    faults: Iterable[str | Json] = (),
    key: str | None = None,
    models: Sequence[str] = (),
    strict: bool = True,
    port: int = 0,
    python: str = sys.executable,
) -> Iterator[str]:
    """Start the server, hand out its URL, and end it. A fault that is only named happens for ever.

    Raises:
        RuntimeError: it did not start; its error stands on this process's stderr.
    """
    command = [python, "-m", "tests.support.model_server", "--port", str(port), "--brain", brain]
    for each in faults:
        command += ["--fault", each if isinstance(each, str) else orjson.dumps(each).decode()]
    for model in models:
        command += ["--model", model]
    command += [*(("--key", key) if key is not None else ()), *(() if strict else ("--lenient",))]
    process = subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(os.environ))
    try:
        yield _url(process)
    finally:
        _end(process)


def _url(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline().decode().strip()
    if not line:
        raise RuntimeError("the model server did not start")
    return line


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
