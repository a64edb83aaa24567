"""Routes as people read them."""

from mendel.contracts.providers import ModelRoute


def test_a_route_reads_as_it_is_written_in_settings():
    assert str(ModelRoute(provider="openai", model_id="gpt/x")) == "openai/gpt/x"
