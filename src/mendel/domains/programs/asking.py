"""The step ``programs.ask``: a model changes a program. What it answers is data until it was examined (rule 5).

It is shown the parent, some inputs that breeding may see with their right answers, where the parent fails at them,
where its time goes, and others that do well; nothing of held-out inputs, and nothing of what the gate said (rule 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from mendel.breeding.code import parsed
from mendel.breeding.patches.answers import apply_answer
from mendel.breeding.patches.outcomes import Form, NotApplicable
from mendel.breeding.prompts.inputs import Case, Inspiration, MutationPrompt, Rules
from mendel.breeding.prompts.mutation import mutation_messages
from mendel.breeding.regions import edits_outside
from mendel.contracts.errors import HandlerFailed, SourceNotPython
from mendel.contracts.model_calls import Message
from mendel.contracts.model_plans import RolePlan, Source
from mendel.contracts.work import Answer, Work
from mendel.domains.programs.examining import used
from mendel.domains.programs.models import ObjectiveName, ProgramTask, ProgramTraits, Repair, payload
from mendel.domains.programs.operators import FORMS
from mendel.domains.programs.varying import OBSERVATIONS, parents_of, view_of
from mendel.domains.programs.workbench import Workbench
from mendel.guard.observing import Answers
from mendel.guard.spec import Args
from mendel.guard.trials import Trial
from mendel.ports.handlers import Ports
from mendel.ports.model_gateway import Check, ModelGateway, ModelRequest
from mendel.ports.sandbox import Sandbox

EXAMPLES: Final = 6
FAILURES: Final = 6
ROOM: Final = 0.7
"""The part of a prompt's limit that the question may take: a repair needs room for the answer."""
_OBJECTIVES: Final[dict[ObjectiveName, str]] = {
    "speed": "takes less time for the same answers, above all on large inputs",
    "opcodes": "executes fewer bytecode instructions for the same answers",
    "memory": "needs less memory for the same answers",
    "size": "is shorter and simpler and gives the same answers",
    "score": "answers with a higher score by the task's own measure",
}


async def ask(work: Work, ports: Ports) -> Answer:
    """A model's change of one parent, if it can be applied; one that cannot is repaired once, then rejected.

    Raises:
        HandlerFailed: there is no applicable change.
        ModelCallFailed: nobody answered.
    """
    bench, (parent, *_), sandbox = parents_of(work, ports)
    role, source = _asked(work)
    form = FORMS[work.operation.operator or ""]
    prompt = await _prompt(bench, parent, form, work, sandbox)
    complaints = partial(_complaints, bench.task, parent, form)
    request = ModelRequest(
        role="mutator",
        messages=_worded(prompt, int(ROOM * role.limits.prompt_bytes)),
        check=Check(form, complaints),
        route=source.route,
    )
    response = await _gateway(ports).ask(request)
    if not isinstance(response.output, str):
        raise HandlerFailed("patch_rejected", "; ".join(response.complaints)[:2_000] or "the model declined")
    files, note = _applied(bench.task, parent, form, response.output)
    told = f"{source.route}: {note}"[:500]
    operator = work.operation.operator
    return Answer(
        traits=payload(ProgramTraits(files=files, operator=operator, note=told, repairs=_repairs(parent, work))),
        choices={"operator": operator, "site": source.name, "note": told},
        usage=used(bench, sandbox),
    )


def _gateway(ports: Ports) -> ModelGateway:
    if ports.models is None:
        raise HandlerFailed("not_configured", "the run asks models, and nobody answers for them here")
    return ports.models


def _asked(work: Work) -> tuple[RolePlan, Source]:
    """Who is asked: whom the operation names, or else anybody, by weight."""
    role = work.models.roles.get("mutator") if work.models is not None else None
    if role is None:
        raise HandlerFailed("not_configured", "the run has no model that plays the mutator")
    named = next((each for each in role.sources if each.name == work.operation.site), None)
    return role, named or role.sources[work.entropy.weighted([each.weight for each in role.sources], "source")]


def _worded(prompt: MutationPrompt, prompt_bytes: int) -> tuple[Message, ...]:
    try:
        return mutation_messages(prompt, prompt_bytes=prompt_bytes)
    except ValueError as error:
        raise HandlerFailed("prompt_too_large", str(error)) from error


def _repairs(parent: ProgramTraits, work: Work) -> int:
    return parent.repairs + 1 if work.operation.inputs is not None else 0


# --- what it is shown ------------------------------------------------------------------------------------


async def _prompt(bench: Workbench, parent: ProgramTraits, form: Form, work: Work, sandbox: Sandbox) -> MutationPrompt:
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
            inspirations=_inspirations(parent, work),
            examples=examples,
            failures=failures,
            hot_lines=hot_lines,
        )
    except ValueError as error:
        raise HandlerFailed("no_prompt", str(error)) from error


def _objective(task: ProgramTask) -> str:
    weightiest = max(task.objectives, key=lambda name: task.objectives[name])
    return _OBJECTIVES[weightiest]


def _inspirations(parent: ProgramTraits, work: Work) -> tuple[Inspiration, ...]:
    found = []
    for each in work.material.inspirations:
        files = ProgramTraits.model_validate(each.traits.data).files
        if files != parent.files:
            found.append(Inspiration(files, {"fitness": each.total} if each.total is not None else {}))
    return tuple(found)


async def _examples(bench: Workbench, sandbox: Sandbox) -> tuple[Case, ...]:
    """Some of the smaller inputs that breeding may see, with what is right; none where nothing says that."""
    if not bench.rules.oracle:
        return ()
    small = bench.seen[: max(EXAMPLES, len(bench.seen) // 2)]
    chosen = small[:: max(1, len(small) // EXAMPLES)][:EXAMPLES]
    answers = await bench.answers(chosen, sandbox)
    return tuple(_case(bench, trial, right) for trial, right in zip(chosen, answers, strict=True))


async def _failures(bench: Workbench, parent: ProgramTraits, work: Work, sandbox: Sandbox) -> tuple[Case, ...]:
    """Where the parent fails of these, if it is to be repaired."""
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
    """Where the time goes, in the file of the function; nothing where opcodes count, which no clock says."""
    main = bench.task.main
    if main not in parent.files or not bench.observable:
        return {}
    found = await OBSERVATIONS.heat(bench, view_of(bench, parent, main), sandbox)
    whole = sum(found.values())
    return {main: {line: share / whole for line, share in found.items()}} if whole > 0 else {}


# --- what it answers -------------------------------------------------------------------------------------


def _complaints(task: ProgramTask, parent: ProgramTraits, form: Form, text: str) -> Sequence[str]:
    """Why an answer is no change that may be made."""
    outcome = apply_answer(text, parent.files, form, editable=task.editable)
    if isinstance(outcome, NotApplicable):
        return outcome.complaints
    return [found for path in task.editable if (found := _wrong(task, path, outcome.files.get(path))) is not None]


def _wrong(task: ProgramTask, path: str, text: str | None) -> str | None:
    if text is None:
        return f"{path} is gone; it has to stay"
    try:
        outside = edits_outside(parsed(task.files[path], path), parsed(text, path), task.roots[path])
    except SourceNotPython as error:
        return str(error)
    return f"{path}: {outside}" if outside is not None else None


def _applied(task: ProgramTask, parent: ProgramTraits, form: Form, text: str) -> tuple[dict[str, str], str]:
    outcome = apply_answer(text, parent.files, form, editable=task.editable)
    if isinstance(outcome, NotApplicable):
        raise HandlerFailed("patch_rejected", "; ".join(outcome.complaints)[:2_000])
    return {path: outcome.files[path] for path in task.editable}, outcome.note
