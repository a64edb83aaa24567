"""Rule 2: whatever is done to a stored chain is seen, at its first bad place and by its right name."""

from datetime import timedelta, timezone

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ports.runs import NOON, a_chain, rechained
from tests.support.rows import check_rows

from mendel.contracts.errors import LogIntegrityError
from mendel.contracts.events.registry import SCHEMA_VERSION
from mendel.ports.records import ChainChecker, Record, digest, event_of, preimage

CHAIN = a_chain(8, "01980000-0000-7000-8000-0000000000aa")
ids = st.none() | st.from_regex(r"[a-z]+-[0-9]{1,4}", fullmatch=True)
texts = st.none() | st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)
hashes = st.text("0123456789abcdef", min_size=64, max_size=64)
payloads = st.dictionaries(st.text("abc", max_size=3), st.integers(0, 9), max_size=3).map(
    lambda value: orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
)

COLUMNS = {
    "run_id": st.uuids().map(str),
    "sequence": st.integers(0, 2**40),
    "event_id": st.uuids().map(str),
    "type": st.text("abc._", max_size=9),
    "schema_version": st.integers(1, 99),
    "occurred_at": st.timedeltas(timedelta(0), timedelta(days=999)).map(lambda delta: NOON + delta),
    "actor": st.text("abc_", max_size=9),
    "generation_id": ids,
    "genome_id": ids,
    "candidate_id": ids,
    "operation_id": ids,
    "correlation_id": texts,
    "trace_id": texts,
    "observation_id": texts,
    "payload": payloads,
    "prev_hash": hashes,
}


def refusal(records, start=0):
    """How the checker refuses ``records``, or None."""
    try:
        ChainChecker(start).check_all(records)
    except LogIntegrityError as error:
        return error.reason, error.sequence
    return None


def test_every_column_but_the_hash_is_covered():
    assert set(COLUMNS) == set(Record._fields) - {"hash"}
    assert set(orjson.loads(preimage(CHAIN[0]))) == set(COLUMNS)


@check_rows("column", COLUMNS)
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_changing_one_column_alone_changes_the_hash(column, data):
    record = Record(**{name: data.draw(values) for name, values in COLUMNS.items()}, hash="")
    other = data.draw(COLUMNS[column])
    changed = record._replace(**{column: other})
    assert (digest(changed) == digest(record)) == (other == getattr(record, column))


def test_the_same_text_in_another_column_is_another_event():
    moved = [CHAIN[0]._replace(**{name: "x-1"}) for name in COLUMNS if name.endswith("_id") or name == "actor"]
    assert len({digest(record) for record in moved}) == len(moved)


def test_nothing_is_not_the_word_null_and_not_empty():
    assert len({digest(CHAIN[0]._replace(trace_id=value)) for value in (None, "null", "None", "")}) == 4


def test_the_hash_is_sha_256_over_canonical_json():
    spelled = orjson.dumps(orjson.loads(preimage(CHAIN[1])), option=orjson.OPT_SORT_KEYS)
    assert spelled == preimage(CHAIN[1])
    assert CHAIN[1].payload in preimage(CHAIN[1])


def test_a_microsecond_and_a_zone_count():
    later = CHAIN[0]._replace(occurred_at=NOON + timedelta(microseconds=1))
    elsewhere = CHAIN[0]._replace(occurred_at=NOON.astimezone(timezone(timedelta(hours=2))))
    assert len({digest(CHAIN[0]), digest(later), digest(elsewhere)}) == 3


# --- the checker -----------------------------------------------------------------------------------------------

places = st.integers(0, len(CHAIN) - 1)


def test_a_valid_chain_is_taken_from_any_start():
    for start in range(len(CHAIN)):
        assert refusal(CHAIN[start:], start) is None
    checker = ChainChecker(3, CHAIN[2].hash)
    checker.check_all(CHAIN[3:])
    assert checker.next == len(CHAIN)


@given(places)
def test_a_dropped_record_is_a_gap_where_it_stood(place):
    cut = CHAIN[:place] + CHAIN[place + 1 :]
    assert refusal(cut) == (None if place == len(CHAIN) - 1 else ("gap", place))


@given(places, places)
def test_two_swapped_records_are_seen_at_the_first(one, other):
    swapped = list(CHAIN)
    swapped[one], swapped[other] = swapped[other], swapped[one]
    assert refusal(swapped) == (None if one == other else ("gap", min(one, other)))


@given(places, st.integers(0, len(CHAIN)))
def test_a_record_that_stands_there_twice_is_out_of_order(place, where):
    doubled = list(CHAIN)
    doubled.insert(where, CHAIN[place])
    if where <= place:
        expected = ("gap", where) if where < place else ("out_of_order", place + 1)
    else:
        expected = ("out_of_order", where)
    assert refusal(doubled) == expected


@check_rows("column", sorted(set(COLUMNS) - {"sequence", "schema_version", "prev_hash"}))
@settings(max_examples=25, deadline=None)
@given(places, st.data())
def test_an_altered_column_is_seen_where_it_is(column, place, data):
    value = data.draw(COLUMNS[column].filter(lambda value: value != getattr(CHAIN[place], column)))
    altered = [*CHAIN[:place], CHAIN[place]._replace(**{column: value}), *CHAIN[place + 1 :]]
    assert refusal(altered) == ("altered", place)


@given(places, st.integers(0, 99))
def test_an_altered_sequence_is_misplaced(place, sequence):
    altered = [*CHAIN[:place], CHAIN[place]._replace(sequence=sequence), *CHAIN[place + 1 :]]
    if sequence == place:
        assert refusal(altered) is None
    else:
        assert refusal(altered) == ("gap" if sequence > place else "out_of_order", place)


@given(places, hashes.filter(lambda text: text != "0" * 64))
def test_an_altered_predecessor_is_a_broken_chain(place, text):
    altered = [*CHAIN[:place], CHAIN[place]._replace(prev_hash=text), *CHAIN[place + 1 :]]
    assert refusal(altered) == ("chain_broken", place)


@given(places, hashes)
def test_an_altered_hash_is_an_altered_event(place, text):
    altered = [*CHAIN[:place], CHAIN[place]._replace(hash=text), *CHAIN[place + 1 :]]
    assert refusal(altered) == ("altered", place)


@given(places)
def test_an_event_hashed_anew_breaks_the_chain_behind_it(place):
    forged = CHAIN[place]._replace(payload=b"{}")
    forged = forged._replace(hash=digest(forged))
    altered = [*CHAIN[:place], forged, *CHAIN[place + 1 :]]
    assert refusal(altered) == (None if place == len(CHAIN) - 1 else ("chain_broken", place + 1))


@given(places, st.integers(SCHEMA_VERSION + 1, 99))
def test_a_newer_schema_is_named_before_its_hash_is_doubted(place, version):
    newer = [*CHAIN[:place], CHAIN[place]._replace(schema_version=version), *CHAIN[place + 1 :]]
    assert refusal(newer) == ("schema_too_new", place)
    assert refusal(rechained(newer)) == ("schema_too_new", place)


@given(places)
def test_an_older_schema_is_read_but_not_if_it_was_altered(place):
    older = [*CHAIN[:place], CHAIN[place]._replace(schema_version=0), *CHAIN[place + 1 :]]
    assert refusal(older) == ("altered", place)
    assert refusal(rechained(older)) is None


@given(st.permutations(range(len(CHAIN))))
def test_nothing_is_ever_sorted(order):
    first_wrong = next((place for place, number in enumerate(order) if place != number), None)
    expected = None if first_wrong is None else ("gap", first_wrong)
    assert refusal([CHAIN[number] for number in order]) == expected


def test_a_checker_that_refused_one_record_does_not_move():
    checker = ChainChecker()
    checker.check(CHAIN[0])
    for bad in (CHAIN[0], CHAIN[2], CHAIN[1]._replace(payload=b"{}")):
        with pytest.raises(LogIntegrityError):
            checker.check(bad)
    checker.check_all(CHAIN[1:])


# --- from records to events ------------------------------------------------------------------------------------


@check_rows(
    "change",
    [
        {"payload": b"{}"},
        {"payload": b"not json"},
        {"payload": b""},
        {"payload": b"[]"},
        {"actor": "nobody"},
        {"candidate_id": "NOT AN ID"},
        {"event_id": "7"},
        {"run_id": "7"},
        {"correlation_id": "two\nlines"},
        {"type": "no.such_event"},
        {"occurred_at": NOON.replace(tzinfo=None)},
        {"schema_version": 0},
        {"hash": "short"},
    ],
)
def test_a_record_that_holds_no_event_is_unreadable_even_with_the_right_hash(change):
    record = CHAIN[1]._replace(**change)
    if "hash" not in change:
        record = record._replace(hash=digest(record))
    with pytest.raises(LogIntegrityError) as caught:
        event_of(record)
    assert (caught.value.reason, caught.value.sequence) == ("unreadable", 1)


def test_every_column_reaches_its_event():
    record = CHAIN[1]._replace(
        generation_id="g-1", genome_id="n-1", correlation_id="c", trace_id="t", observation_id="o"
    )
    event = event_of(record)
    for column in set(COLUMNS) - {"payload", "event_id"}:
        assert getattr(event, column) == getattr(record, column)
    assert event.id == record.event_id
    assert event.payload.model_dump(mode="json", by_alias=True) == orjson.loads(record.payload)


def test_an_event_made_of_a_sealed_draft_equals_the_one_that_is_read_back():
    for record in CHAIN:
        read = event_of(record)
        made = event_of(record, read.payload)
        assert made == read
        assert made.model_dump() == read.model_dump()
        assert made.model_fields_set == read.model_fields_set
