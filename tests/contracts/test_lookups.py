"""What was looked up, as the log keeps it."""

from mendel.contracts.lookups import Lookups
from mendel.contracts.retrieval import ToolRecord


def record(code):
    return ToolRecord(call_id="c", name="web_search", arguments="{}", code=code, text="t")


def test_only_calls_that_were_made_are_taken_off_the_cap():
    codes = ["answered", "timeout", "cap_reached", "not_permitted", "address_refused"]
    assert Lookups(tools=tuple(map(record, codes))).counted_calls == 3
    assert Lookups().counted_calls == 0


def test_they_survive_the_log():
    lookups = Lookups(tools=(record("answered"),))
    assert Lookups.model_validate_json(lookups.model_dump_json()) == lookups
