"""Replay of the lines of a run file."""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from mendel.contracts.errors import MendelError, ReplayDiffers, RunFileError
from mendel.kernel.replaying import Replay, ReplayReport
from mendel.ports.records import ChainChecker, Record, event_of
from mendel.ports.run_file import parse_lines


def replay_lines(lines: Iterable[bytes]) -> ReplayReport:
    """Check and fold every event of a run file.

    Raises:
        RunFileError: it is not a run file, or contains no event.
        LogIntegrityError: an event differs from what was written.
        IllegalTransition: the events are not a valid history of a run.
    """
    replay, checker = Replay(), ChainChecker(0)
    for line in parse_lines(iter(lines)):
        if isinstance(line, Record):
            checker.check_all([line])
            replay.take(event_of(line))
    report = replay.report()
    if report is None:
        raise RunFileError("the file contains no event")
    return report


def answer(lines: Iterable[bytes]) -> tuple[str, int]:
    """Return a report or an error as one line of JSON, and the exit code for it."""
    try:
        report = replay_lines(lines)
    except MendelError as error:
        return orjson.dumps({"error": {"code": error.code, "message": str(error)}}).decode(), error.exit_code
    agrees = report.agrees
    data = {**report.model_dump(mode="json"), "agrees": agrees}
    return orjson.dumps({"report": data}).decode(), ReplayDiffers.exit_code if agrees is False else 0
