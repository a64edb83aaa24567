"""The one scrubber: no secret enters an event, a blob, a trace, a page or an error (rule 4).

Three layers: the formats of well-known keys, the names of keys in objects, and the values of secret-named
environment variables. A cheap search over the serialised bytes decides whether a payload is looked into at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import unquote

from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind
from pydantic import JsonValue

REDACTED: Final = "[REDACTED]"
MIN_SECRET_LENGTH: Final = 8

# What its surroundings give away comes first: it reaches further than the form of the key that may stand there.
_FORMATS: Final = (
    r"(?<=://)(?P<user>[^\s/:@\"']*):[^\s/@\"']+(?=@)",
    r"(?ai:(?<=bearer )|(?<=basic ))[A-Za-z0-9._~+/-]{16,}=*",
    r"(?ai:(?<=x-api-key: )|(?<=api-key: ))[\"']?[^\s\"'\\,]{8,}",
    r"(?<![A-Za-z])sk-[A-Za-z0-9_-]{16,}",  # but not the end of task-, risk- or disk-
    r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
    r"AIza[0-9A-Za-z_-]{30,}",
    r"A(?:KI|SI)A[0-9A-Z]{16}",
    r"gh[pousr]_[A-Za-z0-9]{30,}",
    r"github_pat_[A-Za-z0-9_]{30,}",
    r"glpat-[A-Za-z0-9_-]{20,}",
    r"xox[abeprs]-[0-9A-Za-z-]{10,}",
    r"gsk_[A-Za-z0-9]{20,}",
    r"hf_[A-Za-z0-9]{30,}",
    r"npm_[A-Za-z0-9]{30,}",
    r"pypi-[A-Za-z0-9_-]{30,}",
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
)
_FORMAT: Final = re.compile("|".join(_FORMATS))
_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
_SECRET_VARIABLE: Final = re.compile(
    r"(?:^|_)(?:API_?KEYS?|KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|CREDENTIALS?|AUTH|PAT)(?:$|_)",
    re.IGNORECASE,
)
_URL_PASSWORD: Final = re.compile(r"://[^\s/:@]*:([^\s/@]+)@")

_SECRET_NAMES: Final = frozenset(
    {
        *("apikey", "token", "secret", "password", "passwd", "passphrase", "auth", "authorization"),
        *("proxyauthorization", "credential", "credentials", "cookie", "setcookie", "privatekey", "accesskey"),
    }
)
_SECRET_ENDINGS: Final = (
    "apikey",
    "password",
    "passphrase",
    "secret",
    "secretkey",
    "accesskey",
    "privatekey",
    "accesstoken",
    "refreshtoken",
    "authtoken",
    "bearertoken",
    "sessiontoken",
    "idtoken",
)
_NOT_LETTERS: Final = re.compile(r"[^a-z0-9]")
_NAME_TRACE: Final = re.compile(
    r"(?ai:(?:key|token|auth)[ :=._-]?\Z|secret|pass[ _-]?w|pass[ _-]?phrase|authorization|credential|cookie)"
)
"""What a secret name must contain in one piece, or the search over the serialised bytes would not see it."""

# Every match of a format or a secret name contains one of these in lower case. One automaton looks for all of
# them in 17 microseconds per 8 kB; the patterns themselves take 800, thirty-six ``in`` tests 150.
_TRACES: Final = (
    *(b"sk-", b"k_live_", b"k_test_", b"aiza", b"akia", b"asia", b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"),
    *(b"github_pat_", b"glpat-", b"xox", b"gsk_", b"hf_", b"npm_", b"pypi-", b"sg.", b"eyj", b"private key-----"),
    *(b"bearer ", b"basic ", b"api-key: ", b"@", b"secret"),
    *(f"pass{gap}{rest}".encode() for gap in ("", *" _-") for rest in ("w", "phrase")),
    *(b"authorization", b"credential", b"cookie"),
    *(f'{word}{end}"'.encode() for word in ("token", "key", "auth") for end in ("", *" :=._-")),
)


class Scrubber:
    """Removes secrets from values; knows the secrets of the environment it was made from."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        stripped = {secret.strip() for secret in secrets}
        known = {secret for secret in stripped if len(secret) >= MIN_SECRET_LENGTH and secret not in REDACTED}
        self._secrets = sorted(known, key=len, reverse=True)
        self._escaped = [spelling for secret in self._secrets for spelling in _escapes(secret)]
        needles = (secret.encode("utf-8", "surrogateescape") for secret in (*self._secrets, *self._escaped))
        traces = (*_TRACES, *(needle.lower() for needle in needles))
        # Any match will do, and looking for the leftmost lets the automaton skip where none can begin.
        self._traces = BytesAhoCorasick(traces, matchkind=MatchKind.LeftmostFirst, implementation=Implementation.DFA)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], extra_names: Iterable[str] = ()) -> Scrubber:
        """A scrubber for the values of secret-named variables, of ``extra_names``, and of passwords in URLs."""
        named = set(extra_names)
        secrets = [value for name, value in environ.items() if name in named or _SECRET_VARIABLE.search(name)]
        for value in environ.values():
            found = _URL_PASSWORD.findall(value)
            secrets += found + [unquote(password) for password in found]
        return cls(secrets)

    def suspects(self, data: bytes) -> bool:
        """Whether serialised ``data`` might hold a secret; never wrong when it says no."""
        return bool(self._traces.find_matches_as_indexes(data.lower()))

    def text(self, text: str) -> str:
        """``text`` with every secret in it replaced."""
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, REDACTED)
        return _FORMAT.sub(_redact, _PRIVATE_KEY.sub(REDACTED, text))

    def bytes(self, data: bytes) -> bytes:
        """``data`` with every secret in it replaced; data without one comes back as it is, binary or not."""
        if not self.suspects(data):
            return data
        text = data.decode("utf-8", "surrogateescape")
        for spelling in self._escaped:
            text = text.replace(spelling, REDACTED)
        return _scrub_assignments(self.text(text)).encode("utf-8", "surrogateescape")

    def value(self, value: JsonValue) -> JsonValue:
        """``value`` with secrets replaced in strings, keys and arrays, and under secret-named keys."""
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.value(item) for item in value]
            case dict():
                return self._object(value)
        return value

    def _object(self, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        clean: dict[str, JsonValue] = {}
        for key, inner in value.items():
            hidden = is_secret_name(key) and inner is not None and not isinstance(inner, bool)
            clean[_free_key(self.text(key), clean)] = REDACTED if hidden else self.value(inner)
        return clean


def is_secret_name(key: str) -> bool:
    """Whether whatever stands under ``key`` is a secret by its name. Names of variables are none."""
    plain = _NOT_LETTERS.sub("", key.lower())
    secret = plain in _SECRET_NAMES or plain.endswith(_SECRET_ENDINGS)
    return secret and _NAME_TRACE.search(key) is not None


def _redact(match: re.Match[str]) -> str:
    user = match.group("user")
    return REDACTED if user is None else f"{_FORMAT.sub(_redact, user)}:{REDACTED}"


def _free_key(key: str, taken: Mapping[str, object]) -> str:
    """``key``, or a numbered form of it: two redacted keys must not overwrite each other."""
    free, number = key, 1
    while free in taken:
        number += 1
        free = f"{key}#{number}"
    return free


_ASSIGNMENT: Final = re.compile(r'(?P<head>"(?P<key>[^"\\]{1,64})"\s*:\s*)"(?:[^"\\]|\\.)*"')


def _scrub_assignments(text: str) -> str:
    """The key-name layer for JSON that arrives as text, in a blob."""

    def hide(match: re.Match[str]) -> str:
        return f'{match["head"]}"{REDACTED}"' if is_secret_name(match["key"]) else match[0]

    return _ASSIGNMENT.sub(hide, text)


def _escapes(secret: str) -> Iterable[str]:
    """How ``secret`` may look inside JSON, where that is not as it is: with and without letters beyond ASCII."""
    spellings = {json.dumps(secret, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True)}
    return sorted(spellings - {secret}, key=len, reverse=True)
