"""The run file: every line means one thing, and anything else is a RunFileError."""

import base64
from datetime import timedelta

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ports.runs import NOON, a_chain
from tests.support.rows import check_rows

from mendel.contracts.errors import RunFileError
from mendel.contracts.log_views import Head
from mendel.ports.records import Record, digest
from mendel.ports.run_file import (
    Blob,
    End,
    Header,
    blob_line,
    end_line,
    event_line,
    header_line,
    parse_line,
    parse_lines,
)

RECORD = a_chain(2, "01980000-0000-7000-8000-0000000000aa")[1]
many = settings(max_examples=4 * settings().max_examples)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
hashes = st.text("0123456789abcdef", min_size=64, max_size=64)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
records = st.builds(
    RECORD._replace,
    sequence=st.integers(0, 2**53),
    occurred_at=st.timedeltas(timedelta(0), timedelta(days=99_999)).map(lambda delta: NOON + delta),
    correlation_id=st.none() | texts,
    trace_id=st.none() | texts,
    candidate_id=st.none() | st.just("c-1"),
    payload=st.dictionaries(texts, json_values, max_size=4).map(
        lambda value: orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    ),
    prev_hash=hashes,
).map(lambda record: record._replace(hash=digest(record)))


@settings(deadline=None)
@given(records)
def test_an_event_comes_back_as_it_went_in(record):
    assert parse_line(event_line(record), 1) == record


@given(st.binary(max_size=100))
def test_a_blob_comes_back_as_it_went_in(data):
    assert parse_line(blob_line("sha256:x", data), 1) == Blob("sha256:x", data)


@given(st.integers(0, 2**53), hashes)
def test_an_end_comes_back_as_it_went_in(sequence, text):
    head = Head(sequence=sequence, hash=text)
    assert parse_line(end_line(head), 1) == End(head)


def test_a_header_comes_back_as_it_went_in():
    assert parse_line(header_line(RECORD.run_id), 1) == Header(RECORD.run_id)


def test_lines_are_one_line_each():
    for line in (event_line(RECORD), header_line("x"), blob_line("n", bytes(range(256)))):
        assert line.count(b"\n") == 1
        assert line.endswith(b"\n")


def test_anybody_can_check_the_hash_with_a_json_parser():
    line = event_line(RECORD)
    fields = orjson.loads(line)
    assert list(fields) == ["event", "hash"]
    hashed = line.removeprefix(b'{"event":').removesuffix(b',"hash":"%b"}\n' % RECORD.hash.encode())
    assert orjson.dumps(fields["event"], option=orjson.OPT_SORT_KEYS) == hashed
    assert digest(RECORD) == fields["hash"]


@many
@given(st.binary(max_size=200), st.booleans())
def test_arbitrary_bytes_are_a_run_file_error(data, closed):
    with pytest.raises(RunFileError, match="line 7 "):
        parse_line(data + b"\n" * closed, 7)


KEYS = [*Record._fields, "event", "blob", "data", "end", "events", "mendel_run_file", "run_id"]
odd_values = st.one_of(
    json_values, st.sampled_from(["2030-01-01T12:00:00Z", "2030-01-01", -1, 1.0, True, [], {}, 1e300])
)
odd_objects = st.dictionaries(st.sampled_from(KEYS), odd_values, max_size=4)


@many
@given(
    odd_objects, st.sampled_from(["event", "end", "blob", "mendel_run_file", "hash", None]), odd_objects | odd_values
)
def test_json_that_is_nearly_a_line_never_crashes_it(fields, key, inner):
    line = orjson.dumps(fields | ({key: inner} if key else {})) + b"\n"
    try:
        parsed = parse_line(line, 1)
    except RunFileError:
        return
    assert isinstance(parsed, Header | Blob | End | Record)


@many
@given(st.sampled_from(Record._fields), odd_values)
def test_a_column_of_another_type_never_crashes_it(column, value):
    event = orjson.loads(event_line(RECORD))
    (event if column == "hash" else event["event"])["event_id" if column == "event_id" else column] = value
    try:
        parsed = parse_line(orjson.dumps(event) + b"\n", 1)
    except RunFileError:
        return
    assert type(parsed.sequence) is int
    assert type(parsed.schema_version) is int


@check_rows(
    "respell",
    [
        lambda line: line.replace(b"12:00:00", b"12:00:00.000000", 1),
        lambda line: line.replace(b"T12:", b" 12:", 1),
        lambda line: line.replace(b'{"event":', b'{"event": ', 1),
        lambda line: line.replace(b'"actor":"runtime",', b"", 1).replace(b'"type"', b'"actor":"runtime","type"', 1),
        lambda line: line.replace(b'"hash":', b'"hash":"","hash":', 1),
        lambda line: line.replace(b'{"event":{', b'{"event":{"actor":"judge",', 1),
        lambda line: line.replace(b"runtime", b"\\u0072untime", 1),
        lambda line: b" " + line,
        lambda line: line[:-1] + b"\r\n",
    ],
)
def test_an_event_that_reads_the_same_but_is_spelled_otherwise_is_refused(respell):
    line = respell(event_line(RECORD))
    assert line != event_line(RECORD)
    with pytest.raises(RunFileError):
        parse_line(line, 1)


@check_rows("data", [b"a", b"ab", b"abcd"])
def test_base64_has_one_spelling(data):
    line = blob_line("n", data)
    spelled = base64.b64encode(data).decode()
    last = spelled.rstrip("=")[-1]
    other = spelled.replace(last + "=", chr(ord(last) + 1) + "=", 1)
    with pytest.raises(RunFileError):
        parse_line(line.replace(spelled.encode(), other.encode()), 1)
    with pytest.raises(RunFileError):
        parse_line(line.replace(spelled.encode(), b"!" + spelled.encode()), 1)


@check_rows("version", [0, 2, "1", None, 1.0, True])
def test_another_format_is_refused(version):
    with pytest.raises(RunFileError):
        parse_line(orjson.dumps({"mendel_run_file": version, "run_id": "x"}) + b"\n", 1)


def test_a_line_without_its_end_was_cut_off():
    with pytest.raises(RunFileError, match="line 3 is cut off"):
        parse_line(event_line(RECORD)[:-1], 3)


def test_lines_are_numbered_for_whoever_has_to_find_them():
    lines = [header_line("x"), event_line(RECORD), b"{}\n"]
    with pytest.raises(RunFileError, match="line 3 "):
        list(parse_lines(iter(lines)))
