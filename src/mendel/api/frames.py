"""Server-sent events: what is written to whoever watches a run, spelled once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, Self

import orjson

from mendel.contracts.events.envelope import Event
from mendel.contracts.read_models import Change
from mendel.contracts.step_words import alias_of

Form = Literal["events", "changes"]
"""The events as they stand in the log, or what each of them changes in the rows."""

HEARTBEAT: Final = b": still here\n\n"


class Frame(NamedTuple):
    """One event as it goes over the wire, in both forms.

    Both are spelled when it comes, though nobody may ask for one: events that are kept instead are so many objects that
    the garbage collector stops everybody for ten milliseconds now and then.
    """

    events: bytes
    changes: bytes

    @classmethod
    def of(cls, event: Event, changes: Sequence[Change]) -> Self:
        """The frame of an event that changes that."""
        return cls(event_frame(event), changes_frame(event, changes))


def changes_frame(event: Event, changes: Sequence[Change]) -> bytes:
    """What an event changes in the rows."""
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
    """An event as it stands in the log, with its alias if it has one."""
    return _frame(event.sequence, b"event", event.model_dump_json().encode())


def end_frame(sequence: int) -> bytes:
    """Nothing more will come: the run is over, and this was its last event."""
    return _frame(sequence, b"end", orjson.dumps({"sequence": sequence}))


def reset_frame(sequence: int) -> bytes:
    """What came between is not kept as changes: load the history anew, and go on from there."""
    return b"event: reset\ndata: " + orjson.dumps({"sequence": sequence}) + b"\n\n"


def _frame(sequence: int, kind: bytes, data: bytes) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (sequence, kind, data)
