"""Records of external lookups: retrieved passages, and calls of research tools."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, model_validator

from mendel.contracts.base import Contract, Count
from mendel.contracts.failures import CallFailure
from mendel.contracts.model_calls import ToolDescriptor, ToolName

MAX_QUERY: Final = 2_000
MAX_PASSAGES: Final = 50
MAX_PASSAGE: Final = 20_000
MAX_ARGUMENTS: Final = 10_000
MAX_TOOL_TEXT: Final = 20_000
CUT: Final = "\n[cut]"  # the mark of a truncated text

_FORBIDDEN: Final = re.compile("[\x00\ud800-\udfff]")
_UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\U000e0000-\U000e007f]")
"""Control characters, lone surrogates, and the invisible tag characters that can hide text from people."""


def _recordable(text: str) -> str:
    if _FORBIDDEN.search(text):
        raise ValueError("neither NUL nor a lone surrogate can be recorded")
    return text


def plain_text(text: str, ceiling: int) -> str:
    """Return ``text`` in a form that can be recorded and shown, with at most ``ceiling`` characters.

    Line ends become newlines; control characters, lone surrogates and invisible characters are removed. A truncated
    text ends with a mark, if there is room for it.
    """
    clean = _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(clean) <= ceiling:
        return clean
    return clean[: ceiling - len(CUT)] + CUT if ceiling > len(CUT) else clean[:ceiling]


def one_line(text: str, ceiling: int) -> str:
    """Return ``text`` as :func:`plain_text` does, with white space collapsed to single spaces."""
    # Cut before the work as well, because the text may be very long.
    return " ".join(plain_text(text[: 4 * ceiling], 4 * ceiling).split())[:ceiling].rstrip()


Line = Annotated[str, StringConstraints(max_length=2_000), AfterValidator(_recordable)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_recordable)]

RetrievalFailure = Literal[CallFailure, "broken"]
"""Why a source failed. ``broken``: an implementation raised an unexpected exception."""


class Passage(Contract):
    """An untrusted piece of text and its source; ``uri`` is empty if it has no address."""

    source: Label
    title: Line
    text: Annotated[str, StringConstraints(max_length=MAX_PASSAGE), AfterValidator(_recordable)]
    uri: Line = ""


class Retrieval(Contract):
    """Result of a query, the best passages first; an empty result is valid.

    ``provider`` is the source of the passages. With a ``failure`` the requested source failed: the passages are either
    ``fallback_sourced``, from the curated corpus, or there are none.
    """

    query: Annotated[str, StringConstraints(max_length=MAX_QUERY), AfterValidator(_recordable)]
    limit: Annotated[int, Field(ge=0, le=MAX_PASSAGES)]
    provider: Label
    passages: Annotated[tuple[Passage, ...], Field(max_length=MAX_PASSAGES)] = ()
    fallback_sourced: bool = False
    failure: RetrievalFailure | None = None
    latency_ms: Count = 0

    @model_validator(mode="after")
    def _says_whose_passages_they_are(self) -> Self:
        if len(self.passages) > self.limit:
            raise ValueError(f"{len(self.passages)} passages are more than the requested {self.limit}")
        if self.fallback_sourced and self.failure is None:
            raise ValueError("fallback_sourced requires a failure")
        if self.failure is not None and self.passages and not self.fallback_sourced:
            raise ValueError("a failed source has no passages of its own")
        return self


ToolCode = Literal[
    "answered",
    "unknown_tool",
    "not_permitted",  # the caller may not use this tool
    "bad_arguments",
    "cap_reached",  # the cap on tool calls is used up
    "address_refused",  # not public, or a port that is not allowed
    "content_refused",  # not readable as text
    "too_many_redirects",
    RetrievalFailure,
]
"""Outcome of a tool call; all but ``answered`` are refusals or failures, which the model receives as data."""

REFUSED_UNCALLED: Final[frozenset[ToolCode]] = frozenset(
    {"unknown_tool", "not_permitted", "bad_arguments", "cap_reached"}
)
"""Refused before any request was sent; these calls do not count towards the cap."""


class ToolRecord(Contract):
    """Log record of one tool call requested by a model, successful or not.

    ``name`` and ``arguments`` are the model's texts, truncated to what can be recorded. ``text`` is the answer, or the
    reason why there is none; ``provider`` is empty if no request was sent.
    """

    call_id: Line
    name: Line
    arguments: Annotated[str, StringConstraints(max_length=MAX_ARGUMENTS), AfterValidator(_recordable)]
    code: ToolCode
    text: Annotated[str, StringConstraints(max_length=MAX_TOOL_TEXT), AfterValidator(_recordable)]
    provider: Line = ""
    fallback_sourced: bool = False
    latency_ms: Count = 0

    @property
    def counted(self) -> bool:
        """Whether the call counts towards the cap."""
        return self.code not in REFUSED_UNCALLED


def _printable(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise ValueError("one line of text is wanted")
    return text


class Arguments(Contract):
    """Arguments of a tool: exactly the keys of its schema, with exactly their types."""

    model_config = ConfigDict(strict=True)  # a model must not pass "5" for 5


# The docstrings of the subclasses are part of the JSON Schemas that models receive.
class SearchArguments(Arguments):
    """What to look for."""

    query: Annotated[str, StringConstraints(min_length=1, max_length=400), AfterValidator(_printable)]
    limit: Annotated[int, Field(ge=1, le=10)] = 5


class FetchArguments(Arguments):
    """Which page to read: an address that begins with http:// or https://."""

    url: Annotated[str, StringConstraints(min_length=1, max_length=2_000), AfterValidator(_printable)]


ARGUMENTS: Final[Mapping[ToolName, type[Arguments]]] = MappingProxyType(
    {
        "web_search": SearchArguments,
        "fetch_url": FetchArguments,
        "x_search": SearchArguments,
        "youtube_search": SearchArguments,
    }
)

_SAID: Final[Mapping[ToolName, str]] = MappingProxyType(
    {
        "web_search": "Search the web. Answers with titles, addresses and excerpts.",
        "fetch_url": "Read the text of one public page, by its http or https address.",
        "x_search": "Search posts on X. Answers with authors, addresses and texts.",
        "youtube_search": "Search videos on YouTube. Answers with titles, addresses and descriptions.",
    }
)


def descriptor_of(name: ToolName) -> ToolDescriptor:
    """Return the description of a tool for a model."""
    return ToolDescriptor(name=name, description=_SAID[name], parameters=ARGUMENTS[name].model_json_schema())
