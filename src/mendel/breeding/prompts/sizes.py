"""The size of messages, as a gateway counts it against ``prompt_bytes``."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from mendel.contracts.model_calls import Message
from mendel.contracts.untrusted import data_message


def size_of(messages: Sequence[Message]) -> int:
    """Return the number of bytes of the messages as JSON."""
    return len(orjson.dumps([message.model_dump() for message in messages]))


def data(label: str, text: str) -> Message:
    """Return untrusted text as a message of its own; lone surrogates, which UTF-8 cannot encode, become `?`."""
    return data_message(label, text.encode("utf-8", "replace").decode("utf-8"))
