"""Prices of models: from the user's own table, zero for the user's own models, else from the public list."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_CEILING, Decimal
from typing import Final

from mendel.adapters.models.providers import is_free
from mendel.contracts.errors import NoPrice
from mendel.contracts.providers import Price

FREE: Final = Price(input_microusd=0, output_microusd=0)
_MILLION: Final = 1_000_000


def price_of(
    provider: str,
    model: str,
    own: Mapping[str, Price],
    *,
    kind: str | None = None,
    base_url: str | None = None,
    prompt_tokens: int = _MILLION,
) -> Price:
    """Return the price of a provider's model with prompts of up to ``prompt_tokens``; long ones may cost more.

    ``own`` has prices by ``PROVIDER/MODEL``. A provider at a custom address is looked up by that address.

    Raises:
        NoPrice: the price is unknown; the message says what to add to mendel.toml.
    """
    found = own.get(f"{provider}/{model}")
    if found is not None:
        return found
    if is_free(kind or provider, base_url):
        return FREE
    listed = _listed(kind or provider, base_url, model, max(1, prompt_tokens))
    if listed is None:
        raise NoPrice(
            f"the price of {provider}/{model} is unknown, so no limit on cost can be enforced; add to mendel.toml:"
            f' [llm.prices."{provider}/{model}"] with input = … and output = …, in US dollars for a million tokens'
        )
    return listed


def dollars(input_usd: float, output_usd: float) -> Price:
    """Return the price for amounts in US dollars per million tokens."""
    return Price(input_microusd=_micro(Decimal(str(input_usd))), output_microusd=_micro(Decimal(str(output_usd))))


def _listed(kind: str, base_url: str | None, model: str, prompt_tokens: int) -> Price | None:
    """Look up the price in the installed public list; nothing is fetched. A price of zero there means it is missing."""
    from genai_prices import Usage, calc_price  # takes half a second, so only callers that need it import it

    usage = Usage(input_tokens=prompt_tokens, output_tokens=_MILLION)
    try:
        whose = calc_price(usage, model, provider_id=kind) if base_url is None else None
        cost = whose or calc_price(usage, model, provider_api_url=base_url)  # by the address, if there is one
    except LookupError:
        return None
    price = Price(
        input_microusd=_micro(cost.input_price * _MILLION / prompt_tokens), output_microusd=_micro(cost.output_price)
    )
    return price if price != FREE or model.endswith(":free") else None


def _micro(usd: Decimal) -> int:
    return int((usd * _MILLION).to_integral_value(rounding=ROUND_CEILING))
