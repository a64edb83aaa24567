"""What the texts domain records: the task of a run, a genome's texts, and what examinations found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from mendel.bench.records import (
    Audited,
    Examined,
    Positive,
    SizeEvidence,
    SourceContent,
    SourceTask,
    SourceTraits,
    TaskOf,
    recorded,
)
from mendel.contracts.base import Contract, Count, Share, Text
from mendel.contracts.payloads import DomainPayload

DOMAIN: Final = "texts"
Objective = Literal["speed", "score"]


class TextTask(SourceTask):
    """Everything a run has to know of the texts it improves.

    ``files`` are there when ``run`` runs, by the path that they have behind the wall; ``editable`` of them may change,
    within the regions that marks in them open, and ``paths`` is what the user calls those. ``held_run`` is run instead
    by gate and audit, which have ``held_files`` besides. ``score`` is a command that reads what the program printed and
    prints a number; it has ``score_files`` and nothing else, and the program never sees them. Without it the objective
    is speed, and what the original prints is right. ``seeded``: what it prints depends on the seed.
    """

    editable: Annotated[tuple[str, ...], Field(min_length=1)]
    language: Text
    run: Text
    held_run: Text | None = None
    held_files: dict[str, str] = Field(default_factory=dict)
    score: Text | None = None
    score_files: dict[str, str] = Field(default_factory=dict)
    objective: Objective
    maximize: bool = True
    seeded: bool = True
    cases: Annotated[int, Field(ge=1, le=1_000)] = 8
    case_s: Positive = 10.0
    memory_mb: Annotated[int, Field(ge=16, le=1 << 20)] = 512
    margin: Share = 0.1
    stands_at: float = 0.0

    @property
    def sign(self) -> float:
        """What a score is multiplied by, so that more is better."""
        return 1.0 if self.maximize else -1.0


class Failing(Contract):
    """One of breeding's seeds at which a program fails: what was right, and what came instead. All are short texts."""

    given: str
    expected: str
    got: str


class TextExamined(Examined):
    """What an examination of a text found.

    Where one fell, ``differential``: it prints something else, or ends with another status; ``property``: what it
    prints has no score.

    ``gain`` is the speed-up over the original in powers of two, or the score with more being better. ``failing`` is
    told only of who may be repaired.
    """

    gain: float | None = None
    objective: Objective = "speed"
    lines: Count = 0
    samples: tuple[tuple[float, float], ...] = ()
    failing: tuple[Failing, ...] = ()


class TextRepair(Contract):
    """What a repair has to go by: where the parent fails of what breeding may see."""

    failing: Annotated[tuple[Failing, ...], Field(min_length=1)]


_OLDER: Final = frozenset({"speedup", "lower", "upper", "original_ms", "samples", "gain"})


class TextAudited(Audited):
    """What an audit of an adopted text found: evidence without a size, or what it gains in its score on average.

    Older logs have both in fields of their own, and are read as if they were recorded so.
    """

    @model_validator(mode="before")
    @classmethod
    def _of_an_older_log(cls, data: object) -> object:
        if not isinstance(data, dict) or "samples" not in data:
            return data
        known = {name: value for name, value in data.items() if name not in _OLDER}
        timed = {name: data.get(name) for name in SizeEvidence.model_fields}
        gain = data.get("gain")
        return {
            **known,
            "sizes": (timed,) if timed["speedup"] is not None else (),
            "gains": {"score": gain} if gain is not None else {},
        }


task_of: Final = TaskOf(TextTask, "a run of texts needs its task; `mendel evolve FILE --run CMD` makes one")
KINDS: Final[Mapping[str, type[Contract]]] = {
    "task": TextTask,
    "traits": SourceTraits,
    "text": SourceContent,
    "examined": TextExamined,
    "repair": TextRepair,
    "audited": TextAudited,
}


def payload(model: Contract) -> DomainPayload:
    """The model as it stands in the log."""
    return recorded(DOMAIN, KINDS, model)
