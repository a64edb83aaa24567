"""What `mendel evolve` leaves: the winner, a patch, a report and a summary; in place or as a commit, if asked."""

from __future__ import annotations

import subprocess  # nosec B404
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from mendel.cli.context import Session, printable
from mendel.contracts.errors import ConfigError, StorageError
from mendel.domains.programs.models import ProgramTask
from mendel.ports.event_log import EventLog
from mendel.projections.programs.models import ProgramsView
from mendel.projections.programs.page import page
from mendel.projections.programs.patch import unified_patches
from mendel.projections.programs.summary import headline, run_json
from mendel.projections.programs.view import ProgramsFold

_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Outputs:
    """A run's view, where its files lie, and what may be done with its winner."""

    view: ProgramsView
    beside: ProgramsView | None
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
        return {**texts, **self._winners(), "winner.patch": self.patch()}

    def _winners(self) -> dict[str, str]:
        changed = self._changed()
        if len(changed) == 1:
            return {"winner.py": next(iter(changed.values()))}
        return {f"winner_{name}": text for name, text in changed.items()}

    def _changed(self) -> dict[str, str]:
        """The winner's files that are not as they were."""
        files = self.view.winner.files if self.view.winner is not None else {}
        return {name: text for name, text in files.items() if text != self.view.original[name]}

    def patch(self) -> str:
        """What turns the user's files into the winner's; applies with ``git apply`` where the command was given."""
        changed = self._changed()
        before = {_relative(self.paths[name]): self.view.original[name] for name in changed}
        return unified_patches(before, {_relative(self.paths[name]): text for name, text in changed.items()})

    def apply(self) -> list[Path]:
        """Write the winner in place; which files were written.

        Raises:
            ConfigError: a file is not what it was when the run began.
            StorageError: a file cannot be written.
        """
        changed = {self.paths[name]: (self.view.original[name], text) for name, text in self._changed().items()}
        for path, (before, _) in changed.items():
            if _bytes(path).removeprefix(_BOM) != before.encode():
                raise ConfigError(f"{path} was changed since the run began; the winner is in {self.folder}")
        for path, (_, text) in changed.items():
            mark = _BOM if _bytes(path).startswith(_BOM) else b""
            try:
                path.write_bytes(mark + text.encode())
            except OSError as error:
                raise StorageError(f"{path} cannot be written: {error.strerror}") from error
        return list(changed)

    def commit(self) -> str | None:
        """Apply the winner on a branch of its own, and commit it there; the branch.

        Raises:
            ConfigError: git refuses, or the files have changes that are not committed.
        """
        if not self.adopted:
            return None
        places = [self.paths[name] for name in self._changed()]
        folder = places[0].parent
        names = [str(place.resolve()) for place in places]
        if _git(folder, "status", "--porcelain", "--", *names).strip():
            raise ConfigError(f"{names[0]} has changes that are not committed; commit or stash them first")
        task = self.view.task
        branch = f"mendel/{task.function if task else 'winner'}-{self.view.run_id[-12:]}"
        _git(folder, "switch", "--quiet", "--create", branch)
        self.apply()
        _git(folder, "add", "--", *names)
        _git(folder, "commit", "--quiet", "--message", self._message())
        return branch

    def _message(self) -> str:
        first, *rest = headline(self.view).splitlines()
        return "\n".join([first, "", *rest])

    def tell(self, session: Session, *, json: bool, done: list[str]) -> None:
        """Say what came of it."""
        if json:
            told: dict[str, Any] = run_json(self.view, self.beside)
            session.answer({**told, "folder": str(self.folder), "done": done})
            return
        for line in headline(self.view).splitlines():
            session.out.print(printable(line), markup=False, soft_wrap=True)
        names = sorted(self._texts())
        session.out.print(f"{self.folder}: {', '.join(names)}", markup=False, soft_wrap=True)
        for line in done:
            session.out.print(printable(line), markup=False, soft_wrap=True)


async def outputs_of(log: EventLog, run_id: str, beside: str | None, out: Path) -> Outputs:
    """The outputs of a run that is over, with those of its best-of-N beside them.

    Raises:
        ConfigError: it is no run of programs.
    """
    view = await _view(log, run_id)
    task = await _task(log, run_id)
    paths = {name: Path(task.paths.get(name, task.path)) for name in task.editable}
    return Outputs(view, await _view(log, beside) if beside is not None else None, out / run_id, paths)


async def _view(log: EventLog, run_id: str) -> ProgramsView:
    fold = ProgramsFold()
    async for event in log.read(run_id):
        fold.take(event)
    view = fold.view()
    if view is None:
        raise ConfigError(f"run {run_id} is empty")
    return view


async def _task(log: EventLog, run_id: str) -> ProgramTask:
    async for event in log.read(run_id):
        config = getattr(event.payload, "config", None)
        if config is not None and config.domain == "programs" and config.domain_config is not None:
            return ProgramTask.model_validate(config.domain_config.data)
        break
    raise ConfigError(f"run {run_id} is no run of programs")


def _relative(path: Path) -> str:
    """As seen from here, if it lies below; else its name."""
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return path.name


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603  # nosec B603
            ["git", "-C", str(folder), *arguments],  # noqa: S607 - the user's own git
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise ConfigError(f"git cannot be started: {error.strerror}") from error
    if done.returncode:
        raise ConfigError(f"git {arguments[0]}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout
