"""Providers of language models, as configured in the settings."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from mendel.contracts.errors import ConfigError
from mendel.contracts.providers import Price
from mendel.ports.model_wire import GROUP
from mendel.ports.registry import plugins
from mendel.settings.model_defaults import MODELS, OTHER_KINDS
from mendel.settings.models import LlmSettings, ProviderSettings

ANY_KIND: Final = "openai_compatible"
_NO_TABLE: Final = ProviderSettings()


@dataclass(frozen=True, slots=True)
class Provider:
    """A configured provider; None leaves a value to the default of its kind."""

    name: str
    kind: str
    base_url: str | None = None
    key_variable: str | None = None
    model: str | None = None


Prices = Callable[[Provider, str, int], Price]
"""Returns the price of a provider's model, given the maximum number of prompt tokens."""


def provider_of(llm: LlmSettings, name: str, place: str = "llm") -> Provider:
    """Return the provider with this name: one of ``llm.providers``, or a known kind.

    Raises:
        ConfigError: the provider is unknown, has no known address, or has two keys; the message names the setting
            ``place``.
    """
    table = llm.providers.get(name, _NO_TABLE)
    kind = table.kind or name
    _look_at_kind(kind, name, f"llm.providers.{name}.kind" if name in llm.providers else place)
    if kind == ANY_KIND and table.base_url is None:
        raise ConfigError(f"llm.providers.{name}.base_url: it is required: {ANY_KIND} has no default address")
    return Provider(name, kind, table.base_url, _key_variable(llm, name, table), table.model)


def _key_variable(llm: LlmSettings, name: str, table: ProviderSettings) -> str | None:
    # Both tables may name the variable; Provider has only one.
    named = {table.api_key_env, *(each.api_key_env for each in llm.backends if each.name == name)}
    variables = sorted(each for each in named if each is not None)
    if len(variables) > 1:
        raise ConfigError(
            f"llm.backends: {name} has more than one key, {' and '.join(variables)}; give each a table of its own,"
            f' [llm.providers.NAME] with kind = "{table.kind or name}"'
        )
    return variables[0] if variables else None


def known_kinds() -> tuple[str, ...]:
    """Return every known kind of provider, in alphabetical order."""
    return tuple(sorted({*MODELS, *OTHER_KINDS, *(plugin.name for plugin in plugins(GROUP))}))


def _look_at_kind(kind: str, name: str, place: str) -> None:
    known = known_kinds()
    if kind not in known:
        near = difflib.get_close_matches(kind, known, n=1)
        advice = f" (did you mean {near[0]}?)" if near else ""
        raise ConfigError(
            f"{place}: there is no provider {kind!r}{advice}; known are {', '.join(known)}. For another one with"
            f' the API of OpenAI, add [llm.providers.{name}] with kind = "{ANY_KIND}" and a base_url'
        )
