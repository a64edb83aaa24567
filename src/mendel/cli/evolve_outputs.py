"""What `mendel evolve` leaves: the winner, a patch, a report and a summary; in place or as a commit, if asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import orjson
from pydantic import ValidationError

from mendel.console.registered import part, reported
from mendel.console.session import Session, printable
from mendel.console.work_tree import commit, seen_by_git
from mendel.contracts.errors import ConfigError, MendelError, PluginError, StorageError
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.run import RunConfigured
from mendel.ports.event_log import EventLog
from mendel.ports.registration import blamed, find_registration
from mendel.projections.report.claims import headline, run_json
from mendel.projections.report.models import ReportView, Rows
from mendel.projections.report.page import page
from mendel.projections.report.patch import unified_patches
from mendel.projections.report.view import ReportFold

_BOM: Final = b"\xef\xbb\xbf"
_MARK: Final = _BOM.decode()


@dataclass(frozen=True)
class Outputs:
    """A run's view, where its files lie, and what may be done with its winner."""

    view: ReportView
    beside: ReportView | None
    folder: Path
    paths: dict[str, Path]

    @property
    def adopted(self) -> bool:
        """Whether there is a winner."""
        return self.view.winner is not None

    def write(self) -> None:
        """Write everything.

        Raises:
            StorageError: the folder cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for name, text in self._texts().items():
                (self.folder / name).write_bytes(text.encode())
        except OSError as error:
            raise StorageError(f"{self.folder} cannot be written: {error.strerror}") from error

    def _texts(self) -> dict[str, str]:
        summary = orjson.dumps(run_json(self.view, self.beside), option=orjson.OPT_INDENT_2).decode()
        texts = {"report.html": page(self.view, self.beside), "run.json": summary + "\n"}
        if self.view.winner is None:
            return texts
        patch = {"winner.patch": self.patch()} if self.paths else {}
        return {**texts, **self._winners(), **patch}

    def _winners(self) -> dict[str, str]:
        """The files of the winner that may change: the first as ``winner.py`` or the like, others under their names."""
        files = self.view.winner.files if self.view.winner is not None else {}
        return {self._winner_name(name): self._mark(name) + text for name, text in files.items()}

    def _winner_name(self, name: str) -> str:
        files = self.view.winner.files if self.view.winner is not None else {}
        main = self.view.task.main if self.view.task is not None else None
        return (
            f"winner{Path(name).suffix}"
            if name == main or (main is None and len(files) == 1)
            else f"winner_{name.replace('/', '_')}"
        )

    def _mark(self, name: str) -> str:
        """The mark of order of bytes that the user's file begins with; nothing, if it has none or is not here."""
        path = self.paths.get(name)
        return _MARK if path is not None and path.is_file() and _bytes(path).startswith(_BOM) else ""

    def _changed(self) -> dict[str, str]:
        """The winner's files that are not as the user's are."""
        files = self.view.winner.files if self.view.winner is not None else {}
        return {name: text for name, text in files.items() if name in self.paths and text != self.view.original[name]}

    def patch(self) -> str:
        """What turns the user's files into the winner's; ``git apply`` takes it anywhere in their work tree."""
        changed = self._changed()
        return unified_patches(
            self._placed({name: self.view.original[name] for name in changed}), self._placed(changed)
        )

    def _placed(self, files: dict[str, str]) -> dict[str, str]:
        return {seen_by_git(self.paths[name]): self._mark(name) + text for name, text in files.items()}

    def apply(self) -> list[Path]:
        """Write the winner in place; which files were written.

        Raises:
            ConfigError: a file is not what it was when the run began.
            StorageError: a file cannot be written.
        """
        self._refuse_changed()
        changed = {self.paths[name]: (self._mark(name) + text).encode() for name, text in self._changed().items()}
        for path, data in changed.items():
            try:
                path.write_bytes(data)
            except OSError as error:
                raise StorageError(f"{path} cannot be written: {error.strerror}") from error
        return list(changed)

    def _refuse_changed(self) -> None:
        for name in self._changed():
            if _bytes(self.paths[name]).removeprefix(_BOM) != self.view.original[name].encode():
                raise ConfigError(f"{self.paths[name]} was changed since the run began; the winner is in {self.folder}")

    def commit(self) -> str | None:
        """Commit the winner on a branch of its own, which the user is not taken to; the branch, if there is a winner.

        Raises:
            ConfigError: git refuses, or a file is not what it was when the run began.
        """
        if not self.adopted:
            return None
        self._refuse_changed()
        task = self.view.task
        branch = f"mendel/{task.name if task else 'winner'}-{self.view.run_id[-12:]}"
        files = {self.paths[name]: (self._mark(name) + text).encode() for name, text in self._changed().items()}
        commit(files, branch, self._message())
        return branch

    def _message(self) -> str:
        first, *rest = headline(self.view).splitlines()
        return "\n".join([first, "", *rest])

    def tell(self, session: Session, *, json: bool, done: list[str], failed: MendelError | None = None) -> None:
        """Say what came of it; to a machine also what failed afterwards."""
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


async def outputs_of(log: EventLog, run_id: str, beside: str | None, out: Path) -> Outputs:
    """The outputs of a run that is over, with those of its best-of-N beside them.

    Raises:
        ConfigError: its domain puts nothing into a report.
    """
    view = await _view(log, run_id)
    paths = {name: Path(path) for name, path in view.paths.items()}
    return Outputs(view, await _view(log, beside) if beside is not None else None, out / run_id, paths)


async def _view(log: EventLog, run_id: str) -> ReportView:
    fold: ReportFold | None = None
    async for event in log.read(run_id):
        fold = fold or ReportFold(_rows_of(event, run_id))
        fold.take(event)
    view = fold.view() if fold is not None else None
    if view is None:
        raise ConfigError(f"run {run_id} is empty")
    return view


def _rows_of(first: Event, run_id: str) -> Rows:
    config = first.payload.config if isinstance(first.payload, RunConfigured) else None
    found = _rows(config.domain) if config is not None else None
    if found is None:
        raise ConfigError(f"run {run_id} is no run of {' or '.join(reported())}, and has no report")
    return found


def _rows(domain: str) -> Rows | None:
    """What a domain puts into the report of a run; None where it puts in nothing, or is not installed.

    Raises:
        BrokenPlugin: what it registers cannot be loaded.
    """
    try:
        registration = find_registration(domain)
    except PluginError:
        return None
    if registration.report is None:
        return None
    found = part(registration, "report", registration.report, Rows)
    return replace(found, row=blamed(domain, "the report", found.row, passing=ValidationError))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
