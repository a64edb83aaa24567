"""Export and import: all of it, unchanged, or nothing."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ports.runs import a_chain, as_file, everything, exported, memory_log, rechained, small_export, ticking_clock
from tests.support.rows import check_rows

from mendel.adapters.file.event_log import FileEventLog
from mendel.conformance import samples
from mendel.contracts.canonical import MAX_PAYLOAD_BYTES, MAX_PAYLOAD_DEPTH
from mendel.contracts.errors import (
    BlobAltered,
    BlobMissing,
    ImportRefused,
    LogIntegrityError,
    MendelError,
    RunFileError,
    RunNotFound,
    SequenceConflict,
    StorageError,
)
from mendel.contracts.events.registry import SCHEMA_VERSION
from mendel.contracts.ids import new_event_id, new_run_id
from mendel.contracts.scrub import Scrubber
from mendel.ports.blobs import hash_of
from mendel.ports.run_file import blob_line, event_line, header_line
from mendel.ports.transfer import check_run_file, export_run, import_run
from mendel.ports.verification import verify

SECRET = "correct horse battery"
SCRUBBER = Scrubber([SECRET])
EXPORT = small_export()
LINES = EXPORT.splitlines(keepends=True)
STRIDE = 1 if os.environ.get("MENDEL_TEST_PROFILE") == "long" else 5
"""How far apart the places lie that are damaged one by one; `make thorough` damages every single one."""


def file_log(folder, **options):
    return FileEventLog(folder, payloads=samples.sample_payloads(), clock=ticking_clock(), **options)


@dataclass
class Refusing:
    """Looks at one damaged file after another."""

    path: object
    scrubber: Scrubber = SCRUBBER

    def refused(self, data: bytes) -> MendelError | None:
        self.path.write_bytes(data)
        try:
            check_run_file(self.path, self.scrubber)
        except (RunFileError, ImportRefused) as error:
            return error
        return None


@pytest.fixture
def checker(tmp_path):
    return Refusing(tmp_path / "run.mendel")


def test_the_undamaged_file_is_taken(checker):
    assert checker.refused(EXPORT) is None
    assert len(LINES) == 1 + 2 + 4 + 1


# --- damage ----------------------------------------------------------------------------------------------------


def test_every_truncation_is_refused(checker):
    ends = list(accumulate(map(len, LINES)))
    near_ends = {end + beside for end in ends for beside in (-2, -1, 0, 1)}
    cuts = sorted({*range(0, len(EXPORT), STRIDE), *near_ends} & {*range(len(EXPORT))})
    assert [cut for cut in cuts if checker.refused(EXPORT[:cut]) is None] == []


def test_every_missing_line_is_refused(checker):
    assert [n for n in range(len(LINES)) if checker.refused(b"".join(LINES[:n] + LINES[n + 1 :])) is None] == []


def test_every_swap_of_two_lines_is_refused(checker):
    def swapped() -> Iterator[tuple[int, int, bytes]]:
        for one in range(len(LINES)):
            for other in range(one + 1, len(LINES)):
                lines = list(LINES)
                lines[one], lines[other] = lines[other], lines[one]
                yield one, other, b"".join(lines)

    assert [(one, other) for one, other, data in swapped() if checker.refused(data) is None] == []


def test_every_line_that_stands_there_twice_is_refused_but_for_a_repeated_end(checker):
    taken = [n for n in range(len(LINES)) if checker.refused(b"".join(LINES[: n + 1] + LINES[n:])) is None]
    assert taken == [len(LINES) - 1], "a file log may close a file that is closed"


@pytest.mark.parametrize(("flip", "start"), [(0x01, 0), (0x20, STRIDE // 2)], ids=["0x1", "0x20"])
def test_every_flipped_bit_is_refused(checker, flip, start):
    damaged = bytearray(EXPORT)
    missed = []
    for place in range(start, len(damaged), STRIDE):
        damaged[place] ^= flip
        if checker.refused(bytes(damaged)) is None:
            missed.append((place, EXPORT[place - 20 : place + 20]))
        damaged[place] ^= flip
    assert missed == []


@settings(max_examples=2 * settings().max_examples)
@given(st.integers(0, len(EXPORT) - 1), st.binary(min_size=1, max_size=1))
def test_every_replaced_byte_is_refused(tmp_path_factory, place, byte):
    data = EXPORT[:place] + byte + EXPORT[place + 1 :]
    if data != EXPORT:
        assert Refusing(tmp_path_factory.getbasetemp() / "replaced.mendel").refused(data) is not None


@settings(max_examples=2 * settings().max_examples)
@given(st.integers(0, len(EXPORT)), st.binary(min_size=1, max_size=5))
def test_every_insertion_is_refused(tmp_path_factory, place, extra):
    data = EXPORT[:place] + extra + EXPORT[place:]
    assert Refusing(tmp_path_factory.getbasetemp() / "inserted.mendel").refused(data) is not None


@settings(max_examples=2 * settings().max_examples)
@given(st.binary(max_size=300))
def test_a_file_of_anything_else_is_refused(tmp_path_factory, data):
    assert Refusing(tmp_path_factory.getbasetemp() / "anything.mendel").refused(data) is not None


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"\x00" * 1000, b"\x00\n", LINES[0], EXPORT + b"\x00", EXPORT + b"\n", EXPORT * 2],
    ids=["empty", "newline", "nuls", "nul", "header", "nul-behind", "newline-behind", "twice"],
)
def test_no_run_file_no_import(checker, data):
    assert checker.refused(data) is not None


@pytest.mark.parametrize("make", ["file", "memory"])
async def test_a_refused_file_leaves_the_log_as_it_was(tmp_path, make):
    path = tmp_path / "run.mendel"
    damaged = [EXPORT[:-1], EXPORT[: len(EXPORT) // 2], b"".join(LINES[:4] + LINES[5:]), EXPORT.replace(b"T12", b"T13")]
    async with file_log(tmp_path / "runs") if make == "file" else memory_log() as log:
        await samples.new_run(log, samples.findings(2))
        before = await everything(log)
        for data in damaged:
            path.write_bytes(data)
            with pytest.raises(RunFileError):
                await import_run(log, path, SCRUBBER)
            assert await everything(log) == before
            assert await log.blobs.missing({hash_of(b"\x00\xffa blob")}), "not even a blob was kept"
        path.write_bytes(EXPORT)
        assert (await import_run(log, path, SCRUBBER)).added == 4


# --- forgeries: the chain is right, the content is not -----------------------------------------------------------


def forged(**changes):
    records = a_chain(4)
    records[2] = records[2]._replace(**changes)
    return as_file(rechained(records))


def payload_with(data):
    value = orjson.loads(a_chain(4)[2].payload)
    value["findings"]["data"] = data
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def test_the_forger_is_good_enough(checker):
    assert checker.refused(forged()) is None
    assert checker.refused(forged(payload=payload_with({"changed": 1}))) is None


@check_rows(
    "data",
    [
        {"note": SECRET},
        {"note": f"it is {SECRET}!"},
        {SECRET: 1},
        {"list": [[SECRET]]},
        {"key": "sk-abcdefghijklmnopqrstuvwx"},
        {"password": "hunter2"},
        {"password": 12345678},
        {"credentials": {"user": "u"}},
        {"pass\nword": 1, "api_key": ["x"]},
        {"url": "postgres://u:pw@host"},
        {"headers": "x-api-key: abcdefgh\nhost: x"},
    ],
)
def test_a_secret_in_a_forged_event_is_refused(checker, data):
    error = checker.refused(forged(payload=payload_with(data)))
    assert isinstance(error, ImportRefused)
    assert "event 2 contains a secret" in str(error)
    assert SECRET not in str(error)


@pytest.mark.parametrize(
    "secret", ['pa"ss word', "back\\slash", "two\nlines", "tab\there", "pässwörter", "\x01control"]
)
def test_a_secret_that_json_escapes_is_refused_too(tmp_path, secret):
    checker = Refusing(tmp_path / "run.mendel", Scrubber([secret]))
    assert isinstance(checker.refused(forged(payload=payload_with({"note": f"a {secret} b"}))), ImportRefused)


@check_rows("column", ["correlation_id", "trace_id", "observation_id"])
@check_rows("text", [SECRET, "sk-abcdefghijklmnopqrstuvwx"])
def test_a_secret_in_a_forged_envelope_is_refused(checker, column, text):
    assert isinstance(checker.refused(forged(**{column: text})), ImportRefused)


@check_rows("column", ["generation_id", "genome_id", "candidate_id", "operation_id"])
def test_a_secret_in_a_forged_id_is_refused(checker, column):
    assert isinstance(checker.refused(forged(**{column: "c-sk-abcdefghijklmnopqrstuvwx"})), ImportRefused)


async def test_an_import_knows_the_secrets_it_is_given(tmp_path):
    path = tmp_path / "run.mendel"
    path.write_bytes(forged(payload=payload_with({"note": SECRET})))
    async with memory_log() as log:
        with pytest.raises(ImportRefused, match="event 2 contains a secret"):
            await import_run(log, path, SCRUBBER)
        assert await log.runs() == ()


async def test_what_was_scrubbed_can_be_exported_and_imported(tmp_path):
    notes = [
        f"my phrase is {SECRET}",
        "x-api-key: abcdefghijkl\nhost: example",
        "curl -H 'x-api-key: abcdefghijkl' https://u:pw@host",
        "Authorization: Bearer abcdefghijklmnopqrstuvwx\n",
        "x-api-key: short\nnext: line",
        "https://AKIAABCDEFGHIJKLMNOP:wJalrXUtnFEMI@host",
    ]
    data = {str(number): note for number, note in enumerate(notes)} | {"token": "x", SECRET: 1, "password": {"a": 1}}
    path = tmp_path / "run.mendel"
    async with memory_log(SCRUBBER) as log, memory_log(SCRUBBER) as other:
        blob = await log.blobs.put(orjson.dumps(data))
        drafts = [samples.finding(1, data), samples.blob_stored(blob)]
        run_id = await samples.new_run(log, drafts)
        path.write_bytes(await exported(log, run_id))
        assert (await import_run(other, path, SCRUBBER)).added == 3
    assert SECRET.encode() not in path.read_bytes()


def test_a_secret_in_a_blob_of_a_forged_file_is_refused(checker):
    blob = f"it is {SECRET}".encode()
    error = checker.refused(_with_blob(blob_line(hash_of(blob), blob), hash_of(blob)))
    assert isinstance(error, ImportRefused)


def _with_blob(line, name, *, before=1):
    records = a_chain(3)
    payload = orjson.dumps(
        {"blob": {"$blob": name, "media_type": "text/plain", "size": 1}, "label": "l"}, option=orjson.OPT_SORT_KEYS
    )
    records[1] = records[1]._replace(type="blob.stored", payload=payload, candidate_id=None, operation_id=None)
    lines = as_file(rechained(records)).splitlines(keepends=True)
    lines.insert(1 + before, line)
    return b"".join(lines)


def test_a_blob_stands_right_before_the_event_that_needs_it(checker):
    name, line = hash_of(b"blob"), blob_line(hash_of(b"blob"), b"blob")
    assert checker.refused(_with_blob(line, name)) is None
    assert checker.refused(_with_blob(line, name, before=0)) is not None
    assert "is missing" in str(checker.refused(_with_blob(line, name, before=2)))
    assert "is missing" in str(checker.refused(_with_blob(b"", name)))
    assert "was altered" in str(checker.refused(_with_blob(blob_line(name, b"blub"), name)))
    assert checker.refused(_with_blob(line + line, name)) is not None


def test_a_blob_that_no_event_needs_is_refused(checker):
    stray = blob_line(hash_of(b"stray"), b"stray")
    for place in range(1, len(LINES) + 1):
        assert checker.refused(b"".join([*LINES[:place], stray, *LINES[place:]])) is not None


def test_a_newer_schema_is_refused_by_name(checker):
    error = checker.refused(forged(schema_version=SCHEMA_VERSION + 1))
    assert "schema_too_new at sequence 2" in str(error)
    assert f"reads up to {SCHEMA_VERSION}" in str(error)


@check_rows(
    "change",
    [
        {"type": "no.such_event"},
        {"payload": b"{}"},
        {"actor": "nobody"},
        {"candidate_id": "NO ID"},
        {"correlation_id": "two\nlines"},
        {"run_id": "01980000-0000-7000-8000-0000000000bb"},
    ],
)
def test_a_forged_event_that_is_none_is_refused(checker, change):
    assert isinstance(checker.refused(forged(**change)), RunFileError)


@check_rows("column", ["sequence", "schema_version"])
@check_rows("value", ["0", None, 0.0, True, [], 1e300])
def test_a_column_of_another_type_is_refused_not_stumbled_over(checker, column, value):
    line = orjson.loads(LINES[1])
    line["event"][column] = value
    data = orjson.dumps(line, option=orjson.OPT_SORT_KEYS) + b"\n"
    assert isinstance(checker.refused(b"".join([LINES[0], data, *LINES[2:]])), RunFileError)


def test_what_append_would_not_have_let_in_is_refused(checker):
    deep = "leaf"
    for _ in range(MAX_PAYLOAD_DEPTH):
        deep = [deep]
    assert isinstance(checker.refused(forged(payload=payload_with({"deep": deep}))), ImportRefused)
    assert isinstance(checker.refused(forged(payload=payload_with({"x": "y" * MAX_PAYLOAD_BYTES}))), ImportRefused)


def test_an_id_that_stands_there_twice_is_refused_before_anything_is_stored(checker):
    records = a_chain(5)
    records[4] = records[4]._replace(event_id=records[1].event_id)
    assert "repeats the id" in str(checker.refused(as_file(rechained(records))))


def test_a_file_that_calls_itself_another_run_is_refused(checker):
    assert "belongs to the run" in str(checker.refused(as_file(a_chain(3), new_run_id())))
    assert checker.refused(header_line(new_run_id()) + EXPORT) is not None


# --- files that cannot be read -----------------------------------------------------------------------------------


def test_a_folder_and_a_missing_file_are_named(tmp_path):
    with pytest.raises(StorageError, match=f"{tmp_path} cannot be read: Is a directory"):
        check_run_file(tmp_path)
    with pytest.raises(StorageError, match="No such file"):
        check_run_file(tmp_path / "absent.mendel")


@pytest.fixture
def powerless():
    """Root may read everything, so for a moment this process is nobody."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    yield
    os.seteuid(user)


def test_a_file_without_permission_is_named(tmp_path, request):
    path = tmp_path / "run.mendel"
    path.write_bytes(EXPORT)
    path.chmod(0)
    request.getfixturevalue("powerless")
    with pytest.raises(StorageError, match="Permission denied"):
        check_run_file(path)


# --- there and back ----------------------------------------------------------------------------------------------


async def test_a_run_wanders_between_logs_without_changing_a_byte(tmp_path):
    path = tmp_path / "run.mendel"
    path.write_bytes(EXPORT)
    async with file_log(tmp_path / "a") as first, memory_log() as second, file_log(tmp_path / "b") as third:
        for log in (first, second, third):
            moved = await import_run(log, path, SCRUBBER)
            assert (moved.added, moved.events, moved.blobs) == (4, 4, 2)
            again = await exported(log, moved.run_id)
            assert again == EXPORT
            path.write_bytes(again)
            assert (await import_run(log, path, SCRUBBER)).added == 0
            assert (await verify(log, moved.run_id)).ok


async def test_the_file_of_a_file_log_is_itself_an_export(tmp_path):
    async with file_log(tmp_path / "runs") as log, memory_log() as other:
        ref = await log.blobs.put(b"blob")
        run_id = await samples.new_run(log, [samples.blob_stored(ref)])
        await log.append(run_id, [samples.started(), samples.blob_stored(ref)], expected=2)
        moved = await import_run(other, tmp_path / "runs" / f"{run_id}.mendel", SCRUBBER)
        assert moved.added == 4
        assert await exported(other, run_id) == await exported(log, run_id)


async def test_an_imported_run_goes_on(tmp_path):
    path = tmp_path / "run.mendel"
    path.write_bytes(EXPORT)
    async with memory_log() as log:
        run_id = (await import_run(log, path, SCRUBBER)).run_id
        async with log.conduct(run_id, conductor="b") as writer:
            await writer.append([samples.started()])
        assert (await verify(log, run_id)).events == 6
        assert (await import_run(log, path, SCRUBBER)).added == 0


async def test_a_run_that_went_on_elsewhere_is_refused(tmp_path):
    path = tmp_path / "run.mendel"
    path.write_bytes(b"".join([*LINES[:2], _end_after(LINES[1])]))
    async with memory_log() as log:
        run_id = (await import_run(log, path, SCRUBBER)).run_id
        await log.append(run_id, [samples.started()], expected=1)
        before = await everything(log)
        path.write_bytes(EXPORT)
        with pytest.raises(ImportRefused, match="at sequence 1"):
            await import_run(log, path, SCRUBBER)
        assert await everything(log) == before


def _end_after(line):
    fields = orjson.loads(line)
    return orjson.dumps({"end": {"events": fields["event"]["sequence"] + 1, "hash": fields["hash"]}}) + b"\n"


async def test_records_that_do_not_follow_are_not_imported():
    records = a_chain(3)
    async with memory_log() as log:
        with pytest.raises(SequenceConflict):
            await log.import_records(records[0].run_id, records[1:])
        assert await log.runs() == ()


# --- a log that is not what was written is not exported ------------------------------------------------------------


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (lambda run: run.__setitem__(2, run[2]._replace(payload=b"{}")), "altered at sequence 2"),
        (lambda run: run.__setitem__(2, run[2]._replace(actor="judge")), "altered at sequence 2"),
        (lambda run: run.pop(1), "gap at sequence 1"),
        (lambda run: run.reverse(), "gap at sequence 0"),
        (lambda run: run.insert(2, run[1]), "out_of_order at sequence 2"),
        (lambda run: run.__setitem__(0, run[0]._replace(prev_hash="1" * 64)), "chain_broken at sequence 0"),
    ],
)
async def test_a_tampered_log_is_not_exported(tmp_path, tamper, reason):
    async with memory_log() as log:
        run_id = await samples.new_run(log, samples.findings(4))
        tamper(log._runs[run_id])
        with pytest.raises(LogIntegrityError, match=reason), (tmp_path / "x").open("wb") as target:
            await export_run(log, run_id, target)


async def test_a_run_without_its_blob_is_not_exported():
    async with memory_log() as log:
        ref = await log.blobs.put(b"blob")
        run_id = await samples.new_run(log, [samples.blob_stored(ref)])
        log.blobs._data[ref.hash] = b"blub"
        with pytest.raises(BlobAltered):
            await exported(log, run_id)
        del log.blobs._data[ref.hash]
        with pytest.raises(BlobMissing):
            await exported(log, run_id)


async def test_a_run_that_is_not_there_is_not_exported():
    async with memory_log() as log:
        with pytest.raises(RunNotFound):
            await exported(log, new_run_id())


def test_an_export_says_what_it_holds():
    assert sum(line.startswith(b'{"event":') for line in LINES) == 4
    assert event_line(a_chain(1)[0]).startswith(b'{"event":{"actor"')
    assert new_event_id() not in EXPORT.decode()
