"""Tasks by name: those that ship, those that ``@task`` registered, those of a file or module."""

from __future__ import annotations

import difflib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from mendel.contracts.errors import ConfigError, MendelError
from mendel.guard.spec import TaskSpec

MakeTask = Callable[[], TaskSpec]
_TASKS: Final[dict[str, MakeTask]] = {}


def task(name: str) -> Callable[[MakeTask], MakeTask]:
    """Register the decorated function, which makes a :class:`TaskSpec`, under ``name``.

    Raises:
        ConfigError: another function has that name already.
    """

    def register(make: MakeTask) -> MakeTask:
        known = _TASKS.get(name)
        if known is not None and (known.__module__, known.__qualname__) != (make.__module__, make.__qualname__):
            raise ConfigError(f"there is a task {name!r} already, made by {known.__module__}.{known.__qualname__}")
        _TASKS[name] = make
        return make

    return register


def task_names() -> tuple[str, ...]:
    """Every task that has a name, those that ship included."""
    _load_shipped()
    return tuple(sorted(_TASKS))


def get_task(name: str) -> TaskSpec:
    """The task of that name, or the one that ``FILE.py:NAME`` or ``module:NAME`` refers to.

    Its file or module is imported, as any spec's code is: tasks are trusted, candidates are not.

    Raises:
        ConfigError: there is none.
    """
    _load_shipped()
    if name in _TASKS:
        return _made(_TASKS[name], name)
    where, colon, attribute = name.rpartition(":")
    if colon and attribute.isidentifier():
        return _referred(where, attribute, name)
    near = difflib.get_close_matches(name, _TASKS, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise ConfigError(
        f"there is no task {name!r}; known are {', '.join(sorted(_TASKS))}{hint}; a task of your own is FILE.py:NAME"
    )


def _load_shipped() -> None:
    importlib.import_module("mendel.guard.tasks")


def _referred(where: str, attribute: str, name: str) -> TaskSpec:
    module = _from_file(Path(where)) if where.endswith(".py") else _from_module(where)
    found = getattr(module, attribute, None)
    if isinstance(found, TaskSpec):
        return found
    if callable(found):
        return _made(found, name)
    specs = sorted(key for key, value in vars(module).items() if isinstance(value, TaskSpec))
    raise ConfigError(f"{where} has no task {attribute!r}; its tasks are {', '.join(specs) or 'none'}")


def _from_file(path: Path) -> object:
    spec = importlib.util.spec_from_file_location(f"mendel_task_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ConfigError(f"{path}: there is no such file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    return _executed(lambda: spec.loader.exec_module(module), module, str(path))  # type: ignore[union-attr]


def _from_module(name: str) -> object:
    return _executed(lambda: importlib.import_module(name), None, name) or sys.modules[name]


def _executed(load: Callable[[], object], module: object, where: str) -> object:
    try:
        load()
    # Broad on purpose: somebody's file is a process boundary, and what it raises is a mistake in it.
    except (Exception, SystemExit) as error:
        raise ConfigError(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error
    return module


def _made(make: Callable[[], object], name: str) -> TaskSpec:
    try:
        made = make()
    except MendelError:
        raise
    # Broad on purpose: somebody's function is a process boundary, and what it raises is a mistake in it.
    except (Exception, SystemExit) as error:
        raise ConfigError(f"task {name!r} cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(made, TaskSpec):
        raise ConfigError(f"task {name!r} is made by a function that answers with a {type(made).__name__}")
    return made
