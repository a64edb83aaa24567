"""Model calls and their cost, summed over the rows of runs."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from mendel.api.schemas_about import Spent, SpentBy
from mendel.api.source import Listed, RunSource
from mendel.contracts.read_models import Row, Values

_ANSWERED: Final = frozenset({"accepted", "repaired", "rejected"})
"""Outcomes of calls with an answer; any other outcome is a failure."""
_ADDED: Final = ("tokens_in", "tokens_out", "cost_microusd", "latency_ms")
_KEPT: Final = 1_000  # runs with cached sums


class Asked(NamedTuple):
    """A model and the role in which it was called."""

    provider: str | None
    model_id: str | None
    role: str


Sums = Mapping[Asked, Counter[str]]


class Spending:
    """Sums model usage per run, cached until the run has a newer event."""

    def __init__(self, source: RunSource) -> None:
        self._source = source
        self._known: OrderedDict[str, tuple[int, Sums]] = OrderedDict()

    async def of(self, run: Listed) -> Sums:
        """Return the usage of a run."""
        row = run.row
        if row is None or not row.values.get("model_calls"):
            return {}
        known = self._known.get(row.key)
        if known is None or known[0] != row.last:
            known = row.last, _summed(await self._source.models.rows(row.key, "model_calls"))
            self._known[row.key] = known
            while len(self._known) > _KEPT:  # forget the oldest entry
                self._known.popitem(last=False)
        return known[1]


def _summed(rows: Iterable[Row]) -> Sums:
    sums: dict[Asked, Counter[str]] = {}
    for row in rows:
        sums.setdefault(_asked(row.values), Counter()).update(_amounts(row.values))
    return sums


def _asked(values: Values) -> Asked:
    provider, model = values.get("provider"), values.get("model_id")
    return Asked(str(provider) if provider else None, str(model) if model else None, str(values.get("role")))


def _amounts(values: Values) -> dict[str, int]:
    told = {name: value for name in _ADDED if isinstance(value := values.get(name), int)}
    return {**told, "calls": 1, "failures": int(values.get("outcome") not in _ANSWERED)}


def together(sums: Iterable[Sums]) -> dict[Asked, Counter[str]]:
    """Add up the sums of several runs, by model and role."""
    whole: dict[Asked, Counter[str]] = {}
    for each in sums:
        for asked, amounts in each.items():
            whole.setdefault(asked, Counter()).update(amounts)
    return whole


def spent(amounts: Iterable[Counter[str]]) -> Spent:
    """Add up amounts to the API model."""
    whole: Counter[str] = Counter()
    for each in amounts:
        whole.update(each)
    return Spent(**{name: whole[name] for name in Spent.model_fields})


def by_model(sums: Sums) -> list[SpentBy]:
    """Return the usage of each model in each role, most expensive first."""
    rows = [SpentBy(**dict(spent([amounts])), **asked._asdict()) for asked, amounts in sums.items()]
    return sorted(rows, key=lambda row: (-row.cost_microusd, -row.calls, row.provider or "", row.role))
