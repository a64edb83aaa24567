"""What a model costs: the user's own table, nothing for models of one's own, else the public list."""

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
    """What a provider's model costs, with prompts of up to ``prompt_tokens``; some cost more when they are long.

    ``own`` has prices by ``PROVIDER/MODEL``. A provider at an address of its own is looked up by that address.

    Raises:
        NoPrice: nobody knows; the message says what to write into mendel.toml.
    """
    found = own.get(f"{provider}/{model}")
    if found is not None:
        return found
    if is_free(kind or provider, base_url):
        return FREE
    listed = _listed(kind or provider, base_url, model, max(1, prompt_tokens))
    if listed is None:
        raise NoPrice(
            f"nobody knows what {provider}/{model} costs, so that no cap on money could hold; write into mendel.toml:"
            f' [llm.prices."{provider}/{model}"] with input = … and output = …, in US dollars for a million tokens'
        )
    return listed


def dollars(input_usd: float, output_usd: float) -> Price:
    """A price from US dollars for a million tokens."""
    return Price(input_microusd=_micro(Decimal(str(input_usd))), output_microusd=_micro(Decimal(str(output_usd))))


def _listed(kind: str, base_url: str | None, model: str, prompt_tokens: int) -> Price | None:
    """The price of the public list that is installed; nothing is fetched. One of zero is no price, but a gap."""
    from genai_prices import Usage, calc_price  # half a second, which only those wait who need it

    usage = Usage(input_tokens=prompt_tokens, output_tokens=_MILLION)
    try:
        whose = calc_price(usage, model, provider_id=kind) if base_url is None else None
        cost = whose or calc_price(usage, model, provider_api_url=base_url)
    except LookupError:
        return None
    price = Price(
        input_microusd=_micro(cost.input_price * _MILLION / prompt_tokens), output_microusd=_micro(cost.output_price)
    )
    return price if price != FREE or model.endswith(":free") else None


def _micro(usd: Decimal) -> int:
    return int((usd * _MILLION).to_integral_value(rounding=ROUND_CEILING))
