"""A report as one self-contained HTML page: no script, and no external style sheet or font.

Answers of programs are hostile text. Three measures keep them text: characters that hide or reorder others are spelled
out, everything is escaped, and the page's content security policy forbids scripts and loading.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import inf, isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from mendel.contracts.verdicts import Decision, Interval, MetricComparison, Verdict
from mendel.guard.drawing import Drawn, DrawnLooks, draw_interval, draw_looks, minus, thinned
from mendel.guard.policy import Band, Demand, Policy

if TYPE_CHECKING:
    from jinja2 import Template

Unit = Literal["rate", "difference", "number", "ratio"]
Json = Mapping[str, Any]

NONE: Final = "\N{EN DASH}"
TIMES: Final = "\N{MULTIPLICATION SIGN}"

LONG: Final = 320
"""Text with more characters than this is folded, as is text of many lines."""

MANY_LINES: Final = 10

DECIDED: Final[Mapping[Decision, str]] = MappingProxyType(
    {Decision.ADOPT: "Adopted", Decision.REJECT: "Rejected", Decision.UNDECIDED: "Undecided"}
)
METHODS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bayesian": "Bayesian posterior quantiles",
        "bca": "bias-corrected and accelerated bootstrap",
        "betting": "betting confidence sequence, valid at every look",
        "clopper_pearson": "Clopper-Pearson, exact for a binomial",
        "cluster": "bootstrap over clusters of cases",
        "exact": "exact for paired pass rates",
        "log_ratio": "Student's, on the logarithm of the ratio",
        "newcombe": "Newcombe's for paired pass rates",
        "permutation": "sign-flip permutation",
        "student": "Student's, on paired differences",
        "studentised": "studentised bootstrap",
        "tango": "Tango's score interval for paired pass rates",
        "tango_confirmed": "Tango's score interval, limited at the margin where an exact test does not agree",
        "wilson": "Wilson's score interval",
    }
)
MODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "exact": "answers are compared",
        "statistical": "pass rates are compared",
        "absolute": "the candidate's own pass rate",
    }
)


def page(report: dict[str, Any]) -> str:
    """Render the page of a report's JSON; all answers of programs are escaped."""
    verdict = Verdict.model_validate({name: report[name] for name in Verdict.model_fields})
    demand = Demand.read(verdict.policy, verdict.mode)
    return _template().render(
        report=report,
        verdict=verdict,
        decision=verdict.decision.value,
        decided=DECIDED[verdict.decision],
        mode=MODES[verdict.mode],
        demands=demands(verdict, demand, report["config"]),
        intervals=[shown_interval(place, verdict, demand) for place in range(len(verdict.intervals))],
        metrics={name: shown_metric(each) for name, each in verdict.metrics.items()},
        looks=shown_looks(verdict, demand),
        sides=sides(verdict.summaries),
    )


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined  # most evaluations make no page

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_finalized
    )
    environment.filters |= {
        "percent": percent,
        "number": number,
        "chance": chance,
        "seconds": seconds,
        "across": lambda share: f"{share:.2f}%",
        "pixels": lambda place: f"{place:.1f}",
        "is_long": is_long,
        "opening": opening,
        "pretty": pretty,
        "short": short,
        "clip": clip,
        "method": lambda name: METHODS.get(name, name),
    }
    return environment.from_string(files("mendel.guard").joinpath("page.html.j2").read_text(encoding="utf-8"))


# --- text ---------------------------------------------------------------------------------------------------

# Control, zero-width, bidirectional, tag and non-character code points, line separators, surrogates, lone returns.
_HIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]|\r(?!\n)"
)


def visible(text: str) -> str:
    """Spell out characters that would hide, reorder or break other characters."""
    return _HIDDEN.sub(lambda found: f"⟦U+{ord(found[0]):04X}⟧", text)


def _finalized(value: object) -> object:
    """Prepare the value of each template expression before escaping; markup made by the template stays as it is."""
    if value is None:
        return NONE
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def is_long(text: str) -> bool:
    """Return whether a text is long enough to be folded."""
    return len(text) > LONG or text.count("\n") >= MANY_LINES


def opening(text: str) -> str:
    """Return the beginning of folded text, on one line."""
    return " ".join(text[: LONG // 2].split())[:100]


def clip(text: str, most: int = 200) -> str:
    """Truncate a name for display; the report's JSON has it in full."""
    return text if len(text) <= most else f"{text[:most]}…"


def short(origin: str) -> str:
    """Shorten the path of an implementation to its last two parts."""
    folders = origin.split("/")
    return origin if len(folders) < 4 else "…/" + "/".join(folders[-2:])


def pretty(value: object) -> str:
    """Format any JSON value as text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# --- numbers ------------------------------------------------------------------------------------------------


def percent(share: float | None, *, signed: bool = False) -> str:
    """Format a share in percent, with enough digits that only 0 and 1 show as 0% and 100%, up to six digits."""
    if share is None or not isfinite(share):
        return NONE
    size, digits = abs(share), 2
    while digits < 6 and (0 < size < 0.5 * 10 ** -(digits + 2) or 0 < 1 - size < 0.5 * 10 ** -(digits + 2)):
        digits += 1
    return minus(f"{share:{'+' if signed and share else ''}.{digits}%}")


def number(value: float | None, *, signed: bool = False) -> str:
    """Format a number with four significant digits; whole numbers in full."""
    if value is None or not isfinite(value):
        return NONE
    sign = "+" if signed and value else ""
    if value == int(value) and abs(value) < 1e9:
        return minus(f"{int(value):{sign},}")
    return minus(f"{value:{sign},.0f}" if 1e4 <= abs(value) < 1e7 else f"{value:{sign}.4g}")


def chance(value: float | None) -> str:
    """Format a p-value; one below 0.0001 or above 0.999 is shown as such a limit only."""
    if value is None:
        return NONE
    return "< 0.0001" if value < 0.0001 else "> 0.999" if 0.999 < value < 1 else f"{value:.3g}"


def seconds(value: float) -> str:
    """Format a duration in a suitable unit."""
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if abs(value) >= size:
            return f"{number(value / size)} {unit}"
    return "0 s" if not value else f"{number(value / 1e-9)} ns"


def size_of(count: float) -> str:
    """Format a number of bytes in a suitable unit."""
    for size, unit in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{number(count)} B"


def told(value: float | None, unit: Unit) -> str:
    """Format a number in its unit; None is shown as unbounded."""
    if value is None:
        return "unbounded"
    match unit:
        case "rate":
            return percent(value)
        case "difference":
            return percent(value, signed=True)
        case "ratio":
            return f"{TIMES} {number(value)}"
        case "number":
            return number(value, signed=True)


# --- requirements -------------------------------------------------------------------------------------------


def demands(verdict: Verdict, demand: Demand, config: Json) -> list[str]:
    """Describe the policy in words."""
    policy = demand.policy
    if policy is None:
        return [f"The policy is {clip(verdict.policy, 300)}."]
    said = _main_demand(policy, verdict.mode)
    if verdict.mode == "statistical":
        if policy.min_pass_rate is not None:
            said.append(f"Its own pass rate must also reach {percent(policy.min_pass_rate)}.")
        said.append("It must not be shown to be worse in any relation or metric.")
    cap = config.get("violation_cap")
    if cap is not None and verdict.mode != "exact":
        said.append(f"At most {number(cap)} cases may have a hard violation.")
    return said


def _main_demand(policy: Policy, mode: str) -> list[str]:
    if mode == "absolute":
        return [f"Its pass rate must reach {percent(policy.required_rate)}."]
    if mode == "exact":
        allowed = percent(policy.mismatch_margin)
        same = (
            "Its answers must agree with the baseline's, on enough cases to rule out that the answers differ on more"
            f" than {allowed} of all inputs."
        )
        better = "It must be better in at least one metric, and worse in none."
        return [same, better] if policy.kind == "superiority" else [same]
    margin = percent(abs(policy.required_difference))
    match policy.kind:
        case "superiority":
            return [f"Its pass rate must be higher than the baseline's by more than {margin}."]
        case "equivalence":
            return [f"Its pass rate must lie within {margin} of the baseline's, on either side."]
        case _:
            return [f"Its pass rate must not be lower than the baseline's by {margin} or more."]


# --- results ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownInterval:
    """An interval with its drawing and its description."""

    title: str
    what: str
    method: str
    confidence: str
    drawn: Drawn
    estimate: str
    lower: str
    upper: str
    needed: str
    state: str
    outcome: str


_TITLES: Final[Mapping[str, tuple[str, str, Unit, float | None, tuple[float, float]]]] = MappingProxyType(
    {
        "mismatch_rate": (
            "Share of inputs answered differently",
            "how many differences could have been missed, although all cases agree",
            "rate",
            0.0,
            (0.0, 1.0),
        ),
        "pass_rate": (
            "Pass rate of the candidate",
            "share of cases without a hard violation",
            "rate",
            None,
            (0.0, 1.0),
        ),
        "pass_rate_difference": (
            "Difference of pass rates",
            "candidate minus baseline, over the same cases",
            "difference",
            0.0,
            (-1.0, 1.0),
        ),
    }
)


def shown_interval(place: int, verdict: Verdict, demand: Demand) -> ShownInterval:
    """Describe the interval at ``place``; in exact mode all but the first are deltas of metrics."""
    interval = verdict.intervals[place]
    compared = verdict.metrics.get(interval.name) if verdict.mode == "exact" and place else None
    if compared is not None:
        return _metric_interval(interval, compared)
    title, what, unit, origin, within = _TITLES.get(interval.name, (interval.name, "", "number", 0.0, (-inf, inf)))
    band = demand.band(interval.name)
    drawn = draw_interval(
        interval, band, origin=origin, rate=unit != "number", within=within, labels=_labels(band, unit)
    )
    state = band.state(interval.lower, interval.upper) if band.ends else ""
    return _shown(interval, drawn, unit, (title, what, _needed(band, unit), state, _OUTCOMES[state]))


_OUTCOMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "cleared": "Shown: the whole interval is inside the required range.",
        "missed": "Ruled out: the whole interval is outside the required range.",
        "open": "Open: the interval is partly inside and partly outside the required range.",
        "": "",
    }
)


def _labels(band: Band, unit: Unit) -> list[str]:
    if len(band.ends) > 1:
        return [told(end, unit) for end in band.ends]
    least = "at least" if band.closed else "above"
    return [f"{least if band.high is None else 'at most'} {told(end, unit)}" for end in band.ends]


def _needed(band: Band, unit: Unit) -> str:
    labels = _labels(band, unit)
    return f"between {labels[0]} and {labels[1]}" if len(labels) > 1 else "".join(labels)


def _metric_interval(interval: Interval, compared: MetricComparison) -> ShownInterval:
    unit: Unit = "ratio" if compared.kind == "ratio" else "number"
    metric = shown_metric(compared)
    what = "candidate over baseline" if unit == "ratio" else f"candidate minus baseline, of the {compared.kind}"
    needed = f"{'above' if compared.higher_is_better else 'below'} {told(metric.origin, unit).lstrip('+')}"
    state = {"better": "cleared", "worse": "missed"}.get(metric.state, "open")
    outcome = f"{metric.verdict}: corrected p-value of “no better”: {chance(compared.p_better)}."
    return _shown(interval, metric.drawn, unit, (f"Metric {interval.name}", what, needed, state, outcome))


def _shown(interval: Interval, drawn: Drawn, unit: Unit, words: tuple[str, str, str, str, str]) -> ShownInterval:
    title, what, needed, state, outcome = words
    return ShownInterval(
        title=title,
        what=what,
        method=interval.method,
        confidence=confidence(interval.alpha),
        drawn=drawn,
        estimate=told(interval.estimate, unit),
        lower=told(interval.lower, unit),
        upper=told(interval.upper, unit),
        needed=needed,
        state=state,
        outcome=outcome,
    )


def confidence(alpha: float) -> str:
    """Format the confidence of a one-sided bound."""
    return f"{100 * (1 - alpha):.6g}%"


@dataclass(frozen=True, slots=True)
class ShownMetric:
    """A metric's delta, with its drawing and its description."""

    drawn: Drawn
    origin: float
    baseline: str
    candidate: str
    delta: str
    bounds: str
    state: str
    verdict: str


def shown_metric(compared: MetricComparison) -> ShownMetric:
    """Describe a metric; better or worse follows from the corrected p-values, as in the gate."""
    ratio = compared.kind == "ratio"
    unit: Unit = "ratio" if ratio else "number"
    origin = 1.0 if ratio else 0.0
    band = Band(low=origin) if compared.higher_is_better else Band(high=origin)
    state, said = _compared(compared)
    delta = compared.delta
    return ShownMetric(
        drawn=draw_interval(delta, band, origin=origin),
        origin=origin,
        baseline=_level(compared, "baseline"),
        candidate=_level(compared, "candidate"),
        delta=told(delta.estimate, unit),
        bounds=f"{told(delta.lower, unit)} to {told(delta.upper, unit)}",
        state=state,
        verdict=said,
    )


def _compared(compared: MetricComparison) -> tuple[str, str]:
    alpha = compared.delta.alpha
    if compared.p_worse is not None and compared.p_worse <= alpha:
        return "worse", "Shown to be worse"
    if compared.p_better is not None and compared.p_better <= alpha:
        return "better", "Shown to be better"
    return "open", "No difference shown"


def _level(compared: MetricComparison, side: Literal["baseline", "candidate"]) -> str:
    summary = compared.baseline if side == "baseline" else compared.candidate
    if compared.kind == "ratio":
        return seconds(summary.mean)
    return number(summary.sum if compared.kind == "sum" else summary.mean)


@dataclass(frozen=True, slots=True)
class LookRow:
    """A look as a row of the table below the drawing."""

    n: int
    estimate: str
    lower: str
    upper: str
    confidence: str
    decision: str


@dataclass(frozen=True, slots=True)
class ShownLooks:
    """The looks of a sequential test."""

    title: str
    drawn: DrawnLooks
    rows: tuple[LookRow, ...]
    needed: str


def shown_looks(verdict: Verdict, demand: Demand) -> ShownLooks | None:
    """Describe the looks, drawn over the number of cases; None where there are none."""
    if not verdict.looks:
        return None
    name = verdict.looks[0].interval.name
    title, _, unit, origin, within = _TITLES.get(name, (name, "", "number", 0.0, (-inf, inf)))
    band = demand.band(name)
    rows = tuple(
        LookRow(
            look.n,
            told(look.interval.estimate, unit),
            told(look.interval.lower, unit),
            told(look.interval.upper, unit),
            confidence(look.interval.alpha),
            look.decision.value,
        )
        for look in thinned(verdict.looks)
    )
    return ShownLooks(title, draw_looks(verdict.looks, band, origin=origin, within=within), rows, _needed(band, unit))


# --- both sides ---------------------------------------------------------------------------------------------

_ROWS: Final = (
    ("n", "Cases"),
    ("passes", "Passed"),
    ("pass_rate", "Pass rate"),
    ("failures", "Without an answer"),
    ("soft_violations", "Soft violations"),
    ("cpu_s", "Processor time"),
    ("wall_s", "Wall-clock time"),
    ("peak_memory_bytes", "Peak memory"),
)
_FIGURES: Final[Mapping[str, str]] = MappingProxyType(dict(_ROWS))


def sides(summaries: Json) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return the sides' names, the baseline first, and the rows of their table."""
    known = {name: each for name, each in summaries.items() if isinstance(each, dict)}
    names = sorted(known, key=lambda name: (name not in ("baseline", "candidate"), name))  # the others follow
    figures = [*_FIGURES, *sorted({figure for each in known.values() for figure in each} - set(_FIGURES))]
    rows = [
        (_FIGURES.get(figure, figure), [_figure(figure, known[name].get(figure)) for name in names])
        for figure in figures
        if any(figure in each for each in known.values())
    ]
    return names, rows


def _figure(name: str, value: object) -> str:
    if isinstance(value, dict):
        return clip(", ".join(f"{key}: {pretty(each)}" for key, each in value.items()), 1_000) or "none"
    if not isinstance(value, int | float) or isinstance(value, bool):
        return NONE if value is None else clip(pretty(value), 1_000)
    match name:
        case "pass_rate":
            return percent(value)
        case "cpu_s" | "wall_s":
            return seconds(value)
        case "peak_memory_bytes":
            return size_of(value)
        case _:
            return number(value)
