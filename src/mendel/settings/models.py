"""The sections below ``[llm]``: providers, routes, prices, and the ensemble of the specification "seed 000"."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Annotated, Final, Literal, get_args
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from mendel.contracts.embeddings import MOST_DIMENSIONS
from mendel.contracts.model_calls import Temperature
from mendel.contracts.model_plans import ChooserName
from mendel.contracts.providers import HELD_OUT_ROLES, ModelRole, StructuredMode
from mendel.settings.values import PluginName, Section, SomePath, Weight, Whole

ROLES: Final[tuple[ModelRole, ...]] = get_args(ModelRole)
_VARIABLE: Final = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")  # no lower case: most API keys have some
# Names under which users put an API key into a file by mistake.
_KEYS: Final = frozenset({"api_key", "apikey", "key", "token", "secret", "password"})


class NamedTable(Section):
    """A table whose name the user chooses; explains unknown keys, and refuses secrets."""

    @model_validator(mode="before")
    @classmethod
    def _known_keys_only(cls, given: object) -> object:
        for name in _names(given):
            if name.lower() in _KEYS:
                raise PydanticCustomError(
                    "key_in_file",
                    "Input should be a table without {name}: an API key must not be in a file; put it into an"
                    " environment variable, and name the variable in api_key_env",
                    {"name": name},
                )
            if name not in cls.model_fields:
                raise PydanticCustomError(
                    "named_table",
                    "Input should be a table without {name}{near}",
                    {"name": ascii(name), "near": near_to(name, cls.model_fields)},  # a name may contain anything
                )
        return given


def _names(value: object) -> tuple[str, ...]:
    """Return the keys of a table; any other value has none, and is refused later."""
    return tuple(map(str, value)) if isinstance(value, dict) else ()


def near_to(name: str, known: Iterable[str]) -> str:
    """Return the nearest known name in brackets, or all known names."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else f" (known are {', '.join(known)})"


def _web_address(value: object) -> object:
    """Refuse a value that is not the URL of a web server, or that contains a password."""
    try:
        parts = urlsplit(value) if isinstance(value, str) else None
        fine = parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, fine = None, False
    if parts is None or not fine or "@" in parts.netloc or parts.query or parts.fragment:
        raise PydanticCustomError(
            "base_url", "Input should be http://HOST[:PORT][/PATH] or https://…, without a user, a password or a query"
        )
    return value


def _variable(value: object) -> object:
    """Refuse a value that is not the name of a variable, above all a key, without showing it."""
    if not isinstance(value, str) or _VARIABLE.fullmatch(value) is None:
        raise PydanticCustomError(
            "key_variable",
            "Input should be the name of an environment variable in capitals, such as OPENAI_API_KEY: the key itself"
            " must not be in a file",
        )
    return value


def _role_names(value: object) -> object:
    """Refuse a table with a key that is not a role."""
    for name in _names(value):
        if name not in ROLES:
            raise PydanticCustomError(
                "role",
                "Input should be a table by role, and {name} is not a role{near}",
                {"name": ascii(name), "near": near_to(name, ROLES)},
            )
    return value


def _routes(value: object) -> object:
    """Refuse a key that is not a role, and a dimension for a role without vectors."""
    for name in _names(_role_names(value)):
        if isinstance(value, dict) and name != "embedding" and "dimension" in _names(value[name]):
            raise PydanticCustomError(
                "dimension",
                "Input should be a table by role, and only embedding has a dimension, not {name}",
                {"name": name},
            )
    return value


def _overridable(value: object) -> object:
    """Refuse the judging roles: breeding must not influence them (rule 6)."""
    for name in _names(_role_names(value)):
        if name in HELD_OUT_ROLES:
            raise PydanticCustomError(
                "held_out",
                "Input should be a table without {name}: no run chooses its own judge; remove that line",
                {"name": name},
            )
    return value


def _route_text(value: object) -> object:
    provider, slash, model = value.partition("/") if isinstance(value, str) else ("", "", "")
    if not (provider and slash and model) or len(f"{provider}{model}") > 300:
        raise PydanticCustomError("route", "Input should be PROVIDER/MODEL, such as openai/gpt-5.4-mini")
    return value


def _route_names(value: object) -> object:
    for name in _names(value):
        _route_text(name)
    return value


KeyVariable = Annotated[str, BeforeValidator(_variable)]
"""The name of an environment variable, in capitals: an API key hardly ever has this form."""

WebAddress = Annotated[str, BeforeValidator(_web_address)]
RouteText = Annotated[str, BeforeValidator(_route_text)]
ModelName = Annotated[str, StringConstraints(min_length=1, max_length=200)]
ProviderName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", max_length=64)]
Dollars = Annotated[Weight, Field(le=1_000_000)]
TimeoutMs = Annotated[Whole, Field(ge=1, le=3_600_000)]


class ProviderSettings(NamedTable):
    """A provider of language models."""

    kind: PluginName | None = Field(
        default=None,
        description="API type: a plug-in of the group mendel.llm_backends; by default the name of the table.",
    )
    base_url: WebAddress | None = Field(default=None, description="Base URL; by default the provider's own.")
    api_key_env: KeyVariable | None = Field(
        default=None, description="Environment variable with the API key; the key itself must not be in a file."
    )
    model: ModelName | None = Field(default=None, description="Default model, for routes that name none.")


class FallbackSettings(NamedTable):
    """The model that is called once after a route has failed."""

    provider: ProviderName = Field(description="Provider: a name of llm.providers, or a known one.")
    model: ModelName = Field(description="Model of this provider.")


class RouteSettings(NamedTable):
    """The model of a role, and limits for one question."""

    provider: ProviderName | None = Field(
        default=None, description="Provider: a name of llm.providers, or a known one; by default as without the route."
    )
    model: ModelName | None = Field(default=None, description="Its model; by default the one for the role.")
    fallback: FallbackSettings | None = Field(default=None, description="Model to call once after a failure.")
    timeout_ms: TimeoutMs | None = Field(default=None, description="Timeout of a call in milliseconds.")
    retries: Whole | None = Field(default=None, ge=0, le=10, description="Maximum number of retries.")
    max_tokens: Whole | None = Field(default=None, ge=1, le=1_000_000, description="Maximum answer in tokens.")
    prompt_bytes: Whole | None = Field(default=None, ge=1, le=10_000_000, description="Maximum prompt in bytes.")
    structured: StructuredMode | None = Field(
        default=None, description="How a schema is enforced: json_schema, json_object, or prompt (instructions only)."
    )
    temperature: Temperature | None = Field(default=None, description="Sampling temperature; unset: the provider's.")
    dimension: Whole | None = Field(
        default=None,
        ge=1,
        le=MOST_DIMENSIONS,
        description="Dimension of the vectors; only for the role embedding, and only for unknown models.",
    )


class PriceSettings(NamedTable):
    """Price of a model, in US dollars per million tokens."""

    input: Dollars = Field(description="US dollars per million prompt tokens.")
    output: Dollars = Field(description="US dollars per million answer tokens.")


class LlmBackend(Section):
    """One source of an ensemble of models."""

    name: PluginName = Field(description="Provider: a name of llm.providers, or a known one.")
    model: PluginName | None = Field(default=None, description="Its model; by default the one for the role.")
    weight: Weight = Field(default=1.0, description="Share of the calls, relative to the other weights.")
    api_key_env: KeyVariable | None = Field(
        default=None, description="Environment variable with the API key; the key itself must not be in a file."
    )
    timeout_ms: TimeoutMs | None = Field(default=None, description="Timeout of a call in milliseconds.")


class LlmSettings(Section):
    """Language models for the search."""

    profile: Literal["offline", "live"] = Field(
        default="offline", description="offline: no model is called; live: the configured models are called."
    )
    providers: dict[ProviderName, ProviderSettings] = Field(
        default_factory=dict, description="Providers, one table each; the first one plays every role without a route."
    )
    routes: Annotated[dict[ModelRole, RouteSettings], BeforeValidator(_routes)] = Field(
        default_factory=dict, description="Models of the roles, one table each."
    )
    prices: Annotated[dict[RouteText, PriceSettings], BeforeValidator(_route_names)] = Field(
        default_factory=dict, description="Prices of models by PROVIDER/MODEL; they override the public list."
    )
    overrides: Annotated[dict[ModelRole, tuple[RouteText, ...]], BeforeValidator(_overridable)] = Field(
        default_factory=dict, description="By role, each PROVIDER/MODEL that a run may choose instead; not for judges."
    )
    backend_weights: dict[PluginName, Weight] = Field(
        default_factory=dict, description="Shares of the calls, by the name of a source."
    )
    backends: tuple[LlmBackend, ...] = Field(default=(), description="Sources of an ensemble, one table each.")
    share: float = Field(
        default=0.25,
        gt=0.0,
        le=1.0,
        allow_inf_nan=False,
        description="Initial share of births made by models, which their success changes; 1: models only.",
    )
    fan_out: Whole = Field(
        default=1, ge=1, le=8, description="Number of sources of an ensemble that get each question concurrently."
    )
    chooser: ChooserName = Field(
        default="first",
        description="Answer that counts with llm.fan_out: first (accepted one, by order of sources) or most_agreed.",
    )
    templates: SomePath | None = Field(
        default=None,
        description="Folder of Jinja templates that replace the built-in prompts; a run keeps a copy of them.",
    )

    def key_variables(self) -> tuple[str, ...]:
        """Return the environment variables that are set here to contain a key."""
        named = [each.api_key_env for each in self.providers.values()] + [each.api_key_env for each in self.backends]
        return tuple(dict.fromkeys(name for name in named if name is not None))
