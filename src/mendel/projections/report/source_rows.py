"""The bench's records about source code as rows of a report, for every domain built on the bench."""

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
        "memory": ("less memory", "as memory-efficient as"),
        "size": ("smaller", "as small as"),
        "opcodes": ("fewer opcodes", "as economical in opcodes as"),
    }
)
"""The objectives measured in powers of two over the original, with their words; a score is a plain number."""


def factors_of(objectives: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return those of ``objectives`` with gains that are factors, with their words."""
    return {name: _FACTORS[name] for name in objectives if name in _FACTORS}


def source_row(model: Contract) -> Row | None:
    """Return the row of a record; None for a record that no report shows."""
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
