"""The append boundary: validate, ceiling, scrub, canonical bytes, chain, in that order."""

import re
import traceback
import warnings

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, JsonValue
from tests.contracts.examples import EXAMPLES
from tests.ports.runs import NOON
from tests.support.rows import check_rows

from mendel.conformance import samples
from mendel.contracts.canonical import MAX_PAYLOAD_BYTES, MAX_PAYLOAD_DEPTH, canonical
from mendel.contracts.errors import (
    ContractError,
    ForbiddenText,
    InvalidPayload,
    PayloadTooDeep,
    PayloadTooLarge,
    PayloadUnserialisable,
    UnknownDomainPayload,
)
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.operation import OperationCompleted
from mendel.contracts.events.registry import SCHEMA_VERSION
from mendel.contracts.events.run import RunStarted, RunStopped, RunSummary
from mendel.contracts.ids import new_run_id
from mendel.contracts.payloads import DomainPayload, PayloadRegistry, domain_payloads
from mendel.contracts.scrub import REDACTED, Scrubber
from mendel.ports.records import ChainChecker, Sealer, Tip, blob_hashes, chain, event_of

SECRET = "correct horse battery"
KEY = "sk-abcdefghijklmnopqrstuvwx"
BLOB_HASH = "sha256:" + "b" * 64


class Vault(BaseModel):
    """A domain's model that a redacted value does not fit."""

    password: int = 0
    note: str = ""


@pytest.fixture
def sealer():
    registry = samples.sample_payloads()
    registry.register("sample", "vault", 1, Vault)
    return Sealer(Scrubber([SECRET]), registry)


def nested(depth, leaf="leaf"):
    for _ in range(depth):
        leaf = [leaf]
    return leaf


def stored(sealed):
    return orjson.loads(sealed.data)["findings"]["data"]


# --- what passes -----------------------------------------------------------------------------------------------


@check_rows("name", sorted(EXAMPLES))
def test_every_type_of_event_passes_and_is_read_back(name, sealer):
    sealed = sealer.seal(EventDraft.of(EXAMPLES[name]))
    assert sealed.payload == EXAMPLES[name]
    assert sealed.data == canonical(EXAMPLES[name].model_dump(mode="json", by_alias=True))
    records, _ = chain(new_run_id(), [sealed], Tip(), NOON)
    assert event_of(records[0]).payload == EXAMPLES[name]


def test_what_is_sealed_is_what_is_stored_never_what_was_handed_in(sealer):
    sealed = sealer.seal(samples.finding(1, {"note": SECRET}))
    assert stored(sealed) == {"note": REDACTED}
    assert sealed.payload.findings.data == {"note": REDACTED}


def test_a_draft_is_not_changed_by_being_sealed(sealer):
    draft = samples.finding(1, {"note": SECRET, "list": [KEY]})
    before = draft.model_dump_json()
    sealer.seal(draft)
    assert draft.model_dump_json() == before


def test_sealing_the_same_draft_again_gives_the_same_bytes(sealer):
    draft = samples.finding(1, {"b": 1, "a": SECRET})
    assert sealer.seal(draft) == sealer.seal(draft)


# --- the order -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "error"),
    [
        pytest.param({"x": nested(MAX_PAYLOAD_DEPTH), "big": "x" * MAX_PAYLOAD_BYTES}, PayloadTooDeep, id="depth-size"),
        pytest.param({"x": nested(MAX_PAYLOAD_DEPTH), "text": "\x00"}, PayloadTooDeep, id="depth-text"),
        pytest.param({"text": "\x00", "big": "x" * MAX_PAYLOAD_BYTES}, ForbiddenText, id="text-size"),
        pytest.param({"x": float("nan"), "text": "\x00"}, PayloadUnserialisable, id="number-text"),
    ],
)
def test_of_several_faults_the_first_in_order_is_named(sealer, data, error):
    with pytest.raises(error):
        sealer.seal(samples.unchecked(1, data))


def test_the_ceiling_is_held_against_what_was_handed_in_not_what_is_left_of_it(sealer):
    with pytest.raises(PayloadTooLarge):
        sealer.seal(samples.finding(1, {"note": (SECRET + " ") * (MAX_PAYLOAD_BYTES // len(SECRET))}))


def test_scrubbing_never_lifts_an_event_above_the_ceiling():
    short = "12345678"
    sealer = Sealer(Scrubber([short]), samples.sample_payloads())
    overhead = len(sealer.seal(samples.finding(1, {"n": ""})).data)
    grows = f"{short} " * ((MAX_PAYLOAD_BYTES - overhead) // (len(short) + 1))
    with pytest.raises(PayloadTooLarge):
        sealer.seal(samples.finding(1, {"n": grows}))


def test_bytes_are_canonical_after_scrubbing_too(sealer):
    data = sealer.seal(samples.finding(1, {SECRET: 1, "z": KEY, "a": {"token": "x"}})).data
    assert data == canonical(orjson.loads(data))


def test_the_chain_is_made_of_what_is_left(sealer):
    records, tip = chain(new_run_id(), [sealer.seal(samples.finding(1, {"note": SECRET}))], Tip(), NOON)
    ChainChecker().check_all(records)
    assert SECRET.encode() not in records[0].payload
    assert (tip.next, tip.hash) == (1, records[0].hash)


# --- what is refused -------------------------------------------------------------------------------------------


def test_a_payload_that_no_longer_fits_after_scrubbing_is_refused(sealer):
    payload = OperationCompleted(operation_id=f"operation-{KEY}", step="sample.look")
    with pytest.raises(InvalidPayload, match="operation_id"):
        sealer.seal(EventDraft.of(payload))


def test_domain_data_that_no_longer_fits_its_model_after_scrubbing_is_refused(sealer):
    findings = DomainPayload(domain="sample", kind="vault", data={"password": 12345678})
    payload = OperationCompleted(operation_id="operation-1", step="sample.look", findings=findings)
    with pytest.raises(InvalidPayload, match=r"sample\.vault v1: password"):
        sealer.seal(EventDraft.of(payload))


def test_a_text_that_outgrows_its_field_by_scrubbing_is_refused():
    sealer = Sealer(Scrubber(["12345678"]), PayloadRegistry())
    reason = "12345678 " * (100_000 // 9)
    with pytest.raises(InvalidPayload, match="reason"):
        sealer.seal(EventDraft.of(RunStopped(reason=reason, summary=RunSummary())))


@check_rows("field", ["generation_id", "genome_id", "candidate_id", "operation_id"])
@check_rows("value", [f"c-{KEY}", f"c:{KEY}.x", "c-correct_horse"])
def test_an_id_that_looks_like_a_secret_is_refused(field, value):
    sealer = Sealer(Scrubber(["correct_horse"]), PayloadRegistry())
    with pytest.raises(InvalidPayload, match="looks like a secret") as caught:
        sealer.seal(EventDraft.of(RunStarted(), **{field: value}))
    assert KEY not in str(caught.value)
    assert "correct_horse" not in str(caught.value)


@check_rows("field", ["correlation_id", "trace_id", "observation_id"])
@check_rows("secret", [SECRET, KEY, "Bearer abcdefghijklmnopqrstuvwx", "https://u:pw@host"])
def test_correlations_are_scrubbed(sealer, field, secret):
    draft = EventDraft.model_validate(
        {"type": "run.started", "actor": "runtime", "payload": {}, field: f"before {secret} after"}
    )
    clean = getattr(sealer.seal(draft).draft, field)
    assert secret not in clean
    assert REDACTED in clean
    assert clean.startswith("before ")


def test_a_correlation_that_outgrows_its_field_by_scrubbing_is_refused_before_it_is_stored():
    sealer = Sealer(Scrubber(["12345678"]), PayloadRegistry())
    with pytest.raises(InvalidPayload, match="correlation_id"):
        sealer.seal(EventDraft.of(RunStarted(), correlation_id="12345678" * 25))


@check_rows(
    "change",
    [
        {"id": "not a uuid"},
        {"actor": "nobody"},
        {"candidate_id": "no id"},
        {"correlation_id": "two\nlines"},
        {"correlation_id": "a\x00b"},
        {"trace_id": "x" * 201},
        {"observation_id": "\ud800"},
        {"operation_id": 7},
        {"type": "run.strated"},
        {"type": "run.stopped"},
    ],
)
def test_an_envelope_that_nobody_validated_is_refused(sealer, change):
    with pytest.raises(ContractError):
        sealer.seal(EventDraft.of(RunStarted()).model_copy(update=change))


class Impostor(RunStarted):
    """Claims a registered type and brings a field of its own."""

    extra: DomainPayload | None = None


def test_a_subclass_brings_nothing_along(sealer):
    strange = DomainPayload(domain="nobody", kind="knows", data={})
    draft = EventDraft.of(RunStarted()).model_copy(update={"payload": Impostor(extra=strange)})
    with pytest.raises(InvalidPayload, match="extra"):
        sealer.seal(draft)


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_domain_data_cannot_be_slipped_in_as_a_plain_object(sealer):
    payload = OperationCompleted.model_construct(
        operation_id="operation-1",
        step="sample.look",
        findings={"domain": "nobody", "kind": "knows", "version": 1, "data": {}},
        refs=(),
        attempts=1,
        degraded=False,
    )
    draft = samples.finding(1).model_copy(update={"payload": payload})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ContractError):
            sealer.seal(draft)


def test_domain_data_nobody_registered_is_refused_wherever_it_stands():
    sealer = Sealer(Scrubber(), PayloadRegistry())
    for payload in EXAMPLES.values():
        if list(domain_payloads(payload)):
            with pytest.raises(UnknownDomainPayload, match="sample"):
                sealer.seal(EventDraft.of(payload))


# --- no secret in an error -------------------------------------------------------------------------------------


@check_rows(
    "data",
    [
        {SECRET: "\x00"},
        {"a": {SECRET: ["\ud800"]}},
        {KEY: {"x": "\x00"}},
        {"note": SECRET, "big": float("nan")},
        {SECRET: float("inf")},
        {SECRET: 2**70},
        {SECRET: object()},
        {SECRET: nested(40)},
    ],
)
def test_no_refusal_says_a_secret(sealer, data):
    with pytest.raises(ContractError) as caught:
        sealer.seal(samples.unchecked(1, data))
    trace = "".join(traceback.format_exception(caught.value))
    trace = re.sub(r"^ .*$", "", trace, flags=re.MULTILINE)  # lines of source code
    assert SECRET not in trace
    assert KEY not in trace


def test_a_payload_that_does_not_fit_is_refused_without_its_values(sealer):
    payload = OperationCompleted.model_construct(operation_id=f"not an id {KEY}", step=SECRET, refs=(), attempts=1)
    with pytest.raises(InvalidPayload) as caught:
        sealer.seal(samples.started().model_copy(update={"payload": payload, "type": "operation.completed"}))
    trace = "".join(traceback.format_exception(caught.value))
    assert KEY not in trace
    assert SECRET not in trace


# --- places ----------------------------------------------------------------------------------------------------


def test_recorded_time_never_runs_backwards(sealer):
    sealed = [sealer.seal(samples.started())]
    tip = Tip(3, "a" * 64, NOON)
    records, after = chain(new_run_id(), sealed, tip, NOON.replace(hour=1))
    assert records[0].occurred_at == NOON
    assert after.occurred_at == NOON
    later, _ = chain(new_run_id(), sealed, tip, NOON.replace(hour=13))
    assert later[0].occurred_at == NOON.replace(hour=13)


def test_a_batch_continues_the_chain_it_is_given(sealer):
    run_id = new_run_id()
    first, tip = chain(run_id, [sealer.seal(draft) for draft in samples.findings(3)], Tip(), NOON)
    second, _ = chain(run_id, [sealer.seal(draft) for draft in samples.findings(2, 3)], tip, NOON)
    ChainChecker().check_all([*first, *second])
    assert {record.schema_version for record in first} == {SCHEMA_VERSION}
    assert second[0].prev_hash == first[-1].hash


def test_nothing_in_a_batch_is_nothing_in_the_chain():
    assert chain(new_run_id(), [], Tip(), NOON)[0] == []


# --- blobs -----------------------------------------------------------------------------------------------------

leaves = st.none() | st.integers(0, 9) | st.text("xyz", max_size=5) | st.just({"$blob": BLOB_HASH})
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab$", max_size=3), inner, max_size=3)
)


@settings(deadline=None)
@given(trees)
def test_every_reference_to_a_blob_is_found(value):
    def references(inner: JsonValue) -> int:
        if isinstance(inner, dict):
            return int(isinstance(inner.get("$blob"), str)) + sum(map(references, inner.values()))
        return sum(map(references, inner)) if isinstance(inner, list) else 0

    assert len(list(blob_hashes(canonical(value)))) == references(value)


def test_a_text_that_talks_about_a_blob_refers_to_none():
    assert list(blob_hashes(canonical({"text": f'{{"$blob":"{BLOB_HASH}"}}'}))) == []
    assert list(blob_hashes(canonical({"$blob": 7}))) == []
