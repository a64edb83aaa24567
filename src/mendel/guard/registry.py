"""Tasks by name: those shipped with Mendel, those registered with ``@task``, and those in a file or module."""

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
        ConfigError: another function is already registered under that name.
    """

    def register(make: MakeTask) -> MakeTask:
        known = _TASKS.get(name)
        # A reloaded module may register its own function again.
        if known is not None and (known.__module__, known.__qualname__) != (make.__module__, make.__qualname__):
            raise ConfigError(f"task {name!r} is already registered, by {known.__module__}.{known.__qualname__}")
        _TASKS[name] = make
        return make

    return register


def task_names() -> tuple[str, ...]:
    """Return the names of all registered tasks, including the shipped ones."""
    _load_shipped()
    return tuple(sorted(_TASKS))


def get_task(name: str) -> TaskSpec:
    """Return the task of that name, or the task at ``FILE.py:NAME`` or ``module:NAME``.

    The file or module is imported into this process: tasks are trusted, candidates are not.

    Raises:
        ConfigError: there is no such task, or its code cannot be loaded.
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
    importlib.import_module("mendel.guard.tasks")  # here, since those modules import this one


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
    sys.modules[spec.name] = module  # before it runs: dataclasses look up their own module there
    return _executed(lambda: spec.loader.exec_module(module), module, str(path))  # type: ignore[union-attr]


def _from_module(name: str) -> object:
    return _executed(lambda: importlib.import_module(name), None, name) or sys.modules[name]


def _executed(load: Callable[[], object], module: object, where: str) -> object:
    try:
        load()
    # Broad on purpose: a task's file is a boundary, and any error in it is reported as a mistake in the file.
    except (Exception, SystemExit) as error:
        raise ConfigError(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error
    return module


def _made(make: Callable[[], object], name: str) -> TaskSpec:
    try:
        made = make()
    except MendelError:
        raise
    # Broad on purpose: a task's function is a boundary, and any error in it is reported as a mistake of the task.
    except (Exception, SystemExit) as error:
        raise ConfigError(f"task {name!r} cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(made, TaskSpec):
        raise ConfigError(f"task {name!r}: its function returned a {type(made).__name__}, not a TaskSpec")
    return made
