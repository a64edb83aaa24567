"""Request a change from a model: choose the source, try the answer, and report failures, for any kind of material."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mendel.breeding.patches.answers import apply_answer
from mendel.breeding.patches.outcomes import Form, NotApplicable, Patched
from mendel.breeding.prompts.inputs import MutationPrompt
from mendel.breeding.prompts.mutation import mutation_messages
from mendel.contracts.energy import Usage
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.model_calls import Message
from mendel.contracts.model_plans import RolePlan, Source
from mendel.contracts.providers import ModelRole
from mendel.contracts.work import Work
from mendel.ports.fan_out import CHOOSERS, fan_out
from mendel.ports.handlers import Ports
from mendel.ports.model_gateway import Check, ModelGateway, ModelRequest, ModelResponse

MUTATOR: Final[ModelRole] = "mutator"
FORMS: Final[Mapping[str, Form]] = {"model_replace": "replace", "model_diff": "diff", "model_rewrite": "rewrite"}
"""Operators that call a model, by name, and the form of the answer each requires."""
ROOM: Final = 0.7
"""Share of the prompt limit that the question may use; a repair also has to contain the rejected answer."""
BACKGROUND: Final = 0.3
"""Share of the question's room that background may use; messages that do not fit are left out."""
Judge = Callable[[Mapping[str, str]], Sequence[str]]
"""Takes the changed files and returns complaints about them; empty if the change is allowed."""


@dataclass(frozen=True)
class Change:
    """The files after an applicable answer, the source of the answer, and a note for people."""

    files: dict[str, str]
    source: Source
    note: str


async def changed_by_model(
    work: Work,
    ports: Ports,
    prompt: MutationPrompt,
    editable: Collection[str],
    judge: Judge,
    spent: Callable[[], Usage],
    *,
    templates: Mapping[str, str] | None = None,
    background: Sequence[Message] = (),
) -> Change:
    """Return a model's change to the prompt's files; an inapplicable answer is repaired once, then rejected.

    ``spent`` returns the usage apart from models. Failures report it, because a failure without usage is charged its
    worst case, and a few poor answers would use up a budget. ``templates`` are the user's own templates by name.
    ``background`` are data messages, placed before the last message of the question.

    Raises:
        HandlerFailed: there is no applicable change, or no model has the role.
        ModelCallFailed: no model returned an answer.
    """
    role, source = asked_of(work)
    room = int(ROOM * role.limits.prompt_bytes)
    background = _fitting(background, int(BACKGROUND * room))
    # Background goes before the last message, which states the task.
    *question, last = _worded(prompt, room - _size(background), templates)
    trial = _Trial(prompt, editable, judge)
    messages = (*question, *background, last)
    request = ModelRequest(role=MUTATOR, messages=messages, check=Check(prompt.form, trial.complaints))
    source, response = await _answered(ports.models, request, role, source)
    if not isinstance(response.output, str):
        told = "; ".join(response.complaints)[:2_000] or "the model declined"
        raise HandlerFailed("patch_rejected", told, usage=spent())
    outcome = trial.applied(response.output)
    return Change(dict(outcome.files), source, f"{source.route}: {outcome.note}"[:500])


def _fitting(background: Sequence[Message], room: int) -> Sequence[Message]:
    """Return the leading messages that fit into the room."""
    return [each for place, each in enumerate(background) if _size(background[: place + 1]) <= room]


def _size(messages: Sequence[Message]) -> int:
    return sum(len(each.content.encode()) for each in messages)


async def _answered(
    models: ModelGateway, request: ModelRequest, role: RolePlan, source: Source
) -> tuple[Source, ModelResponse]:
    """Return the answering source and its response: the drawn source, or the one chosen of several called at once."""
    others = [each for each in role.sources if each is not source]
    # In a fan-out the drawn source comes first, the others by weight.
    asked = (source, *sorted(others, key=lambda each: -each.weight))[: role.asked_at_once]
    if len(asked) == 1:
        return source, await models.ask(replace(request, route=source.route))
    fanned = await fan_out(models, request, [each.route for each in asked], CHOOSERS[role.chooser])
    if fanned.chosen is None:  # no answer was acceptable: any of them carries the complaints to report
        return source, fanned.answers[0]
    return next(each for each in asked if each.route == fanned.route), fanned.chosen


def asked_of(work: Work) -> tuple[RolePlan, Source]:
    """Return the mutator role and a source: the one that the operation names, or else one drawn by weight.

    Raises:
        HandlerFailed: the run has no model with the role of mutator.
    """
    role = work.models.roles.get(MUTATOR) if work.models is not None else None
    if role is None:
        raise HandlerFailed("not_configured", "the run has no model with the role of mutator")
    named = next((each for each in role.sources if each.name == work.operation.site), None)
    return role, named or role.sources[work.entropy.weighted([each.weight for each in role.sources], "source")]


def _worded(prompt: MutationPrompt, prompt_bytes: int, templates: Mapping[str, str] | None) -> tuple[Message, ...]:
    try:
        return mutation_messages(prompt, prompt_bytes=prompt_bytes, templates=templates or None)
    except ValueError as error:
        raise HandlerFailed("prompt_too_large", str(error)) from error


@dataclass
class _Trial:
    """Applies answers to check them, and keeps the results of acceptable ones so that none is applied twice."""

    prompt: MutationPrompt
    editable: Collection[str]
    judge: Judge
    _kept: dict[str, Patched] = field(default_factory=dict)

    def complaints(self, text: str) -> Sequence[str]:
        """Return the reasons why an answer is not an allowed change; empty if it is."""
        outcome = apply_answer(text, self.prompt.files, self.prompt.form, editable=self.editable)
        if isinstance(outcome, NotApplicable):
            return outcome.complaints
        wrong = self.judge(outcome.files)
        if not wrong:
            self._kept[text] = outcome
        return wrong

    def applied(self, text: str) -> Patched:
        """Return the result of the accepted answer."""
        wrong = () if text in self._kept else self.complaints(text)  # the gateway may not have checked it here
        if wrong:
            raise HandlerFailed("patch_rejected", "; ".join(wrong)[:2_000])
        return self._kept[text]
