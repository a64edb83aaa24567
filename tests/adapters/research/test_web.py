"""Live search against a real server: the contract, every way in which it fails, and what stands in for it."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.adapters.research.site import INSIDE, Site, answer, dripping, endless, moved, silent
from tests.support.rows import check_rows

from mendel.adapters.memory.retriever import MemoryRetriever
from mendel.adapters.research.web import WebRetriever, open_web
from mendel.conformance.retriever import PASSAGES, PEAS, RetrieverContract
from mendel.contracts.errors import ConfigError
from mendel.ports.retriever import RetrieverContext

CANARY = "canary-1234567890"
DEAD = "http://127.0.0.1:9/search"


def found(*results):
    return answer(json.dumps({"query": "x", "results": list(results)}), kind="application/json")


def searching(passages):
    """A page that answers as a search engine would which knows these passages."""
    engine = MemoryRetriever(passages)

    async def page(asked):
        (query,) = parse_qs(urlsplit(asked.target).query)["q"]
        best = (await engine.retrieve(query, 50)).passages
        results = [{"title": each.title, "content": each.text, "url": each.uri, "engine": "peas"} for each in best]
        yield found(*results)

    return page


@pytest.fixture
async def site():
    async with Site(host=INSIDE) as site:
        yield site


def asking(site, **options):
    return WebRetriever(f"http://{INSIDE}:{site.port}/search?lang=en", **options)


class TestWebRetriever(RetrieverContract):
    @pytest.fixture
    def open_retriever(self, site):
        def opened(passages):
            site.pages["/search"] = searching(passages)
            return asking(site)

        return opened


async def test_it_asks_as_the_endpoint_wants_it(site):
    site.pages["/search"] = found({"title": "T", "content": "C", "url": "https://peas.example/a?b=c"})
    async with asking(site) as web:
        answered = await web.retrieve("green peas & beans?", 3)
    (asked,) = site.asked
    assert parse_qs(urlsplit(asked.target).query) == {
        "q": ["green peas & beans?"],
        "format": ["json"],
        "lang": ["en"],
    }
    assert "authorization" not in asked.headers
    (passage,) = answered.passages
    assert (passage.source, passage.uri) == ("peas.example", "https://peas.example/a?b=c")
    assert (answered.provider, answered.fallback_sourced) == ("web", False)


@pytest.mark.parametrize(
    ("page", "failure"),
    [
        (answer(b"no", status=401), "auth"),
        (answer(b"no", status=403), "auth"),
        (answer(b"no", status=404), "bad_request"),
        (answer(b"no", status=429, Retry_After="1"), "rate_limited"),
        (answer(b"no", status=500), "overloaded"),
        (answer(b"no", status=503), "overloaded"),
        (moved("http://127.0.0.1:9/"), "bad_request"),
        (answer(b"<html>"), "unreadable"),
        (answer(b""), "unreadable"),
        (answer(b"[]"), "unreadable"),
        (answer(b'{"results": 5}'), "unreadable"),
        (answer(b'{"results": [{"title": "T"}'), "unreadable"),
        (answer(b"[" * 100_000), "unreadable"),
        (answer(b"9" * 10_000), "unreadable"),
        (answer(b"\xff\xfe"), "unreadable"),
        (answer(b"{}", Content_Encoding="br"), "unreadable"),
        (answer(b"{}", Content_Encoding="gzip"), "unreadable"),
        (answer(b" " * 5_000_000, encoding="gzip"), "answer_too_large"),
        (endless, "answer_too_large"),
        (dripping, "timeout"),
        (silent, "timeout"),
        (b"", "connection"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{}", "connection"),
    ],
    ids=range(23),
)
async def test_a_live_failure_falls_back_and_says_so(site, page, failure):
    site.pages["/search"] = page
    timeout_s = 0.3 if failure == "timeout" else 30.0
    async with asking(site, fallback=MemoryRetriever(PASSAGES, name="shelf"), timeout_s=timeout_s) as web:
        answered = await web.retrieve("garden peas colour", 1)
    assert answered.passages == (PEAS,)
    assert (answered.provider, answered.fallback_sourced, answered.failure) == ("shelf", True, failure)
    async with asking(site, timeout_s=timeout_s) as alone:
        empty = await alone.retrieve("garden peas colour", 1)
    assert (empty.passages, empty.provider, empty.fallback_sourced, empty.failure) == ((), "web", False, failure)


async def test_a_dead_endpoint_and_none_at_all_fall_back_too():
    for endpoint, failure in ((DEAD, "connection"), (None, "not_configured")):
        async with open_web(RetrieverContext(endpoint=endpoint)) as web:
            answered = await web.retrieve("diversity and premature convergence", 1)
        assert (answered.provider, answered.failure, len(answered.passages)) == ("curated", failure, 1)
        assert answered.fallback_sourced


async def test_an_empty_fallback_is_an_answer_too():
    async with WebRetriever(DEAD, fallback=MemoryRetriever()) as web:
        answered = await web.retrieve("peas")
    assert (answered.passages, answered.fallback_sourced, answered.failure) == ((), True, "connection")


async def test_the_key_is_read_when_it_is_needed_and_told_nobody(site, caplog):
    site.pages["/search"] = found(
        {"title": f"your key is {CANARY}", "content": CANARY, "url": f"https://x.example/{CANARY}"}
    )
    environ = {}
    context = RetrieverContext(
        endpoint=f"http://{INSIDE}:{site.port}/search", key_variable="PEAS_KEY", environ=environ, corpus=None
    )
    async with open_web(context) as web:
        before = await web.retrieve("peas")
        environ["PEAS_KEY"] = f" {CANARY}\n"
        after = await web.retrieve("peas")
        environ["PEAS_KEY"] = "two\r\nlines: " + CANARY
        broken = await web.retrieve("peas")
    assert (before.failure, after.failure, broken.failure) == ("not_configured", None, "not_configured")
    assert [asked.headers["authorization"] for asked in site.asked] == [f"Bearer {CANARY}"]
    assert len(after.passages) == 1
    told = "".join(
        [before.model_dump_json(), after.model_dump_json(), broken.model_dump_json(), repr(context), caplog.text]
    )
    assert CANARY not in told


async def test_results_are_data_of_any_shape(site):
    odd = [
        *(None, 5, "x", [], {}, {"url": "https://peas.example/"}, {"title": 5, "content": None}),
        {"title": "a\0\ud800\x1b[31mb", "content": "x" * 100_000, "url": "javascript:alert(1)"},
        {"title": "\n two \n lines ", "content": "", "url": "https://peas.example/" + "x" * 5_000},
        {"title": "T", "content": "C", "url": "http:///nowhere"},
        {"title": "T", "content": "C", "url": ["https://peas.example/"]},
    ]
    site.pages["/search"] = found(*odd)
    async with asking(site) as web:
        answered = await web.retrieve("peas", 50)
    first, second, *others = answered.passages
    assert (first.title, first.uri, first.source, len(first.text)) == ("a[31mb", "", "web", 20_000)
    assert (second.title, second.source) == ("two lines", "peas.example")
    assert [(each.title, each.uri) for each in others] == [("T", "")] * 2


@check_rows(
    "endpoint",
    ["", "peas", "ftp://peas.example/", "http://", "http:///search", "file:///etc/passwd", "http://peas.example:x/"],
)
def test_an_endpoint_is_an_address(endpoint):
    with pytest.raises(ConfigError, match="endpoint of web"):
        WebRetriever(endpoint)


def test_an_endpoint_holds_no_password():
    with pytest.raises(ConfigError, match="key_variable") as caught:
        WebRetriever(f"https://user:{CANARY}@peas.example/")
    assert CANARY not in str(caught.value)
