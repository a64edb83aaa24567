"""Panels that a domain declares as data; the page draws them by parts that it has, and everything in them as text.

A panel stands on the page of a run or of its final proof, and its parts say by paths what they show. Paths begin with

- ``config``: the run's configuration as recorded; its domain's own is ``config.domain_config.data``;
- ``proof``, on the page of a proof: what ``GET /api/runs/{run_id}/final`` answers;
- ``champion``, on the page of a run: ``candidate_id``, ``fitness`` and, by the step's name without its domain's,
  ``findings``: ``champion.findings.measure.squared``;
- ``answer``: what a GET of ``source`` answered, a path of the domain's own routes.

A path goes on by names and places: ``answer.rows.0.total``; ``-1`` is the last of a list. Where nothing stands a dash
is drawn, and a panel whose ``when`` leads nowhere is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Final, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from mendel.api.schemas import Wire

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$", max_length=64)]
"""A name under which tests and styles find what is drawn."""

ValuePath = Annotated[str, StringConstraints(pattern=r"^-?[A-Za-z0-9_]+(\.-?[A-Za-z0-9_]+)*$", max_length=200)]
"""Names and places joined by dots."""

RoutePath = Annotated[
    str, StringConstraints(pattern=r"^(\{run_id\}|[A-Za-z0-9_-]+)(/(\{run_id\}|[A-Za-z0-9_-]+))*$", max_length=200)
]
"""A path below ``/api/domains/NAME``; ``{run_id}`` stands for the run."""

Format = Literal["text", "number", "factor", "share", "bytes", "duration"]
"""How a value is written: a share is of one, a duration in milliseconds, a factor that of "3 times"."""

Template = Annotated[str, StringConstraints(min_length=1, max_length=300)]
"""Words; ``{path}`` and ``{path:format}`` in them stand for values."""


ROOTS: Final = ("config", "proof", "champion", "answer")
_IN_WORDS: Final = re.compile(r"\{([^{}:]+)(?::[^{}]*)?\}")


class ShownFigure(Wire):
    """One value with what it is of, and its interval if it has one."""

    name: Slug
    label: Template
    value: ValuePath
    format: Format = "number"
    low: ValuePath | None = None
    high: ValuePath | None = None


class FiguresPart(Wire):
    """Figures in a row."""

    part: Literal["figures"] = "figures"
    figures: Annotated[tuple[ShownFigure, ...], Field(min_length=1)]


class HeadlinePart(Wire):
    """One figure, large, with its label behind it."""

    part: Literal["headline"] = "headline"
    figure: ShownFigure


class ShownColumn(Wire):
    """A column of a table; ``value`` is a path within a row."""

    title: Template
    value: ValuePath
    format: Format = "text"


class TablePart(Wire):
    """The list at ``rows`` as a table."""

    part: Literal["table"] = "table"
    name: Slug
    caption: Template
    rows: ValuePath
    columns: Annotated[tuple[ShownColumn, ...], Field(min_length=1)]


class BarsPart(Wire):
    """The list at ``rows`` as values with their intervals, on one scale.

    ``value``, ``low`` and ``high`` are paths within a row, ``label`` the column that names it. On the scale ``ratio``
    equal factors are equally far apart. ``reference`` is a value that a line is drawn at.
    """

    part: Literal["bars"] = "bars"
    name: Slug
    caption: Template
    rows: ValuePath
    label: ShownColumn
    title: Template
    value: ValuePath
    low: ValuePath | None = None
    high: ValuePath | None = None
    format: Format = "number"
    scale: Literal["linear", "ratio"] = "linear"
    reference: float | None = None


class TextPart(Wire):
    """A text or source, as it is."""

    part: Literal["text"] = "text"
    name: Slug
    label: Template
    value: ValuePath
    language: str | None = None


class StatusPart(Wire):
    """One line that says whether something is so."""

    part: Literal["status"] = "status"
    name: Slug
    value: ValuePath
    yes: Template
    no: Template


Part = Annotated[FiguresPart | HeadlinePart | TablePart | BarsPart | TextPart | StatusPart, Field(discriminator="part")]


class Panel(Wire):
    """A titled section of a page, made of parts."""

    name: Slug
    title: Template
    place: Literal["run", "proof"]
    note: Template | None = None
    source: RoutePath | None = None
    when: ValuePath | None = None
    parts: Annotated[tuple[Part, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _refuse_paths_to_nowhere(self) -> Self:
        for path in (*self._paths(), *(path for words in self._words() for path in _IN_WORDS.findall(words))):
            if path.partition(".")[0] not in ROOTS:
                raise ValueError(
                    f"the panel {self.name!r}: the path {path!r} leads nowhere; a path begins with {', '.join(ROOTS)}"
                )
        return self

    def _paths(self) -> Iterator[str]:
        """Every path that does not begin in a row."""
        yield from (self.when,) if self.when is not None else ()
        for part in self.parts:
            yield from (part.rows,) if isinstance(part, TablePart | BarsPart) else ()
            yield from (part.value,) if isinstance(part, TextPart | StatusPart) else ()
            for figure in _figures(part):
                yield from filter(None, (figure.value, figure.low, figure.high))

    def _words(self) -> Iterator[str]:
        """Every text that may hold paths which do not begin in a row."""
        yield from filter(None, (self.title, self.note))
        for part in self.parts:
            yield from (part.caption,) if isinstance(part, TablePart | BarsPart) else ()
            yield from (part.yes, part.no) if isinstance(part, StatusPart) else ()
            yield from (part.label,) if isinstance(part, TextPart) else ()
            yield from (figure.label for figure in _figures(part))


def _figures(part: Part) -> tuple[ShownFigure, ...]:
    if isinstance(part, HeadlinePart):
        return (part.figure,)
    return part.figures if isinstance(part, FiguresPart) else ()
