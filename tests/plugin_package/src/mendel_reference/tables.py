"""The reference domain's own tables: one made from events, one of telemetry."""

from __future__ import annotations

from collections.abc import Iterable

from mendel.contracts.events.candidate import FitnessScored
from mendel.contracts.events.envelope import Event
from mendel.ports.domain_tables import Column, DomainTables, Retention, RowChange, Table

CLOSENESS = Table(
    name="closeness",
    columns=(Column("candidate", "text"), Column("total", "real"), Column("scored", "integer", at_least=0)),
    key=("candidate",),
    unique=(("scored",),),
    indexes=(("total",),),
)
LOOKS = Table(
    name="looks",
    columns=(Column("at", "time"), Column("marker", "integer")),
    key=("at",),
    retention=Retention(by="at", rows=100),
    telemetry=True,
)


def fold(event: Event) -> Iterable[RowChange]:
    """How close each candidate is, and when that was found."""
    if isinstance(event.payload, FitnessScored):
        score = event.payload.score
        row = {"candidate": score.candidate_id, "total": score.total, "scored": event.sequence}
        yield RowChange("closeness", row)


TABLES = DomainTables(tables=(CLOSENESS, LOOKS), fold=fold)
