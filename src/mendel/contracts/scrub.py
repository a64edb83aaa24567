"""The scrubber: it keeps secrets out of events, blobs, traces, pages and errors (rule 4).

It detects secrets in three ways: by the formats of well-known keys, by the names of keys in objects, and by the values
of environment variables with secret names. A cheap search over the serialised bytes skips payloads without suspicion.
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
MIN_SECRET_LENGTH: Final = 8  # a shorter known secret would redact ordinary words
_ROUNDS: Final = 8
"""Maximum number of passes: a redaction can expose a secret right behind it. More than two passes are rare."""

# Assignments such as ``password=`` in a URL, a connection string or a shell. A value must contain a digit and be
# neither a call nor an index, so that source code stays unchanged. The bound prevents quadratic time on hostile text.
_ASSIGNED_NAMES: Final = ("password", "passwd", "pwd", "api_key", "api-key", "apikey", "token", "secret")
_ASSIGNED_HEAD: Final = "|".join(
    rf"(?<={name}={quote})" for name in _ASSIGNED_NAMES for quote in ("", "[\"']", r"\\[\"']")
)
_ASSIGNED_SIGN: Final = r"[^\s\"'\\&,;<>()\[\]{}|`]"
_ASSIGNED: Final = (
    rf"(?ai:{_ASSIGNED_HEAD})(?![:=])(?={_ASSIGNED_SIGN}{{0,1023}}[0-9])"
    rf"{_ASSIGNED_SIGN}{{8,1024}}+(?:(?=\[REDACTED\])|(?![\[({{])){_ASSIGNED_SIGN}*+"
)

_SURROUNDED: Final = (
    r"(?<=://)(?P<user>[^\s/:@\"']*):[^\s/@\"']+(?=@)",
    _ASSIGNED,
    r"(?ai:(?<=authorization: bearer )|(?<=authorization: token ))[A-Za-z0-9._~+/-]{8,}=*",
    r"(?ai:(?<=bearer )|(?<=basic ))[A-Za-z0-9._~+/-]{16,}=*",
    r"(?ai:(?<=x-api-key: )|(?<=api-key: ))[\"']?[^\s\"'\\,]{8,}",
)
# Matches by context come first, because they can be longer than a key format within them.
_FORMATS: Final = (
    rf"(?<=[/ =\"'])(?:{'|'.join(_SURROUNDED)})",  # checking one character first halves the time
    r"sk-(?<![A-Za-z]sk-)[A-Za-z0-9_-]{16,}",  # but not at the end of task-, risk- or disk-
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
    r"xai-(?<![A-Za-z0-9]xai-)[A-Za-z0-9]{30,}",
    r"pplx-(?<![A-Za-z0-9]pplx-)[A-Za-z0-9]{30,}",
    r"r8_(?<![A-Za-z0-9]r8_)[A-Za-z0-9]{30,}",
    r"hvs\.(?<![A-Za-z0-9]hvs\.)[A-Za-z0-9_-]{24,}",
    r"ya29\.(?<![A-Za-z0-9]ya29\.)[A-Za-z0-9_-]{24,}",
    r"dop_v1_(?<![A-Za-z0-9]dop_v1_)[a-f0-9]{40,}",
    r"shpat_(?<![A-Za-z0-9]shpat_)[A-Fa-f0-9]{30,}",
    r"whsec_(?<![A-Za-z0-9]whsec_)[A-Za-z0-9+/]{24,}",
    r"AGE-SECRET-KEY-1(?<![A-Za-z0-9]AGE-SECRET-KEY-1)[0-9A-Z]{40,}",
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
)
_FORMAT: Final = re.compile("|".join(_FORMATS))
_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)", re.DOTALL
)
_SECRET_VARIABLE: Final = re.compile(
    r"(?:(?:^|_)(?:KEYS?|PASS|CREDENTIALS?|AUTH|PAT)"
    r"|API_?KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE"
    r"|(?<!^)(?<!^OLD)PWD)(?:$|_)",  # PWD and OLDPWD themselves are folders
    re.IGNORECASE,
)
_URL_PASSWORD: Final = re.compile(r"://[^\s/:@]*:([^\s/@]+)@")
_QUERY_PASSWORD: Final = re.compile(r"[?&](?:ssl)?(?:password|passwd|pwd)=([^\s&#]+)", re.IGNORECASE)
_KEYWORD_PASSWORD: Final = re.compile(
    r"(?:^|(?<=[\s'\"]))(?:ssl)?(?:password|passwd|pwd)\s*=\s*(?:'((?:[^'\\]|\\.)+)'|([^\s']\S*))",
    re.IGNORECASE | re.DOTALL,
)
_BACKSLASH: Final = re.compile(r"\\(.)", re.DOTALL)

_SECRET_NAMES: Final = frozenset(
    {
        *("apikey", "token", "secret", "password", "passwd", "pwd", "pass", "passphrase", "auth"),
        *("authorization", "proxyauthorization", "apitoken"),
    }
)
_SECRET_ENDINGS: Final = (
    *("apikey", "apikeys", "secretkey", "accesskey", "privatekey", "signingkey", "encryptionkey", "sshkey"),
    *("password", "passwords", "passphrase", "secret", "secrets", "credential", "credentials", "cookie", "authheader"),
    *("accesstoken", "refreshtoken", "authtoken", "bearertoken", "sessiontoken", "idtoken"),
    *("accesstokens", "refreshtokens", "authtokens", "apitokens"),
    *("dbpass", "databasepass", "userpass", "adminpass", "rootpass", "loginpass", "smtppass", "mailpass", "redispass"),
)
_SECRET_WORD: Final = re.compile(
    r"(?:(?<=[A-Za-z0-9])[ ._:/-]+(?ai:token|pwd)|(?<=[a-z0-9])(?:Token|TOKEN|Pwd|PWD))[^A-Za-z0-9]?\Z"
)
"""``token`` or ``pwd`` as a separate word after another one."""
_OPEN_TOKENS: Final = (
    *("nexttoken", "pagetoken", "continuationtoken", "pertoken", "stoptoken"),
    *("bostoken", "eostoken", "padtoken", "unktoken", "masktoken"),
)
"""Harmless names: page tokens of a listing, prices per token, and special tokens of a vocabulary."""
_NOT_LETTERS: Final = re.compile(r"[^a-z0-9]")
_NAME_TRACE: Final = re.compile(
    r"(?ai:(?:key|token|auth|pwd|pass)[ :=._-]?\Z|secret|pass[ _-]?w|pass[ _-]?phrase|authorization|credential|cookie"
    r"|api[ _-]?keys|(?:access|refresh|auth|api)[ _-]?tokens|auth[ _-]?header)"
)
"""Every secret name must contain one of these as a whole, or the search over the serialised bytes would miss it."""

# Every match of a format or a secret name contains one of these in lower case. One automaton searches for all of
# them in 17 microseconds per 8 kB; the patterns themselves take 800, thirty-six ``in`` tests 150.
_TRACES: Final = (
    *(b"sk-", b"k_live_", b"k_test_", b"aiza", b"akia", b"asia", b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"),
    *(b"github_pat_", b"glpat-", b"xox", b"gsk_", b"hf_", b"npm_", b"pypi-", b"sg.", b"eyj", b"private key-----"),
    *(b"xai-", b"pplx-", b"r8_", b"hvs.", b"ya29.", b"dop_v1_", b"shpat_", b"whsec_", b"private key block-----"),
    *(b"pwd=", b"token=", b"apikey=", b"api_key=", b"api-key="),
    *(b"bearer ", b"basic ", b"api-key: ", b"://", b"secret"),
    *(f"pass{gap}{rest}".encode() for gap in ("", *" _-") for rest in ("w", "phrase")),
    *(b"authorization", b"credential", b"cookie"),
    *(f"{word}{gap}tokens".encode() for word in ("access", "refresh", "auth", "api") for gap in ("", *" _-")),
    *(words.replace("+", gap).encode() for words in ("api+keys", "auth+header") for gap in ("", *" _-")),
    *(f'{word}{end}"'.encode() for word in ("token", "key", "auth", "pwd", "pass") for end in ("", *" :=._-")),
)


def _names_another(name: str, value: str, environ: Mapping[str, str]) -> bool:
    """Return whether a variable only names the one with the secret, as in MENDEL_SERVE__TOKEN_ENV=LAB_TOKEN."""
    return name.endswith("_ENV") and value in environ


class Scrubber:
    """Replaces secrets in values, including the known secrets that it was created with."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        stripped = {secret.strip() for secret in secrets}
        known = {secret for secret in stripped if len(secret) >= MIN_SECRET_LENGTH and secret not in REDACTED}
        self._secrets = sorted(known, key=len, reverse=True)  # the longest first: one may contain another
        self._escaped = [spelling for secret in self._secrets for spelling in _escapes(secret)]
        needles = (secret.encode("utf-8", "surrogateescape") for secret in (*self._secrets, *self._escaped))
        traces = (*_TRACES, *(needle.lower() for needle in needles))
        # Any match suffices. LeftmostFirst lets the automaton skip positions where no match can begin.
        self._traces = BytesAhoCorasick(traces, matchkind=MatchKind.LeftmostFirst, implementation=Implementation.DFA)

    @classmethod
    def from_environment(
        cls, environ: Mapping[str, str], extra_names: Iterable[str] = (), known: Iterable[str] = ()
    ) -> Scrubber:
        """Create a scrubber for variables with secret names or in ``extra_names``, passwords in URLs, and ``known``."""
        named = set(extra_names)
        secrets = [
            value
            for name, value in environ.items()
            if name in named or (_SECRET_VARIABLE.search(name) and not _names_another(name, value, environ))
        ]
        for value in environ.values():
            secrets += passwords_in(value)
        return cls([*secrets, *known])

    def suspects(self, data: bytes) -> bool:
        """Return whether serialised ``data`` may contain a secret; there are no false negatives."""
        return bool(self._traces.find_matches_as_indexes(data.lower()))

    def text(self, text: str) -> str:
        """Return ``text`` with all secrets replaced."""
        for _ in range(_ROUNDS):
            before, text = text, self._once(text)
            if text == before:
                break
        return text

    def _once(self, text: str) -> str:
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, REDACTED)
        return _FORMAT.sub(_redact, _PRIVATE_KEY.sub(REDACTED, text))

    def bytes(self, data: bytes) -> bytes:
        """Return ``data`` with all secrets replaced; data without secrets stays unchanged, binary or not."""
        if not self.suspects(data):
            return data
        text = data.decode("utf-8", "surrogateescape")
        for spelling in self._escaped:
            text = text.replace(spelling, REDACTED)
        return _scrub_assignments(self.text(text)).encode("utf-8", "surrogateescape")

    def value(self, value: JsonValue) -> JsonValue:
        """Return ``value`` with secrets replaced in strings, keys and arrays, and under keys with secret names."""
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.value(item) for item in value]
            case dict():
                return self._object(value)
        return value

    def _object(self, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        clean: dict[str, JsonValue] = {}  # a copy: the caller's object stays as it is
        for key, inner in value.items():
            name = self.text(key)  # the rest of a redacted name may itself be a secret name
            secret = is_secret_name(key) or is_secret_name(name)
            hidden = secret and inner is not None and not isinstance(inner, bool)  # flags reveal no secret
            clean[_free_key(name, clean)] = REDACTED if hidden else self.value(inner)
        return clean


def is_secret_name(key: str) -> bool:
    """Return whether the name ``key`` marks its value as secret. Names of variables do not."""
    plain = _NOT_LETTERS.sub("", key.lower())
    secret = plain in _SECRET_NAMES or plain.endswith(_SECRET_ENDINGS) or _ends_in_secret_word(key, plain)
    return secret and _NAME_TRACE.search(key) is not None


def _ends_in_secret_word(key: str, plain: str) -> bool:
    return _SECRET_WORD.search(key) is not None and not plain.endswith(_OPEN_TOKENS)


def passwords_in(text: str) -> list[str]:
    """Return the passwords in a URL, in its query, or in a libpq keyword string, both escaped and unescaped."""
    quoted = [*_URL_PASSWORD.findall(text), *_QUERY_PASSWORD.findall(text)]
    escaped = [inner or bare for inner, bare in _KEYWORD_PASSWORD.findall(text)]
    meant = [*map(unquote, quoted), *(_BACKSLASH.sub(r"\1", password) for password in escaped)]
    return list(dict.fromkeys([*quoted, *escaped, *meant]))


def _redact(match: re.Match[str]) -> str:
    user = match.group("user")
    return REDACTED if user is None else f"{_FORMAT.sub(_redact, user)}:{REDACTED}"


def _free_key(key: str, taken: Mapping[str, object]) -> str:
    """Return ``key``, numbered if taken: two redacted keys must not overwrite each other."""
    free, number = key, 1
    while free in taken:
        number += 1
        free = f"{key}#{number}"
    return free


# At most 64 characters for a key, so that hostile text does not take quadratic time.
_ASSIGNMENT: Final = re.compile(r'(?P<head>"(?P<key>[^"\\]{1,64})"\s*:\s*)"(?:[^"\\]|\\.)*"')


def _scrub_assignments(text: str) -> str:
    """Redact values by the names of their keys in JSON text, as found in blobs."""

    def hide(match: re.Match[str]) -> str:
        return f'{match["head"]}"{REDACTED}"' if is_secret_name(match["key"]) else match[0]

    return _ASSIGNMENT.sub(hide, text)


def _escapes(secret: str) -> Iterable[str]:
    """Return the escaped forms of ``secret`` in JSON, with and without non-ASCII letters, if they differ from it."""
    spellings = {json.dumps(secret, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True)}
    return sorted(spellings - {secret}, key=len, reverse=True)
