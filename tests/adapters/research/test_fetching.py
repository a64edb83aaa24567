"""``fetch_url`` against a real server: what it reads, and where it can never be sent."""

import asyncio
import gzip
import ssl
import tracemalloc
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters.research.site import INSIDE, PUBLIC, Site, answer, dripping, endless, moved, silent
from tests.support.certificates import self_signed
from tests.support.rows import check_rows

from mendel.adapters.research.addresses import Reach
from mendel.adapters.research.fetching import Fetcher, FetchLimits
from mendel.ports.research import ToolFailed

HOSTILE = [
    # addresses of this side, spelled out
    *("http://127.0.0.1/", "http://127.0.0.1:80/", "http://10.0.0.1/", "http://192.168.1.1/", "http://172.16.0.1/"),
    *("http://169.254.169.254/latest/meta-data/", "http://100.100.100.200/", "http://192.0.0.192/", "http://0.0.0.0/"),
    *("http://168.63.129.16/", "http://100.64.0.1/", "http://224.0.0.1/", "http://255.255.255.255/", "http://0/"),
    # the same in other numbers
    *("http://2130706433/", "http://0x7f000001/", "http://017700000001/", "http://0177.0.0.1/", "http://0x7f.0.0.1/"),
    *("http://127.1/", "http://127.0.1/", "http://00000127.0.0.1/", "http://0x7f.1/", "http://127.0.0.1./"),
    *("http://3232235777/", "http://0xa9fea9fe/", "http://2852039166/", "http://0xA9.0xFE.0xA9.0xFE/"),
    # IPv6 and what it carries
    *("http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::127.0.0.1]/"),
    *("http://[0:0:0:0:0:0:0:1]/", "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/"),
    *("http://[fd00:ec2::254]/", "http://[fc00::1]/", "http://[ff02::1]/", "http://[2002:7f00:1::]/"),
    *("http://[64:ff9b::127.0.0.1]/", "http://[64:ff9b::a9fe:a9fe]/", "http://[2001:0:7f00:1::]/", "http://[::1"),
    *("http://[::ffff:8.8.8.8]/", "http://::1/", "http://[127.0.0.1]/", "http://[v1.127]/"),
    # names of this side
    *("http://localhost/", "http://LocalHost/", "http://localhost./", "http://x.localhost/", "http://router/"),
    *("http://metadata.google.internal/", "http://printer.local/", "http://metadata/", "http://a.home.arpa/"),
    # who is the host
    *("http://peas.example@127.0.0.1/", "http://127.0.0.1@peas.example/", "http://user:password@peas.example/"),
    *("http://@peas.example/", "http://peas.example:80@127.0.0.1/", "http://peas.example\\@127.0.0.1/"),
    *("http://127.0.0.1\\@peas.example/", "http://peas.example%40127.0.0.1/", "http://127.0.0.1%2f@peas.example/"),
    *("http://127.0.0.1%00.peas.example/", "http://peas.example%2f.local/", "http://127%2e0%2e0%2e1/"),
    *("http:///127.0.0.1/", "http:127.0.0.1", "http:/127.0.0.1/", "//127.0.0.1/"),
    # letters that are not what they look like
    *("http://127\N{IDEOGRAPHIC FULL STOP}0\N{IDEOGRAPHIC FULL STOP}0\N{IDEOGRAPHIC FULL STOP}1/",),
    *("http://127\N{FULLWIDTH FULL STOP}0.0.1/", "http://\N{FULLWIDTH DIGIT ONE}27.0.0.1/"),
    *("http://\N{CIRCLED LATIN SMALL LETTER L}ocalhost/", "http://local\N{SOFT HYPHEN}host/"),
    *("http://localhost\N{FULLWIDTH FULL STOP}/",),
    *("http://peas\N{ZERO WIDTH SPACE}.example/",),
    *("http://\N{CIRCLED DIGIT ONE}\N{CIRCLED DIGIT TWO}\N{CIRCLED DIGIT SEVEN}.0.0.1/",),
    # other schemes, other ports
    *("file:///etc/passwd", "ftp://peas.example/", "gopher://peas.example/", "data:text/plain,x"),
    *("unix:/run/x.sock", "javascript:alert(1)", "httpx://peas.example/", "ws://peas.example/", "jar:http://peas.example!/"),
    *("dict://127.0.0.1/",),
    *("http://peas.example:22/", "http://peas.example:0/", "http://peas.example:6379/", "https://peas.example:8443/"),
    *("http://peas.example:65536/", "http://peas.example:-1/", "http://peas.example:80:80/", "http://peas.example:x/"),
    # no address at all
    *("", " ", "peas.example", "http://", "http://?", "http://#", "http://.", "http://..", "http://-/", "http:// /"),
    *(" http://peas.example/", "http://peas.example/ x", "http://peas.example/\r\nHost: evil", "http://peas.exa\tmple/"),
    *("http://peas.example/\0", "http://" + "x" * 300 + ".example/", "http://peas.example/" + "x" * 3_000),
]  # fmt: skip
RELATIVE = {
    "http://@peas.example/",
    "http://",
    "http://?",
    "http://#",
    " http://peas.example/",
    "http://peas.example/ x",
}
"""Behind a redirect these mean the very site, or nothing."""


def leads_to(*addresses):
    """A resolver that always says the same."""

    async def resolve(host, port):
        return addresses

    return resolve


def changing(*answers):
    """A resolver that says something else each time, and keeps what it was asked."""
    left, asked = list(answers), []

    async def resolve(host, port):
        asked.append(host)
        return left.pop(0)

    resolve.asked = asked
    return resolve


def reaching(*sites, resolve=None, tls=None, **limits):
    """A fetcher to which the sites' ports are open, and the public one of loopback's addresses is the Internet."""
    reach = Reach(ports=frozenset({80, 443, *(site.port for site in sites)}), trusted=frozenset({ip_address(PUBLIC)}))
    limits = FetchLimits(**{"timeout_s": 30.0, **limits})
    return Fetcher(reach=reach, resolve=resolve or leads_to(PUBLIC), limits=limits, tls=tls)


async def refused(fetcher, url):
    with pytest.raises(ToolFailed) as caught:
        await fetcher.fetch(url)
    return caught.value.code


# --- what it reads ---------------------------------------------------------------------------------------------


async def test_a_page_is_read_as_text():
    html = "<title>Peas</title><script>steal()</script><h1>Green &amp; round</h1><p>Count them.</p>"
    async with Site({"/p": answer(html, kind="text/html; charset=utf-8")}) as site:
        page = await reaching(site).fetch(f"http://peas.example:{site.port}/p?q=1&r=%20#part")
    assert page.text == "Peas\n\nGreen & round\n\nCount them."
    assert page.url.startswith("http://peas.example:")
    (asked,) = site.asked
    assert asked.target == "/p?q=1&r=%20"
    assert asked.headers["host"] == f"peas.example:{site.port}"
    assert {"cookie", "authorization", "referer", "proxy-authorization"}.isdisjoint(asked.headers)


@check_rows(
    ("kind", "body", "text"),
    [
        ("text/plain", "gr\xfcn".encode(), "gr\xfcn"),
        ("text/plain; charset=iso-8859-1", "gr\xfcn".encode("latin-1"), "gr\xfcn"),
        ('text/plain; charset="windows-1252"', b"\x93peas\x94", "\u201cpeas\u201d"),
        ("text/plain; charset=idna", "gr\xfcn".encode(), "gr\xfcn"),
        ("text/plain; charset=unicode_escape", rb"\x41", r"\x41"),
        ("text/plain; charset=nonsense", b"peas", "peas"),
        ("TEXT/MARKDOWN", b"# peas", "# peas"),
        ("application/json", b'{"a": 1}', '{"a": 1}'),
        ("application/feed+json;charset=utf-8", b"[]", "[]"),
        ("text/plain", b"a\0b\x1b[31mc\xff", "ab[31mc\ufffd"),
        ("application/xhtml+xml", b"<p>peas</p>", "peas"),
    ],
)
async def test_text_html_and_json_are_read(kind, body, text):
    async with Site({"/": answer(body, kind=kind)}) as site:
        assert (await reaching(site).fetch(f"http://peas.example:{site.port}/")).text == text


@check_rows("kind", [None, "", "image/png", "application/octet-stream", "application/pdf", "video/mp4"])
async def test_nothing_else_is(kind):
    async with Site({"/": answer(b"peas", kind=kind)}) as site:
        assert await refused(reaching(site), f"http://peas.example:{site.port}/") == "content_refused"


@check_rows(
    ("status", "code"),
    [
        (401, "auth"),
        (403, "auth"),
        (404, "bad_request"),
        (429, "rate_limited"),
        (500, "overloaded"),
        (304, "bad_request"),
    ],
)
async def test_what_the_server_refuses_is_told(status, code):
    async with Site({"/": answer(b"peas", status=status)}) as site:
        assert await refused(reaching(site), f"http://peas.example:{site.port}/") == code


async def test_a_compressed_page_is_read():
    async with Site({"/": answer("peas " * 1_000, encoding="gzip")}) as site:
        assert (await reaching(site).fetch(f"http://peas.example:{site.port}/")).text == ("peas " * 1_000)
    assert site.asked[0].headers["accept-encoding"] == "gzip"


# --- what it does not read to its end ------------------------------------------------------------------------------


async def test_a_bomb_is_given_up():
    bomb = gzip.compress(b"\0" * 50_000_000)
    said = answer(b"", Content_Encoding="gzip").replace(b"Content-Length: 0", f"Content-Length: {len(bomb)}".encode())
    async with Site({"/": said + bomb}) as site:
        tracemalloc.start()
        try:
            code = await refused(reaching(site, body_bytes=100_000), f"http://peas.example:{site.port}/")
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert code == "answer_too_large"
    assert peak < 10_000_000


@check_rows(
    ("page", "code"),
    [
        (endless, "answer_too_large"),
        (dripping, "timeout"),
        (silent, "timeout"),
        (answer(b"x" * 200_000), "answer_too_large"),
        (answer(b"no gzip", Content_Encoding="gzip"), "unreadable"),
        (answer(b"peas", Content_Encoding="br"), "unreadable"),
        (answer(b"peas", Content_Encoding="gzip, gzip"), "unreadable"),
        (answer(b"peas" * 10_000, encoding="gzip")[:-20].replace(b"Content-Length", b"X-Length"), "unreadable"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 900\r\n\r\ncut", "connection"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "connection"),
        (b"", "connection"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000_000, "connection"),
    ],
)
async def test_a_server_cannot_hold_it(page, code):
    async with Site({"/": page}) as site:
        fetcher = reaching(site, body_bytes=100_000, timeout_s=1.0 if code == "timeout" else 30.0)
        assert await refused(fetcher, f"http://peas.example:{site.port}/") == code


async def test_a_resolver_cannot_hold_it_either():
    async def resolve(host, port):
        await asyncio.sleep(3_600)

    assert (
        await refused(Fetcher(resolve=resolve, limits=FetchLimits(timeout_s=0.1)), "http://peas.example/") == "timeout"
    )


# --- where it cannot be sent ---------------------------------------------------------------------------------------


@check_rows("url", HOSTILE)
async def test_it_is_sent_nowhere_but_to_public_addresses(url):
    async def resolve(host, port):
        raise AssertionError(f"{host} was looked up")

    assert await refused(Fetcher(resolve=resolve), url) == "address_refused"


@check_rows(
    "addresses",
    [
        ("127.0.0.1",), ("10.0.0.1",), ("169.254.169.254",), ("::1",), ("::ffff:127.0.0.1",), ("fd00:ec2::254",),
        ("64:ff9b::7f00:1",), ("2002:7f00:1::",), ("0.0.0.0",), ("fe80::1%lo",), ("not an address",),
        ("8.8.8.8", "127.0.0.1"), ("127.0.0.1", "8.8.8.8"), ("8.8.8.8", "::1"), ("8.8.8.8", ""),
    ],
)  # fmt: skip
async def test_a_public_name_that_leads_inside_is_refused(addresses):
    assert await refused(Fetcher(resolve=leads_to(*addresses)), "http://peas.example/") == "address_refused"


@pytest.mark.parametrize("error", [OSError("no"), UnicodeError("no")])
async def test_a_name_without_an_address_is_no_address(error):
    async def resolve(host, port):
        raise error

    assert await refused(Fetcher(resolve=resolve), "http://peas.example/") == "connection"
    assert await refused(Fetcher(resolve=leads_to()), "http://peas.example/") == "connection"
    many = [f"8.8.8.{number}" for number in range(50)]
    assert await refused(Fetcher(resolve=leads_to(*many)), "http://peas.example/") == "connection"


async def test_what_stands_behind_the_host_is_not_the_host():
    resolve = changing(["127.0.0.1"])
    assert await refused(Fetcher(resolve=resolve), "http://peas.example#@8.8.8.8:22/") == "address_refused"
    assert resolve.asked == ["peas.example"]


async def test_a_name_is_resolved_once_and_the_connection_goes_there():
    """Rebinding: who looked at the first answer must not connect to the second."""
    async with Site({"/": answer("outside")}) as outside, Site({"/": answer("inside")}, host=INSIDE) as inside:
        resolve = changing([PUBLIC], [INSIDE])
        fetcher = reaching(outside, inside, resolve=resolve)
        assert (await fetcher.fetch(f"http://peas.example:{outside.port}/")).text == "outside"
        assert resolve.asked == ["peas.example"]
        assert await refused(fetcher, f"http://peas.example:{inside.port}/") == "address_refused"
    assert inside.asked == []


async def test_a_redirect_is_resolved_again_and_looked_at_again():
    async with Site() as outside, Site({"/": answer("inside")}, host=INSIDE) as inside:
        outside.pages["/"] = moved(f"http://peas.example:{inside.port}/")
        resolve = changing([PUBLIC], [INSIDE])
        assert await refused(reaching(outside, inside, resolve=resolve), f"http://peas.example:{outside.port}/")
        assert resolve.asked == ["peas.example"] * 2
    assert inside.asked == []


@check_rows("url", [url for url in HOSTILE if ":/" in url and url.isprintable() and url not in RELATIVE])
async def test_a_redirect_leads_nowhere_else(url):
    async with Site({"/": moved(url.encode().decode("latin-1"))}) as site:
        # A redirect to what is no address of its own is one to another page of the same site.
        assert await refused(reaching(site), f"http://peas.example:{site.port}/") in {"address_refused", "bad_request"}
        assert site.asked[0].target == "/"


@check_rows("status", [301, 302, 303, 307, 308])
async def test_redirects_are_followed_without_what_the_first_page_set(status):
    async with Site() as site:
        site.pages["/"] = answer(b"", status=status, Location="/b", Set_Cookie="a=b; Path=/")
        site.pages["/b"] = moved(f"http://beans.example:{site.port}/c")
        site.pages["/c"] = answer("arrived")
        page = await reaching(site).fetch(f"http://peas.example:{site.port}/")
    assert (page.text, page.url) == ("arrived", f"http://beans.example:{site.port}/c")
    assert [asked.headers["host"].partition(":")[0] for asked in site.asked] == [
        *["peas.example"] * 2,
        "beans.example",
    ]
    assert all("cookie" not in asked.headers and "referer" not in asked.headers for asked in site.asked)


async def test_redirects_end():
    async with Site({"/": moved("/")}) as site:
        assert await refused(reaching(site), f"http://peas.example:{site.port}/") == "too_many_redirects"
        assert len(site.asked) == 6
        site.pages["/"] = moved("")
        assert await refused(reaching(site), f"http://peas.example:{site.port}/") == "unreadable"


async def test_another_address_is_tried_where_one_is_dead():
    dead = "127.0.0.3"
    async with Site({"/": answer("alive")}) as site:
        trusted = frozenset(map(ip_address, (dead, PUBLIC)))
        reach = Reach(ports=frozenset({site.port}), trusted=trusted)
        fetcher = Fetcher(reach=reach, resolve=leads_to(dead, PUBLIC))
        assert (await fetcher.fetch(f"http://peas.example:{site.port}/")).text == "alive"


async def test_the_environment_names_no_proxy(monkeypatch):
    async with Site({"/": answer("direct")}) as site, Site(host=INSIDE) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://{INSIDE}:{proxy.port}")
        assert (await reaching(site).fetch(f"http://peas.example:{site.port}/")).text == "direct"
    assert proxy.asked == []


@given(st.text() | st.from_regex(r"https?://[^/]{0,40}(/.*)?", fullmatch=True))
def test_no_text_is_more_than_refused(text):
    async def resolve(host, port):
        return ["127.0.0.1"]

    async def look():
        return await refused(Fetcher(resolve=resolve), text)

    assert asyncio.run(look()) in {"address_refused", "connection"}


# --- TLS -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate of its own for peas.example, with its key."""
    return self_signed(tmp_path_factory.mktemp("tls"), "DNS:peas.example")


async def test_the_certificate_must_be_of_the_name_and_the_handshake_says_it(certificate):
    served, trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context(cafile=certificate[0])
    served.load_cert_chain(*certificate)
    names = []
    served.sni_callback = lambda connection, name, context: names.append(name)
    async with Site({"/": answer("private")}, tls=served) as site:
        fetcher = reaching(site, tls=trusting)
        assert (await fetcher.fetch(f"https://peas.example:{site.port}/")).text == "private"
        assert await refused(fetcher, f"https://beans.example:{site.port}/") == "connection"
        assert await refused(fetcher, f"https://{PUBLIC}:{site.port}/") == "connection"
        assert await refused(reaching(site), f"https://peas.example:{site.port}/") == "connection"
    assert names[:2] == ["peas.example", "beans.example"]
    assert [asked.headers["host"] for asked in site.asked] == [f"peas.example:{site.port}"]
