"""What outlives a run in its niches: champion, k, and the claim of whoever may challenge there (rule 10)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from tests.kernel.scripted import (
    ScriptedDomain,
    Stage,
    ambitious,
    config_of,
    looked_at,
    of_type,
    payloads,
    scattered,
    thing,
    value_of,
    verdict,
)
from tests.kernel.test_niches import FIRST, SECOND, polar, two

from mendel.contracts.actors import Actor
from mendel.contracts.commands import CommandKind
from mendel.contracts.errors import IllegalTransition, NicheClaimed, RunNotFound, RunRefused
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.ids import new_run_id
from mendel.contracts.log_views import chapters_of
from mendel.contracts.run_config import Ancestor, RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.contracts.verdicts import Decision
from mendel.contracts.work import Answer, Work
from mendel.kernel.beginning import configure, continued, next_chapter
from mendel.kernel.conductor import Options
from mendel.kernel.digest import state_digest
from mendel.kernel.dossier import Dossier
from mendel.kernel.fold import check_batch
from mendel.kernel.moves import Move
from mendel.kernel.state import RunState

ONE = {"max_generations": 1}


async def rejecting(work: Work) -> Answer:
    return Answer(verdict=verdict(work, Decision.REJECT))


def modest() -> ScriptedDomain:
    return ScriptedDomain(route=ambitious, handlers={"scripted.gate": rejecting})


def watching(shown: list[Dossier]):
    def route(dossier: Dossier) -> Sequence[Move]:
        shown.append(dossier)
        return ambitious(dossier)

    return route


async def conducted(stage: Stage, domain: ScriptedDomain | None = None, **fields):
    if domain is not None:
        stage.domain = domain
    await stage.configure(config_of(**fields))
    return await stage.conduct()


def met(shown: list[Dossier]) -> Dossier:
    return next(each for each in shown if each.phase == "contending")


# --- k and champion ------------------------------------------------------------------------------------------


async def test_every_run_of_a_niche_counts_on_and_meets_its_champion() -> None:
    stage, shown = Stage(ScriptedDomain(route=ambitious)), []
    first = await conducted(stage)
    second = await conducted(stage, ScriptedDomain(route=watching(shown)), rng_seed=2)
    assert first.niche.challenges > 0
    assert second.config.challenges_before == first.niche.challenges
    (champion,) = second.config.ancestors
    assert (champion.run_id, champion.candidate_id) == (first.run_id, first.niche.champion_id)
    assert second.genomes[second.births.genome_of[0]].genome.traits == champion.traits
    assert met(shown).champion.candidate_id == first.niche.champion_id
    other = await conducted(stage, niche="another")
    assert (other.config.challenges_before, other.config.ancestors) == (0, ())


async def test_what_a_configuration_says_of_its_niche_itself_counts_for_nothing() -> None:
    stage = Stage(modest())
    first = await conducted(stage)
    forged = Ancestor(
        run_id=first.run_id, candidate_id="candidate-1", traits=thing(9.0), content=thing(9.0), champion=True
    )
    second = await conducted(stage, challenges_before=0, ancestors=(forged,))
    assert second.config.challenges_before == first.niche.challenges > 0
    assert second.config.ancestors == ()


async def test_a_champion_outlives_a_run_that_adopted_nobody_and_one_that_failed() -> None:
    stage, shown = Stage(ScriptedDomain(route=ambitious)), []
    first = await conducted(stage)
    await conducted(stage, modest(), rng_seed=2)
    failed = await conducted(stage, ScriptedDomain(route=lambda dossier: 5), rng_seed=3)
    assert failed.status is RunStatus.FAILED
    last = await conducted(stage, ScriptedDomain(route=watching(shown)), rng_seed=4)
    assert last.config.challenges_before == failed.niche.challenges
    assert met(shown).champion.candidate_id == first.niche.champion_id


async def test_a_niche_in_which_nobody_was_adopted_has_no_champion() -> None:
    stage, shown = Stage(modest()), []
    await conducted(stage)
    await conducted(stage, ScriptedDomain(route=watching(shown)), rng_seed=2)
    assert met(shown).champion is None


async def test_a_run_that_was_killed_in_the_middle_of_a_challenge_has_made_it() -> None:
    stage = Stage(ScriptedDomain(route=ambitious))
    await stage.configure(config_of())
    await stage.interrupt(
        lambda event: event.type == "operation.started" and event.payload.operation.challenge is not None
    )
    state = await stage.folded()
    assert state.niche.open_challenge is not None
    await stage.submit(CommandKind.KILL)
    await stage.conduct(Options(only_answer=True))
    assert (await conducted(stage, rng_seed=2)).config.challenges_before == state.niche.challenges


async def test_a_champion_meets_no_copy_of_itself_and_its_fitness_is_known_by_it() -> None:
    def rising(config, entropy):
        return [thing(float(number)) for number in range(4)]

    stage, shown = Stage(ScriptedDomain(founders=rising, route=ambitious)), []
    first = await conducted(stage, caps=ONE)
    again = ScriptedDomain(founders=rising, route=watching(shown))
    second = await conducted(stage, again, caps=ONE)
    assert second.niche.challenges == first.niche.challenges
    rivals = {each.champion.total for each in shown if each.phase == "contending"}
    assert rivals == {first.best[0]}
    assert (await stage.events())[-1].payload.final_candidate_id == second.best[1]


async def test_a_domain_may_meet_its_champion_before_the_gate_only() -> None:
    stage, shown = Stage(ScriptedDomain(route=ambitious)), []
    first = await conducted(stage)
    domain = ScriptedDomain(route=watching(shown))
    domain.champion_is_founder = False  # type: ignore[misc]
    second = await conducted(stage, domain, rng_seed=2)
    traits = [second.genomes[second.births.genome_of[birth]].genome.traits for birth in range(second.founders)]
    assert second.config.ancestors[0].traits not in traits
    assert met(shown).champion.candidate_id == first.niche.champion_id


async def test_each_niche_of_a_run_is_taken_over() -> None:
    stage = Stage(polar())
    await stage.configure(two())
    first = await stage.conduct()
    await stage.configure(two(rng_seed=2))
    second = await stage.folded()
    for name, niche in second.niches.items():
        assert niche.challenges == first.niches[name].challenges > 0
        assert niche.champion_content == first.niches[name].champion_content
    assert [each.niche for each in second.config.ancestors] == [None, SECOND]
    await stage.submit(CommandKind.CANCEL)
    await stage.conduct(Options(only_answer=True))
    alone = await conducted(stage, ScriptedDomain(route=ambitious), niche=SECOND, rng_seed=3)
    assert alone.config.challenges_before == first.niches[SECOND].challenges
    assert value_of(alone.config.ancestors[0].content) == value_of(first.niches[SECOND].champion_content)


async def test_a_continued_run_begins_from_the_best_survivors_too() -> None:
    stage = Stage(modest())
    first = await conducted(stage)
    await stage.configure(continued(first, config_of(rng_seed=2)))
    second = await stage.conduct()
    assert second.config.continues == first.run_id
    assert [(each.candidate_id, each.champion) for each in second.config.ancestors] == [(first.best[1], False)]


# --- the claim -----------------------------------------------------------------------------------------------


async def test_a_second_run_of_a_niche_is_refused_until_the_first_is_over() -> None:
    stage = Stage(ScriptedDomain(route=ambitious))
    await stage.configure(config_of())
    holder = stage.run_id
    with pytest.raises(NicheClaimed, match=f"{FIRST} is claimed by run {holder}.*mendel cancel {holder}"):
        await stage.configure(config_of(rng_seed=2))
    await stage.interrupt_after(20)
    with pytest.raises(NicheClaimed, match=f"mendel resume {holder}.*mendel stop {holder}"):
        await stage.configure(config_of(rng_seed=2))
    await stage.configure(config_of(niche="another"))
    stage.run_id = holder
    assert (await stage.conduct()).terminal
    await stage.configure(config_of(rng_seed=2))


async def test_one_of_its_niches_is_enough_to_be_refused() -> None:
    stage = Stage(ScriptedDomain(route=ambitious))
    await stage.configure(config_of(niche=SECOND))
    with pytest.raises(NicheClaimed, match=SECOND):
        await stage.configure(two())


async def test_of_many_that_begin_at_once_one_does() -> None:
    stage = Stage(ScriptedDomain())
    wishes = (
        configure(stage.log, config_of(rng_seed=seed), config_of().caps, domains=stage._found) for seed in range(8)
    )
    answers = await asyncio.gather(*wishes, return_exceptions=True)
    assert sum(isinstance(each, str) for each in answers) == 1
    assert sum(isinstance(each, NicheClaimed) for each in answers) == 7


async def test_a_run_that_never_challenges_claims_nothing_and_is_refused_nowhere() -> None:
    class Peaceful(ScriptedDomain):
        def challenges(self, config):
            return False

    stage = Stage(ScriptedDomain(route=ambitious))
    first = await conducted(stage)
    await stage.configure(config_of())
    stage.domain = Peaceful(route=ambitious)
    for seed in (1, 2):
        await stage.configure(config_of(rng_seed=seed))
    state, events = await stage.conduct(), await stage.events()
    assert state.config.challenges_before == first.niche.challenges
    assert state.niche.champion_id == first.niche.champion_id
    assert not [each for each in payloads(events, "operation.started") if each.operation.challenge]
    assert state.status is RunStatus.COMPLETED


async def test_a_run_does_not_go_on_where_another_one_spent_its_budget() -> None:
    """As after an import: two runs of one niche that knew nothing of each other."""
    stage, elsewhere = Stage(ScriptedDomain(route=ambitious)), Stage(ScriptedDomain(route=ambitious))
    for each in (stage, elsewhere):
        await each.configure(config_of())
    await elsewhere.conduct()
    stored = [record async for chunk in elsewhere.log.records(elsewhere.run_id) for record in chunk]
    await stage.log.import_records(elsewhere.run_id, stored)
    with pytest.raises(RunRefused, match=f"run {elsewhere.run_id} has made challenges"):
        await stage.conduct()
    await stage.submit(CommandKind.CANCEL)
    assert (await stage.conduct(Options(only_answer=True))).status is RunStatus.CANCELLED


async def test_of_two_claimants_the_older_one_goes_on() -> None:
    stage, elsewhere = Stage(ScriptedDomain()), Stage(ScriptedDomain())
    for each in (stage, elsewhere):
        await each.configure(config_of())
    stored = [record async for chunk in elsewhere.log.records(elsewhere.run_id) for record in chunk]
    await stage.log.import_records(elsewhere.run_id, stored)
    older, stage.run_id = stage.run_id, elsewhere.run_id
    with pytest.raises(NicheClaimed, match=older):
        await stage.conduct()
    stage.run_id = older
    assert (await stage.conduct()).terminal


async def test_a_champion_is_found_in_a_log_whose_adoptions_do_not_carry_it(monkeypatch) -> None:
    from mendel.kernel import routing

    plain = routing.adoption

    def bare(state, known):
        return plain(state, known).model_copy(update={"traits": None, "content": None})

    monkeypatch.setattr(routing, "adoption", bare)
    stage = Stage(ScriptedDomain(route=ambitious))
    first = await conducted(stage)
    await stage.configure(config_of(rng_seed=2))
    (champion,) = (await stage.folded()).config.ancestors
    assert champion.content == first.niche.champion_content
    assert of_type(await stage.events(), "run.configured")


async def test_where_children_land_anywhere_each_k_is_gapless_over_runs() -> None:
    stage = Stage(ScriptedDomain(route=ambitious, niche=scattered))
    spent: dict[str, list[int]] = {}
    for seed in range(3):
        await stage.configure(config_of(niches=3, rng_seed=seed))
        await stage.conduct()
        for marker in payloads(await stage.events(), "operation.started"):
            if marker.operation.challenge is not None:
                spent.setdefault(marker.operation.challenge.niche, []).append(marker.operation.challenge.k)
    assert len(spent) == 3
    assert all(ks == list(range(1, len(ks) + 1)) for ks in spent.values())


# --- chapters ------------------------------------------------------------------------------------------------


async def test_chapters_follow_each_other_with_parameters_champion_and_k() -> None:
    stage = Stage(ScriptedDomain(route=ambitious))
    await stage.configure(config_of(slots=4))
    await stage.submit(CommandKind.SET_PARAMETERS, slots=3, caps={"max_generations": 2})
    first = await stage.conduct()
    await stage.configure(next_chapter(first))
    second = await stage.conduct()
    assert second.config.follows == first.run_id
    assert (second.config.slots, second.config.caps.max_generations) == (3, 2)
    assert second.config.challenges_before == first.niche.challenges > 0
    assert second.config.ancestors[0].candidate_id == first.niche.champion_id
    with pytest.raises(RunRefused, match=f"followed by run {second.run_id}"):
        await stage.configure(next_chapter(first))
    await stage.configure(next_chapter(second))
    third = stage.run_id
    with pytest.raises(RunRefused, match="resume or stop"):
        next_chapter(await stage.folded())
    await stage.configure(config_of(niche="elsewhere"))
    overviews = await stage.log.runs()
    chain = [first.run_id, second.run_id, third]
    assert all([each.run_id for each in chapters_of(overviews, one)] == chain for one in chain)
    assert [each.run_id for each in chapters_of(overviews, stage.run_id)] == [stage.run_id]


class Paced(ScriptedDomain):
    """Takes a pace, and shows its examinations which one holds."""

    def __init__(self) -> None:
        super().__init__(route=ambitious, handlers={"scripted.look": self._looking})
        self.paces: set[float | None] = set()

    def admit_parameters(self, wanted, before, config):
        return thing(wanted["pace"])

    async def _looking(self, work: Work) -> Answer:
        told = work.material.parameters
        self.paces.add(value_of(told) if told is not None else None)
        return Answer(findings=work.material.content)


async def test_a_chapter_goes_on_with_the_parameters_of_the_one_before_whatever_became_of_that() -> None:
    stage = Stage(Paced())
    await stage.configure(config_of(caps=ONE))
    await stage.submit(CommandKind.SET_PARAMETERS, domain={"pace": 3.0})
    first = await stage.conduct()
    await stage.configure(next_chapter(first))
    await stage.submit(CommandKind.CANCEL)
    cancelled = await stage.conduct(Options(only_answer=True))
    assert cancelled.parameters == first.parameters == thing(3.0)
    await stage.configure(next_chapter(cancelled))
    stage.domain = Paced()
    last = await stage.conduct()
    assert stage.domain.paces == {3.0}
    assert last.parameters == thing(3.0)
    assert state_digest(last) == state_digest(await stage.folded())


async def test_survivors_pass_through_a_chapter_that_was_cancelled_and_one_that_failed() -> None:
    stage = Stage(modest())
    first = await conducted(stage, caps=ONE)
    survivor = [first.best[1]]
    await stage.configure(next_chapter(first))
    await stage.submit(CommandKind.CANCEL)
    cancelled = await stage.conduct(Options(only_answer=True))
    assert [each.candidate_id for each in next_chapter(cancelled).ancestors] == survivor
    stage.domain = ScriptedDomain(route=lambda dossier: 5)
    await stage.configure(next_chapter(cancelled))
    failed = await stage.conduct()
    assert (failed.status, failed.best) == (RunStatus.FAILED, None)
    stage.domain = modest()
    await stage.configure(next_chapter(failed))
    last = await stage.conduct()
    assert [each.candidate_id for each in last.config.ancestors] == survivor
    assert last.config.challenges_before == first.niche.challenges > 0
    chain = [run.run_id for run in chapters_of(await stage.log.runs(), last.run_id)]
    assert chain == [first.run_id, cancelled.run_id, failed.run_id, last.run_id]


async def test_each_niche_passes_on_its_own_survivors() -> None:
    stage = Stage(polar(route=looked_at))
    await stage.configure(two())
    first = await stage.conduct()
    await stage.configure(next_chapter(first))
    await stage.submit(CommandKind.CANCEL)
    cancelled = await stage.conduct(Options(only_answer=True))
    survivors = [(each.niche, each.candidate_id) for each in next_chapter(cancelled).ancestors]
    assert survivors == [(each.niche, each.candidate_id) for each in next_chapter(first).ancestors]
    assert [niche for niche, _ in survivors] == [None, SECOND]


def test_parameters_come_from_the_chapter_before_only() -> None:
    with pytest.raises(ValueError, match="chapter"):
        RunConfig.model_validate({**config_of().model_dump(), "parameters": thing(1.0)})


@pytest.mark.parametrize("niches", [("elsewhere",), (None, None), (SECOND, SECOND)])
def test_a_run_has_at_most_one_champion_in_each_niche_that_it_has(niches: tuple[str | None, ...]) -> None:
    champions = [
        Ancestor(
            run_id=new_run_id(),
            candidate_id="candidate-1",
            traits=thing(1.0),
            content=thing(1.0),
            champion=True,
            niche=niche,
        )
        for niche in niches
    ]
    with pytest.raises(ValueError, match="champion"):
        RunConfig.model_validate({**two().model_dump(), "niches": [{"niche": SECOND}], "ancestors": champions})


async def test_a_run_that_never_challenges_records_no_challenge() -> None:
    stage = Stage(ScriptedDomain(route=ambitious))
    await stage.configure(config_of())
    await stage.conduct()
    marker = next(each for each in payloads(await stage.events(), "operation.started") if each.operation.challenge)
    state = RunState(new_run_id(), config_=config_of(never_challenges=True), status=RunStatus.RUNNING)
    with pytest.raises(IllegalTransition, match="never challenges"):
        check_batch(state, [EventDraft.of(marker, actor=Actor.RUNTIME)])


async def test_a_chapter_of_a_run_that_is_not_there_is_refused() -> None:
    stage = Stage(ScriptedDomain())
    with pytest.raises(RunNotFound):
        await stage.configure(config_of(follows=new_run_id()))
