"""Instructions in prompts: this package's Jinja templates, or a user's templates with the same names."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mendel.contracts.errors import ConfigError

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

Templates = Path | Mapping[str, str]
"""A user's own templates: a folder, or texts by name, as a run stores them."""

SYSTEM: Final = "mutation_system.j2"
ASK: Final = "mutation_ask.j2"
NAMES: Final = (SYSTEM, ASK, "answer_diff.j2", "answer_replace.j2", "answer_rewrite.j2")
MOST_BYTES: Final = 100_000
"""Maximum size of a folder's templates: a prompt has no room for more, and a run stores all of them."""
_PACKAGE: Final = "mendel.breeding.prompts"


def rendered(name: str, values: Mapping[str, object], templates: Templates | None = None) -> str:
    """Render a template; ``values`` must be immutable and contain no text written by a candidate or a model.

    Raises:
        ConfigError: the template is broken, uses an unknown value, or renders to nothing; with file and line.
    """
    return _rendered(name, tuple(values.items()), _Own.of(templates))


@lru_cache(maxsize=64)
def _rendered(name: str, values: tuple[tuple[str, object], ...], own: _Own) -> str:
    """Render with a cache: a run repeats the same instructions, since varying parts are messages of their own."""
    try:
        text = _environment(own).get_template(name).render(dict(values)).strip()
    # Broad on purpose: an expression in a template can raise any exception, and the template is at fault for all.
    except Exception as error:
        raise ConfigError(_told(error, name, own)) from error
    if not text:
        raise ConfigError(f"{own.place(name)}: the template renders to an empty text")
    return text


def read_templates(folder: Path) -> dict[str, str]:
    """Return a complete set of templates by name: those of ``folder``, completed by the shipped ones.

    Raises:
        ConfigError: the folder has none of them, they are too large, or one cannot be read.
    """
    return {**{name: _shipped(name) or "" for name in NAMES}, **_in_folder(folder)}


def _in_folder(folder: Path) -> dict[str, str]:
    if not any((folder / name).is_file() for name in NAMES):
        raise ConfigError(f"{folder} has none of the templates that a prompt is made of: {', '.join(NAMES)}")
    paths = sorted(path for path in folder.glob("*.j2") if path.is_file())
    size = sum(path.stat().st_size for path in paths)
    if size > MOST_BYTES:
        raise ConfigError(f"the templates of {folder} have {size:,} bytes; at most {MOST_BYTES:,} are allowed")
    return {path.name: _read(path) for path in paths}


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error


@dataclass(frozen=True, slots=True)
class _Own:
    """A user's templates by name, hashable as a cache key, and their folder if they were read from one."""

    texts: tuple[tuple[str, str], ...] = ()
    folder: Path | None = None

    @classmethod
    def of(cls, templates: Templates | None) -> _Own:
        if isinstance(templates, Path):
            return cls(tuple(_in_folder(templates).items()), templates)
        return cls(tuple((templates or {}).items()))

    def place(self, name: str) -> str:
        """Return a template's name in errors: the path, if it comes from the user's folder."""
        return str(self.folder / name) if self.folder is not None and name in dict(self.texts) else name

    def places(self) -> set[str]:
        return {self.place(name) for name in (*NAMES, *dict(self.texts))}


@lru_cache(maxsize=16)
def _environment(own: _Own) -> ImmutableSandboxedEnvironment:
    from jinja2 import FunctionLoader, StrictUndefined  # imported late, because most runs use no model
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    texts = dict(own.texts)

    def load(name: str) -> tuple[str, str, None] | None:
        text = texts[name] if name in texts else _shipped(name)
        return None if text is None else (text, own.place(name), None)

    return ImmutableSandboxedEnvironment(
        loader=FunctionLoader(load),
        undefined=StrictUndefined,  # a misspelt name must not render as nothing
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # a prompt is not HTML, and no untrusted text gets here
    )


def _shipped(name: str) -> str | None:
    if "/" in name or "\\" in name:  # templates must not include files outside the package's folder
        return None
    shipped = files(_PACKAGE).joinpath("templates", name)
    return shipped.read_text(encoding="utf-8") if shipped.is_file() else None


def _told(error: Exception, name: str, own: _Own) -> str:
    """Describe an error of a template with its file and line."""
    from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError

    if isinstance(error, TemplateSyntaxError):
        return f"{error.filename or own.place(name)}, line {error.lineno}: {error.message}"
    known = own.places()
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename in known]
    where = f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else own.place(name)
    if isinstance(error, TemplateNotFound):
        return f"{where}: there is no template {error.name!r}"
    said = (error.message if isinstance(error, TemplateError) else str(error)) or type(error).__name__
    return f"{where}: {said}"
