"""The rows of programs in a report."""

from __future__ import annotations

from typing import Final

from mendel.contracts.base import Contract
from mendel.domains.programs.models import DOMAIN, KINDS, ProgramTask
from mendel.projections.report.models import Row, Rows, TaskRow, TaskView, Words
from mendel.projections.report.source_rows import factors_of, source_row

_WORDS: Final = Words(
    twin="the same program as ",
    duplicate="the same program as another",
    fell={
        "region": "changed what it must not",
        "policy": "does what the policy forbids",
        "load": "does not load",
        "small": "another answer on small inputs",
        "differential": "another answer than the original",
        "property": "breaks a property",
        "relation": "breaks a relation",
        "flaky": "answers differently when called again",
        "resources": "ran out of time or memory",
        "meddles": "changes its arguments, or returns them",
        "tests": "fails the project's tests",
        "invalid": "not well-formed",
    },
)


def _row(model: Contract) -> Row | None:
    return _task(model) if isinstance(model, ProgramTask) else source_row(model)


def _task(task: ProgramTask) -> TaskRow:
    view = TaskView(
        path=task.path,
        main=task.main,
        function=task.function,
        objectives={str(name): weight for name, weight in task.objectives.items()},
        seen_sizes=task.seen_sizes,
        timing_size=task.timing_size,
        held_sizes=task.held_sizes,
        contends=task.contends,
        asks_models=task.asks_models,
        one_call=task.inputs is not None and not task.inputs.get("parameters"),
        factors=factors_of(task.objectives),
    )
    original = {path: task.files[path] for path in task.editable if path in task.files}
    paths = {path: task.paths.get(path, task.path) for path in task.editable}
    return TaskRow(view=view, original=original, paths=paths, words=_WORDS)


ROWS: Final = Rows(DOMAIN, KINDS, _row)
