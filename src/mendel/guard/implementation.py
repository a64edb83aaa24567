"""Implementations, that is, baselines and candidates: source to ship into the sandbox, and the function to call."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from hashlib import sha256
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any, Final

from mendel.contracts.errors import NotShippable
from mendel.contracts.evaluations import Program, Shape
from mendel.contracts.plain_values import spelled
from mendel.guard.prompt_files import program_of
from mendel.guard.shipping import source_of_callable, source_of_name, with_absolute_imports

ENTRY: Final = "solve"
"""The default name of the function to call."""


class Implementation:
    """Source files and the function to call. The code never runs in this process.

    Args:
        path: A Python file, or ``FILE.py:FUNC``; without a function, ``solve`` is called.
        source: The source text, instead of a path.
        entry: The function to call.
        modules: Dotted names of other modules that the source imports; they are shipped with it.
        shapes: Dataclasses of the source that may be returned.

    Raises:
        NotShippable: there is no such file, or it cannot be shipped.
    """

    __slots__ = ("origin", "program")

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        source: str | None = None,
        entry: str | None = None,
        modules: Iterable[str] = (),
        shapes: Iterable[Shape] = (),
    ) -> None:
        if (path is None) == (source is None):
            raise NotShippable("an implementation needs either a path or a source; give exactly one of them")
        if source is None:
            where, function = _file_and_function(str(path))
            source, origin = _read(where), str(where)
            entry = entry or function
        else:
            origin = "source"
        files = {"candidate.py": source, **_shipped(modules)}
        self.origin = origin
        self.program = _program(files, f"candidate:{entry or ENTRY}", shapes)

    @classmethod
    def of_program(cls, program: Program, origin: str = "program") -> Implementation:
        """Wrap a program that is ready to ship."""
        made = cls.__new__(cls)
        made.origin, made.program = origin, program
        return made

    @classmethod
    def from_source(cls, source: str, entry: str = ENTRY, *, modules: Iterable[str] = ()) -> Implementation:
        """Make an implementation from the text of a module."""
        return cls(source=source, entry=entry, modules=modules)

    @classmethod
    def from_callable(cls, function: Callable[..., Any], *, modules: Iterable[str] = ()) -> Implementation:
        """Make an implementation from a function: its source, with the statements of its module that it refers to.

        Raises:
            NotShippable: it is not a plain function, has no source, or refers to an object without source, such as a
                closure, an instance, or an object made by another module.
        """
        source, name = source_of_callable(function)
        files = {"candidate.py": source, **_shipped(modules)}
        return cls.of_program(_program(files, f"candidate:{name}", ()), f"{function.__module__}:{name}")

    @classmethod
    def from_dotted(cls, dotted: str, *, modules: Iterable[str] = ()) -> Implementation:
        """Make an implementation from ``package.module:function``, found on the path but not imported.

        Raises:
            NotShippable: there is no such module, or it has no Python source.
        """
        name, colon, function = dotted.strip().partition(":")
        if not colon or not function.isidentifier() or not all(part.isidentifier() for part in name.split(".")):
            raise NotShippable(f"{dotted!r} is not of the form module:function, such as my_project.models:candidate")
        files = _shipped([*modules, name])
        place = next(path for path in (_place(name, "/__init__.py"), _place(name, ".py")) if path in files)
        files[place] = source_of_name(files[place], function)  # only what the function needs
        return cls.of_program(_program(files, f"{name}:{function}", ()), dotted)

    @classmethod
    def from_prompt(cls, path: str | Path) -> Implementation:
        """Make an implementation from a prompt file (:mod:`mendel.guard.prompt_files`).

        Raises:
            NotShippable: there is no such file, or it is not a valid prompt file.
        """
        return cls.of_program(program_of(_read(Path(path)), str(path)), str(path))

    @classmethod
    def of(cls, given: Implementation | Callable[..., Any] | str | Path) -> Implementation:
        """Convert an implementation, a function, FILE, FILE:FUNC, module:function or PROMPT.toml."""
        if isinstance(given, Implementation):
            return given
        if isinstance(given, str | Path) and str(given).endswith(".toml"):
            return cls.from_prompt(given)
        if isinstance(given, Path):
            return cls(given)
        if callable(given):
            return cls.from_callable(given)
        if not isinstance(given, str):
            raise NotShippable(
                f"an implementation is a function, a path or a dotted name, not a {type(given).__name__}"
            )
        where, function = _file_and_function(given)
        # A missing .py file is reported as missing, and not taken for a module.
        if function is not None and not where.is_file() and where.suffix != ".py":
            return cls.from_dotted(given)
        return cls(given)

    @property
    def hash(self) -> str:
        """The SHA-256 of the files, the entry and the shapes."""
        shapes = [(shape.name, shape.fields) for shape in self.program.shapes]
        return sha256(spelled([dict(self.program.files), self.program.entry, shapes])).hexdigest()

    def __repr__(self) -> str:
        return f"Implementation({self.origin!r}, entry={self.program.entry!r})"


def _program(files: dict[str, str], entry: str, shapes: Iterable[Shape]) -> Program:
    try:
        return Program(files, entry, tuple(shapes))
    except ValueError as error:
        raise NotShippable(str(error)) from error


def _file_and_function(text: str) -> tuple[Path, str | None]:
    where, colon, function = text.rpartition(":")  # the last colon: paths may contain others
    if colon and function.isidentifier():
        return Path(where), function
    return Path(text), None


def _read(path: Path) -> str:
    """Read a file as text; invalid UTF-8 is kept as surrogates, so that the lint can report it."""
    if not path.is_file():
        raise NotShippable(f"{path}: there is no such file" if not path.exists() else f"{path}: not a regular file")
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape").removeprefix("\ufeff")  # without a byte order mark
    except OSError as error:
        raise NotShippable(f"{path}: cannot be read: {error.strerror}") from error


def _shipped(modules: Iterable[str]) -> dict[str, str]:
    """Collect the files of modules at their import paths; the packages that contain them get empty files."""
    files: dict[str, str] = {}
    for name in modules:
        parts = name.split(".")
        for length in range(1, len(parts)):
            files.setdefault("/".join((*parts[:length], "__init__.py")), "")
        spec = _found(name)
        is_package = bool(spec.submodule_search_locations)
        text = with_absolute_imports(_read(Path(spec.origin or "")), name if is_package else ".".join(parts[:-1]))
        files[_place(name, "/__init__.py" if is_package else ".py")] = text
    return files


def _place(name: str, ending: str) -> str:
    return name.replace(".", "/") + ending


def _found(name: str) -> ModuleSpec:
    """Find a module without importing anything: its packages are as untrusted as the module itself."""
    places: Iterable[str] | None = None
    spec: ModuleSpec | None = None
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        search = sys.path if places is None else list(places)
        spec = PathFinder.find_spec(".".join(parts[:length]), search)
        if spec is None:
            raise NotShippable(f"there is no module {name!r} on the path; looked for {'.'.join(parts[:length])}")
        places = spec.submodule_search_locations or ()
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise NotShippable(f"module {name!r} is not made of Python source, so it cannot be shipped")
    return spec
