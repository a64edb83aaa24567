"""Facts about this installation: settings, model routes and probes, filled in by the wiring and the CLI.

Nothing here ever contains a key: all facts are free of secrets before they get here (rule 4).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

import orjson
from pydantic import BaseModel, ValidationError

from mendel.contracts.base import JsonObject
from mendel.contracts.diagnostics import Probe
from mendel.contracts.errors import StorageError

DOCTOR_FILE: Final = "doctor.json"
GUARD_REPORTS: Final = "reports/guard"
LEAST_DISK: Final = 64 << 20
"""Bytes of free space below which the log may stop at any moment."""


class ShownSetting(NamedTuple):
    """One setting, with secrets masked."""

    key: str
    value: str
    origin: str
    description: str


def _no_settings() -> Sequence[ShownSetting]:
    return ()


def _no_routes() -> JsonObject:
    return {}


def _no_probes() -> Sequence[Probe]:
    return ()


@dataclass(frozen=True)
class About:
    """The facts about one server's installation; ``home`` is its folder for files outside the log."""

    home: Path | None = None
    settings: Callable[[], Sequence[ShownSetting]] = _no_settings
    model_routes: Callable[[], JsonObject] = _no_routes
    probe: Callable[[], Sequence[Probe]] = _no_probes

    def free_bytes(self) -> int | None:
        """Return the free space in the home folder; None if it is unknown."""
        try:
            return shutil.disk_usage(self.home).free if self.home is not None and self.home.is_dir() else None
        except OSError:
            return None


class Probed(BaseModel):
    """The results of checking this machine, and their time."""

    at: datetime
    probes: tuple[Probe, ...]


def record_probes(home: Path, probes: Sequence[Probe], at: datetime) -> Probed:
    """Save the results, but do not create a missing home folder.

    Raises:
        StorageError: the file cannot be written.
    """
    found = Probed(at=at, probes=tuple(probes))
    if not home.is_dir():
        return found
    part = home / f"{DOCTOR_FILE}.part"
    try:
        part.write_bytes(orjson.dumps(found.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
        part.replace(home / DOCTOR_FILE)  # atomic: readers never see half a file
    except OSError as error:
        raise StorageError(f"{home / DOCTOR_FILE} cannot be written: {error.strerror}") from error
    return found


def recorded_probes(home: Path | None) -> Probed | None:
    """Return the last saved results, if there are any."""
    if home is None:
        return None
    try:
        return Probed.model_validate_json((home / DOCTOR_FILE).read_bytes())
    except (OSError, ValidationError):
        return None
