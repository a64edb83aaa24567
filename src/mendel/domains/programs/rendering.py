"""The step ``programs.render``: one file of a project from its Jinja template, in a worker process.

Templates are not trusted: they can use their values and nothing of Python behind them (Jinja's sandbox), an undefined
name is an error, and the worker is stopped at its deadline.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from jinja2 import FunctionLoader, StrictUndefined, TemplateError, TemplateNotFound, TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from mendel.contracts.base import Contract, JsonObject, StepName, Text
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.events.operation import Operation
from mendel.contracts.ids import new_task_id
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.tasks import TASK_SCHEMA_VERSION, Task, TaskKind
from mendel.contracts.times import utc_now
from mendel.contracts.work import Answer, Material, TaskPayload, Work
from mendel.domains.programs.models import DOMAIN

RENDER: Final[StepName] = "programs.render"
DEADLINE_MS: Final = 30_000
MOST_CHARACTERS: Final = 16_000_000
_NAME: Final = "its name"
"""The name in errors of a template that gives a file's name."""


class FileToRender(Contract):
    """One file: ``path`` is a template too. ``templates`` are all texts that it may need, by name."""

    template: Text
    path: Text
    templates: dict[str, str]
    values: JsonObject


class RenderedFile(Contract):
    """The path and text of a rendered file."""

    path: str
    text: str


def render_task(wanted: FileToRender, run_id: str, number: int) -> Task:
    """Return the task of kind ``render`` for the file."""
    inputs = DomainPayload(domain=DOMAIN, kind="file_to_render", data=wanted.model_dump(mode="json"))
    operation = Operation(
        id=f"render-{number}", step=RENDER, kind="express", subject_kind="run", subject_ids=(run_id,), inputs=inputs
    )
    work = Work(operation=operation, material=Material(problem=f"render {wanted.template}"))
    return Task(
        kind=TaskKind.RENDER,
        id=new_task_id(),
        payload=TaskPayload(handler=RENDER, run_id=run_id, work=work).model_dump(mode="json"),
        requires=(),  # any worker will do
        attempts=0,
        created_at=utc_now(),
        schema_v=TASK_SCHEMA_VERSION,
    )


def rendered(answer: Answer) -> RenderedFile:
    """Return the file in an answer of the step.

    Raises:
        ValueError: the answer contains none.
    """
    if answer.findings is None:
        raise ValueError(f"the answer of {RENDER} has no findings")
    return RenderedFile.model_validate(answer.findings.data)


def render(work: Work) -> Answer:
    """Render one file and its name.

    Raises:
        HandlerFailed: the template fails, lacks a value, or names a file outside the folder; with template and line.
    """
    if work.operation.inputs is None:
        raise HandlerFailed("bad_inputs", f"{RENDER} received no file")
    wanted = FileToRender.model_validate(work.operation.inputs.data)
    path = _safe(_text({**wanted.templates, _NAME: wanted.path}, _NAME, wanted), wanted)
    made = RenderedFile(path=path, text=_text(wanted.templates, wanted.template, wanted))
    return Answer(findings=DomainPayload(domain=DOMAIN, kind="rendered_file", data=made.model_dump(mode="json")))


def _text(templates: Mapping[str, str], name: str, wanted: FileToRender) -> str:
    try:
        template = _environment(templates, templates[name]).get_template(name)
        return _joined(template.generate(wanted.values), wanted)
    except HandlerFailed:
        raise
    # Broad on purpose: an expression in a template may raise anything; it is reported as the template's failure.
    except Exception as error:
        raise HandlerFailed("template_failed", _said(error, templates, wanted)) from error


def _joined(stream: Iterator[str], wanted: FileToRender) -> str:
    pieces, size = [], 0
    for piece in stream:
        pieces.append(piece)
        size += len(piece)
        if size > MOST_CHARACTERS:  # a loop in a template may produce any amount of text
            raise HandlerFailed("too_large", f"{wanted.template}: more than {MOST_CHARACTERS:,} characters")
    return "".join(pieces)


def _environment(templates: Mapping[str, str], source: str) -> ImmutableSandboxedEnvironment:
    """Return the environment for templates, which keeps their line ends and names them in tracebacks."""

    def load(name: str) -> tuple[str, str, None] | None:
        return (templates[name], name, None) if name in templates else None

    return ImmutableSandboxedEnvironment(
        loader=FunctionLoader(load),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        newline_sequence="\r\n" if "\r\n" in source else "\n",  # Jinja writes a single kind of line end
        autoescape=False,  # the results are programs and texts, not HTML
    )


def _said(error: Exception, templates: Mapping[str, str], wanted: FileToRender) -> str:
    """Return the template, the line and the error."""
    if isinstance(error, TemplateSyntaxError):
        place, line, said = error.name or wanted.template, error.lineno, error.message or "invalid template"
    else:
        place, line = _place(error, templates) or (wanted.template, 0)
        said = _message(error)
    where = f"{wanted.template}, {_NAME}" if place == _NAME else place
    return f"{where}{f', line {line}' if line and place != _NAME else ''}: {said}"


def _place(error: Exception, templates: Mapping[str, str]) -> tuple[str, int] | None:
    """Return the innermost line of a template in the error's traceback."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename in templates]
    return (frames[-1].filename, frames[-1].lineno or 0) if frames else None


def _message(error: Exception) -> str:
    if isinstance(error, TemplateNotFound):
        return f"there is no template {error.name!r} in the project"
    if isinstance(error, TemplateError):
        return error.message or type(error).__name__
    return f"{type(error).__name__}: {error}"


def _safe(name: str, wanted: FileToRender) -> str:
    """Return the file's name if it lies in the folder for these values."""
    path = PurePosixPath(name)
    outside = path.is_absolute() or not path.parts or ".." in path.parts or name.endswith("/")
    if outside or any(not each.isprintable() or each == "\\" for each in name):  # a backslash separates on Windows
        raise HandlerFailed("bad_path", f"{wanted.template}, {_NAME}: {name!r} is not a file within the folder")
    return str(path)
