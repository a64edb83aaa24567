"""The files copied into the sandbox with a function, and their names there: its file, its package, local imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from mendel.bench.own_files import read_source
from mendel.breeding.code import Code
from mendel.contracts.errors import ConfigError

MOST_FILES: Final = 200
_INIT: Final = "__init__"


def shipped_name(path: Path) -> str:
    """Return the file's name in the sandbox: its path within its package, or else its own name.

    A name that would hide a module of the standard library is replaced.
    """
    parts = [*_packages(path), path.stem]
    hides = parts[0] in sys.stdlib_module_names or not all(part.isidentifier() for part in parts)  # or no module name
    return "candidate.py" if hides else f"{'/'.join(parts)}.py"


def module_of(name: str) -> str:
    """Return the module name under which a shipped file is imported."""
    return name.removesuffix(".py").removesuffix(f"/{_INIT}").replace("/", ".")


def _packages(path: Path) -> list[str]:
    """Return the packages that contain the file, the outermost first."""
    found: list[str] = []
    folder = path.resolve().parent
    while (folder / f"{_INIT}.py").is_file() and folder != folder.parent:
        found.insert(0, folder.name)
        folder = folder.parent
    return found


def imported_beside(codes: Mapping[Path, Code]) -> dict[str, str]:
    """Return the sources of local files that these import, directly or indirectly, by shipped name.

    Raises:
        SourceNotPython: a file does not parse.
        ConfigError: a file cannot be read, or there are too many.
    """
    known = {path.resolve() for path in codes}
    found: dict[str, str] = {}
    waiting = list(codes.items())
    while waiting:
        path, code = waiting.pop()
        for further in _needed(path.resolve(), code.tree):
            if further in known:
                continue
            known.add(further)
            if len(known) > MOST_FILES:
                raise ConfigError(
                    f"{path} and what it imports are more than {MOST_FILES} files; move the function into a smaller"
                    " module"
                )
            made = Code(read_source(further), str(further))
            found[shipped_name(further)] = made.text
            waiting.append((further, made))
    return found


def _needed(path: Path, tree: ast.Module) -> Iterator[Path]:
    """Yield the files that a file's imports name, and those that make its folders packages."""
    packages = _packages(path)
    root = path.parents[len(packages)]
    for depth in range(1, len(packages) + 1):
        yield root.joinpath(*packages[:depth], f"{_INIT}.py")
    for node in ast.walk(tree):
        for dotted in _names(node, packages):
            yield from _files(root, dotted)


def _names(node: ast.AST, packages: list[str]) -> Iterator[list[str]]:
    """Yield the modules that a statement may import, as parts; ``from a import b`` may import ``a`` and ``a.b``."""
    if isinstance(node, ast.Import):
        yield from (each.name.split(".") for each in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level <= len(packages):  # one beyond the top package fails anyway
        start = packages[: len(packages) - node.level + 1] if node.level else []
        base = [*start, *(node.module.split(".") if node.module else [])]
        yield from ([*base, each.name] for each in node.names)


def _files(root: Path, dotted: list[str]) -> Iterator[Path]:
    """Yield the files of a dotted name and of the packages on its way, as far as they are below ``root``."""
    if dotted[0] in sys.stdlib_module_names:  # the sandbox has these
        return
    for depth in range(1, len(dotted) + 1):  # importing `a.b` runs `a/__init__.py` first
        place = root.joinpath(*dotted[:depth])
        for path in (place.with_name(f"{place.name}.py"), place / f"{_INIT}.py"):
            if path.is_file():
                yield path
