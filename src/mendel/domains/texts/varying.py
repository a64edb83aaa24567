"""The steps that vary a text: an edit of lines, and a change by a model.

The model sees the parent, some seeds of breeding with the right output, the parent's failures on them, and other good
programs; nothing of held-out seeds or of the gate's findings (rule 6). Its answer is data until it has been examined
(rule 5).
"""

from __future__ import annotations

from functools import partial
from typing import Final

from mendel.bench.model_operators import complaints, inspirations, repairs_of
from mendel.bench.records import SourceTraits
from mendel.bench.work import used
from mendel.breeding.asking import FORMS, changed_by_model
from mendel.breeding.prompts.inputs import Case, MutationPrompt, Rules
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.work import Answer, Work
from mendel.domains.texts.bench import BENCHES, SCORE, Bench, shown
from mendel.domains.texts.line_edits import edited
from mendel.domains.texts.models import TextRepair, TextTask, payload
from mendel.domains.texts.regions import changed_outside, parts_of
from mendel.ports.handlers import Ports
from mendel.ports.sandbox import Sandbox

EXAMPLES: Final = 2  # outputs may be long


async def vary(work: Work, ports: Ports) -> Answer:  # noqa: ARG001 - a coroutine needs no worker process
    """Run the step ``texts.vary``: one edit of some lines, within what may change.

    Raises:
        HandlerFailed: there is nothing to change.
    """
    bench, parent = BENCHES.of(work), _parent(work)
    path = work.entropy.pick(bench.task.editable, "file")
    parts = parts_of(parent.files[path], path)
    place = work.entropy.below(len(parts.free), "region")
    made = edited(parts.free[place], work.entropy.child("edit"))
    if made is None:
        raise HandlerFailed("nothing_to_vary", f"there is nothing to change in {path}")
    files = {**parent.files, path: parts.with_free(place, made[0])}
    note = f"{path}: {made[1]}"[:500]
    traits = SourceTraits(files=files, operator=work.operation.operator, note=note)
    return Answer(traits=payload(traits), choices={"operator": work.operation.operator, "note": note})


async def ask(work: Work, ports: Ports) -> Answer:
    """Run the step ``texts.ask``: a model's change of one parent.

    Raises:
        HandlerFailed: there is no applicable change, or no model to ask.
        ModelCallFailed: no model answered.
    """
    bench, parent, operator = BENCHES.of(work), _parent(work), work.operation.operator
    prompt = await _prompt(bench, parent, work, ports.sandbox)
    task = bench.task
    judge = partial(complaints, task.editable, partial(_wrong, task))
    spent = partial(used, ports.sandbox)
    change = await changed_by_model(work, ports, prompt, task.editable, judge, spent, templates=task.templates)
    files = {path: change.files[path] for path in task.editable}
    repairs = repairs_of(parent, work)
    return Answer(
        traits=payload(SourceTraits(files=files, operator=operator, note=change.note, repairs=repairs)),
        choices={"operator": operator, "site": change.source.name, "note": change.note},
        usage=used(ports.sandbox),
    )


def _parent(work: Work) -> SourceTraits:
    return SourceTraits.model_validate(work.material.parents[0].data)


def _wrong(task: TextTask, path: str, text: str) -> str | None:
    return changed_outside(task.files[path], text, path)


# --- what a model is shown ---------------------------------------------------------------------------------------


async def _prompt(bench: Bench, parent: SourceTraits, work: Work, sandbox: Sandbox) -> MutationPrompt:
    task = bench.task
    try:
        return MutationPrompt(
            language=task.language,
            files=parent.files,
            form=FORMS[work.operation.operator or ""],
            objective=_objective(task),
            rules=Rules(same_answers=task.objective != SCORE, others=tuple(_rules(task))),
            inspirations=inspirations(parent, work),
            examples=await _examples(bench, sandbox),
            failures=_failures(work),
        )
    except ValueError as error:
        raise HandlerFailed("no_prompt", str(error)) from error


def _objective(task: TextTask) -> str:
    if task.objective != SCORE:
        return "takes less time and prints the same, byte for byte"
    return f"prints what gets a {'higher' if task.maximize else 'lower'} score from the task's own command"


def _rules(task: TextTask) -> list[str]:
    """Describe how the program is run, for the prompt."""
    command = " ".join(task.run.split())
    told = [f"It is run as `{command}`, without input, with a number in the environment variable MENDEL_SEED."]
    told.append("What it prints for one number is always the same, and it ends with status 0.")
    if any(parts_of(text, path).marked for path, text in task.originals().items()):
        told.append("Only lines between `mendel: evolve` and `mendel: end` may change; the two marks stay.")
    return told


async def _examples(bench: Bench, sandbox: Sandbox) -> tuple[Case, ...]:
    """Return some seen seeds with the right output; empty if a score decides what is right."""
    if bench.task.objective == SCORE:
        return ()
    right = await bench.right(sandbox)
    pairs = list(zip(bench.seen, right, strict=True))[:EXAMPLES]
    return tuple(Case(shown(case), str(outcome.value)) for case, outcome in pairs if outcome.succeeded)


def _failures(work: Work) -> tuple[Case, ...]:
    """Return the parent's failures, if it is being repaired."""
    if work.operation.inputs is None:
        return ()
    failing = TextRepair.model_validate(work.operation.inputs.data).failing
    return tuple(Case(each.given, each.expected, each.got) for each in failing)
