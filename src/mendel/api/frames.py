"""Server-sent events: frames for the watchers of a run, serialised once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, Self

import orjson

from mendel.contracts.events.envelope import Event
from mendel.contracts.read_models import Change
from mendel.contracts.step_words import alias_of

Form = Literal["events", "changes"]
"""The form of a stream: recorded events, or the changes that each event makes to the rows."""

HEARTBEAT: Final = b": still here\n\n"


class Frame(NamedTuple):
    """One event as bytes, in both forms.

    Both forms are serialised at once, although one may never be needed: thousands of event objects in memory would make
    the garbage collector pause the server for ten milliseconds at a time.
    """

    events: bytes
    changes: bytes

    @classmethod
    def of(cls, event: Event, changes: Sequence[Change]) -> Self:
        """Make the frame of an event with its changes."""
        return cls(event_frame(event), changes_frame(event, changes))


def changes_frame(event: Event, changes: Sequence[Change]) -> bytes:
    """Serialise the changes of an event to the rows."""
    alias = alias_of(event)
    data: dict[str, object] = {
        "sequence": event.sequence,
        "at": event.occurred_at.isoformat(),
        "type": event.type,
        **({"alias": alias} if alias is not None else {}),
        "changes": [(table, key, values) for table, key, values in changes],
    }
    return _frame(event.sequence, b"changes", orjson.dumps(data))


def event_frame(event: Event) -> bytes:
    """Serialise a recorded event, with its alias if it has one."""
    return _frame(event.sequence, b"event", event.model_dump_json().encode())


def end_frame(sequence: int) -> bytes:
    """Serialise the end of a stream: the run is over, with ``sequence`` as its last event."""
    return _frame(sequence, b"end", orjson.dumps({"sequence": sequence}))


def reset_frame(sequence: int) -> bytes:
    """Serialise a reset: older changes are no longer kept, so the client must reload the history and continue there."""
    return b"event: reset\ndata: " + orjson.dumps({"sequence": sequence}) + b"\n\n"


def _frame(sequence: int, kind: bytes, data: bytes) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (sequence, kind, data)
