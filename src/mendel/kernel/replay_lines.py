"""Replaying the lines of a run file."""

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
        RunFileError: it is not a run file, or holds no event.
        LogIntegrityError: an event is not what was written.
        IllegalTransition: the events are no history of a run.
    """
    replay, checker = Replay(), ChainChecker(0)
    for line in parse_lines(iter(lines)):
        if isinstance(line, Record):
            checker.check_all([line])
            replay.take(event_of(line))
    report = replay.report()
    if report is None:
        raise RunFileError("the file holds no event")
    return report


def answer(lines: Iterable[bytes]) -> tuple[str, int]:
    """One line of JSON, and the exit code that goes with it."""
    try:
        report = replay_lines(lines)
    except MendelError as error:
        return orjson.dumps({"error": {"code": error.code, "message": str(error)}}).decode(), error.exit_code
    agrees = report.agrees
    data = {**report.model_dump(mode="json"), "agrees": agrees}
    return orjson.dumps({"report": data}).decode(), ReplayDiffers.exit_code if agrees is False else 0
