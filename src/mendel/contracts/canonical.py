"""Canonical bytes: one value, one spelling. What is hashed is exactly what is stored.

Sorted keys, UTF-8, no white space. Values that JSON would carry only with loss (NaN, infinities, integers beyond
64 bits, NUL, lone surrogates) are refused by name instead of being bent.
"""

from __future__ import annotations

from math import isfinite
from typing import Final

import orjson

from mendel.contracts.errors import ForbiddenText, PayloadTooDeep, PayloadTooLarge, PayloadUnserialisable

MAX_PAYLOAD_BYTES: Final = 1_048_576
MAX_PAYLOAD_DEPTH: Final = 32

_NUL_ESCAPE: Final = rb"\u0000"
_CONTAINERS: Final = frozenset({dict, list, tuple})
_MAX_CONTAINERS: Final = MAX_PAYLOAD_BYTES // 2


def canonical(value: object) -> bytes:
    """The canonical bytes of JSON-like ``value``, however deep and large; numbers must be finite.

    Raises:
        PayloadUnserialisable: JSON has no spelling for something in it.
        ForbiddenText: a string holds NUL or a lone surrogate.
    """
    try:
        data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as error:
        refuse_text(value)
        raise PayloadUnserialisable(f"the payload cannot be written as JSON: {error}") from error
    if _NUL_ESCAPE in data:
        refuse_text(value)
    return data


def bounded(value: object) -> bytes:
    """The canonical bytes of JSON-like ``value``, if its shape and size stay below the ceilings.

    The serialiser itself stops far above the depth that is allowed and far below the stack's; whether there is
    anything to look into level by level shows in the bytes: few brackets cannot nest deeply, and a number that is not
    finite is spelled ``null``.

    Raises:
        ContractError: as ``check_shape``, ``canonical`` and ``check_size`` do; depth before all else.
    """
    try:
        data = canonical(value)
    except (PayloadUnserialisable, ForbiddenText):
        check_shape(value)
        raise
    if data.count(b"{") + data.count(b"[") > MAX_PAYLOAD_DEPTH or b"null" in data:
        check_shape(value)
    check_size(data)
    return data


def check_shape(value: object) -> None:
    """Refuse what is nested too deeply, is too much, or holds a number that is not finite.

    It descends level by level and stops at the ceiling, so that no nesting, however deep or cyclic, overflows
    the stack or the memory of whatever comes after.

    Raises:
        PayloadTooDeep: containers nest beyond the ceiling.
        PayloadTooLarge: there are more containers than the size ceiling has room for.
        PayloadUnserialisable: a number is not finite.
    """
    level = [value]
    seen = 0
    for _ in range(MAX_PAYLOAD_DEPTH):
        seen += len(level)
        if seen > _MAX_CONTAINERS:
            raise PayloadTooLarge(f"the payload holds more than {_MAX_CONTAINERS:,} containers; store it as a blob")
        below: list[object] = []
        for outer in level:
            _collect_containers(outer, below)
        if not below:
            return
        level = below
    raise PayloadTooDeep(f"the payload nests deeper than {MAX_PAYLOAD_DEPTH} levels; flatten it or store it as a blob")


def check_size(data: bytes, what: str = "payload") -> None:
    """Refuse bytes above the ceiling.

    Raises:
        PayloadTooLarge: they are.
    """
    if len(data) > MAX_PAYLOAD_BYTES:
        raise PayloadTooLarge(
            f"the {what} takes {len(data):,} bytes, above the ceiling of {MAX_PAYLOAD_BYTES:,}; "
            "store the large part as a blob and refer to it"
        )


def _collect_containers(outer: object, found: list[object]) -> None:
    """Add the containers directly inside ``outer`` to ``found``, and look at its numbers in passing."""
    if isinstance(outer, dict):
        outer = outer.values()
    elif not isinstance(outer, list | tuple):
        outer = (outer,)
    for item in outer:
        kind = type(item)
        if kind in _CONTAINERS:
            found.append(item)
        elif kind is float and not isfinite(item):
            raise PayloadUnserialisable(f"the payload holds the number {item}, which JSON cannot carry")


def refuse_text(value: object, path: str = "payload") -> None:
    """Raise for the first string in ``value`` that not every reader could take, naming where it is."""
    match value:
        case str():
            _refuse_string(value, path)
        case dict():
            for key, inner in value.items():
                _refuse_string(str(key), f"a key of {path}")
                refuse_text(inner, f"{path}.{key}")
        case list() | tuple():
            for index, inner in enumerate(value):
                refuse_text(inner, f"{path}[{index}]")


def _refuse_string(text: str, path: str) -> None:
    for position, character in enumerate(text):
        if character == "\x00" or "\ud800" <= character <= "\udfff":
            name = "NUL" if character == "\x00" else f"the lone surrogate U+{ord(character):04X}"
            raise ForbiddenText(
                f"{path.encode('utf-8', 'replace').decode()} holds {name} at character {position}; "
                "escape it, or store the bytes as a blob"
            )
