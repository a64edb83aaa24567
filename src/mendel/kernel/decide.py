"""``decide``: what a run does next. Deterministic, and its cost depends on free slots, not on the population."""

from __future__ import annotations

from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.statuses import RunStatus
from mendel.kernel import contending, endings, entering, expressing, founding, generating, routing
from mendel.kernel.breeding import breed
from mendel.kernel.mind import Mind
from mendel.kernel.plan import Plan
from mendel.kernel.state import RunState


def decide(state: RunState, mind: Mind) -> list[EventDraft]:
    """The events to record now, start markers of operations among them; none means: wait for something to happen.

    What is recorded is folded before this is asked again. The mind learns as it decides, so a plan that was not
    recorded is the end of its mind; a new conductor rebuilds one.

    Raises:
        DomainFailed: the domain raised or answered nonsense.
    """
    plan = Plan(state, mind)
    match state.status:
        case RunStatus.CONFIGURED:
            founding.start(plan)
        case RunStatus.RUNNING:
            _go_on(plan)
        case RunStatus.COMPLETING | RunStatus.STOPPING:
            endings.drain(plan)
    return plan.drafts


def _go_on(plan: Plan) -> None:
    if endings.overdue(plan):
        return
    contending.contend(plan)
    routing.route_all(plan)
    routing.score_all(plan)
    entering.rescore_all(plan)
    expressing.express_all(plan)
    generating.advance_all(plan)
    breed(plan)
    endings.finish_if_idle(plan)
