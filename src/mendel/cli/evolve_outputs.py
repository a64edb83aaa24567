"""The outputs of `mendel evolve`: winner, patch, report and summary; on request applied in place or committed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import orjson
from pydantic import ValidationError

from mendel.console.registered import part
from mendel.console.session import Session, printable
from mendel.console.work_tree import commit, seen_by_git
from mendel.contracts.errors import ConfigError, MendelError, PluginError, StorageError
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.run import RunConfigured
from mendel.ports.event_log import EventLog
from mendel.ports.registration import blamed, find_registration
from mendel.projections.report.claims import headline, run_json
from mendel.projections.report.models import NicheRow, ReportView, Rows, TaskView, Winner, no_rows
from mendel.projections.report.page import page
from mendel.projections.report.patch import unified_patches
from mendel.projections.report.view import ReportFold

_BOM: Final = b"\xef\xbb\xbf"
_MARK: Final = _BOM.decode()


@dataclass(frozen=True)
class Left:
    """The output files of one winner and its patch; if the run has several niches, in a folder per niche.

    ``task`` names the main file, ``paths`` are the user's files that the winner may change.
    """

    row: NicheRow
    winner: Winner
    folder: str
    task: TaskView | None
    paths: dict[str, Path]

    def texts(self) -> dict[str, str]:
        """The texts to write, by path below the run's folder."""
        found = {self._name(name): self._mark(name) + text for name, text in self.winner.files.items()}
        patch = {"winner.patch": self._patch()} if self.paths else {}
        return {f"{self.folder}{name}": text for name, text in {**found, **patch}.items()}

    def _name(self, name: str) -> str:
        """The output name of a file: ``winner`` plus suffix for the main or only file, otherwise a prefixed name."""
        main = self.task.main if self.task is not None else None
        alone = main is None and len(self.winner.files) == 1
        return f"winner{Path(name).suffix}" if name == main or alone else f"winner_{name.replace('/', '_')}"

    def _mark(self, name: str) -> str:
        """The byte-order mark of the user's file, or an empty string if the file has none or is missing."""
        path = self.paths.get(name)
        return _MARK if path is not None and path.is_file() and _bytes(path).startswith(_BOM) else ""

    def _changed(self) -> dict[str, str]:
        """The winner's files that differ from the originals."""
        before = self.row.original
        mine = {name: text for name, text in self.winner.files.items() if name in self.paths and name in before}
        return {name: text for name, text in mine.items() if text != before[name]}

    def written(self) -> dict[Path, bytes]:
        """The new contents of the user's files that the winner changes."""
        return {self.paths[name]: (self._mark(name) + text).encode() for name, text in self._changed().items()}

    def _patch(self) -> str:
        """The patch from the user's files to the winner's; ``git apply`` accepts it anywhere in the work tree."""
        changed = self._changed()
        return unified_patches(self._placed({name: self.row.original[name] for name in changed}), self._placed(changed))

    def _placed(self, files: dict[str, str]) -> dict[str, str]:
        return {seen_by_git(self.paths[name]): self._mark(name) + text for name, text in files.items()}

    def refuse_changed(self, folder: Path) -> None:
        """Make sure that the user's files have not changed since the run began.

        Raises:
            ConfigError: a file has changed.
        """
        for name in self._changed():
            if _bytes(self.paths[name]).removeprefix(_BOM) != self.row.original[name].encode():
                raise ConfigError(f"{self.paths[name]} has changed since the run began; the winner is in {folder}")


@dataclass(frozen=True)
class Outputs:
    """The outputs of a run: its report, its output folder, and the operations on its winners."""

    view: ReportView
    beside: ReportView | None
    folder: Path
    paths: dict[str, Path]

    @property
    def adopted(self) -> bool:
        """Whether there is a winner."""
        return self.view.winner is not None

    @cached_property
    def _left(self) -> list[Left]:
        several = len(self.view.niches) > 1
        return [
            Left(row, row.winner, f"{_folder(place, row.niche)}/" if several else "", self.view.task, self.paths)
            for place, row in enumerate(self.view.niches, 1)  # numbered before filtering: folders keep their numbers
            if row.winner is not None
        ]

    def write(self) -> None:
        """Write all output files.

        Raises:
            StorageError: the folder cannot be written.
        """
        try:
            for name, text in self._texts().items():
                path = self.folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text.encode())  # bytes, so that line ends stay as they are
        except OSError as error:
            raise StorageError(f"{self.folder} cannot be written: {error.strerror}") from error

    def _texts(self) -> dict[str, str]:
        summary = orjson.dumps(run_json(self.view, self.beside), option=orjson.OPT_INDENT_2).decode()
        texts = {"report.html": page(self.view, self.beside), "run.json": summary + "\n"}
        return {**texts, **{name: text for left in self._left for name, text in left.texts().items()}}

    def apply(self) -> list[Path]:
        """Write the winner over the user's files; return the written paths.

        Raises:
            ConfigError: there is nothing to write, or a file has changed since the run began.
            StorageError: a file cannot be written.
        """
        written = self._written()
        for path, data in written.items():
            try:
                path.write_bytes(data)
            except OSError as error:
                raise StorageError(f"{path} cannot be written: {error.strerror}") from error
        return list(written)

    def _written(self) -> dict[Path, bytes]:
        """The new contents of the user's files.

        Raises:
            ConfigError: no winner or more than one changes them, or a file has changed since the run began.
        """
        changing = [left for left in self._left if left.written()]
        if self.adopted and not changing:
            raise ConfigError(f"nothing to apply: the run changes none of your files; its winner is in {self.folder}")
        if len(changing) > 1:
            patches = ", ".join(str(self.folder / left.folder / "winner.patch") for left in changing)
            raise ConfigError(f"winners of {len(changing)} niches change your files; `git apply` one of: {patches}")
        for left in changing:  # the user's edits must never be overwritten
            left.refuse_changed(self.folder)
        return changing[0].written() if changing else {}

    def commit(self) -> str | None:
        """Commit the winner on a new branch without checking it out; return the branch, or None without a winner.

        Raises:
            ConfigError: git refuses, there is nothing to commit, or a file has changed since the run began.
        """
        if not self.adopted:
            return None
        files = self._written()
        task = self.view.task
        branch = f"mendel/{task.name if task else 'winner'}-{self.view.run_id[-12:]}"
        commit(files, branch, self._message())
        return branch

    def _message(self) -> str:
        first, *rest = headline(self.view).splitlines()
        return "\n".join([first, "", *rest])

    def tell(self, session: Session, *, json: bool, done: list[str], failed: MendelError | None = None) -> None:
        """Report the result; JSON output includes a failure to apply or commit it."""
        if json:
            told: dict[str, Any] = run_json(self.view, self.beside)
            error = {"error": {"code": failed.code, "message": str(failed)}} if failed is not None else {}
            session.answer({**told, "folder": str(self.folder), "done": done, **error})
            return
        for line in headline(self.view, self.beside).splitlines():
            session.out.print(printable(line), markup=False, soft_wrap=True)
        names = sorted(self._texts())
        session.out.print(f"{self.folder}: {', '.join(names)}", markup=False, soft_wrap=True)
        for line in done:
            session.out.print(printable(line), markup=False, soft_wrap=True)


async def outputs_of(session: Session, log: EventLog, run_id: str, beside: str | None, out: Path) -> Outputs:
    """Return the outputs of a run, and its best-of-N run for comparison.

    Raises:
        ConfigError: the run does not begin with its configuration.
        BrokenPlugin: the domain's part of the report cannot be loaded.
    """
    view = await _view(session, log, run_id)
    paths = {name: Path(path) for name, path in view.paths.items()}
    other = await _view(session, log, beside) if beside is not None else None
    return Outputs(view, other, out / run_id, paths)


async def _view(session: Session, log: EventLog, run_id: str) -> ReportView:
    fold: ReportFold | None = None
    async for event in log.read(run_id):
        fold = fold or ReportFold(_rows_of(session, event, run_id))  # the first event names the domain
        fold.take(event)
    view = fold.view() if fold is not None else None
    if view is None:
        raise ConfigError(f"run {run_id} is empty")
    return view


def _rows_of(session: Session, first: Event, run_id: str) -> Rows:
    if not isinstance(first.payload, RunConfigured):
        raise ConfigError(f"run {run_id} does not begin with its configuration, so it has no report")
    return _rows(session, first.payload.config.domain)


def _rows(session: Session, domain: str) -> Rows:
    """The domain's part of the report; empty, with a message, if the domain is unavailable.

    Raises:
        BrokenPlugin: the part that the domain registers cannot be loaded.
    """
    try:
        registration = find_registration(domain)
    except PluginError as error:
        session.announce(f"the report omits the part specific to its domain: {error}")
        return no_rows(domain)
    if registration.report is None:
        return no_rows(domain)
    found = part(registration, "report", registration.report, Rows)
    return replace(found, row=blamed(domain, "the report", found.row, passing=ValidationError))


_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_FOLDER: Final = 60  # far below the limits of file systems


def _folder(place: int, niche: str) -> str:
    """A folder name for a niche; the number keeps niches apart whose names become equal once made safe."""
    return f"{place}-{_UNSAFE.sub('_', niche)[:_LONGEST_FOLDER]}"


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
