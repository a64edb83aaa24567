"""The base of event payloads."""

from __future__ import annotations

from typing import ClassVar

from mendel.contracts.base import Contract


class Payload(Contract):
    """Payload of one event type. A subclass sets ``type``, and the closed registry lists it."""

    type: ClassVar[str]
