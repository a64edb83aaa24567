"""Our words: Jinja templates of this package, or those of the same name in a folder of the user's."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mendel.contracts.errors import ConfigError

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

SYSTEM: Final = "mutation_system.j2"
ASK: Final = "mutation_ask.j2"
NAMES: Final = (SYSTEM, ASK, "answer_diff.j2", "answer_replace.j2", "answer_rewrite.j2")
_PACKAGE: Final = "mendel.breeding.prompts"


def rendered(name: str, values: Mapping[str, object], templates: Path | None = None) -> str:
    """The text of a template; ``values`` hold nothing that a candidate or a model wrote.

    Raises:
        ConfigError: the template is broken, asks for a value that there is not, or says nothing; with file and line.
    """
    try:
        text = _environment(templates).get_template(name).render(values).strip()
    except ConfigError:
        raise
    # Broad on purpose: an expression of a template can raise whatever Python can, and all of it is the template's.
    except Exception as error:
        raise ConfigError(_told(error, name, templates)) from error
    if not text:
        raise ConfigError(f"{_place(name, templates)}: the template says nothing")
    return text


@lru_cache(maxsize=16)
def _environment(templates: Path | None) -> ImmutableSandboxedEnvironment:
    from jinja2 import FunctionLoader, StrictUndefined  # most runs ask no model
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    if templates is not None and not any((templates / name).is_file() for name in NAMES):
        raise ConfigError(f"{templates} has none of the templates that a prompt is made of: {', '.join(NAMES)}")

    def load(name: str) -> tuple[str, str, None] | None:
        text = _source(name, templates)
        return None if text is None else (text, _place(name, templates), None)

    return ImmutableSandboxedEnvironment(
        loader=FunctionLoader(load),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # a prompt is no page, and nothing that is not ours gets here
    )


def _source(name: str, templates: Path | None) -> str | None:
    if "/" in name or "\\" in name:
        return None
    if templates is not None and (templates / name).is_file():
        return (templates / name).read_text(encoding="utf-8")
    shipped = files(_PACKAGE).joinpath("templates", name)
    return shipped.read_text(encoding="utf-8") if shipped.is_file() else None


def _place(name: str, templates: Path | None) -> str:
    """How a template is called in errors: by its file, where it is the user's."""
    return str(templates / name) if templates is not None and (templates / name).is_file() else name


def _told(error: Exception, name: str, templates: Path | None) -> str:
    """File, line and what is wrong there."""
    from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError

    if isinstance(error, TemplateSyntaxError):
        return f"{error.filename or _place(name, templates)}, line {error.lineno}: {error.message}"
    known = {_place(each, templates) for each in NAMES} | _own(templates)
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename in known]
    where = f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else _place(name, templates)
    if isinstance(error, TemplateNotFound):
        return f"{where}: there is no template {error.name!r}"
    said = (error.message if isinstance(error, TemplateError) else str(error)) or type(error).__name__
    return f"{where}: {said}"


def _own(templates: Path | None) -> set[str]:
    return {str(path) for path in templates.iterdir()} if templates is not None else set()
