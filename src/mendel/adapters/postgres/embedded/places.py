"""Paths of the embedded server's files and folders."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from mendel.adapters.postgres.embedded.ways import Way
from mendel.contracts.errors import EmbeddedServerError, StorageError

PORT = 5432
SOCKET = f".s.PGSQL.{PORT}"

# Fixed, not $TMPDIR or $XDG_RUNTIME_DIR: every process must find the same socket, whatever its environment.
_RUNTIME = Path("/tmp")  # noqa: S108 - private_folder() checks our folder in it  # nosec B108
# /var/tmp comes last because systemd deletes files there that were not used for thirty days.
_ELSEWHERE = (
    Path("/var/lib"),
    Path("/var/tmp"),  # noqa: S108 - as _RUNTIME  # nosec B108
)


@dataclass(frozen=True)
class Places:
    """The paths of one resolved MENDEL_HOME, inside it and elsewhere."""

    home: Path

    @property
    def pg(self) -> Path:
        """The folder in the home with all our files."""
        return self.home / "pg"

    @property
    def log(self) -> Path:
        """The server's output."""
        return self.pg / "server.log"

    @property
    def lock(self) -> Path:
        """Held while a process initialises, starts or stops the server."""
        return self.pg / "supervisor.lock"

    @property
    def serving(self) -> Path:
        """Held by the server's own processes, so even by the last orphan, and by a server in another container."""
        return self.pg / "serving.lock"

    @property
    def location(self) -> Path:
        """The file with the data folder's path, if that is outside the home."""
        return self.pg / "location.json"

    @property
    def tag(self) -> str:
        """A short name that identifies this home."""
        return "mendel-" + hashlib.blake2b(os.fsencode(self.home), digest_size=8).hexdigest()

    @property
    def socket_dir(self) -> Path:
        """The socket's folder: a Unix socket path is limited to 107 bytes, and the home's path may be long."""
        return _RUNTIME / self._private_name()

    def data(self) -> Path:
        """Return the data folder, which may not exist yet."""
        try:
            text = self.location.read_text("utf-8")
        except FileNotFoundError:
            return self.pg / "data"
        data = _parse_location(text, self.location)
        if not data.parent.is_dir():
            raise EmbeddedServerError(
                f"{self.location} says that the data is in {data}, which is missing. Bring it back, or delete "
                f"{self.location} to start with an empty database"
            )
        return data

    def make(self) -> None:
        """Make the home and our folder in it; traversable, because PostgreSQL may run under another id."""
        self.home.mkdir(parents=True, exist_ok=True)
        try:
            self.pg.mkdir()
        except FileExistsError:
            return
        self.pg.chmod(0o711)  # the umask may have restricted it

    def settle(self, way: Way) -> Path:
        """Choose the data folder of a new cluster; record it if it is outside the home."""
        if self.location.exists() or way.reaches(self.pg):
            return self.data()
        data = self.elsewhere(way) / f"data-{secrets.token_hex(4)}"
        draft = self.location.with_suffix(".draft")
        draft.write_text(json.dumps({"data_dir": str(data)}), "utf-8")
        draft.replace(self.location)  # atomic
        return data

    def elsewhere(self, way: Way) -> Path:
        """Return a folder outside the home that `way` can reach."""
        roots = [root for root in _ELSEWHERE if os.access(root, os.W_OK) and way.reaches(root)]
        if not roots:
            raise StorageError(
                f"{self.pg} cannot be reached when PostgreSQL is {way.name}, and neither can "
                f"{' nor '.join(map(str, _ELSEWHERE))}; set MENDEL_HOME to a folder that others may enter"
            )
        return private_folder(roots[0] / self._private_name(), way)

    def _private_name(self) -> str:
        owner = self.pg.stat().st_uid if self.pg.exists() else os.geteuid()
        return self.tag.replace("-", f"-{owner}-")


def private_folder(path: Path, way: Way) -> Path:
    """Make a folder that only the server's id may enter, in a place where any user could plant one.

    Raises:
        StorageError: The existing entry is not such a folder.
    """
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        _refuse_planted(path, way)
    if path.lstat().st_uid != way.uid:
        os.chown(path, way.uid, way.gid, follow_symlinks=False)
    return path


def clear_sockets(folder: Path) -> None:
    """Remove the files that a dead server left in its socket folder."""
    for name in (SOCKET, f"{SOCKET}.lock"):
        (folder / name).unlink(missing_ok=True)


def remove_runtime(folder: Path, owners: set[int]) -> None:
    """Remove the socket folder of a dead server, if we made it and it contains nothing else."""
    if folder.parent != _RUNTIME or not folder.name.startswith("mendel-"):
        return
    with contextlib.suppress(OSError):
        found = folder.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid in owners:
            clear_sockets(folder)
            folder.rmdir()


def _refuse_planted(path: Path, way: Way) -> None:
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode):
        wrong = "is not a folder"
    elif found.st_uid not in {way.uid, os.geteuid()}:
        wrong = f"belongs to uid {found.st_uid}"
    elif found.st_mode & 0o077:
        wrong = f"is open to others (mode {stat.S_IMODE(found.st_mode):o})"
    else:
        return
    raise StorageError(f"{path} {wrong}, so it may have been planted; remove it and try again")


def _parse_location(text: str, source: Path) -> Path:
    try:
        return Path(json.loads(text)["data_dir"])
    except (ValueError, KeyError, TypeError) as error:
        raise StorageError(f'{source} does not say {{"data_dir": …}}: {error}') from error
