"""What a handler is given and what it answers; both travel on the fabric as JSON."""

from __future__ import annotations

from typing import Annotated, cast

from pydantic import Field

from mendel.contracts.base import Contract, Count, JsonObject, Name, StepName, Text
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import FabricError, HandlerFailed, MendelError, ModelCallFailed, error_class
from mendel.contracts.evaluations import Tier
from mendel.contracts.events.operation import Operation
from mendel.contracts.evidence_refs import EvidenceRef
from mendel.contracts.ids import CandidateId, UuidText
from mendel.contracts.lookups import Lookups
from mendel.contracts.model_calls import AttemptRecord, FailureReason
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.verdicts import Niche, Verdict


class Inspiration(Contract):
    """Somebody to learn from: what it has inherited, and how fit it is."""

    traits: DomainPayload
    total: float | None = None


class Hints(Contract):
    """What a run suggests to those who make something new: the lenses, and the dial between convention and surprise."""

    generation_operators: tuple[Name, ...] = ()
    generation_bias: float = 0.0


class CohortMember(Contract):
    """One of those beside whom a subject is judged.

    ``generation`` is where it lives: for a survivor, the one that it entered last. ``total`` is its fitness, where its
    result is among those that the operation may rest on; ``looks`` the vector that
    was recorded of its genome at its birth, ``similarity`` how much alike its looks and the subject's are, where both
    were recorded by one embedder: 1 for no difference.
    """

    candidate_id: CandidateId
    generation: Count
    niche: Niche
    traits: DomainPayload
    content: DomainPayload
    total: float | None = None
    looks: EmbeddingRecord | None = None
    similarity: float | None = None


class Neighbour(Contract):
    """One of those that a subject looks most like, from this run or, with its ``run_id``, from an earlier one."""

    candidate_id: CandidateId
    similarity: float
    content: DomainPayload
    run_id: UuidText | None = None


class Material(Contract):
    """What an operation works on, looked up from the log by the ids in its marker.

    ``traits`` are the genome's, ``content`` the candidate's (``other`` the second of a pair), ``parents`` the traits
    to vary and ``parent_contents`` the best that each of them expressed, ``champion`` what a challenger is compared
    with and ``champion_traits`` what it came from, ``conditions`` those of the generation that the subject lives in or
    is bred for. ``cohort`` is for steps that declare one: the others of the subject's generation and niche and those of
    the one before, survivors that entered them included, in birth order; of a generation, all its members and all
    those. ``neighbours`` are for steps that want some: those that the candidate, or the first parent, looks most like,
    the most similar first. ``parameters`` are those of the
    domain that were in force when the operation was first started, if any were set. ``hints`` are there for operations
    of steps that name them, and for no other: not even as a key.
    """

    problem: Text
    config: DomainPayload | None = None
    conditions: DomainPayload | None = None
    traits: DomainPayload | None = None
    content: DomainPayload | None = None
    other: DomainPayload | None = None
    parents: tuple[DomainPayload, ...] = ()
    parent_contents: tuple[DomainPayload | None, ...] = ()
    champion: DomainPayload | None = None
    champion_traits: DomainPayload | None = None
    inspirations: tuple[Inspiration, ...] = ()
    cohort: tuple[CohortMember, ...] = ()
    neighbours: tuple[Neighbour, ...] = Field(default=(), exclude_if=lambda neighbours: not neighbours)
    parameters: DomainPayload | None = Field(default=None, exclude_if=lambda parameters: parameters is None)
    hints: Hints | None = Field(default=None, exclude_if=lambda hints: hints is None)


class Work(Contract):
    """One operation as its handler gets it. What it may spend stands in ``operation.allowance``.

    ``models`` are those that the run may ask in the roles that the step asks, where it asks any; ``ports`` those that
    its step names. They are opened where the handler runs. ``children`` are the steps that it may ask for as operations
    of its own, each at its worst case.
    """

    operation: Operation
    material: Material
    attempt: Annotated[int, Field(ge=1)] = 1
    models: ModelPlan | None = None
    ports: tuple[Name, ...] = ()
    children: dict[StepName, Usage] = Field(default_factory=dict)

    @property
    def entropy(self) -> Entropy:
        """The operation's own draws: the same at every attempt."""
        return Entropy(*self.operation.entropy)


class Answer(Contract):
    """What a handler found.

    Which field the kernel reads follows from the operation's kind: a variation answers with ``traits`` (with the
    ``choices`` it drew, and the ``looks`` of what it made, if it had it embedded), an expression with ``contents`` (and
    ``looks_of_contents``, as many), a repair with one of those and its ``looks``, an examination with ``findings``, the
    ``looks`` of what it looked at or ``refs``, a challenge with a ``verdict``, a host with nothing. ``usage`` is
    measured; above the allowance the operation counts as failed. ``isolation`` is the weakest tier of sandbox that was
    used, ``calls`` is every attempt at a model, whose tokens and money stand in ``usage`` too, ``lookups`` what else
    was asked outside; whoever carries the task fills these in, not the handler.
    """

    findings: DomainPayload | None = None
    traits: DomainPayload | None = None
    looks: EmbeddingRecord | None = None
    spawn_budget: Annotated[int, Field(ge=1)] = 1
    choices: JsonObject = Field(default_factory=dict)
    contents: tuple[DomainPayload, ...] = ()
    looks_of_contents: tuple[EmbeddingRecord | None, ...] = ()
    summary: str = ""
    verdict: Verdict | None = None
    refs: tuple[EvidenceRef, ...] = ()
    usage: Usage = Usage()
    attempts: Annotated[int, Field(ge=1)] = 1
    degraded: bool = False
    isolation: Tier | None = None
    calls: tuple[AttemptRecord, ...] = ()
    lookups: Lookups | None = None


class Failure(Contract):
    """Why an operation did not succeed. Where nobody says what it used, it counts at its worst case (rule 1)."""

    error_type: Text
    error_code: Name
    message: Text
    usage: Usage | None = None
    attempts: Count = 1
    calls: tuple[AttemptRecord, ...] = ()
    lookups: Lookups | None = None

    def error(self) -> MendelError:
        """What the handler raised, where that is an error of Mendel; any other is a ``FabricError`` that names it."""
        kind = error_class(self.error_type)
        if kind is ModelCallFailed:
            return ModelCallFailed(cast("FailureReason", self.error_code), self.message, self.calls)
        if kind is HandlerFailed:
            return HandlerFailed(self.error_code, self.message, usage=self.usage, attempts=self.attempts)
        try:
            if kind is not None:
                return kind(self.message)
        except TypeError:
            pass  # a class that is made of more than its message
        named = self.message.startswith(self.error_type)  # a plug-in's exception, told with its name and its place
        return FabricError(self.message if named else f"{self.error_type}: {self.message}")


class ChildAsked(Contract):
    """A message from the handler of a task: it asks for a child operation, the ``index``-th of its own."""

    task_id: str
    index: Count
    step: StepName
    inputs: DomainPayload | None = None


class ChildAnswered(Contract):
    """The message that answers it, once what came of it is recorded."""

    task_id: str
    index: Count
    outcome: Annotated[Answer | Failure, Field(union_mode="left_to_right")]


class TaskPayload(Contract):
    """The payload of a task: which handler, and its work."""

    handler: StepName
    run_id: str
    work: Work
