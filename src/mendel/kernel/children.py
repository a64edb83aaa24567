"""Child operations: what a handler may ask for while it works, within the reservation of its parent.

A child is an operation of its own: a marker before it starts, one completion, an id that follows from its parent's and
its index. It takes no slot, and no part of the ledger: its parent holds its worst case and reports what it used. It has
no children itself. After a crash the parent is performed again from its marker; children that had ended answer from the
log, and one that was in flight is performed again from its own marker, once it is asked for.
"""

from __future__ import annotations

from mendel.contracts.energy import Usage, added
from mendel.contracts.events.operation import Operation, OperationCompleted
from mendel.contracts.work import Answer, ChildAsked, Failure
from mendel.kernel.domain import Domain
from mendel.kernel.ledger import COUNTED, Tally
from mendel.kernel.names import derived
from mendel.kernel.state import EndedChild, Family, InFlight, RunState

PARENT_ENDED = "parent_ended"


def worst_of(state: RunState, domain: Domain, operation: Operation) -> dict[str, Usage]:
    """The steps that an operation's handler may ask for, each at its worst case."""
    spec = domain.steps.get(operation.step)
    if spec is None or operation.parent is not None:
        return {}
    return {name: domain.steps[name].worst(state.config.models) for name in spec.children if name in domain.steps}


def used_in(state: RunState, parent: str) -> list[Usage]:
    """What each of the children of ``parent`` took; one that has not ended counts at its worst case."""
    family = state.families.get(parent)
    if family is None:
        return []
    taken = [flown.operation.allowance for flown in family.open.values()]
    for operation, completion in family.ended.values():
        taken += [completion.usage, *[operation.allowance] * completion.lost_deliveries]
    return taken


def wanted(
    state: RunState, domain: Domain, parent: Operation, asked: ChildAsked
) -> Operation | InFlight | Answer | Failure:
    """What a request comes to: a new operation, one that is in flight, a recorded answer, or a refusal.

    A refusal is not recorded: nothing was begun, and who asks again is refused again.
    """
    family = state.families.get(parent.id, Family())
    child_id = derived(state.seed, "child", parent.id, asked.index)
    ended, flown = family.ended.get(child_id), family.open.get(child_id)
    known = ended.operation if ended is not None else flown.operation if flown is not None else None
    if known is not None and (known.step, known.inputs) != (asked.step, asked.inputs):
        return refused("child_differs", f"child {asked.index} is recorded as another one: {known.step}")
    if ended is not None:
        return answer_of(ended)
    return flown if flown is not None else _made(state, domain, parent, asked, child_id)


def _made(state: RunState, domain: Domain, parent: Operation, asked: ChildAsked, child_id: str) -> Operation | Failure:
    own, spec = domain.steps.get(parent.step), domain.steps.get(asked.step)
    if own is None or spec is None or asked.step not in own.children:
        return refused("child_not_named", f"the step {parent.step} does not name {asked.step} among its children")
    allowance = spec.worst(state.config.models)
    if lacking := _lacking(parent.allowance, added(allowance, *used_in(state, parent.id))):
        return refused("cap_reached", f"{asked.step} at its worst exceeds what {parent.step} was allowed: {lacking}")
    return parent.model_copy(
        update={
            "id": child_id,
            "step": asked.step,
            "kind": "child",
            "parent": parent.id,
            "operator": None,
            "site": None,
            "why": "",
            "challenge": None,
            "entropy": (state.seed, "child", parent.id, asked.index),
            "allowance": allowance,
            "reserved_energy": 0,
            "deadline_ms": spec.deadline_ms,
            "inputs": asked.inputs,
        }
    )


def _lacking(allowed: Usage, demanded: Usage) -> str:
    most, taken = Tally(), Tally()
    most.add(allowed)
    taken.add(demanded)
    return ", ".join(cap for cap in COUNTED if getattr(taken, cap) > getattr(most, cap))


def refused(code: str, message: str) -> Failure:
    """What a handler is told whose child was not begun."""
    return Failure(error_type="ChildFailed", error_code=code, message=message, usage=Usage())


def answer_of(ended: EndedChild) -> Answer | Failure:
    """What a recorded completion says to whoever asks."""
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


def orphaned(parent: str) -> Failure:
    """What becomes of a child whose parent has ended without waiting for it: it counts at its worst case."""
    return Failure(error_type=PARENT_ENDED, error_code=PARENT_ENDED, message=f"{parent} ended before it")
