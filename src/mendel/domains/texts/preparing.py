"""From texts and commands to a task and its run: whether the original can be the reference, and how long it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mendel.bench.challenging import cases_for
from mendel.bench.objectives import fitness_of
from mendel.bench.planning import Plan, Search, Stage, Terms
from mendel.bench.sizing import SLOWER
from mendel.bench.timing import COMMANDS, Stopwatch
from mendel.bench.work import used
from mendel.contracts.energy import Usage
from mendel.contracts.errors import OracleUnfit
from mendel.contracts.evaluations import Case, Evaluation, Outcome, Program, ResourceUse
from mendel.contracts.run_config import RunConfig
from mendel.contracts.work import Answer, Work
from mendel.domains.texts.bench import BENCHES, SCORE, Bench, shown
from mendel.domains.texts.domain import Texts
from mendel.domains.texts.examining import first_difference
from mendel.domains.texts.models import TextTask, payload
from mendel.domains.texts.running import CommandSandbox
from mendel.kernel.domain import Step
from mendel.ports.command_program import GRANTS
from mendel.ports.handlers import Ports
from mendel.ports.sandbox import Sandbox

FEW: Final = 3
"""Number of seeds that are tried first."""
MOST_S: Final = 5.0
"""Maximum processor time of one run, because the gate runs the program hundreds of times."""
LEAST_CASE_S: Final = 4.0
SEEN_S: Final = 2.0
GATE_S: Final = 60.0
"""Approximate time for the seeds that breeding sees, and for a challenge."""
MARGINS: Final = (0.02, 0.05, 0.1, 0.2)  # from the strictest, which takes the most cases
_ALPHA: Final = 0.03
_RUNS: Final = 4
"""Runs per seed at the gate: by both programs, by the champion before it is timed, and sometimes again."""
_MOST_CASES: Final = 8


async def vet(work: Work, ports: Ports) -> Answer:
    """Run the step ``texts.vet``: whether the original can decide what is right, and how many seeds are affordable.

    Raises:
        OracleUnfit: the original fails, never ends, prints nothing or too much, or differently for one seed; or its
            output has no score.
    """
    whole, sandbox = BENCHES.of(work), ports.sandbox
    task, seed = whole.task, whole.seed
    bench = Bench(task.model_copy(update={"cases": FEW}), seed)  # before the time of a run is known, a few seeds do
    printed, took = await _vetted(bench, sandbox, held=False)
    if task.held_run is not None:
        took = took.longest((await _vetted(bench, sandbox, held=True))[1])
    await _vet_scores(bench, sandbox)
    sized = task.model_copy(
        update={
            "seeded": len({str(each.value) for each in printed}) > 1,
            "case_s": max(LEAST_CASE_S, SLOWER * took.wall_s),
            "cases": max(FEW, min(_MOST_CASES, int(SEEN_S / took.cpu_s))),
            "margin": _margin(task, took.cpu_s),
        }
    )
    found = await _scored(Bench(sized, seed), sandbox) if task.objective == SCORE else sized
    return Answer(findings=payload(found), usage=used(sandbox))


async def _scored(bench: Bench, sandbox: Sandbox) -> TextTask:
    outcomes = await bench.right(sandbox)
    _refuse_unscored(bench.seen, outcomes)
    scores = [each.value for each in outcomes if isinstance(each.value, float)]
    return bench.task.model_copy(update={"stands_at": bench.task.sign * sum(scores) / len(scores)})


async def clock(work: Work, ports: Ports) -> Answer:
    """Run the step ``texts.clock``: the original's time."""
    bench, sandbox = BENCHES.of(work), ports.sandbox
    reference = await Stopwatch(bench.track(sandbox, bench.seen)).measured(bench.original())
    return Answer(findings=payload(bench.task.model_copy(update={"reference": reference})), usage=used(sandbox))


def _margin(task: TextTask, seconds: float) -> float:
    """Return the smallest share of differing seeds that a challenge can rule out in affordable time."""
    timed = 0 if task.objective == SCORE else 2 * (COMMANDS.gate + 1) * COMMANDS.inputs
    known = MARGINS[:-1] if task.objective == SCORE else MARGINS
    bearable = (each for each in known if (_RUNS * cases_for(each, _ALPHA) + timed) * seconds <= GATE_S)
    return next(bearable, known[-1])


@dataclass(frozen=True)
class Took:
    """The time of one run, by the clock and by the processor; at least a millisecond."""

    wall_s: float
    cpu_s: float

    @classmethod
    def of(cls, use: ResourceUse, runs: int) -> Took:
        """Return the mean of some runs."""
        return cls(max(0.001, use.wall_s / runs), max(0.001, use.cpu_s / runs))

    def longest(self, other: Took) -> Took:
        """Return the longer of two, for each kind of time."""
        return Took(max(self.wall_s, other.wall_s), max(self.cpu_s, other.cpu_s))


async def _vetted(bench: Bench, sandbox: Sandbox, *, held: bool) -> tuple[tuple[Outcome, ...], Took]:
    """Return the original's output for a few seeds, and its time for one."""
    seeds = bench.held_seeds(FEW, bench.seed) if held else bench.seen_seeds
    cases = [bench.case(each, held=held) for each in seeds]
    walled, program = CommandSandbox(sandbox, bench.limits), bench.original(held=held)
    # The outputs of two runs are compared; the faster one counts, since the first may warm up caches.
    first = await _run(bench, walled, program, cases)
    again = await _run(bench, walled, program, cases)
    command = (bench.task.held_run if held else None) or bench.task.run
    for case, outcome, other in zip(cases, first.outcomes, again.outcomes, strict=True):
        _refuse_failed(bench.task, command, case, outcome)
        _refuse_random(bench.task, case, outcome, other)
        _refuse_silent(bench.task, case, outcome)
    took = Took.of(min(first.usage, again.usage, key=lambda use: use.wall_s), len(cases))
    if took.cpu_s > MOST_S:
        raise OracleUnfit(
            f"`{command}` takes {took.cpu_s:.1f} s, but at most {MOST_S:g} s are allowed, because the gate runs it"
            " many times: give it less to do"
        )
    return first.outcomes, took


async def _run(bench: Bench, walled: Sandbox, program: Program, cases: Sequence[Case]) -> Evaluation:
    return await walled.evaluate(program, cases, limits=bench.limits, grants=GRANTS, most_deaths=1)


def _refuse_failed(task: TextTask, command: str, case: Case, outcome: Outcome) -> None:
    if outcome.succeeded:
        return
    told = f"`{command}` fails on the original with {shown(case)}"
    if outcome.kind == "timeout":
        raise OracleUnfit(
            f"`{command}` has not ended after {task.case_s:g} s with {shown(case)}; give it less to do, or more time"
            " with --time-limit"
        )
    if outcome.kind == "memory":
        raise OracleUnfit(f"{told}: it needs more than {task.memory_mb} MiB; give it more with --memory-limit")
    why = outcome.message or outcome.error_type or outcome.kind
    raise OracleUnfit(
        f"{told}: {why}; the sandbox contains {', '.join(sorted(task.files))}, under these names, and what is"
        " installed in /usr/local/bin, /usr/bin and /bin"
    )


def _refuse_random(task: TextTask, case: Case, outcome: Outcome, other: Outcome) -> None:
    if outcome.value == other.value or (task.objective == SCORE and other.succeeded):
        return
    number, before, after = first_difference(str(outcome.value), str(other.value))
    raise OracleUnfit(
        f"{task.path} prints different output when it is run twice with {shown(case)} (line {number}: {before[:80]!r},"
        f" then {after[:80]!r}), so it cannot decide what is right; take randomness from the environment variable"
        " MENDEL_SEED, which stays the same, and print no times"
    )


def _refuse_silent(task: TextTask, case: Case, outcome: Outcome) -> None:
    printed = str(outcome.value)
    if task.objective == SCORE:
        return
    if not printed.strip():
        raise OracleUnfit(
            f"{task.path} prints nothing with {shown(case)}, so any program would be right; print the result"
        )
    if "\N{REPLACEMENT CHARACTER}" in printed:
        raise OracleUnfit(
            f"{task.path} prints output that is not UTF-8 text with {shown(case)}; print text, such as a digest of it"
        )


async def _vet_scores(bench: Bench, sandbox: Sandbox) -> None:
    if bench.task.objective != SCORE:
        return
    first = (await bench.evaluated(bench.original(), bench.seen, sandbox)).outcomes
    again = (await bench.evaluated(bench.original(), bench.seen, sandbox)).outcomes
    _refuse_unscored(bench.seen, first)
    for case, outcome, other in zip(bench.seen, first, again, strict=True):
        if outcome.value != other.value:
            raise OracleUnfit(
                f"the score of the original changes when it is run twice with {shown(case)}: {outcome.value}, then"
                f" {other.value}; program and --score must take randomness from the environment variable MENDEL_SEED"
            )


def _refuse_unscored(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> None:
    for case, outcome in zip(cases, outcomes, strict=True):
        if not outcome.succeeded:
            raise OracleUnfit(
                f"--score has no number for the original with {shown(case)}: {outcome.message or outcome.kind}; its"
                " last line must be a number, such as 12.5, and not nan"
            )


# --- its run ---------------------------------------------------------------------------------------------

_HARD_S: Final = 1_800.0
"""Commands take long, and so do pending challenges at the end of a run."""
_LOOK: Final = Step(Usage(evaluations=100_000), deadline_ms=24 * 60 * 60_000, ports=("sandbox",))
"""The user's time limit per run ends a measurement of the original; the deadline is only for a lost worker."""


def _clocking(task: TextTask) -> str | None:
    return f"timing {task.path} on {task.cases} seeds" if task.objective != SCORE else None


_STAGES: Final[tuple[Stage[TextTask], ...]] = (
    Stage("texts.vet", _LOOK, lambda task: f"running {task.path} to see what it prints"),
    Stage("texts.clock", _LOOK, _clocking),
)


def plan(task: TextTask, seed: int, search: Search, asked_caps: frozenset[str] = frozenset()) -> Plan[TextTask]:
    """Return the plan of a task's run, as far as reading determines it."""
    return Plan(Texts(), task, seed, search, _terms, _STAGES, commands=True, asked_caps=asked_caps)


def planned(task: TextTask, seed: int, search: Search) -> RunConfig:
    """Return the run of a task.

    Raises:
        ConfigError: its target is invalid.
    """
    return plan(task, seed, search).draft()


def _terms(task: TextTask, search: Search) -> Terms:
    return Terms(
        task=payload(task.model_copy(update={"asks_models": search.models})),
        problem=task.path,
        policy=Texts.policy.version,
        weights={task.objective: 1.0},
        timed=True,  # with any objective, a command keeps a core busy
        target=fitness_of(search.bounds.target, scored=task.objective == SCORE, sign=task.sign),
        hard_s=_HARD_S,
    )
