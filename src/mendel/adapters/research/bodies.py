"""Reads bodies of HTTP responses up to a limit that also applies to their decompressed size."""

from __future__ import annotations

import codecs
import re
import zlib
from typing import Final, Literal

import httpx2

ENCODINGS: Final = "gzip"
_CHARSETS: Final = re.compile(
    r"utf-?8|utf-?16(-?[lb]e)?|us-ascii|ascii|latin-?1|iso-?8859-\d{1,2}|windows-\d{3,4}|koi8-[ru]|shift_jis|euc-(jp|kr)"
    r"|gb(2312|k|18030)|big5"
)
"""Accepted character sets. Some of Python's other codecs take more than linear time."""


class BodyRefused(Exception):
    """A body that is too large, or in an encoding that cannot be read."""

    def __init__(self, reason: Literal["answer_too_large", "unreadable"], message: str) -> None:
        super().__init__(message)
        self.reason: Final = reason


async def body_of(response: httpx2.Response, ceiling: int) -> bytes:
    """Return the decoded body.

    Raises:
        BodyRefused: it is larger than ``ceiling`` bytes decoded, or has an encoding that was not requested.
        httpx2.TransportError: the connection broke.
    """
    unzip = _unzip(response.headers.get("content-encoding", ""))
    body = bytearray()
    async for raw in response.aiter_raw():
        try:
            body += raw if unzip is None else unzip.decompress(raw, ceiling + 1 - len(body))
        except zlib.error as error:
            raise BodyRefused("unreadable", "the answer is not compressed as it says") from error
        if len(body) > ceiling:
            raise BodyRefused("answer_too_large", f"the answer has more than {ceiling:,} bytes")
    if unzip is not None and body and not unzip.eof:
        raise BodyRefused("unreadable", "the compressed answer is cut off")
    return bytes(body)


def _unzip(encoding: str) -> zlib._Decompress | None:
    named = encoding.strip().lower()
    if named in {"", "identity"}:
        return None
    if named != ENCODINGS:
        raise BodyRefused("unreadable", "the answer is encoded in a way that was not asked for")
    return zlib.decompressobj(16 + zlib.MAX_WBITS)


def text_in(body: bytes, charset: str | None) -> str:
    """Decode a body; an invalid character becomes U+FFFD, and an unknown character set is read as UTF-8."""
    named = (charset or "utf-8").strip("\"' ").lower()
    known = named if _CHARSETS.fullmatch(named) and _exists(named) else "utf-8"
    return body.decode(known, errors="replace").removeprefix("\ufeff")


def _exists(charset: str) -> bool:
    try:
        codecs.lookup(charset)
    except LookupError:
        return False
    return True
