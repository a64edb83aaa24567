"""An embedder from the plan of its role."""

import pytest
from tests.adapters.embeddings.wires import LettersWire
from tests.support.rows import check_rows

from mendel.adapters.embeddings.opening import embedder_of_role
from mendel.contracts.errors import ConfigError
from mendel.contracts.model_calls import CallLimits
from mendel.contracts.model_plans import RolePlan, Source
from mendel.contracts.providers import ModelRoute, Price
from mendel.ports.embedder import Account
from mendel.ports.model_gateway import Budget


def role(model_id, **changes):
    price = Price(input_microusd=20_000, output_microusd=0)
    source = Source(name="one", route=ModelRoute(provider="acme", model_id=model_id), price=price, timeout_ms=7_000)
    return RolePlan(sources=(source,), **changes)


@check_rows(
    ("model_id", "dimension"),
    [
        ("text-embedding-3-small", 1_536),
        ("openai/text-embedding-3-large", 3_072),
        ("nomic-embed-text:latest", 768),
        ("vendor/all-minilm:33m", 384),
    ],
)
def test_the_dimension_of_a_known_model_is_known(model_id, dimension):
    embedder = embedder_of_role(role(model_id), LettersWire())
    assert embedder.dimension == dimension
    assert embedder.name == f"provider.1.acme/{model_id}.{dimension}.8000"


def test_that_of_another_must_be_told():
    with pytest.raises(ConfigError, match=r"acme/embed-1 is unknown; set llm\.routes\.embedding\.dimension"):
        embedder_of_role(role("embed-1"), LettersWire())
    assert embedder_of_role(role("embed-1"), LettersWire(), dimension=64).dimension == 64


async def test_price_and_limits_are_those_of_the_role():
    wire, account = LettersWire(64), Account(Budget(10_000, 10_000))
    limits = CallLimits(prompt_bytes=100)
    embedder = embedder_of_role(role("embed-1", limits=limits, retries=0), wire, dimension=64)
    await embedder.on_account(account).embed(["a" * 90, "b" * 90, "c" * 300])
    assert [[len(text) for text in call] for call in wire.asked] == [[90], [90], [100]]
    assert {each.timeout_ms for each in wire.limits} == {7_000}
    assert [record.provider.cost_microusd for record in account.records] == [1, 1, 1]
