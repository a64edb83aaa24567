"""The base of event payloads."""

from __future__ import annotations

from typing import ClassVar

from mendel.contracts.base import Contract


class Payload(Contract):
    """What one type of event carries. Subclasses name their ``type`` and stand in the closed registry."""

    type: ClassVar[str]
