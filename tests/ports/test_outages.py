import pytest
import structlog

from mendel.contracts.errors import StorageError
from mendel.ports.outages import Outage


async def test_it_says_when_it_begins_and_when_it_is_over_and_not_in_between():
    with structlog.testing.capture_logs() as said:
        outage = Outage("the store", None)
        for _ in range(3):
            await outage.pause("gone", StorageError)
        outage.over()
    assert [entry["event"] for entry in said] == ["log_writer_paused", "log_writer_resumed"]
    assert said[0]["reason"] == "gone"


async def test_nothing_is_said_where_nothing_happened():
    with structlog.testing.capture_logs() as said:
        Outage("the store", None).over()
    assert said == []


async def test_patience_that_has_run_out_is_an_error_of_the_kind_asked_for():
    outage = Outage("the store", 0.0)
    with pytest.raises(StorageError, match=r"the store was unavailable .*: gone"):
        await outage.pause("gone", StorageError)


async def test_a_log_that_is_being_closed_waits_no_longer():
    with pytest.raises(StorageError):
        await Outage("the store", None).pause("gone", StorageError, closing=True)
