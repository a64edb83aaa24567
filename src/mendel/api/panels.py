"""Panels that a domain declares as data; the page draws them from its own parts, with all contents as text.

A panel appears on the page of a run or of its final proof. Its parts refer to values by paths, which begin with

- ``config``: the run's recorded configuration; the domain's own is ``config.domain_config.data``;
- ``proof``, on the page of a proof: the answer of ``GET /api/runs/{run_id}/final``;
- ``champion``, on the page of a run: ``candidate_id``, ``fitness`` and ``findings``, by the step's name without the
  domain's, for example ``champion.findings.measure.squared``;
- ``answer``: the answer of a GET of ``source``, a path of the domain's own routes.

A path continues with names and indices: ``answer.rows.0.total``; ``-1`` is the last item of a list. A missing value is
drawn as a dash, and a panel is left out if its ``when`` has no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Final, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from mendel.api.schemas import Wire

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$", max_length=64)]
"""A name by which tests and styles find the element."""

ValuePath = Annotated[str, StringConstraints(pattern=r"^-?[A-Za-z0-9_]+(\.-?[A-Za-z0-9_]+)*$", max_length=200)]
"""Names and indices joined by dots."""

RoutePath = Annotated[
    str, StringConstraints(pattern=r"^(\{run_id\}|[A-Za-z0-9_-]+)(/(\{run_id\}|[A-Za-z0-9_-]+))*$", max_length=200)
]
"""A path below ``/api/domains/NAME``; ``{run_id}`` stands for the run."""

Format = Literal["text", "number", "factor", "share", "bytes", "duration"]
"""How a value is formatted: a share is a part of 1, a duration is in milliseconds, a factor is as in "3 times"."""

Template = Annotated[str, StringConstraints(min_length=1, max_length=300)]
"""Text with placeholders ``{path}`` and ``{path:format}`` for values."""


ROOTS: Final = ("config", "proof", "champion", "answer")
_IN_WORDS: Final = re.compile(r"\{([^{}:]+)(?::[^{}]*)?\}")


class ShownFigure(Wire):
    """One labelled value, with its interval if it has one."""

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
    """One large figure, followed by its label."""

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

    ``value``, ``low`` and ``high`` are paths within a row; ``label`` is the column that names the row. The scale
    ``ratio`` is logarithmic. A line is drawn at ``reference``.
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
    """A text or source, unchanged."""

    part: Literal["text"] = "text"
    name: Slug
    label: Template
    value: ValuePath
    language: str | None = None


class StatusPart(Wire):
    """One line: the text ``yes`` or ``no``, depending on a value."""

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
                    f"the panel {self.name!r}: the path {path!r} is invalid; a path begins with {', '.join(ROOTS)}"
                )
        return self

    def _paths(self) -> Iterator[str]:
        """Yield every path that is not relative to a row."""
        yield from (self.when,) if self.when is not None else ()
        for part in self.parts:
            yield from (part.rows,) if isinstance(part, TablePart | BarsPart) else ()
            yield from (part.value,) if isinstance(part, TextPart | StatusPart) else ()
            for figure in _figures(part):
                yield from filter(None, (figure.value, figure.low, figure.high))

    def _words(self) -> Iterator[str]:
        """Yield every text whose placeholders are not relative to a row."""
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
