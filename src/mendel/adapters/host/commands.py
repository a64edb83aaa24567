"""Runs a program of this machine for a probe, with limits on time and output.

Only running a program shows whether it works; all probes do so through this module.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess  # nosec B404
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

TIMEOUT_S: Final = 4.0
_OUTPUT_BYTES: Final = 64 * 1024  # more counts as a failure
_LINE_CHARACTERS: Final = 500  # of the last line of output
# Keys and passwords in the environment must not reach a probed program: it gets only these variables.
_HANDED_ON: Final = ("PATH", "HOME", "XDG_RUNTIME_DIR", "DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST")


class Answer(NamedTuple):
    """The exit status of a program (None if it did not start or end in time), and its last line of output."""

    status: int | None
    line: str

    @property
    def succeeded(self) -> bool:
        """Whether it exited with status 0."""
        return self.status == 0


def find(name: str, environ: Mapping[str, str]) -> str | None:
    """Return the absolute path of a program on that environment's PATH."""
    found = shutil.which(name, path=environ.get("PATH", ""))
    return os.path.abspath(found) if found else None  # noqa: PTH100 - resolving links would change argv[0]


def ask(command: Sequence[str], environ: Mapping[str, str], timeout_s: float = TIMEOUT_S) -> Answer:
    """Run a program with all its children for at most ``timeout_s``; never raises."""
    deadline = time.monotonic() + timeout_s
    handed_on = {name: environ[name] for name in _HANDED_ON if name in environ} | {"LC_ALL": "C"}
    try:
        # All callers pass an absolute path and fixed arguments; there is no shell.
        process = subprocess.Popen(  # noqa: S603  # nosec B603
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=handed_on,
            start_new_session=True,  # so that all of it can be killed together
        )
    except (OSError, ValueError) as error:
        return Answer(None, f"cannot be started: {error}")
    with process:
        try:
            output = _output(process, deadline)
            status = process.wait(_left(deadline))
        except (TimeoutError, subprocess.TimeoutExpired):
            _end(process)
            return Answer(None, f"did not end within {timeout_s:g} s")
    return Answer(status, _last_line(output))


def _output(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    """Return all output of the program and its children; TimeoutError past the deadline or the size limit."""
    output = b""
    while process.stdout is not None and len(output) < _OUTPUT_BYTES:
        if not select.select([process.stdout], [], [], _left(deadline))[0]:
            break
        chunk = os.read(process.stdout.fileno(), _OUTPUT_BYTES)
        if not chunk:
            return output
        output += chunk
    raise TimeoutError


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the program's whole session before reaping it, so that its children end too."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _last_line(output: bytes) -> str:
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    text = lines[-1] if lines else "no output"
    return "".join(character if character.isprintable() else "?" for character in text)[:_LINE_CHARACTERS]
