"""Canonical JSON: every value has exactly one encoding, and the hashed bytes are the stored bytes.

Keys are sorted, the encoding is UTF-8, and there is no white space. Values that JSON cannot represent without loss
(NaN, infinities, integers beyond 64 bits, NUL, lone surrogates) are refused with a specific error, never converted.
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
_MAX_CONTAINERS: Final = MAX_PAYLOAD_BYTES // 2  # each takes two bytes at least


def canonical(value: object) -> bytes:
    """Return the canonical bytes of JSON-like ``value``, without a limit on depth or size; numbers must be finite.

    Raises:
        PayloadUnserialisable: JSON cannot represent a value in it.
        ForbiddenText: a string contains NUL or a lone surrogate.
    """
    try:
        data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as error:
        refuse_text(value)  # a lone surrogate has its own error
        raise PayloadUnserialisable(f"the payload cannot be written as JSON: {error}") from error
    if _NUL_ESCAPE in data:  # or an escaped backslash before u0000: refuse_text finds out
        refuse_text(value)
    return data


def bounded(value: object) -> bytes:
    """Return the canonical bytes of JSON-like ``value``, if its shape and size are within the limits.

    The serialiser has its own depth limit, far above the allowed depth and far below a stack overflow. The bytes show
    whether a check level by level is necessary at all: few brackets cannot nest deeply, and a non-finite number is
    written as ``null``.

    Raises:
        ContractError: as for ``check_shape``, ``canonical`` and ``check_size``; depth is checked first.
    """
    try:
        data = canonical(value)
    except (PayloadUnserialisable, ForbiddenText):
        check_shape(value)  # a wrong depth or number is the more helpful error
        raise
    if data.count(b"{") + data.count(b"[") > MAX_PAYLOAD_DEPTH or b"null" in data:
        check_shape(value)
    check_size(data)
    return data


def check_shape(value: object) -> None:
    """Refuse a value that nests too deeply, has too many containers, or contains a non-finite number.

    The check descends level by level and stops at the limit, so that no deep or cyclic nesting can overflow the stack
    or the memory of later code.

    Raises:
        PayloadTooDeep: containers nest beyond the limit.
        PayloadTooLarge: there are more containers than fit into the size limit.
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
    """Refuse bytes above the size limit.

    Raises:
        PayloadTooLarge: they are above it.
    """
    if len(data) > MAX_PAYLOAD_BYTES:
        raise PayloadTooLarge(
            f"the {what} takes {len(data):,} bytes, above the ceiling of {MAX_PAYLOAD_BYTES:,}; "
            "store the large part as a blob and refer to it"
        )


def _collect_containers(outer: object, found: list[object]) -> None:
    """Add the containers directly inside ``outer`` to ``found``, and check its numbers."""
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
    """Raise for the first forbidden string in ``value``, and name its place."""
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
