"""Policies: the claim that a candidate must prove, and its short text form.

::

    superiority:margin=0.02        better by more than the margin
    noninferiority:margin=0.05     not worse by the margin or more
    equivalence:margin=0.05        neither worse nor better by the margin or more
    absolute:min_pass_rate=0.95    its own pass rate reaches a given rate; no baseline is needed

In exact mode the margin bounds the share of inputs on which the candidate's answer differs from the baseline's, and
superiority is about metrics. For recorded real numbers a margin is in their own unit, or in standard deviations of the
paired differences::

    superiority:margin=12.5        better by more than 12.5
    superiority:margin=0.3sd       better by more than 0.3 standard deviations
"""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from mendel.contracts.errors import ConfigError
from mendel.contracts.verdicts import Decision
from mendel.guard.statistics.samples import Bounds

PolicyKind = Literal["superiority", "noninferiority", "equivalence", "absolute"]
Mode = Literal["exact", "statistical", "absolute"]
State = Literal["cleared", "missed", "open"]

KINDS: Final[tuple[PolicyKind, ...]] = get_args(PolicyKind)
DEFAULT_POLICY: Final = "noninferiority"
DEFAULT_MARGIN: Final = 0.02
DEFAULT_PASS_RATE: Final = 0.8
MOST_DEVIATIONS: Final = 5.0
"""Upper limit of a margin in deviations: with a mean of five, one normal difference in three million is negative."""

_OVERRIDES: Final = ("margin", "min_delta", "min_pass_rate", "alpha", "power", "violation_cap")
_STANDARDISED: Final = re.compile(r"(\bmargin\s*=[^,]*?\d\.?)\s*sd\s*(?=,|$)")  # removes the unit of "margin=0.3sd"


@dataclass(frozen=True, slots=True)
class Policy:
    """A kind, its margin or rate, and options that override those of the configuration.

    ``standardised``: the margin is in standard deviations.
    """

    kind: PolicyKind = "noninferiority"
    margin: float | None = None
    min_pass_rate: float | None = None
    overrides: tuple[tuple[str, float], ...] = ()
    standardised: bool = False

    @property
    def mismatch_margin(self) -> float:
        """The share of differing inputs that must be ruled out in exact mode."""
        return DEFAULT_MARGIN if self.margin is None else self.margin

    @property
    def required_difference(self) -> float:
        """The difference of pass rates that must be exceeded."""
        if self.kind == "superiority":
            return self.margin or 0.0
        return -(DEFAULT_MARGIN if self.margin is None else self.margin)  # also the lower end for equivalence

    @property
    def required_rate(self) -> float:
        """The pass rate that the candidate must reach."""
        return DEFAULT_PASS_RATE if self.min_pass_rate is None else self.min_pass_rate

    def on_difference(self, bounds: Bounds) -> Decision:
        """Decide from bounds on the difference of pass rates."""
        needed = self.required_difference
        if self.kind == "equivalence":
            if needed < bounds.lower and bounds.upper < -needed:
                return Decision.ADOPT
            outside = bounds.upper < needed or bounds.lower > -needed
            return Decision.REJECT if outside else Decision.UNDECIDED
        return _compared(bounds, needed)

    def on_rate(self, bounds: Bounds) -> Decision:
        """Decide from bounds on the pass rate; a lower bound equal to the required rate is enough."""
        if bounds.lower >= self.required_rate:
            return Decision.ADOPT
        return Decision.REJECT if bounds.upper < self.required_rate else Decision.UNDECIDED

    def in_mode(self, mode: Mode) -> str:
        """Return the text with the margin or rate that applies in ``mode``, including a default one."""
        if mode == "absolute":
            return str(replace(self, kind="absolute", margin=None, min_pass_rate=self.required_rate))
        return str(replace(self, margin=self.mismatch_margin if mode == "exact" else abs(self.required_difference)))

    def __str__(self) -> str:
        values = {"margin": self.margin, "min_pass_rate": self.min_pass_rate, **dict(self.overrides)}
        units = {"margin": "sd"} if self.standardised else {}
        told = ",".join(
            f"{name}={_spelled(value)}{units.get(name, '')}" for name, value in values.items() if value is not None
        )
        return f"{self.kind}:{told}" if told else self.kind


def _spelled(value: float) -> str:
    return repr(value).removesuffix(".0")  # repr: reading the text gives the same float


def _compared(bounds: Bounds, needed: float) -> Decision:
    if bounds.lower > needed:
        return Decision.ADOPT
    return Decision.REJECT if bounds.upper < needed else Decision.UNDECIDED


def parse_policy(text: str, *, about: Literal["rates", "reals"] = "rates") -> Policy:
    """Parse a policy text such as ``superiority:margin=0.02``.

    A margin of rates is at least 0 and below 1. A margin of ``reals`` has no upper limit, or is in standard deviations.

    Raises:
        ConfigError: the text is invalid; the message names what is wrong and the possible values.
    """
    name, _, parameters = text.strip().partition(":")
    parameters, standardised = _STANDARDISED.subn(r"\1", parameters)
    if standardised and about == "rates":
        raise ConfigError(f"policy {text!r}: only a margin for recorded real numbers may be in standard deviations")
    kind = name.strip().lower().replace("-", "").replace("_", "")  # accepts non-inferiority and non_inferiority
    if kind not in KINDS:
        near = difflib.get_close_matches(kind, KINDS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise ConfigError(
            f"there is no policy {name!r}; known are {', '.join(KINDS)}{hint}"
            " (with a margin: noninferiority:margin=0.05; policy files are not supported yet)"
        )
    given = [_parameter(part, text) for part in parameters.split(",") if part.strip()]
    values = dict(given)
    if len(values) < len(given) or {"margin", "min_delta"} <= values.keys():
        raise ConfigError(f"policy {text!r}: a parameter is given twice (min_delta is another name for margin)")
    if values.get("violation_cap", 0.0) % 1:
        raise ConfigError(f"policy {text!r}: violation_cap must be an integer")
    beyond = 1.0 if about == "rates" else MOST_DEVIATIONS if standardised else math.inf
    return replace(_made(kind, values, text, beyond), standardised=bool(standardised))


def _parameter(part: str, text: str) -> tuple[str, float]:
    name, equals, value = (piece.strip() for piece in part.partition("="))
    if not equals or name not in _OVERRIDES:
        raise ConfigError(
            f"policy {text!r}: {part.strip()!r} is not one of {', '.join(f'{each}=…' for each in _OVERRIDES)}"
        )
    try:
        number = float(value)
    except ValueError:
        raise ConfigError(f"policy {text!r}: {name} must be a number, not {value!r}") from None
    if not math.isfinite(number):
        raise ConfigError(f"policy {text!r}: {name} must be a finite number, not {value!r}")
    return name, number


def _made(kind: PolicyKind, values: dict[str, float], text: str, beyond: float) -> Policy:
    margin = values.pop("margin", values.pop("min_delta", None))
    rate = values.pop("min_pass_rate", None)
    if margin is not None and not 0 <= margin < beyond:
        below = f" and below {beyond:g}" if math.isfinite(beyond) else ""
        raise ConfigError(f"policy {text!r}: a margin must be at least 0{below}, not {margin:g}")
    if rate is not None and not 0 < rate <= 1:
        raise ConfigError(f"policy {text!r}: a pass rate must be above 0 and at most 1, not {rate:g}")
    return Policy(kind, margin, rate, tuple(values.items()))


def policy_of_delta(min_delta: float) -> Policy:
    """Return the policy for a minimum difference: superiority above 0, non-inferiority at 0 or below."""
    if not -1 < min_delta < 1:
        raise ConfigError(f"min_delta must be between -1 and 1, not {min_delta:g}")
    return Policy("superiority", min_delta) if min_delta > 0 else Policy("noninferiority", -min_delta)


# --- required ranges of intervals ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Band:
    """The range in which an interval must lie for adoption; a missing end does not restrict it.

    ``closed``: the ends belong to the range.
    """

    low: float | None = None
    high: float | None = None
    closed: bool = False

    @property
    def ends(self) -> tuple[float, ...]:
        """The ends that exist, the lower one first."""
        return tuple(end for end in (self.low, self.high) if end is not None)

    def state(self, lower: float | None, upper: float | None) -> State:
        """Return "cleared" for an interval inside, "missed" for one outside, else "open"; None means unbounded."""
        lowest, highest = -math.inf if lower is None else lower, math.inf if upper is None else upper
        low, high = -math.inf if self.low is None else self.low, math.inf if self.high is None else self.high
        if highest < low or lowest > high:
            return "missed"
        above = self.low is None or lowest > low or (self.closed and lowest == low)
        below = self.high is None or highest < high or (self.closed and highest == high)
        return "cleared" if above and below else "open"


@dataclass(frozen=True, slots=True)
class Demand:
    """The requirements of a policy's text; none where the text cannot be parsed."""

    policy: Policy | None
    mode: str

    @classmethod
    def read(cls, policy: str, mode: str) -> Demand:
        """Parse a policy's text, for intervals of one mode; an invalid text gives a demand without requirements."""
        try:
            return cls(parse_policy(policy), mode)
        except ConfigError:
            return cls(None, mode)

    def band(self, name: str) -> Band:
        """Return the range in which the interval of that name must lie."""
        if self.policy is None:
            return Band()
        match name:
            case "mismatch_rate":
                return Band(high=self.policy.mismatch_margin, closed=True)
            case "pass_rate":
                return Band(low=self.policy.required_rate, closed=True)
            case "pass_rate_difference":
                needed = self.policy.required_difference
                return Band(low=needed, high=-needed if self.policy.kind == "equivalence" else None)
            case _:
                return Band()
