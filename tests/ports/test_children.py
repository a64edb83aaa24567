"""The port of child operations takes from its parent's purse before it asks, and gives back what was not used."""

import pytest

from mendel.contracts.energy import Usage
from mendel.contracts.errors import AllowanceSpent, ChildFailed
from mendel.contracts.events.operation import Operation
from mendel.contracts.work import Answer, ChildAnswered, Failure
from mendel.ports.children import ChildOperations, Purse

WORST = Usage(tool_calls=3)


class Counted(Purse):
    def __init__(self, calls: int) -> None:
        self.left = calls

    def take(self, worst: Usage) -> None:
        if worst.tool_calls > self.left:
            raise AllowanceSpent("too much")
        self.left -= worst.tool_calls

    def give_back(self, worst: Usage, used: Usage) -> None:
        self.left += worst.tool_calls - used.tool_calls


def children(purse, outcome):
    asked = []

    async def line(step, inputs, index):
        asked.append((step, inputs, index))
        return ChildAnswered(task_id="t", index=index, outcome=outcome)

    parent = Operation(
        id="op-parent", step="sample.ask", subject_kind="run", subject_ids=("r",), entropy=(7, "examine", 1)
    )
    return ChildOperations(parent, {"sample.tool": WORST}, line, purse), asked


async def test_what_a_child_did_not_use_is_there_for_the_next():
    purse = Counted(5)
    port, asked = children(purse, Answer(usage=Usage(tool_calls=1)))
    assert (await port.perform("sample.tool", index=0)).usage.tool_calls == 1
    assert purse.left == 4
    await port.perform("sample.tool", index=1)
    assert [index for _, _, index in asked] == [0, 1]


async def test_one_that_does_not_fit_or_is_not_named_is_refused_before_anybody_is_asked():
    port, asked = children(Counted(2), Answer())
    for step, code in (("sample.tool", "cap_reached"), ("sample.other", "child_not_named")):
        with pytest.raises(ChildFailed) as failed:
            await port.perform(step, index=0)
        assert failed.value.reason == code
    assert asked == []


async def test_a_failure_comes_with_its_code_and_counts_at_its_worst_where_it_does_not_say_what_it_used():
    purse = Counted(5)
    port, _ = children(purse, Failure(error_type="NoLuck", error_code="no_luck", message="not today"))
    with pytest.raises(ChildFailed, match="not today") as failed:
        await port.perform("sample.tool", index=0)
    assert (failed.value.reason, purse.left) == ("no_luck", 2)
