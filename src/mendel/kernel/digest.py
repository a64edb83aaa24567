"""Digests: one of the state, which a replay must reproduce, and one of the results, which a resume must not change."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, make_dataclass
from hashlib import sha256
from typing import Any

import orjson
from pydantic import BaseModel

from mendel.contracts.caps import RunCaps
from mendel.contracts.energy import Usage
from mendel.contracts.events.operation import Operation
from mendel.contracts.organisms import Genome
from mendel.contracts.run_config import RunConfig
from mendel.contracts.verdicts import Verdict
from mendel.kernel.dossier import Observation
from mendel.kernel.state import Bred, CandidateState, GenomeState, Ledger, NicheState, RunState, StepLog, Tally

_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS


def state_digest(state: RunState) -> str:
    """Return the digest of the whole state. A replay of the same log yields the same digest on any machine."""
    return _digest(_whole(state))


def outcome_digest(state: RunState) -> str:
    """Return the digest of the results, without ids of run and events, times, attempts, sequence and measured usage.

    If operations are pure and results count in birth order, a run that was killed and resumed, with any number of
    slots, yields the same digest as an uninterrupted one.
    """
    return _digest(_outcome(state))


def _digest(parts: Iterator[object]) -> str:
    digest = sha256()
    for part in parts:
        digest.update(orjson.dumps(part, default=_plain, option=_OPTIONS))
        digest.update(b"\n")  # separates the parts
    return digest.hexdigest()


_LATER_STATE = frozenset(
    {
        "weakly_isolated",
        "landed",
        "families",
        "parent_of",
        "parameters",
        "parameters_of",
        "entries",
        "entering",
        "entries_open",
        "looks",
    }
)
_LATER_NICHE = frozenset({"best", "births"})
_LATER_CONFIG = frozenset(
    {
        *("allow_weak_sandbox", "stop", "archive", "islands", "models"),
        *("niches", "never_challenges", "follows", "parameters"),
    }
)
_LATER_ANCESTOR = frozenset({"niche"})
_LATER_GENOME = frozenset({"looks"})
_LATER_OPERATION = frozenset({"site", "inspirations", "niche", "parent", "entered"})
_LATER_VERDICT = frozenset({"violations", "metrics", "relations", "looks", "warnings"})
_LATER_PROVENANCE = frozenset({"samples"})
_LATER_WALLS = frozenset({"backend", "layers", "missing"})
_LATER_USAGE = frozenset({"evaluations"})
_LATER_TALLY = frozenset({"max_evaluations"})
_LATER_CAPS = {"max_evaluations": RunCaps().max_evaluations}
"""Fields added after the first recorded digests: left out while empty or default, so that old logs still agree."""
_UNTOLD_STATE = frozenset({"isolation_of", "failed_challenges"})
"""Fields added later that folding an older log would fill: always left out."""


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        unsaid = _UNSAID.get(type(value))
        return value.model_dump(mode="json", exclude=unsaid(value) if unsaid is not None else None)
    if isinstance(value, Bred):
        return _bred(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, tuple | deque):
        return list(value)
    raise TypeError(type(value).__name__)


def _bred(bred: Bred) -> list[object]:
    """Return a birth's decision; site and niche were added later and are left out if empty, the energy always."""
    told: list[object] = list(bred[:5] if bred.site is not None else bred[:4])
    return told if bred.niche is None else [*told, {"niche": bred.niche}]


Unsaid = dict[str, Any]
"""Fields to leave out, in the form of pydantic's ``exclude``."""


def _unsaid(value: BaseModel, later: frozenset[str]) -> Unsaid:
    return {name: True for name in later if not getattr(value, name)}


def _unsaid_usage(usage: Usage) -> Unsaid:
    return _unsaid(usage, _LATER_USAGE)


def _unsaid_caps(caps: RunCaps) -> Unsaid:
    return {name: True for name, usual in _LATER_CAPS.items() if getattr(caps, name) == usual}


def _unsaid_config(config: RunConfig) -> Unsaid:
    ancestors = {place: _unsaid(each, _LATER_ANCESTOR) for place, each in enumerate(config.ancestors)}
    return {**_unsaid(config, _LATER_CONFIG), "caps": _unsaid_caps(config.caps), "ancestors": ancestors}


def _unsaid_operation(operation: Operation) -> Unsaid:
    return {**_unsaid(operation, _LATER_OPERATION), "allowance": _unsaid_usage(operation.allowance)}


def _unsaid_genome(genome: Genome) -> Unsaid:
    return _unsaid(genome, _LATER_GENOME)


def _unsaid_verdict(verdict: Verdict) -> Unsaid:
    origin = {"sandbox": _unsaid(verdict.provenance.sandbox, _LATER_WALLS)}
    origin |= _unsaid(verdict.provenance, _LATER_PROVENANCE)
    return {**_unsaid(verdict, _LATER_VERDICT), "provenance": origin}


_UNSAID: Mapping[type[BaseModel], Callable[[Any], Unsaid]] = {
    Usage: _unsaid_usage,
    RunCaps: _unsaid_caps,
    RunConfig: _unsaid_config,
    Operation: _unsaid_operation,
    Genome: _unsaid_genome,
    Verdict: _unsaid_verdict,
}


def _ledger(ledger: Ledger) -> orjson.Fragment:
    """Return the ledger as JSON; counts added later are left out while they are zero."""
    measured = {name: amount for name, amount in ledger.measured.items() if amount or name not in _LATER_USAGE}
    told = {each.name: getattr(ledger, each.name) for each in fields(ledger)}
    tallies = {name: _tally(told[name]) for name in ("used", "held")}
    return _in_order({**told, **tallies, "measured": dict(sorted(measured.items()))})


def _tally(tally: Tally) -> orjson.Fragment:
    told = {each.name: getattr(tally, each.name) for each in fields(tally)}
    return _in_order({name: amount for name, amount in told.items() if amount or name not in _LATER_TALLY})


def _in_order(told: dict[str, object]) -> orjson.Fragment:
    """Return JSON in the form of orjson's dataclasses: fields in order of declaration, not sorted."""
    return orjson.Fragment(orjson.dumps(told, default=_plain))


def _whole(state: RunState) -> Iterator[object]:
    """Yield every field of the state except those left out, also fields added in future; large ones item by item."""
    yield "mendel.state.1"  # the version of this form
    for field in fields(state):
        value = getattr(state, field.name)
        if field.name in _UNTOLD_STATE or (field.name in _LATER_STATE and not value):
            continue
        if field.name == "niches" and len(state.niches) < 2:
            yield from _only_niche(state)
            continue
        yield field.name
        if isinstance(value, Ledger):
            yield _ledger(value)
        elif isinstance(value, dict):
            yield from value.items()
        elif isinstance(value, list):
            yield from value
        else:
            yield value


_OnlyNiche = make_dataclass("_OnlyNiche", [each.name for each in fields(NicheState) if each.name not in _LATER_NICHE])
"""A dataclass and not a dictionary: orjson sorts a dictionary's keys, and keeps the order of a dataclass's fields."""


def _only_niche(state: RunState) -> Iterator[object]:
    """Yield the niche of a run with one, in the form from before runs could have several."""
    known = next(iter(state.niches.values()), NicheState())
    yield "niche"
    yield _OnlyNiche(*(getattr(known, each.name) for each in fields(_OnlyNiche)))


def _outcome(state: RunState) -> Iterator[object]:
    yield "mendel.outcome.1"  # the version of this form
    yield [state.seed if state.config_ else None, state.living, state.deepest, state.scored, state.best]
    for place, niche in enumerate(state.niches.values()):
        told = [niche.challenges, niche.champion_id, niche.champion_content, niche.last_challenger]
        yield [place, *told, niche.best] if place else told  # the first niche in its old form
    if not state.niches:
        yield [0, None, None, None]
    for generation in state.generations:
        yield [generation.index, generation.id, generation.status, generation.conditions, generation.births_lost]
        yield [sorted(generation.failed_genomes), generation.scored, generation.best, _observed(generation.steps)]
        for candidate_id, entry in state.entries.get(generation.index, {}).items():
            yield [candidate_id, entry.score, entry.over, _observed(entry.steps)]
    for birth in range(state.births.decided):
        bred = state.births.bred.get(birth)
        yield [birth, *_bred(bred._replace(niche=_place(state, bred.niche)))] if bred else [birth]
        genome_id = state.births.genome_of.get(birth)
        if genome_id is not None:
            yield from _genome(state, state.genomes[genome_id])


def _genome(state: RunState, known: GenomeState) -> Iterator[object]:
    yield [known.genome, known.generation, known.status, known.best]
    for candidate_id in known.candidates:
        yield _candidate(state.candidates[candidate_id], _place(state, state.landed.get(candidate_id)))


def _place(state: RunState, niche: str | None) -> str | None:
    """Return a niche's position in the run: its name is part of the configuration, not of the outcome."""
    return str(list(state.niches).index(niche)) if niche is not None else None


def _candidate(known: CandidateState, landed: str | None) -> list[object]:
    return [
        known.candidate,
        known.content,
        known.status,
        known.repaired,
        known.score,
        known.verdict.decision if known.verdict else None,
        known.adoption,
        _observed(known.steps),
        *([landed] if landed is not None else []),
    ]


def _observed(steps: StepLog) -> list[object]:
    return [[name, _observation(seen)] for name, seen in steps.ended.items()]


def _observation(seen: Observation | None) -> list[object] | None:
    if seen is None:
        return None
    return [seen.step, seen.kind, seen.findings, seen.failed, seen.degraded]
