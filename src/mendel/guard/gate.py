"""The gate: judges a candidate against a task and a baseline, and returns a verdict in a report."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import ConfigError
from mendel.contracts.evaluations import Isolation
from mendel.contracts.ids import CandidateId
from mendel.contracts.lint import Finding
from mendel.contracts.verdicts import Challenge, Decision, Verdict
from mendel.guard.asides import summaries
from mendel.guard.codes import Code
from mendel.guard.config import GuardConfig, configured, load_request
from mendel.guard.evaluation import Announce, Conclusion, Evaluation, said
from mendel.guard.exactness import conclude_exactly, observe_exactly
from mendel.guard.implementation import Implementation
from mendel.guard.improvement import compared_metrics, compared_relations
from mendel.guard.intervals import LIBERAL, check_method, difference_method
from mendel.guard.prompt_files import is_prompt
from mendel.guard.prompt_sandboxes import PromptSandbox
from mendel.guard.provenance import provenance
from mendel.guard.rates import conclude_rates, observe_rates, shown_violations
from mendel.guard.registry import get_task
from mendel.guard.report import Report
from mendel.guard.spec import TaskSpec
from mendel.ports.registry import resolve
from mendel.ports.sandbox import Sandbox
from mendel.ports.sandbox_context import OpenSandbox, SandboxContext

T = TypeVar("T")
MOST_ALPHA: Final = 0.5
MOST_HINT: Final = 200  # characters of a hint in a reason
Task = TaskSpec | str
Given = Implementation | Callable[..., Any] | str | Path


def run(
    task: Task,
    baseline: Given | None = None,
    candidate: Given | None = None,
    config: GuardConfig | None = None,
    *,
    sandbox: Sandbox | None = None,
    challenge: Challenge | None = None,
    announce: Announce | None = None,
    **options: Any,  # noqa: ANN401 - fields of GuardConfig, checked there
) -> Report:
    """Judge a candidate.

    Args:
        task: A :class:`TaskSpec`, or the name of one.
        baseline: The implementation to compare with; None in absolute mode.
        candidate: The implementation to judge. Both are shipped as source and run only in the sandbox.
        config: The configuration; the defaults of :class:`GuardConfig` if None.
        options: Single fields of the configuration, such as ``n`` or ``policy``.
        sandbox: An open sandbox. Without it, one is opened for this evaluation.
        challenge: The niche of this challenge and its number there (rule 10): it sets alpha, and makes inputs fresh.
        announce: Called with the number of judged cases and the number of all cases.

    Raises:
        ConfigError: an option is invalid.
        SpecFailed: the task or the baseline is broken.
        NotShippable: an implementation cannot be shipped.
        SandboxError: the sandbox failed; nothing is known about the candidate.
    """
    return _waited(
        run_async(
            task,
            baseline,
            candidate,
            config,
            sandbox=sandbox,
            challenge=challenge,
            announce=announce,
            **options,
        )
    )


async def run_async(
    task: Task,
    baseline: Given | None = None,
    candidate: Given | None = None,
    config: GuardConfig | None = None,
    *,
    sandbox: Sandbox | None = None,
    challenge: Challenge | None = None,
    candidate_id: CandidateId | None = None,
    announce: Announce | None = None,
    **options: Any,  # noqa: ANN401 - fields of GuardConfig, checked there
) -> Report:
    """Do the same as :func:`run`, in a running event loop; ``candidate_id`` names a candidate that a run has bred."""
    asked = _asked(task, baseline, candidate, config, challenge, options)
    asked = replace(asked, candidate_id=candidate_id or asked.candidate_id)
    async with _sandbox(sandbox, asked.config) as opened:
        report = await _judged(asked, opened, announce or _silent)
    if asked.config.report_dir is not None:
        report.write(asked.config.report_dir)
    return report


def run_with_config(
    given: str | Path | Mapping[str, Any] | GuardConfig,
    *,
    task: Task | None = None,
    baseline: Given | None = None,
    candidate: Given | None = None,
    sandbox: Sandbox | None = None,
    announce: Announce | None = None,
    **options: Any,  # noqa: ANN401 - fields of GuardConfig, checked there
) -> Report:
    """Judge according to a TOML file, a mapping of the same shape, or a configuration; arguments take precedence.

    Raises:
        ConfigError: it cannot be read, or it names no task or no candidate.
    """
    request = load_request(given)
    wanted = task or request.task
    if wanted is None:
        raise ConfigError("the configuration names no task; give one: task = …")
    sides = baseline or request.baseline, candidate or request.candidate
    return run(wanted, *sides, request.config, sandbox=sandbox, announce=announce, **options)


@dataclass(frozen=True)
class _Asked:
    """One request, with every name resolved."""

    spec: TaskSpec
    baseline: Implementation | None
    candidate: Implementation
    config: GuardConfig
    alpha: float
    challenge: Challenge
    seeds: dict[str, int]
    candidate_id: CandidateId
    reference: str | None


def _asked(
    task: Task,
    baseline: Given | None,
    candidate: Given | None,
    config: GuardConfig | None,
    challenge: Challenge | None,
    options: Mapping[str, Any],
) -> _Asked:
    if candidate is None:
        raise ConfigError("there is no candidate to judge; give candidate=…")
    spec = task if isinstance(task, TaskSpec) else get_task(task)
    chosen = configured(config, **options).settled()
    seeds = {"seed": chosen.seed}
    if challenge is not None:
        if not 0 < challenge.alpha < MOST_ALPHA:
            raise ConfigError(f"the alpha of a challenge must be in (0, {MOST_ALPHA}), not {challenge.alpha}")
        # 53 bits: JSON readers that keep numbers as doubles still read this seed exactly.
        seeds["inputs"] = Entropy(chosen.seed, "challenge", challenge.niche).word(challenge.k) >> 11
        chosen = configured(chosen, seed=seeds["inputs"])
    judged = Implementation.of(candidate)
    return _Asked(
        spec,
        None if baseline is None else Implementation.of(baseline),
        judged,
        chosen,
        chosen.alpha if challenge is None else challenge.alpha,
        challenge or Challenge(niche=f"guard:{spec.name}"[:300], k=1, alpha=chosen.alpha),
        seeds,
        f"candidate:{judged.hash[:16]}",  # outside of a run, the source identifies the candidate
        task if isinstance(task, str) else None,
    )


async def _judged(asked: _Asked, sandbox: Sandbox, announce: Announce) -> Report:
    evaluation = _evaluation(asked, sandbox, announce)
    certain = await observed(evaluation, asked.alpha)
    conclusion = certain or concluded(evaluation, asked.alpha)
    return await _reported(asked, evaluation, conclusion)


def _evaluation(asked: _Asked, sandbox: Sandbox, announce: Announce) -> Evaluation:
    baseline = None if asked.baseline is None else asked.baseline.program
    if not isinstance(sandbox, PromptSandbox) and any(
        is_prompt(side) for side in (baseline, asked.candidate.program) if side is not None
    ):
        raise ConfigError("a prompt needs a model, and this call has none; use mendel.guard.prompting.judge instead")
    return Evaluation(asked.spec, baseline, asked.candidate.program, asked.config, sandbox, announce)


async def observed(evaluation: Evaluation, alpha: float) -> Conclusion | None:
    """Observe the cases; return a conclusion only where no other alpha could change it, else None."""
    check_method(evaluation.config, alpha, clustered=evaluation.spec.cluster_key is not None)
    refused = _linted(evaluation)  # before the first case: the lint runs no code
    if refused is not None:
        return refused
    if evaluation.mode == "exact":
        return await observe_exactly(evaluation, alpha)
    return await observe_rates(evaluation, alpha)


def concluded(evaluation: Evaluation, alpha: float) -> Conclusion:
    """Conclude from the observed cases at ``alpha``."""
    return conclude_exactly(evaluation, alpha) if evaluation.mode == "exact" else conclude_rates(evaluation, alpha)


def _linted(evaluation: Evaluation) -> Conclusion | None:
    if not evaluation.config.lint:
        return None
    for path, source in evaluation.candidate.files.items():
        if path.endswith(".py"):
            findings = evaluation.sandbox.lint(source, path=path, allow_imports=_importable(evaluation))
            if findings:
                return Conclusion(Decision.REJECT, tuple(said(Code.LINT, _briefly(each)) for each in findings[:5]))
    return None


def _briefly(finding: Finding) -> str:
    hint = finding.hint if len(finding.hint) <= MOST_HINT else "see docs/static_policy.md for what may be imported"
    return f"{finding.file}:{finding.line}: {finding.code} {finding.message} ({hint})"


def _importable(evaluation: Evaluation) -> list[str]:
    """Return what a program may import besides the standard library: the task's packages and its own files."""
    files = evaluation.candidate.files
    own = {path.split("/")[0].removesuffix(".py") for path in files} if len(files) > 1 else set()
    return [*evaluation.spec.packages, *sorted(own)]


async def _reported(asked: _Asked, evaluation: Evaluation, conclusion: Conclusion) -> Report:
    isolation = evaluation.isolation or await evaluation.sandbox.isolation()  # the lint may reject before any run
    if not conclusion.violations and evaluation.mode != "exact":  # exact mode has attached its counter-example
        conclusion = replace(conclusion, violations=await shown_violations(evaluation))
    conclusion = held_back(conclusion, isolation)
    _remarks(evaluation)
    verdict = _verdict(asked, evaluation, conclusion, isolation)
    return Report(asked.spec.name, verdict, asked.config, asked.candidate, asked.baseline, asked.reference)


def held_back(conclusion: Conclusion, isolation: Isolation, why: str | None = None) -> Conclusion:
    """Turn an adoption into undecided if the isolation was weak (rule 3); ``why`` replaces the usual reason."""
    if conclusion.decision is not Decision.ADOPT or isolation.adoptable:
        return conclusion
    weak = f"the sandbox was {isolation.tier}; results from such a sandbox cannot lead to an adoption"
    reason = said(Code.WEAK_SANDBOX, why or weak)
    return replace(conclusion, decision=Decision.UNDECIDED, reasons=(reason, *conclusion.reasons))


def _remarks(evaluation: Evaluation) -> None:
    for name in sorted(evaluation.trials.mutating):
        evaluation.warn(
            Code.TRANSFORM_MUTATES,
            f"the transform of relation {name!r} changes its input in place; this did no harm, since it received a"
            " copy, but it should copy the input itself",
        )
    for name, values in evaluation.tally.metrics.items():
        if values.missing:
            evaluation.warn(Code.METRIC_MISSING, f"metric {name!r} has no value on {values.missing} cases")
    for name in _without_effect(evaluation):
        evaluation.warn(Code.NO_EFFECT, f"{name} has no effect in {evaluation.mode} mode")
    if evaluation.changing:
        changed = len(evaluation.changing)
        evaluation.warn(Code.FLAKY, f"the candidate is flaky: run again, it answered {changed} cases differently")
    method = difference_method(evaluation.config, clustered=bool(evaluation.tally.clusters))
    if (
        evaluation.tally.clusters
        and evaluation.mode != "exact"
        and evaluation.config.ci_method not in (None, "cluster")
    ):
        evaluation.warn(
            Code.CLUSTERS_IGNORED, f"{evaluation.config.ci_method} treats cases of one cluster as independent"
        )
    named = LIBERAL.get((evaluation.mode, method))
    if named is not None and evaluation.config.sequential != "always_valid":
        evaluation.warn(Code.LIBERAL_INTERVAL, f"{method} is liberal: {named}")


def _without_effect(evaluation: Evaluation) -> list[str]:
    """Name the given options that have no effect in this mode."""
    config = evaluation.config
    if evaluation.mode == "exact":
        names = ("min_pass_rate", "violation_cap", "ci_method")
        return [name for name in names if getattr(config, name) is not None]
    return ["the baseline"] if evaluation.mode == "absolute" and evaluation.baseline is not None else []


def _verdict(asked: _Asked, evaluation: Evaluation, conclusion: Conclusion, isolation: Isolation) -> Verdict:
    return Verdict(
        candidate_id=asked.candidate_id,
        decision=conclusion.decision,
        mode=evaluation.mode,
        policy=evaluation.policy.in_mode(evaluation.mode),
        challenge=asked.challenge,
        n=evaluation.tally.n,
        n_to_decide=conclusion.n_to_decide,
        reasons=conclusion.reasons,
        intervals=conclusion.intervals,
        summaries=summaries(evaluation, asked.alpha),
        violations=conclusion.violations,
        metrics=compared_metrics(evaluation, asked.alpha),
        relations=compared_relations(evaluation),
        looks=tuple(evaluation.looks),
        warnings=tuple(evaluation.warnings),
        flaky=conclusion.flaky or bool(evaluation.changing),
        provenance=provenance(asked.spec, asked.baseline, asked.candidate, isolation, asked.seeds),
    )


@asynccontextmanager
async def _sandbox(given: Sandbox | None, config: GuardConfig) -> AsyncIterator[Sandbox]:
    """Yield the given sandbox, or open the native one for the duration of the evaluation."""
    if given is not None:
        yield given
        return
    opener = cast("OpenSandbox", resolve("mendel.sandboxes", "native"))
    async with opener(SandboxContext(workers=2 * config.parallel)) as sandbox:  # both sides run at the same time
        yield sandbox


def _waited(work: Awaitable[T]) -> T:
    """Run ``work`` to its end, even where an event loop is already running, as in a notebook."""

    async def awaited() -> T:
        return await work

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(awaited())
    with ThreadPoolExecutor(1) as pool:  # a thread of its own, since asyncio.run refuses to nest
        return pool.submit(lambda: asyncio.run(awaited())).result()


def _silent(_done: int, _whole: int) -> None:
    """Announce nothing: the default."""


@dataclass(frozen=True)
class Comparison:
    """The reports of several candidates, all compared with one baseline."""

    reports: Sequence[Report]

    @property
    def adopted(self) -> list[Report]:
        """The reports that adopt; the chance that any of these adoptions is wrong is at most alpha."""
        return [report for report in self.reports if report.adopt]


def compare(
    task: Task,
    baseline: Given | None,
    candidates: Sequence[Given],
    config: GuardConfig | None = None,
    *,
    sandbox: Sandbox | None = None,
    announce: Announce | None = None,
    **options: Any,  # noqa: ANN401 - fields of GuardConfig, checked there
) -> Comparison:
    """Judge several candidates at once, with a chance of at most alpha that any adoption is wrong.

    Holm's step-down procedure, applied to the bounds: each claim must hold at alpha divided by the number of candidates
    not adopted yet. Steps repeat until one adopts no further candidate.
    """
    return _waited(compare_async(task, baseline, candidates, config, sandbox=sandbox, announce=announce, **options))


async def compare_async(
    task: Task,
    baseline: Given | None,
    candidates: Sequence[Given],
    config: GuardConfig | None = None,
    *,
    sandbox: Sandbox | None = None,
    announce: Announce | None = None,
    **options: Any,  # noqa: ANN401 - fields of GuardConfig, checked there
) -> Comparison:
    """Do the same as :func:`compare`, in a running event loop."""
    asked = [_asked(task, baseline, each, config, None, options) for each in candidates]
    if not asked:
        raise ConfigError("there is no candidate to compare; give at least one")
    if asked[0].config.sequential != "none":
        # Holm's procedure concludes again at other alphas; a sequential test would have stopped at other cases.
        raise ConfigError("several candidates are compared on a fixed number of cases; remove the option sequential")
    async with _sandbox(sandbox, asked[0].config) as opened:
        evaluations = [_evaluation(each, opened, announce or _silent) for each in asked]
        certain = [await observed(each, asked[0].alpha) for each in evaluations]
        conclusions = _stepped_down(evaluations, certain, asked[0].alpha)
        reports = [
            await _reported(each, evaluation, conclusion)
            for each, evaluation, conclusion in zip(asked, evaluations, conclusions, strict=True)
        ]
    return Comparison(reports)


def _stepped_down(
    evaluations: Sequence[Evaluation], certain: Sequence[Conclusion | None], alpha: float
) -> list[Conclusion]:
    adopted: dict[int, Conclusion] = {}
    waiting = [place for place, known in enumerate(certain) if known is None]
    while True:
        level = alpha / max(1, len(evaluations) - len(adopted))  # no division by zero once all are adopted
        now = {place: concluded(evaluations[place], level) for place in waiting if place not in adopted}
        new = {place: each for place, each in now.items() if each.decision is Decision.ADOPT}
        if not new:
            rest = {place: _corrected_away(evaluations[place], each, alpha) for place, each in now.items()} | adopted
            return [known or rest[place] for place, known in enumerate(certain)]
        adopted |= new


def _corrected_away(evaluation: Evaluation, conclusion: Conclusion, alpha: float) -> Conclusion:
    """Add a reason if the candidate alone would have been adopted."""
    if concluded(evaluation, alpha).decision is not Decision.ADOPT:
        return conclusion
    message = (
        "judged alone it would be adopted; among several candidates, any of which might pass by chance, the evidence is"
        " too weak"
    )
    return replace(conclusion, reasons=(said(Code.NOT_AFTER_CORRECTION, message), *conclusion.reasons))
