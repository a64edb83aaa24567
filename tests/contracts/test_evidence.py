"""Rule 7: following a reference calls nobody."""

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.support.rows import check_rows

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.conformance import samples
from mendel.contracts.evidence import resolve
from mendel.contracts.evidence_refs import BlobRef, EvidenceRef
from mendel.contracts.ids import new_event_id


def refuse(*args, **kwargs):
    raise AssertionError("somebody opened a socket")


@pytest.fixture
def no_network(monkeypatch):
    """Closes the network from here on; an event loop that runs already keeps its sockets."""
    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)


def find_nothing(event_id):
    return None


async def test_a_pointer_to_an_event_of_the_log_leads_there(monkeypatch):
    async with MemoryEventLog(payloads=samples.sample_payloads()) as log:
        run_id = await samples.new_run(log, samples.findings(2))
        events = {event.id: event async for event in log.read(run_id)}
    with monkeypatch.context() as patched:
        patched.setattr(socket, "socket", refuse)
        for event in events.values():
            ref = EvidenceRef(kind="raw_output", event_id=event.id, uri="https://example.org/elsewhere")
            found = resolve(ref, events.get)
            assert found.event == event
            assert found.unresolved is None


def test_an_event_that_is_not_there_is_not_found_whatever_else_the_pointer_says(no_network):
    ref = EvidenceRef(kind="trace", event_id=new_event_id(), uri="https://example.org/x", observation_id="o")
    found = resolve(ref, find_nothing)
    assert (found.event, found.unresolved) == (None, "not_found")


@pytest.mark.parametrize("outside", [{"uri": "https://example.org/x"}, {"observation_id": "o"}])
def test_what_points_only_outside_is_never_fetched(no_network, outside):
    asked = []
    found = resolve(EvidenceRef(kind="prior_art", **outside), asked.append)
    assert (found.event, found.unresolved) == (None, "external_only")
    assert asked == []


def test_a_label_points_nowhere():
    found = resolve(EvidenceRef(kind="other", label="I saw it"), find_nothing)
    assert (found.event, found.unresolved) == (None, "no_pointer")


texts = st.none() | st.text(min_size=1, max_size=20)
refs = st.builds(
    EvidenceRef,
    kind=st.sampled_from(["trace", "check_output", "prior_art", "signal", "raw_output", "other"]),
    event_id=st.none() | st.uuids().map(str),
    uri=texts,
    observation_id=texts,
    label=texts,
)


@given(refs)
def test_every_reference_gets_one_answer(ref):
    found = resolve(ref, find_nothing)
    assert found.event is None
    expected = "external_only" if ref.uri or ref.observation_id else "no_pointer"
    assert found.unresolved == ("not_found" if ref.event_id else expected)


@check_rows(
    "hash_text",
    ["", "a" * 64, "sha256:" + "a" * 63, "sha256:" + "A" * 64, "sha256:../../etc/passwd", "sha256:" + "a" * 64 + "\n"],
)
def test_a_blob_is_named_by_its_hash_and_nothing_else(hash_text):
    with pytest.raises(ValidationError):
        BlobRef(hash=hash_text, size=1)


def test_a_blob_reference_is_found_on_the_wire_by_its_key():
    ref = BlobRef(hash="sha256:" + "a" * 64, size=1)
    assert ref.model_dump(mode="json")["$blob"] == ref.hash
    assert BlobRef.model_validate_json(ref.model_dump_json()) == ref
