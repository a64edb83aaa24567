"""Inheritance between runs in the same niches: each niche's champion and its number of challenges k (rule 10).

A niche is claimed by the only run that may challenge there, from its first event to its last. The log is the claim: a
run in it that is not over holds its niches, whichever process conducts it, and even without a conductor.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from mendel.contracts.errors import NicheClaimed, RunBusy, RunNotFound, RunRefused
from mendel.contracts.ids import named_uuid
from mendel.contracts.log_views import NicheRun, SeenCandidate
from mendel.contracts.run_config import Ancestor, NicheStart, RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.kernel.fold import fold
from mendel.kernel.state import RunState
from mendel.ports.event_log import EventLog

_PAUSES_S: Final = (0.01, 0.05, 0.2, 0.5, 1.0, 2.0, 4.0)
"""Waits between attempts while another process records a run in the same niche, which takes it milliseconds."""

MOST_EARLIER: Final = 1_000
"""Maximum number of earlier runs' candidates that can be neighbours: each is compared with every subject."""


@asynccontextmanager
async def alone_in(log: EventLog, config: RunConfig) -> AsyncIterator[None]:
    """Keep other processes from starting a run in these niches, or a chapter after the same run, within the context.

    A run that never challenges does not lock its niches.

    Raises:
        NicheClaimed: another process has held one of them for seconds.
    """
    async with AsyncExitStack() as stack:
        for niche in sorted(config.all_niches) if not config.never_challenges else ():  # in one order: no deadlock
            await _enter(stack, log, "niche", niche)
        if config.follows is not None:
            await _enter(stack, log, "chapter", config.follows)
        yield


async def _enter(stack: AsyncExitStack, log: EventLog, what: str, name: str) -> None:
    for pause_s in _PAUSES_S:
        try:
            await stack.enter_async_context(log.claimed(named_uuid(what, name)))
        except RunBusy:
            await asyncio.sleep(pause_s)
        else:
            return
    raise NicheClaimed(f"another run is being recorded for the {what} {name}; retry in a few seconds")


async def refuse_second_successor(log: EventLog, config: RunConfig) -> None:
    """Check that the run before a chapter is over, and that no other chapter follows it.

    Raises:
        RunNotFound: the run does not exist.
        RunRefused: it is not over, or is followed already.
    """
    if config.follows is None:
        return
    runs = {run.run_id: run for run in await log.runs()}
    before = runs.get(config.follows)
    if before is None:
        raise RunNotFound(f"there is no run {config.follows} in this log to follow")
    if before.status is None or not before.status.terminal:
        raise RunRefused(f"run {config.follows} is {before.status}; its next chapter can only begin when it is over")
    after = next((run.run_id for run in runs.values() if run.follows == config.follows), None)
    if after is not None:
        raise RunRefused(f"run {config.follows} is followed by run {after} already; follow that run instead")


async def taken_over(log: EventLog, config: RunConfig) -> RunConfig:
    """Return ``config`` with the challenge counts and champions of its niches from the log; its own are ignored.

    Raises:
        NicheClaimed: another run that may challenge in one of them is not over.
    """
    starts, champions = [], []
    for niche in config.all_niches:
        runs = await log.runs_in(niche)
        if not config.never_challenges:
            _refuse_claimed(niche, runs)
        starts.append(NicheStart(niche=niche, challenges=max((run.challenges for run in runs), default=0)))
        champion = await _champion(log, runs)
        if champion is not None:
            own = niche if niche != config.first_niche else None
            champions.append(champion.model_copy(update={"niche": own, "champion": True}))
    known = [champion.content for champion in champions]
    others = [each for each in config.ancestors if not each.champion and each.content not in known]
    return config.model_copy(
        update={
            "challenges_before": starts[0].challenges,
            "niches": tuple(starts[1:]),
            "ancestors": (*champions, *others),
        }
    )


def _refuse_claimed(niche: str, runs: Sequence[NicheRun]) -> None:
    holder = next((run for run in runs if run.claims), None)
    if holder is not None:
        raise NicheClaimed(f"the niche {niche} is claimed by run {holder.run_id}, which {_how_to_free(holder)}")


def _how_to_free(holder: NicheRun) -> str:
    if holder.status is RunStatus.CONFIGURED:
        return f"has not started: `mendel resume {holder.run_id}` starts it, `mendel cancel {holder.run_id}` cancels it"
    return (
        f"is {holder.status}: wait for its end, continue it with `mendel resume {holder.run_id}` if it was interrupted,"
        f" or end it with `mendel stop {holder.run_id}`"
    )


async def _champion(log: EventLog, runs: Sequence[NicheRun]) -> Ancestor | None:
    """Return the niche's champion after the last run that may challenge, however that run ended."""
    for run in reversed(runs):
        if run.may_challenge and run.champion_id is not None:
            return run.champion or await _from_its_log(log, run)
    return None


async def _from_its_log(log: EventLog, run: NicheRun) -> Ancestor | None:
    """Return the champion of an old run, recorded before adoption events contained the adopted content."""
    state = RunState(run.run_id)
    async for event in log.read(run.run_id):
        fold(state, event)
    known = state.candidates.get(run.champion_id or "")
    if known is None:
        return None
    traits = state.genomes[known.candidate.genome_id].genome.traits
    return Ancestor(
        run_id=run.run_id, candidate_id=known.candidate.id, traits=traits, content=known.content, champion=True
    )


async def candidates_before(log: EventLog, state: RunState) -> tuple[SeenCandidate, ...]:
    """Return the newest candidates with recorded vectors of earlier runs in the run's niches, the newest first.

    An earlier run is one that was over before this one's first event. It cannot change any more, so a resume finds the
    same candidates. Rejected: deciding by run ids, since a run that never challenges may outlive later runs.
    """
    runs = {run.run_id: run for niche in state.config.all_niches for run in await log.runs_in(niche)}
    own = runs.get(state.run_id)
    began = own.configured_at if own is not None else None
    over = [
        (run.ended_at, run.run_id)
        for run in runs.values()
        if began is not None and run.ended_at is not None and run.ended_at <= began
    ]
    found: list[SeenCandidate] = []
    for _, run_id in sorted(over, reverse=True):
        if len(found) < MOST_EARLIER:
            found += await log.newest_looks(run_id, MOST_EARLIER - len(found))
    return tuple(found)


async def refuse_overtaken(log: EventLog, state: RunState) -> None:
    """Check that no other run has spent this run's error budget, as an imported log may show.

    Raises:
        NicheClaimed: an older run claims one of its niches.
        RunRefused: another run has made challenges there since this one began.
    """
    config = state.config
    if config.never_challenges:
        return
    before = [config.challenges_before, *(each.challenges for each in config.niches)]
    for niche, challenges in zip(config.all_niches, before, strict=True):
        others = [run for run in await log.runs_in(niche) if run.may_challenge and run.run_id != state.run_id]
        _refuse_claimed(niche, [run for run in others if run.run_id < state.run_id])  # ids are ordered by time
        for run in others:
            if run.challenges > challenges:
                raise RunRefused(
                    f"run {run.run_id} has made challenges in the niche {niche} that are not counted in run"
                    f" {state.run_id} (rule 10): end it with `mendel stop {state.run_id}`, and start a new one"
                )
