"""Roles, checks and costs of models, for people and machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

from pydantic import JsonValue
from rich.table import Table

from mendel.cli.context import shown
from mendel.cli.models_check import Check
from mendel.cli.models_lookups import lookup_cells, lookup_remarks, lookups_json
from mendel.contracts.caps import RunCaps
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRole, Price
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_gateway import OTHER_PORTS
from mendel.ports.offline_roles import PROVIDER as OFFLINE_PROVIDER
from mendel.ports.offline_roles import players
from mendel.settings import Settings, mask_url
from mendel.settings.model_plans import WorstCase
from mendel.settings.models import ROLES
from mendel.wiring import ProviderFacts, provider_facts

FREE: Final = Price(input_microusd=0, output_microusd=0)
NOTHING: Final = (
    "no model is configured; add [llm.providers.NAME] or [[llm.backends]] to mendel.toml (docs/models.md has examples);"
    " a provider of your own, such as ollama, needs a model there, too"
)
OFFLINE: Final = (
    'llm.profile is "offline", so that nobody is asked; set profile = "live" in [llm], or MENDEL_LLM__PROFILE=live'
)

Row = tuple[str, ...]
Json = dict[str, JsonValue]

LIST_COLUMNS: Final[Row] = ("role", "route", "weight", "fallback", "key", "price per million", "a run may choose")
CHECK_COLUMNS: Final[Row] = ("role", "route", "outcome", "calls", "ms", "tokens", "cost", "reason")
COST_COLUMNS: Final[Row] = ("role", "questions", "calls", "tokens in", "tokens out", "cost", "fits")


def table_of(columns: Row, rows: Sequence[Row], cleaner: Scrubber) -> Table:
    """A table of texts, each of them scrubbed and harmless."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(shown(cleaner.text(cell)) for cell in row))
    return table


# --- the roles ---------------------------------------------------------------------------------------------


class Listing:
    """Every role with who plays it. ``unpriced`` are the routes whose price nobody knows."""

    def __init__(self, settings: Settings, plan: ModelPlan, unpriced: set[str]) -> None:
        self._settings = settings
        self._plan = plan
        self._unpriced = unpriced

    def rows(self) -> Iterator[Row]:
        """One line for each source of each role, or for the lack of one."""
        instead = lookup_cells(self._settings)
        for role in ROLES:
            plan = self._plan.roles.get(role)
            choice = ", ".join(map(str, self._choices(role))) or "-"
            if plan is None:
                yield role, instead.get(role, "nobody"), "-", "-", "-", "-", choice
                continue
            fallback = str(plan.fallback.route) if plan.fallback is not None else "-"
            for number, source in enumerate(plan.sources):
                about = f"{source.weight:g}", fallback, self._key(source), self._price(source)
                yield "" if number else role, str(source.route), *about, choice

    def remarks(self) -> Iterator[str]:
        """What a reader of the table has to know, too."""
        if not self._plan.roles:
            yield NOTHING
        elif self._settings.llm.profile == "offline":
            yield OFFLINE
        for route in sorted(self._unpriced):
            yield f'nobody knows what {route} costs, so that no run asks it; add [llm.prices."{route}"] to mendel.toml'
        yield _offline_remark()
        yield from lookup_remarks(self._settings)

    def json(self) -> Json:
        """All that the table says, and the limits."""
        names = {source.route.provider for plan in self._plan.roles.values() for source in _sources(plan)}
        return {
            "profile": self._settings.llm.profile,
            "roles": [self._role(role) for role in ROLES],
            "providers": [_provider(self._facts(name)) for name in sorted(names)],
            "without_price": [*sorted(self._unpriced)],
            "offline": {role: list(_offline(role)) for role in ROLES},
            **lookups_json(self._settings, self._plan),
        }

    def _role(self, role: ModelRole) -> Json:
        plan = self._plan.roles.get(role)
        told: Json = {"role": role, "played": plan is not None, "overridable": list(self._choices(role))}
        if plan is None:
            return told
        fallback = self._source(plan.fallback) if plan.fallback is not None else None
        sources: list[JsonValue] = [self._source(source) for source in plan.sources]
        limits = plan.limits.model_dump(mode="json")
        return {**told, "sources": sources, "fallback": fallback, "retries": plan.retries, "limits": limits}

    def _source(self, source: Source) -> Json:
        facts = self._facts(source.route.provider)
        return {
            "name": source.name,
            "route": str(source.route),
            "weight": source.weight,
            "structured": source.capabilities.structured,
            "key_variable": facts.key_variable,
            "key_present": facts.key_present,
            "price": None if str(source.route) in self._unpriced else _price(source.price),
        }

    def _choices(self, role: ModelRole) -> list[str]:
        return [str(each.route) for each in self._plan.overridable.get(role, ())]

    def _facts(self, name: str) -> ProviderFacts:
        return provider_facts(self._settings, name)

    def _key(self, source: Source) -> str:
        facts = self._facts(source.route.provider)
        if facts.key_variable is None:
            return "none needed"
        return f"{facts.key_variable} ({'set' if facts.key_present else 'not set'})"

    def _price(self, source: Source) -> str:
        if str(source.route) in self._unpriced:
            return "unknown"
        if source.price == FREE:
            return "free"
        return f"{usd(source.price.input_microusd)} in, {usd(source.price.output_microusd)} out"


def _offline(role: ModelRole) -> list[JsonValue]:
    """The routes that play a role without a model."""
    return [f"{OFFLINE_PROVIDER}/{name}" for name in players().get(role, ())]


def _offline_remark() -> str:
    played = [f"{role} by {', '.join(map(str, _offline(role)))}" for role in ROLES if _offline(role)]
    others = [role for role in ROLES if not _offline(role) and role not in OTHER_PORTS]
    return (
        f"played without a model, for nothing, if a run chooses it with --route: {'; '.join(played) or 'no role'};"
        f" roles that cannot be played offline: {', '.join(others)}"
    )


def _sources(plan: RolePlan) -> tuple[Source, ...]:
    return (*plan.sources, plan.fallback) if plan.fallback is not None else plan.sources


def _provider(facts: ProviderFacts) -> Json:
    address = mask_url(facts.address) if facts.address is not None else None
    return {**facts._asdict(), "address": address}


def _price(price: Price) -> Json:
    return {"input_usd": price.input_microusd / 1e6, "output_usd": price.output_microusd / 1e6}


# --- checks and costs --------------------------------------------------------------------------------------


def check_row(check: Check) -> Row:
    """A check as one line."""
    route = check.route if check.use == "source" else f"{check.route} (fallback)"
    tokens = f"{check.tokens_in:,} in, {check.tokens_out:,} out{' at worst' if check.estimated else ''}"
    why = ": ".join(each for each in (check.reason, check.message) if each) or "-"
    figures = str(check.calls), f"{check.latency_ms:,}", tokens, usd(check.cost_microusd)
    return check.role, route, check.outcome, *figures, why


def cost_row(row: WorstCase) -> Row:
    """What a role takes at worst, as one line."""
    figures = (f"{each:,}" for each in (row.questions, row.calls, row.tokens_in, row.tokens_out))
    fits = fitting(row)
    return row.role, *figures, usd(row.cost_microusd), "all" if fits == row.questions else f"{fits:,}"


def cost_json(row: WorstCase) -> Json:
    """The same for machines."""
    return {**asdict(row), "fits": fitting(row)}


def fitting(row: WorstCase) -> int:
    """How many of the questions the caps allow that a run has unless it is given others."""
    caps = RunCaps()
    used = ((row.tokens_in + row.tokens_out, caps.max_tokens), (row.cost_microusd, caps.max_cost_microusd))
    return min([row.questions, *(row.questions * cap // amount for amount, cap in used if amount)])


def usd(microusd: int) -> str:
    """Dollars and cents, with as many digits more as a small sum has."""
    whole, _, digits = f"{microusd / 1e6:,.6f}".rstrip("0").partition(".")
    return f"${whole}.{digits:0<2}"
