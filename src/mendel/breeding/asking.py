"""A model is asked for a change: who is asked, and what becomes of the answer, whatever the material is."""

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
"""Operators that ask a model, and in which form it answers."""
ROOM: Final = 0.7
"""The part of a prompt's limit that the question may take: a repair needs room for the answer."""
BACKGROUND: Final = 0.3
"""The part of that which background may take; what does not fit is left out."""
Judge = Callable[[Mapping[str, str]], Sequence[str]]
"""What is wrong with files that an answer makes; nothing where it may be made."""


@dataclass(frozen=True)
class Change:
    """Files after an applicable answer, who gave it, and a note for people."""

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
    """A model's change of the prompt's files, if it can be applied; one that cannot is repaired once, then rejected.

    ``spent`` is what was used beside models: a failure says it, since what does not counts at its worst, and a few poor
    answers would use a budget up. ``templates`` are the user's own, by name; ``background`` is what it reads, as data,
    before the question's end.

    Raises:
        HandlerFailed: there is no applicable change, or nobody to ask.
        ModelCallFailed: nobody answered.
    """
    role, source = asked_of(work)
    room = int(ROOM * role.limits.prompt_bytes)
    background = _fitting(background, int(BACKGROUND * room))
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
    """As many of them, from the first on, as there is room for."""
    return [each for place, each in enumerate(background) if _size(background[: place + 1]) <= room]


def _size(messages: Sequence[Message]) -> int:
    return sum(len(each.content.encode()) for each in messages)


async def _answered(
    models: ModelGateway, request: ModelRequest, role: RolePlan, source: Source
) -> tuple[Source, ModelResponse]:
    """Who answers, and what: the source that was drawn, or of several that are asked at once the one that is chosen."""
    others = [each for each in role.sources if each is not source]
    asked = (source, *sorted(others, key=lambda each: -each.weight))[: role.asked_at_once]
    if len(asked) == 1:
        return source, await models.ask(replace(request, route=source.route))
    fanned = await fan_out(models, request, [each.route for each in asked], CHOOSERS[role.chooser])
    if fanned.chosen is None:
        return source, fanned.answers[0]
    return next(each for each in asked if each.route == fanned.route), fanned.chosen


def asked_of(work: Work) -> tuple[RolePlan, Source]:
    """Who is asked: whom the operation names, or else anybody, by weight.

    Raises:
        HandlerFailed: the run has no model that plays the mutator.
    """
    role = work.models.roles.get(MUTATOR) if work.models is not None else None
    if role is None:
        raise HandlerFailed("not_configured", "the run has no model that plays the mutator")
    named = next((each for each in role.sources if each.name == work.operation.site), None)
    return role, named or role.sources[work.entropy.weighted([each.weight for each in role.sources], "source")]


def _worded(prompt: MutationPrompt, prompt_bytes: int, templates: Mapping[str, str] | None) -> tuple[Message, ...]:
    try:
        return mutation_messages(prompt, prompt_bytes=prompt_bytes, templates=templates or None)
    except ValueError as error:
        raise HandlerFailed("prompt_too_large", str(error)) from error


@dataclass
class _Trial:
    """Answers, applied to see whether they may be; those that may are kept, and not applied again."""

    prompt: MutationPrompt
    editable: Collection[str]
    judge: Judge
    _kept: dict[str, Patched] = field(default_factory=dict)

    def complaints(self, text: str) -> Sequence[str]:
        """Why an answer is no change that may be made."""
        outcome = apply_answer(text, self.prompt.files, self.prompt.form, editable=self.editable)
        if isinstance(outcome, NotApplicable):
            return outcome.complaints
        wrong = self.judge(outcome.files)
        if not wrong:
            self._kept[text] = outcome
        return wrong

    def applied(self, text: str) -> Patched:
        """What the accepted answer makes."""
        wrong = () if text in self._kept else self.complaints(text)
        if wrong:
            raise HandlerFailed("patch_rejected", "; ".join(wrong)[:2_000])
        return self._kept[text]
