"""Server-sent events: what is written to whoever watches a run, spelled once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import orjson

from mendel.contracts.events.envelope import Event
from mendel.contracts.read_models import Change

Form = Literal["events", "changes"]
"""The events as they stand in the log, or what each of them changes in the rows."""

HEARTBEAT: Final = b": still here\n\n"


class Frame:
    """One event, in both forms; each is spelled when somebody first asks for it."""

    __slots__ = ("_changes", "_spelled", "event")

    def __init__(self, event: Event, changes: Sequence[Change]) -> None:
        self.event = event
        self._changes = changes
        self._spelled: dict[Form, bytes] = {}

    def spelled(self, form: Form) -> bytes:
        """The frame as it goes over the wire."""
        known = self._spelled.get(form)
        if known is None:
            known = event_frame(self.event) if form == "events" else self._changes_frame()
            self._spelled[form] = known
        return known

    def _changes_frame(self) -> bytes:
        event = self.event
        data = {
            "sequence": event.sequence,
            "at": event.occurred_at.isoformat(),
            "type": event.type,
            "changes": [(table, key, values) for table, key, values in self._changes],
        }
        return _frame(event.sequence, b"changes", orjson.dumps(data))


def event_frame(event: Event) -> bytes:
    """An event as it stands in the log."""
    return _frame(event.sequence, b"event", event.model_dump_json().encode())


def end_frame(sequence: int) -> bytes:
    """Nothing more will come: the run is over, and this was its last event."""
    return _frame(sequence, b"end", orjson.dumps({"sequence": sequence}))


def reset_frame(sequence: int) -> bytes:
    """What came between is not kept as changes: load the history anew, and go on from there."""
    return b"event: reset\ndata: " + orjson.dumps({"sequence": sequence}) + b"\n\n"


def _frame(sequence: int, kind: bytes, data: bytes) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (sequence, kind, data)
