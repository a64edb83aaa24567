"""Output of `mendel models`: roles, checks and costs of models, as tables and as JSON."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

from pydantic import JsonValue
from rich.table import Table

from mendel.cli.models_check import Check
from mendel.cli.models_lookups import lookup_cells, lookup_remarks, lookups_json
from mendel.console.model_choices import counted, usd
from mendel.console.session import shown
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
    " a provider of your own, such as ollama, also needs a model there"
)
OFFLINE: Final = (
    'llm.profile is "offline", so no model is called; set profile = "live" in [llm], or MENDEL_LLM__PROFILE=live'
)

Row = tuple[str, ...]
Json = dict[str, JsonValue]

LIST_COLUMNS: Final[Row] = ("role", "route", "weight", "fallback", "key", "price per million", "a run may choose")
CHECK_COLUMNS: Final[Row] = ("role", "route", "outcome", "calls", "ms", "tokens", "cost", "reason")
COST_COLUMNS: Final[Row] = ("role", "questions", "calls", "tokens in", "tokens out", "cost", "fits")


def table_of(columns: Row, rows: Sequence[Row], cleaner: Scrubber) -> Table:
    """A table of texts, free of secrets, markup and control characters."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(shown(cleaner.text(cell)) for cell in row))
    return table


# --- the roles ---------------------------------------------------------------------------------------------


class Listing:
    """Every role and the routes that play it; ``unpriced`` are the routes without a known price."""

    def __init__(self, settings: Settings, plan: ModelPlan, unpriced: set[str]) -> None:
        self._settings = settings
        self._plan = plan
        self._unpriced = unpriced

    def rows(self) -> Iterator[Row]:
        """One line per source of each role; a role without sources has one line, too."""
        instead = lookup_cells(self._settings)
        for role in ROLES:
            plan = self._plan.roles.get(role)
            choice = ", ".join(map(str, self._choices(role))) or "-"
            if plan is None:
                yield role, instead.get(role, "none"), "-", "-", "-", "-", choice
                continue
            fallback = str(plan.fallback.route) if plan.fallback is not None else "-"
            for number, source in enumerate(plan.sources):  # the role's name only in its first line
                about = f"{source.weight:g}", fallback, self._key(source), self._price(source)
                yield "" if number else role, str(source.route), *about, choice

    def remarks(self) -> Iterator[str]:
        """Notes on the table."""
        if not self._plan.roles:
            yield NOTHING
        elif self._settings.llm.profile == "offline":
            yield OFFLINE
        for route in sorted(self._unpriced):
            yield f'the price of {route} is unknown, so no run calls it; add [llm.prices."{route}"] to mendel.toml'
        for route in self._unused_prices():
            yield f'[llm.prices."{route}"] is unused: no role uses {route}{self._near(route)}'
        yield from self._fan_out_remarks()
        yield _offline_remark()
        yield from lookup_remarks(self._settings)

    def json(self) -> Json:
        """The contents of the table, and the limits."""
        names = {source.route.provider for plan in self._plan.roles.values() for source in _sources(plan)}
        return {
            "profile": self._settings.llm.profile,
            "roles": [self._role(role) for role in ROLES],
            "providers": [_provider(self._facts(name)) for name in sorted(names)],
            "without_price": [*sorted(self._unpriced)],
            "unused_prices": [*self._unused_prices()],
            "fan_out": self._settings.llm.fan_out,
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
        asked = {"retries": plan.retries, "asked_at_once": plan.asked_at_once}
        return {**told, "sources": sources, "fallback": fallback, **asked, "limits": limits}

    def _unused_prices(self) -> list[str]:
        """The prices for routes that neither a role nor a run can use."""
        known = self._routes()
        return [route for route in self._settings.llm.prices if route not in known]

    def _routes(self) -> set[str]:
        """Every configured route, including those of inactive roles."""
        played = (source for plan in self._plan.roles.values() for source in _sources(plan))
        allowed = (source for sources in self._plan.overridable.values() for source in sources)
        tables = (each for each in self._settings.llm.routes.values() if each.provider and each.model)  # or unused
        return {str(source.route) for source in (*played, *allowed)} | {
            f"{each.provider}/{each.model}" for each in tables
        }

    def _near(self, route: str) -> str:
        near = difflib.get_close_matches(route, sorted(self._routes()), n=1)
        return f" (did you mean {near[0]}?)" if near else ""

    def _fan_out_remarks(self) -> Iterator[str]:
        """Notes for roles with fewer sources than the settings call concurrently."""
        short = {role: plan for role, plan in self._plan.roles.items() if plan.asked_at_once < plan.fan_out}
        for asked in sorted({plan.asked_at_once for plan in short.values()}):
            roles = ", ".join(role for role, plan in short.items() if plan.asked_at_once == asked)
            yield (
                f"llm.fan_out = {self._settings.llm.fan_out}, but only {counted(asked, 'source')} can be called at once"
                f" as {roles}; [[llm.backends]] adds more"
            )

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
    """The offline routes for a role, which need no model."""
    return [f"{OFFLINE_PROVIDER}/{name}" for name in players().get(role, ())]


def _offline_remark() -> str:
    played = [f"{role} by {', '.join(map(str, _offline(role)))}" for role in ROLES if _offline(role)]
    others = [role for role in ROLES if not _offline(role) and role not in OTHER_PORTS]
    return (
        f"offline routes, free and without a model, for use with --route: {'; '.join(played) or 'none'};"
        f" roles without an offline route: {', '.join(others)}"
    )


def _sources(plan: RolePlan) -> tuple[Source, ...]:
    return (*plan.sources, plan.fallback) if plan.fallback is not None else plan.sources


def _provider(facts: ProviderFacts) -> Json:
    address = mask_url(facts.address) if facts.address is not None else None  # a URL may contain a password
    return {**facts._asdict(), "address": address}


def _price(price: Price) -> Json:
    return {"input_usd": price.input_microusd / 1e6, "output_usd": price.output_microusd / 1e6}


# --- checks and costs --------------------------------------------------------------------------------------


def check_row(check: Check) -> Row:
    """A check as a table row."""
    route = check.route if check.use == "source" else f"{check.route} (fallback)"
    tokens = f"{check.tokens_in:,} in, {check.tokens_out:,} out{' at worst' if check.estimated else ''}"
    why = ": ".join(each for each in (check.reason, check.message) if each) or "-"
    figures = str(check.calls), f"{check.latency_ms:,}", tokens, usd(check.cost_microusd)
    return check.role, route, check.outcome, *figures, why


def cost_row(row: WorstCase, caps: RunCaps) -> Row:
    """The worst-case cost of a role as a table row."""
    figures = (f"{each:,}" for each in (row.questions, row.calls, row.tokens_in, row.tokens_out))
    fits, ends = fitting(row, caps)
    return row.role, *figures, usd(row.cost_microusd), "all" if ends is None else f"{fits:,}, then {ends} ends it"


def cost_json(row: WorstCase, caps: RunCaps) -> Json:
    """The worst-case cost of a role as JSON."""
    fits, ends = fitting(row, caps)
    return {**asdict(row), "fits": fits, "ended_by": ends}


def fitting(row: WorstCase, caps: RunCaps) -> tuple[int, str | None]:
    """How many questions the caps allow, and the cap that a run reaches first; None if all questions fit."""
    used = {"max_tokens": row.tokens_in + row.tokens_out, "max_cost_microusd": row.cost_microusd}
    allowed = {name: row.questions * getattr(caps, name) // amount for name, amount in used.items() if amount}
    first = min(allowed, key=lambda name: allowed[name], default=None)
    return (row.questions, None) if first is None or allowed[first] >= row.questions else (allowed[first], first)


def caps_remark(caps: RunCaps) -> str:
    """A note on the caps at which a run stops by default."""
    told = f"a run stops at its caps, {caps.max_tokens:,} tokens and {usd(caps.max_cost_microusd)} unless you set"
    usual = RunCaps()
    lowered = [name for name in ("max_tokens", "max_cost_microusd") if getattr(caps, name) < getattr(usual, name)]
    return f"{told} others" + (f"; [ceilings] limits {' and '.join(lowered)}" if lowered else "")
