"""The configuration of the gate, from arguments, a mapping or a TOML file."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from mendel.contracts.base import Contract
from mendel.contracts.errors import ConfigError
from mendel.guard.policy import DEFAULT_POLICY, Mode, Policy, parse_policy, policy_of_delta

CiMethod = Literal["tango", "exact", "newcombe", "wilson", "bca", "studentised", "cluster", "bayesian", "permutation"]
Sequential = Literal["none", "always_valid", "pocock", "obrien_fleming"]
Correction = Literal["holm", "hochberg", "bh", "none"]

SECTIONS: Final = ("guard", "metamorphic_guard")
LATER: Final = frozenset(
    {
        "monitors",
        "monitor_specs",
        "alert_webhooks",
        "alert_metadata",
        "dispatcher",
        "queue_config",
        "executor",
        "executor_config",
        "sandbox_plugins",
    }
)
"""Options for monitors, alerts, queues and plugins, which do not exist yet; they are refused by name."""

ALIASES: Final = MappingProxyType(
    {
        "power_target": "power",
        "sequential_method": "sequential",
        "max_looks": "looks",
        "relation_correction": "correction",
    }
)
"""Other names of an option in existing configurations."""


class GuardConfig(Contract):
    """The options of one evaluation; the command line has the same defaults."""

    n: Annotated[int, Field(ge=1, le=10_000_000)] = 400
    seed: int = 42
    mode: Mode | None = None
    policy: str | None = None
    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    min_delta: Annotated[float, Field(gt=-1, lt=1)] | None = None
    min_pass_rate: Annotated[float, Field(gt=0, le=1)] | None = None
    power: Annotated[float, Field(gt=0, lt=1)] = 0.8
    violation_cap: Annotated[int, Field(ge=0)] | None = None
    ci_method: CiMethod | None = None
    sequential: Sequential = "none"
    looks: int | tuple[int, ...] = 5
    correction: Correction = "holm"
    parallel: Annotated[int, Field(ge=0, le=1024)] = 0
    timeout_s: Annotated[float, Field(ge=0.001, le=3600)] = 2.0
    mem_mb: Annotated[int, Field(ge=16, le=1 << 20)] = 512
    result_mb: Annotated[int, Field(ge=1, le=64)] = 16
    metrics: tuple[str, ...] | None = None
    bootstrap_samples: Annotated[int, Field(ge=100, le=1_000_000)] = 2_000
    timing_samples: Annotated[int, Field(ge=3, le=1_000)] = 15
    min_speedup: Annotated[float, Field(ge=1.0, le=1_000_000.0)] = 1.0
    recheck: Annotated[float, Field(ge=0, le=1)] = 0.1
    shrink: bool = True
    lint: bool = True
    report_dir: str | None = None

    @field_validator("looks")
    @classmethod
    def _some_looks(cls, looks: int | tuple[int, ...]) -> int | tuple[int, ...]:
        given = (looks,) if isinstance(looks, int) else looks
        if not given or min(given) < 1 or list(given) != sorted(set(given)):
            raise ValueError("looks must be a number of looks, or increasing numbers of cases at which to look")
        return looks

    @field_validator("sequential", mode="before")
    @classmethod
    def _spelled_with_hyphens_too(cls, value: object) -> object:
        return value.replace("-", "_") if isinstance(value, str) else value

    @model_validator(mode="after")
    def _policy_can_be_read(self) -> Self:
        self.resolved_policy()
        return self

    def resolved_policy(self) -> Policy:
        """Combine the policy with the other options; values in the policy's text take precedence.

        Raises:
            ConfigError: the policy's text is invalid.
        """
        if self.policy is None and self.min_delta is not None:
            policy = policy_of_delta(self.min_delta)
        else:
            kind = "absolute" if self.policy is None and self.mode == "absolute" else DEFAULT_POLICY
            policy = parse_policy(kind if self.policy is None else self.policy)
        # The kind of the policy already expresses the sign of min_delta.
        margin = policy.margin if policy.margin is not None or self.min_delta is None else abs(self.min_delta)
        rate = policy.min_pass_rate if policy.min_pass_rate is not None else self.min_pass_rate
        return Policy(policy.kind, margin, rate, policy.overrides)

    def settled(self) -> GuardConfig:
        """Return the configuration with the thresholds that the policy's text sets."""
        overrides = dict(self.resolved_policy().overrides)
        return configured(self, **overrides) if overrides else self


def configured(base: GuardConfig | None = None, **changes: Any) -> GuardConfig:  # noqa: ANN401 - checked here
    """Return a configuration with some values changed.

    Raises:
        ConfigError: a name is unknown or a value is invalid; the message names it.
    """
    known = set(GuardConfig.model_fields) | set(ALIASES)
    for name in changes:
        if name in LATER:
            raise ConfigError(f"{name}: monitors, alerts, queues and sandbox plugins are not supported yet; remove it")
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise ConfigError(f"there is no option {name!r}" + (f"; did you mean {near[0]}?" if near else ""))
    changes = {ALIASES.get(name, name): value for name, value in changes.items()}
    values = {} if base is None else base.model_dump(exclude_unset=True)  # keeps track of what was set explicitly
    try:
        return GuardConfig(**{**values, **changes})
    except ValidationError as error:
        raise ConfigError("; ".join(_told(each["loc"], each["msg"]) for each in error.errors())) from error


def _told(place: tuple[int | str, ...], message: str) -> str:
    name = next((str(part) for part in place if isinstance(part, str)), "configuration")
    return f"{name}: {message.removeprefix('Value error, ')}"


class Request(Contract):
    """The contents of a file or mapping: names of the task and of the implementations, and the configuration."""

    task: str | None = None
    baseline: str | None = None
    candidate: str | None = None
    config: GuardConfig = GuardConfig()


def load_request(given: str | Path | Mapping[str, Any] | GuardConfig) -> Request:
    """Read a request from a TOML file, a mapping of the same shape, or a configuration.

    Raises:
        ConfigError: the file cannot be read, or an option is invalid.
    """
    if isinstance(given, GuardConfig):
        return Request(config=given)
    table = dict(_section(given if isinstance(given, Mapping) else _toml(Path(given))))
    named = {name: table.pop(name) for name in ("task", "baseline", "candidate") if name in table}
    for name, value in named.items():
        if not isinstance(value, str):
            raise ConfigError(f"{name} must be a string, not a {type(value).__name__}")
    return Request(**named, config=configured(**table))


def _section(table: Mapping[str, Any]) -> Mapping[str, Any]:
    for name in SECTIONS:
        section = table.get(name)
        if isinstance(section, Mapping):
            return section
    return table  # without a section, the whole table is the configuration


def _toml(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error
