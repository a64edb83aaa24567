"""A run of texts as a run of programs is told: its events with that domain's data, so that one view serves both."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError

import mendel.domains.programs.models as programs
from mendel.bench.records import Audited, Checked, ObjectiveName, SizeEvidence, SourceTraits
from mendel.contracts.base import Contract
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.operation import OperationCompleted
from mendel.contracts.events.run import RunConfigured
from mendel.contracts.payloads import DomainPayload
from mendel.domains.texts.models import DOMAIN, KINDS, TextAudited, TextExamined, TextTask
from mendel.projections.programs.models import ProgramsView

_ENTRY: Final = "command:run"
_SIZE: Final = 1
"""A seed has no size; a table of sizes then has one row."""


def as_program(event: Event) -> Event:
    """The event with data of programs in place of that of texts; any other event is itself."""
    match event.payload:
        case RunConfigured(config=config) if (found := _told(config.domain_config)) is not None:
            config = config.model_copy(update={"domain": programs.DOMAIN, "domain_config": found})
            return event.model_copy(update={"payload": event.payload.model_copy(update={"config": config})})
        case GenomeSpawned(genome=genome) if (found := _told(genome.traits)) is not None:
            genome = genome.model_copy(update={"traits": found})
            return event.model_copy(update={"payload": event.payload.model_copy(update={"genome": genome})})
        case OperationCompleted(findings=findings) if (found := _told(findings)) is not None:
            return event.model_copy(update={"payload": event.payload.model_copy(update={"findings": found})})
    return event


def scored_view(view: ProgramsView) -> ProgramsView:
    """The view where scores were compared and answers were not: it claims nothing about the same answers."""
    if view.task is None or "score" not in view.task.objectives:
        return view
    task = view.task.model_copy(update={"same_answers": False})
    if view.winner is None:
        return view.model_copy(update={"task": task})
    verdict = view.winner.verdict
    kept = tuple(each for each in verdict.intervals if each.name != "mismatch_rate")
    winner = view.winner.model_copy(update={"verdict": verdict.model_copy(update={"intervals": kept})})
    return view.model_copy(update={"task": task, "winner": winner})


def _told(payload: DomainPayload | None) -> DomainPayload | None:
    if payload is None or payload.domain != DOMAIN or payload.kind not in KINDS:
        return None
    try:
        model = KINDS[payload.kind].model_validate(payload.data)
    except ValidationError:
        return None
    told = _as_program(model)
    return programs.payload(told) if told is not None else None


def _as_program(model: Contract) -> Contract | None:
    match model:
        case TextTask():
            return _task(model)
        case SourceTraits(files=files, operator=operator, note=note, repairs=repairs):
            return programs.ProgramTraits(files=files, operator=operator, note=note, repairs=repairs)
        case TextExamined():
            return _checked(model)
        case TextAudited():
            return _audited(model)
    return None


def _task(task: TextTask) -> programs.ProgramTask:
    return programs.ProgramTask(
        path=task.path,
        files=task.files,
        paths=task.paths,
        main=task.editable[0],
        entry=_ENTRY,
        function=task.editable[0].rpartition("/")[2],
        roots=dict.fromkeys(task.editable, ()),
        objectives={task.objective: 1.0},
        inputs={},
        seen_sizes=(_SIZE,),
        timing_size=_SIZE,
        held_sizes=(_SIZE,),
        contends=task.contends,
    )


def _checked(found: TextExamined) -> Checked:
    return Checked(
        passed=found.passed,
        stage=found.stage,
        detail=found.detail,
        cases=found.cases,
        right=found.right,
        cpu_ms=found.cpu_ms,
        peak_memory_bytes=found.peak_memory_bytes,
        gains={found.objective: found.gain} if found.gain is not None else {},
    )


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
    gains: dict[ObjectiveName, float] = {"score": found.gain} if found.gain is not None else {}
    return Audited(agrees=found.agrees, cases=found.cases, detail=found.detail, sizes=sizes, gains=gains)
