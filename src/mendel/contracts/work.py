"""Input and result of a handler; both travel on the task fabric as JSON."""

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
    """Another genome as inspiration: its traits, and its fitness."""

    traits: DomainPayload
    total: float | None = None


class Hints(Contract):
    """Hints of the run for generating steps: operators as lenses, and a bias between convention and surprise."""

    generation_operators: tuple[Name, ...] = ()
    generation_bias: float = 0.0


class CohortMember(Contract):
    """A candidate of the cohort in which the subject is judged.

    ``generation`` is its current generation: for a survivor, the last one that it entered. ``total`` is its fitness, if
    the operation may use that result. ``looks`` is the embedding of its genome, recorded at birth. ``similarity`` is
    the cosine similarity to the subject, 1 for identical ones, if one embedder made both vectors.
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
    """A candidate whose embedding is close to the subject's; ``run_id`` is set if it is from an earlier run."""

    candidate_id: CandidateId
    similarity: float
    content: DomainPayload
    run_id: UuidText | None = None


class Material(Contract):
    """The data of an operation, looked up in the log by the ids in its start marker.

    ``traits`` belong to the genome, ``content`` to the candidate, ``other`` to the second candidate of a pair.
    ``parents`` are the traits to vary, ``parent_contents`` the best content of each parent. ``champion`` is the
    content to challenge, ``champion_traits`` its traits. ``conditions`` are those of the subject's generation, or of
    the one that it is bred for. ``cohort``, if the step declares one, has the other members of the subject's niche in
    its generation and the one before, survivors included, in birth order; if the subject is a generation, all members
    of both. ``neighbours``, if the step declares them, are the candidates most similar to the candidate or the first
    parent, the most similar first. ``parameters`` are the domain parameters in force when the operation first started.
    ``hints`` exist only for steps that declare them; otherwise the key is missing.
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
    """One operation as its handler receives it; ``operation.allowance`` limits what it may spend.

    ``models`` has the run's models for the roles that the step declares, if any. ``ports`` are the ports that the step
    declares; they are opened in the worker. ``children`` are the steps that the handler may request as child
    operations, each with its worst case.
    """

    operation: Operation
    material: Material
    attempt: Annotated[int, Field(ge=1)] = 1
    models: ModelPlan | None = None
    ports: tuple[Name, ...] = ()
    children: dict[StepName, Usage] = Field(default_factory=dict)

    @property
    def entropy(self) -> Entropy:
        """Source of the operation's random draws; the same for every attempt."""
        return Entropy(*self.operation.entropy)


class Answer(Contract):
    """The result of a handler.

    The kind of the operation determines the fields that the kernel reads: a variation sets ``traits`` (with the random
    ``choices`` made, and ``looks``, the embedding of the result, if computed), an expression sets ``contents`` (and one
    entry of ``looks_of_contents`` each), a repair one content and its ``looks``, an examination ``findings``, ``looks``
    of the subject or ``refs``, a challenge a ``verdict``, a host nothing. ``usage`` is measured; above the allowance
    the operation fails. The worker, not the handler, sets the rest: ``isolation``, the weakest sandbox tier used;
    ``calls``, all attempts to call models, whose tokens and cost ``usage`` includes; ``lookups``, other external calls.
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
    """Why an operation failed. Without a ``usage`` it is charged at its worst case (rule 1)."""

    error_type: Text
    error_code: Name
    message: Text
    usage: Usage | None = None
    attempts: Count = 1
    calls: tuple[AttemptRecord, ...] = ()
    lookups: Lookups | None = None

    def error(self) -> MendelError:
        """Return the handler's exception if it is one of Mendel's, else a ``FabricError`` that names it."""
        kind = error_class(self.error_type)
        if kind is ModelCallFailed:  # these two carry more than a message
            return ModelCallFailed(cast("FailureReason", self.error_code), self.message, self.calls)
        if kind is HandlerFailed:
            return HandlerFailed(self.error_code, self.message, usage=self.usage, attempts=self.attempts)
        try:
            if kind is not None:
                return kind(self.message)
        except TypeError:
            pass  # the constructor of this class requires more than a message
        named = self.message.startswith(self.error_type)  # a plug-in's exception, already described
        return FabricError(self.message if named else f"{self.error_type}: {self.message}")


class ChildAsked(Contract):
    """Message of a running handler: it requests its ``index``-th child operation."""

    task_id: str
    index: Count
    step: StepName
    inputs: DomainPayload | None = None


class ChildAnswered(Contract):
    """Response to :class:`ChildAsked`, sent once the child's outcome is recorded."""

    task_id: str
    index: Count
    outcome: Annotated[Answer | Failure, Field(union_mode="left_to_right")]


class TaskPayload(Contract):
    """The payload of a task: the name of the handler, and its work."""

    handler: StepName
    run_id: str
    work: Work
