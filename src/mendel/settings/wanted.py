"""What the settings say where a command line is silent: the function to work on, and where its candidates run."""

from __future__ import annotations

from mendel.contracts.errors import ConfigError
from mendel.settings.parts import backend_lacking
from mendel.settings.sections import Settings


def mutate_target(settings: Settings) -> str | None:
    """``FILE:FUNC`` of ``[mutate]``; none where no file is named.

    Raises:
        ConfigError: there is a file and no function, or a function and no file.
    """
    return _target(settings, settings.mutate.entry_fn or settings.evolve.entry_fn)


def evolve_target(settings: Settings) -> str | None:
    """``FILE:FUNC`` of ``[mutate]``, with the function of ``[evolve]`` if that names one; raises as the other does."""
    return _target(settings, settings.evolve.entry_fn or settings.mutate.entry_fn)


def _target(settings: Settings, function: str | None) -> str | None:
    path = settings.mutate.target_file
    if path is None and function is None:
        return None
    if path is None:
        raise ConfigError(f"entry_fn = {function!r} is set, and mutate.target_file is not: in which file is it?")
    if function is None:
        raise ConfigError(f"mutate.target_file = {str(path)!r} is set, and no entry_fn beside it: which function?")
    return f"{path}:{function}"


def evolve_settings(settings: Settings, backend: str | None = None) -> Settings:
    """The settings with the sandbox that ``--backend``, or else ``evolve.backend``, asks for.

    Raises:
        ConfigError: it is not there; the message says what to use instead.
    """
    name = backend or settings.evolve.backend
    if name is None:
        return settings
    for lack in backend_lacking(name, "--backend" if backend else "evolve.backend"):
        raise ConfigError(str(lack))
    return settings.model_copy(update={"sandbox": settings.sandbox.model_copy(update={"backend": name})})
