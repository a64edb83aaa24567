"""Text output of `mendel guard`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from rich.table import Table

from mendel.console.session import Session, shown
from mendel.contracts.verdicts import Decision, Interval, Violation
from mendel.guard.gate import Comparison
from mendel.guard.replaying import Replayed
from mendel.guard.report import Report
from mendel.guard.spec import TaskSpec

STYLES: Final = {Decision.ADOPT: "bold green", Decision.REJECT: "bold red", Decision.UNDECIDED: "bold yellow"}


def print_report(session: Session, report: Report) -> None:
    """Print the decision, its reasons, and the evidence for and against it."""
    verdict = report.verdict
    session.out.print(
        f"[{STYLES[report.decision]}]{report.decision.upper()}[/]  {shown(report.task)}, {verdict.mode} mode,"
        f" {shown(verdict.policy)}, {verdict.n} cases",
        soft_wrap=True,
    )
    for reason in verdict.reasons:
        session.out.print(f"  [bold]{reason.code}[/]: {shown(reason.message)}", soft_wrap=True)
    if verdict.n_to_decide is not None:
        session.out.print(f"  about {verdict.n_to_decide:,} cases would decide: --n {verdict.n_to_decide}")
    moved = [each.delta for each in verdict.metrics.values() if each.baseline != each.candidate]
    if verdict.intervals or moved:
        session.out.print(_intervals([*verdict.intervals, *moved]))
    for place, violation in enumerate(verdict.violations):
        _print_violation(session, place, violation)
    for warning in verdict.warnings:
        session.out.print(f"[yellow]warning[/] {warning.code}: {shown(warning.message)}", soft_wrap=True)
    walls = verdict.provenance.sandbox
    session.announce(f"sandbox {walls.tier}, candidate {verdict.provenance.candidate_hash[:12]}")


def _intervals(intervals: Sequence[Interval]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2))
    for column in ("", "estimate", "lower", "upper", "alpha a side", "method"):
        table.add_column(column, justify="left" if column in ("", "method") else "right", no_wrap=True)
    for each in {drawn.name: drawn for drawn in intervals}.values():  # the last one of each name
        bounds = ("…" if bound is None else f"{bound:.4g}" for bound in (each.lower, each.upper))
        table.add_row(shown(each.name), f"{each.estimate:.4g}", *bounds, f"{each.alpha:.3g}", shown(each.method))
    return table


def _print_violation(session: Session, place: int, violation: Violation) -> None:
    small = "minimal" if violation.shrunk else "as found"
    about = "" if violation.side == "candidate" else " by the baseline"
    session.out.print(
        f"[red]{violation.kind}[/]{about} {shown(violation.name)} ({small}, case {violation.case}, no. {place})",
        soft_wrap=True,
    )
    for label, text in (("input", violation.input), ("expected", violation.expected), ("got", violation.got)):
        if text:
            session.out.print(f"    [dim]{label:9}[/]{shown(text)[:600]}", soft_wrap=True)


def print_comparison(session: Session, comparison: Comparison, names: Sequence[str]) -> None:
    """Print one row per candidate."""
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2))
    for column in ("candidate", "decision", "code", "why"):
        table.add_column(column)
    for name, report in zip(names, comparison.reports, strict=True):
        style = STYLES[report.decision]
        table.add_row(shown(name), f"[{style}]{report.decision}[/]", report.code, shown(report.reason[:300]))
    session.out.print(table)
    session.announce(f"{len(comparison.adopted)} of {len(names)} adopted; Holm correction over all candidates")


def print_replayed(session: Session, seen: Sequence[Replayed]) -> None:
    """Print the present outcome of each replayed violation."""
    for place, each in enumerate(seen):
        word = "[red]holds[/]" if each.holds else "[yellow]fails differently[/]" if each.now else "[green]passes now[/]"
        session.out.print(f"{word} {each.recorded.kind} {shown(each.recorded.name)}", soft_wrap=True)
        _print_violation(session, place, each.now or each.recorded)


def print_tasks(session: Session, specs: Sequence[TaskSpec], *, as_json: bool) -> None:
    """Print one row per task."""
    if as_json:
        session.answer([_task_json(spec, {}) for spec in specs])
        return
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2))
    for column in ("task", "properties", "relations", "metrics"):
        table.add_column(column)
    for spec in specs:
        table.add_row(
            spec.name, str(len(spec.properties)), str(len(spec.relations)), ", ".join(m.name for m in spec.metrics)
        )
    session.out.print(table)
    session.announce("`mendel guard tasks NAME` shows one, with programs to try it on")


def print_task(session: Session, spec: TaskSpec, files: Mapping[str, Path], *, as_json: bool) -> None:
    """Print one task in full."""
    if as_json:
        session.answer(_task_json(spec, files))
        return
    session.out.print(f"[bold]{shown(spec.name)}[/]")
    for rule in spec.properties:
        session.out.print(f"  {rule.mode} property: {shown(rule.description)}")
    for relation in spec.relations:
        session.out.print(
            f"  relation {shown(relation.name)}: {shown(relation.description or relation.category or '')}"
        )
    for metric in spec.metrics:
        session.out.print(f"  metric {shown(metric.name)} ({metric.kind})")
    for label, path in files.items():
        session.out.print(f"  program [bold]{shown(label)}[/]: {shown(path)}", soft_wrap=True)


def _task_json(spec: TaskSpec, files: Mapping[str, Path]) -> dict[str, object]:
    return {
        "name": spec.name,
        "properties": [{"description": rule.description, "mode": rule.mode} for rule in spec.properties],
        "relations": [
            {"name": each.name, "category": each.category, "description": each.description} for each in spec.relations
        ],
        "metrics": [{"name": metric.name, "kind": metric.kind} for metric in spec.metrics],
        "programs": {label: str(path) for label, path in files.items()},
    }
