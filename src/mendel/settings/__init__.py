"""Settings: defaults, then ``mendel.toml``, then ``MENDEL_*`` variables, then flags; the later one wins.

Every source is validated by itself, and whatever is wrong in any of them is told at once, so that an overridden
mistake does not wait for the day on which nothing overrides it. An empty environment variable counts as not set.
What is right and needs a part that is not there loads, too, and is told by ``lacking``.

Domains have settings of their own: their registrations say in which tables, and the model of a table is loaded when a
source mentions it. A table that cannot be read is told in a warning, and the rest is read.
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

__all__ = [  # noqa: RUF022 - sorted as the test of the house sorts
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
