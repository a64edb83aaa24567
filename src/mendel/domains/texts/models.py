"""Records of the texts domain: the task of a run, a genome's texts, and the findings of examinations."""

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
    """Everything that a run needs to know about the texts it improves.

    ``files`` are present when ``run`` runs, by their path in the sandbox. Of these, ``editable`` may change, within the
    regions that marks open; ``paths`` are the user's names for them. Gate and audit use ``held_run`` instead, with
    ``held_files`` in addition. ``score`` is a command that reads the program's output and prints a number; it has only
    ``score_files``, which the program never sees. Without it the objective is speed, and the original's output is
    right. ``seeded``: the output depends on the seed.
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
        """The factor of a score that makes higher values better."""
        return 1.0 if self.maximize else -1.0


class Failing(Contract):
    """A failure on one of breeding's seeds: the right output, and the actual one. All are short texts."""

    given: str
    expected: str
    got: str


class TextExamined(Examined):
    """The findings of a text's examination.

    Stages of a fall: ``differential`` means other output or another exit status; ``property`` means output without a
    score.

    ``gain`` is the speed-up over the original in powers of two, or the score, with higher values better. ``failing`` is
    only filled for candidates that may be repaired.
    """

    gain: float | None = None
    objective: Objective = "speed"
    lines: Count = 0
    samples: tuple[tuple[float, float], ...] = ()
    failing: tuple[Failing, ...] = ()


class TextRepair(Contract):
    """The basis of a repair: the parent's failures on what breeding may see."""

    failing: Annotated[tuple[Failing, ...], Field(min_length=1)]


_OLDER: Final = frozenset({"speedup", "lower", "upper", "original_ms", "samples", "gain"})  # fields of older audits


class TextAudited(Audited):
    """The findings of an adopted text's audit: evidence without a size, or the mean gain of its score.

    Older logs have both in fields of their own, which are converted when they are read.
    """

    @model_validator(mode="before")
    @classmethod
    def _of_an_older_log(cls, data: object) -> object:
        if not isinstance(data, dict) or "samples" not in data:  # every older audit has this field, and no newer one
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
    """Return the model as the log stores it."""
    return recorded(DOMAIN, KINDS, model)
