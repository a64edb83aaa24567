"""The commands of a run, as lines of a file."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import orjson

from mendel.adapters.file.storage import append_durably, locked, opened, storage_error
from mendel.contracts.commands import Command, NewCommand


class CommandFile:
    """An append-only file; a command's position is its line number."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, after: int) -> tuple[Command, ...]:
        """Return the commands above position ``after``."""
        try:
            lines = self._path.read_bytes().split(b"\n")[:-1]
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise storage_error(self._path, error) from error
        return tuple(Command.model_validate_json(line) for line in lines[after:])

    def add(self, command: NewCommand, payload: bytes, issued_at: datetime) -> Command:
        """Append ``command`` unless its id is already there; return the stored command."""
        try:
            with opened(self._path, os.O_RDWR | os.O_CREAT) as descriptor, locked(descriptor):
                return self._add_locked(descriptor, command, payload, issued_at)
        except OSError as error:
            raise storage_error(self._path, error) from error

    def _add_locked(self, descriptor: int, command: NewCommand, payload: bytes, issued_at: datetime) -> Command:
        stored = self.read(0)
        for known in stored:
            if known.id == command.id:
                return known
        fields = command.model_dump() | {"payload": orjson.loads(payload)}
        added = Command(**fields, position=len(stored) + 1, issued_at=issued_at)
        whole = self._path.read_bytes().rfind(b"\n") + 1  # a torn last line was never acknowledged
        append_durably(descriptor, added.model_dump_json().encode() + b"\n", whole)
        return added
