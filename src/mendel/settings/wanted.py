"""Settings as defaults for the command line: the sandbox for candidates, and the prompts."""

from __future__ import annotations

from mendel.contracts.errors import ConfigError
from mendel.settings.parts import backend_lacking
from mendel.settings.sections import Settings


def templates_of(settings: Settings) -> dict[str, str]:
    """Return the prompts in ``llm.templates`` by name, which a run records; empty for the built-in ones.

    Raises:
        ConfigError: the folder has no prompts, or one is invalid; the message names file and line.
    """
    folder = settings.llm.templates
    if folder is None:
        return {}
    from mendel.breeding.prompts.checking import checked_templates  # only a search needs this import

    try:
        return checked_templates(folder)
    except ConfigError as error:
        raise ConfigError(f"llm.templates: {error}") from error


def evolve_settings(settings: Settings, backend: str | None = None) -> Settings:
    """Return the settings with the sandbox from ``--backend``, or else from ``evolve.backend``.

    Raises:
        ConfigError: the sandbox is not installed; the message suggests another one.
    """
    name = backend or settings.evolve.backend
    if name is None:
        return settings
    for lack in backend_lacking(name, "--backend" if backend else "evolve.backend"):
        raise ConfigError(str(lack))
    return settings.model_copy(update={"sandbox": settings.sandbox.model_copy(update={"backend": name})})
