"""What a domain puts into the report of its runs: its words, and its data as rows that every report has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from mendel.contracts.payloads import DomainPayload
from mendel.projections.report.models import AuditRow, ExaminationRow, TaskRow, TimingRow, TraitsRow

Row = TaskRow | TraitsRow | ExaminationRow | TimingRow | AuditRow
"""What was to be improved, what was bred, and what an examination, timing or an audit found of it."""


@dataclass(frozen=True)
class Rows:
    """A domain's part. ``kinds`` are what it registered, and ``row`` tells one of them; what is none has no row."""

    domain: str
    kinds: Mapping[str, type[BaseModel]]
    row: Callable[[Any], Row | None]

    def of(self, payload: DomainPayload | None) -> Row | None:
        """The row of a payload; None if it is another domain's, another kind, or of a shape unknown here."""
        if payload is None or payload.domain != self.domain or payload.kind not in self.kinds:
            return None
        try:
            return self.row(self.kinds[payload.kind].model_validate(payload.data))
        except ValidationError:
            return None
