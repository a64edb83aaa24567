"""Several niches in one run: each has its share of the population, its champion, its k and its winner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from tests.kernel.scripted import (
    CEILING,
    CROSS,
    NUDGE,
    ScriptedDomain,
    ambitious,
    breed,
    config_of,
    of_type,
    payloads,
    scattered,
    thing,
    value_of,
)

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.contracts.errors import DomainFailed, IllegalTransition
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import NicheStart, RunConfig, StopConditions
from mendel.contracts.statuses import RunStatus
from mendel.contracts.work import Answer, Work
from mendel.kernel.beginning import configure
from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Move

FIRST, SECOND = "scripted:p", "niche 1"
PACES = ("generational", "birth", "arrival")


def by_size(content: DomainPayload, config: RunConfig) -> str:
    """The large in the first niche, the rest in the second."""
    return FIRST if value_of(content) > 5 else SECOND


def poles(config: RunConfig, entropy: object) -> Sequence[DomainPayload]:
    return [thing(value) for value in (10.0, 11.0, 12.0, 0.5, 0.6, 0.7)]


async def stay(work: Work) -> Answer:
    """A child of about its parents' size, so that it stays in their niche."""
    before = sum(map(value_of, work.material.parents)) / len(work.material.parents)
    return Answer(traits=thing(before + 0.1 * work.entropy.unit("shift")), choices={})


def polar(**wants) -> ScriptedDomain:
    handlers = {"scripted.vary": stay, "scripted.cross": stay}
    plain = {"founders": poles, "route": ambitious, "niche": by_size, "handlers": handlers}
    return ScriptedDomain(**{**plain, **wants})


def two(**fields) -> RunConfig:
    return config_of(niches=2, **{"caps": {"max_population": 8, "max_generations": 4}, **fields})


@pytest.mark.parametrize("pace", PACES)
async def test_each_has_its_challenges_its_champion_and_its_winner(pace: str) -> None:
    state, events = await breed(two(pace=pace), polar())
    spent = [each.operation.challenge for each in payloads(events, "operation.started") if each.operation.challenge]
    for name, niche in state.niches.items():
        mine = [challenge.k for challenge in spent if challenge.niche == name]
        assert mine == list(range(1, niche.challenges + 1))
        assert len(mine) > 1
        assert by_size(niche.champion_content, state.config) == name
    told = {each.niche: each for each in events[-1].payload.summary.niches}
    assert list(told) == [FIRST, SECOND]
    assert all(each.winner_id == state.niches[name].champion_id for name, each in told.items())
    assert events[-1].payload.final_candidate_id == told[FIRST].winner_id
    assert {each.niche for each in payloads(events, "adoption.made")} == {FIRST, SECOND}


class Renaming(ScriptedDomain):
    """Its niches are called after the first one of the run, which is then called after itself."""

    def niches(self, config: RunConfig) -> Sequence[str]:
        return (f"{config.first_niche}:east", f"{config.first_niche}:west")


async def test_names_that_change_once_they_are_recorded_are_refused() -> None:
    domain = Renaming()
    with pytest.raises(DomainFailed, match=r"p:east:east, scripted:p:east:west\. .* Return"):
        await configure(MemoryEventLog(), config_of(), CEILING, domains=lambda _name: domain)


@pytest.mark.parametrize("pace", PACES)
async def test_a_weak_niche_is_not_starved_by_a_strong_one(pace: str) -> None:
    state, _ = await breed(two(pace=pace), polar())
    assert abs(len(state.niches[FIRST].births) - len(state.niches[SECOND].births)) <= 1
    living = [each for each in state.genomes.values() if each.status in ("eligible_parent", "reproduced")]
    shares = Counter(state.niche_name(each.best[1]) for each in living if each.best is not None)
    assert min(shares[FIRST], shares[SECOND]) >= 2


async def test_parents_come_from_one_niche_and_their_child_competes_where_it_lands() -> None:
    domain = ScriptedDomain(route=ambitious, operators=(NUDGE, CROSS), niche=scattered)
    state, events = await breed(config_of(niches=3, caps={"max_population": 12, "max_generations": 6}), domain)
    moved = 0
    for marker in (each.operation for each in payloads(events, "operation.started")):
        if marker.kind == "vary":
            bests = [state.genomes[parent].best for parent in marker.parents]
            assert {state.niche_name(best[1]) for best in bests if best} == {marker.niche or FIRST}
            child = state.genomes.get(marker.subject_ids[0])
            moved += child is not None and state.niche_name(child.candidates[0]) != (marker.niche or FIRST)
    assert moved
    for name, niche in state.niches.items():
        assert niche.champion_id is None or state.niche_name(niche.champion_id) == name


async def test_a_challenger_meets_the_champion_of_its_own_niche() -> None:
    shown: list[Dossier] = []

    def route(dossier: Dossier) -> Sequence[Move]:
        shown.append(dossier)
        return ambitious(dossier)

    met: list[Work] = []

    async def gate(work: Work) -> Answer:
        met.append(work)
        return await plain(work)

    plain = polar().handlers["scripted.gate"]
    domain = polar(route=route)
    domain.handlers["scripted.gate"] = gate
    await breed(two(), domain)
    rivals = {(each.niche, each.champion.candidate_id) for each in shown if each.champion is not None}
    assert len({niche for niche, _ in rivals}) == 2
    assert not {each for niche, each in rivals if niche == FIRST} & {each for niche, each in rivals if niche == SECOND}
    pairs = [(each.material.content, each.material.champion) for each in met if each.material.champion is not None]
    assert pairs
    assert all((value_of(mine) > 5) == (value_of(champion) > 5) for mine, champion in pairs)


async def test_a_run_has_done_enough_when_each_of_its_niches_has() -> None:
    stop = StopConditions(target=11.5)
    state, _ = await breed(two(stop=stop, caps={"max_population": 8, "max_generations": 6}), polar())
    assert state.status is RunStatus.COMPLETED
    assert len(state.niches[SECOND].births) > len(state.niches[FIRST].births)
    reached = StopConditions(stagnation=3)
    state, _ = await breed(two(pace="birth", stop=reached, caps={"max_population": 8, "max_generations": 50}), polar())
    assert state.ending is None or "max_generations" not in state.ending


async def test_a_niche_that_was_not_declared_fails_the_run_by_name() -> None:
    state, _ = await breed(two(), polar(niche=lambda content, config: "a third"))
    assert state.status is RunStatus.FAILED
    assert "niche returned 'a third'" in str(state.ending)


async def test_a_run_with_one_niche_asks_nobody_and_records_none() -> None:
    def never(content, config):
        raise AssertionError

    state, events = await breed(config_of(), ScriptedDomain(route=ambitious, niche=never))
    assert state.status is RunStatus.COMPLETED
    assert all(each.niche is None for each in payloads(events, "candidate.checked"))
    assert not state.landed
    assert not of_type(events, "run.completed")[0].payload.summary.niches


async def test_where_a_candidate_lands_is_part_of_the_digest() -> None:
    state, _ = await breed(two(), polar())
    before = state_digest(state)
    state.landed[next(iter(state.landed))] = "elsewhere"
    assert state_digest(state) != before


def test_nobody_lands_in_a_niche_that_the_run_does_not_have() -> None:
    from tests.kernel.track import Track

    from mendel.contracts.events.candidate import CandidateChecked, CandidateUnderReview
    from mendel.contracts.events.envelope import EventDraft

    track = Track(two(), polar())
    while not track.state.candidates:
        track.decide()
    name = next(iter(track.state.candidates))
    track.append([EventDraft.of(CandidateUnderReview(), candidate_id=name)])
    with pytest.raises(IllegalTransition, match="no niche of this run"):
        track.append([EventDraft.of(CandidateChecked(niche="elsewhere"), candidate_id=name)])


async def test_what_niches_are_called_is_no_part_of_the_outcome() -> None:
    domain = ScriptedDomain(route=ambitious, niche=scattered)
    one, _ = await breed(config_of(niches=3), domain)
    named = tuple(NicheStart(niche=f"another {each.niche}") for each in config_of(niches=3).niches)
    other, _ = await breed(config_of(niche="another").model_copy(update={"niches": named}), domain)
    assert outcome_digest(one) == outcome_digest(other)
    assert state_digest(one) != state_digest(other)
