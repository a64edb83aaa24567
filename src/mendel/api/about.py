"""What can be said of this installation: settings, routes to models, probes, plug-ins. Wiring and the CLI fill it in.

Nothing here ever holds a key: what is shown was made fit to be shown to anybody before it comes here (rule 4).
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
"""With less room than that the log may stop any moment."""


class ShownSetting(NamedTuple):
    """One setting, as it may be shown."""

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
    """Of one server; ``home`` is where it keeps what is no part of a log."""

    home: Path | None = None
    settings: Callable[[], Sequence[ShownSetting]] = _no_settings
    model_routes: Callable[[], JsonObject] = _no_routes
    probe: Callable[[], Sequence[Probe]] = _no_probes

    def free_bytes(self) -> int | None:
        """How much room there is where the log is kept; None where nobody knows."""
        try:
            return shutil.disk_usage(self.home).free if self.home is not None and self.home.is_dir() else None
        except OSError:
            return None


class Probed(BaseModel):
    """What a look at this machine found, and when."""

    at: datetime
    probes: tuple[Probe, ...]


def record_probes(home: Path, probes: Sequence[Probe], at: datetime) -> Probed:
    """Keep what was found; a home that is not there is not made.

    Raises:
        StorageError: it cannot be written.
    """
    found = Probed(at=at, probes=tuple(probes))
    if not home.is_dir():
        return found
    part = home / f"{DOCTOR_FILE}.part"
    try:
        part.write_bytes(orjson.dumps(found.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
        part.replace(home / DOCTOR_FILE)
    except OSError as error:
        raise StorageError(f"{home / DOCTOR_FILE} cannot be written: {error.strerror}") from error
    return found


def recorded_probes(home: Path | None) -> Probed | None:
    """What was found last, if anybody looked."""
    if home is None:
        return None
    try:
        return Probed.model_validate_json((home / DOCTOR_FILE).read_bytes())
    except (OSError, ValidationError):
        return None
