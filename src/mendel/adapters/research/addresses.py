"""Decides which addresses may be contacted on behalf of untrusted input: only genuinely public ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

IPAddress = IPv4Address | IPv6Address

_REFUSED_V4: Final = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # "this network", which also reaches this machine
            "10.0.0.0/8",
            "100.64.0.0/10",  # carrier-grade NAT; also one cloud's metadata service
            "127.0.0.0/8",
            "168.63.129.16/32",  # looks public, but is a cloud's host agent
            "169.254.0.0/16",  # link-local, and most clouds' metadata service
            "172.16.0.0/12",
            "192.0.0.0/24",  # protocol assignments; also one cloud's metadata service
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",  # multicast, reserved, broadcast
        ),
    )
)
_GLOBAL_V6: Final = IPv6Network("2000::/3")
_REFUSED_V6: Final = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments, among them Teredo, benchmarking and ORCHID
            "2001:db8::/32",
            "2002::/16",  # 6to4
            "3ffe::/16",
            "3fff::/20",
        ),
    )
)
_NAT64: Final = IPv6Network("64:ff9b::/96")  # carries a public IPv4 address
_ISATAP: Final = frozenset({0x0000_5EFE, 0x0200_5EFE})  # interface identifiers that carry an IPv4 address
_LOW: Final = 0xFFFF_FFFF  # the low 32 bits

_NAME: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)+")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")  # decimal, octal or hexadecimal
_INNER: Final = frozenset(
    {
        *("localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan"),
        *("arpa", "onion", "test", "invalid"),
    }
)
"""Top-level names that are never public, whatever a local resolver returns."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The allowed destinations. ``trusted`` lists non-public addresses that the operator allows."""

    ports: frozenset[int] = frozenset({80, 443})
    trusted: frozenset[IPAddress] = frozenset()

    def allows(self, address: IPAddress) -> bool:
        """Whether a connection to this address is allowed."""
        return address in self.trusted or is_public(address)


def is_public(address: IPAddress) -> bool:
    """Whether an address is public, that is, leads out to the Internet and to nothing on this side of it.

    For IPv6 this means global unicast, and public IPv4 addresses behind NAT64. Tunnels and other addresses that embed
    an IPv4 address are refused, whichever address they embed.
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _REFUSED_V4)
    if address.scope_id is not None:
        return False
    if address in _NAT64:
        return is_public(IPv4Address(int(address) & _LOW))
    if (int(address) >> 32) & _LOW in _ISATAP:
        return False
    return address in _GLOBAL_V6 and not any(address in network for network in _REFUSED_V6)


def literal(host: str) -> IPAddress | None:
    """Parse ``host`` as an address in its canonical spelling; None if it is anything else."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def is_public_name(host: str) -> bool:
    """Whether ``host``, in lower case and ASCII, can be a name on the Internet.

    A name that ends in a number is refused: some resolvers read it as an address (decimal, octal, hexadecimal, short).
    """
    if len(host) > 253 or _NAME.fullmatch(host) is None:
        return False
    last = host.rpartition(".")[2]
    return last not in _INNER and _NUMBER.fullmatch(last) is None
