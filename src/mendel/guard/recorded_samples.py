"""Judging recorded samples: the gate for domains whose cases are not run by the gate itself.

Examples are answers scored by judges, and raced worlds. The caller supplies data only: alpha comes from the challenge,
the claim from the policy, and the domain's registration says whether untrusted code took part. The verdict has the same
form as for programs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from math import isfinite
from statistics import mean
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, cast, get_args

from pydantic import JsonValue, TypeAdapter, ValidationError

from mendel.contracts.base import JsonObject
from mendel.contracts.errors import ConfigError, SamplesRefused
from mendel.contracts.evaluations import Isolation
from mendel.contracts.ids import CandidateId, OperationId
from mendel.contracts.plain_values import spelled
from mendel.contracts.verdicts import Challenge, Decision, Provenance, Reason, SampleProvenance, Verdict
from mendel.guard.codes import Code
from mendel.guard.evaluation import Conclusion, said
from mendel.guard.gate import MOST_ALPHA, held_back
from mendel.guard.intervals import interval
from mendel.guard.policy import Mode, Policy, parse_policy
from mendel.guard.provenance import sample_provenance
from mendel.guard.sample_claims import (
    Claim,
    difference_claim,
    mean_claim,
    median_claim,
    rate_claim,
    standardised_claim,
)
from mendel.guard.statistics.samples import Paired

SampleMode = Literal["absolute", "paired_outcomes", "paired_reals"]
"""The values per case: passed or not for the candidate, passed or not for both sides, a number for both sides."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The recorded result of one case.

    ``case`` is fresh for every challenge, and its id begins with the challenge's number, as in ``"3/world-1"``.
    ``operation`` is the id of the logged operation that recorded it. ``candidate`` and, in a comparison, ``champion``
    hold each side's result: passed or not, or a number. ``isolation`` is that of the untrusted code that ran for the
    case, None where none ran.
    """

    case: str
    operation: OperationId
    candidate: bool | float
    champion: bool | float | None = None
    isolation: Isolation | None = None


def judge_samples(
    samples: Iterable[Sample],
    *,
    mode: SampleMode,
    candidate_id: CandidateId,
    challenge: Challenge,
    policy: str,
    sandboxed: bool,
    used_cases: Collection[str],
    bounds: tuple[float, float] | None = None,
) -> Verdict:
    """Judge a candidate by recorded samples.

    Repeats of a case count as one case and can only widen the bounds: the lower bound uses the worst repeat for the
    candidate, the upper bound the best one. The number of cases must be fixed before the first case is seen. If the
    cases are too few for any adoption, the verdict is undecided and names the number that could be enough.

    Args:
        samples: The samples, in any order.
        mode: The kind of values in the samples.
        candidate_id: The candidate to judge.
        challenge: The niche of this challenge and its number there (rule 10); its alpha limits wrong adoptions.
        policy: The claim: ``absolute:min_pass_rate=0.9`` in absolute mode, else a comparison such as
            ``superiority:margin=0.02``. In ``paired_reals`` the margin is in the numbers' unit, or in standard
            deviations of the differences (``0.3sd``). In ``paired_outcomes``, ``min_pass_rate`` is an additional floor.
        sandboxed: ``Domain.sandboxed`` of the domain's registration; the kernel refuses a verdict made with another
            value. If true, nothing is adopted unless each sample has isolation.
        used_cases: Further cases that must not be used again. Cases of earlier challenges need not be listed: their
            ids begin with another number.
        bounds: The range of every number in ``paired_reals``, declared by the domain before it sees any. With bounds
            the claim is about the mean difference, without them about the median.

    Raises:
        ConfigError: the mode is unknown, the policy is invalid or not for this mode, or the candidate's id is invalid.
        SamplesRefused: a case is not fresh or not named for its challenge, or a value has the wrong kind.
    """
    _check_call(mode, candidate_id, challenge, used_cases)
    asked = _asked(policy, mode, bounds)
    recorded = list(samples)
    _check_kinds(recorded)
    _check_cases(recorded, challenge.k, used_cases)
    _check_values(recorded, mode, bounds)
    cases = _by_case(recorded, mode)
    conclusion = _concluded(cases, asked, challenge.alpha, mode, bounds)
    isolation = _weakest(recorded, sandboxed=sandboxed)
    if isolation is not None:
        conclusion = held_back(conclusion, isolation, _missing(recorded) if isolation is NO_ISOLATION else None)
    told: Mode = "absolute" if mode == "absolute" else "statistical"
    return Verdict(
        candidate_id=candidate_id,
        decision=conclusion.decision,
        mode=told,
        policy=asked.in_mode(told),
        challenge=challenge,
        n=len(cases),
        n_to_decide=conclusion.n_to_decide,
        reasons=conclusion.reasons,
        intervals=conclusion.intervals,
        summaries=_summaries(cases, mode),
        provenance=_provenance(recorded, cases, [mode, str(asked), bounds], isolation, sandboxed=sandboxed),
    )


# --- the request -------------------------------------------------------------------------------------------


def _check_call(mode: str, candidate_id: str, challenge: Challenge, used_cases: Collection[str]) -> None:
    if mode not in get_args(SampleMode):
        raise ConfigError(f"mode {mode!r} is unknown; it must be one of {', '.join(get_args(SampleMode))}")
    if not 0 < challenge.alpha < MOST_ALPHA:
        raise ConfigError(f"the alpha of a challenge must be in (0, {MOST_ALPHA}), not {challenge.alpha}")
    if isinstance(used_cases, str):
        raise ConfigError(f"used_cases is a collection of case ids, not one string ({used_cases[:60]!r})")
    try:
        _CANDIDATE_ID.validate_python(candidate_id)
    except ValidationError as error:
        raise ConfigError(f"candidate_id {candidate_id!r}: {error.errors()[0]['msg']}") from error


_CANDIDATE_ID: Final[TypeAdapter[str]] = TypeAdapter(CandidateId)


def _asked(policy: str, mode: SampleMode, bounds: tuple[float, float] | None) -> Policy:
    asked = parse_policy(policy, about="reals" if mode == "paired_reals" else "rates")
    problem = _unfit(asked, mode, bounds)
    if problem is not None:
        raise ConfigError(f"policy {policy!r}: {problem}")
    return asked


def _unfit(asked: Policy, mode: SampleMode, bounds: tuple[float, float] | None) -> str | None:
    """Return why the policy does not fit this mode, or None if it fits."""
    if (asked.kind == "absolute") != (mode == "absolute"):
        return f"it cannot be used with {mode} samples"
    if asked.overrides:
        return f"{asked.overrides[0][0]} has no effect on recorded samples; alpha comes from the challenge"
    if mode != "paired_reals":
        return None if bounds is None else "only paired_reals takes bounds"
    if asked.min_pass_rate is not None:
        return "real numbers have no pass rate"
    if asked.margin is None and asked.kind != "superiority":
        return "give a margin; there is no default for numbers, since their unit is unknown"
    if bounds is None:
        return None
    if asked.standardised:
        return "a margin in standard deviations is tested by signs, which need no bounds; remove the bounds"
    return None if _bounding(bounds) else f"bounds must be two increasing numbers, not {bounds}"


def _bounding(bounds: Sequence[object]) -> bool:
    match bounds:
        case (float() | int() as low, float() | int() as high):
            return -MOST_BOUND < low < high < MOST_BOUND
    return False


MOST_BOUND: Final = 1e150
"""Limit for the size of numbers: larger ones would have differences that no float can hold."""


# --- checks of the samples ---------------------------------------------------------------------------------


def _check_kinds(recorded: Sequence[object]) -> None:
    for place, each in enumerate(recorded):
        if not isinstance(each, Sample):
            raise SamplesRefused(f"samples[{place}] is {_kind(each)}, not a Sample")
        named: dict[str, object] = {"case": each.case, "operation": each.operation}
        for name, value in named.items():
            if not isinstance(value, str):
                raise SamplesRefused(f"samples[{place}].{name} is {_kind(value)}, not a string")


def _kind(value: object) -> str:
    kind = type(value).__name__
    return "None" if value is None else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _check_cases(recorded: Sequence[Sample], k: int, used: Collection[str]) -> None:
    """Check that cases are fresh: the challenge's number in their ids is unique in the niche."""
    known, begin = frozenset(used), f"{k}/"
    for case in dict.fromkeys(sample.case for sample in recorded):
        if not case:
            raise SamplesRefused("a sample has an empty case id")
        if not case.startswith(begin) or case == begin:
            raise SamplesRefused(
                f"case {case!r} is not named for challenge {k}; its id must begin with {begin!r}, so that it is fresh"
            )
        if case in known:
            raise SamplesRefused(f"case {case!r} was used before; use fresh cases")


def _check_values(recorded: Sequence[Sample], mode: SampleMode, bounds: tuple[float, float] | None) -> None:
    for sample in recorded:
        problem = _problem(sample, mode, bounds)
        if problem is not None:
            raise SamplesRefused(f"case {sample.case!r}: {problem}")


def _problem(sample: Sample, mode: SampleMode, bounds: tuple[float, float] | None) -> str | None:
    """Return what is wrong with a sample's values, or None."""
    if not isinstance(cast("object", sample.isolation), Isolation | None):
        return f"isolation must be the Isolation that the sandbox returned, or None, not {sample.isolation!r}"
    if mode == "absolute" and sample.champion is not None:
        return "absolute samples have no champion value; leave it None"
    sides = (sample.candidate,) if mode == "absolute" else (sample.candidate, sample.champion)
    if mode != "paired_reals":
        kinds = all(isinstance(side, bool) for side in sides)
        return None if kinds else f"the outcome of each side must be True or False, not {sides}"
    low, high = bounds or (-MOST_BOUND, MOST_BOUND)
    for side in sides:
        if isinstance(side, bool) or not isinstance(side, int | float) or not _finite(side):
            return f"the value of each side must be a finite number, not {side!r}"
        if not low <= side <= high:
            return (
                f"{side if -MOST_BOUND < side < MOST_BOUND else 'a number'} is outside the bounds {low:g} and {high:g}"
            )
    return None


def _finite(side: object) -> bool:
    """Return whether a number is finite; an integer always is, even one too large for a float."""
    return not isinstance(side, float) or isfinite(side)


class _Sides(NamedTuple):
    """The results of both sides on one case; an outcome is 1 or 0."""

    candidate: float
    champion: float

    @property
    def difference(self) -> float:
        return self.candidate - self.champion


class _Case(NamedTuple):
    """A case with all its repeats: the result that favours the candidate least, and the one that favours it most."""

    case: str
    least: _Sides
    most: _Sides


def _by_case(recorded: Sequence[Sample], mode: SampleMode) -> list[_Case]:
    """Combine the repeats of each case; the result is ordered by case id.

    Rejected: the mean of the repeats, and the minimum on both sides. With either, repeating a case until the result is
    favourable would make adoption certain.
    """
    # This is valid however often a case is repeated: least <= first sample <= most in every case, and bounds are
    # monotone in each case. So the lower bound is at most, and the upper bound at least, that of the first samples
    # alone. Those are one unselected draw per case, for which a bound is wrong with a chance of at most alpha.
    repeats: dict[str, list[_Sides]] = {}
    for sample in recorded:
        sides = _Sides(float(sample.candidate), float(sample.champion or 0.0))
        repeats.setdefault(sample.case, []).append(sides)
    ranged = _numbers if mode == "paired_reals" else _outcomes
    return [_Case(case, *ranged(same)) for case, same in sorted(repeats.items())]


def _numbers(same: Sequence[_Sides]) -> tuple[_Sides, _Sides]:
    ordered = sorted(same, key=lambda sides: (sides.difference, sides))
    return ordered[0], ordered[-1]


def _outcomes(same: Sequence[_Sides]) -> tuple[_Sides, _Sides]:
    """Take the extremes of each side separately, since a floor applies to the candidate's pass rate alone."""
    candidate, champion = zip(*same, strict=True)
    return _Sides(min(candidate), max(champion)), _Sides(max(candidate), min(champion))


# --- the decision ------------------------------------------------------------------------------------------


def _claims(
    cases: Sequence[_Case], asked: Policy, alpha: float, mode: SampleMode, bounds: tuple[float, float] | None
) -> list[Claim]:
    """Build the claims, all of which must hold, each at alpha.

    They need no correction: a wrong adoption requires at least one false claim to pass its own test.
    """
    passed, at_most = ([sides.candidate == 1.0 for sides in each] for each in _readings(cases))
    rate = partial(rate_claim, passed, asked, alpha, at_most=at_most)
    if mode == "absolute":
        return [rate()]
    if mode == "paired_outcomes":
        least, most = (Paired.of((left == 1.0, right == 1.0) for left, right in each) for each in _readings(cases))
        compared = difference_claim(least, asked, alpha, at_most=most)
        return [compared, *([rate()] if asked.min_pass_rate is not None else [])]
    differences, largest = ([sides.difference for sides in each] for each in _readings(cases))
    if asked.standardised:
        return [standardised_claim(differences, asked, alpha, at_most=largest)]
    if bounds is None:
        return [median_claim(differences, asked, alpha, at_most=largest)]
    return [mean_claim(differences, asked, alpha, bounds[1] - bounds[0], at_most=largest)]


def _readings(cases: Sequence[_Case]) -> tuple[list[_Sides], list[_Sides]]:
    return [case.least for case in cases], [case.most for case in cases]


def _concluded(
    cases: Sequence[_Case], asked: Policy, alpha: float, mode: SampleMode, bounds: tuple[float, float] | None
) -> Conclusion:
    if not cases:
        return Conclusion(Decision.UNDECIDED, (said(Code.TOO_FEW_CASES, "there are no samples"),))
    claims = _claims(cases, asked, alpha, mode, bounds)
    intervals = tuple(interval(each.name, each.bounds, alpha, each.method) for each in claims)
    if not all(claim.possible(len(cases)) for claim in claims):
        least = [claim.fewest_cases() for claim in claims]
        needed = None if None in least else max(each for each in least if each is not None)
        return Conclusion(Decision.UNDECIDED, (_too_few(len(cases), needed, alpha),), intervals, n_to_decide=needed)
    decision = _together([claim.decision for claim in claims])
    reasons = [_reason(claim, asked, alpha, len(cases)) for claim in claims]
    reasons.sort(key=lambda reason: reason.code in ADOPTED)  # reasons against adoption come first
    return Conclusion(decision, tuple(reasons), intervals)


def _too_few(n: int, needed: int | None, alpha: float) -> Reason:
    how = "no number of cases can" if needed is None else f"{needed} could be enough"
    return said(
        Code.TOO_FEW_CASES, f"{n} cases cannot prove the claim at alpha {alpha:.3g}, whatever their results; {how}"
    )


def _together(decisions: Sequence[Decision]) -> Decision:
    """Adopt if all decisions are adopt, reject if one is reject."""
    if Decision.REJECT in decisions:
        return Decision.REJECT
    return Decision.UNDECIDED if Decision.UNDECIDED in decisions else Decision.ADOPT


_CODES: Final[Mapping[str, tuple[Code, Code]]] = MappingProxyType(
    {
        "superiority": (Code.SUPERIOR, Code.NOT_SUPERIOR),
        "noninferiority": (Code.NONINFERIOR, Code.INFERIOR),
        "equivalence": (Code.EQUIVALENT, Code.NOT_EQUIVALENT),
        "pass_rate": (Code.RATE_REACHED, Code.RATE_TOO_LOW),
    }
)
ADOPTED: Final = frozenset(code for code, _ in _CODES.values())


def _reason(claim: Claim, asked: Policy, alpha: float, n: int) -> Reason:
    adopted, rejected = _CODES.get(claim.name, _CODES.get(asked.kind, (Code.RATE_REACHED, Code.RATE_TOO_LOW)))
    bounds = claim.bounds
    sides = " to ".join(
        _number(side, claim) if isfinite(side) else "unbounded" for side in (bounds.lower, bounds.upper)
    )
    seen = (
        f"the {claim.name.replace('_', ' ')} is {_number(bounds.estimate, claim)} ({sides}, alpha {alpha:.3g} a side)"
    )
    message = f"{seen}; {_required(claim, asked)}"
    match claim.decision:
        case Decision.ADOPT:
            return said(adopted, message)
        case Decision.REJECT:
            return said(rejected, message)
        case _:
            return said(Code.NOT_SHOWN, f"{message}; {n} cases do not settle it")


def _required(claim: Claim, asked: Policy) -> str:
    if claim.name == "pass_rate":
        return f"at least {_number(asked.required_rate, claim)} is required"
    needed = _number(asked.required_difference, claim)
    return (
        f"within ±{needed.removeprefix('-')} is required"
        if asked.kind == "equivalence"
        else f"more than {needed} is required"
    )


def _number(value: float, claim: Claim) -> str:
    return f"{value:.2%}" if claim.unit == "%" else f"{value:.4g}{claim.unit}"


# --- summaries and provenance ------------------------------------------------------------------------------


def _summaries(cases: Sequence[_Case], mode: SampleMode) -> JsonObject:
    sides = {"candidate": [case.least.candidate for case in cases]}
    if mode != "absolute":
        sides["baseline"] = [case.least.champion for case in cases]
    return {name: _side(values, mode) for name, values in sides.items()}


def _side(values: Sequence[float], mode: SampleMode) -> dict[str, JsonValue]:
    n, average = len(values), mean(values) if values else None
    if mode == "paired_reals":
        return {"n": n, "mean": average}
    return {"n": n, "passes": round(sum(values)), "pass_rate": average}


NO_ISOLATION: Final = Isolation("weak", (), "", {"isolation": "a sample was recorded without any"})


def _weakest(recorded: Sequence[Sample], *, sandboxed: bool) -> Isolation | None:
    """Return the weakest isolation among the samples; None where none is needed and none was given."""
    found = [each.isolation for each in recorded if each.isolation is not None]
    if sandboxed and len(found) < len(recorded):
        return NO_ISOLATION
    return min(found, key=_strength, default=None)


def _missing(recorded: Sequence[Sample]) -> str:
    without = sum(each.isolation is None for each in recorded)
    return (
        f"no isolation was given for {without} of {len(recorded)} samples, and the domain is sandboxed; give each"
        " sample the isolation that the sandbox returned"
    )


_TIERS: Final = ("weak", "landlock", "namespaces", "full")  # from the weakest to the strongest


def _strength(isolation: Isolation) -> tuple[int, int, str, str]:
    told = f"{isolation.layers} {sorted(isolation.missing.items())}"
    return _TIERS.index(isolation.tier), len(isolation.layers), isolation.backend, told


def _distinct(least: float, most: float) -> tuple[float, ...]:
    return (least,) if least == most else (least, most)


def _provenance(
    recorded: Sequence[Sample],
    cases: Sequence[_Case],
    asked: object,
    isolation: Isolation | None,
    *,
    sandboxed: bool,
) -> Provenance:
    compared = any(sample.champion is not None for sample in recorded)
    try:
        origin = SampleProvenance(
            recorded=len(recorded),
            operations=tuple(sorted({sample.operation for sample in recorded})),
            cases=sha256(spelled([case.case for case in cases])).hexdigest(),
            sandboxed=sandboxed,
        )
    except ValidationError as error:
        raise SamplesRefused("the operation of a sample is not the id of an operation in the log") from error
    return sample_provenance(
        asked,
        [[case.case, *_distinct(case.least.candidate, case.most.candidate)] for case in cases],
        [[case.case, *_distinct(case.least.champion, case.most.champion)] for case in cases] if compared else None,
        isolation,
        origin,
    )
