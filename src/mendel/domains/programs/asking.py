"""The step ``programs.ask``: a model changes a program. Its answer is data until it has been examined (rule 5).

The model sees the parent, some inputs of breeding with their right answers, inputs on which the parent fails, the lines
that take most time, and other good programs; nothing of held-out inputs or of the gate's findings (rule 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from mendel.bench.model_operators import complaints, inspirations, repairs_of
from mendel.bench.records import ObjectiveName, Repair
from mendel.bench.workbench import Workbench
from mendel.breeding.asking import FORMS, changed_by_model
from mendel.breeding.code import parsed
from mendel.breeding.patches.outcomes import Form
from mendel.breeding.prompts.inputs import Case, MutationPrompt, Rules
from mendel.breeding.regions import edits_outside
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.errors import HandlerFailed, SourceNotPython
from mendel.contracts.model_calls import Message
from mendel.contracts.untrusted import data_message
from mendel.contracts.work import Answer, Work
from mendel.domains.programs.models import ProgramTask, ProgramTraits, payload
from mendel.domains.programs.steps import OBSERVATIONS, ProgramBench, parents_of, view_of
from mendel.guard.observing import Answers
from mendel.guard.spec import Args
from mendel.guard.trials import Trial
from mendel.ports.handlers import Ports
from mendel.ports.sandbox import Sandbox

EXAMPLES: Final = 6
PASSAGE: Final = 2_000  # characters
FAILURES: Final = 6
_OBJECTIVES: Final[dict[ObjectiveName, str]] = {
    "speed": "takes less time for the same answers, above all on large inputs",
    "opcodes": "executes fewer bytecode instructions for the same answers",
    "memory": "needs less memory for the same answers",
    "size": "is shorter and simpler and gives the same answers",
    "score": "answers with a higher score by the task's own measure",
}


async def ask(work: Work, ports: Ports) -> Answer:
    """Return a model's change of one parent, if it is applicable; otherwise it is repaired once, then rejected.

    Raises:
        HandlerFailed: there is no applicable change.
        ModelCallFailed: no model answered.
    """
    bench, (parent, *_), sandbox = parents_of(work, ports)
    form = FORMS[work.operation.operator or ""]
    prompt, background = await _prompt(bench, parent, form, work, sandbox), await _background(bench.task, ports)
    judge = partial(complaints, bench.task.editable, partial(_wrong, bench.task))
    spent = partial(bench.used, sandbox)
    change = await changed_by_model(
        work, ports, prompt, bench.task.editable, judge, spent, templates=bench.task.templates, background=background
    )
    operator = work.operation.operator
    files = {path: change.files[path] for path in bench.task.editable}
    looks = await _looks(bench.task, files, ports) if work.operation.inputs is None else None
    same_looks = bench.task.same_looks if looks is not None else 0.0  # without a vector, nothing is a near duplicate
    repairs = repairs_of(parent, work)
    traits = ProgramTraits(files=files, operator=operator, note=change.note, repairs=repairs, same_looks=same_looks)
    return Answer(
        traits=payload(traits),
        looks=looks,
        choices={"operator": operator, "site": change.source.name, "note": change.note},
        usage=bench.used(sandbox),
    )


async def _looks(task: ProgramTask, files: Mapping[str, str], ports: Ports) -> EmbeddingRecord | None:
    """Return the vector of the files, if there is an embedder; without one the step goes on.

    A repair gets none: it may differ by one character from the program that it repairs.
    """
    if not ports.has("embedder") or not task.same_looks:
        return None
    text = _compared(files)
    embedded = await ports.embedder.embed([text])
    return embedded.vectors[0].record(text) if embedded.vectors else None


def _compared(files: Mapping[str, str]) -> str:
    """Return the lines that matter for similarity, without blank lines and comment lines."""
    lines = (line.strip() for path in sorted(files) for line in files[path].splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("#"))


# --- what a model is shown -------------------------------------------------------------------------------


async def _background(task: ProgramTask, ports: Ports) -> tuple[Message, ...]:
    """Return texts by others about the problem, as data; empty without a retriever or without results."""
    if not ports.has("retriever") or not task.background:
        return ()
    found = await ports.retriever.retrieve(f"{task.function} {_objective(task)}", task.background)
    return tuple(data_message("background", f"{each.title}\n{each.text}"[:PASSAGE]) for each in found.passages)


async def _prompt(
    bench: ProgramBench, parent: ProgramTraits, form: Form, work: Work, sandbox: Sandbox
) -> MutationPrompt:
    task = bench.task
    roots = tuple(name for path in task.editable for name in task.roots[path])
    examples, failures = await _examples(bench, sandbox), await _failures(bench, parent, work, sandbox)
    hot_lines = await _heat(bench, parent, sandbox)
    try:
        return MutationPrompt(
            language="Python",
            files=parent.files,
            form=form,
            function=task.function,
            objective=_objective(task),
            rules=Rules(free=roots, imports=("the standard library", *task.packages), same_answers=bench.rules.oracle),
            inspirations=inspirations(parent, work),
            examples=examples,
            failures=failures,
            hot_lines=hot_lines,
        )
    except ValueError as error:
        raise HandlerFailed("no_prompt", str(error)) from error


def _objective(task: ProgramTask) -> str:
    weightiest = max(task.objectives, key=lambda name: task.objectives[name])  # a prompt names a single one
    return _OBJECTIVES[weightiest]


async def _examples(bench: Workbench, sandbox: Sandbox) -> tuple[Case, ...]:
    """Return some of the smaller inputs of breeding with the right answers; empty without an oracle."""
    if not bench.rules.oracle:
        return ()
    small = bench.seen[: max(EXAMPLES, len(bench.seen) // 2)]  # the smaller half, to keep the prompt short
    chosen = small[:: max(1, len(small) // EXAMPLES)][:EXAMPLES]
    answers = await bench.answers(chosen, sandbox)
    return tuple(_case(bench, trial, right) for trial, right in zip(chosen, answers, strict=True))


async def _failures(bench: Workbench, parent: ProgramTraits, work: Work, sandbox: Sandbox) -> tuple[Case, ...]:
    """Return seen inputs on which the parent fails, if it is being repaired."""
    if work.operation.inputs is None or not bench.rules.oracle:
        return ()
    numbers = Repair.model_validate(work.operation.inputs.data).failing
    trials = [bench.seen[number] for number in numbers if number < len(bench.seen)][:FAILURES]
    right = await bench.answers(trials, sandbox)
    ours = await bench.observer(sandbox).observe(bench.program(parent.files), trials)
    return tuple(_case(bench, *each) for each in zip(trials, right, ours.answers, strict=True))


def _case(bench: Workbench, trial: Trial, right: Answers, ours: Answers | None = None) -> Case:
    got = _shown(ours) if ours is not None else None
    return Case(_call(bench.task.function, trial.args), _shown(right), got)


def _call(function: str, args: Args) -> str:
    return f"{function.rpartition('.')[2]}({', '.join(map(repr, args))})"


def _shown(answers: Answers) -> str:
    outcome = answers.original
    return repr(outcome.value) if outcome.succeeded else f"{outcome.error_type or outcome.kind} is raised"


async def _heat(bench: Workbench, parent: ProgramTraits, sandbox: Sandbox) -> dict[str, dict[int, float]]:
    """Return each line's share of the time in the function's file; empty if that cannot be observed."""
    main = bench.task.main
    if main not in parent.files or not bench.observable:
        return {}
    found = await OBSERVATIONS.heat(bench, view_of(bench, parent, main), sandbox)
    whole = sum(found.values())
    return {main: {line: share / whole for line, share in found.items()}} if whole > 0 else {}


# --- what a model answers --------------------------------------------------------------------------------


def _wrong(task: ProgramTask, path: str, text: str) -> str | None:
    try:
        outside = edits_outside(parsed(task.files[path], path), parsed(text, path), task.roots[path])
    except SourceNotPython as error:
        return str(error)
    return f"{path}: {outside}" if outside is not None else None
