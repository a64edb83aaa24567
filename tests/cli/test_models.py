"""`mendel models …`, against a provider on the loopback that can fail in every way."""

from __future__ import annotations

import json
import os
import urllib.request

import pytest
from tests.support.model_server import FAULTS, started_server

CANARY = "kanarie-3f9d17c0-5b2e-4c66-9d18-aa70e1"
VARIABLE = "PEA_SOURCE"
"""A name that nothing gives away as that of a key; only the settings say it."""

ROUTE = """
[llm]
profile = "live"

[llm.providers.pea]
kind = "openai_compatible"
base_url = "{url}/v1"
api_key_env = "PEA_SOURCE"

[llm.routes.mutator]
provider = "pea"
model = "sweet"
retries = {retries}
timeout_ms = {timeout}
{more}
"""


@pytest.fixture(scope="module")
def server():
    with started_server("echo", key=CANARY) as url:
        yield Server(url)


class Server:
    def __init__(self, url):
        self.url = url

    def program(self, *faults):
        wanted = [{"fault": each, "times": None} if isinstance(each, str) else each for each in faults]
        self._send("POST", "/__faults", json.dumps(wanted).encode())
        self._send("DELETE", "/__seen")

    @property
    def seen(self):
        return json.loads(self._send("GET", "/__seen"))

    def _send(self, method, path, data=None):
        request = urllib.request.Request(self.url + path, data=data, method=method)
        with urllib.request.urlopen(request) as response:
            return response.read()


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for name in list(os.environ):
        if name.endswith("_API_KEY") or name == "OLLAMA_BASE_URL":
            monkeypatch.delenv(name)
    monkeypatch.setenv(VARIABLE, CANARY)
    monkeypatch.setenv("MENDEL_TELEMETRY__LOG_LEVEL", "debug")


@pytest.fixture
def configure(tmp_path, server):
    """Writes mendel.toml with one route, and switches the faults on."""

    def configure(*faults, retries=0, timeout=20_000, more=""):
        (tmp_path / "mendel.toml").write_text(ROUTE.format(url=server.url, retries=retries, timeout=timeout, more=more))
        server.program(*faults)

    return configure


@pytest.fixture
def asked(mendel):
    """The check of the mutator's route; whatever happens, the key is nowhere."""

    def asked(*arguments):
        told = mendel("models", "check", "--role", "mutator", *arguments)
        assert CANARY not in told.out + told.err
        return told

    return asked


# --- check: what is specified for every fault ----------------------------------------------------------------------

ACCEPTED = ("fenced", "prose", "delay", "cookie", "usage_missing", "usage_negative", "usage_strings")
REJECTED = (
    *("not_json", "truncated", "two_objects", "duplicate_key", "missing_field", "wrong_type", "extra_field"),
    *("empty", "null", "refusal", "length", "unknown_tool"),
)
FAILED = {
    "400": "bad_request",
    "404": "bad_request",
    "413": "bad_request",
    "redirect": "bad_request",
    "401": "auth",
    "403": "auth",
    "quota": "auth",
    "echo_key": "auth",
    "429": "rate_limited",
    "429_date": "rate_limited",
    "500": "overloaded",
    "503": "overloaded",
    "529": "overloaded",
    "cut": "connection",
    "reset": "connection",
    "cut_body": "connection",
    "reset_body": "connection",
    "bad_envelope": "unreadable",
    "bad_utf8": "unreadable",
    "html": "unreadable",
    "odd_envelope": "unreadable",
    "huge": "answer_too_large",
    "endless": "answer_too_large",
    "gzip_bomb": "answer_too_large",
}
SLOW = ("hang", "drip", "drip_head")


def test_a_route_that_answers_is_accepted(configure, asked, server):
    configure()
    told = asked("--json")
    assert told.code == 0
    (check,) = told.json["checks"]
    assert (told.json["fine"], check["role"], check["route"]) == (True, "mutator", "pea/sweet")
    assert (check["outcome"], check["reason"], check["calls"], check["estimated"]) == ("accepted", None, 1, False)
    assert check["tokens_in"] > 0
    assert check["tokens_out"] > 0
    assert check["cost_microusd"] == 0
    (request,) = server.seen["requests"]
    assert request["headers"]["authorization"] == f"Bearer {CANARY}"
    assert CANARY not in json.dumps(request["body"])


@pytest.mark.parametrize("fault", ACCEPTED)
def test_what_can_be_read_is_accepted(configure, asked, fault):
    configure(fault)
    told = asked("--json")
    (check,) = told.json["checks"]
    assert (told.code, check["outcome"]) == (0, "accepted")
    assert check["estimated"] == fault.startswith("usage_")


def test_what_is_mended_is_repaired(configure, asked):
    configure("wrong_once")
    told = asked("--json")
    (check,) = told.json["checks"]
    assert (told.code, check["outcome"], check["calls"]) == (0, "repaired", 2)


def test_a_schema_that_is_refused_is_said_in_words(configure, asked):
    configure({"fault": "schema_refused", "times": 1})
    (check,) = asked("--json").json["checks"]
    assert (check["outcome"], check["calls"]) == ("accepted", 2)


@pytest.mark.parametrize("fault", REJECTED)
def test_what_stays_wrong_is_rejected_after_one_repair(configure, asked, fault):
    configure(fault)
    told = asked("--json")
    (check,) = told.json["checks"]
    assert (told.code, check["outcome"], check["reason"]) == (1, "rejected", "output_schema_rejected")
    assert check["calls"] == 2
    assert check["message"]


@pytest.mark.parametrize(("fault", "reason"), FAILED.items())
def test_a_failure_has_its_reason(configure, asked, fault, reason):
    configure(fault)
    told = asked("--json")
    (check,) = told.json["checks"]
    assert (told.code, check["outcome"], check["reason"]) == (1, "failed", reason)
    assert check["calls"] == 1


@pytest.mark.parametrize("fault", SLOW)
def test_who_never_ends_is_given_up(configure, asked, fault):
    configure(fault, timeout=300)
    told = asked("--json")
    assert (told.code, told.json["checks"][0]["reason"]) == (1, "timeout")


def test_every_other_fault_has_an_outcome_and_shows_no_key(configure, asked):
    named = {*ACCEPTED, *REJECTED, *FAILED, *SLOW, "wrong_once"}
    for fault in FAULTS:
        if fault not in named and not fault.endswith("_vectors"):
            configure(fault, timeout=2_000)
            (check,) = asked("--json").json["checks"]
            assert check["outcome"] in ("accepted", "repaired", "rejected", "failed")


@pytest.mark.parametrize("fault", ["echo_key", "401", "html", "missing_field"])
def test_people_see_no_key_either(configure, asked, fault):
    configure(fault)
    told = asked()
    assert told.code == 1
    assert "pea/sweet" in told.out


def test_people_are_told_what_goes_on(configure, asked):
    configure({"fault": "delay", "seconds": 0.1, "times": None})
    told = asked()
    assert told.code == 0
    assert "asking 1 route;" in told.err
    assert "accepted" in told.out


def test_a_failed_call_is_made_again(configure, asked):
    configure({"fault": "500", "times": 1}, retries=1)
    (check,) = asked("--json").json["checks"]
    assert (check["outcome"], check["calls"]) == ("accepted", 2)


def test_a_fallback_is_a_route_of_its_own(configure, mendel):
    more = 'fallback = { provider = "pea", model = "marrowfat" }'
    configure({"fault": "500", "times": None, "match": {"model": "sweet"}}, more=more)
    told = mendel("models", "check", "--role", "mutator", "--json")
    assert told.code == 1
    assert [(each["route"], each["use"], each["outcome"]) for each in told.json["checks"]] == [
        ("pea/sweet", "source", "failed"),
        ("pea/marrowfat", "fallback", "accepted"),
    ]


def test_all_roles_of_a_provider_are_asked(configure, mendel, server):
    configure(
        more='[llm.prices."pea/x"]\ninput = 1\noutput = 1\n[llm.routes.final_judge]\nprovider = "pea"\nmodel = "x"'
    )
    told = mendel("models", "check", "--json")
    assert told.code == 0
    assert [each["role"] for each in told.json["checks"]] == ["mutator", "final_judge"]
    assert [each["cost_microusd"] > 0 for each in told.json["checks"]] == [False, True]
    assert server.seen["count"] == 2


def test_an_ensemble_is_asked_one_by_one(tmp_path, mendel, server):
    backends = "".join(f'[[llm.backends]]\nname = "pea"\nmodel = "{each}"\n' for each in ("a", "b"))
    provider = f'[llm.providers.pea]\nkind = "vllm"\nbase_url = "{server.url}/v1"\napi_key_env = "{VARIABLE}"\n'
    (tmp_path / "mendel.toml").write_text(f'[llm]\nprofile = "live"\n{provider}{backends}')
    server.program()
    told = mendel("models", "check", "--role", "mutator", "--json")
    assert [each["route"] for each in told.json["checks"]] == ["pea/a", "pea/b"]


# --- check: embeddings ---------------------------------------------------------------------------------------------

EMBEDDING = """
[embeddings]
backend = "provider"

[llm.routes.embedding]
provider = "pea"
model = "vines"
retries = 0
"""


@pytest.fixture
def embedded(configure, mendel):
    """The check of the route for embeddings; whatever happens, the key is nowhere."""

    def embedded(*faults, dimension=32):
        route = EMBEDDING if dimension is None else f"{EMBEDDING}dimension = {dimension}\n"
        configure(*faults, more=route)
        told = mendel("models", "check", "--role", "embedding", "--json")
        assert CANARY not in told.out + told.err
        (check,) = told.json["checks"]
        return told.code, check

    return embedded


def test_a_route_for_embeddings_embeds_one_word(embedded, server):
    code, check = embedded()
    assert (code, check["route"], check["outcome"], check["calls"]) == (0, "pea/vines", "accepted", 1)
    assert check["message"] == "a vector of 32 numbers"
    assert check["tokens_in"] > 0
    (request,) = server.seen["requests"]
    assert request["body"]["input"] == ["pea"]


@pytest.mark.parametrize(
    ("dimension", "reason", "said"),
    [(64, "unreadable", "vectors of 32 numbers, not of 64"), (None, "config", "set llm.routes.embedding.dimension")],
)
def test_another_dimension_than_the_settings_say_is_told(embedded, dimension, reason, said):
    code, check = embedded(dimension=dimension)
    assert (code, check["outcome"], check["reason"]) == (1, "failed", reason)
    assert said in check["message"]


@pytest.mark.parametrize(("fault", "reason"), [("echo_key", "auth"), ("odd_vectors", "unreadable")])
def test_embeddings_that_fail_have_their_reason(embedded, fault, reason):
    code, check = embedded(fault)
    assert (code, check["outcome"], check["reason"], check["calls"]) == (1, "failed", reason, 1)


def test_a_route_for_embeddings_that_nobody_would_ask_is_not_checked(configure, mendel, server):
    configure(more=EMBEDDING.replace('backend = "provider"', 'backend = "ngrams"'))
    assert mendel("models", "check", "--role", "embedding", "--json").code == 3
    assert server.seen["count"] == 0


# --- check: what is not there --------------------------------------------------------------------------------------


def test_a_missing_key_is_named_and_nothing_is_sent(configure, mendel, server, monkeypatch):
    configure()
    monkeypatch.delenv(VARIABLE)
    told = mendel("models", "check", "--json")
    (check,) = told.json["checks"]
    assert (told.code, check["reason"]) == (1, "not_configured")
    assert VARIABLE in check["message"]
    assert server.seen["count"] == 0


def test_a_key_of_a_known_provider_goes_nowhere_else(tmp_path, mendel, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    table = f'[llm.providers.openai]\nbase_url = "{server.url}/v1"\nmodel = "m"\n'
    (tmp_path / "mendel.toml").write_text(f'[llm]\nprofile = "live"\n{table}')
    server.program()
    told = mendel("models", "check", "--role", "critic", "--json")
    assert told.json["checks"][0]["reason"] == "auth"
    assert "authorization" not in server.seen["requests"][0]["headers"]


def test_ollama_needs_its_address_and_no_key(tmp_path, mendel, monkeypatch):
    (tmp_path / "mendel.toml").write_text('[llm]\nprofile = "live"\n[llm.providers.ollama]\nmodel = "qwen"\n')
    with started_server("echo") as url:
        monkeypatch.setenv("OLLAMA_BASE_URL", url)
        told = mendel("models", "check", "--role", "critic", "--json")
    assert (told.code, told.json["checks"][0]["outcome"]) == (0, "accepted")


@pytest.mark.parametrize("command", [("check",), ("cost",)])
def test_nothing_is_configured(mendel, command):
    told = mendel("models", *command)
    assert told.code == 3
    assert "no model is configured" in told.err
    assert "no model is configured" in mendel("models", *command, "--json").json["message"]


def test_offline_nobody_is_asked(configure, mendel, monkeypatch, server):
    configure()
    monkeypatch.setenv("MENDEL_LLM__PROFILE", "offline")
    told = mendel("models", "check")
    assert told.code == 3
    assert 'set profile = "live"' in told.err
    assert server.seen["count"] == 0


def test_a_role_that_nobody_plays_and_one_that_there_is_not(configure, mendel):
    configure()
    assert mendel("models", "check", "--role", "retrieval").code == 3
    told = mendel("models", "check", "--role", "judge")
    assert told.code == 2
    assert "did you mean final_judge?" in told.err


def test_no_price_is_told_before_anybody_is_asked(tmp_path, mendel):
    table = '[llm.providers.far]\nkind = "openai_compatible"\nbase_url = "https://models.example/v1"\nmodel = "m"\n'
    (tmp_path / "mendel.toml").write_text(f'[llm]\nprofile = "live"\n{table}')
    for command in ("check", "cost"):
        told = mendel("models", command)
        assert told.code == 2
        assert '[llm.prices."far/m"]' in told.err
    listed = mendel("models", "list", "--json")
    assert (listed.code, listed.json["without_price"]) == (0, ["far/m"])
    assert "unknown" in mendel("models", "list").out


def test_what_another_role_lacks_keeps_nobody_from_checking_one(configure, mendel):
    far = '[llm.providers.far]\nkind = "openai_compatible"\nbase_url = "https://models.example/v1"\n'
    configure(more=f'{far}[llm.routes.critic]\nprovider = "far"\nmodel = "m"')
    assert mendel("models", "check", "--role", "mutator").code == 0
    assert mendel("models", "cost", "--role", "mutator").code == 0
    for role in ("critic", None):
        refused = mendel("models", "check", *(("--role", role) if role else ()))
        assert refused.code == 2
        assert '[llm.prices."far/m"]' in refused.err


def test_a_role_that_no_model_plays_is_told_as_that(configure, mendel):
    configure(more='[llm.routes.retrieval]\nprovider = "pea"\nmodel = "x"')
    told = mendel("models", "check", "--role", "retrieval")
    assert told.code == 3
    assert "no model is asked as retrieval" in told.err


def test_a_wrong_plan_is_wrong_usage(tmp_path, mendel):
    (tmp_path / "mendel.toml").write_text('[llm]\nprofile = "live"\n[llm.routes.critic]\nprovider = "opnai"\n')
    for command in ("list", "check", "cost"):
        told = mendel("models", command)
        assert told.code == 2
        assert "llm.routes.critic.provider" in told.err


# --- list and cost -------------------------------------------------------------------------------------------------


def test_the_roles_are_listed_with_the_names_of_keys_alone(configure, mendel):
    configure(more='[llm.overrides]\nmutator = ["pea/marrowfat"]')
    told = mendel("models", "list")
    assert told.code == 0
    assert CANARY not in told.out + told.err
    (line,) = [line for line in told.out.splitlines() if line.startswith("mutator")]
    for words in ("pea/sweet", f"{VARIABLE} (set)", "free", "pea/marrowfat"):
        assert words in line
    (unplayed,) = [line for line in told.out.splitlines() if line.startswith("final_judge")]
    assert "none" in unplayed


def test_the_list_is_told_to_machines(configure, mendel, monkeypatch, server):
    configure()
    monkeypatch.delenv(VARIABLE)
    told = mendel("models", "list", "--json").json
    roles = {each["role"]: each for each in told["roles"]}
    assert (len(roles), told["profile"]) == (12, "live")
    (source,) = roles["mutator"]["sources"]
    assert (source["route"], source["key_variable"], source["key_present"]) == ("pea/sweet", VARIABLE, False)
    assert source["price"] == {"input_usd": 0.0, "output_usd": 0.0}
    assert not roles["critic"]["played"]
    (provider,) = told["providers"]
    assert (provider["kind"], provider["address"]) == ("openai_compatible", f"{server.url}/v1")


def test_what_is_looked_up_is_listed_with_the_names_of_keys_alone(configure, mendel):
    search = f'endpoint = "https://search.example"\napi_key_env = "{VARIABLE}"\n'
    lookups = f'[retrieval]\nbackend = "web"\n{search}[research]\ntools = ["x_search"]\n[research.x_search]\n{search}'
    configure(more=f"{EMBEDDING}dimension = 32\n{lookups}")
    told = mendel("models", "list", "--json")
    assert CANARY not in told.out + told.err
    asked = {"endpoint": "https://search.example", "key_variable": VARIABLE, "key_present": True}
    found = told.json
    assert (found["embeddings"]["route"], found["embeddings"]["dimension"]) == ("pea/vines", 32)
    assert found["retrieval"] == {"backend": "web", **asked, "corpus": None, "limit": 5}
    assert (found["research"], found["lacking"]) == ([{"name": "x_search", **asked}], [])


def test_who_does_without_a_route_and_what_is_missing_is_listed(configure, mendel):
    configure(more='[research]\ntools = ["x_search"]')
    told = mendel("models", "list")
    cells = dict(line.split()[:2] for line in told.out.splitlines())
    assert (cells["embedding"], cells["retrieval"]) == ("ngrams", "off")
    assert "set research.x_search.endpoint" in told.err


def test_a_route_for_passages_that_nobody_asks_is_listed(configure, mendel):
    configure(more='[llm.routes.retrieval]\nprovider = "pea"\nmodel = "x"')
    said = "llm.routes = retrieval: a model that finds passages is not available"
    assert said in mendel("models", "list").err
    (lack,) = mendel("models", "list", "--json").json["lacking"]
    assert lack.startswith(said)


def test_a_price_that_belongs_to_nobody_is_listed(configure, mendel):
    prices = "".join(
        f'[llm.prices."{route}"]\ninput = 1\noutput = 1\n' for route in ("pea/swet", "pea/sweet", "pea/dry", "pea/snow")
    )
    fallback = 'fallback = { provider = "pea", model = "dry" }'
    configure(more=f'{fallback}\n[llm.overrides]\nmutator = ["pea/snow"]\n{prices}')
    assert mendel("models", "list", "--json").json["unused_prices"] == ["pea/swet"]
    told = mendel("models", "list").err
    assert '[llm.prices."pea/swet"] is unused: no role uses pea/swet (did you mean pea/sweet?)' in told


def test_how_many_are_really_asked_at_once_is_listed(configure, mendel, monkeypatch):
    configure()
    roles = {each["role"]: each for each in mendel("models", "list", "--json").json["roles"]}
    assert roles["mutator"]["asked_at_once"] == 1
    assert "fan_out" not in mendel("models", "list").err
    monkeypatch.setenv("MENDEL_LLM__FAN_OUT", "3")
    told = mendel("models", "list", "--json").json
    roles = {each["role"]: each for each in told["roles"]}
    assert (told["fan_out"], roles["mutator"]["asked_at_once"]) == (3, 1)
    said = "llm.fan_out = 3, but only 1 source can be called at once as mutator"
    assert said in mendel("models", "list").err


def test_an_offline_list_says_so(configure, mendel, monkeypatch):
    configure()
    monkeypatch.setenv("MENDEL_LLM__PROFILE", "offline")
    assert 'llm.profile is "offline"' in mendel("models", "list").err


def test_the_worst_case_is_told_in_calls_tokens_and_money(configure, mendel, server):
    configure(retries=1, more='max_tokens = 1000\nprompt_bytes = 1000\n[llm.prices."pea/sweet"]\ninput = 1\noutput = 2')
    told = mendel("models", "cost", "--candidates", "1000", "--json").json
    (row,) = told["roles"]
    assert (row["role"], row["calls"], row["tokens_in"], row["tokens_out"]) == ("mutator", 4_000, 4_000_000, 4_000_000)
    assert row["cost_microusd"] == 4_000 * (1_000 + 2_000)
    assert (row["fits"], row["ended_by"]) == (250, "max_tokens")
    shown = mendel("models", "cost", "--candidates", "1000")
    assert "$12.00" in shown.out
    assert "$5.00" in shown.err
    assert server.seen["count"] == 0


def test_a_ceiling_ends_a_run_before_its_caps_do(configure, mendel):
    ceiling = "[ceilings]\nmax_cost_microusd = 30_000"
    price = f'[llm.prices."pea/sweet"]\ninput = 1\noutput = 2\n{ceiling}'
    configure(more=f"max_tokens = 1000\nprompt_bytes = 1000\n{price}")
    told = mendel("models", "cost", "--candidates", "1000", "--json").json
    assert told["caps"] == {"max_tokens": 2_000_000, "max_cost_microusd": 30_000}
    (row,) = told["roles"]
    assert (row["cost_microusd"], row["fits"], row["ended_by"]) == (6_000_000, 5, "max_cost_microusd")
    shown = mendel("models", "cost", "--candidates", "1000")
    assert "5, then max_cost_microusd ends it" in shown.out
    assert "$0.03 unless you set others; [ceilings] limits max_cost_microusd" in shown.err
    few = mendel("models", "cost", "--candidates", "1", "--json").json
    assert (few["roles"][0]["fits"], few["roles"][0]["ended_by"]) == (1, None)
    assert "for 1 question to each role" in mendel("models", "cost", "--candidates", "1").err


def test_evaluations_come_from_the_settings_or_a_runs_cap(configure, mendel, monkeypatch):
    configure()
    assert mendel("models", "cost", "--json").json["candidates"] == 10_000
    monkeypatch.setenv("MENDEL_EVOLVE__STOP__MAX_CANDIDATES", "77")
    assert mendel("models", "cost", "--json").json["candidates"] == 77
    assert mendel("models", "cost", "--candidates", "0").code == 2


@pytest.mark.parametrize("command", ["list", "check", "cost"])
def test_help_teaches_by_example(mendel, command):
    told = mendel("models", command, "--help")
    assert told.code == 0
    assert f"mendel models {command}" in told.out
