"""The rows of texts in a report."""

from __future__ import annotations

from typing import Final

from mendel.contracts.base import Contract
from mendel.domains.texts.models import DOMAIN, KINDS, TextTask
from mendel.projections.report.models import Row, Rows, TaskRow, TaskView, Words
from mendel.projections.report.source_rows import factors_of, source_row

_WORDS: Final = Words(
    twin="the same text as ",
    duplicate="the same text as another",
    fell={
        "region": "changed what it must not",
        "differential": "prints something else than the original, or fails",
        "property": "its output has no score",
        "flaky": "prints differently when run again",
        "resources": "ran out of time or memory",
        "invalid": "not well-formed",
    },
)


def _row(model: Contract) -> Row | None:
    return _task(model) if isinstance(model, TextTask) else source_row(model)


def _task(task: TextTask) -> TaskRow:
    """Return the task's row; with a score, answers are not compared for equality."""
    view = TaskView(
        path=task.path,
        main=task.editable[0],
        objectives={task.objective: 1.0},
        contends=task.contends,
        asks_models=task.asks_models,
        same_answers=task.objective != "score",
        factors=factors_of([task.objective]),
    )
    paths = {path: task.paths.get(path, task.path) for path in task.editable}
    return TaskRow(view=view, original=task.originals(), paths=paths, words=_WORDS)


ROWS: Final = Rows(DOMAIN, KINDS, _row)
