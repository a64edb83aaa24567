"""A report as one page that needs nothing else: no script, no style sheet, no font from anywhere."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Template


def page(report: dict[str, Any]) -> str:
    """The page of a report's JSON. Whatever programs answered is escaped."""
    return _template().render(report=report)


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined  # most evaluations make no page

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(files("mendel.guard").joinpath("page.html.j2").read_text(encoding="utf-8"))
