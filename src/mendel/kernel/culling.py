"""Who makes room: what selection forgets is recorded."""

from __future__ import annotations

from dataclasses import asdict

from mendel.contracts.actors import Actor
from mendel.contracts.events.genome import LineageCulled
from mendel.contracts.statuses import CandidateStatus, GenomeStatus
from mendel.kernel.plan import Plan
from mendel.kernel.state import RunState
from mendel.selection.population import Member
from mendel.selection.truncation import Culling


def learn_generation(plan: Plan) -> None:
    """Take in all results that stand, and let go of the least fit."""
    plan.mind.learn(plan.state, plan.state.births.settled_through)
    record_culling(plan, plan.mind.forget_surplus(plan.state))


def record_culling(plan: Plan, gone: tuple[Member, ...]) -> None:
    """Record who will have no offspring any more, unless an earlier conductor did."""
    state = plan.state
    members = [member for member in gone if state.genomes[member.genome_id].status is not GenomeStatus.CULLED]
    if not members:
        return
    plan.culled.update(member.genome_id for member in members)
    candidates = [each for member in members for each in _scored_candidates(state, member.genome_id)]
    gone_for = Culling.of(members, "the least fit make room for those on their way")
    plan.say(LineageCulled(**asdict(gone_for), candidate_ids=tuple(candidates)), actor=Actor.SELECTION)


def _scored_candidates(state: RunState, genome_id: str) -> list[str]:
    scored = (CandidateStatus.SCORED, CandidateStatus.SELECTED)
    return [each for each in state.genomes[genome_id].candidates if state.candidates[each].status in scored]
