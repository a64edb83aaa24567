"""A run as one page that needs nothing else: no script, no style sheet, no font from anywhere.

What candidates and their notes say is hostile text, and the same three walls keep it text as on the gate's page:
characters that hide or reorder others are spelled out, everything is escaped, and the page forbids itself to run or to
load anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from mendel.guard.page import DECIDED, NONE, clip, confidence, is_long, number, opening, percent, seconds, visible
from mendel.projections.report.claims import (
    INTERVAL,
    REFUSED_BY,
    between,
    bound_on_differing,
    claim,
    counted,
    factor_words,
    failed_births,
    front_name,
    gain_in,
    gained,
    largest,
    left_out_models,
    niche_outcome,
    spent,
    subject,
    times,
)
from mendel.projections.report.drawing import draw_curve, draw_front, draw_sizes, factor_label
from mendel.projections.report.models import Counts, ReportView, TaskView, Winner, Words
from mendel.projections.report.patch import unified_patches
from mendel.projections.report.population import factor

if TYPE_CHECKING:
    from jinja2 import Environment, Template

STYLE_GOES_HERE: Final = "/* the style of the gate's page */"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a patch; ``kind`` is a class of the page's own."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """How many, and what share of the largest that is."""

    label: str
    code: str
    count: int
    width: float


def page(view: ReportView, best_of_n: ReportView | None = None) -> str:
    """The report of a run; beside it what plain best-of-N found, where that was tried."""
    winner, rejected = view.winner, view.rejected
    shown = winner.files if winner is not None else rejected.files if rejected is not None else {}
    return _template().render(
        view=view,
        other=best_of_n,
        claim=claim(view),
        name=subject(view),
        other_claim=claim(best_of_n) if best_of_n is not None else None,
        winner=winner,
        rejected=rejected,
        diff=list(diff_lines(unified_patches(view.original, shown))),
        shown=shown,
        sizes=draw_sizes(winner.sizes) if winner is not None else None,
        measured=_measured(view),
        curve=draw_curve(view.curve, best_of_n.curve if best_of_n is not None else (), partial(_tick, task=view.task)),
        front=draw_front(view.front, view.task),
        bound=bound_on_differing(winner.verdict) if winner is not None else None,
        fell=bars(view.counts, view.words),
        failed=failed_births(view.counts),
        without_models=best_of_n is not None and left_out_models(view, best_of_n),
        comparison=comparison(view, best_of_n) if best_of_n is not None else [],
        spent=sum(each.alpha for each in view.challenges),
        gained=partial(gained, task=view.task),
        gain_in=partial(gain_in, task=view.task),
        command=f"mendel replay {view.run_id}",
    )


@dataclass(frozen=True, slots=True)
class Measured:
    """What the evidence is about, as its section says it; what it leaves out is not drawn."""

    title: str
    words: str
    clock: bool
    original: bool
    samples: bool


def _measured(view: ReportView) -> Measured | None:
    at = largest(view.winner) if view.winner is not None else None
    if view.winner is None or at is None:
        return None
    clock = at.objective == "speed"
    return Measured(
        title="Speed-up" if clock else at.objective.capitalize(),
        words=factor_words(at.objective, view.task)[1],
        clock=clock,
        original=any(each.original_ms is not None for each in view.winner.sizes),
        samples=any(each.samples for each in view.winner.sizes),
    )


def _tick(total: float, task: TaskView | None) -> str:
    return factor_label(factor(total)) if task is not None and task.in_factors else number(total)


def diff_lines(patch: str) -> Iterator[DiffLine]:
    """A patch line by line. Headers are told from changes by where they stand, not by how they begin."""
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
    """Where candidates ended, in the domain's words."""
    known = words.fell if words is not None else {}
    told = [(words.duplicate if words is not None else "the same as another", "duplicate", counts.duplicates)]
    told += [(known.get(code, code.replace("_", " ")), code, count) for code, count in counts.fell.items()]
    told += [("scored", "scored", counts.scored)]
    most = max((count for _, _, count in told), default=0) or 1
    return [Bar(label, code, count, 100.0 * count / most) for label, code, count in told if count]


def comparison(view: ReportView, other: ReportView) -> list[tuple[str, str, str]]:
    """Both runs figure by figure."""
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
    from jinja2 import Environment, StrictUndefined  # most runs of the command line make no page

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
    """The gate's page and this one look alike because they share one style sheet."""
    page_of_the_gate = files("mendel.guard").joinpath("page.html.j2").read_text(encoding="utf-8")
    return page_of_the_gate.partition("<style>")[2].partition("</style>")[0]


def _finalized(value: object) -> object:
    """What every expression of the template goes through before it is escaped; markup is the template's own."""
    if value is None:
        return NONE
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
