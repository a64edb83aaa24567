"""What the bench records of source, as rows of a report; every domain that stands on the bench puts these in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from mendel.bench.records import Audited, Examined, SourceTraits, Timed
from mendel.contracts.base import Contract
from mendel.projections.report.models import AuditRow, EvidenceRow, ExaminationRow, Row, TimingRow, TraitsRow

_FACTORS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "speed": ("faster", "as fast as"),
        "memory": ("less memory", "as sparing with memory as"),
        "size": ("smaller", "as small as"),
        "opcodes": ("fewer opcodes", "as sparing with opcodes as"),
    }
)
"""The objectives that are measured in powers of two over the original; a score is a number of its own."""


def factors_of(objectives: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Those of a task's objectives whose gains are factors, with their words."""
    return {name: _FACTORS[name] for name in objectives if name in _FACTORS}


def source_row(model: Contract) -> Row | None:
    """The row of a record; None of one that no report tells."""
    match model:
        case SourceTraits():
            return TraitsRow(files=model.files, operator=model.operator, note=model.note)
        case Examined():
            return ExaminationRow(cases=model.cases, right=model.right)
        case Timed():
            return TimingRow()
        case Audited():
            sizes = tuple(EvidenceRow.model_validate(each.model_dump()) for each in model.sizes)
            return AuditRow(
                agrees=model.agrees,
                cases=model.cases,
                detail=model.detail,
                sizes=sizes,
                gains={str(name): gain for name, gain in model.gains.items()},
            )
    return None
