"""The sections below ``[llm]``: providers, routes, prices, and the ensemble of seed 000."""

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
_VARIABLE: Final = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
_KEYS: Final = frozenset({"api_key", "apikey", "key", "token", "secret", "password"})


class NamedTable(Section):
    """A table under a name of the user's own; says what is wrong with its keys, and never takes a secret."""

    @model_validator(mode="before")
    @classmethod
    def _known_keys_only(cls, given: object) -> object:
        for name in _names(given):
            if name.lower() in _KEYS:
                raise PydanticCustomError(
                    "key_in_file",
                    "Input should be a table without {name}: a key stands in no file; put it into an environment"
                    " variable, and name that in api_key_env",
                    {"name": name},
                )
            if name not in cls.model_fields:
                raise PydanticCustomError(
                    "named_table",
                    "Input should be a table without {name}{near}",
                    {"name": ascii(name), "near": near_to(name, cls.model_fields)},
                )
        return given


def _names(value: object) -> tuple[str, ...]:
    """The keys of a table; what is none has none, and is refused as such."""
    return tuple(map(str, value)) if isinstance(value, dict) else ()


def near_to(name: str, known: Iterable[str]) -> str:
    """In brackets, what may have been meant, or what there is."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else f" (known are {', '.join(known)})"


def _web_address(value: object) -> object:
    """Refuse what is no address of a web server, and one that holds a password."""
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
    """Refuse what is no name of a variable; above all a key, which is then shown nowhere."""
    if not isinstance(value, str) or _VARIABLE.fullmatch(value) is None:
        raise PydanticCustomError(
            "key_variable",
            "Input should be the name of an environment variable in capitals, such as OPENAI_API_KEY: the key itself"
            " stands in no file",
        )
    return value


def _role_names(value: object) -> object:
    """Refuse a table with a name in it that is no role."""
    for name in _names(value):
        if name not in ROLES:
            raise PydanticCustomError(
                "role",
                "Input should be a table by role, and {name} is none{near}",
                {"name": ascii(name), "near": near_to(name, ROLES)},
            )
    return value


def _routes(value: object) -> object:
    """Refuse a name that is no role, and a dimension of what has no vectors."""
    for name in _names(_role_names(value)):
        if isinstance(value, dict) and name != "embedding" and "dimension" in _names(value[name]):
            raise PydanticCustomError(
                "dimension",
                "Input should be a table by role, and only embedding has a dimension, not {name}",
                {"name": name},
            )
    return value


def _overridable(value: object) -> object:
    """Refuse the judges: what breeds cannot move them (rule 6)."""
    for name in _names(_role_names(value)):
        if name in HELD_OUT_ROLES:
            raise PydanticCustomError(
                "held_out",
                "Input should be a table without {name}: no run chooses its own judge; take that line out",
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
"""The name of an environment variable, in capitals: what is a key itself hardly ever passes for one."""

WebAddress = Annotated[str, BeforeValidator(_web_address)]
RouteText = Annotated[str, BeforeValidator(_route_text)]
ModelName = Annotated[str, StringConstraints(min_length=1, max_length=200)]
ProviderName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", max_length=64)]
Dollars = Annotated[Weight, Field(le=1_000_000)]
TimeoutMs = Annotated[Whole, Field(ge=1, le=3_600_000)]


class ProviderSettings(NamedTable):
    """Somebody who answers."""

    kind: PluginName | None = Field(
        default=None,
        description="How it is spoken to: a plug-in of the group mendel.llm_backends; none is its own name.",
    )
    base_url: WebAddress | None = Field(default=None, description="Where it is; none is the provider's own address.")
    api_key_env: KeyVariable | None = Field(
        default=None, description="The environment variable that holds its key; the key itself stands in no file."
    )
    model: ModelName | None = Field(default=None, description="Its model for every role whose route names none.")


class FallbackSettings(NamedTable):
    """Who is asked once when a route has failed."""

    provider: ProviderName = Field(description="Who answers: a name of llm.providers, or a known one.")
    model: ModelName = Field(description="Which of its models.")


class RouteSettings(NamedTable):
    """Who plays a role, and what one question may take."""

    provider: ProviderName | None = Field(
        default=None, description="Who answers: a name of llm.providers, or a known one; none leaves it as it is."
    )
    model: ModelName | None = Field(default=None, description="Which of its models; none is its default for the role.")
    fallback: FallbackSettings | None = Field(default=None, description="Who is asked once when that has failed.")
    timeout_ms: TimeoutMs | None = Field(default=None, description="Milliseconds after which a call is given up.")
    retries: Whole | None = Field(default=None, ge=0, le=10, description="How often a failed call is made again.")
    max_tokens: Whole | None = Field(default=None, ge=1, le=1_000_000, description="The longest answer, in tokens.")
    prompt_bytes: Whole | None = Field(default=None, ge=1, le=10_000_000, description="The longest prompt, in bytes.")
    structured: StructuredMode | None = Field(
        default=None, description="How it is held to a schema: json_schema, json_object, or prompt for words alone."
    )
    temperature: Temperature | None = Field(default=None, description="How freely answers are drawn; none is its own.")
    dimension: Whole | None = Field(
        default=None,
        ge=1,
        le=MOST_DIMENSIONS,
        description="How many numbers a vector has; for embedding alone, and only where the model is not a known one.",
    )


class PriceSettings(NamedTable):
    """What a model costs, in US dollars for a million tokens."""

    input: Dollars = Field(description="US dollars for a million tokens of prompt.")
    output: Dollars = Field(description="US dollars for a million tokens of answer.")


class LlmBackend(Section):
    """One source of models."""

    name: PluginName = Field(description="Who answers: a name of llm.providers, or a known one.")
    model: PluginName | None = Field(default=None, description="Which of its models; none is its default for the role.")
    weight: Weight = Field(default=1.0, description="Its share of the calls, beside the others' weights.")
    api_key_env: KeyVariable | None = Field(
        default=None, description="The environment variable that holds its key; the key itself stands in no file."
    )
    timeout_ms: TimeoutMs | None = Field(default=None, description="Milliseconds after which a call is given up.")


class LlmSettings(Section):
    """Models that join the search."""

    profile: Literal["offline", "live"] = Field(
        default="offline", description="Whether models are asked: offline asks nobody, live asks those that are set."
    )
    providers: dict[ProviderName, ProviderSettings] = Field(
        default_factory=dict, description="Who answers, one table each; the first plays every role without a route."
    )
    routes: Annotated[dict[ModelRole, RouteSettings], BeforeValidator(_routes)] = Field(
        default_factory=dict, description="Who plays a role, one table each."
    )
    prices: Annotated[dict[RouteText, PriceSettings], BeforeValidator(_route_names)] = Field(
        default_factory=dict, description="What a model costs, by PROVIDER/MODEL, where no list has it."
    )
    overrides: Annotated[dict[ModelRole, tuple[RouteText, ...]], BeforeValidator(_overridable)] = Field(
        default_factory=dict, description="By role, the PROVIDER/MODEL that a run may choose instead; never a judge's."
    )
    backend_weights: dict[PluginName, Weight] = Field(
        default_factory=dict, description="Shares of calls by the name of a source of models."
    )
    backends: tuple[LlmBackend, ...] = Field(default=(), description="Sources of models, one table each.")
    share: float = Field(
        default=0.25,
        gt=0.0,
        le=1.0,
        allow_inf_nan=False,
        description="The part of births that models begin with; 1 asks models alone. What they gain moves it.",
    )
    fan_out: Whole = Field(
        default=1, ge=1, le=8, description="How many sources of an ensemble are asked the same question at once."
    )
    chooser: ChooserName = Field(
        default="first",
        description="Whose answer counts then: first (of those accepted, by the order of the sources) or most_agreed.",
    )
    templates: SomePath | None = Field(
        default=None,
        description="A folder of Jinja templates in place of the built-in prompts; a run keeps those it began with.",
    )

    def key_variables(self) -> tuple[str, ...]:
        """The environment variables that are named here as holding a key."""
        named = [each.api_key_env for each in self.providers.values()] + [each.api_key_env for each in self.backends]
        return tuple(dict.fromkeys(name for name in named if name is not None))
