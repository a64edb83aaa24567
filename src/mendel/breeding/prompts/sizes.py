"""How large messages are, as a gateway counts them against ``prompt_bytes``."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from mendel.contracts.model_calls import Message
from mendel.contracts.untrusted import data_message


def size_of(messages: Sequence[Message]) -> int:
    """Their bytes as JSON."""
    return len(orjson.dumps([message.model_dump() for message in messages]))


def data(label: str, text: str) -> Message:
    """Untrusted text as a message of its own; halves of pairs, which no message can carry, are question marks."""
    return data_message(label, text.encode("utf-8", "replace").decode("utf-8"))
