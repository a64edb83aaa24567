"""`mendel sandbox`: inspect the isolation of this machine, and run, lint and attack untrusted code in it."""

from __future__ import annotations

import json as json_text
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic import JsonValue
from rich.table import Table

from mendel.cli.attacking import attack
from mendel.console.session import JsonFlag, Session, WeakFlag, session_of, shown
from mendel.contracts.errors import EXIT_FAILED, EXIT_MACHINERY, ConfigError, ContractError
from mendel.contracts.evaluations import MIB, Case, Evaluation, Grants, Isolation, Limits, Outcome, Program
from mendel.contracts.lint import Finding, Profile
from mendel.contracts.value_json import from_json, to_json
from mendel.ports.lint import lint as lint_source
from mendel.ports.vetting import vet
from mendel.wiring import SANDBOX_REMEDIES, open_sandbox

app = typer.Typer(help="The sandbox for untrusted code: inspect it, use it, attack it.", no_args_is_help=True)
app.command()(attack)

_TIMED: Final = 50  # evaluations for the median latency
TIER_WORDS: Final = {
    "full": "namespaces and Landlock, with seccomp, limits and no privileges",
    "namespaces": "namespaces without Landlock, with seccomp, limits and no privileges",
    "landlock": "Landlock without namespaces, with seccomp, limits and no privileges",
    "weak": "too little isolation: nothing that it produces can be adopted",
}


@app.command()
def doctor(context: typer.Context, json: JsonFlag = False) -> None:
    """Test each isolation layer by attempting what it forbids, and report which layers hold.

    Exit codes: 0 untrusted code can run here, 4 the isolation is too weak.
    """
    session = session_of(context)
    with session.err.status("attempting what is forbidden …"):
        isolation, milliseconds = session.run(_examined(session))
    if json:
        session.answer({**_isolation_json(isolation), "adoptable": isolation.adoptable, "p50_ms": milliseconds})
    else:
        session.out.print(_layer_table(isolation))
        style = "bold green" if isolation.adoptable else "bold red"
        session.out.print(f"\n[{style}]{isolation.tier}[/]: {TIER_WORDS[isolation.tier]}")
        session.out.print(f"{isolation.backend}; one evaluation takes {milliseconds:.1f} ms (median of {_TIMED})")
    if not isolation.adoptable:
        raise typer.Exit(EXIT_MACHINERY)


async def _examined(session: Session) -> tuple[Isolation, float]:
    program, case = Program.of("def plus_one(number):\n    return number + 1\n", "plus_one"), Case((1,))
    async with open_sandbox(session.loaded.settings, allow_weak=True) as sandbox:  # a weak one must be reported, too
        isolation = await sandbox.isolation()
        took = []
        for _ in range(_TIMED):
            began = time.perf_counter()
            await sandbox.evaluate(program, [case])
            took.append(time.perf_counter() - began)
    return isolation, round(sorted(took)[_TIMED // 2] * 1_000, 3)  # the median ignores the cold first call


@app.command()
def run(
    context: typer.Context,
    target: Annotated[str, typer.Argument(metavar="FILE:FUNC", help="A Python file and the function to call.")],
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", metavar="JSON", help="Arguments as a JSON list; - reads it from standard input."),
    ] = None,
    beside: Annotated[list[Path] | None, typer.Option("--with", help="Another source file of the program.")] = None,
    seconds: Annotated[float, typer.Option(help="Time limit per call, in seconds.")] = 1.0,
    memory: Annotated[int, typer.Option(metavar="MIB", help="Memory limit, in MiB.")] = 256,
    package: Annotated[list[str] | None, typer.Option(help="Grant an installed package, such as numpy.")] = None,
    file: Annotated[
        list[str] | None, typer.Option(metavar="NAME=PATH", help="Grant a file or folder, read-only, as /files/NAME.")
    ] = None,
    threads: Annotated[int, typer.Option(help="Maximum number of threads that it may start.")] = 0,
    network: Annotated[bool, typer.Option("--network", help="Grant the network; needs sandbox.allow_network.")] = False,
    gpu: Annotated[bool, typer.Option("--gpu", help="Grant the GPU; needs sandbox.allow_gpu.")] = False,
    recheck: Annotated[float, typer.Option(help="Share of calls to repeat in fresh processes, 0 to 1.")] = 0.0,
    opcodes: Annotated[bool, typer.Option("--opcodes", help="Count bytecode instructions.")] = False,
    weak: WeakFlag = False,
    json: JsonFlag = False,
) -> None:
    """Call a function of an untrusted file in the sandbox, once per --input.

    Values without a JSON form are written as objects with one key, such as {"$tuple": [1, 2]} or {"$bytes": "aGk="}.
    The exit code is 0 if the sandbox worked, even if the program failed.

        mendel sandbox run candidate.py:solve --input '[[3, 1, 2]]' --json
    """
    session = session_of(context)
    program = _program(target, beside or [])
    cases = [_case(text) for text in inputs or ["[]"]]  # without --input, one call without arguments
    limits = _limits(seconds, memory, threads, len(cases))
    grants = _grants(package or [], file or [], network=network, gpu=gpu)
    if not 0 <= recheck <= 1:
        raise ConfigError(f"--recheck must be a share from 0 to 1, not {recheck}")
    evaluation = session.run(_evaluated(session, program, cases, limits, grants, recheck, opcodes=opcodes, weak=weak))
    if json:
        session.answer(_evaluation_json(evaluation))
    else:
        _print_evaluation(session, evaluation)


async def _evaluated(
    session: Session,
    program: Program,
    cases: Sequence[Case],
    limits: Limits,
    grants: Grants,
    recheck: float,
    *,
    opcodes: bool,
    weak: bool,
) -> Evaluation:
    async with open_sandbox(session.loaded.settings, allow_weak=weak) as sandbox:
        if weak:
            session.warn_if_weak(await sandbox.isolation())
        with session.progress("running"):
            return await sandbox.evaluate(
                program, cases, limits=limits, grants=grants, recheck=recheck, count_opcodes=opcodes
            )


@app.command()
def lint(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Python files.")],
    profile: Annotated[str, typer.Option(help="Rules to apply: program, tool or trait.")] = "program",
    allow_import: Annotated[list[str] | None, typer.Option(help="Allow an import that the profile forbids.")] = None,
    load: Annotated[bool, typer.Option("--load", help="Also load files without findings, in the sandbox.")] = False,
    json: JsonFlag = False,
) -> None:
    """Check files against the static policy: what it refuses, where, and what to write instead.

    Runs nothing unless --load is given. Its errors are early and helpful, but only the sandbox contains hostile code.
    Exit code 1 if there are findings.
    """
    session = session_of(context)
    known = _profile(profile)
    sources = {str(path): _read(path) for path in files}
    allowed = allow_import or ()
    if load:
        findings = session.run(_vetted(session, sources, known, allowed))
    else:
        findings = [found for path in sources for found in _linted(sources[path], known, path, allowed)]
    if json:
        session.answer({"profile": known, "findings": list(findings)})
    else:
        for finding in findings:
            _print_finding(session, finding)
        session.announce(f"{len(findings)} findings in {len(files)} files, profile {known}")
    if findings:
        raise typer.Exit(EXIT_FAILED)


def _linted(source: str, profile: Profile, path: str, allowed: Sequence[str]) -> tuple[Finding, ...]:
    return lint_source(source, profile, path=path, allow_imports=allowed)


async def _vetted(
    session: Session, sources: Mapping[str, str], profile: Profile, allowed: Sequence[str]
) -> list[Finding]:
    async with open_sandbox(session.loaded.settings) as sandbox:
        found = [
            await vet(sandbox, source, profile, path=path, allow_imports=allowed) for path, source in sources.items()
        ]
    return [finding for findings in found for finding in findings]


# --- from options to an evaluation -------------------------------------------------------------------------


def _program(target: str, beside: Sequence[Path]) -> Program:
    name, _, function = target.rpartition(":")
    path = Path(name)
    if not name or not function.isidentifier():
        raise ConfigError(f"{target!r} is not of the form FILE:FUNC, such as candidate.py:solve")
    module = path.stem if path.stem.isidentifier() else "candidate"  # the file is imported by this name
    files = {f"{module}.py": _read(path), **{each.name: _read(each) for each in beside}}
    try:
        return Program(files, f"{module}:{function}")
    except ValueError as error:
        raise ConfigError(str(error)) from error


def _read(path: Path) -> str:
    """Read a file as text, without a byte-order mark; invalid UTF-8 survives so that a later check can report it."""
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path}: not a file")
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error


def _case(text: str) -> Case:
    said = sys.stdin.read() if text == "-" else text
    try:
        arguments: JsonValue = json_text.loads(said)
        value = from_json(arguments)
    except (ValueError, RecursionError, ContractError) as error:
        raise ConfigError(f"--input is not usable JSON: {error}") from error
    if not isinstance(value, list):
        raise ConfigError(f"--input must be a JSON list of arguments, such as [1, 2], not a {type(value).__name__}")
    return Case(tuple(value))


def _limits(seconds: float, memory: int, threads: int, cases: int) -> Limits:
    try:
        whole = seconds * (cases + 1)  # one share more, for loading the program
        return Limits(case_s=seconds, batch_s=whole, memory_bytes=memory * MIB, threads=threads)
    except ValueError as error:
        raise ConfigError(str(error)) from error


def _grants(packages: Sequence[str], files: Sequence[str], *, network: bool, gpu: bool) -> Grants:
    try:
        return Grants(tuple(packages), dict(map(_assignment, files)), network, gpu)
    except ValueError as error:
        raise ConfigError(str(error)) from error


def _assignment(text: str) -> tuple[str, str]:
    name, separator, path = text.partition("=")
    if not separator or not name or not path:
        raise ConfigError(f"--file must be NAME=PATH, not {text!r}")
    return name, path


def _profile(name: str) -> Profile:
    match name:
        case "program" | "tool" | "trait":
            return name
    raise ConfigError(f"there is no profile {name!r}; known are program, tool and trait")


# --- output ------------------------------------------------------------------------------------------------


def _evaluation_json(evaluation: Evaluation) -> dict[str, object]:
    outcomes = [_outcome_json(outcome) for outcome in evaluation.outcomes]
    return {
        **({"outcome": outcomes[0]} if len(outcomes) == 1 else {}),  # a shortcut for the usual single call
        "outcomes": outcomes,
        "usage": asdict(evaluation.usage),
        "output": evaluation.output,
        "output_truncated": evaluation.output_truncated,
        "stateful": evaluation.stateful,
        "differing": evaluation.differing,
        "isolation": _isolation_json(evaluation.isolation),
    }


def _outcome_json(outcome: Outcome) -> dict[str, object]:
    return {
        "kind": outcome.kind,
        "value": to_json(outcome.value),
        "error_type": _storable(outcome.error_type),
        "error_code": outcome.error_code,
        "message": _storable(outcome.message),
        "line": outcome.line,
        "opcodes": outcome.opcodes,
    }


def _storable(text: str | None) -> str | None:
    return None if text is None else text.encode("utf-8", "replace").decode()  # JSON takes no lone surrogates


def _isolation_json(isolation: Isolation) -> dict[str, object]:
    return {
        "tier": isolation.tier,
        "layers": list(isolation.layers),
        "backend": isolation.backend,
        "missing": dict(isolation.missing),
    }


def _print_evaluation(session: Session, evaluation: Evaluation) -> None:
    for outcome in evaluation.outcomes:
        session.out.print(_outcome_line(outcome), soft_wrap=True)
    if evaluation.output:
        session.out.print(f"[dim]it printed:[/] {shown(evaluation.output)}", soft_wrap=True)
    if evaluation.stateful:
        session.out.print("[yellow]stateful[/]: results differ in a fresh process")
    usage = evaluation.usage
    session.announce(
        f"{usage.cpu_s * 1_000:.1f} ms of CPU time, {usage.wall_s * 1_000:.1f} ms elapsed,"
        f" peak memory {usage.peak_memory_bytes / MIB:.0f} MiB; sandbox {evaluation.isolation.tier}"
    )


def _outcome_line(outcome: Outcome) -> str:
    counted = f" [dim]({outcome.opcodes:,} opcodes)[/]" if outcome.opcodes is not None else ""
    if outcome.succeeded:
        return f"[green]value[/] {shown(json_text.dumps(to_json(outcome.value)))}{counted}"
    where = f" at line {outcome.line}" if outcome.line else ""
    return f"[red]{outcome.kind}[/] {outcome.error_code}: {shown(outcome.error_type)}{where}: {shown(outcome.message)}"


def _print_finding(session: Session, finding: Finding) -> None:
    place = f"{finding.file}:{finding.line}:{finding.column}"
    session.out.print(f"[bold]{shown(place)}[/] [red]{finding.code}[/] {shown(finding.message)}", soft_wrap=True)
    session.out.print(f"    [dim]{shown(finding.hint)}[/]", soft_wrap=True)


def _layer_table(isolation: Isolation) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("layer", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("details")
    for layer in isolation.layers:
        table.add_row(layer, "[green]✔ holds[/]", LAYER_WORDS[layer])
    for name, why in isolation.missing.items():
        table.add_row(name, "[red]✘ missing[/]", shown(why))
        if name in SANDBOX_REMEDIES:
            table.add_row("", "", f"[dim]{shown(SANDBOX_REMEDIES[name])}[/]")
    return table


LAYER_WORDS: Final = {
    "user": "own user namespace: no rights outside it",
    "mount": "own root: no host files, and only its scratch folder is writable",
    "pid": "own process namespace: outside processes can be neither seen nor signalled",
    "net": "own network namespace: no interface, no reachable address",
    "ipc": "own message queues and shared memory segments",
    "uts": "own host name",
    "cgroup": "own view of control groups",
    "seccomp": "system call allow-list: no sockets, no new processes, no exec",
    "landlock": "file access allow-list, a second barrier",
    "rlimits": "limits per process: memory, descriptors, files and CPU time",
    "privileges": "no capabilities, never uid 0, and no way to gain either",
    "cgroups": "limits for the whole sandbox: memory and processes",
}
