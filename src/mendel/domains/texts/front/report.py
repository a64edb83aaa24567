"""The rows that texts put into a report."""

from __future__ import annotations

from typing import Final

from mendel.bench.records import Audited, Examined, SizeEvidence, SourceTraits
from mendel.contracts.base import Contract
from mendel.domains.texts.models import DOMAIN, KINDS, TextAudited, TextTask
from mendel.projections.report.models import TaskRow, TaskView, Words
from mendel.projections.report.rows import Row, Rows

_SIZE: Final = 1
"""A seed has no size; a table of sizes then has one row."""
_WORDS: Final = Words(
    twin="the same text as ",
    duplicate="the same text as another",
    fell={
        "region": "changed what it must not",
        "differential": "prints something else than the original, or fails",
        "property": "what it prints has no score",
        "flaky": "prints differently when run again",
        "resources": "ran out of time or memory",
        "invalid": "not well-formed",
    },
)


def _row(model: Contract) -> Row | None:
    match model:
        case TextTask():
            return _task(model)
        case SourceTraits() | Examined():
            return model
        case TextAudited():
            return _audited(model)
    return None


def _task(task: TextTask) -> TaskRow:
    """One call, of which scores say nothing about the same answers."""
    main = task.editable[0]
    view = TaskView(
        path=task.path,
        main=main,
        function=main.rpartition("/")[2],
        objectives={task.objective: 1.0},
        seen_sizes=(_SIZE,),
        timing_size=_SIZE,
        held_sizes=(_SIZE,),
        contends=task.contends,
        asks_models=task.asks_models,
        one_call=True,
        same_answers=task.objective != "score",
    )
    paths = {path: task.paths.get(path, task.path) for path in task.editable}
    return TaskRow(view=view, original=task.originals(), paths=paths, words=_WORDS)


def _audited(found: TextAudited) -> Audited:
    sizes: tuple[SizeEvidence, ...] = ()
    if found.speedup is not None and found.lower is not None and found.upper is not None:
        evidence = SizeEvidence(
            size=_SIZE,
            speedup=found.speedup,
            lower=found.lower,
            upper=found.upper,
            original_ms=found.original_ms,
            samples=found.samples,
        )
        sizes = (evidence,)
    return Audited(
        agrees=found.agrees,
        cases=found.cases,
        detail=found.detail,
        sizes=sizes,
        gains={"score": found.gain} if found.gain is not None else {},
    )


ROWS: Final = Rows(DOMAIN, KINDS, _row)
