"""``python -m benchmarks.guard_calibration_table < RESULT > docs/guard_calibration.md``: write the page of a result.

RESULT is the output of ``python -m benchmarks guard_calibration --json``; only its last line is used.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from benchmarks.guard_calibration_cells import CORRELATIONS
from benchmarks.guard_calibration_jobs import COMPARED, OTHERS, PEER_ALPHA, RATES, SEQUENTIAL, STRICT, policy
from benchmarks.guard_calibration_script import BUDGET

Row = dict[str, Any]
TOLERATED: Final = 0.01
"""An interval with a larger worst excess over alpha is called liberal."""

_NAMES: Final = {
    "none": "fixed n",
    "always_valid": "always valid",
    "pocock": "Pocock",
    "obrien_fleming": "O'Brien-Fleming",
}
_POLICIES: Final = [policy(kind, margin) for kind, margin in COMPARED]

_HEAD: Final = """\
# How often the gate is wrong

This page shows how often [the gate](guard.md) adopts a candidate that it should not adopt, for users who rely on
its verdicts and for reviewers of its statistics. A gate that compares pass rates can make such errors; its `alpha`
(0.05 by default) promises an upper limit for their rate, and this page checks that promise.

Every number is a probability of adoption *at the boundary*, where the truth is exactly what the policy must not
adopt: for `superiority` a candidate that is better by exactly the margin, for `noninferiority` one that is worse by
the margin, for `equivalence` one that is off by the margin in either direction, for `absolute` a pass rate exactly
equal to the required one, and in exact mode a share of differing answers exactly equal to the margin. Further from
it, false adoptions are rarer. Numbers up to alpha are right; a much smaller number means that the gate is more
careful than it promised, at the price of some power.

## Method

Every decision comes from the public `mendel.guard.run`, with a sandbox that plays back scripted answers instead of
running anything. A run sees `n` cases; each is passed by both sides, by one of them or by neither.

* *Enumeration*: some intervals depend only on the counts of such cases. For these, the smallest count at which the
  gate adopts is found: for each count of cases that only the baseline passes, scripts on both sides of the edge are
  run. The probabilities of the counts are exact (a multinomial distribution, carried from look to look in
  sequential tests), so the result has no sampling error. Each script has its own order of cases and its own share
  of cases that both sides fail; an edge that depended on either would show.
* *Stratified simulation*: resampling intervals also depend on the order of the cases. Near the edge, the share of
  random orders that are adopted is measured for each count (with fixed seeds); the probabilities of the counts are
  again exact. The standard error is below {error:.4f}.
* *Checks*: in addition, {checks:,} experiments were drawn case by case and run; their decisions were compared with
  the prediction: {disagreements}.

This page is based on {runs:,} runs of the gate. The pass rates of the better side are {rates}; the other side's is
lower by the margin. *Correlation* is that of both sides' outcomes on the same case: none, half of the largest that
the two rates allow, and the largest. With a pass rate of 1 the three are the same. A sequential test has {looks}
looks.

To measure again (about 80 minutes on two cores at full size), and to write this page from the result:

    python -m benchmarks guard_calibration --json > result.json
    python -m benchmarks.guard_calibration_table < result.json > docs/guard_calibration.md
"""


def main() -> None:
    """Read a result from stdin and write the page to stdout."""
    print(page(json.loads(sys.stdin.read().splitlines()[-1])), end="")


def page(result: Row) -> str:
    """Return the page of a result."""
    raw = result["raw"]
    cells: list[Row] = raw["cells"]
    default = [row for row in cells if row["part"] == "default"]
    others = [row for row in cells if row["part"] == "others"]
    parts = [
        _head(raw, cells),
        *_figures(result["figures"]),
        *_worst_defaults([row for row in default if row["alpha"] == BUDGET]),
        *_all_defaults([row for row in default if row["alpha"] == BUDGET]),
        *_stricter([row for row in default if row["alpha"] == STRICT]),
        *_others(others),
        *_power(raw["power"], raw["beside"], raw["peer"]),
        *_families(raw["families"]),
        *_samples(raw["samples"]),
    ]
    return "\n".join(parts) + "\n"


def _head(raw: Row, cells: Sequence[Row]) -> str:
    told = [f"{count} of the {how} were decided otherwise" for how, count in raw["disagreements"].items()]
    return _HEAD.format(
        error=max(row["standard_error"] for row in cells) + 0.00005,
        checks=raw["checks"],
        disagreements=", ".join(told),
        runs=raw["runs"],
        rates=", ".join(f"{rate:g}" for rate in RATES),
        looks=5,
    )


def _figures(figures: Row) -> Iterator[str]:
    yield "## Figures\n"
    yield "| figure | value | aim | means |\n|-|-|-|-|"
    means = {
        "worst_excess": "the largest false adoption rate minus alpha, over every policy with its default interval,"
        " every n, rate, correlation and sequential method below",
        "familywise": "the probability that any of fifty challengers of one niche, all at the boundary, is adopted;"
        " alpha is 0.05 for all together",
        "samples_share": "for recorded samples, the largest false adoption rate as a share of the challenge's alpha, at"
        " the first and at the thousandth challenge",
    }
    for name, figure in figures.items():
        yield f"| `{name}` | {figure['value']:.4f} | {figure['aim']} | {means[name]} |"
    yield ""


# --- the defaults --------------------------------------------------------------------------------------------


def _worst_defaults(rows: Sequence[Row]) -> Iterator[str]:
    yield "## Default intervals: the worst cell\n"
    yield (
        "The largest probability of a false adoption over the pass rates and correlations, alpha = 0.05. `statistical`"
        " mode uses Tango's score interval, confirmed at the margin by an exact test (`tango`). Always-valid tests use"
        " a betting martingale (`betting`); `absolute` and exact mode use Clopper and Pearson's interval. An empty cell"
        " was not measured. A sequential test in exact mode stops at the fewest cases that show the margin, so it is a"
        " test with a fixed n.\n"
    )
    numbers = _numbers(rows)
    yield _header(["policy", "test", *(f"n = {n:,}" for n in numbers)])
    for name, sequential, group in _by_test(rows):
        found = [_largest(row for row in group if row["n"] == n) for n in numbers]
        yield _line([f"`{name}`", _NAMES[sequential], *found])
    yield ""


def _by_test(rows: Sequence[Row]) -> Iterator[tuple[str, str, list[Row]]]:
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        groups[_policy(row), row["sequential"]].append(row)
    order = [*_POLICIES, *sorted({_policy(row) for row in rows} - set(_POLICIES))]
    for name in order:
        for sequential in ("none", *SEQUENTIAL):
            if (name, sequential) in groups:
                yield name, sequential, groups[name, sequential]


def _policy(row: Row) -> str:
    """Return the policy's name: exact mode is marked, and all rates of ``absolute`` are one group."""
    if row["mode"] == "absolute":
        return "absolute"
    return f"{row['policy']} (exact mode)" if row["mode"] == "exact" else str(row["policy"])


def _all_defaults(rows: Sequence[Row]) -> Iterator[str]:
    yield "## Default intervals: every cell\n"
    yield (
        "For each pass rate: without / with half / with the largest correlation. For `equivalence` the worse of its two"
        " ends is shown; `absolute` and exact mode have no second side to correlate with.\n"
    )
    yield _header(["policy", "test", "n", *(f"rate {rate:g}" for rate in RATES)])
    for name, sequential, group in _by_test([row for row in rows if row["mode"] != "exact"]):
        for n in _numbers(group):
            at = [[row for row in group if row["n"] == n and _rate(row) == rate] for rate in RATES]
            yield _line([f"`{name}`", _NAMES[sequential], f"{n:,}", *map(_correlations, at)])
    yield ""


def _rate(row: Row) -> float:
    candidate, baseline = float(row["candidate"]), float(row["baseline"])
    return candidate if row["mode"] == "absolute" else max(candidate, baseline)


def _correlations(rows: Sequence[Row]) -> str:
    if rows and rows[0]["mode"] == "absolute":
        return _largest(rows)
    return " / ".join(_largest(row for row in rows if row["correlation"] == each) for each in CORRELATIONS)


def _stricter(rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        return
    yield f"## Default intervals at alpha = {STRICT:g}\n"
    yield "The worst cell, fixed n.\n"
    numbers = _numbers(rows)
    yield _header(["policy", *(f"n = {n:,}" for n in numbers)])
    for name, _, group in _by_test(rows):
        yield _line([f"`{name}`", *(_largest((row for row in group if row["n"] == n), 5) for n in numbers)])
    yield ""


# --- the others ----------------------------------------------------------------------------------------------


def _others(rows: Sequence[Row]) -> Iterator[str]:
    yield "## Other intervals\n"
    yield (
        "The worst cell for each choice of `ci_method`, fixed n, alpha = 0.05. Slow methods are measured on fewer n"
        f" (empty: not measured). A method with a worst excess above {TOLERATED:g} is called *liberal*: its help says"
        " so, and the gate warns when it is chosen. `cluster` has clusters of one case.\n"
    )
    compared = [row for row in rows if row["mode"] == "statistical"]
    numbers = _numbers(compared)
    yield _header(["`ci_method`", "policy", *(f"n = {n:,}" for n in numbers)])
    for method in OTHERS:
        for name, _, group in _by_test([row for row in compared if row["interval"] == method]):
            yield _line([f"`{method}`", f"`{name}`", *(_largest(_at(group, n)) for n in numbers)])
    yield ""
    yield from _absolute_others([row for row in rows if row["mode"] == "absolute"])
    yield from _verdicts(rows)


def _at(rows: Iterable[Row], n: int) -> Iterator[Row]:
    return (row for row in rows if row["n"] == n)


def _absolute_others(rows: Sequence[Row]) -> Iterator[str]:
    numbers = _numbers(rows)
    yield _header(["`ci_method`, `absolute`", "required rate", *(f"n = {n:,}" for n in numbers)])
    for method in ("wilson", "bayesian"):
        for rate in RATES:
            group = [row for row in rows if row["interval"] == method and row["candidate"] == rate]
            yield _line([f"`{method}`", f"{rate:g}", *(_largest(_at(group, n)) for n in numbers)])
    yield ""


def _verdicts(rows: Sequence[Row]) -> Iterator[str]:
    yield _header(["interval", "compares", "worst false adoption", "worst excess", "where", "liberal"])
    for method in OTHERS:
        for mode, compares in (("statistical", "two sides"), ("absolute", "one rate")):
            group = [row for row in rows if row["interval"] == method and row["mode"] == mode]
            if group:
                worst = max(group, key=lambda row: float(row["adoption"]))
                excess = worst["adoption"] - worst["alpha"]
                called = "**yes**" if excess > TOLERATED else "no"
                yield _line(
                    [f"`{method}`", compares, f"{worst['adoption']:.4f}", f"{excess:+.4f}", _where(worst), called]
                )
    yield ""


def _where(row: Row) -> str:
    return f"`{row['policy']}`, n = {row['n']:,}, rate {_rate(row):g}, correlation {row['correlation']}"


# --- power and families --------------------------------------------------------------------------------------


def _power(ours: Sequence[Row], beside: Sequence[Row], peer: Sequence[Row]) -> Iterator[str]:
    yield "## Power, compared with a peer\n"
    yield (
        "The probability of adopting a candidate with a pass rate of 95 % if the baseline's is 90 %, n = 400, by"
        f" correlation. The peer is `metamorphic-guard` {peer[0]['version']}, with its own bootstrap interval and"
        f" decision, on {peer[0]['times']:,} drawn experiments each. Its interval is two-sided at 0.05, so it spends"
        f" {PEER_ALPHA:g} on a false adoption; ours is shown at that level too. By default the peer rejects a candidate"
        " for a single violated property, and so nearly every candidate that sometimes fails; with `violation_cap = 0`"
        " its rates decide.\n"
    )
    yield _header(["gate", "`superiority:margin=0`", "`superiority:margin=0.02`"])
    tests = sorted({(row["sequential"], -row["alpha"]) for row in ours}, key=lambda each: (_order(each[0]), each[1]))
    for sequential, negative in tests:
        group = [row for row in ours if (row["sequential"], -row["alpha"]) == (sequential, negative)]
        yield _line([f"ours, {_NAMES[sequential]}, alpha = {-negative:g}", *_by_correlation(group, "adoption")])
    better = [row for row in peer if row["candidate"] > row["baseline"]]
    yield _line(["peer, its rates alone", *_by_correlation(better, "adopted_by_rates")])
    yield _line(["peer, by default", *_by_correlation(better, "adopted")])
    yield ""
    yield from _beside(beside, peer)


def _order(sequential: str) -> int:
    return ("none", *SEQUENTIAL).index(sequential)


def _by_correlation(rows: Sequence[Row], key: str) -> Iterator[str]:
    for name in _POLICIES[:2]:
        found = {row["correlation"]: row[key] for row in rows if row["policy"] == name}
        yield " / ".join(f"{found[each]:.3f}" for each in CORRELATIONS)


def _beside(ours: Sequence[Row], peer: Sequence[Row]) -> Iterator[str]:
    yield "Candidates that must *not* be adopted (independent outcomes, fixed n, ours at alpha = 0.05):\n"
    yield _header(["policy", "n", "candidate", "baseline", "ours", "peer, its rates alone", "peer, by default"])
    for row in sorted(ours, key=lambda each: (each["policy"], each["n"], each["candidate"])):
        same = ("policy", "n", "candidate", "baseline")
        theirs = next(each for each in peer if all(each[key] == row[key] for key in same))
        told = [f"{row['adoption']:.4f}", f"{theirs['adopted_by_rates']:.3f}", f"{theirs['adopted']:.3f}"]
        yield _line([f"`{row['policy']}`", row["n"], f"{row['candidate']:g}", f"{row['baseline']:g}", *told])
    yield ""


def _families(rows: Sequence[Row]) -> Iterator[str]:
    yield "## Fifty challengers\n"
    yield (
        "Within a run, the k-th challenge of a niche spends alpha · 6 / (π² k²) (`Challenge.nth`). Fifty challengers,"
        " all at the boundary in the same cell, are judged independently. The table shows the probability that *any* of"
        " them is adopted, for the worst cell of each policy:\n"
    )
    yield _header(["policy", "test", "n", "any adoption", "rate", "correlation"])
    groups: dict[tuple[str, str, int], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["policy"], row["sequential"], row["n"]].append(row)
    for (name, sequential, n), group in sorted(groups.items(), key=lambda each: (_order(each[0][1]), each[0])):
        worst = max(group, key=lambda row: float(row["any_adoption"]))
        rate = max(worst["candidate"], worst["baseline"])
        told = [f"{worst['any_adoption']:.4f}", f"{rate:g}", worst["correlation"]]
        yield _line([f"`{name}`", _NAMES[sequential], n, *told])
    yield ""


# --- recorded samples ----------------------------------------------------------------------------------------


def _samples(raw: Row) -> Iterator[str]:
    yield "## Recorded samples\n"
    yield (
        "The same for `judge_samples`, at the first and at the thousandth challenge of a niche; the alpha of the latter"
        " is too small for simulation. The table shows the probability of a false adoption at the boundary *as a"
        " share of the challenge's alpha*: the promise is at most 1, and 0 means that no result would be enough. For"
        " each number of cases against the candidate, the public call was used to find how many cases in its favour it"
        " takes to adopt; the samples had their own order, sizes, operations and repeats, and the probabilities of the"
        " numbers are exact. The worst of several truths is shown: for paired outcomes the pass rates and correlations"
        " above, and pairs of which none, half or nine tenths agree; for a median, cases with and without values on the"
        " margin; for a mean, distributions on both bounds and a value between; for deviations, a normal"
        " difference, and others that are often zero. In a *repeated* claim, every case that was not in favour of the"
        " candidate was repeated until it was, and all of its samples were submitted."
        f" This took {raw['asked']:,} calls; of {raw['checks']:,} experiments that were drawn case by case,"
        f" {raw['disagreements']} were decided otherwise than predicted.\n"
    )
    rows: list[Row] = raw["settings"]
    for challenge in sorted({row["challenge"] for row in rows}):
        here = [row for row in rows if row["challenge"] == challenge]
        numbers = _numbers(here)
        yield f"Challenge {challenge:,}, alpha = {here[0]['alpha']:.3g}:\n"
        yield _header(["claim", "policy", "method", *(f"n = {n:,}" for n in numbers)])
        for claim, name, method in sorted({(row["claim"], row["policy"], row["method"]) for row in here}):
            group = [row for row in here if (row["claim"], row["policy"], row["method"]) == (claim, name, method)]
            shares = [
                f"{max(row['adoption'] / row['alpha'] for row in at):.3f}" if (at := list(_at(group, n))) else ""
                for n in numbers
            ]
            yield _line([claim, f"`{name}`", f"`{method}`", *shares])
        yield ""


# --- Markdown ------------------------------------------------------------------------------------------------


def _numbers(rows: Iterable[Row]) -> list[int]:
    return sorted({int(row["n"]) for row in rows})


def _largest(rows: Iterable[Row], digits: int = 4) -> str:
    found = [float(row["adoption"]) for row in rows]
    return f"{max(found):.{digits}f}" if found else ""


def _header(names: Sequence[str]) -> str:
    return f"{_line(names)}\n{'|-' * len(names)}|"


def _line(parts: Iterable[object]) -> str:
    return "| " + " | ".join(map(str, parts)) + " |"


if __name__ == "__main__":
    main()
