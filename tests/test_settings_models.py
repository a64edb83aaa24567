"""From ``[llm]`` to who plays which role, at what price."""

import re
import tomllib
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.adapters.models.prices import FREE, dollars, price_of
from mendel.adapters.models.providers import KNOWN, address_of, is_loopback, key_variable_of
from mendel.contracts.base import type_name
from mendel.contracts.errors import ConfigError, NoPrice
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.providers import HELD_OUT_ROLES, PROVIDER_KEYS, ModelRoute, Price
from mendel.settings import PROVIDER_VARIABLES, Settings, load_settings
from mendel.settings.model_defaults import BREEDING, MODELS, OTHER_KINDS, STRONG, default_model
from mendel.settings.model_plans import configured_plan, plan_of, source_name, worst_case
from mendel.settings.model_providers import known_kinds, provider_of
from mendel.settings.models import ROLES
from mendel.wiring import model_plan, model_prices

SECRET = "geheim-7c1e-4411-aa90-5f0b"
LIVE = '[llm]\nprofile = "live"\n'
CENT = Price(input_microusd=10_000, output_microusd=20_000)


@pytest.fixture
def load(tmp_path):
    def _load(text, environ=None):
        (tmp_path / "mendel.toml").write_text(text, encoding="utf-8")
        return load_settings(directory=tmp_path, environ=environ or {})

    return _load


@pytest.fixture
def plan(load):
    """The plan of a file, every model at the same price."""
    return lambda text: plan_of(load(LIVE + text).settings, lambda _provider, _model, _tokens: CENT)


def routes(plan, role):
    return [str(source.route) for source in plan.roles[role].sources]


# --- the file ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[llm]\nprofile = 'liev'\n", 2, "llm.profile: expected 'offline' or 'live', found 'liev'"),
        ("[llm.routes.judge]\nmodel = 'x'\n", 1, "'judge' is not a role (did you mean final_judge?)"),
        ("[llm.routes.critic]\nmodle = 'x'\n", 1, "without 'modle' (did you mean model?)"),
        ("[llm.routes.critic]\nretries = 11\n", 2, "llm.routes.critic.retries: expected less than or equal to 10"),
        ("[llm.routes.critic]\nretries = true\n", 2, "llm.routes.critic.retries: expected a number"),
        ("[llm.routes.critic]\ntemperature = 3\n", 2, "llm.routes.critic.temperature: "),
        ("[llm.routes.critic]\nstructured = 'xml'\n", 2, "expected 'json_schema', 'json_object' or 'prompt'"),
        ("[llm.routes.critic]\nfallback = {provider = 'a'}\n", 2, "llm.routes.critic.fallback.model: it is required"),
        ("[llm.routes.critic]\nprovider = 'a/b'\n", 2, "llm.routes.critic.provider: "),
        ("[llm.routes]\ncritic = 3\n", 2, "llm.routes.critic: expected a table, found an integer"),
        ("[llm]\nroutes = 3\n", 2, "llm.routes: expected a table, found 3"),
        ("[llm.overrides]\nfinal_judge = ['a/b']\n", 1, "no run chooses its own judge"),
        ("[llm.overrides]\naudit_judge = []\n", 1, "no run chooses its own judge"),
        ("[llm.overrides]\nmutator = ['gpt']\n", 2, "llm.overrides.mutator: expected PROVIDER/MODEL"),
        ("[llm.overrides]\nmutator = 'a/b'\n", 2, "llm.overrides.mutator: expected an array"),
        ("[llm.prices.gpt]\ninput = 1\noutput = 1\n", 1, "llm.prices: expected PROVIDER/MODEL"),
        ("[llm.prices.'a/b']\ninput = 1\n", 1, "output: it is required"),
        ("[llm.prices.'a/b']\ninput = -1\noutput = 1\n", 2, "input: expected greater than or equal to 0"),
        ("[llm.prices.'a/b']\ninput = nan\noutput = 1\n", 2, "input: expected a finite number"),
        ("[llm.providers.a]\nbase_url = 'ftp://x'\n", 2, "llm.providers.a.base_url: expected http://HOST"),
        ("[llm.providers.a]\nbase_url = 'http://'\n", 2, "llm.providers.a.base_url: expected http://HOST"),
        ("[llm.providers.a]\nbase_url = 'http://h:x'\n", 2, "llm.providers.a.base_url: expected http://HOST"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_what_to_do(load, tmp_path, text, line, said):
    with pytest.raises(ConfigError) as caught:
        load(text)
    found = str(caught.value).splitlines()
    assert any(each.startswith(f"{tmp_path / 'mendel.toml'}:{line}: ") and said in each for each in found), found


@pytest.mark.parametrize(
    "text",
    [
        f"[llm.providers.openai]\napi_key = '{SECRET}'\n",
        f"[llm.providers.openai]\nkey = '{SECRET}'\n",
        f"[llm.providers.openai]\napi_key_env = '{SECRET}'\n",
        f"[llm.providers.openai]\napi_key_env = 'gsk_{SECRET.replace('-', '')}'\n",
        f"[llm.providers.openai]\nbase_url = 'https://user:{SECRET}@host/v1'\n",
        f"[llm.providers.openai]\nbase_url = 'https://host/v1?key={SECRET}'\n",
        f"[llm.routes.critic]\ntoken = '{SECRET}'\n",
        f"[[llm.backends]]\nname = 'openai'\napi_key_env = '{SECRET}'\n",
        f"[[llm.backends]]\nname = 'openai'\napi_key = '{SECRET}'\n",
        f"[llm]\napi_key = '{SECRET}'\n",
    ],
)
def test_a_key_in_a_file_is_refused_and_not_shown(load, text):
    with pytest.raises(ConfigError) as caught:
        load(text)
    assert SECRET not in str(caught.value)
    assert SECRET.replace("-", "") not in str(caught.value)


def test_it_is_said_where_a_key_belongs(load):
    for name in ("api_key", "token"):
        with pytest.raises(ConfigError, match="an API key must not be in a file; put it into an environment variable"):
            load(f"[llm.providers.openai]\n{name} = '{SECRET}'\n")


def test_the_variables_of_keys_are_known_to_be_secret(load):
    text = "[llm.providers.a]\napi_key_env = 'PEA'\n[[llm.backends]]\nname = 'openai'\napi_key_env = 'POD'\n"
    assert load(text).settings.secret_variables() == ("PEA", "POD")


def test_the_tables_are_shown_on_one_line(load):
    text = "[llm.providers.a]\nkind = 'vllm'\nbase_url = 'http://h:1/v1'\n[llm.overrides]\ncritic = ['a/m', 'a/n']\n"
    shown = {row.key: row.value for row in load(text).view()}
    assert shown["llm.providers"] == "a=kind=vllm base_url=http://h:1/v1"
    assert shown["llm.overrides"] == "critic=a/m, a/n"
    assert shown["llm.profile"] == "offline"


@given(text=st.text(max_size=60) | st.from_regex(r"https?://[^/]{0,20}(:\d{0,6})?(/.{0,10})?", fullmatch=True))
def test_no_address_passes_that_could_hold_a_password(text):
    try:
        settings = Settings.model_validate({"llm": {"providers": {"a": {"base_url": text}}}})
    except ValueError:
        return
    address = settings.llm.providers["a"].base_url
    assert re.match(r"https?://[^@?#]+", address, re.IGNORECASE)
    assert "@" not in address.split("/")[2]


# --- the plan ------------------------------------------------------------------------------------------------


def test_offline_nobody_is_asked_whatever_is_set(load):
    text = "[llm.providers.openai]\n[llm.overrides]\nmutator = ['openai/gpt-5.4']\n"
    settings = load(text).settings
    assert plan_of(settings, lambda *_: CENT) == ModelPlan()
    assert model_plan(Settings()) == ModelPlan()
    assert configured_plan(settings, lambda *_: CENT).roles


def test_without_a_provider_nobody_plays(plan):
    assert plan("").roles == {}


@pytest.mark.parametrize("kind", list(MODELS))
def test_a_provider_alone_plays_all_roles_cheap_ones_and_strong_ones(plan, kind):
    found = plan(f"[llm.providers.{kind}]\n")
    assert set(found.roles) == set(ROLES) - {"embedding", "retrieval"}
    for role in found.roles:
        model = MODELS[kind].strong if role in STRONG else MODELS[kind].cheap
        assert routes(found, role) == [f"{kind}/{model}"]
    assert set(HELD_OUT_ROLES) | {"fusion_synthesis"} <= STRONG
    assert not {"population_generator", "critic"} & STRONG


def test_the_first_provider_plays_what_has_no_route(plan):
    found = plan("[llm.providers.groq]\n[llm.providers.openai]\n[llm.routes.critic]\nprovider = 'openai'\n")
    assert routes(found, "critic") == [f"openai/{MODELS['openai'].cheap}"]
    assert routes(found, "subtype_check") == [f"groq/{MODELS['groq'].cheap}"]


def test_models_of_ones_own_play_what_they_are_named_for(plan):
    assert plan("[llm.providers.ollama]\n").roles == {}
    found = plan("[llm.providers.ollama]\nmodel = 'qwen'\n")
    assert {route for role in found.roles for route in routes(found, role)} == {"ollama/qwen"}


def test_a_route_says_everything(plan):
    found = plan(
        "[llm.providers.mine]\nkind = 'openai_compatible'\nbase_url = 'https://models.example/v1'\n"
        "[llm.routes.critic]\nprovider = 'mine'\nmodel = 'a/b'\ntimeout_ms = 5\nretries = 0\nmax_tokens = 6\n"
        "prompt_bytes = 7\nstructured = 'prompt'\ntemperature = 0.5\nfallback = {provider='groq', model='m'}\n"
    ).roles["critic"]
    assert found.sources[0].route == ModelRoute(provider="mine", model_id="a/b")
    assert found.fallback is not None
    assert str(found.fallback.route) == "groq/m"
    assert (found.limits.timeout_ms, found.limits.tokens_out, found.limits.prompt_bytes) == (5, 6, 7)
    assert (found.retries, found.sampling.temperature) == (0, 0.5)
    assert found.sources[0].capabilities.structured == "prompt"
    assert found.sources[0].price == CENT


def test_a_route_may_set_limits_alone(plan):
    found = plan("[llm.providers.openai]\n[llm.routes.critic]\nretries = 1\n").roles["critic"]
    assert (found.retries, found.sources[0].route.provider) == (1, "openai")
    assert found.limits.timeout_ms == 60_000


def test_embeddings_leave_the_machine_only_by_a_route(plan):
    routed = "[llm.providers.openai]\n[llm.routes.embedding]\nprovider = 'openai'\n"
    assert "embedding" not in plan(routed).roles
    found = plan(f"{routed}[embeddings]\nbackend = 'provider'\n")
    assert routes(found, "embedding") == ["openai/text-embedding-3-small"]
    assert found.roles["embedding"].embeds


def test_the_farm_of_seed_000_is_an_ensemble(plan):
    found = plan("[llm.backend_weights]\nopenai = 2\ngroq = 1\nmistral = 0\n")
    for role in BREEDING:
        assert [source.weight for source in found.roles[role].sources] == [2.0, 1.0]
        assert [source.route.provider for source in found.roles[role].sources] == ["openai", "groq"]
    assert [source.name for source in found.roles["mutator"].sources] == [
        "openai_gpt_5_4_mini",
        "groq_openai_gpt_oss_20b",
    ]
    assert routes(found, "final_judge") == [f"openai/{MODELS['openai'].strong}"]


def test_the_cluster_of_seed_000_has_one_source(plan, load):
    text = (
        "[[llm.backends]]\nname = 'openai'\nmodel = 'gpt-4o'\nweight = 1\napi_key_env = 'MY_KEY'\ntimeout_ms = 30000\n"
    )
    found = plan(text)
    (source,) = found.roles["mutator"].sources
    assert (str(source.route), source.weight, source.timeout_ms) == ("openai/gpt-4o", 1.0, 30_000)
    assert provider_of(load(text).settings.llm, "openai").key_variable == "MY_KEY"
    assert routes(found, "critic") == [f"openai/{MODELS['openai'].cheap}"]


def test_a_backends_own_weight_comes_before_its_names(plan):
    text = "[llm.backend_weights]\nopenai = 5\n[[llm.backends]]\nname = 'openai'\nmodel = 'a'\n"
    assert plan(text).roles["mutator"].sources[0].weight == 5.0
    assert plan(f"{text}weight = 0.5\n").roles["mutator"].sources[0].weight == 0.5


def test_who_has_the_weight_0_breeds_nothing_and_the_others_do(plan):
    found = plan("[llm.providers.openai]\n[llm.providers.groq]\n[llm.backend_weights]\nopenai = 0\n")
    assert {each for role in BREEDING for each in routes(found, role)} == {
        f"groq/{MODELS['groq'].cheap}",
        f"groq/{MODELS['groq'].strong}",
    }
    assert routes(found, "final_judge") == [f"openai/{MODELS['openai'].strong}"]


def test_of_a_few_roles_the_others_lack_nothing(load):
    settings = load(f"{LIVE}[llm.providers.openai]\n[llm.routes.critic]\nprovider = 'nobody'\nmodel = 'x'\n").settings
    found = plan_of(settings, lambda *_: CENT, {"mutator", "coder"})
    assert set(found.roles) == {"mutator", "coder"}
    assert set(found.overridable) == {"mutator"}
    with pytest.raises(ConfigError, match="nobody"):
        plan_of(settings, lambda *_: CENT)


def test_no_model_finds_passages(plan):
    found = plan("[llm.providers.openai]\n[llm.routes.retrieval]\nprovider = 'openai'\nmodel = 'x'\n")
    assert "retrieval" not in found.roles


def test_a_route_comes_before_the_ensemble(plan):
    found = plan("[llm.backend_weights]\ngroq = 1\n[llm.routes.coder]\nprovider = 'openai'\nmodel = 'x'\n")
    assert routes(found, "coder") == ["openai/x"]
    assert routes(found, "repairer") == [f"groq/{MODELS['groq'].cheap}"]


def test_models_whose_names_look_alike_are_told_apart(plan):
    backends = "".join(f"[[llm.backends]]\nname = 'groq'\nmodel = '{model}'\n" for model in ("a.b", "a-b", "a b"))
    names = [source.name for source in plan(backends).roles["mutator"].sources]
    assert len(set(names)) == 3
    assert names[0] == "groq_a_b"


@given(provider=st.text(max_size=70), model=st.text(max_size=210))
def test_a_source_always_has_a_name(provider, model):
    name = source_name(provider, model)
    assert re.fullmatch(type_name, name)
    assert len(name) <= 64


def test_overrides_are_listed_and_bound_a_run(plan):
    found = plan("[llm.providers.openai]\n[llm.overrides]\nmutator = ['openai/gpt-5.4', 'groq/openai/gpt-oss-120b']\n")
    first, second, *offline = [str(source.route) for source in found.overridable["mutator"]]
    assert (first, second) == ("openai/gpt-5.4", "groq/openai/gpt-oss-120b")
    assert "offline/programs.mutator" in offline
    chosen = found.overridden({"mutator": ModelRoute(provider="groq", model_id="openai/gpt-oss-120b")})
    assert routes(chosen, "mutator") == ["groq/openai/gpt-oss-120b"]
    with pytest.raises(ValueError, match="may not choose"):
        found.overridden({"mutator": ModelRoute(provider="openai", model_id="gpt-5.5-pro")})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[llm.routes.critic]\nprovider = 'opnai'\n", r"critic\.provider: .*'opnai' \(did you mean openai\?"),
        ("[llm.routes.critic]\nprovider = 'ollama'\n", r"llm\.routes\.critic\.model: it is required"),
        ("[llm.routes.critic]\nmodel = 'x'\n", r"llm\.routes\.critic\.provider: it is required"),
        ("[llm.routes.critic]\nretries = 1\n", r"llm\.routes\.critic: no model plays it"),
        (
            "[llm.routes.embedding]\nprovider = 'groq'\n[embeddings]\nbackend = 'provider'\n",
            r"llm\.routes\.embedding\.model: it is required",
        ),
        ("[llm.routes.critic]\nprovider = 'groq'\nfallback = {provider = 'x', model = 'y'}\n", r"fallback\.provider: "),
        ("[llm.providers.mine]\n", r"llm\.providers\.mine\.kind: there is no provider 'mine'"),
        ("[llm.providers.mine]\nkind = 'openai_compatible'\n", r"llm\.providers\.mine\.base_url: it is required"),
        ("[llm.backend_weights]\nollama = 1\n", r"ollama has no default model for population_generator"),
        ("[llm.backend_weights]\nnobody = 1\n", r"llm\.backends: there is no provider 'nobody'"),
        ("[llm.backend_weights]\nopenai = 0\n", r"llm\.backend_weights: openai has the weight 0, .* a weight above 0"),
        ("[llm.providers.openai]\n[llm.backend_weights]\nopenai = 0\n", r"llm\.backend_weights: openai has the"),
        ("[[llm.backends]]\nname = 'groq'\nweight = 0\n", r"llm\.backends: groq has the weight 0"),
        ("[[llm.backends]]\nname='groq'\nmodel='m'\n[[llm.backends]]\nname='groq'\nmodel='m'\n", "is listed twice"),
        (
            "[[llm.backends]]\nname='groq'\napi_key_env='A'\n[[llm.backends]]\nname='groq'\nmodel='m'\napi_key_env='B'\n",
            r"groq has more than one key, A and B; give each a table of its own",
        ),
        ("[llm.overrides]\nmutator = ['x/y']\n", r"llm\.overrides\.mutator: there is no provider 'x'"),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_is_told_with_its_key(plan, text, said):
    with pytest.raises(ConfigError, match=said):
        plan(text)


# --- providers -----------------------------------------------------------------------------------------------


def test_every_registered_wire_is_known_everywhere():
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    registered = set(project["entry-points"]["mendel.llm_backends"])
    assert registered == set(KNOWN) == {*MODELS, *OTHER_KINDS}
    assert registered <= set(known_kinds())
    variables = {*PROVIDER_KEYS.values(), *(each.address_variable for each in KNOWN.values())}
    assert variables - {None} == set(PROVIDER_VARIABLES)


def test_a_key_goes_only_where_it_is_meant_to_go():
    assert key_variable_of("openai", None, None) == "OPENAI_API_KEY"
    assert key_variable_of("openai", None, "https://elsewhere.example/v1") is None
    assert key_variable_of("openai", "MY_KEY", "https://elsewhere.example/v1") == "MY_KEY"
    assert key_variable_of("ollama", None, None) is None
    assert key_variable_of("bedrock", None, None) is None, "its cloud has keys, too"
    assert set(PROVIDER_KEYS) <= set(KNOWN)
    assert key_variable_of("a_plug_in", None, None) is None


@check_rows(
    ("kind", "base_url", "environ", "expected"),
    [
        ("ollama", None, {}, "http://localhost:11434/v1"),
        ("ollama", None, {"OLLAMA_BASE_URL": "http://gpu:1"}, "http://gpu:1/v1"),
        ("ollama", None, {"OLLAMA_BASE_URL": "http://gpu:1/v1/"}, "http://gpu:1/v1/"),
        ("ollama", "http://other:2/", {"OLLAMA_BASE_URL": "http://gpu:1"}, "http://other:2/v1"),
        ("ollama", None, {"OLLAMA_BASE_URL": "http://[x"}, "http://[x/v1"),
        ("vllm", "http://gpu:8000/api", {}, "http://gpu:8000/api"),
        ("openai", None, {}, "https://api.openai.com/v1"),
        ("openai", "https://proxy.example", {}, "https://proxy.example"),
        ("anthropic", None, {}, None),
        ("a_plug_in", None, {}, None),
    ],
)
def test_where_a_provider_is(kind, base_url, environ, expected):
    assert address_of(kind, base_url, environ) == expected


@check_rows(
    ("address", "here"),
    [
        ("http://localhost:1/v1", True),
        ("http://a.localhost", True),
        ("http://127.8.9.1", True),
        ("http://[::1]:8/v1", True),
        ("http://10.0.0.1", False),
        ("https://localhost.example", False),
        ("http://[x", False),
        ("nonsense", False),
    ],
)
def test_what_is_on_this_machine(address, here):
    assert is_loopback(address) is here


# --- prices --------------------------------------------------------------------------------------------------


def test_ones_own_price_comes_first():
    own = {"openai/gpt-4o": CENT, "ollama/x": CENT}
    assert price_of("openai", "gpt-4o", own) == CENT
    assert price_of("ollama", "x", own) == CENT
    assert price_of("ollama", "y", own) == FREE


@check_rows(
    ("kind", "base_url"),
    [
        ("ollama", "https://gpu.example/v1"),
        ("vllm", None),
        ("llamacpp", None),
        ("openai_compatible", "http://[::1]:8/v1"),
    ],
)
def test_models_of_ones_own_are_free(kind, base_url):
    assert price_of("mine", "m", {}, kind=kind, base_url=base_url) == FREE


def test_the_public_list_knows_a_price():
    price = price_of("openai", "gpt-4o", {})
    assert (price.input_microusd, price.output_microusd) == (2_500_000, 10_000_000)
    assert price_of("mine", "gpt-4o", {}, kind="openai") == price


def test_a_long_prompt_may_cost_more():
    short = price_of("google", "gemini-2.5-pro", {}, prompt_tokens=60_000)
    long = price_of("google", "gemini-2.5-pro", {}, prompt_tokens=900_000)
    assert short.input_microusd < long.input_microusd
    assert price_of("google", "gemini-2.5-pro", {}) == long


@check_rows(
    ("provider", "model", "base_url"),
    [
        ("openai", "nonsense", None),
        ("nobody", "gpt-4o", None),
        ("openai", "gpt-4o", "https://proxy.example/v1"),
        ("openai", "", None),
    ],
)
def test_a_price_that_nobody_knows_is_asked_for(provider, model, base_url):
    with pytest.raises(NoPrice) as caught:
        price_of(provider, model, {}, base_url=base_url)
    assert f'[llm.prices."{provider}/{model}"] with input = … and output = …' in str(caught.value)


@check_rows("kind", list(MODELS))
def test_every_default_model_has_a_price(kind):
    for role in ROLES:
        model = default_model(kind, role)
        if model is not None:
            assert price_of(kind, model, {}).input_microusd > 0


@given(st.floats(0, 1e6, allow_nan=False), st.floats(0, 1e6, allow_nan=False))
def test_dollars_are_never_rounded_down(tokens_in, tokens_out):
    price = dollars(tokens_in, tokens_out)
    for micro, usd in ((price.input_microusd, tokens_in), (price.output_microusd, tokens_out)):
        assert 0 <= micro - Decimal(str(usd)) * 1_000_000 <= 1


def test_the_settings_price_a_plan(load):
    text = (
        LIVE + "[llm.providers.mine]\nkind = 'openai_compatible'\nbase_url = 'https://models.example/v1'\nmodel = 'm'\n"
    )
    with pytest.raises(NoPrice, match="mine/m"):
        model_plan(load(text).settings)
    priced = model_plan(load(text + '[llm.prices."mine/m"]\ninput = 0.25\noutput = 1.0\n').settings)
    assert priced.roles["critic"].sources[0].price == Price(input_microusd=250_000, output_microusd=1_000_000)


def test_the_worst_case_is_every_attempt_at_its_limits(load):
    text = (
        LIVE
        + "[llm.routes.critic]\nprovider = 'vllm'\nmodel = 'm'\nretries = 1\nmax_tokens = 100\nprompt_bytes = 1000\n"
        "fallback = {provider = 'mine', model = 'n'}\n[llm.providers.mine]\nkind = 'openai_compatible'\n"
        "base_url = 'https://models.example/v1'\n[llm.prices.'mine/n']\ninput = 1\noutput = 10\n"
    )
    settings = load(text).settings
    found = worst_case(plan_of(settings, model_prices(settings)), "critic", 10)
    calls = 10 * 2 * (1 + 1 + 1)
    assert (found.calls, found.tokens_in, found.tokens_out) == (calls, calls * 1_000, calls * 100)
    assert found.cost_microusd == calls * (1_000 + 1_000)
    nobody = worst_case(ModelPlan(), "critic", 10)
    assert (nobody.calls, nobody.cost_microusd) == (0, 0)


# --- the pages -----------------------------------------------------------------------------------------------

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize("page", ["models.md", "configuration.md"])
def test_every_file_that_a_page_shows_is_valid(load, page):
    shown = re.findall(r"```toml\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    assert shown
    for text in shown:
        configured_plan(load(text.replace("https://…", "https://models.example")).settings, lambda *_: CENT)


def test_the_page_on_models_has_every_default_and_every_provider():
    page = (DOCS / "models.md").read_text()
    for kind, models in MODELS.items():
        cells = (models.cheap, models.strong, models.embedding)
        assert f"| `{kind}` | " + " | ".join(f"`{cell}`" if cell else "\N{EN DASH}" for cell in cells) + " |" in page
    for kind in KNOWN:
        assert re.search(rf"^\| `{kind}` \| .* \| .*{PROVIDER_KEYS.get(kind, '')}.* \|$", page, re.MULTILINE)
    assert [role for role in ROLES if f"`{role}`" not in page] == []
