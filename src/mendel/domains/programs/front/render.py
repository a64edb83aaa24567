"""`mendel render`: a project of Jinja templates, rendered as tasks of the fabric; all of it or nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from datetime import time as clock_time
from math import isfinite
from pathlib import Path, PurePosixPath
from typing import Annotated, Final

import typer
from jinja2 import Environment, TemplateSyntaxError
from jinja2.meta import find_referenced_templates
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from mendel.bench.own_files import read_source
from mendel.console.session import JsonFlag, Session, session_of, shown
from mendel.console.tables import assignments, merged, nested
from mendel.contracts.errors import ConfigError, FabricError, StorageError
from mendel.contracts.ids import new_run_id
from mendel.contracts.payloads import explain
from mendel.contracts.work import Failure
from mendel.domains.programs.rendering import DEADLINE_MS, FileToRender, RenderedFile, render_task, rendered
from mendel.kernel.performing import outcome_of
from mendel.ports.task_fabric import TaskLane
from mendel.wiring import open_fabric

SUFFIX: Final = ".j2"

Values = dict[str, JsonValue]


def render(
    context: typer.Context,
    project: Annotated[
        Path, typer.Argument(metavar="PROJECT", help="A folder of *.j2 templates, or a TOML file that lists files.")
    ],
    values: Annotated[list[Path] | None, typer.Option(help="TOML files with values; later ones override.")] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="One value; overrides every file.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the files; mendel-out/PROJECT if not given.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace existing files.")] = False,
    json: JsonFlag = False,
) -> None:
    """Render a project of Jinja templates, each file as a task of its own; all of them or nothing.

    In a folder every `*.j2` becomes a file of the same name without `.j2`, in the same subfolder; names may contain
    `{{ }}`, and files without `.j2` can be included. A TOML file has a table `values` and an array of tables `files`,
    each with `template` and optionally `path` and `values`. Templates run in worker processes, in Jinja's sandbox; an
    undefined name is an error. Exit code 1: a template failed, and nothing was written.

        mendel render templates --set name=peas --out peas

        mendel render project.toml --values common.toml --values mine.toml --force
    """
    session = session_of(context)
    given: Values = {}
    for path in values or []:
        given = merged(given, _json_values(_toml(path), path))
    given = merged(given, nested(assignments(setting or [])))
    wanted = _project(project, given)
    folder = out if out is not None else Path("mendel-out") / _name(project.resolve())
    made = session.run(_rendered(session, wanted))
    placed = _placed(folder, made, force=force)
    _write(folder, placed)
    _tell(session, folder, sorted(str(file.path) for file in made), json=json)


def _name(project: Path) -> str:
    return (project.name if project.is_dir() else project.stem) or "project"


def _tell(session: Session, folder: Path, names: list[str], *, json: bool) -> None:
    if json:
        session.answer({"folder": folder, "files": names})
        return
    for name in names:
        session.out.print(shown(folder / name), soft_wrap=True)


# --- the project -----------------------------------------------------------------------------------------


class _File(BaseModel):
    """One entry of ``[[files]]`` in a project file."""

    model_config = ConfigDict(extra="forbid")

    template: str = Field(min_length=1)
    path: str | None = Field(default=None, min_length=1)
    values: dict[str, object] = {}


class _Project(BaseModel):
    """A project file."""

    model_config = ConfigDict(extra="forbid")

    files: list[_File] = Field(min_length=1)
    values: dict[str, object] = {}


def _project(path: Path, given: Values) -> list[FileToRender]:
    """Return the files of a project.

    Raises:
        ConfigError: the project cannot be read, or has no files.
    """
    if path.is_dir():
        names = [each.relative_to(path).as_posix() for each in _files(path) if each.name.endswith(SUFFIX)]
        if not names:
            raise ConfigError(f"{path} has no template; a template's name ends with {SUFFIX}")
        texts = _texts(path, names)
        return [_wanted(_File(template=name), texts, given) for name in names]
    listed = _listed(path)
    texts = _texts(path.parent, [file.template for file in listed.files])
    base = _json_values(listed.values, path)
    return [_wanted(file, texts, merged(merged(base, _json_values(file.values, path)), given)) for file in listed.files]


def _listed(path: Path) -> _Project:
    try:
        return _Project.model_validate(_toml(path))
    except ValidationError as error:
        raise ConfigError(f"{path}: {explain(error)}") from None


def _files(folder: Path) -> list[Path]:
    return sorted(Path(base) / name for base, _, names in os.walk(folder) for name in names)


def _texts(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """Return these templates and those that they refer to, by name."""
    texts: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in texts:
            texts[name] = read_source(_within(folder, name))
            waiting += _beside(folder, texts[name])
    return texts


def _beside(folder: Path, text: str) -> list[str]:
    """Return the templates of the folder that a text refers to; all text files if it computes a name."""
    names = _references(text)
    if None in names:
        return [each.relative_to(folder).as_posix() for each in _files(folder) if _is_text(each)]
    return [name for name in names if name is not None and _within(folder, name).is_file()]


def _within(folder: Path, name: str) -> Path:
    if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
        raise ConfigError(f"the template {name!r} lies outside {folder}")
    return folder / name


def _is_text(path: Path) -> bool:
    with suppress(ConfigError):
        read_source(path)
        return True
    return False


def _references(text: str) -> list[str | None]:
    """Return the names of templates that a template refers to; None stands for a computed name."""
    try:
        return list(find_referenced_templates(Environment(autoescape=True).parse(text)))  # parsed only, never rendered
    except TemplateSyntaxError:
        return []  # rendering reports the error, with its line


def _wanted(file: _File, texts: Mapping[str, str], values: Values) -> FileToRender:
    """Return a file with only the templates that it may need, because each task carries its own copies."""
    needed: dict[str, str] = {}
    waiting: list[str | None] = [file.template]
    while waiting:
        name = waiting.pop()
        if name is None:
            needed = dict(texts)
            break
        if name in texts and name not in needed:
            needed[name] = texts[name]
            waiting += _references(texts[name])
    path = file.path or file.template.removesuffix(SUFFIX)
    if not path:
        raise ConfigError(f"the template {file.template} produces a file without a name; give it a path")
    return FileToRender(template=file.template, path=path, templates=needed, values=values)


# --- values ----------------------------------------------------------------------------------------------


def _toml(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(read_source(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error


def _json_values(values: Mapping[str, object], path: Path) -> Values:
    return {key: _plain(value, f"{path}: {key}") for key, value in values.items()}


def _plain(value: object, place: str) -> JsonValue:
    """Convert a value of TOML to JSON; dates and times become text.

    Raises:
        ConfigError: a number is infinite or not a number.
    """
    if isinstance(value, dict):
        return {str(key): _plain(each, f"{place}.{key}") for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, place) for each in value]
    if isinstance(value, datetime | date | clock_time):
        return str(value)
    if isinstance(value, float) and not isfinite(value):
        raise ConfigError(f"{place} is {value}, which a task cannot carry")
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    raise ConfigError(f"{place} is a {type(value).__name__}, which a task cannot carry")


# --- the tasks -------------------------------------------------------------------------------------------


async def _rendered(session: Session, wanted: Sequence[FileToRender]) -> list[RenderedFile]:
    """Render all files.

    Raises:
        FabricError: some files cannot be rendered; the message names each of them.
    """
    run_id = new_run_id()
    tasks = {task.id: task for task in (render_task(each, run_id, place) for place, each in enumerate(wanted))}
    with session.progress("rendering", "files") as progress:
        async with open_fabric(session.loaded.settings) as fabric, fabric.lane(run_id) as lane:
            for task in tasks.values():
                await lane.submit(task, deadline_ms=DEADLINE_MS)
            found: dict[str, RenderedFile | Failure] = {}
            while len(found) < len(tasks):
                found |= await _next(lane)
                progress(len(found))
    outcomes = [found[task_id] for task_id in tasks]
    failed = [
        _complaint(each, outcome)
        for each, outcome in zip(wanted, outcomes, strict=True)
        if isinstance(outcome, Failure)
    ]
    if failed:
        lines = "\n  ".join(dict.fromkeys(failed))
        raise FabricError(f"{len(failed)} of {len(wanted)} files failed, so nothing was written:\n  {lines}")
    return [outcome for outcome in outcomes if isinstance(outcome, RenderedFile)]


async def _next(lane: TaskLane) -> dict[str, RenderedFile | Failure]:
    results = await lane.results()
    await lane.acknowledge([result.task_id for result in results])
    outcomes = {result.task_id: outcome_of(result) for result in results}
    return {task: each if isinstance(each, Failure) else rendered(each) for task, each in outcomes.items()}


def _complaint(wanted: FileToRender, failure: Failure) -> str:
    said = failure.message
    return said if said.startswith(wanted.template) else f"{wanted.template}: {said}"


# --- the files -------------------------------------------------------------------------------------------


def _placed(folder: Path, made: Sequence[RenderedFile], *, force: bool) -> dict[Path, str]:
    """Return the text of each file by its path.

    Raises:
        ConfigError: two files have the same path, one is outside the folder, or a path is taken.
    """
    placed: dict[Path, str] = {}
    for file in made:
        path = folder / file.path
        if path in placed:
            raise ConfigError(f"two templates produce {path}")
        placed[path] = file.text
    for complaint in _obstacles(folder, placed, force=force):
        raise ConfigError(complaint)
    return placed


def _obstacles(folder: Path, placed: Mapping[Path, str], *, force: bool) -> Iterator[str]:
    inside = folder.resolve()
    for path in placed:
        if not path.parent.resolve().is_relative_to(inside) or path.is_symlink():
            yield f"{path} leads out of {folder} through a link"
        if any(parent in placed or parent.is_file() for parent in path.parents):
            yield f"{path} cannot be written: its folder has the name of a file"
        if path.is_dir():
            yield f"{path} is an existing folder"
    there = [str(path) for path in placed if path.exists()]
    if there and not force:
        yield f"already exists: {', '.join(there[:5])}{' …' if len(there) > 5 else ''}; --force replaces files"


def _write(folder: Path, placed: Mapping[Path, str]) -> None:
    """Write every file, or leave everything unchanged.

    Raises:
        StorageError: a file cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Below the same folder, so that files can be renamed into place: renaming fails between file systems.
        with tempfile.TemporaryDirectory(prefix=".mendel-render-", dir=folder) as staging:
            _Swap(Path(staging)).all_of(placed)
    except OSError as error:
        raise StorageError(f"{folder} cannot be written, and nothing was written: {error.strerror}") from error


class _Swap:
    """Renames files into their places, and undoes all of it if one of them fails."""

    def __init__(self, staging: Path) -> None:
        self._staging = staging
        self._undo: list[tuple[Path, Path | None]] = []
        self._folders: list[Path] = []

    def all_of(self, placed: Mapping[Path, str]) -> None:
        """Write everything to disk before the first file is renamed into its place."""
        for number, text in enumerate(placed.values()):
            (self._staging / f"new-{number}").write_bytes(text.encode())
        try:
            for number, path in enumerate(placed):
                self._put(number, path)
        except OSError:
            self._take_back()
            raise

    def _put(self, number: int, path: Path) -> None:
        missing = [each for each in path.parents if not each.exists()]
        path.parent.mkdir(parents=True, exist_ok=True)
        self._folders += reversed(missing)  # outermost first, so that undoing begins with the innermost
        kept = self._staging / f"old-{number}" if path.exists() else None
        if kept is not None:
            shutil.copymode(path, self._staging / f"new-{number}")  # a replaced file keeps its permissions
            path.replace(kept)
        self._undo.append((path, kept))  # before the rename, which may fail
        (self._staging / f"new-{number}").replace(path)

    def _take_back(self) -> None:
        for path, kept in reversed(self._undo):
            if kept is not None:
                kept.replace(path)
            else:
                path.unlink(missing_ok=True)
        for each in reversed(self._folders):
            each.rmdir()
