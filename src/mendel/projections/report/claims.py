"""What a run may claim, in words and as JSON: never more than its best evidence says."""

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
"""What an audit's bounds are: each misses in 2.5% of all cases."""

_FASTER: Final = ("faster", "as fast as")
_SEARCHED: Final = ", as the search measured it"

REFUSED_BY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "gate": "refused by the gate",
        "audit": "let in, and thrown out by its audit",
        "unchallenged": "never before the gate",
        "examination": "fell in the examination",
    }
)


@dataclass(frozen=True, slots=True)
class Claim:
    """The one thing to say of a run; ``basis`` is what it rests on."""

    state: Literal["adopted", "nothing", "open"]
    title: str
    sentence: str
    basis: Literal["audit", "gate", "search", "none"]


def times(value: float | None) -> str:
    """A factor with as many digits as matter."""
    if value is None or not isfinite(value):
        return NONE
    if value >= 1e7 or (0 < value < 0.01):
        return f"{value:.2g}{TIMES}"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}{TIMES}"


def gained(total: float | None, task: TaskView | None) -> str:
    """A total as people read it: a factor over the original, where it is one."""
    if total is None:
        return NONE
    return times(factor(total)) if task is not None and task.in_factors else number(total)


def counted(count: int, what: str) -> str:
    """How many, in words."""
    return f"{number(count)} {what}" if count == 1 else f"{number(count)} {what}s"


def gain_in(objective: str, gain: float, task: TaskView | None) -> str:
    """A gain as people read it: a factor over the original, or a score."""
    return times(factor(gain)) if task is not None and objective in task.factors else number(gain)


def front_name(row: FrontRow) -> str:
    """Who stands on the front."""
    if row.original:
        return "the original"
    name = f"birth {number(row.birth)}" + (f", taken over from run {row.inherited}" if row.inherited else "")
    if not row.winner:
        return name
    return f"{name}, the winner" + (" (another measured better in all)" if row.dominated else "")


def front_gains(row: FrontRow, task: TaskView | None) -> str:
    """Its gains, one after the other."""
    return ", ".join(f"{name} {gain_in(name, gain, task)}" for name, gain in row.gains.items())


def between(lower: float | None, upper: float | None) -> str:
    """The bounds of a factor."""
    if lower is None or upper is None:
        return f"at least {times(lower)}" if lower is not None else f"at most {times(upper)}"
    return f"{times(lower)} to {times(upper)}"


def largest(winner: Winner) -> EvidenceRow | None:
    """What the audit saw at the largest size."""
    return winner.sizes[-1] if winner.sizes else None


def subject(view: ReportView) -> str:
    """What the run was to improve, as sentences call it."""
    return view.task.name if view.task is not None else "candidate"


def left_out_models(view: ReportView, other: ReportView) -> bool:
    """Whether a run asked models and the one beside it, for comparison, did not."""
    asked, again = (each.task is not None and each.task.asks_models for each in (view, other))
    return asked and not again


def bound_on_differing(verdict: Verdict) -> Interval | None:
    """How much of all inputs could be answered differently."""
    return next((each for each in verdict.intervals if each.name == "mismatch_rate"), None)


def claim(view: ReportView) -> Claim:
    """What a run comes to."""
    if view.task is not None and not view.task.contends:
        return _compared(view)
    if view.winner is None:
        return _nothing(view)
    name = subject(view)
    agreed = f"It gave the same answers in all {number(view.winner.verdict.n)} held-out cases of the gate."
    if view.winner.verdict.mode != "exact" or (view.task is not None and not view.task.same_answers):
        agreed = f"The gate let it in after {number(view.winner.verdict.n)} held-out cases."
    title, sentence, basis = _gain(view.winner, name, view.task)
    return Claim("adopted", title, f"{sentence} {agreed}", basis)


def _gain(winner: Winner, name: str, task: TaskView | None) -> tuple[str, str, Literal["audit", "gate", "search"]]:
    at = largest(winner)
    if at is not None:
        return (*_audited(at, name, task), "audit")
    if winner.time is not None and (task is None or task.about_speed):
        return (*_seen_by_gate(winner.time, name, winner.replaces), "gate")
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
    """How a factor over the original is said, as a title and before "the original"."""
    return (task.factors if task is not None else {}).get(objective, _FASTER)


def _seen_by_gate(time: SpeedInterval, name: str, replaces: str | None) -> tuple[str, str]:
    rival = "the original" if replaces is None else "the champion before it"
    sentence = (
        f"On held-out inputs the new {name} is {times(time.estimate)} as fast as {rival}"
        f" ({between(time.lower, time.upper)})."
    )
    return _better(time.estimate, time.lower, _FASTER[0]), sentence


def _better(estimate: float, lower: float | None, title: str) -> str:
    shown = lower is not None and lower > 1.0
    return f"{times(estimate)} {title}" if shown else f"Adopted, but not shown to be {title}"


def _without_clock(winner: Winner, name: str, task: TaskView | None) -> tuple[str, str, Literal["audit", "search"]]:
    """The gain in the objective that weighs most: the audit's, on held-out inputs; else what the search measured."""
    objectives = task.objectives if task is not None else {}
    main = max(objectives, key=lambda each: objectives[each], default="")
    audited = next((audit.gains[main] for audit in reversed(winner.audits) if main in audit.gains), None)
    gain = winner.gains.get(main) if audited is None else audited
    basis: Literal["audit", "search"] = "search" if audited is None else "audit"
    if gain is None or task is None or main not in task.factors:
        return "Better", _scored(winner, name, main, audited), basis
    title, words = task.factors[main]
    where = "On held-out inputs the" if basis == "audit" else "The"
    how = "" if basis == "audit" else ", counted in nodes of its syntax" if main == "size" else _SEARCHED
    sentence = f"{where} new {name} is {times(factor(gain))} {words} the original{how}."
    return f"{times(factor(gain))} {title}", sentence, basis


def _scored(winner: Winner, name: str, main: str, audited: float | None) -> str:
    score = winner.gains.get(main, winner.total)
    more = f", {number(audited)} more than the original in the audit" if audited is not None else ""
    return f"The new {name} scores {number(score)} in the search{more}."


def _compared(view: ReportView) -> Claim:
    """Of a run for comparison: what its search found, which is no claim that it holds."""
    told = "Nothing of this run was put before the gate: it is for comparison."
    start = view.original_total or 0.0
    if view.original_fell:
        return _original_fell(view)
    if view.best is None or view.best <= start:
        return Claim("nothing", "Nothing better in the search", told, "search")
    best = gained(view.best, view.task)
    return Claim("nothing", f"{best} in the search", f"The best that its search measured is {best}. {told}", "search")


def _original_fell(view: ReportView) -> Claim:
    """Of a run that had nothing to compare with: no word about candidates would explain it."""
    name = subject(view)
    sentence = (
        f"{name} as it is did not come through the examination, so that nothing could be compared with it or bred from"
        f" it: {in_one_line(view.original_fell[0].message)}"
    )
    over = view.status is not None and view.status.terminal
    return Claim("nothing" if over else "open", "The original itself fell", sentence, "none")


def failed_births(counts: Counts) -> str | None:
    """How many births failed and what for, in words; None where none did."""
    if not counts.barren:
        return None
    told = f"{number(counts.barren)} of {counted(counts.births + counts.barren, 'birth')} failed"
    why, times_told = next(iter(counts.failures.items()), ("", 0))
    if not why:
        return told
    mostly = "" if times_told == counts.barren else f" {number(times_told)} of them with"
    return f"{told}:{mostly} {in_one_line(why)}"


def in_one_line(said: str) -> str:
    """What somebody else wrote, as one line that moves no cursor."""
    return visible(" ".join(said.split()))


def _nothing(view: ReportView) -> Claim:
    if view.original_fell:
        return _original_fell(view)
    if view.status is None or not view.status.terminal:
        return Claim(
            "open", "Nothing adopted yet", "The run is not over, and nothing has passed the gate so far.", "none"
        )
    examined = view.counts.examined
    were = "candidate was examined, and it did not come" if examined == 1 else "candidates were examined, and none came"
    tried = f"{number(examined)} {were} through the gate and its audit."
    if view.champion_before is None:
        return Claim("nothing", "No improvement found", tried, "none")
    earlier = view.champion_before.run_id
    stands = f"The champion of run {earlier} stands; `mendel report {earlier}` shows what proves it."
    return Claim("nothing", "No further improvement found", f"{tried} {stands}", "none")


def niche_outcome(row: NicheRow) -> str:
    """What came of a niche, and how far its error budget is spent."""
    who = f"birth {number(row.winner.birth)} adopted" if row.winner is not None else "nothing adopted"
    if row.winner is None and row.champion_before is not None:
        who += f", the champion of run {row.champion_before.run_id} stands"
    made = counted(row.k - row.challenges_before, "challenge")
    return f"{who}; {made} up to k = {number(row.k)}, {number(row.spent)} of error spent"


def spent(view: ReportView) -> str:
    """Processor time, or what is counted instead where no clock may be read."""
    cost = view.cost
    counted = view.task is not None and "opcodes" in view.task.objectives
    own = f"{cost.opcodes:,} opcodes" if counted else f"{cost.cpu_seconds:.1f} s of CPU"
    asked = f", {cost.tokens:,} tokens of models for ${cost.cost_microusd / 1e6:,.2f}" if cost.tokens else ""
    return own + asked


# A run for machines, and in a few lines for a terminal.


SCHEMA: Final = "mendel.run/2"
_TOLD: Final = 8
_COMMON: Final = {"lineage", "challenges", "curve", "counts", "operators", "cost", "front", "calls", "capped"}


def run_json(view: ReportView, best_of_n: ReportView | None = None) -> dict[str, Any]:
    """What ``run.json`` holds. Keys are only ever added under one ``schema``; what is not known is null.

    ``schema``, ``run_id``, ``status``, ``ended`` (why), ``started_at`` (ISO 8601), ``seed``, ``selector``, ``alpha``;
    ``adopted`` (whether there is a winner), ``headline`` (one sentence), ``replay`` (the command);
    ``task``: path, main, function, objectives, seen_sizes, timing_size, held_sizes, factors (the objectives whose gains
    are powers of two over the original, with their words); of these a domain may leave out all but path and objectives;
    ``speedup``: size, estimate, lower, upper at the largest held-out size, over the original; size is null where inputs
    have none;
    ``winner``: candidate_id, genome_id, birth, state, replaces, total, gains, speedup (as the search saw it), files,
    gate (decision, mode, policy, k, alpha, n, differing_at_most, reasons, time), audits (agrees, cases, detail,
    sizes: factors over the original, each with its objective);
    ``rejected``: the best that did not come through, with by and reasons;
    ``lineage``, ``challenges``, ``curve``, ``counts``, ``operators``, ``cost``: as the view has them;
    ``front``: the Pareto front of several objectives, with gains, original, winner, dominated; empty of one objective;
    ``calls``: what each source of models was asked: name, role, route, calls, failed (of these), tokens_in, tokens_out,
    cost_microusd; ``capped``: cap, limit and used, where a cap ended the run;
    ``original_fell``: why the original itself fell, as reasons; empty where it did not, as it should be;
    ``original_total``, ``best``: totals of the original and of the best candidate;
    ``champion_before``: run_id and candidate_id of the champion of an earlier run, which stands without a winner;
    ``niches``: of each: niche, alpha, challenges_before, k, spent, best, champion_before, curve, winner (candidate_id,
    state); ``winner`` above is that of the first niche that has one;
    ``best_of_n``: run_id, adopted, best, found (total, factor, measured_by, gated: what its search found, which was not
    put before the gate), asked_models, speedup, headline, counts, cost, curve of the run beside it.
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
        "niches": [_niche(each) for each in view.niches],
        "best_of_n": _beside(best_of_n) if best_of_n else None,
    }


def _niche(row: NicheRow) -> dict[str, Any]:
    told = row.model_dump(mode="json", exclude={"winner", "challenges"})
    winner = row.winner.model_dump(mode="json", include={"candidate_id", "state"}) if row.winner else None
    return {**told, "winner": winner}


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
    """The best of a search that was not put before the gate; ``factor`` over the original, where the total is one."""
    counts = view.best is not None and view.task is not None and view.task.in_factors
    return {
        "total": view.best,
        "factor": factor(view.best) if counts and view.best is not None else None,
        "measured_by": "search",
        "gated": view.task is None or view.task.contends,
    }


def headline(view: ReportView, best_of_n: ReportView | None = None) -> str:
    """What a run comes to, in a few plain lines: the claim, what it rests on, what it took, how to see it again.

    With what plain best-of-N found, where that was tried.
    """
    said = claim(view)
    lines = [said.title, said.sentence, *_evidence(view), *_refused(view), *_front(view), *_niches(view)]
    counts, cost = view.counts, view.cost
    if failed := failed_births(counts):
        lines.append(failed)
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
    """That what models may take ended the run, in words."""
    match view.capped:
        case CapEnding(cap="max_tokens", limit=limit):
            most = f"{limit:,} tokens (--max-tokens)"
        case CapEnding(cap="max_cost_microusd", limit=limit):
            most = f"${limit / 1e6:,.10g} (--max-cost)"
        case _:
            return []
    return [f"It ended because models may take at most {most}: another question, at its worst, did not fit any more."]


def _gating(view: ReportView) -> str:
    apart = view.task is not None and not view.task.contends
    return "not put before the gate" if apart else "before the same gate"


def _alone(view: ReportView, other: ReportView) -> str:
    return ", and without models" if left_out_models(view, other) else ""


def _evidence(view: ReportView) -> list[str]:
    if view.winner is None:
        return []
    bound = bound_on_differing(view.winner.verdict)
    spent = f"Challenge {view.winner.verdict.challenge.k} spent {percent(view.winner.verdict.challenge.alpha)} of error"
    lines = [f"{spent}; at most {percent(bound.upper)} of inputs differ." if bound else f"{spent}."]
    if view.winner.state == "made":
        lines.append("Its audit is not over: the adoption is not confirmed yet.")
    return lines


def _front(view: ReportView) -> list[str]:
    """The front, a line for each; of many only the first, and the winner."""
    rows = [each for place, each in enumerate(view.front) if place < _TOLD or each.winner]
    if not rows:
        return []
    left = f"; {len(view.front) - len(rows)} more in the report" if len(rows) < len(view.front) else ""
    head = f"Beaten by nobody in {' and '.join(rows[0].gains)} at once, as the search measured it{left}:"
    return [head, *(f"  {front_name(each)}: {front_gains(each, view.task)}" for each in rows)]


def _niches(view: ReportView) -> list[str]:
    """What came of each niche, where there are several."""
    if len(view.niches) < 2:
        return []
    return ["In its niches:", *(f"  {in_one_line(each.niche)}: {niche_outcome(each)}" for each in view.niches)]


def _refused(view: ReportView) -> list[str]:
    if view.winner is not None or view.rejected is None:
        return []
    rejected = view.rejected
    why = rejected.reasons[0].message if rejected.reasons else "nobody said why"
    gain = f", {gained(rejected.total, view.task)} in the search" if rejected.total is not None else ""
    who = f"The best that was rejected is birth {rejected.birth}{gain} ({REFUSED_BY[rejected.by]})"
    return [f"{who}: {in_one_line(why)}"]
