"""A plan: the events that one round of decisions will record, within the free slots and the caps."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Literal

from mendel.contracts.actors import Actor
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Key
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.energy import EnergyExhausted
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.operation import NearCandidate, Operation, OperationKind, OperationStarted, SubjectKind
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.run import CapName, RunCapReached, RunCompleting
from mendel.contracts.ids import derived
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.verdicts import Challenge
from mendel.kernel.domain import Step
from mendel.kernel.mind import Around, Mind
from mendel.kernel.state import RunState, Tally

Start = Literal["started", "full", "unaffordable"]  # full: no free slot; unaffordable: above a cap


class Plan:
    """Collects event drafts. Reserves the resources of started operations until ``fold`` has seen their markers."""

    def __init__(self, state: RunState, mind: Mind) -> None:
        self.state = state
        self.mind = mind
        self.drafts: list[EventDraft] = []
        self.free = state.slots - state.performing
        self.births = state.births.decided
        self.started = 0
        self.admitted = 0
        self.bred_in: Counter[str] = Counter()
        self.ends = False
        self.culled: set[str] = set()
        self.made_eligible: set[str] = set()
        self.selected: set[str] = set()
        self._energy = 0
        self._held = Tally()

    # --- events ----------------------------------------------------------------------------------------------

    def say(
        self,
        payload: Payload,
        *,
        actor: Actor = Actor.RUNTIME,
        generation: str | None = None,
        genome: str | None = None,
        candidate: str | None = None,
        operation: str | None = None,
        correlation: str | None = None,
    ) -> None:
        """Add a draft that records ``payload``."""
        self.drafts.append(
            EventDraft.of(
                payload,
                actor=actor,
                generation_id=generation,
                genome_id=genome,
                candidate_id=candidate,
                operation_id=operation,
                correlation_id=correlation,
            )
        )

    def end(self, reason: str) -> None:
        """End the breeding; operations in flight drain."""
        if self.state.status == "running" and not self.ends:
            self.ends = True
            self.say(RunCompleting(reason=reason))

    def stopped_by(self, cap: CapName, used: int, detail: str) -> None:
        """End the breeding because a cap blocks everything that is left to do."""
        self.reached(cap, used, detail)
        self.end(f"{cap} reached: {detail}")

    def reached(self, cap: CapName, used: int, detail: str) -> None:
        """Record that a cap blocks something; each cap is recorded once."""
        limit = getattr(self.state.caps, cap)
        if cap not in self.state.caps_reached:
            self.say(RunCapReached(cap=cap, limit=limit, used=used, detail=detail))
            if cap == "energy_budget":
                ledger = self.state.ledger
                self.say(EnergyExhausted(budget=limit, spent=ledger.spent, reserved=ledger.reserved))

    # --- operations ------------------------------------------------------------------------------------------

    def operation(
        self,
        kind: OperationKind,
        step: str,
        subject: tuple[SubjectKind, tuple[str, ...]],
        index: tuple[Key, ...],
        *,
        reads: int = 0,
        inputs: DomainPayload | None = None,
        challenge: Challenge | None = None,
    ) -> Operation:
        """Return the operation of ``kind`` at ``index``, priced at its step's worst case.

        Raises:
            DomainFailed: the domain did not declare ``step``.
        """
        seed = self.state.seed
        spec, subject_id = self._spec(step), subject[1][0]
        known = self.state.candidates.get(subject_id) if spec.neighbours else None
        looks = self.state.looks_of(known) if known is not None else None
        # Its id and draws depend on the seed and the index only, so every conductor decides on the same operation.
        allowance = spec.worst(self.state.config.models)
        return Operation(
            id=derived(seed, "op", kind, *index),
            step=step,
            kind=kind,
            subject_kind=subject[0],
            subject_ids=subject[1],
            entropy=(seed, kind, *index),
            allowance=allowance,
            reserved_energy=self.state.config.energy_costs.price(allowance),
            reads_through=reads,
            deadline_ms=spec.deadline_ms,
            inputs=inputs,
            challenge=challenge,
            neighbours=self.neighbours(spec, looks, reads, subject_id),
        )

    def neighbours(
        self, spec: Step, looks: EmbeddingRecord | None, reads: int, but: str | None = None
    ) -> tuple[NearCandidate, ...]:
        """Return the neighbours of ``looks`` that a step receives, from the first ``reads`` results."""
        if not spec.neighbours:
            return ()
        return self.mind.nearness.around(Around(looks, spec.neighbours, reads, but, spec.earlier))

    def _spec(self, step: str) -> Step:
        spec = self.mind.domain.steps.get(step)
        if spec is None:
            known = ", ".join(sorted(self.mind.domain.steps)) or "none"
            name = self.mind.domain.name
            raise DomainFailed(f"domain {name}: requested the undeclared step {step!r}; declared are {known}")
        return spec

    def lacking(self, energy: int, *allowances: Usage) -> CapName | None:
        """Return the first cap that does not cover this price in addition to the plan; None if all do."""
        wanted = replace(self._held)
        for allowance in allowances:
            wanted.add(allowance)
        return self.state.ledger.lacking(self.state.caps, energy + self._energy, wanted)

    def reserve(self, energy: int, allowance: Usage) -> None:
        """Reserve a price within this plan."""
        self._energy += energy
        self._held.add(allowance)

    def begin(
        self,
        operations: list[Operation],
        *,
        generation: str | None = None,
        genome: str | None = None,
        candidate: str | None = None,
        first: Payload | None = None,
    ) -> Start:
        """Start ``operations`` together, if a slot is free and the caps cover their worst case.

        ``first`` is recorded before their markers, and only with them.
        """
        # One free slot is enough for several: their markers may be ahead of their slots, see Conductor._submit.
        taking = sum(operation.kind != "wait" for operation in operations)
        if taking and self.free <= 0:
            return "full"
        energy = sum(operation.reserved_energy for operation in operations)
        cap = self.lacking(energy, *(operation.allowance for operation in operations))
        if cap is not None:
            return self._refuse(cap, operations[0])
        if first is not None:
            self.say(first, generation=generation, genome=genome, candidate=candidate)
        for operation in operations:
            self.reserve(operation.reserved_energy, operation.allowance)
            self.say(
                OperationStarted(operation=operation),
                generation=generation,
                genome=genome,
                candidate=candidate,
                operation=operation.id,
            )
        self.free -= taking
        self.started += len(operations)
        return "started"

    def _refuse(self, cap: CapName, operation: Operation) -> Start:
        """Wait until operations in flight report their real usage; if there are none, the cap is reached."""
        if not self.state.in_flight and not self.started:
            self.stopped_by(
                cap, self.state.ledger.consumed(cap), f"{operation.step} at its worst does not fit any more"
            )
        return "unaffordable"
