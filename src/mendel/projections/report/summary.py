"""A run for machines, and in a few lines for a terminal."""

from __future__ import annotations

from typing import Any, Final

from mendel.contracts.verdicts import Verdict
from mendel.guard.page import number, percent
from mendel.projections.report.claims import (
    REFUSED_BY,
    bound_on_differing,
    claim,
    counted,
    failed_births,
    front_gains,
    front_name,
    gained,
    in_one_line,
    largest,
    left_out_models,
    niche_outcome,
    spent,
)
from mendel.projections.report.models import BestRejected, CapEnding, NicheRow, ReportView, Winner
from mendel.projections.report.population import factor

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
