"""The runs of a niche, found in the log through a few records of each run, without reading whole runs (rule 10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final, NamedTuple

from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.events.gate import AdoptionMade, AdoptionRevoked
from mendel.contracts.events.operation import OperationStarted
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.run import RUN_STATUS_AFTER, RunConfigured
from mendel.contracts.log_views import NicheRun
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import Ancestor, RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.ports.records import Record, intact_payload

MARKS: Final = frozenset({*RUN_STATUS_AFTER, "adoption.made", "adoption.revoked"})
"""Event types that determine the state of a run in its niches; the markers of challenges do, too."""
CHALLENGER: Final = "operation.started"
CHALLENGE: Final = b'"challenge":{'
"""Part of the canonical payload of a challenge's marker. Other markers may contain it by chance."""


def is_mark(type_: str, payload: bytes) -> bool:
    """Return whether an event may change the state of a run in its niches."""
    return type_ in MARKS or (type_ == CHALLENGER and CHALLENGE in payload)


def has_niche(first: Record, niche: str) -> bool:
    """Return whether the run that begins with ``first`` has ``niche``; a run with an unreadable beginning has none."""
    payload = intact_payload(first)
    return isinstance(payload, RunConfigured) and niche in payload.config.all_niches


def niche_runs(niche: str, records: Iterable[Record]) -> tuple[NicheRun, ...]:
    """Return the runs of ``niche``, oldest first. ``records`` contains the marks of runs, grouped by run and in order.

    A damaged record counts as missing; ``verify`` reports it.
    """
    histories = (list(marks) for _, marks in groupby(records, key=lambda record: record.run_id))
    runs = [run for history in histories if (run := _run_of(niche, history)) is not None]
    return tuple(sorted(runs, key=lambda run: run.run_id))


class _Champion(NamedTuple):
    run_id: str
    candidate_id: str
    traits: DomainPayload | None
    content: DomainPayload | None
    looks: EmbeddingRecord | None

    @property
    def ancestor(self) -> Ancestor | None:
        if self.traits is None or self.content is None:
            return None
        return Ancestor(
            run_id=self.run_id,
            candidate_id=self.candidate_id,
            traits=self.traits,
            content=self.content,
            champion=True,
            looks=self.looks,
        )


class _Standing:
    """The state of one run in one niche, updated by each mark."""

    def __init__(self, run_id: str, niche: str, config: RunConfig) -> None:
        self.run_id = run_id
        self.niche = niche
        self.config = config
        self.status: RunStatus | None = None
        self.ended_at: datetime | None = None
        self.challenges = _challenges_before(config, niche)
        self.champion = _champion_before(config, niche)
        self._replaced: _Champion | None = None

    def take(self, payload: Payload, occurred_at: datetime) -> None:
        self.status = RUN_STATUS_AFTER.get(payload.type, self.status)
        if self.ended_at is None and self.status is not None and self.status.terminal:
            self.ended_at = occurred_at
        match payload:
            case OperationStarted(operation=operation) if operation.challenge is not None:
                if operation.challenge.niche == self.niche:
                    self.challenges = max(self.challenges, operation.challenge.k)
            case AdoptionMade(niche=self.niche) as made:
                champion = _Champion(self.run_id, made.candidate_id, made.traits, made.content, made.looks)
                self._replaced, self.champion = self.champion, champion
            case AdoptionRevoked(niche=self.niche):
                self.champion, self._replaced = self._replaced, None  # the previous champion returns


def _run_of(niche: str, history: Sequence[Record]) -> NicheRun | None:
    first = intact_payload(history[0])
    if not isinstance(first, RunConfigured) or niche not in first.config.all_niches:
        return None
    standing = _Standing(history[0].run_id, niche, first.config)
    for record in history:
        if (payload := intact_payload(record)) is not None:
            standing.take(payload, record.occurred_at)
    champion = standing.champion
    return NicheRun(
        run_id=standing.run_id,
        status=standing.status,
        configured_at=history[0].occurred_at,
        ended_at=standing.ended_at,
        may_challenge=not first.config.never_challenges,
        challenges=standing.challenges,
        champion_id=champion.candidate_id if champion is not None else None,
        champion=champion.ancestor if champion is not None else None,
    )


def _challenges_before(config: RunConfig, niche: str) -> int:
    if niche == config.first_niche:
        return config.challenges_before
    return next(each.challenges for each in config.niches if each.niche == niche)


# An ancestor without a niche of its own belongs to the run's first niche.
def _champion_before(config: RunConfig, niche: str) -> _Champion | None:
    for each in config.ancestors:
        if each.champion and (each.niche or config.first_niche) == niche:
            return _Champion(each.run_id, each.candidate_id, each.traits, each.content, each.looks)
    return None
