"""What the settings say where a command line is silent: where candidates run, the prompts."""

from __future__ import annotations

from mendel.contracts.errors import ConfigError
from mendel.settings.parts import backend_lacking
from mendel.settings.sections import Settings


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
