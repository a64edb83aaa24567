"""A run of programs for machines, and in a few lines for a terminal."""

from __future__ import annotations

from typing import Any, Final

from mendel.contracts.verdicts import Verdict
from mendel.guard.page import number, percent, visible
from mendel.projections.programs.claims import REFUSED_BY, bound_on_differing, claim, gained, largest
from mendel.projections.programs.models import BestRejected, ProgramsView, Winner

SCHEMA: Final = "mendel.programs.run/1"
_COMMON: Final = {"lineage", "challenges", "curve", "counts", "operators", "cost"}


def run_json(view: ProgramsView, best_of_n: ProgramsView | None = None) -> dict[str, Any]:
    """What ``run.json`` holds. Keys are only ever added under one ``schema``; what is not known is null.

    ``schema``, ``run_id``, ``status``, ``ended`` (why), ``started_at`` (ISO 8601), ``seed``, ``selector``, ``alpha``;
    ``adopted`` (whether there is a winner), ``headline`` (one sentence), ``replay`` (the command);
    ``task``: path, main, function, objectives, seen_sizes, timing_size, held_sizes;
    ``speedup``: size, estimate, lower, upper at the largest held-out size, over the original;
    ``winner``: candidate_id, genome_id, birth, state, replaces, total, gains, speedup (as the search saw it), files,
    gate (decision, mode, policy, k, alpha, n, differing_at_most, reasons, time), audits (agrees, cases, detail, sizes);
    ``rejected``: the best that did not come through, with by and reasons;
    ``lineage``, ``challenges``, ``curve``, ``counts``, ``operators``, ``cost``: as the view has them;
    ``original_total``, ``best``: totals of the original and of the best candidate;
    ``best_of_n``: run_id, adopted, best, speedup, headline, counts, cost, curve of the run beside it.
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
        "original_total": view.original_total,
        "best": view.best,
        "best_of_n": _beside(best_of_n) if best_of_n else None,
    }


def _speedup(winner: Winner | None) -> dict[str, float] | None:
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


def _beside(other: ProgramsView) -> dict[str, Any]:
    return {
        "run_id": other.run_id,
        "adopted": other.winner is not None,
        "best": other.best,
        "speedup": _speedup(other.winner),
        "headline": claim(other).sentence,
        **other.model_dump(mode="json", include={"counts", "cost", "curve"}),
    }


def headline(view: ProgramsView) -> str:
    """What a run comes to, in a few plain lines: the claim, what it rests on, what it took, how to see it again."""
    said = claim(view)
    lines = [said.title, said.sentence, *_evidence(view), *_refused(view)]
    counts, cost = view.counts, view.cost
    lines.append(
        f"{number(counts.births)} births, {number(cost.evaluations)} examined, {number(counts.scored)} scored,"
        f" {number(counts.challenged)} before the gate; {cost.wall_seconds:.1f} s, {cost.cpu_seconds:.1f} s of CPU"
    )
    return "\n".join([*lines, f"mendel replay {view.run_id}"])


def _evidence(view: ProgramsView) -> list[str]:
    if view.winner is None:
        return []
    bound = bound_on_differing(view.winner.verdict)
    spent = f"Challenge {view.winner.verdict.challenge.k} spent {percent(view.winner.verdict.challenge.alpha)} of error"
    lines = [f"{spent}; at most {percent(bound.upper)} of inputs differ." if bound else f"{spent}."]
    if view.winner.state == "made":
        lines.append("Its audit is not over: the adoption is not confirmed yet.")
    return lines


def _refused(view: ProgramsView) -> list[str]:
    if view.winner is not None or view.rejected is None:
        return []
    rejected = view.rejected
    why = rejected.reasons[0].message if rejected.reasons else "nobody said why"
    gain = f", {gained(rejected.total, view.task)} in the search" if rejected.total is not None else ""
    who = f"The best that was rejected is birth {rejected.birth}{gain} ({REFUSED_BY[rejected.by]})"
    return [f"{who}: {visible(' '.join(why.split()))}"]
