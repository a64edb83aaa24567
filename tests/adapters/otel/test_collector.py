from base64 import b64decode
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.adapters.otel import collector as names
from mendel.adapters.otel.attributes import SHOWN, shown
from mendel.adapters.otel.collector import Collector, CollectorUnclear, secrets_of
from mendel.contracts.scrub import Scrubber

LANGFUSE = {"LANGFUSE_HOST": "https://lf.example", names.PUBLIC_KEY: "pk-lf-1", names.SECRET_KEY: "sk-lf-2"}
VARIABLES = st.sampled_from(
    [
        *(names.ENDPOINT, names.TRACES_ENDPOINT, names.HEADERS, names.TRACES_HEADERS),
        *(names.PUBLIC_KEY, names.SECRET_KEY, *names.LANGFUSE_HOSTS, *names.TIMEOUTS),
    ]
)
ADDRESSES = st.sampled_from(
    ["http://h", "https://u:p@h:1/x?y=z", "h:4318", "", "http://", "http://[", "\0", "http://h:x"]
)
SECRET = "canary-1f3a9c5e7b-canary-1f3a9c5e7b"


def test_the_endpoint_of_all_signals_is_a_base():
    found = Collector.from_environment({names.ENDPOINT: "http://collector:4318/"})
    assert found.endpoint == "http://collector:4318/v1/traces"
    assert found.timeout_s == names.TIMEOUT_S


def test_the_endpoint_of_traces_is_taken_as_it_is():
    environ = {names.TRACES_ENDPOINT: "http://one/t", names.ENDPOINT: "http://two", **LANGFUSE}
    assert Collector.from_environment(environ).endpoint == "http://one/t"


def test_headers_are_read():
    environ = {names.ENDPOINT: "http://c", names.HEADERS: " Authorization=Basic%20abc=, x-team = pea ,,=,nothing"}
    assert Collector.from_environment(environ).headers == {"authorization": "Basic abc=", "x-team": "pea"}


@pytest.mark.parametrize("host", names.LANGFUSE_HOSTS)
def test_langfuse_is_found_by_its_own_variables(host):
    found = Collector.from_environment({**LANGFUSE, "LANGFUSE_HOST": "", host: "https://lf.example/"})
    assert found.endpoint == "https://lf.example/api/public/otel/v1/traces"
    scheme, _, basic = found.headers["authorization"].partition(" ")
    assert scheme == "Basic"
    assert b64decode(basic) == b"pk-lf-1:sk-lf-2"


def test_nothing_said_is_nobody():
    assert Collector.from_environment({}) is None
    assert secrets_of({}) == ()


@check_rows(("text", "seconds"), [("3", 3.0), ("0", 10.0), ("-1", 10.0), ("soon", 10.0), ("inf", 10.0)])
def test_a_timeout_is_a_number_above_nothing(text, seconds):
    assert Collector.from_environment({names.ENDPOINT: "http://c", names.TIMEOUTS[1]: text}).timeout_s == seconds


def test_neither_keys_nor_passwords_show():
    environ = {names.ENDPOINT: f"http://user:{SECRET}@h:4318/{SECRET}?k={SECRET}", names.HEADERS: f"a=Basic {SECRET}"}
    found = Collector.from_environment(environ)
    assert SECRET not in repr(found) + str(found)
    assert found.place == "http://h:4318"


def test_what_headers_give_away_is_known_to_whoever_scrubs():
    found = secrets_of(LANGFUSE)
    assert found[0].startswith("Basic ")
    assert found == (found[0], found[0].removeprefix("Basic "))
    assert secrets_of({names.ENDPOINT: "http://c", names.HEADERS: "x-team=peapeapea"}) == ("peapeapea",)
    assert secrets_of({"LANGFUSE_HOST": "http://c"}) == ()


@given(st.dictionaries(VARIABLES, ADDRESSES | st.text(max_size=30)))
def test_any_environment_is_a_collector_or_none_or_unclear(environ):
    with suppress(CollectorUnclear):
        found = Collector.from_environment(environ)
        assert found is None or found.place.startswith("http")
    assert all(isinstance(secret, str) for secret in secrets_of(environ))


@given(st.integers(-40, 40), st.sampled_from([0, 1, 300, 800]), st.sampled_from([SHOWN, SHOWN + 8_192]))
def test_no_piece_of_a_secret_survives_the_cut(offset, before, place):
    scrubber = Scrubber([SECRET])
    text = SECRET * before
    text += "." * (place + offset - len(text)) + SECRET + "." * 20_000
    told = shown(text, scrubber)
    assert "canary" not in told
    assert len(told) <= SHOWN + 10


@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_whatever_is_shown_is_utf_8(text):
    shown(text, Scrubber()).encode()
