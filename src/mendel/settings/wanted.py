"""What the settings say where a command line is silent: the function to work on, where candidates run, the prompts."""

from __future__ import annotations

from mendel.contracts.errors import ConfigError
from mendel.settings.lookups import OFF
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


def templates_of(settings: Settings) -> dict[str, str]:
    """The prompts of ``llm.templates``, by name, for a run to keep; none where the built-in ones are used.

    Raises:
        ConfigError: the folder has none, or one is broken; the message names file and line.
    """
    folder = settings.llm.templates
    if folder is None:
        return {}
    from mendel.breeding.prompts.checking import checked_templates  # loads what only a search needs

    try:
        return checked_templates(folder)
    except ConfigError as error:
        raise ConfigError(f"llm.templates: {error}") from error


def lookup_fields(settings: Settings) -> dict[str, object]:
    """What the task of a program keeps of the settings about prompts and lookups, by the names of its fields.

    Raises:
        ConfigError: as :func:`templates_of` does.
    """
    passages = settings.retrieval.limit if settings.retrieval.backend != OFF else 0
    return {
        "templates": templates_of(settings),
        "same_looks": settings.embeddings.novelty,
        "background": passages,
        "model_share": settings.llm.share,
    }


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
