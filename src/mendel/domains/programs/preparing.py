"""From a function in a file to a task and its run: how the function is called, and how it is bred."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mendel.bench.archives import archive_for
from mendel.bench.inputs.calls import calls_in_tests
from mendel.bench.inputs.doctests import docstring_examples
from mendel.bench.inputs.examples import plan_from_examples, refined
from mendel.bench.inputs.plan import InputPlan
from mendel.bench.inputs.signatures import function_named, plan_from_annotations
from mendel.bench.objectives import parse_objectives, target_of
from mendel.bench.own_files import read_source, refuse_secrets
from mendel.bench.planning import Announce, Plan, Search, Stage, Terms
from mendel.bench.records import SpecFile, SpecTable
from mendel.bench.spec_file import OwnRules, rules_of
from mendel.breeding.code import Code
from mendel.breeding.mutators import find_mutator
from mendel.breeding.view import parameters
from mendel.contracts.energy import EnergyCosts, Usage
from mendel.contracts.errors import ConfigError, NoInputs
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scrub import Scrubber
from mendel.contracts.value_json import to_json
from mendel.domains.programs.domain import Programs
from mendel.domains.programs.models import LibraryUse, LibraryUses, ProgramTask, payload
from mendel.domains.programs.shipping import imported_beside, module_of, shipped_name
from mendel.domains.programs.wishes import Wish, find, roots_of
from mendel.guard.spec import Args
from mendel.kernel.domain import Step
from mendel.kernel.performing import perform_on_draft
from mendel.ports.task_fabric import TaskFabric

ENTRY: Final = "mendel_entry"


@dataclass(frozen=True)
class Material:
    """The contents of the user's files."""

    code: Code
    files: Mapping[str, str]
    roots: Mapping[str, tuple[str, ...]]
    spec: SpecFile | SpecTable | None
    rules: OwnRules
    examples: list[Args]


async def prepare(wish: Wish, fabric: TaskFabric, *, seed: int, announce: Announce, scrubber: Scrubber) -> ProgramTask:
    """Return the task of a run that improves the wished function, with the original measured by a fabric's workers.

    Raises:
        SourceNotPython: a file does not parse.
        NoSuchFunction: the function does not exist.
        NoInputs: there is no information to make inputs from.
        OracleUnfit: the original cannot decide what is right.
        SpecFailed: the user's own rules reject the original.
        ConfigError: a file cannot be read, or contains what looks like a secret.
    """
    return await plan(drafted(wish, scrubber), seed, Search()).measured_task(fabric, announce)


def drafted(wish: Wish, scrubber: Scrubber) -> ProgramTask:
    """Return the task as far as reading determines it; only the user's own rules are run.

    Raises:
        SourceNotPython: a file does not parse.
        NoSuchFunction: the function does not exist.
        NoInputs: there is no information to make inputs from.
        ConfigError: a file cannot be read, contains what looks like a secret, or the wish is invalid.
    """
    find_mutator(wish.mutator)  # an unknown one is refused here, before the run begins
    material = _read(wish)
    refuse_secrets(material.files, scrubber)
    task = _task(wish, material)
    _refuse_unjudged(task, material.rules)
    return task


def _refuse_unjudged(task: ProgramTask, rules: OwnRules) -> None:
    """Make sure that there are criteria for what is right, and for what is better."""
    if "score" in task.objectives and rules.score is None:
        raise ConfigError(
            "the objective score needs score(output, *arguments): define it in a task.py, or name it in mendel.toml"
            " as evolve.task.score"
        )
    if not (rules.oracle or rules.properties or rules.relations or rules.score):
        raise ConfigError("with oracle = False there is no criterion for right answers: give properties as well")


def _read(wish: Wish) -> Material:
    main = shipped_name(wish.path)
    codes = {main: Code(read_source(wish.path), str(wish.path))}
    find(codes[main], wish.function)  # before any other file is read: a wrong name is the most likely mistake
    for path in wish.files:
        name = shipped_name(path)
        if name in codes:
            raise ConfigError(f"two files would have the name {name} in the sandbox; rename one")
        codes[name] = Code(read_source(path), str(path))
    beside = imported_beside(dict(zip((wish.path, *wish.files), codes.values(), strict=True)))
    files = {**beside, **{name: code.text for name, code in codes.items()}}  # listed files win over imported ones
    roots = roots_of(codes, main, wish.function)
    spec = wish.spec()
    return Material(codes[main], files, roots, spec, rules_of(spec), _examples(wish, codes[main]))


def _examples(wish: Wish, code: Code) -> list[Args]:
    found = list(docstring_examples(code, wish.function))
    for path in wish.tests:
        found += calls_in_tests(read_source(path), wish.function.rpartition(".")[2], str(path))
    return found


def _task(wish: Wish, material: Material) -> ProgramTask:
    main = shipped_name(wish.path)
    plan = _plan(wish, material)
    files, entry = _entry(main, wish.function, plan)
    rules = material.rules
    return ProgramTask(
        path=str(wish.path),
        files={**material.files, **files},
        paths={main: str(wish.path), **{shipped_name(path): str(path) for path in wish.files}},
        main=main,
        entry=entry,
        function=wish.function,
        roots=dict(material.roots),
        inputs=plan.model_dump(mode="json") if plan is not None else None,
        examples=tuple(to_json(list(args)) for args in material.examples),
        tests={path.name: read_source(path) for path in wish.tests},
        spec=material.spec,
        objectives=dict(wish.objectives or parse_objectives(rules.objective or "speed")),
        mutator=wish.mutator,
        packages=tuple(dict.fromkeys([*wish.packages, *rules.packages])),
        seen_sizes=rules.sizes or (2, 4, 7, 12),  # provisional, like the two below: measuring the original sets them
        timing_size=rules.timing_size or 25,
        case_s=2.0,
    )


def _plan(wish: Wish, material: Material) -> InputPlan | None:
    """Plan the inputs from type hints, or else from examples; None if the user's own generator makes them."""
    if material.rules.generate is not None:  # a user's own generator replaces the plan
        return None
    examples = [*material.examples, *material.rules.examples]
    try:
        return refined(plan_from_annotations(material.code, wish.function), examples)
    except NoInputs:
        if not examples:
            raise
        return plan_from_examples(examples, parameters(function_named(material.code, wish.function)))


def _entry(main: str, function: str, plan: InputPlan | None) -> tuple[dict[str, str], str]:
    """Return the entry point: the function itself, or a small module that calls a method and imports input classes."""
    module = module_of(main)
    owner, _, name = function.rpartition(".")
    if not owner:
        return {}, f"{module}:{function}"
    made = {"instance": f"{owner}().{name}", "record": name}.get(plan.receiver if plan else "none", f"{owner}.{name}")
    call = f"return arguments[0].{name}(*arguments[1:])" if made == name else f"return {made}(*arguments)"
    needed = dict.fromkeys([owner.partition(".")[0], *(shape.name for shape in (plan.shapes if plan else ()))])
    source = f"from {module} import {', '.join(needed)}\n\n\ndef call(*arguments):\n    {call}\n"
    return {f"{ENTRY}.py": source}, f"{ENTRY}:call"


# --- its run ---------------------------------------------------------------------------------------------


def _clocking(task: ProgramTask) -> str | None:
    if "speed" not in task.objectives:
        return None
    return f"timing {task.function} on {task.timing_cases} inputs of size {task.timing_size}"


_LOOK: Final = Step(Usage(evaluations=1_000_000), deadline_ms=60 * 60_000, ports=("sandbox",))
"""Time limits per call end a measurement of the original; the deadline is only for a lost worker."""
_STAGES: Final[tuple[Stage[ProgramTask], ...]] = (
    Stage("programs.vet", _LOOK, lambda task: f"vetting {task.function} as the reference"),
    Stage("programs.size", _LOOK, lambda _task: "looking for input sizes that it can handle"),
    Stage("programs.clock", _LOOK, _clocking),
)


def plan(task: ProgramTask, seed: int, search: Search, asked_caps: frozenset[str] = frozenset()) -> Plan[ProgramTask]:
    """Return the plan of a task's run, as far as reading determines it."""
    return Plan(Programs(), task, seed, search, _terms, _STAGES, asked_caps=asked_caps)


async def library_uses(plan: Plan[ProgramTask], fabric: TaskFabric, announce: Announce) -> tuple[LibraryUse, ...]:
    """Return the uses of the standard library that fit the original, as measured and observed by a fabric's workers.

    Raises:
        OracleUnfit: the original cannot decide what is right.
        SandboxUnavailable: no worker has a sandbox with sufficient isolation.
    """
    config = await plan.measured(fabric, announce)
    answer = await perform_on_draft(fabric, config, "programs.library", _LOOK)
    return LibraryUses.model_validate(answer.findings.data if answer.findings is not None else {}).uses


def planned(task: ProgramTask, seed: int, search: Search) -> RunConfig:
    """Return the run of a task.

    Raises:
        ConfigError: its target or its archive is invalid.
    """
    return plan(task, seed, search).draft()


def _terms(task: ProgramTask, search: Search) -> Terms:
    return Terms(
        task=payload(task.model_copy(update={"asks_models": search.models})),
        problem=f"{task.path}:{task.function}",
        policy=Programs.policy.version,
        weights={str(name): weight for name, weight in task.objectives.items()},
        timed="speed" in task.objectives,
        target=target_of(search.bounds.target, task),
        energy_costs=EnergyCosts(cpu_basis="opcodes" if "opcodes" in task.objectives else "cpu_ms"),
        archive=archive_for(task, search.archive) if search.archive is not None else None,
    )
