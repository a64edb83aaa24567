"""Posts over real sockets: kept connections, compressed answers, proxies, TLS, and what is no address."""

from __future__ import annotations

import asyncio
import base64
import gzip
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import pytest
from tests.support.certificates import self_signed

from mendel.adapters.models import posting
from mendel.adapters.models.posting import Posts
from mendel.ports.model_wire import WireFailed

MOST = 100_000


@dataclass
class Listener:
    """Answers every request alike, and remembers what it was sent, on which connection."""

    port: int = 0
    reply: bytes = b"HTTP/1.1 200 OK\r\nX-Request-Id: r1\r\nContent-Length: 2\r\n\r\nok"
    hangs_up: bool = False
    seen: list[tuple[int, str, dict[str, str], bytes]] = field(default_factory=list)
    connections: int = 0
    over: list[asyncio.Event] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        number = self.connections
        self.over.append(over := asyncio.Event())
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode().strip().split("\r\n")
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
                self.seen.append(
                    (number, first, headers, await reader.readexactly(int(headers.get("content-length", "0"))))
                )
                writer.write(self.reply)
                if self.hangs_up:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()
        with suppress(ConnectionError, ssl.SSLError):
            await writer.wait_closed()
        over.set()


@asynccontextmanager
async def listening(tls: ssl.SSLContext | None = None) -> AsyncIterator[Listener]:
    listener = Listener()
    server = await asyncio.start_server(listener.serve, "127.0.0.1", 0, ssl=tls)
    listener.port = server.sockets[0].getsockname()[1]
    async with server:
        yield listener
        for each in listener.over:
            await each.wait()


@asynccontextmanager
async def posting_to(url: str, **headers: str) -> AsyncIterator[Posts]:
    posts = Posts(url, headers, 4)
    try:
        yield posts
    finally:
        await posts.aclose()


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


async def test_a_post_is_whole_and_its_answer_too():
    async with listening() as listener, posting_to(f"http://127.0.0.1:{listener.port}/v1/", accept="a/b") as posts:
        answer = await posts.post("/chat", b"question", MOST)
    assert (answer.status, answer.body, answer.headers["x-request-id"]) == (200, b"ok", "r1")
    ((_, first, headers, body),) = listener.seen
    assert (first, body) == ("POST /v1/chat HTTP/1.1", b"question")
    assert headers["host"] == f"127.0.0.1:{listener.port}"
    assert (headers["accept"], headers["accept-encoding"]) == ("a/b", "identity")


async def test_a_connection_is_used_again():
    async with listening() as listener, posting_to(f"http://127.0.0.1:{listener.port}") as posts:
        for _ in range(3):
            await posts.post("/", b"", MOST)
    assert listener.connections == 1


async def test_one_that_the_other_side_has_left_is_not():
    async with listening() as listener, posting_to(f"http://127.0.0.1:{listener.port}") as posts:
        listener.hangs_up = True
        for _ in range(3):
            await posts.post("/", b"", MOST)
            await listener.over[-1].wait()
            await asyncio.sleep(0)  # in which this side learns of it
    assert listener.connections == 3


async def test_an_answer_that_is_given_up_leaves_no_connection_that_still_speaks():
    async with listening() as listener, posting_to(f"http://127.0.0.1:{listener.port}") as posts:
        listener.reply = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + bytes(5_000)
        with pytest.raises(WireFailed) as caught:
            await posts.post("/", b"", 4_000)
        assert caught.value.reason == "answer_too_large"
        listener.reply = Listener.reply
        assert (await posts.post("/", b"", MOST)).body == b"ok"
    assert listener.connections == 2


async def test_whoever_compresses_unasked_is_understood():
    packed = gzip.compress(b"much" * 100)
    async with listening() as listener, posting_to(f"http://127.0.0.1:{listener.port}") as posts:
        listener.reply = (
            f"HTTP/1.1 200 OK\r\nContent-Encoding: GZIP\r\nContent-Length: {len(packed)}\r\n\r\n".encode() + packed
        )
        assert (await posts.post("/", b"", MOST)).body == b"much" * 100


async def test_a_redirect_is_an_answer():
    async with listening() as listener, posting_to(f"http://127.0.0.1:{listener.port}") as posts:
        listener.reply = b"HTTP/1.1 302 Found\r\nLocation: http://elsewhere.invalid/\r\nContent-Length: 0\r\n\r\n"
        assert (await posts.post("/", b"", MOST)).status == 302


@pytest.mark.parametrize("reply", [b"", b"no HTTP\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"])
async def test_a_connection_that_breaks_was_used(reply):
    async with listening() as listener, posting_to(f"http://127.0.0.1:{listener.port}") as posts:
        listener.reply, listener.hangs_up = reply, True
        with pytest.raises(WireFailed) as caught:
            await posts.post("/", b"", MOST)
    assert (caught.value.reason, caught.value.unsent) == ("connection", False)


@pytest.mark.parametrize("host", ["127.0.0.1:1", "nobody.invalid"])
async def test_where_nobody_is_nothing_was_sent(host):
    async with posting_to(f"http://{host}") as posts:
        with pytest.raises(WireFailed) as caught:
            await posts.post("/", b"", MOST)
    assert (caught.value.reason, caught.value.unsent) == ("connection", True)


@pytest.mark.parametrize("url", ["", "nothing", "ftp://example.org", "http://", "http://[::1", "http://a:port/"])
def test_what_is_no_address_is_said_before_anything_is_sent(url):
    with pytest.raises(WireFailed) as caught:
        Posts(url, {}, 1)
    assert (caught.value.reason, caught.value.unsent) == ("not_configured", True)


async def test_credentials_of_the_address_are_sent_and_a_key_goes_before_them():
    async with listening() as listener:
        address = f"http://me:secret@127.0.0.1:{listener.port}"
        async with posting_to(address) as posts, posting_to(address, authorization="Bearer key") as keyed:
            await posts.post("/", b"", MOST)
            await keyed.post("/", b"", MOST)
    sent = [headers["authorization"] for _, _, headers, _ in listener.seen]
    assert sent == ["Basic " + base64.b64encode(b"me:secret").decode(), "Bearer key"]


# --- proxies -------------------------------------------------------------------------------------------------------


async def test_the_environments_proxy_is_asked_for_the_whole_address(monkeypatch):
    async with listening() as proxy:
        monkeypatch.setenv("http_proxy", f"http://me:secret@127.0.0.1:{proxy.port}")
        async with posting_to("http://models.invalid:8000/v1") as posts:
            assert (await posts.post("/chat", b"question", MOST)).body == b"ok"
    ((_, first, headers, body),) = proxy.seen
    assert (first, body) == ("POST http://models.invalid:8000/v1/chat HTTP/1.1", b"question")
    assert headers["host"] == "models.invalid:8000"
    assert headers["proxy-authorization"] == "Basic " + base64.b64encode(b"me:secret").decode()


async def test_whoever_is_excepted_is_reached_without_it(monkeypatch):
    async with listening() as listener:
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        async with posting_to(f"http://127.0.0.1:{listener.port}") as posts:
            assert (await posts.post("/", b"", MOST)).body == b"ok"


# --- TLS -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return self_signed(tmp_path_factory.mktemp("certificate"), "IP:127.0.0.1")


@pytest.fixture
def served(certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context


async def test_an_answer_larger_than_any_buffer_comes_through_tls(monkeypatch, certificate, served):
    monkeypatch.setattr(posting, "authorities", lambda: ssl.create_default_context(cafile=certificate[0]))
    large = bytes(range(256)) * 8_000
    async with listening(served) as listener, posting_to(f"https://127.0.0.1:{listener.port}") as posts:
        listener.reply = f"HTTP/1.1 200 OK\r\nContent-Length: {len(large)}\r\n\r\n".encode() + large
        for _ in range(2):
            assert (await posts.post("/", large, len(large))).body == large
    assert listener.connections == 1
    assert listener.seen[0][3] == large


async def test_whoever_nobody_vouches_for_is_sent_nothing(served):
    async with listening(served) as listener, posting_to(f"https://127.0.0.1:{listener.port}") as posts:
        with pytest.raises(WireFailed) as caught:
            await posts.post("/", b"question", MOST)
    assert (caught.value.reason, caught.value.unsent) == ("connection", True)
    assert not listener.seen
