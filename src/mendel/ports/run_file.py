"""The run file: one run as one file of lines, the format of exports and of the file log.

::

    {"mendel_run_file":1,"run_id":"0198…"}                    first line
    {"blob":"sha256:…","data":"<base64>"}                     before the first event that refers to it
    {"event":{…},"hash":"…"}                                  hash = SHA-256 of the bytes of {…}
    {"end":{"events":12,"hash":"…"}}                          closes a complete file

Every line is canonical JSON, so a JSON parser and SHA-256 suffice to check the chain. More events may follow an ``end``
line when a file log goes on. A file whose last line is not an ``end`` was cut off or is still being written.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple

import orjson

from mendel.contracts.errors import RunFileError
from mendel.contracts.log_views import Head
from mendel.ports.records import Record, preimage

FORMAT: Final = 1
SUFFIX: Final = ".mendel"
MAX_LINE_BYTES: Final = 96 * 1024 * 1024  # room for the largest blob in base64

_EVENT_HEAD: Final = b'{"event":'


class Header(NamedTuple):
    """The first line."""

    run_id: str


class Blob(NamedTuple):
    """A blob line."""

    name: str
    data: bytes


class End(NamedTuple):
    """A closing line."""

    head: Head


Line = Header | Blob | Record | End


def header_line(run_id: str) -> bytes:
    """Return the line that opens a run file."""
    return orjson.dumps({"mendel_run_file": FORMAT, "run_id": run_id}) + b"\n"


def blob_line(name: str, data: bytes) -> bytes:
    """Return the line that contains a blob."""
    return orjson.dumps({"blob": name, "data": base64.b64encode(data).decode()}) + b"\n"


def event_line(record: Record) -> bytes:
    """Return the line that contains an event. The hashed bytes are part of it unchanged."""
    return b'%b%b,"hash":"%b"}\n' % (_EVENT_HEAD, preimage(record), record.hash.encode())


def end_line(head: Head) -> bytes:
    """Return the line that closes a complete file."""
    return orjson.dumps({"end": {"events": head.sequence + 1, "hash": head.hash}}) + b"\n"


def parse_line(line: bytes, number: int) -> Line:
    """Parse line ``number``, which must be exactly as a run file spells it.

    Raises:
        RunFileError: it is cut off or is not a line of a run file.
    """
    if not line.endswith(b"\n"):
        raise RunFileError(f"line {number} is cut off: the file was truncated")
    try:
        parsed = _parse(orjson.loads(line))
        canonical = _spelled(parsed)
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, binascii.Error) as error:
        raise RunFileError(f"line {number} is not a line of a run file: {error}") from error
    if canonical != line:
        raise RunFileError(f"line {number} is not in the canonical spelling of a run file: it was altered")
    return parsed


def parse_lines(lines: Iterator[bytes], start: int = 1) -> Iterator[Line]:
    """Parse each of ``lines``; raises as ``parse_line``."""
    for number, line in enumerate(lines, start):
        yield parse_line(line, number)


def _spelled(line: Line) -> bytes:
    """Return the canonical spelling of ``line``; another one with the same meaning would not be the hashed bytes."""
    match line:
        case Record():
            return event_line(line)
        case Blob(name, data):
            return blob_line(name, data)
        case End(head):
            return end_line(head)
        case Header(run_id):
            return header_line(run_id)


def _parse(fields: dict[str, Any]) -> Line:
    if "event" in fields:
        return _record(fields["event"], fields["hash"])
    if "blob" in fields:
        return Blob(str(fields["blob"]), base64.b64decode(fields["data"], validate=True))
    if "end" in fields:
        end = fields["end"]
        return End(Head(sequence=int(end["events"]) - 1, hash=end["hash"]))
    if fields["mendel_run_file"] != FORMAT:
        raise ValueError(f"format {fields['mendel_run_file']} is not supported; this Mendel reads format {FORMAT}")
    return Header(str(fields["run_id"]))


def _record(event: dict[str, Any], hash_text: str) -> Record:
    occurred_at = datetime.fromisoformat(event["occurred_at"])
    payload = orjson.dumps(event["payload"], option=orjson.OPT_SORT_KEYS)
    # bool is a subclass of int, and would be spelled differently.
    if type(event["sequence"]) is not int or type(event["schema_version"]) is not int or type(hash_text) is not str:
        raise TypeError("a column has the wrong type")
    return Record(**{**event, "occurred_at": occurred_at, "payload": payload}, hash=hash_text)
