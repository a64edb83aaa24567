"""Embedder, retriever and research tools as the settings name them: opened late, asked over real sockets, closed."""

import json

import pytest
from tests.adapters.embeddings.tiny_models import write_table
from tests.adapters.research.site import INSIDE, Site, answer
from tests.support.model_server import ModelServer
from tests.support.rows import check_rows

from mendel.contracts.errors import ConfigError, NoPrice
from mendel.contracts.model_calls import ToolCall
from mendel.ports.account import Account
from mendel.ports.model_gateway import Budget
from mendel.ports.research import ToolCounter
from mendel.settings import Settings
from mendel.wiring import (
    live_plan,
    open_embedder,
    open_observer,
    open_research,
    open_retriever,
    route_embedder,
    scrubber,
)

KEY = "canary-7d21-90ab-44ce"
FOUND = json.dumps({"results": [{"title": "Peas", "content": f"green, {KEY}", "url": "https://peas.example/"}] * 9})


@pytest.fixture
async def server():
    async with ModelServer(key=KEY) as server:
        yield server


@pytest.fixture
def provided(server):
    """Settings whose embedder is a provider on the loopback."""

    def provided(profile="live", key="PEA_SOURCE", **route):
        return settings(
            llm={
                "profile": profile,
                "providers": {"pea": {"kind": "openai_compatible", "base_url": f"{server.url}/v1", "api_key_env": key}},
                "routes": {
                    "embedding": {"provider": "pea", "model": "embed-1", "dimension": 32, "retries": 0, **route}
                },
            },
            embeddings={"backend": "provider"},
        )

    return provided


@pytest.fixture
async def site():
    async with Site(host=INSIDE) as site:
        site.pages["/search"] = answer(FOUND, kind="application/json")
        yield site


def settings(**tables):
    return Settings.model_validate(tables)


async def vectors(chosen, texts=("round", "wrinkled"), **options):
    async with open_embedder(chosen, **options) as embedder:
        return await embedder.embed(texts)


def names(embedded):
    return {vector.embedder for vector in embedded.vectors}


# --- embeddings ------------------------------------------------------------------------------------------------


async def test_ngrams_are_there_without_a_word():
    found = await vectors(Settings())
    assert names(found) == {"ngrams.1.512"}
    assert found.standing == "measured"


async def test_a_sentence_model_is_a_folder(tmp_path):
    chosen = settings(embeddings={"backend": "sentences", "model": str(write_table(tmp_path))})
    (name,) = names(await vectors(chosen))
    assert name.startswith(f"sentences.1.{tmp_path.name}.")


@pytest.mark.parametrize("model", ["nowhere", "all-MiniLM-L6-v3"])
async def test_a_sentence_model_that_is_not_there_is_told_at_once(model):
    with pytest.raises(ConfigError, match=r"must contain model\.safetensors and tokenizer\.json; models known by"):
        await vectors(settings(embeddings={"backend": "sentences", "model": model}))


async def test_weights_that_cannot_be_read_leave_the_fallback(tmp_path):
    for name in ("model.safetensors", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"peas")
    found = await vectors(settings(embeddings={"backend": "sentences", "model": str(tmp_path)}))
    assert names(found) == {"ngrams.1.512"}
    assert (found.standing, found.degraded.primary, found.degraded.reason) == ("estimated", "sentences", "config")


async def test_a_provider_is_asked_on_the_account_of_the_operation(provided, server, monkeypatch):
    monkeypatch.setenv("PEA_SOURCE", KEY)
    account = Account(Budget(10_000, 0))
    async with open_embedder(provided()) as embedder:
        assert server.seen == []
        found = await embedder.on_account(account).embed(["round", "wrinkled"])
    assert names(found) == {"provider.1.pea/embed-1.32.8000"}
    assert [record.role for record in account.records] == ["embedding"]
    assert len(server.seen) == 1


async def test_a_key_is_looked_for_when_it_is_needed_and_its_variable_named(provided, server, monkeypatch):
    monkeypatch.delenv("PEA_SOURCE", raising=False)
    async with open_embedder(provided()) as embedder:
        found = await embedder.embed(["round"])
        monkeypatch.setenv("PEA_SOURCE", KEY)
        later = await embedder.embed(["round"])
    assert names(found) == {"ngrams.1.512"}
    assert found.degraded.reason == "not_configured"
    assert "PEA_SOURCE" in found.degraded.message
    assert names(later) == {"provider.1.pea/embed-1.32.8000"}


async def test_another_dimension_is_refused_and_the_fallback_answers(provided, monkeypatch):
    monkeypatch.setenv("PEA_SOURCE", KEY)
    found = await vectors(provided(dimension=64))
    assert (found.standing, found.degraded.reason) == ("estimated", "unreadable")
    assert "vectors of 32 numbers, not of 64" in found.degraded.message


async def test_offline_no_provider_is_asked_unless_a_run_brings_its_plan(provided, server, monkeypatch):
    monkeypatch.setenv("PEA_SOURCE", KEY)
    chosen = provided(profile="offline")
    assert names(await vectors(chosen)) == {"ngrams.1.512"}
    assert server.seen == []
    assert route_embedder(chosen) is None
    assert names(await vectors(chosen, plan=live_plan(chosen))) == {"provider.1.pea/embed-1.32.8000"}


async def test_calls_for_embeddings_are_metered_as_others_are(provided, monkeypatch, tmp_path):
    monkeypatch.setenv("PEA_SOURCE", KEY)
    chosen = provided().model_copy(
        update={"telemetry": settings(telemetry={"metrics_file": str(tmp_path / "llm.prom")}).telemetry}
    )
    async with open_observer(chosen, live_plan(chosen)) as watching:
        await vectors(chosen, observer=watching)
    assert 'llm_tokens_total{backend="pea"}' in (tmp_path / "llm.prom").read_text()


@pytest.mark.parametrize(
    ("route", "error", "said"),
    [
        ({"dimension": None}, ConfigError, r"set llm\.routes\.embedding\.dimension"),
        ({"prompt_bytes": 3}, ConfigError, r"llm\.routes\.embedding\.prompt_bytes: expected 16 or more"),
        ({"provider": "openai", "model": "nonsense"}, NoPrice, "openai/nonsense"),
    ],
)
async def test_a_route_that_cannot_be_is_told_at_once(provided, route, error, said):
    with pytest.raises(error, match=said):
        await vectors(provided(**route))


# --- retrieval -------------------------------------------------------------------------------------------------


async def retrieved(query="peas", limit=50, **table):
    async with open_retriever(settings(retrieval=table)) as retriever:
        return None if retriever is None else await retriever.retrieve(query, limit)


async def test_nothing_is_retrieved_unless_it_is_switched_on():
    assert await retrieved() is None


async def test_chosen_texts_are_found_and_never_more_than_wanted(tmp_path):
    for number in range(4):
        (tmp_path / f"{number}.md").write_text(f"# Peas {number}\n\nround and green")
    assert len((await retrieved(backend="curated", corpus=str(tmp_path), limit=3)).passages) == 3
    assert len((await retrieved(backend="curated", corpus=str(tmp_path), limit=2)).passages) == 2
    assert (await retrieved("selection", backend="curated")).passages


async def test_a_search_is_asked_with_its_key_and_the_chosen_texts_stand_in(site, tmp_path, monkeypatch):
    (tmp_path / "peas.txt").write_text("Peas are chosen")
    monkeypatch.setenv("SEARCH_KEY", KEY)
    table = {
        "backend": "web",
        "endpoint": f"http://{INSIDE}:{site.port}/search",
        "api_key_env": "SEARCH_KEY",
        "corpus": str(tmp_path),
    }
    found = await retrieved(**table)
    assert (found.provider, len(found.passages), found.failure) == ("web", 5, None)
    assert KEY not in found.model_dump_json()
    assert site.asked[0].headers["authorization"] == f"Bearer {KEY}"
    monkeypatch.delenv("SEARCH_KEY")
    instead = await retrieved(**table)
    assert (instead.failure, instead.fallback_sourced) == ("not_configured", True)
    assert [each.text for each in instead.passages] == ["Peas are chosen"]


@check_rows(
    ("table", "said"),
    [
        ({"backend": "curatd"}, r"retrieval\.backend = curatd: .*did you mean curated\?"),
        ({"backend": "web"}, r"set retrieval\.endpoint"),
        ({"backend": "curated", "corpus": "/nonexistent/peas"}, "the corpus /nonexistent/peas cannot be read"),
    ],
)
async def test_a_retriever_that_cannot_be_is_told_at_once(table, said):
    with pytest.raises(ConfigError, match=said):
        await retrieved(**table)


# --- research --------------------------------------------------------------------------------------------------


async def called(chosen, name, **arguments):
    async with open_research(chosen) as tools:
        wish = ToolCall(id="1", name=name, arguments=json.dumps(arguments))
        return tools.names(), (await tools.call(wish, {"web_search", "fetch_url"}, ToolCounter(1))).record


async def test_there_are_no_tools_unless_they_are_named():
    async with open_research(Settings()) as tools:
        assert tools is None


async def test_the_tools_are_those_that_are_named(site, monkeypatch):
    monkeypatch.setenv("SEARCH_KEY", KEY)
    searching = {"endpoint": f"http://{INSIDE}:{site.port}/search", "api_key_env": "SEARCH_KEY"}
    chosen = settings(research={"tools": ["web_search"], "web_search": searching, "x_search": searching})
    known, record = await called(chosen, "web_search", query="peas")
    assert (known, record.code) == ({"web_search"}, "answered")
    assert KEY not in record.model_dump_json()
    assert KEY not in scrubber(chosen).text(f"a key that is {KEY}")
    monkeypatch.delenv("SEARCH_KEY")
    assert (await called(chosen, "web_search", query="peas"))[1].code == "not_configured"


async def test_a_page_is_read_where_its_operator_trusts_the_address(site):
    site.pages["/page"] = answer("round peas")
    address = f"http://{INSIDE}:{site.port}/page"
    page = {"ports": [site.port], "body_bytes": 1_000}
    refused = settings(research={"tools": ["fetch_url"], "fetch_url": page})
    trusted = settings(research={"tools": ["fetch_url"], "fetch_url": {**page, "trusted": [INSIDE]}})
    assert (await called(refused, "fetch_url", url=address))[1].code == "address_refused"
    _, record = await called(trusted, "fetch_url", url=address)
    assert (record.code, "round peas" in record.text) == ("answered", True)
    site.pages["/page"] = answer("x" * 2_000)
    assert (await called(trusted, "fetch_url", url=address))[1].code == "answer_too_large"


async def test_a_tool_without_an_endpoint_is_told_at_once():
    with pytest.raises(ConfigError, match=r"set research\.x_search\.endpoint"):
        await called(settings(research={"tools": ["x_search"]}), "x_search", query="peas")
