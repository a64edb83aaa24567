"""Read-only access to the reports of the gate that `mendel guard` keeps in the home folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from mendel.contracts.base import JsonObject

NAME: Final = re.compile(r"report_[0-9]{8}T[0-9]{6}\.[0-9]{6}Z")
_LARGEST: Final = 64 << 20  # larger files are not read into memory


class KeptReport(NamedTuple):
    """A stored report, and the time when it was written."""

    name: str
    at: datetime
    data: JsonObject


class KeptReports:
    """The reports in one folder, which may be missing; unreadable reports are left out."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, KeptReport] = {}

    def names(self) -> list[str]:
        """Return the names of reports, newest first."""
        if self._folder is None or not self._folder.is_dir():
            return []
        found = (path.stem for path in self._folder.glob("report_*.json"))
        return sorted((name for name in found if NAME.fullmatch(name)), reverse=True)

    def all(self) -> Iterator[KeptReport]:
        """Yield all readable reports, newest first."""
        for name in self.names():
            report = self.one(name)
            if report is not None:
                yield report

    def one(self, name: str) -> KeptReport | None:
        """Return a report by name, or None if it is missing or unreadable."""
        if self._folder is None or not NAME.fullmatch(name):
            return None
        if name not in self._known:
            report = _read(self._folder / f"{name}.json", name)
            if report is None:
                return None
            self._known[name] = report  # reports never change
        return self._known[name]


def _read(path: Path, name: str) -> KeptReport | None:
    try:
        data = orjson.loads(path.read_bytes()) if path.stat().st_size <= _LARGEST else None
    except (OSError, orjson.JSONDecodeError):
        return None
    at = datetime.strptime(name, "report_%Y%m%dT%H%M%S.%fZ").replace(tzinfo=UTC)
    return KeptReport(name, at, data) if isinstance(data, dict) else None
