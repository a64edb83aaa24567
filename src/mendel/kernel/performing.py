"""Performing operations: build tasks from them, read results, and turn handlers' requests into child operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from pydantic import ValidationError

from mendel.contracts.base import StepName
from mendel.contracts.energy import Usage, added
from mendel.contracts.errors import RunRefused
from mendel.contracts.events.operation import NearCandidate, Operation, OperationCompleted, OperationKind
from mendel.contracts.ids import child_id, new_run_id, new_task_id
from mendel.contracts.payloads import DomainPayload, explain
from mendel.contracts.run_config import RunConfig
from mendel.contracts.statuses import GenerationStatus
from mendel.contracts.tasks import TASK_SCHEMA_VERSION, Result, ResultStatus, Task, TaskKind
from mendel.contracts.times import utc_now
from mendel.contracts.work import (
    Answer,
    ChildAnswered,
    ChildAsked,
    Failure,
    Hints,
    Inspiration,
    Material,
    Neighbour,
    TaskPayload,
    Work,
)
from mendel.kernel.cohorts import cohort_of
from mendel.kernel.domain import Domain, Step
from mendel.kernel.state import COUNTED, EndedChild, Family, InFlight, NicheState, RunState, Tally
from mendel.kernel.walls import check_isolation
from mendel.ports.handlers import how_to_open
from mendel.ports.task_fabric import TaskFabric, TaskLane

_KINDS: Mapping[OperationKind, TaskKind] = {
    "vary": TaskKind.MUTATE,
    "repair": TaskKind.MUTATE,
    "express": TaskKind.RENDER,
    "examine": TaskKind.EVALUATE,
    "challenge": TaskKind.EVALUATE,
    "adopt": TaskKind.EXECUTE,
    "revoke": TaskKind.EXECUTE,
    "child": TaskKind.EXECUTE,
}


EarlierContents = Mapping[tuple[str, str], DomainPayload]
"""Contents of candidates of earlier runs, by run and candidate."""
NO_CONTENTS: Final[EarlierContents] = MappingProxyType({})


def task_of(state: RunState, flown: InFlight, domain: Domain, earlier: EarlierContents = NO_CONTENTS) -> Task:
    """Return the task that performs an operation in flight; with a fresh id, as each attempt is a submission."""
    operation = flown.operation
    spec = domain.steps.get(operation.step)
    asks, plan = spec.asks if spec is not None else (), state.config.models
    models = plan.only(asks) if asks and plan is not None else None
    work = Work(
        operation=operation,
        material=material(state, operation, spec, earlier),
        attempt=flown.attempt,
        models=models,
        ports=spec.named_ports if spec is not None else (),
        children=worst_of_children(state, domain, operation),
    )
    return _task(work, state.run_id, spec.requires if spec is not None else ())


def _task(work: Work, run_id: str, requires: tuple[str, ...] = ()) -> Task:
    payload = TaskPayload(handler=work.operation.step, run_id=run_id, work=work)
    return Task.model_construct(  # its parts are valid; validating its JSON again would cost more than building it
        kind=_KINDS[work.operation.kind],
        id=new_task_id(),
        payload=payload.model_dump(mode="json"),
        requires=requires,
        attempts=work.attempt - 1,
        created_at=utc_now(),
        schema_v=TASK_SCHEMA_VERSION,
    )


def material(
    state: RunState, operation: Operation, spec: Step | None = None, earlier: EarlierContents = NO_CONTENTS
) -> Material:
    """Return the operation's material, looked up by the ids in its marker; with cohort and hints if ``spec`` says so.

    A neighbour from a run that is missing in this log is left out: an interrupted run may have been imported alone.
    """
    return Material(
        cohort=cohort_of(state, operation) if spec is not None and spec.cohort else (),
        neighbours=tuple(_neighbours(state, operation, earlier)),
        problem=state.config.problem,
        config=state.config.domain_config,
        parents=tuple(state.genomes[parent].genome.traits for parent in operation.parents),
        parent_contents=tuple(_best_content(state, parent) for parent in operation.parents),
        inspirations=tuple(_inspiration(state, each) for each in operation.inspirations),
        **_champion(state, operation),
        parameters=state.parameters_of.get(operation.parent or operation.id),
        hints=_hints(state.config) if spec is not None and spec.hints else None,
        **_subject(state, operation),
    )


def _hints(config: RunConfig) -> Hints:
    return Hints(generation_operators=config.generation_operators, generation_bias=config.generation_bias)


def _neighbours(state: RunState, operation: Operation, earlier: EarlierContents) -> Iterator[Neighbour]:
    for near in operation.neighbours:
        content = _content_of(state, near, earlier)
        if content is not None:
            yield Neighbour(
                candidate_id=near.candidate_id, similarity=near.similarity, content=content, run_id=near.run_id
            )


def _content_of(state: RunState, near: NearCandidate, earlier: EarlierContents) -> DomainPayload | None:
    if near.run_id is None:
        return state.candidates[near.candidate_id].content
    key = near.run_id, near.candidate_id
    named = (each.content for each in state.config.ancestors if (each.run_id, each.candidate_id) == key)
    return next(named, earlier.get(key))


def _inspiration(state: RunState, genome_id: str) -> Inspiration:
    known = state.genomes[genome_id]
    best = state.fitness_in(known, len(state.generations) - 1)
    return Inspiration(traits=known.genome.traits, total=best[0] if best is not None else None)


def _contends(state: RunState, operation: Operation) -> bool:
    """Return whether the operation's candidate is at the gate: only then the material contains the champion."""
    if operation.kind == "challenge":
        return True
    if operation.entered is not None:
        return False
    known = state.candidates.get(operation.subject_ids[0]) if operation.kind in ("examine", "child") else None
    return known is not None and known.score is not None


def _subject(state: RunState, operation: Operation) -> dict[str, DomainPayload | None]:
    subject = operation.subject_ids[0]
    if operation.subject_kind == "generation":
        return {"conditions": state.generations[state.generation_of[subject]].conditions}
    if operation.subject_kind == "genome":
        known = state.genomes.get(subject)
        if known is None:
            return {"conditions": _bred_for(state, operation)}
        return {"traits": known.genome.traits, "conditions": state.generations[known.generation].conditions}
    candidate = state.candidates[subject]
    other = state.candidates[operation.subject_ids[1]].content if len(operation.subject_ids) > 1 else None
    return {
        "traits": state.genomes[candidate.candidate.genome_id].genome.traits,
        "content": candidate.content,
        "other": other,
        "conditions": state.generations[
            operation.entered if operation.entered is not None else candidate.generation
        ].conditions,
    }


def _champion(state: RunState, operation: Operation) -> dict[str, DomainPayload | None]:
    if not _contends(state, operation):
        return {}
    niche = state.niche_of(operation.subject_ids[0])
    return {"champion": niche.champion_content, "champion_traits": _champion_traits(state, niche)}


def _champion_traits(state: RunState, niche: NicheState) -> DomainPayload | None:
    """Return the traits of the champion's genome, of this run or of an ancestor."""
    if niche.champion_id is None:
        return None
    if niche.champion_is_ours:
        return state.genomes[state.candidates[niche.champion_id].candidate.genome_id].genome.traits
    found = (each.traits for each in state.config.ancestors if each.candidate_id == niche.champion_id)
    return next(found, None)


def _best_content(state: RunState, genome_id: str) -> DomainPayload | None:
    """Return the content of the genome's best candidate, or of its first one if none is scored."""
    known = state.genomes[genome_id]
    best = known.best[1] if known.best is not None else next(iter(known.candidates), None)
    return state.candidates[best].content if best is not None else None


def _bred_for(state: RunState, operation: Operation) -> DomainPayload | None:
    """Return the conditions of a genome's future generation, which may not have started yet."""
    index = state.generation_of[state.births.home_of[operation.birth or 0]]
    generation = state.generations[index]
    if generation.status is GenerationStatus.PENDING and index:
        return state.generations[index - 1].offspring_conditions
    return generation.conditions


def outcome_of(result: Result) -> Answer | Failure:
    """Return the answer or failure in a result; an unreadable result is a failure too."""
    try:
        if result.status is ResultStatus.OK:
            return Answer.model_validate(result.data.get("answer"))
        return Failure.model_validate(result.data.get("failure"))
    except ValidationError as error:
        return Failure(error_type="bad_answer", error_code="bad_answer", message=explain(error)[:2_000])


# --- outside a run ---------------------------------------------------------------------------------------


async def perform_on_draft(fabric: TaskFabric, config: RunConfig, name: StepName, step: Step) -> Answer:
    """Perform a step for a run that has not begun, such as a planner's measurement. Nothing is recorded.

    The handler's material contains the run's configuration, and the run's seed is the first key of its draws.

    Raises:
        SandboxUnavailable: it needs a sandbox, and the fabric has none, or one that is too weak.
        RunRefused: it needs another port that the fabric does not open.
        MendelError: its handler raised it.
    """
    if "sandbox" in step.ports:
        await check_isolation(config, fabric)
    for port in step.ports:
        if port not in fabric.ports:
            raise RunRefused(f"the step {name} needs the port {port}, which is not open: {how_to_open(port)}")
    operation = Operation(
        id="draft-1",
        step=name,
        subject_kind="run",
        subject_ids=("draft",),
        entropy=(config.rng_seed, "draft"),
        allowance=step.worst(config.models),
    )
    models = config.models.only(step.asks) if step.asks and config.models is not None else None
    material = Material(problem=config.problem, config=config.domain_config)
    work = Work(operation=operation, material=material, models=models, ports=(*step.ports, *step.may_use))
    outcome = await perform_alone(fabric, work, step)
    if isinstance(outcome, Failure):
        raise outcome.error()
    return outcome


async def perform_alone(fabric: TaskFabric, work: Work, step: Step) -> Answer | Failure:
    """Perform one operation that belongs to no run, on its own lane and with the step's deadline."""
    run_id = new_run_id()
    task = _task(work, run_id, step.requires)
    async with fabric.lane(run_id) as lane:
        try:
            await lane.submit(task, deadline_ms=step.deadline_ms)
            (result,) = await lane.results()
        finally:
            await lane.cancel(task.id)  # else a fabric that outlives this process would keep the task or its result
    return outcome_of(result)


# Child operations, which a handler may request while it works, within the reservation of its parent.


PARENT_ENDED = "parent_ended"


def worst_of_children(state: RunState, domain: Domain, operation: Operation) -> dict[str, Usage]:
    """Return the worst case of each step that an operation's handler may request; children have no children."""
    spec = domain.steps.get(operation.step)
    if spec is None or operation.parent is not None:
        return {}
    return {name: domain.steps[name].worst(state.config.models) for name in spec.children if name in domain.steps}


def used_by_children(state: RunState, parent: str) -> list[Usage]:
    """Return the usage of each child of ``parent``; a child in flight counts at its worst case."""
    family = state.families.get(parent)
    if family is None:
        return []
    taken = [flown.operation.allowance for flown in family.open.values()]
    for operation, completion in family.ended.values():
        taken += [completion.usage, *[operation.allowance] * completion.lost_deliveries]
    return taken


def wanted_child(
    state: RunState, domain: Domain, parent: Operation, asked: ChildAsked
) -> Operation | InFlight | Answer | Failure:
    """Resolve a child request to a new operation, one in flight, a recorded answer, or a refusal.

    A refusal is not recorded: nothing was started, and the same request is refused again.
    """
    family = state.families.get(parent.id, Family())
    name = child_id(state.seed, parent.id, asked.index)
    ended, flown = family.ended.get(name), family.open.get(name)
    known = ended.operation if ended is not None else flown.operation if flown is not None else None
    # A retried handler must request the same children: the index identifies a child across attempts.
    if known is not None and (known.step, known.inputs) != (asked.step, asked.inputs):
        return refused_child("child_differs", f"child {asked.index} is recorded as another one: {known.step}")
    if ended is not None:
        return answer_of_child(ended)
    return flown if flown is not None else _child_operation(state, domain, parent, asked, name)


def _child_operation(
    state: RunState, domain: Domain, parent: Operation, asked: ChildAsked, name: str
) -> Operation | Failure:
    own, spec = domain.steps.get(parent.step), domain.steps.get(asked.step)
    if own is None or spec is None or asked.step not in own.children:
        return refused_child("child_not_named", f"the step {parent.step} does not name {asked.step} among its children")
    allowance = spec.worst(state.config.models)
    if lacking := _missing_allowance(parent.allowance, added(allowance, *used_by_children(state, parent.id))):
        return refused_child(
            "cap_reached", f"the worst case of {asked.step} exceeds the allowance of {parent.step}: {lacking}"
        )
    return parent.model_copy(
        update={
            "id": name,
            "step": asked.step,
            "kind": "child",
            "parent": parent.id,
            "operator": None,
            "site": None,
            "why": "",
            "challenge": None,
            "entropy": (state.seed, "child", parent.id, asked.index),
            "allowance": allowance,
            "reserved_energy": 0,  # its parent's reservation pays for it
            "deadline_ms": spec.deadline_ms,
            "inputs": asked.inputs,
        }
    )


def _missing_allowance(allowed: Usage, demanded: Usage) -> str:
    most, taken = Tally(), Tally()
    most.add(allowed)
    taken.add(demanded)
    return ", ".join(cap for cap in COUNTED if getattr(taken, cap) > getattr(most, cap))


def refused_child(code: str, message: str) -> Failure:
    """Return the failure that a handler receives if its child was not started."""
    return Failure(error_type="ChildFailed", error_code=code, message=message, usage=Usage())


def answer_of_child(ended: EndedChild) -> Answer | Failure:
    """Return the answer or failure in a child's recorded completion."""
    done = ended.completion
    if isinstance(done, OperationCompleted):
        return Answer(
            findings=done.findings,
            refs=done.refs,
            usage=done.usage,
            attempts=done.attempts,
            degraded=done.degraded,
            isolation=done.isolation,
        )
    return Failure(
        error_type=done.error_type,
        error_code=done.error_code,
        message=done.message,
        usage=done.usage,
        attempts=done.attempts,
    )


def orphan_failure(parent: str) -> Failure:
    """Return the failure of a child that its parent did not wait for; it counts at its worst case."""
    return Failure(error_type=PARENT_ENDED, error_code=PARENT_ENDED, message=f"{parent} ended before it")


# The children that a conductor has on the fabric, and the handlers that wait for their answers.


class Nursery:
    """The tasks of child operations, and the handlers that wait for their outcomes."""

    def __init__(self, lane: TaskLane) -> None:
        self._lane = lane
        self._askers: dict[str, list[ChildAsked]] = {}
        self.tasks: dict[str, str] = {}

    def recall(self, held: Mapping[str, str]) -> None:
        """Add children that are on the fabric already, by task, because an earlier conductor started them."""
        self.tasks.update(held)

    def expect(self, child: str, asked: ChildAsked) -> None:
        """Note that a handler waits for a child."""
        self._askers.setdefault(child, []).append(asked)

    def cares_for(self, child: str) -> bool:
        """Return whether a task performs the child."""
        return child in self.tasks.values()

    async def begin(self, task: Task, flown: InFlight) -> None:
        """Submit a child to the fabric; its marker must be durable."""
        self.tasks[task.id] = flown.operation.id
        await self._lane.submit(task, deadline_ms=flown.operation.deadline_ms)

    def take(self, task_id: str) -> str | None:
        """Remove an ended task; return its child, or None if the task performs no child."""
        return self.tasks.pop(task_id, None)

    async def tell(self, state: RunState) -> None:
        """Send recorded answers to the waiting handlers, and cancel children of ended parents."""
        for task_id, child in list(self.tasks.items()):
            if child not in state.parent_of:
                del self.tasks[task_id]
                await self._lane.cancel(task_id)
        for child in [child for child in self._askers if child not in state.parent_of]:
            for asked in self._askers.pop(child):
                await self._answer(state, child, asked)

    async def _answer(self, state: RunState, child: str, asked: ChildAsked) -> None:
        families = (family for family in state.families.values() if child in family.ended)
        family = next(families, None)
        if family is not None:
            outcome = answer_of_child(family.ended[child])
            await self._lane.answer(ChildAnswered(task_id=asked.task_id, index=asked.index, outcome=outcome))
