"""The user's git: names of files, and commits that do not change branch, index or work tree."""

from __future__ import annotations

import os
import subprocess  # nosec B404
import tempfile
from collections.abc import Mapping
from pathlib import Path

from mendel.contracts.errors import ConfigError


def seen_by_git(path: Path) -> str:
    """Return the path of a file in a patch: relative to the root of its work tree.

    Outside of any work tree it is relative to the current folder, as ``git apply`` expects there; else the file name.
    """
    whole, here = path.resolve(), Path.cwd().resolve()
    base = root_of(whole) or here
    return whole.relative_to(base).as_posix() if whole.is_relative_to(base) else path.name


def root_of(path: Path) -> Path | None:
    """Return the root of the work tree that contains a file, if there is one."""
    return next((folder for folder in path.resolve().parents if (folder / ".git").exists()), None)


def refuse_uncommittable(path: Path) -> None:
    """Check that a winner could be committed.

    Raises:
        ConfigError: git is missing, or the file is not in a work tree or has uncommitted changes.
    """
    if root_of(path) is None:
        raise ConfigError(f"--commit: {path} is not in a git work tree; omit --commit, or run `git init` there")
    _git(path.parent, "rev-parse", "--verify", "--quiet", "HEAD", failing="has no commit yet; make one first")
    _refuse_dirty([path])


def commit(files: Mapping[Path, bytes], branch: str, message: str) -> None:
    """Commit the given contents of files on a new branch that starts at HEAD.

    Plumbing commands and a separate index leave the user's index, changes and checkout untouched.

    Raises:
        ConfigError: git fails, or the files have uncommitted changes.
    """
    paths = list(files)
    _refuse_dirty(paths)
    folder = paths[0].parent
    with tempfile.TemporaryDirectory() as place:
        index = Path(place) / "index"
        _git(folder, "read-tree", "HEAD", index=index)
        for path, data in files.items():
            name = seen_by_git(path)
            # The mode of the committed file, so that an executable stays one.
            mode = _git(folder, "ls-files", "--stage", "--full-name", "--", str(path.resolve())).split(" ")[0]
            # With --path git applies the filters of the file, such as line ends.
            blob = _git(folder, "hash-object", "-w", "--stdin", f"--path={path.resolve()}", data=data).strip()
            _git(folder, "update-index", "--cacheinfo", f"{mode},{blob},{name}", index=index)
        tree = _git(folder, "write-tree", index=index).strip()
    made = _git(folder, "commit-tree", tree, "-p", "HEAD", "-m", message).strip()
    _git(folder, "branch", branch, made)


def _refuse_dirty(paths: list[Path]) -> None:
    names = [str(path.resolve()) for path in paths]  # git -C changes the folder of relative names
    if _git(paths[0].parent, "status", "--porcelain", "--", *names).strip():
        raise ConfigError(f"{names[0]} has uncommitted changes; commit or stash them first")


def _git(
    folder: Path, *arguments: str, data: bytes = b"", failing: str | None = None, index: Path | None = None
) -> str:
    try:
        done = subprocess.run(  # noqa: S603  # nosec B603
            ["git", "-C", str(folder), *arguments],  # noqa: S607 - the user's own git
            capture_output=True,
            input=data,
            check=False,
            env={**os.environ, "GIT_INDEX_FILE": str(index)} if index is not None else None,
        )
    except OSError as error:
        raise ConfigError(f"git cannot be started: {error.strerror}") from error
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).decode(errors="replace")
        raise ConfigError(f"git {arguments[0]}: {failing or said}")
    return done.stdout.decode(errors="replace")
