"""The report of a run as one self-contained page: no script, no external style sheet or font.

Texts of candidates and their notes are untrusted. As on the gate's page, three measures keep them plain text:
characters that hide or reorder others are spelled out, everything is escaped, and the page's own policy forbids it to
run or load anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from mendel.contracts.verdicts import Interval
from mendel.guard.page import DECIDED, NONE, clip, confidence, is_long, number, opening, percent, seconds, visible
from mendel.projections.report.claims import (
    INTERVAL,
    REFUSED_BY,
    adopting,
    between,
    bound_on_differing,
    claim,
    counted,
    factor_words,
    failures,
    front_name,
    gain_in,
    gained,
    largest,
    left_out_models,
    niche_outcome,
    rival,
    spent,
    subject,
    times,
    winner_claim,
)
from mendel.projections.report.drawing import DrawnSizes, draw_curve, draw_front, draw_sizes, factor_label
from mendel.projections.report.models import Counts, Files, LineageStep, NicheRow, ReportView, TaskView, Winner, Words
from mendel.projections.report.patch import unified_patches
from mendel.projections.report.population import factor

if TYPE_CHECKING:
    from jinja2 import Environment, Template

STYLE_GOES_HERE: Final = "/* the style of the gate's page */"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a patch; ``kind`` is one of the page's own CSS classes."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A labelled count, with its share of the largest one as a width in percent."""

    label: str
    code: str
    count: int
    width: float


@dataclass(frozen=True, slots=True)
class Measured:
    """The words and columns of the evidence section; a column that is False is left out."""

    title: str
    words: str
    clock: bool
    original: bool
    samples: bool


@dataclass(frozen=True, slots=True)
class Part:
    """The sections about one niche's winner, or about the best rejected candidate if there is no winner.

    ``suffix`` makes the ids of its sections unique, ``niche`` is its name if there are several niches.
    """

    suffix: str
    niche: str | None
    title: str
    sentence: str
    winner: Winner | None
    rival: str
    spent: float
    diff: list[DiffLine]
    shown: Files
    sizes: DrawnSizes | None
    measured: Measured | None
    bound: Interval | None
    lineage: tuple[LineageStep, ...]


def _parts(view: ReportView) -> list[Part]:
    rows, several = adopting(view), len(view.niches) > 1
    if not rows:
        shown = view.rejected.files if view.rejected is not None else {}
        diff = list(diff_lines(unified_patches(view.original, shown)))
        return [Part("", None, "", "", None, "", 0.0, diff, shown, None, None, None, ())]
    return [
        _part(row, winner, view, place if several else None)
        for place, row in enumerate(rows, 1)
        if (winner := row.winner) is not None
    ]


def _part(row: NicheRow, winner: Winner, view: ReportView, place: int | None) -> Part:
    said = winner_claim(winner, view)
    return Part(
        suffix="" if place is None else f"-{place}",
        niche=None if place is None else row.niche,
        title=said.title,
        sentence=said.sentence,
        winner=winner,
        rival=rival(winner, view),
        spent=row.spent,
        diff=list(diff_lines(unified_patches(row.original, winner.files))),
        shown=winner.files,
        sizes=draw_sizes(winner.sizes),
        measured=_measured(winner, view),
        bound=bound_on_differing(winner.verdict),
        lineage=row.lineage,
    )


def _decision(view: ReportView) -> str:
    """Return in a few words whether and where something was adopted."""
    rows = adopting(view)
    if not rows:
        return "nothing adopted"
    pending = any(each.winner is not None and each.winner.state != "confirmed" for each in rows)
    where = f" in {number(len(rows))} of {counted(len(view.niches), 'niche')}" if len(view.niches) > 1 else ""
    return f"adopted{where}{', audit pending' if pending else ''}"


def page(view: ReportView, best_of_n: ReportView | None = None) -> str:
    """Return a run's report as HTML, with a comparison with plain best-of-N if there was such a run."""
    return _template().render(
        view=view,
        other=best_of_n,
        claim=claim(view),
        name=subject(view),
        other_claim=claim(best_of_n) if best_of_n is not None else None,
        winner=view.winner,
        rejected=view.rejected,
        parts=_parts(view),
        decision=_decision(view),
        curve=draw_curve(view.curve, best_of_n.curve if best_of_n is not None else (), partial(_tick, task=view.task)),
        front=draw_front(view.front, view.task),
        fell=bars(view.counts, view.words),
        failed=failures(view),
        without_models=best_of_n is not None and left_out_models(view, best_of_n),
        comparison=comparison(view, best_of_n) if best_of_n is not None else [],
        gained=partial(gained, task=view.task),
        gain_in=partial(gain_in, task=view.task),
        command=f"mendel replay {view.run_id}",
    )


def _measured(winner: Winner, view: ReportView) -> Measured | None:
    at = largest(winner)
    if at is None:
        return None
    clock = at.objective == "speed"
    return Measured(
        title="Speed-up" if clock else at.objective.capitalize(),
        words=factor_words(at.objective, view.task)[1],
        clock=clock,
        original=any(each.original_ms is not None for each in winner.sizes),
        samples=any(each.samples for each in winner.sizes),
    )


def _tick(total: float, task: TaskView | None) -> str:
    return factor_label(factor(total)) if task is not None and task.in_factors else number(total)


def diff_lines(patch: str) -> Iterator[DiffLine]:
    """Yield a patch line by line. Headers are recognised by position: changed lines may start like a header."""
    inside = False
    for line in patch.split("\n")[:-1]:
        if line.startswith("diff "):
            inside = False
        elif line.startswith("@@"):
            inside = True
            yield DiffLine("hunk", line)
        elif inside:
            yield DiffLine({"+": "add", "-": "del", "\\": "hunk"}.get(line[:1], "same"), line.removesuffix("\r"))
        elif line.startswith("+++ "):
            yield DiffLine("file", line.removeprefix("+++ ").rstrip("\t").removeprefix("b/"))


def bars(counts: Counts, words: Words | None) -> list[Bar]:
    """Return the number of candidates by how they ended, in the domain's words."""
    known = words.fell if words is not None else {}
    told = [(words.duplicate if words is not None else "the same as another", "duplicate", counts.duplicates)]
    told += [(known.get(code, code.replace("_", " ")), code, count) for code, count in counts.fell.items()]
    told += [("scored", "scored", counts.scored)]
    most = max((count for _, _, count in told), default=0) or 1
    return [Bar(label, code, count, 100.0 * count / most) for label, code, count in told if count]


def comparison(view: ReportView, other: ReportView) -> list[tuple[str, str, str]]:
    """Return the rows of a table that compares both runs."""
    pair = (view, other)
    rows = {
        "Adopted": [_adopted(each) for each in pair],
        _where(view): [_at_largest(each.winner) for each in pair],
        "Best in the search": [gained(each.best, each.task) for each in pair],
        "Births": [number(each.counts.births) for each in pair],
        "Candidates examined": [number(each.cost.examined) for each in pair],
        "Evaluations": [number(each.cost.evaluations) for each in pair],
        "Scored": [number(each.counts.scored) for each in pair],
        "Work": [spent(each) for each in pair],
        "Wall clock": [seconds(each.cost.wall_seconds) for each in pair],
    }
    return [(name, mine, theirs) for name, (mine, theirs) in rows.items()]


def _adopted(view: ReportView) -> str:
    if view.task is not None and not view.task.contends:
        return "not put before the gate"
    return "yes" if view.winner is not None else "no"


def _where(view: ReportView) -> str:
    sized = view.task is not None and view.task.held_sizes
    return "At the largest held-out size" if sized else "In the audit"


def _at_largest(winner: Winner | None) -> str:
    at = largest(winner) if winner is not None else None
    return f"{times(at.speedup)} ({between(at.lower, at.upper)})" if at is not None else NONE


# --- the template -------------------------------------------------------------------------------------------


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined  # slow to import, and most commands make no page

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_finalized
    )
    _furnish(environment)
    text = files("mendel.projections.report").joinpath("report.html.j2").read_text(encoding="utf-8")
    return environment.from_string(text.replace(STYLE_GOES_HERE, _gate_style()))


def _furnish(environment: Environment) -> None:
    environment.filters |= {
        "across": lambda share: f"{share:.2f}%",
        "clip": clip,
        "confidence": confidence,
        "decided": lambda decision: {name.value: told for name, told in DECIDED.items()}.get(decision, "Failed"),
        "is_long": is_long,
        "number": number,
        "opening": opening,
        "percent": percent,
        "pixels": lambda place: f"{place:.1f}",
        "diff": lambda patch: list(diff_lines(patch)),
        "seconds": seconds,
        "spent": spent,
        "times": times,
        "between": lambda pair: between(*pair),
    }
    environment.globals |= {
        "INTERVAL": INTERVAL,
        "NONE": NONE,
        "REFUSED_BY": REFUSED_BY,
        "counted": counted,
        "front_name": front_name,
        "niche_outcome": niche_outcome,
    }


def _gate_style() -> str:
    """Return the style sheet of the gate's page, which this page shares."""
    page_of_the_gate = files("mendel.guard").joinpath("page.html.j2").read_text(encoding="utf-8")
    return page_of_the_gate.partition("<style>")[2].partition("</style>")[0]


def _finalized(value: object) -> object:
    """Convert the value of a template expression before it is escaped; only the template's own markup is kept."""
    if value is None:
        return NONE
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
