"""Texts to and from a model: without secrets, in their recorded form, and checked against the expected output."""

from __future__ import annotations

import orjson
from pydantic import BaseModel

from mendel.adapters.models.structured import read
from mendel.contracts.model_calls import Message
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_gateway import ModelRequest


def cleaned(text: str, scrubber: Scrubber) -> str:
    """Remove secrets (rule 4), NUL characters and lone surrogates."""
    whole = text if text.isascii() else text.encode(errors="replace").decode()
    plain = whole.replace("\0", "\ufffd")
    return scrubber.text(plain) if scrubber.suspects(plain.encode()) else plain  # the check is 20 times faster


def cleaned_messages(messages: tuple[Message, ...], scrubber: Scrubber) -> tuple[Message, ...]:
    """Return the messages without secrets, as they may be sent."""
    return tuple(each.model_copy(update={"content": cleaned(each.content, scrubber)}) for each in messages)


def serialised(messages: tuple[Message, ...]) -> str:
    """Serialise messages in the form that records contain."""
    return orjson.dumps([each.model_dump(exclude_defaults=True) for each in messages]).decode()


def fitted(text: str, request: ModelRequest) -> BaseModel | str | tuple[str, ...]:
    """Return the output in a cleaned answer, or a tuple of complaints about it (rule 5)."""
    if request.output is not None:
        return read(text, request.output)
    complaints = tuple(request.check.complaints(text)) if request.check is not None else ()
    return complaints or text


def held_to(request: ModelRequest) -> str:
    """Return the name of the schema or the check that an answer must fit; empty if any text is accepted."""
    if request.output is not None:
        return request.output.__name__
    return request.check.name if request.check is not None else ""
