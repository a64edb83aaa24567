"""The claims of a run, in words and as JSON: never more than its best evidence supports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType
from typing import Any, Final, Literal

from mendel.contracts.verdicts import Interval, Verdict
from mendel.guard.page import NONE, TIMES, number, percent, visible
from mendel.projections.report.models import (
    BestRejected,
    CapEnding,
    Counts,
    EvidenceRow,
    FrontRow,
    NicheRow,
    ReportView,
    SpeedInterval,
    TaskView,
    Winner,
)
from mendel.projections.report.population import factor

INTERVAL: Final = "95% interval"
"""The name of an audit's interval: each of its two bounds is wrong in 2.5% of all cases."""

_FASTER: Final = ("faster", "as fast as")
_SEARCHED: Final = ", as the search measured it"

REFUSED_BY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "gate": "refused by the gate",
        "challenge": "its challenge failed",
        "audit": "adopted, then revoked by its audit",
        "unchallenged": "never before the gate",
        "examination": "failed the examination",
    }
)


Basis = Literal["audit", "gate", "search", "none"]
_BASES: Final[tuple[Basis, ...]] = ("search", "gate", "audit")
"""The possible kinds of evidence for a claim, the weakest first."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The single most important statement about a run; ``basis`` is its kind of evidence."""

    state: Literal["adopted", "nothing", "open"]
    title: str
    sentence: str
    basis: Basis


def times(value: float | None) -> str:
    """Format a factor with its significant digits."""
    if value is None or not isfinite(value):
        return NONE
    if value >= 1e7 or (0 < value < 0.01):
        return f"{value:.2g}{TIMES}"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}{TIMES}"


def gained(total: float | None, task: TaskView | None) -> str:
    """Format a total for people: as a factor over the original if it is one, else as a number."""
    if total is None:
        return NONE
    return times(factor(total)) if task is not None and task.in_factors else number(total)


def counted(count: int, what: str) -> str:
    """Format a count with its noun, in the plural unless it is 1."""
    return f"{number(count)} {what}" if count == 1 else f"{number(count)} {what}s"


def gain_in(objective: str, gain: float, task: TaskView | None) -> str:
    """Format a gain for people: as a factor over the original, or as a score."""
    return times(factor(gain)) if task is not None and objective in task.factors else number(gain)


def front_name(row: FrontRow) -> str:
    """Return the label of a row of the Pareto front."""
    if row.original:
        return "the original"
    name = f"birth {number(row.birth)}" + (f", taken over from run {row.inherited}" if row.inherited else "")
    if not row.winner:
        return name
    return f"{name}, the winner" + (" (another measured better in all)" if row.dominated else "")


def front_gains(row: FrontRow, task: TaskView | None) -> str:
    """Return the gains of a row of the front as a list in words."""
    return ", ".join(f"{name} {gain_in(name, gain, task)}" for name, gain in row.gains.items())


def between(lower: float | None, upper: float | None) -> str:
    """Format the bounds of a factor; either may be missing."""
    if lower is None or upper is None:
        return f"at least {times(lower)}" if lower is not None else f"at most {times(upper)}"
    return f"{times(lower)} to {times(upper)}"


def largest(winner: Winner) -> EvidenceRow | None:
    """Return the audit's evidence at the largest size."""
    return winner.sizes[-1] if winner.sizes else None


def subject(view: ReportView) -> str:
    """Return the name of the run's subject for use in sentences."""
    return view.task.name if view.task is not None else "candidate"


def left_out_models(view: ReportView, other: ReportView) -> bool:
    """Return whether a run used models and the run it is compared with did not."""
    asked, again = (each.task is not None and each.task.asks_models for each in (view, other))
    return asked and not again


def bound_on_differing(verdict: Verdict) -> Interval | None:
    """Return the interval for the share of inputs with different results."""
    return next((each for each in verdict.intervals if each.name == "mismatch_rate"), None)


def claim(view: ReportView) -> Claim:
    """Return the claim of a run."""
    if view.task is not None and not view.task.contends:
        return _compared(view)
    if view.winner is None:
        return _nothing(view)
    return _over_niches(view) if len(view.niches) > 1 else winner_claim(view.winner, view)


def adopting(view: ReportView) -> tuple[NicheRow, ...]:
    """Return the niches with a winner."""
    return tuple(each for each in view.niches if each.winner is not None)


def _over_niches(view: ReportView) -> Claim:
    """Return the claim of a run with several niches: the niches with a winner. Each winner has its own claim."""
    rows = adopting(view)
    named = ", ".join(in_one_line(each.niche) for each in rows[:_TOLD])
    more = f" and {number(len(rows) - _TOLD)} more" if len(rows) > _TOLD else ""
    share = f"{number(len(rows))} of {counted(len(view.niches), 'niche')}"
    bases = {winner_claim(each.winner, view).basis for each in rows if each.winner is not None}
    weakest: Basis = next((each for each in _BASES if each in bases), "none")  # the title covers all winners
    return Claim("adopted", f"Adopted in {share}", f"In {share} a candidate was adopted: {named}{more}.", weakest)


def winner_claim(winner: Winner, view: ReportView) -> Claim:
    """Return the claim about one winner."""
    agreed = f"It gave the same answers in all {number(winner.verdict.n)} held-out cases of the gate."
    if winner.verdict.mode != "exact" or (view.task is not None and not view.task.same_answers):
        agreed = f"The gate accepted it after {number(winner.verdict.n)} held-out cases."
    title, sentence, basis = _gain(winner, subject(view), view.task, rival(winner, view))
    return Claim("adopted", title, f"{sentence} {agreed}", basis)


def rival(winner: Winner, view: ReportView) -> str:
    """Return the name of the candidate that the gate compared a winner with."""
    if winner.replaces is not None:
        return "the champion before it"
    return "the original" if view.has_original else "the reference of its domain"


def _gain(winner: Winner, name: str, task: TaskView | None, beside: str) -> tuple[str, str, Basis]:
    at = largest(winner)
    if at is not None:
        return (*_audited(at, name, task), "audit")
    if winner.time is not None and (task is None or task.about_speed):
        return (*_seen_by_gate(winner.time, name, beside), "gate")
    return _without_clock(winner, name, task)


def _audited(at: EvidenceRow, name: str, task: TaskView | None) -> tuple[str, str]:
    sized = at.size is not None and not (task is not None and task.one_call)
    title, words = factor_words(at.objective, task)
    where = f"On inputs of size {number(at.size)}, which the search never saw, the" if sized else "The"
    sentence = (
        f"{where} new {name} is {times(at.speedup)} {words} the original ({INTERVAL} {between(at.lower, at.upper)})."
    )
    return _better(at.speedup, at.lower, title), sentence


def factor_words(objective: str, task: TaskView | None) -> tuple[str, str]:
    """Return the words for a factor over the original: for a title, and for use before "the original"."""
    return (task.factors if task is not None else {}).get(objective, _FASTER)


def _seen_by_gate(time: SpeedInterval, name: str, beside: str) -> tuple[str, str]:
    sentence = (
        f"On held-out inputs the new {name} is {times(time.estimate)} as fast as {beside}"
        f" ({between(time.lower, time.upper)})."
    )
    return _better(time.estimate, time.lower, _FASTER[0]), sentence


def _better(estimate: float, lower: float | None, title: str) -> str:
    shown = lower is not None and lower > 1.0  # only then all factors in the interval are gains
    return f"{times(estimate)} {title}" if shown else f"Adopted, but not shown to be {title}"


def _without_clock(winner: Winner, name: str, task: TaskView | None) -> tuple[str, str, Basis]:
    """Return the gain in the main objective: from the audit on held-out inputs, or else from the search."""
    objectives = task.objectives if task is not None else {}
    main = max(objectives, key=lambda each: objectives[each], default="")
    audited = next((audit.gains[main] for audit in reversed(winner.audits) if main in audit.gains), None)
    gain = winner.gains.get(main) if audited is None else audited
    basis: Basis = "search" if audited is None else "audit"
    if gain is None or task is None or main not in task.factors:
        return "Better", _scored(winner, name, task, main, audited), basis
    title, words = task.factors[main]
    where = "On held-out inputs the" if basis == "audit" else "The"
    how = "" if basis == "audit" else ", counted in nodes of its syntax" if main == "size" else _SEARCHED
    sentence = f"{where} new {name} is {times(factor(gain))} {words} the original{how}."
    return f"{times(factor(gain))} {title}", sentence, basis


def _scored(winner: Winner, name: str, task: TaskView | None, main: str, audited: float | None) -> str:
    """Describe a gain that is no factor: the score of a single objective, or the fitness with its components."""
    if len(winner.gains) < 2:
        more = f", {number(audited)} more than the original in the audit" if audited is not None else ""
        return f"The new {name} scores {number(winner.gains.get(main, winner.total))} in the search{more}."
    parts = ", ".join(f"{each} {gain_in(each, gain, task)}" for each, gain in list(winner.gains.items())[:_TOLD])
    more = f"; in the audit its {main} is {number(audited)} more than the original's" if audited is not None else ""
    return f"The new {name} reaches a fitness of {number(winner.total)} in the search ({parts}){more}."


def _compared(view: ReportView) -> Claim:
    """Return the claim of a comparison run: the result of its search, which no gate confirmed."""
    told = "No candidate of this run was put before the gate: the run is for comparison."
    start = view.original_total or 0.0
    if view.original_fell:
        return _original_fell(view)
    if view.best is None or view.best <= start:
        return Claim("nothing", "Nothing better in the search", told, "search")
    best = gained(view.best, view.task)
    return Claim("nothing", f"{best} in the search", f"The best measurement of its search is {best}. {told}", "search")


def _original_fell(view: ReportView) -> Claim:
    """Return the claim of a run in which the original or all founders failed, so that nothing could be bred."""
    if view.has_original:
        title, what = "The original itself failed", f"{subject(view)} itself did not pass the examination"
        so = "nothing could be compared with it or bred from it"
    else:
        title, what = "Every founder failed", f"None of {number(view.founders)} founders passed the examination"
        so = "nothing could be bred from them"
    over = view.status is not None and view.status.terminal
    sentence = f"{what}, so that {so}: {in_one_line(view.original_fell[0].message)}"
    return Claim("nothing" if over else "open", title, sentence, "none")


def failed_births(counts: Counts) -> str | None:
    """Return how many births failed and the most frequent reason, in words; None if none failed."""
    if not counts.barren:
        return None
    told = f"{number(counts.barren)} of {counted(counts.births + counts.barren, 'birth')} failed"
    why, times_told = next(iter(counts.failures.items()), ("", 0))
    if not why:
        return told
    mostly = "" if times_told == counts.barren else f" {number(times_told)} of them with"
    return f"{told}:{mostly} {in_one_line(why)}"


def failures(view: ReportView) -> list[str]:
    """Return the failures of a run: one line for births, for each other failed step, and for each closed niche."""
    births = failed_births(view.counts)
    steps = [each for each in view.failed_steps if each.kind != "vary"]
    said = [each.words() for each in steps[:_TOLD]] + [each.words() for each in view.closed_niches[:_TOLD]]
    return [*([births] if births else []), *map(in_one_line, said)]


def in_one_line(said: str) -> str:
    """Return text from outside as one line without control characters."""
    return visible(" ".join(said.split()))


def _nothing(view: ReportView) -> Claim:
    if view.original_fell:
        return _original_fell(view)
    if view.status is None or not view.status.terminal:
        return Claim(
            "open", "Nothing adopted yet", "The run is not over, and nothing has passed the gate so far.", "none"
        )
    examined = view.counts.examined
    were = "candidate was examined, but did not pass" if examined == 1 else "candidates were examined, but none passed"
    tried = f"{number(examined)} {were} the gate and its audit."
    earlier = dict.fromkeys(each.champion_before.run_id for each in view.niches if each.champion_before is not None)
    if not earlier:
        return Claim("nothing", "No improvement found", tried, "none")
    stands = (f"The champion of run {each} stands; `mendel report {each}` shows its evidence." for each in earlier)
    return Claim("nothing", "No further improvement found", " ".join([tried, *stands]), "none")


def niche_outcome(row: NicheRow) -> str:
    """Return the result of a niche and how much of its error budget is spent, in words."""
    who = f"birth {number(row.winner.birth)} adopted" if row.winner is not None else "nothing adopted"
    if row.winner is None and row.champion_before is not None:
        who += f", the champion of run {row.champion_before.run_id} stands"
    made = counted(row.k - row.challenges_before, "challenge")
    return f"{who}; {made} up to k = {number(row.k)}, {number(row.spent)} of error spent"


def spent(view: ReportView) -> str:
    """Return the processor time, or the opcode count if that is an objective, and the cost of models, in words."""
    cost = view.cost
    counted = view.task is not None and "opcodes" in view.task.objectives
    own = f"{cost.opcodes:,} opcodes" if counted else f"{cost.cpu_seconds:.1f} s of CPU"
    asked = f", {cost.tokens:,} tokens of models for ${cost.cost_microusd / 1e6:,.2f}" if cost.tokens else ""
    return own + asked


# A run as JSON, and as a few lines for a terminal.


SCHEMA: Final = "mendel.run/2"
_TOLD: Final = 8  # items of a list in the terminal
_COMMON: Final = {
    *("lineage", "challenges", "closed_niches", "curve", "counts", "failed_steps", "operators", "cost", "front"),
    *("calls", "capped"),
}


def run_json(view: ReportView, best_of_n: ReportView | None = None) -> dict[str, Any]:
    """Return the content of ``run.json``. Within one ``schema`` keys are only added; unknown values are null.

    ``schema``, ``run_id``, ``status``, ``ended`` (why), ``started_at`` (ISO 8601), ``seed``, ``selector``, ``alpha``;
    ``adopted`` (whether there is a winner), ``headline`` (one sentence), ``replay`` (the command);
    ``task``: path, main, function, objectives, seen_sizes, timing_size, held_sizes, factors (the words of objectives
    with gains that are powers of two over the original); a domain may leave out all but path and objectives;
    ``speedup``: size, estimate, lower, upper at the largest held-out size, over the original; size is null if inputs
    have none;
    ``winner``: candidate_id, genome_id, birth, state, replaces, total, gains, speedup (measured by the search), files,
    gate (decision, mode, policy, k, alpha, n, differing_at_most, reasons, time), audits (agrees, cases, detail,
    sizes: factors over the original, each with its objective);
    ``rejected``: the best candidate that was not adopted, with by and reasons;
    ``lineage``, ``challenges``, ``curve``, ``counts``, ``operators``, ``cost``: as in the view;
    ``front``: the Pareto front of several objectives, with gains, original, winner, dominated; empty for one objective;
    ``calls``: the calls to each source of models: name, role, route, calls, failed (of these), tokens_in, tokens_out,
    cost_microusd; ``capped``: cap, limit and used, if a cap ended the run;
    ``original_fell``: the reasons why the original failed its examination; normally empty;
    ``original_total``, ``best``: totals of the original and of the best candidate;
    ``champion_before``: run_id and candidate_id of an earlier run's champion, which remains if there is no winner;
    ``failed_steps``: the steps with failed operations: step, kind, failed (of ended), message (the most frequent,
    with its count);
    ``closed_niches``: the niches without further challenges because the last ones failed: niche, step, challenges (how
    many in a row), message (of the first of them);
    ``niches``: for each: niche, alpha, challenges_before, k, spent, best, champion_before, curve, winner (candidate_id,
    state); if there are several, each also has its whole winner, as above, its headline, speedup, lineage and
    challenges; ``winner``, ``speedup`` and ``lineage`` above are those of the first niche with a winner;
    ``best_of_n``: run_id, adopted, best, found (total, factor, measured_by, gated: the result of its search, which was
    not put before the gate), asked_models, speedup, headline, counts, cost, curve of the run for comparison.
    """
    told = view.model_dump(mode="json", include=_COMMON)
    return {
        "schema": SCHEMA,
        **view.model_dump(
            mode="json", include={"run_id", "status", "ended", "started_at", "seed", "selector", "alpha"}
        ),
        "adopted": view.winner is not None,
        "headline": claim(view).sentence,
        "replay": f"mendel replay {view.run_id}",
        "task": view.task.model_dump(mode="json") if view.task else None,
        "speedup": _speedup(view.winner),
        "winner": _winner(view.winner) if view.winner else None,
        "rejected": _rejected(view.rejected) if view.rejected else None,
        **told,
        "original_fell": [reason.model_dump(mode="json") for reason in view.original_fell],
        "original_total": view.original_total,
        "best": view.best,
        "champion_before": view.champion_before.model_dump(mode="json") if view.champion_before else None,
        "niches": [_niche(each, view) for each in view.niches],
        "best_of_n": _beside(best_of_n) if best_of_n else None,
    }


def _niche(row: NicheRow, view: ReportView) -> dict[str, Any]:
    """Return a niche as JSON: without what the run itself contains if it is the only one, else complete."""
    if len(view.niches) == 1:
        told = row.model_dump(mode="json", exclude={"winner", "challenges", "lineage", "original"})
        winner = row.winner.model_dump(mode="json", include={"candidate_id", "state"}) if row.winner else None
        return {**told, "winner": winner}
    return {
        **row.model_dump(mode="json", exclude={"winner", "original"}),
        "headline": winner_claim(row.winner, view).sentence if row.winner else None,
        "speedup": _speedup(row.winner),
        "winner": _winner(row.winner) if row.winner else None,
    }


def _speedup(winner: Winner | None) -> dict[str, float | None] | None:
    at = largest(winner) if winner is not None else None
    return {"size": at.size, "estimate": at.speedup, "lower": at.lower, "upper": at.upper} if at is not None else None


def _winner(winner: Winner) -> dict[str, Any]:
    told = winner.model_dump(mode="json", exclude={"verdict", "time"})
    time = winner.time.model_dump(mode="json") if winner.time else None
    return {**told, "gate": {**_gate(winner.verdict), "time": time}}


def _gate(verdict: Verdict) -> dict[str, Any]:
    bound = bound_on_differing(verdict)
    return {
        "decision": verdict.decision.value,
        "mode": verdict.mode,
        "policy": verdict.policy,
        "k": verdict.challenge.k,
        "alpha": verdict.challenge.alpha,
        "n": verdict.n,
        "differing_at_most": bound.upper if bound is not None else None,
        "reasons": [reason.model_dump(mode="json") for reason in verdict.reasons],
    }


def _rejected(rejected: BestRejected) -> dict[str, Any]:
    return rejected.model_dump(mode="json", exclude={"verdict"})


def _beside(other: ReportView) -> dict[str, Any]:
    return {
        "run_id": other.run_id,
        "adopted": other.winner is not None,
        "best": other.best,
        "found": _found(other),
        "asked_models": other.task is not None and other.task.asks_models,
        "speedup": _speedup(other.winner),
        "headline": claim(other).sentence,
        **other.model_dump(mode="json", include={"counts", "cost", "curve"}),
    }


def _found(view: ReportView) -> dict[str, Any]:
    """Return the best result of a search without a gate; with ``factor`` over the original if the total is one."""
    counts = view.best is not None and view.task is not None and view.task.in_factors
    return {
        "total": view.best,
        "factor": factor(view.best) if counts and view.best is not None else None,
        "measured_by": "search",
        "gated": view.task is None or view.task.contends,
    }


def headline(view: ReportView, best_of_n: ReportView | None = None) -> str:
    """Return a run's result in a few lines: the claim, its evidence, the cost, and how to replay it.

    Includes the result of plain best-of-N if there was such a run.
    """
    said = claim(view)
    lines = [said.title, said.sentence, *_evidence(view), *_refused(view), *_front(view), *_niches(view)]
    counts, cost = view.counts, view.cost
    lines += failures(view)
    lines.append(
        f"{counted(counts.births, 'birth')}, {number(cost.examined)} examined, {number(counts.scored)} scored,"
        f" {number(counts.challenged)} before the gate; {cost.wall_seconds:.1f} s, {spent(view)}"
    )
    lines += _capped(view)
    if best_of_n is not None:
        lines.append(
            f"Plain best-of-N, for comparison: {claim(best_of_n).title}, {_gating(best_of_n)}{_alone(view, best_of_n)}."
        )
    return "\n".join([*lines, f"mendel replay {view.run_id}"])


def _capped(view: ReportView) -> list[str]:
    """Return a line that names the cap on model usage, if that ended the run."""
    match view.capped:
        case CapEnding(cap="max_tokens", limit=limit):
            most = f"{limit:,} tokens (--max-tokens)"
        case CapEnding(cap="max_cost_microusd", limit=limit):
            most = f"${limit / 1e6:,.10g} (--max-cost)"
        case _:
            return []
    return [f"It ended because models may use at most {most}: the worst case of another call did not fit any more."]


def _gating(view: ReportView) -> str:
    apart = view.task is not None and not view.task.contends
    return "not put before the gate" if apart else "before the same gate"


def _alone(view: ReportView, other: ReportView) -> str:
    return ", and without models" if left_out_models(view, other) else ""


def _evidence(view: ReportView) -> list[str]:
    """Return lines about the winner's evidence; with several niches, each niche has its own."""
    return _gated(view.winner) if view.winner is not None and len(view.niches) < 2 else []


def _gated(winner: Winner) -> list[str]:
    bound = bound_on_differing(winner.verdict)
    spent = f"Challenge {winner.verdict.challenge.k} spent {percent(winner.verdict.challenge.alpha)} of error"
    lines = [f"{spent}; at most {percent(bound.upper)} of inputs differ." if bound else f"{spent}."]
    if winner.state == "made":
        lines.append("Its audit is not finished: the adoption is not confirmed yet.")
    return lines


def _front(view: ReportView) -> list[str]:
    """Return a line for each row of the front; if there are many, for the first ones and the winner."""
    rows = [each for place, each in enumerate(view.front) if place < _TOLD or each.winner]
    if not rows:
        return []
    left = f"; {len(view.front) - len(rows)} more in the report" if len(rows) < len(view.front) else ""
    head = f"Not beaten in {' and '.join(rows[0].gains)} at once, as the search measured it{left}:"
    return [head, *(f"  {front_name(each)}: {front_gains(each, view.task)}" for each in rows)]


def _niches(view: ReportView) -> list[str]:
    """Return lines with the result of each niche, if there are several."""
    if len(view.niches) < 2:
        return []
    return ["In its niches:", *(line for each in view.niches for line in _in_niche(each, view))]


def _in_niche(row: NicheRow, view: ReportView) -> list[str]:
    """Return lines with the result of a niche, and with its winner's claim and evidence."""
    outcome = f"  {in_one_line(row.niche)}: {niche_outcome(row)}"
    if row.winner is None:
        return [outcome]
    said = winner_claim(row.winner, view)
    return [outcome, f"    {said.title}. {said.sentence} {' '.join(_gated(row.winner))}"]


def _refused(view: ReportView) -> list[str]:
    if view.winner is not None or view.rejected is None:
        return []
    rejected = view.rejected
    why = rejected.reasons[0].message if rejected.reasons else "the log gives no reason"
    gain = f", {gained(rejected.total, view.task)} in the search" if rejected.total is not None else ""
    who = f"The best rejected candidate is birth {rejected.birth}{gain} ({REFUSED_BY[rejected.by]})"
    return [f"{who}: {in_one_line(why)}"]
