"""What goes over the wire about an installation: plug-ins, models, settings, probes, and what models cost."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from mendel.api.schemas import Wire
from mendel.contracts.diagnostics import Probe


class PluginItem(Wire):
    """A plug-in that is installed; none is loaded to list it."""

    group: str
    name: str
    value: str = Field(description="The object that it is, as a dotted reference.")
    distribution: str
    version: str
    summary: str


class PluginGroup(Wire):
    """A place that plug-ins can fill."""

    name: str
    means: str
    plugins: list[PluginItem]


class Plugins(Wire):
    """All plug-ins, by the place that they fill; every place is there, the empty ones too."""

    groups: list[PluginGroup]
    total: int


class Told(BaseModel):
    """What the command line says of models: more may be said than is named here."""

    model_config = ConfigDict(extra="allow", json_schema_serialization_defaults_required=True)


class RoutePrice(Told):
    """US dollars for a million tokens."""

    input_usd: float
    output_usd: float


class RouteSource(Told):
    """Somebody who plays a role; of a key only the name of its variable, and whether it is set."""

    name: str
    route: str
    weight: float
    structured: str
    key_variable: str | None = None
    key_present: bool = False
    price: RoutePrice | None = None


class RoleRoutes(Told):
    """A role, and who plays it."""

    role: str
    played: bool
    overridable: list[str] = Field(default_factory=list)
    sources: list[RouteSource] = Field(default_factory=list)
    fallback: RouteSource | None = None
    retries: int | None = None
    asked_at_once: int | None = None
    limits: dict[str, JsonValue] | None = None


class ProviderItem(Told):
    """A provider: where it is, and whether its key is there; never the key."""

    name: str
    kind: str
    address: str | None = None
    key_variable: str | None = None
    key_present: bool = False


class ModelRoutes(Told):
    """Who answers which role; what `mendel models list` shows."""

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
    """Calls to models and what they took. Money in millionths of a US dollar."""

    calls: int = 0
    failures: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_microusd: int = 0
    latency_ms: int = Field(default=0, description="Of all calls together.")


class SpentBy(Spent):
    """What was spent on a model in a role."""

    provider: str | None
    model_id: str | None
    role: str


class SpentInRun(Spent):
    """What was spent in a run."""

    run_id: str
    problem: str | None = None
    status: str | None = None


class Spend(Wire):
    """What models were asked and what that cost, over all runs."""

    total: Spent
    by_model: list[SpentBy]
    runs: list[SpentInRun] = Field(description="Those in which any model was asked, newest first.")
    next: str | None = None


class SettingItem(Wire):
    """A setting; a secret is masked."""

    key: str
    value: str
    source: str = Field(description="Where it was set: a file, a variable, a flag, or `default`.")
    description: str


class SettingsPage(Wire):
    """Every setting of this process."""

    settings: list[SettingItem]


class Doctor(Wire):
    """What of this machine can be used; ``at`` is null where nobody has looked yet."""

    at: datetime | None
    probes: list[Probe]
    ok: int
    limited: int
    missing: int
