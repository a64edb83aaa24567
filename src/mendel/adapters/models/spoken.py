"""What is said to a model and by it: without secrets, as it is recorded, and held to what was asked for."""

from __future__ import annotations

import orjson
from pydantic import BaseModel

from mendel.adapters.models.structured import read
from mendel.contracts.model_calls import Message
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_gateway import ModelRequest


def cleaned(text: str, scrubber: Scrubber) -> str:
    """Without secrets (rule 4), NUL and halves of characters."""
    whole = text if text.isascii() else text.encode(errors="replace").decode()
    plain = whole.replace("\0", "\ufffd")
    return scrubber.text(plain) if scrubber.suspects(plain.encode()) else plain  # looking first takes a twentieth


def cleaned_messages(messages: tuple[Message, ...], scrubber: Scrubber) -> tuple[Message, ...]:
    """The messages as they may be sent."""
    return tuple(each.model_copy(update={"content": cleaned(each.content, scrubber)}) for each in messages)


def serialised(messages: tuple[Message, ...]) -> str:
    """Messages as a record has them."""
    return orjson.dumps([each.model_dump(exclude_defaults=True) for each in messages]).decode()


def fitted(text: str, request: ModelRequest) -> BaseModel | str | tuple[str, ...]:
    """The output that a cleaned answer is, or what is wrong with it (rule 5)."""
    if request.output is not None:
        return read(text, request.output)
    complaints = tuple(request.check.complaints(text)) if request.check is not None else ()
    return complaints or text


def held_to(request: ModelRequest) -> str:
    """The name of the schema or the check that an answer must fit; empty where any text will do."""
    if request.output is not None:
        return request.output.__name__
    return request.check.name if request.check is not None else ""
