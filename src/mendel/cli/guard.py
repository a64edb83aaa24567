"""`mendel guard`: the gate on the command line. Is this candidate as good as that baseline, or better?"""

from __future__ import annotations

import difflib
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from mendel.api.about import GUARD_REPORTS
from mendel.cli.guard_power import power
from mendel.cli.guard_prompts import CostOption, answering, replaying, told
from mendel.cli.guard_views import print_comparison, print_replayed, print_report, print_task, print_tasks
from mendel.console.session import JsonFlag, Session, WeakFlag, session_of
from mendel.contracts.errors import ConfigError, StorageError
from mendel.contracts.verdicts import Decision
from mendel.guard.config import GuardConfig, Request, configured, load_request
from mendel.guard.evaluation import Announce
from mendel.guard.gate import Comparison, compare_async
from mendel.guard.implementation import Implementation
from mendel.guard.prompting import judge
from mendel.guard.provenance import spec_hash
from mendel.guard.registry import get_task, task_names
from mendel.guard.replaying import Replayed
from mendel.guard.replaying import replay as replay_report
from mendel.guard.report import Report, load_report
from mendel.guard.tasks import programs
from mendel.ports.progress import Progress
from mendel.ports.sandbox import Sandbox
from mendel.wiring import open_sandbox

app = typer.Typer(
    help="The gate: a statistical test that decides whether to adopt a candidate.",
    epilog="Exit codes: 0 adopt, 1 reject, 2 usage error, 3 undecided, 4 system failure.",
    no_args_is_help=True,
)
app.command()(power)

TaskOption = Annotated[
    str | None,
    typer.Option(
        "--task", help="Task name (see `mendel guard tasks`), FILE.py:NAME or module:NAME. Its code is not sandboxed."
    ),
]
BaselineOption = Annotated[
    str | None,
    typer.Option(
        help="FILE (function `solve`), FILE:FUNC, module:FUNC or PROMPT.toml; built-in tasks have a default baseline."
    ),
]
NOption = Annotated[int | None, typer.Option("--n", help="Number of cases.", show_default="400")]
SeedOption = Annotated[int | None, typer.Option(help="Random seed for the inputs.", show_default="42")]
ModeOption = Annotated[
    str | None,
    typer.Option(
        help="exact: same outputs as the baseline; statistical: compare pass rates; absolute: no baseline.",
        show_default="exact",
    ),
]
PolicyOption = Annotated[
    str | None,
    typer.Option(
        help="superiority, noninferiority, equivalence or absolute; append :margin=0.05 or :min_pass_rate=0.9.",
        show_default="noninferiority:margin=0.02",
    ),
]
AlphaOption = Annotated[
    float | None, typer.Option(help="Probability of a false adoption, one-sided.", show_default="0.05")
]
DeltaOption = Annotated[float | None, typer.Option(help="Minimum difference of pass rates, instead of a policy.")]
RateOption = Annotated[float | None, typer.Option(help="Minimum pass rate of the candidate itself.")]
PowerOption = Annotated[float | None, typer.Option(help="Target power for n_to_decide.", show_default="0.8")]
CapOption = Annotated[int | None, typer.Option(help="Maximum number of hard violations outside exact mode.")]
CiOption = Annotated[
    str | None,
    typer.Option(
        help="Confidence interval for a difference of rates: tango, exact, newcombe or wilson; or a liberal one, which"
        " can exceed alpha in false adoptions: bca, studentised, cluster, bayesian, permutation.",
        show_default="tango",
    ),
]
SequentialOption = Annotated[
    str | None,
    typer.Option(
        help="Interim looks that can stop the test early: always-valid, pocock or obrien-fleming.",
        show_default="none",
    ),
]
LooksOption = Annotated[int | None, typer.Option(help="Number of looks in a sequential test.", show_default="5")]
CorrectionOption = Annotated[
    str | None, typer.Option(help="Multiplicity correction: holm, hochberg, bh or none.", show_default="holm")
]
ParallelOption = Annotated[
    int | None, typer.Option(help="Concurrent processes per side.", show_default="half the cores")
]
TimeoutOption = Annotated[
    float | None, typer.Option("--timeout-s", help="Time limit per call, in seconds.", show_default="2.0")
]
MemoryOption = Annotated[int | None, typer.Option("--mem-mb", help="Memory limit, in MiB.", show_default="512")]
ResultOption = Annotated[
    int | None,
    typer.Option("--result-mb", help="Size limit for the results of one process, in MiB, up to 64.", show_default="16"),
]
MetricOption = Annotated[
    list[str] | None, typer.Option(help="Also compare this metric of the task, or `time`. Can be repeated.")
]
ReportOption = Annotated[Path | None, typer.Option(help="Folder for report_<timestamp>.json and .html.")]
FileOption = Annotated[
    Path | None, typer.Option("--options", help="TOML file with a section `guard`; flags override it.")
]
NoLintFlag = Annotated[bool, typer.Option("--no-lint", help="Skip the static policy; the sandbox still applies.")]
NoShrinkFlag = Annotated[bool, typer.Option("--no-shrink", help="Do not minimise counter-examples.")]


@app.command()
def evaluate(
    context: typer.Context,
    candidate: Annotated[
        str | None,
        typer.Option(help="Candidate: FILE, FILE:FUNC, module:FUNC, PROMPT.toml, or the name of a built-in program."),
    ] = None,
    task: TaskOption = None,
    baseline: BaselineOption = None,
    n: NOption = None,
    seed: SeedOption = None,
    mode: ModeOption = None,
    policy: PolicyOption = None,
    alpha: AlphaOption = None,
    min_delta: DeltaOption = None,
    min_pass_rate: RateOption = None,
    power: PowerOption = None,
    violation_cap: CapOption = None,
    ci_method: CiOption = None,
    sequential: SequentialOption = None,
    looks: LooksOption = None,
    correction: CorrectionOption = None,
    parallel: ParallelOption = None,
    timeout_s: TimeoutOption = None,
    mem_mb: MemoryOption = None,
    result_mb: ResultOption = None,
    metric: MetricOption = None,
    max_cost: CostOption = None,
    report_dir: ReportOption = None,
    options: FileOption = None,
    no_lint: NoLintFlag = False,
    no_shrink: NoShrinkFlag = False,
    weak: WeakFlag = False,
    json: JsonFlag = False,
) -> None:
    """Judge a candidate against a baseline, in the sandbox, at a stated confidence.

    A candidate that fails the lint or cannot be loaded is rejected. Exit codes: 0 adopt, 1 reject, 2 usage error,
    3 undecided, 4 system failure.

        mendel guard evaluate --task top_k --candidate improved --policy noninferiority:margin=0.05
    """
    session = session_of(context)
    asked = _asked(session, options, task, baseline, locals())  # parameters have the names of GuardConfig's fields
    report = session.run(_evaluated(session, asked, candidate or asked.candidate, max_cost, weak=weak))
    if json:
        session.answer(report.to_json())
    else:
        print_report(session, report)
    _write(session, report, asked.config)
    raise typer.Exit(report.exit_code)


@app.command()
def compare(
    context: typer.Context,
    candidates: Annotated[
        list[str], typer.Option("--candidate", help="A candidate; repeat the option for each of at least two.")
    ],
    task: TaskOption = None,
    baseline: BaselineOption = None,
    n: NOption = None,
    seed: SeedOption = None,
    mode: ModeOption = None,
    policy: PolicyOption = None,
    alpha: AlphaOption = None,
    min_delta: DeltaOption = None,
    min_pass_rate: RateOption = None,
    violation_cap: CapOption = None,
    ci_method: CiOption = None,
    correction: CorrectionOption = None,
    parallel: ParallelOption = None,
    timeout_s: TimeoutOption = None,
    mem_mb: MemoryOption = None,
    result_mb: ResultOption = None,
    metric: MetricOption = None,
    max_cost: CostOption = None,
    report_dir: ReportOption = None,
    options: FileOption = None,
    no_lint: NoLintFlag = False,
    no_shrink: NoShrinkFlag = False,
    weak: WeakFlag = False,
    json: JsonFlag = False,
) -> None:
    """Judge several candidates against one baseline; the probability of any false adoption is at most alpha (Holm).

    Exit codes: 0 at least one is adopted, 1 all are rejected, 3 otherwise.

        mendel guard compare --task top_k --candidate improved --candidate bad --candidate cheat_constant_max
    """
    session = session_of(context)
    asked = _asked(session, options, task, baseline, locals())
    comparison = session.run(_compared(session, asked, candidates, max_cost, weak=weak))
    if json:
        session.answer([report.to_json() for report in comparison.reports])
    else:
        print_comparison(session, comparison, candidates)
    for report in comparison.reports:
        _write(session, report, asked.config)
    raise typer.Exit(_exit_code(comparison))


@app.command()
def replay(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="REPORT", help="A file report_<timestamp>.json.")],
    violation: Annotated[int | None, typer.Option(help="Replay only this violation, counted from 0.")] = None,
    task: TaskOption = None,
    weak: WeakFlag = False,
    json: JsonFlag = False,
) -> None:
    """Run the violations in a report again, from the sources it contains, and report whether each still holds.

    Exit codes: 0 no violation holds, 1 at least one holds, 3 the report contains none.
    """
    session = session_of(context)
    report = load_report(file)
    if not report.violations:
        session.announce("the report contains no violations to replay")
        raise typer.Exit(3)
    known = task or report.reference
    if known is None:
        raise ConfigError(f"the report does not name the file of its task {report.task!r}; give --task FILE.py:NAME")
    seen = session.run(_replayed(session, report, known, violation, weak=weak))
    if json:
        session.answer([{"recorded": each.recorded, "now": each.now, "holds": each.holds} for each in seen])
    else:
        print_replayed(session, seen)
    raise typer.Exit(int(any(each.holds for each in seen)))


@app.command()
def tasks(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="Task to show in full.")] = None,
    write: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Copy the task's programs here.")] = None,
    json: JsonFlag = False,
) -> None:
    """List the built-in tasks, or show one: its properties, relations, metrics and example programs."""
    session = session_of(context)
    if name is None:
        specs = [get_task(each) for each in task_names()]
        print_tasks(session, specs, as_json=json)
        return
    spec = get_task(name)
    files = _programs(name)
    if write is not None:
        write.mkdir(parents=True, exist_ok=True)
        files = {label: Path(shutil.copy(path, write / path.name)) for label, path in files.items()}  # show the copies
    print_task(session, spec, files, as_json=json)


# --- from options to a request -----------------------------------------------------------------------------


def _asked(
    session: Session, file: Path | None, task: str | None, baseline: str | None, given: dict[str, Any]
) -> Request:
    request = load_request(file) if file is not None else Request()
    config = configured(request.config, **_options(given))
    name = task or request.task
    if name is None:
        raise ConfigError(f"--task is missing; give one of {', '.join(task_names())}, or FILE.py:NAME of your own")
    get_task(name)  # an unknown task must fail before anything starts
    side = baseline or request.baseline
    if side is None and config.mode != "absolute" and config.resolved_policy().kind != "absolute":
        side = "baseline" if _programs(name) else None  # only built-in tasks have programs
    _check_folder(config.report_dir)
    session.announce(f"task {name}, {config.n} cases, seed {config.seed}")
    return Request(task=name, baseline=side, candidate=request.candidate, config=config)


def _check_folder(folder: str | None) -> None:
    """Create the report folder first, since judging takes minutes and its report would be lost."""
    try:
        if folder is not None:
            Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"the report cannot be written to {folder}: {error.strerror}") from error


def _options(given: dict[str, Any]) -> dict[str, Any]:
    names = set(GuardConfig.model_fields) & given.keys()
    found = {name: given[name] for name in names if given[name] is not None}
    if given.get("metric"):
        found["metrics"] = tuple(given["metric"])
    if given.get("report_dir") is not None:
        found["report_dir"] = str(given["report_dir"])
    found |= {"lint": False} if given["no_lint"] else {}
    return found | ({"shrink": False} if given["no_shrink"] else {})


def _programs(task: str) -> dict[str, Path]:
    try:
        return programs(task)
    except ConfigError:
        return {}


def _implementation(given: str | None, task: str | None) -> Implementation | None:
    """Resolve a name from the command line: a file, a module, or one of the task's own programs."""
    if given is None:
        return None
    own = _programs(task or "")
    near = difflib.get_close_matches(given, own, n=1)
    if near and given not in own and not Path(given.partition(":")[0]).exists():
        raise ConfigError(f"{given}: no such file; the task's programs are {', '.join(own)}")
    return Implementation.of(own[given] if given in own and not Path(given).exists() else given)


# --- judging -----------------------------------------------------------------------------------------------


async def _evaluated(
    session: Session, asked: Request, candidate: str | None, max_cost: float | None, *, weak: bool
) -> Report:
    judged = _implementation(candidate, asked.task)
    if judged is None:
        raise ConfigError(
            "--candidate is missing: give FILE, FILE:FUNC, module:FUNC, PROMPT.toml or a built-in program's name"
        )
    baseline = _implementation(asked.baseline, asked.task)
    unwritten = asked.config.model_copy(update={"report_dir": None})  # shown first, written later
    async with _judging(session, asked, (baseline, judged), max_cost, weak=weak) as (sandbox, counted):
        return await judge(asked.task or "", baseline, judged, unwritten, sandbox=sandbox, announce=counted)


async def _compared(
    session: Session, asked: Request, candidates: Sequence[str], max_cost: float | None, *, weak: bool
) -> Comparison:
    task, baseline = asked.task or "", _implementation(asked.baseline, asked.task)
    sides = [side for side in (_implementation(each, asked.task) for each in candidates) if side is not None]
    async with _judging(session, asked, (baseline, *sides), max_cost, weak=weak) as (sandbox, counted):
        seen = await compare_async(task, baseline, sides, asked.config, sandbox=sandbox, announce=counted)
        return told(seen, sandbox, task)


@asynccontextmanager
async def _judging(
    session: Session,
    asked: Request,
    sides: Sequence[Implementation | None],
    max_cost: float | None,
    *,
    weak: bool,
) -> AsyncIterator[tuple[Sandbox, Announce]]:
    """Open the sandbox, with models if one side is a prompt, and a callback that shows progress."""
    # `parallel` counts the processes of each side, hence twice as many workers.
    async with open_sandbox(session.loaded.settings, allow_weak=weak, workers=2 * asked.config.parallel) as sandbox:
        if weak:
            session.warn_if_weak(await sandbox.isolation())
        async with answering(session, sandbox, sides, asked.task or "", asked.config, max_cost) as judging:
            with session.progress("judging", "cases") as progress:
                yield judging, _counted(progress)


async def _replayed(session: Session, report: Report, task: str, which: int | None, *, weak: bool) -> list[Replayed]:
    spec = get_task(task)
    if spec_hash(spec) != report.verdict.provenance.spec_hash:
        session.announce(f"task {task} has changed since the report was written")
    async with open_sandbox(session.loaded.settings, allow_weak=weak) as sandbox:
        return await replay_report(report, spec, replaying(session, sandbox, report), which)


def _counted(progress: Progress) -> Announce:
    return lambda done, _whole: progress(done)  # progress shows no total


def _write(session: Session, report: Report, config: GuardConfig) -> None:
    _keep(session, report)
    if config.report_dir is not None:
        path = report.write(config.report_dir)
        session.announce(f"report: {path} and {path.with_suffix('.html').name}")


def _keep(session: Session, report: Report) -> None:
    """Keep the report for the observatory, if the home folder exists; a failure must not hide the verdict."""
    home = session.loaded.settings.home
    if home.is_dir():
        try:
            report.write(home / GUARD_REPORTS)
        except StorageError as error:
            session.announce(str(error))


def _exit_code(comparison: Comparison) -> int:
    decisions = {report.decision for report in comparison.reports}
    if Decision.ADOPT in decisions:
        return 0
    return 1 if decisions == {Decision.REJECT} else 3
