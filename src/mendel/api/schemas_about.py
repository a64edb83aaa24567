"""API models for the installation: plug-ins, models, their cost, settings and probes."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from mendel.api.schemas import Wire
from mendel.contracts.diagnostics import Probe


class PluginItem(Wire):
    """An installed plug-in, which is not loaded for the list."""

    group: str
    name: str
    value: str = Field(description="Reference to its object, as `module:name`.")
    distribution: str
    version: str
    summary: str


class PluginGroup(Wire):
    """An extension point for plug-ins."""

    name: str
    means: str
    plugins: list[PluginItem]


class Plugins(Wire):
    """All plug-ins by extension point; extension points without plug-ins are included."""

    groups: list[PluginGroup]
    total: int


class Told(BaseModel):
    """Facts about models from the command line, which may contain additional fields."""

    model_config = ConfigDict(extra="allow", json_schema_serialization_defaults_required=True)


class RoutePrice(Told):
    """Price in US dollars per million tokens."""

    input_usd: float
    output_usd: float


class RouteSource(Told):
    """A route that plays a role; for its key, only the name of the variable and whether it is set."""

    name: str
    route: str
    weight: float
    structured: str
    key_variable: str | None = None
    key_present: bool = False
    price: RoutePrice | None = None


class RoleRoutes(Told):
    """A model role and the routes that play it."""

    role: str
    played: bool
    overridable: list[str] = Field(default_factory=list)
    sources: list[RouteSource] = Field(default_factory=list)
    fallback: RouteSource | None = None
    retries: int | None = None
    asked_at_once: int | None = None
    limits: dict[str, JsonValue] | None = None


class ProviderItem(Told):
    """A provider: its address, and whether its key is set; never the key."""

    name: str
    kind: str
    address: str | None = None
    key_variable: str | None = None
    key_present: bool = False


class ModelRoutes(Told):
    """The routes of every role, as in `mendel models list`."""

    profile: str | None = None
    roles: list[RoleRoutes] = Field(default_factory=list)
    providers: list[ProviderItem] = Field(default_factory=list)
    without_price: list[str] = Field(default_factory=list)
    unused_prices: list[str] = Field(default_factory=list)
    fan_out: int | None = None
    offline: dict[str, list[str]] = Field(default_factory=dict)
    lacking: list[str] = Field(default_factory=list)
    remarks: list[str] = Field(default_factory=list)


class Spent(Wire):
    """Model calls and their usage; cost in millionths of a US dollar."""

    calls: int = 0
    failures: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_microusd: int = 0
    latency_ms: int = Field(default=0, description="Total over all calls.")


class SpentBy(Spent):
    """Usage of a model in a role."""

    provider: str | None
    model_id: str | None
    role: str


class SpentInRun(Spent):
    """Usage of models in a run."""

    run_id: str
    problem: str | None = None
    status: str | None = None


class Spend(Wire):
    """Model calls and their cost over all runs."""

    total: Spent
    by_model: list[SpentBy]
    runs: list[SpentInRun] = Field(description="Runs that called models, newest first.")
    next: str | None = None


class SettingItem(Wire):
    """A setting; a secret is masked."""

    key: str
    value: str
    source: str = Field(description="Its origin: a file, a variable, a flag, or `default`.")
    description: str


class SettingsPage(Wire):
    """All settings of this process."""

    settings: list[SettingItem]


class Doctor(Wire):
    """The checks of this machine; ``at`` is null if none has been made yet."""

    at: datetime | None
    probes: list[Probe]
    ok: int
    limited: int
    missing: int
