"""What the reference domain puts into the report of its runs."""

from __future__ import annotations

from pydantic import BaseModel

from mendel.projections.report.models import (
    AuditRow,
    EvidenceRow,
    ExaminationRow,
    Row,
    Rows,
    TaskRow,
    TaskView,
    TraitsRow,
    Words,
)
from mendel_reference.models import DOMAIN, PAYLOADS, Distance, Point, Proof, Setting

FILE = "point.txt"
WORDS = Words(
    twin="the same point as ", duplicate="the same point as another", fell={"not_measured": "was not measured"}
)


def row(model: BaseModel) -> Row | None:
    """A point is a text of one number a line; the one at the origin is what all are compared with."""
    match model:
        case Setting():
            view = TaskView(
                path="point",
                objectives={"closeness": 1.0},
                contends=model.challenge,
                same_answers=False,
                factors={"distance": ("closer", "as close as")},
            )
            return TaskRow(view=view, words=WORDS, original=_text(Point(values=(0.0,) * len(model.target))))
        case Point():
            return TraitsRow(files=_text(model))
        case Distance():
            return ExaminationRow()
        case Proof():
            evidence = EvidenceRow(
                objective="distance", speedup=model.times, lower=0.99 * model.times, upper=1.01 * model.times
            )
            return AuditRow(agrees=True, cases=1, sizes=(evidence,))
    return None


def _text(point: Point) -> dict[str, str]:
    return {FILE: "".join(f"{value:.3f}\n" for value in point.values)}


ROWS = Rows(DOMAIN, {kind: model for (kind, _), model in PAYLOADS.items()}, row)
