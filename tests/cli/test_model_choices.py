"""What a command line says of models: whether they can be asked, and what a run may spend on them."""

from __future__ import annotations

import pytest
from tests.support.rows import check_rows

from mendel.adapters.models.providers import address_of
from mendel.console.model_choices import Spending, parse_routes, refuse_unready, worst_of_run
from mendel.contracts.caps import RunCaps
from mendel.contracts.errors import ConfigError
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRoute, Price
from mendel.contracts.run_config import RunConfig
from mendel.settings import Settings

CEILINGS = RunCaps(max_cost_microusd=100_000)
OFFLINE = parse_routes(["mutator=offline/programs.mutator"])


def config_of(**fields):
    return RunConfig(domain="programs", problem="p", rng_seed=1, **fields)


def settings_of(**provider):
    return Settings.model_validate({"llm": {"providers": {"mine": {"kind": "openai_compatible", **provider}}}})


def test_a_run_that_nobody_could_answer_is_refused_before_it_begins(monkeypatch):
    with pytest.raises(ConfigError, match="none is configured; add"):
        refuse_unready(Settings(), {})
    refuse_unready(Settings(), OFFLINE)
    keyed = settings_of(base_url="http://127.0.0.1:1/v1", model="m", api_key_env="MISSING_KEY")
    with pytest.raises(ConfigError, match="mine needs a key: set the environment variable MISSING_KEY"):
        refuse_unready(keyed, {})
    refuse_unready(keyed, OFFLINE)
    monkeypatch.setenv("MISSING_KEY", "k")
    refuse_unready(keyed, {})


def test_a_fallback_without_its_key_is_told_before_the_run(monkeypatch):
    monkeypatch.delenv("MISSING_KEY", raising=False)
    local = {"kind": "openai_compatible", "base_url": "http://127.0.0.1:1/v1", "model": "m"}
    keyed = {**local, "api_key_env": "MISSING_KEY"}
    route = {"provider": "mine", "model": "m", "fallback": {"provider": "theirs", "model": "m"}}
    settings = Settings.model_validate(
        {"llm": {"providers": {"mine": local, "theirs": keyed}, "routes": {"mutator": route}}}
    )
    with pytest.raises(ConfigError, match="theirs needs a key"):
        refuse_unready(settings, {})


@check_rows(
    ("spending", "caps"),
    [
        (Spending(), (2_000_000, 100_000)),
        (Spending(5_000, 0.02), (5_000, 20_000)),
        (Spending(dollars=3.0), (2_000_000, 3_000_000)),  # too much, which the kernel refuses by name
    ],
)
def test_what_nobody_gave_is_no_higher_than_the_ceilings(spending, caps):
    found = spending.of(config_of(), CEILINGS).caps
    assert (found.max_tokens, found.max_cost_microusd) == caps


def test_the_worst_of_a_run_is_what_its_caps_say():
    price = Price(input_microusd=1_000_000, output_microusd=1_000_000)
    source = Source(name="a", route=ModelRoute(provider="p", model_id="m"), price=price)
    plan = ModelPlan(roles={"mutator": RolePlan(sources=(source,))})
    config = config_of(models=plan, caps=RunCaps(max_candidates=2))
    told = worst_of_run(Spending(900_000, 3.5).of(config, RunCaps()))
    assert "uses p/m: at worst 900,000 tokens and $3.50 in all, limited by its caps" in told
    with pytest.raises(ConfigError, match="no model could be called; raise --max-tokens or --max-cost"):
        worst_of_run(Spending(900_000, 0.01).of(config, RunCaps()))


@check_rows("address", ["notaurl", "http://u:secret@127.0.0.1:9", "ftp://x", "http://"])
def test_an_address_of_the_environment_is_named_by_its_variable_and_never_shown(address):
    with pytest.raises(ConfigError, match="OLLAMA_BASE_URL") as caught:
        address_of("ollama", None, {"OLLAMA_BASE_URL": address})
    assert "secret" not in str(caught.value)
    assert address_of("ollama", None, {"OLLAMA_BASE_URL": "http://box:11434"}) == "http://box:11434/v1"
