"""Which addresses and names are public: long lists of those that are not."""

from ipaddress import IPv4Address, IPv6Address, ip_address

from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.adapters.research.addresses import Reach, is_public, is_public_name, literal

INSIDE_V4 = [
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.9"),
    *("169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.168.0.1"),
    *("192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.19.255.255", "198.51.100.7"),
    *(
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "100.100.100.200",
        "168.63.129.16",
    ),
]
PUBLIC_V4 = ["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255"]
PUBLIC_V4 += [
    "128.0.0.1",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.1.1",
    "192.169.0.1",
    "198.17.0.1",
    "223.255.255.255",
]
INSIDE_V6 = [
    *("::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8"),
    *(
        "::ffff:0:127.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::10.1.2.3",
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::8.8.8.8",
    ),
    *("100::1", "2001::1", "2001:0:7f00:1::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1"),
    *("2002:7f00:1::", "2002:a00:1::1", "2002:808:808::1", "3ffe::1", "3fff::1", "fc00::1", "fd00:ec2::254", "fdff::1"),
    *("fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "ff02::1", "ff0e::1", "4000::1", "e000::1", "5f00::1"),
    *("2606:4700::5efe:10.0.0.1", "2606:4700::200:5efe:10.0.0.1", "2606:4700::1111%lo"),
]
PUBLIC_V6 = ["2606:4700:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888", "64:ff9b::8.8.8.8"]

INSIDE_NAMES = [
    *("localhost", "localhost.", "LOCALHOST", "a.localhost", "router", "metadata", "metadata.google.internal"),
    *("printer.local", "db.internal", "wiki.corp", "nas.lan", "nas.home", "x.home.arpa", "1.0.0.127.in-addr.arpa"),
    *("x.onion", "x.test", "x.invalid", "host.localdomain", "intra.intranet", "x.private"),
    *("2130706433", "0x7f000001", "017700000001", "127.1", "127.0.1", "0x7f.1", "0177.0.0.1", "0x7f.0x0.0x0.0x1"),
    *("1.2.3.4.5", "127.0.0.1.0", "example.0x", "example.123", "example.0x7f", "peas.example.1"),
    *("", ".", "..", "a..b", ".peas.example", "-peas.example", "peas-.example", "peas example.org", "peas.example/"),
    *(
        "peas\\.example",
        "peas%2eexample",
        "peas.example:80",
        "user@peas.example",
        "[::1]",
        "peas.exa\N{CYRILLIC SMALL LETTER ES}",
    ),
    *(
        "127\N{IDEOGRAPHIC FULL STOP}0.0.1",
        "x" * 64 + ".example",
        "a." * 130 + "example",
        "peas.example\n",
        "peas\0.example",
    ),
]
PUBLIC_NAMES = ["peas.example", "www.peas.example", "a-b.c-d.example", "xn--bcher-kva.example", "1peas.2beans.example"]
PUBLIC_NAMES += [
    "_dmarc.peas.example",
    "123.example",
    "localhost.peas.example",
    "internal.peas.example",
    "0x7f.example",
]


@check_rows("address", [*INSIDE_V4, *INSIDE_V6])
def test_what_is_on_this_side_is_not_public(address):
    assert not is_public(ip_address(address))


@check_rows("address", [*PUBLIC_V4, *PUBLIC_V6])
def test_what_is_on_the_other_side_is(address):
    assert is_public(ip_address(address))


@given(st.ip_addresses())
def test_what_the_standard_library_knows_as_private_is_never_public(address):
    if address.is_private or address.is_loopback or address.is_multicast or address.is_reserved:
        assert not is_public(address) or address in literal_nat64(address)
    if address.is_link_local or address.is_unspecified:
        assert not is_public(address)


def literal_nat64(address):
    """A NAT64 address is reserved to the standard library; whether it leads outside depends on what it carries."""
    carried = IPv4Address(int(address) & 0xFFFFFFFF)
    return {IPv6Address(int(IPv6Address("64:ff9b::")) | int(carried))} if is_public(carried) else set()


@given(st.ip_addresses(v=4))
def test_no_disguise_makes_an_inner_address_public(address):
    number = int(address)
    disguises = [
        IPv6Address(number),
        IPv6Address(0xFFFF << 32 | number),
        IPv6Address(0x2002 << 112 | number << 80),
        IPv6Address(int(IPv6Address("64:ff9b:1::")) | number),
        IPv6Address(int(IPv6Address("2001::")) | number ^ 0xFFFFFFFF),
    ]
    assert not any(map(is_public, disguises))
    assert is_public(IPv6Address(int(IPv6Address("64:ff9b::")) | number)) == is_public(address)


@check_rows("name", INSIDE_NAMES)
def test_what_is_no_public_name(name):
    assert not is_public_name(name)


@check_rows("name", PUBLIC_NAMES)
def test_what_is_one(name):
    assert is_public_name(name)


@given(st.text())
def test_a_text_is_never_both_an_address_and_a_name(text):
    assert literal(text) is None or not is_public_name(text)


def test_an_operator_may_trust_single_addresses():
    reach = Reach(trusted=frozenset({ip_address("10.0.0.7")}))
    assert reach.allows(ip_address("10.0.0.7"))
    assert not reach.allows(ip_address("10.0.0.8"))
    assert not Reach().allows(ip_address("10.0.0.7"))
