"""Settings: defaults, then ``mendel.toml``, then ``MENDEL_*`` variables, then flags; the later one wins.

Every source is validated separately, and all mistakes are reported together, so that a mistake is found even while a
later source overrides it. An empty environment variable counts as not set. Settings that are valid but need a missing
component are loaded, too; ``lacking`` lists them.

Domains have their own settings: their registrations declare tables, and the model of a table is loaded when a source
mentions the table. A table that cannot be read leads to a warning, and the rest is loaded.
"""

from __future__ import annotations

from mendel.settings.loading import (
    PROVIDER_VARIABLES,
    Loaded,
    Shown,
    environment_variables,
    load_settings,
    settings_schema,
)
from mendel.settings.masking import mask_url
from mendel.settings.parts import Lacking, lacking
from mendel.settings.sections import Settings
from mendel.settings.values import Section
from mendel.settings.wanted import evolve_settings, templates_of

__all__ = [  # noqa: RUF022 - sorted as tests/architecture requires
    "Lacking",
    "Loaded",
    "PROVIDER_VARIABLES",
    "Section",
    "Settings",
    "Shown",
    "environment_variables",
    "evolve_settings",
    "lacking",
    "load_settings",
    "mask_url",
    "settings_schema",
    "templates_of",
]
