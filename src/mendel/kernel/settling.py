"""Settling operations: one batch of events with an operation's only completion and everything that follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mendel.contracts.actors import Actor
from mendel.contracts.energy import EnergyCosts, EnergyKind, Usage, added
from mendel.contracts.errors import ContractError
from mendel.contracts.events.candidate import CandidateInvalidated, CandidateUnderReview
from mendel.contracts.events.energy import EnergySpent, LlmCallTelemetry, OutputSchemaRejected, ProviderCallFailed
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.gate import GateVerdict
from mendel.contracts.events.genome import GenomeFused, GenomeMutated, GenomeReproduced, GenomeSpawned
from mendel.contracts.events.operation import Operation, OperationCompleted, OperationFailed
from mendel.contracts.events.payload import Payload
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.lookups import Lookups
from mendel.contracts.model_calls import AttemptRecord
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import PAYLOADS
from mendel.contracts.statuses import CandidateStatus, GenomeStatus
from mendel.contracts.work import Answer, Failure
from mendel.kernel import generating, performing, routing
from mendel.kernel.domain import Domain
from mendel.kernel.state import RunState
from mendel.ports.blobs import Blobs


class Beside:
    """Facts recorded by other settlements of the same batch, which the state does not contain yet."""

    def __init__(self) -> None:
        self.reproduced: set[str] = set()


class Settlement:
    """The event drafts that settle one operation; each names the operation's subject."""

    def __init__(self, state: RunState, operation: Operation, domain: Domain, beside: Beside, lost: int) -> None:
        self.state = state
        self.beside = beside
        self.lost = lost
        self.operation = operation
        self.domain = domain
        self.drafts: list[EventDraft] = []
        self._generation, self._genome, self._candidate = subject_of(state, operation)

    def of(self, outcome: Answer | Failure) -> list[EventDraft]:
        """Return the events for ``outcome``; an unacceptable answer is settled as a failure."""
        self._tell_calls(outcome)
        problem = outcome if isinstance(outcome, Failure) else refusal(self.state, self.operation, outcome, self.domain)
        if isinstance(problem, Failure):
            self._fail(problem)
        elif isinstance(outcome, Answer):
            self._complete(outcome)
        return self.drafts

    def _say(
        self,
        payload: Payload,
        actor: Actor = Actor.RUNTIME,
        *,
        trace_id: str | None = None,
        observation_id: str | None = None,
    ) -> None:
        self.drafts.append(
            EventDraft.of(
                payload,
                actor=actor,
                generation_id=self._generation,
                genome_id=self._genome,
                candidate_id=self._candidate,
                operation_id=self.operation.id,
                trace_id=trace_id,
                observation_id=observation_id,
            )
        )

    def _tell_calls(self, outcome: Answer | Failure) -> None:
        """Record every model call attempt before the operation's result."""
        for record, payload in call_events(outcome.calls, self.operation.id):
            self._say(payload, trace_id=record.trace_id, observation_id=record.observation_id)

    # --- success ---------------------------------------------------------------------------------------------

    def _complete(self, answer: Answer) -> None:
        operation = self.operation
        usage = charged(self.state, operation, answer.usage)
        findings = answer.contents[0] if operation.kind == "repair" else answer.findings
        self._say(
            OperationCompleted(
                operation_id=operation.id,
                step=operation.step,
                findings=findings if operation.kind not in ("vary", "express") else None,
                refs=answer.refs,
                usage=usage,
                attempts=answer.attempts,
                lost_deliveries=self.lost,
                degraded=answer.degraded,
                isolation=answer.isolation,
                lookups=answer.lookups,
                looks=answer.looks if operation.kind in ("examine", "repair") else None,
            )
        )
        if operation.kind != "child":  # its parent is charged for it when it succeeds itself
            self._charge(self.state.config.energy_costs, usage)
        self._follow(answer)

    def _charge(self, costs: EnergyCosts, usage: Usage) -> None:
        actual = costs.price(usage)
        if actual or self.operation.reserved_energy:
            estimate = self.operation.reserved_energy
            kind = _kind(self.operation, usage)
            reason = f"{self.operation.step} succeeded"
            self._say(EnergySpent(kind=kind, estimate=estimate, actual=actual, reason=reason, usage=usage))

    def _follow(self, answer: Answer) -> None:
        match self.operation.kind:
            case "vary":
                self._give_birth(answer)
            case "express":
                genome = self.state.genomes[self.operation.subject_ids[0]].genome
                made = generating.creation(
                    self.state,
                    genome,
                    self._generation or "",
                    answer.contents,
                    most=self.domain.most_candidates,
                    summary=answer.summary,
                    looks=answer.looks_of_contents,
                )
                self.drafts.extend(made)
            case "repair":
                self._say(CandidateUnderReview())
            case "challenge" if answer.verdict is not None:
                self._say(GateVerdict(verdict=answer.verdict), Actor.GATE)
            case "adopt" if not (self.state.weakly_isolated or answer.isolation == "weak"):  # rule 3
                known = self.state.candidates[self.operation.subject_ids[0]]
                self._say(routing.adoption(self.state, known), Actor.GATE)
            case "revoke":
                known = self.state.candidates[self.operation.subject_ids[0]]
                self._say(routing.revocation(self.state, known, "it did not hold"), Actor.GATE)

    def _give_birth(self, answer: Answer) -> None:
        operation, child = self.operation, self.operation.subject_ids[0]
        depth = 1 + max(self.state.genomes[parent].genome.depth for parent in operation.parents)
        if answer.traits is None or operation.birth is None:
            raise RuntimeError("an answer must be checked before it is recorded")
        genome = Genome(
            id=child,
            birth=operation.birth,
            parents=operation.parents,
            depth=depth,
            spawn_budget=answer.spawn_budget,
            traits=answer.traits,
            looks=answer.looks,
        )
        self._say(GenomeSpawned(genome=genome))
        self._relate(child, answer)

    def _relate(self, child: str, answer: Answer) -> None:
        parents, name = self.operation.parents, self.operation.operator or "unknown"
        mode = next((each.mode for each in self.domain.operators if each.name == name), None)
        if mode is not None and len(parents) > 1:
            self._say(GenomeFused(child_id=child, parents=parents, mode=mode, choices=answer.choices))
        else:
            self._say(GenomeMutated(child_id=child, parents=parents, operator=name, choices=answer.choices))
        for parent in parents:
            eligible = self.state.genomes[parent].status is GenomeStatus.ELIGIBLE_PARENT
            if eligible and parent not in self.beside.reproduced:  # recorded at the first child only
                self.beside.reproduced.add(parent)
                payload = GenomeReproduced(children=(child,), mode=mode or "mutation_only")
                self.drafts.append(EventDraft.of(payload, genome_id=parent, operation_id=self.operation.id))

    # --- failure ---------------------------------------------------------------------------------------------

    def _fail(self, failure: Failure) -> None:
        operation = self.operation
        self._say(
            OperationFailed(
                operation_id=operation.id,
                step=operation.step,
                error_type=_name(failure.error_type),
                error_code=failure.error_code,
                message=failure.message,
                usage=self._used_up(failure.usage),
                attempts=max(1, failure.attempts),
                lost_deliveries=self.lost,
                candidate_id=self._candidate,
                lookups=failure.lookups,
            )
        )
        if operation.kind == "express":
            reason = f"{failure.error_code}: {failure.message}"[:2_000]
            self.drafts.append(generating.expression_failed(self._genome or "", self._generation or "", reason))
        elif operation.kind == "repair" and self._repairing():
            self._say(CandidateInvalidated(reason=f"the repair failed: {failure.error_code}", repaired=True))

    def _used_up(self, usage: Usage | None) -> Usage:
        """Return the usage of a failed operation and its children; its worst case if no usage was reported."""
        if usage is None:
            return self.operation.allowance
        return added(usage, *performing.used_by_children(self.state, self.operation.id))

    def _repairing(self) -> bool:
        return self.state.candidates[self.operation.subject_ids[0]].status is CandidateStatus.REPAIRING


def settle(
    state: RunState,
    operation: Operation,
    outcome: Answer | Failure,
    domain: Domain,
    *,
    beside: Beside | None = None,
    lost: int = 0,
) -> list[EventDraft]:
    """Return the events for ``outcome``, to be appended as one batch, after ``lost`` deliveries without a result."""
    return Settlement(state, operation, domain, beside or Beside(), lost).of(outcome)


# --- checking answers ------------------------------------------------------------------------------------


def refusal(state: RunState, operation: Operation, answer: Answer, domain: Domain) -> Failure | None:
    """Return the failure that refuses ``answer``; None if it is acceptable."""
    lacking = _missing(state, operation, answer, domain)
    if lacking is not None:
        return _refused(answer, "bad_answer", lacking)
    usage = charged(state, operation, answer.usage)
    if over := _over_allowance(state.config.energy_costs, operation, usage):
        return _refused(answer, "over_allowance", over)
    try:
        for payload in (answer.findings, answer.traits, *answer.contents):
            if payload is not None:
                PAYLOADS.check(payload)
    except ContractError as error:
        return _refused(answer, "bad_answer", str(error))
    return None


def _refused(answer: Answer, code: str, message: str) -> Failure:
    usage, attempts, lookups = answer.usage, answer.attempts, answer.lookups
    return Failure(
        error_type="bad_answer",
        error_code=code,
        message=message[:2_000],
        usage=usage,
        attempts=attempts,
        lookups=lookups,
    )


def _missing(state: RunState, operation: Operation, answer: Answer, domain: Domain) -> str | None:
    if surplus := _surplus(operation, answer):
        return surplus
    match operation.kind:
        case "vary" if answer.traits is None:
            return "a variation must return traits"
        case "express" if not answer.contents:
            return "an expression must return contents"
        case "express" if answer.looks_of_contents and len(answer.looks_of_contents) != len(answer.contents):
            return "an expression must return looks for all of its contents, or for none"
        case "repair" if len(answer.contents) != 1:
            return "a repair must return exactly one content"
        case "examine" if answer.findings is None and answer.looks is None and not answer.refs:
            return "an examination must return findings, looks or references to evidence"
        case "challenge":
            return _unfit_verdict(operation, answer) or _unfit_samples(state, operation, answer, domain)
    return None


def _surplus(operation: Operation, answer: Answer) -> str | None:
    """Return a complaint about a part of the answer that this kind of operation must not return."""
    kind = operation.kind
    brought = {
        "traits": answer.traits is not None and kind != "vary",
        "contents": bool(answer.contents) and kind not in ("express", "repair"),
        "a verdict": answer.verdict is not None and kind != "challenge",
    }
    wrong = next((name for name, is_wrong in brought.items() if is_wrong), None)
    return f"an operation of the kind {kind} must return findings, not {wrong}" if wrong else None


def _unfit_verdict(operation: Operation, answer: Answer) -> str | None:
    verdict = answer.verdict
    if verdict is None:
        return "a challenge must return a verdict"
    if verdict.challenge != operation.challenge:
        return "the verdict spends another share of the error budget than its challenge was given (rule 10)"
    if verdict.candidate_id != operation.subject_ids[0]:
        return "the verdict is about another candidate"
    return None


def _unfit_samples(state: RunState, operation: Operation, answer: Answer, domain: Domain) -> str | None:
    """Return a complaint if a verdict's statements about its recorded samples contradict the log."""
    origin = answer.verdict.provenance if answer.verdict is not None else None
    if origin is None or origin.samples is None:
        return None
    if origin.samples.sandboxed != domain.sandboxed:
        said = origin.samples.sandboxed
        return f"the samples were judged as if the domain {domain.name} had sandboxed = {said} (rule 3)"
    for name in origin.samples.operations:
        own = name == operation.id
        if not own and name not in state.isolation_of:
            return f"the samples name {name}, which has not completed in this run (rule 2)"
        tier = answer.isolation if own else state.isolation_of[name]
        if domain.sandboxed and not origin.sandbox.weakened and tier in (None, "weak"):
            how = "ran nothing in a sandbox" if tier is None else "ran in a weak sandbox"
            return f"the samples claim to be isolated, but {name} {how} (rule 3)"
    return None


def charged(state: RunState, operation: Operation, usage: Usage) -> Usage:
    """Return the usage to charge: the measurements of an operation and its children, and one spawn per variation."""
    # ``spawns`` is never taken from the answer: a handler must not set its own count.
    whole = added(usage, *performing.used_by_children(state, operation.id))
    return whole.model_copy(update={"spawns": 1 if operation.kind == "vary" else 0})


def _over_allowance(costs: EnergyCosts, operation: Operation, usage: Usage) -> str | None:
    """Return a complaint that lists the ``Usage`` fields above the step's allowance; None if there are none."""
    over = _above(operation.allowance, usage)
    counted = [told for name, told in over.items() if name not in _COMPUTING]
    energy = costs.price(usage) if operation.kind != "child" else 0
    if not counted and energy <= operation.reserved_energy:
        return None
    what = ", ".join(counted or over.values()) or "more than it reserved"
    cost = f" ({energy:,} energy, {operation.reserved_energy:,} reserved)" if energy > operation.reserved_energy else ""
    return f"used {what}{cost}; raise the worst case of the step {operation.step}: Step(allowance=Usage(…))"


_COMPUTING: Final = frozenset({"cpu_ms", "opcodes"})
"""Fields that may exceed the allowance without a failure: only the energy that they cost is limited."""


def _above(allowed: Usage, used: Usage) -> dict[str, str]:
    pairs = {
        "tool_calls": (used.tool_calls, allowed.tool_calls),
        "tokens": (used.tokens_in + used.tokens_out, allowed.tokens_in + allowed.tokens_out),
        "cost_microusd": (used.cost_microusd, allowed.cost_microusd),
        "evaluations": (used.evaluations, allowed.evaluations),
        "cpu_ms": (used.cpu_ms, allowed.cpu_ms),
        "opcodes": (used.opcodes, allowed.opcodes),
    }
    return {name: f"{name} {took:,} of {most:,}" for name, (took, most) in pairs.items() if took > most}


def _kind(operation: Operation, usage: Usage) -> EnergyKind:
    if usage.tokens_in or usage.tokens_out:
        return "llm"
    if usage.tool_calls:
        return "tool"
    return "spawn" if operation.kind == "vary" else "cpu"


def _name(error_type: str) -> str:
    """Return a class name as the lower-case identifier that events use; "error" if it has no such form."""
    spelled = "".join(f"_{c.lower()}" if c.isupper() else c for c in error_type if c.isalnum() or c == "_").strip("_")
    return spelled[:64].strip("_") if spelled[:1].isalpha() and spelled.isascii() else "error"


def subject_of(state: RunState, operation: Operation) -> tuple[str | None, str | None, str | None]:
    """Return the ids of the operation's generation, genome and candidate."""
    subject = operation.subject_ids[0]
    if operation.subject_kind == "generation":
        return subject, None, None
    if operation.subject_kind == "genome":
        return _home_of(state, operation), subject, None
    known = state.candidates[subject]
    lives_in = operation.entered if operation.entered is not None else known.generation
    return state.generations[lives_in].id, known.candidate.genome_id, subject


def _home_of(state: RunState, operation: Operation) -> str:
    known = state.genomes.get(operation.subject_ids[0])
    if known is not None:
        return state.generations[known.generation].id
    return state.births.home_of[operation.birth or 0]


# Model call attempts and other requests to the outside, in the form stored in the log.


INLINE: Final = 16_384
"""Maximum number of characters that an event holds; a longer text becomes a blob, and the event an excerpt."""
EXCERPT: Final = 2_000  # characters
_TEXT: Final = "text"


async def kept_attempts(outcome: Answer | Failure, blobs: Blobs) -> Answer | Failure:
    """Store the large texts of an outcome as blobs, and return it with references to them."""
    if outcome.lookups is not None:
        outcome = outcome.model_copy(update={"lookups": await _looked_up(outcome.lookups, blobs)})
    if all(len(each.request) <= INLINE and len(each.response) <= INLINE for each in outcome.calls):
        return outcome
    return outcome.model_copy(update={"calls": tuple([await _shortened(each, blobs) for each in outcome.calls])})


async def _looked_up(lookups: Lookups, blobs: Blobs) -> Lookups:
    written = lookups.model_dump_json()
    return lookups if len(written) <= INLINE else Lookups(blob=await blobs.put(written.encode(), "application/json"))


async def _shortened(record: AttemptRecord, blobs: Blobs) -> AttemptRecord:
    update: dict[str, str | BlobRef] = {}
    for field in ("request", "response"):
        text = str(getattr(record, field))
        if len(text) > INLINE:
            kind = "application/json" if field == "request" else "text/plain"
            # surrogatepass: models return lone surrogates, which plain UTF-8 cannot encode
            update[f"{field}_blob"] = await blobs.put(text.encode(errors="surrogatepass"), kind)
            update[field] = text[:EXCERPT]
    return record.model_copy(update=update)


def call_events(records: Sequence[AttemptRecord], operation_id: str) -> Iterator[tuple[AttemptRecord, Payload]]:
    """Yield the events of an operation's model call attempts, in their order."""
    for place, record in enumerate(records):
        if record.failure is not None:
            yield record, _failed(record, operation_id)
            continue
        yield record, _answered(record, operation_id)
        if record.validation == "rejected" and _is_last(records, place):
            yield record, _rejected(record, operation_id)


def _is_last(records: Sequence[AttemptRecord], place: int) -> bool:
    """Return whether no later attempt belongs to the same call."""
    return all(later.call != records[place].call for later in records[place + 1 :])


def _failed(record: AttemptRecord, operation_id: str) -> ProviderCallFailed:
    return ProviderCallFailed(
        role=record.role,
        attempt=record.attempt,
        reason=record.failure or "unreadable",
        message=record.message or "no response",
        provider=record.provider,
        operation_id=operation_id,
        call=record.call,
        schema_name=record.schema_name,
        estimated=record.estimated,
        retry=record.retry,
    )


def _answered(record: AttemptRecord, operation_id: str) -> LlmCallTelemetry:
    return LlmCallTelemetry(
        role=record.role,
        provider=record.provider,
        validation=record.validation or "rejected",
        attempt=record.attempt,
        operation_id=operation_id,
        sampling=record.sampling.model_dump(mode="json", exclude_defaults=True),
        request=record.request_blob,
        response=record.response_blob,
        request_excerpt=record.request,
        response_excerpt=record.response,
        truncated=record.request_blob is not None or record.response_blob is not None,
        call=record.call,
        schema_name=record.schema_name,
        complaints=record.complaints,
        tool_calls=record.tool_calls,
        estimated=record.estimated,
        retry=record.retry,
    )


def _rejected(record: AttemptRecord, operation_id: str) -> OutputSchemaRejected:
    return OutputSchemaRejected(
        role=record.role,
        schema_name=record.schema_name or _TEXT,
        complaints=record.complaints or ("it is no valid answer",),
        repaired=record.attempt > 1,
        operation_id=operation_id,
    )
