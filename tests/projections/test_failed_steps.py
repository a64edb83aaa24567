"""What is said of operations that failed."""

from tests.contracts.examples import make_verdict
from tests.projections.histories import NICHE, History
from tests.support.rows import check_rows

from mendel.contracts.events.gate import GateVerdict
from mendel.contracts.events.operation import OperationFailed
from mendel.contracts.verdicts import Challenge
from mendel.projections.failed_steps import FailedSteps, failure_message


def failure(code: str, error_type: str, message: str) -> OperationFailed:
    return OperationFailed(
        operation_id="operation-1", step="teas.taste", error_type=error_type, error_code=code, message=message
    )


@check_rows(
    "code, error_type, message, said",
    [
        ("handler_raised", "key_error", "KeyError: 'cup' (teas/tasting.py, line 3)", None),
        ("handler_raised", "value_error", "ValueError (teas/tasting.py, line 3)", None),
        ("handler_raised", "key_error", "'cup'", "key_error: 'cup'"),
        ("handler_raised", "cold", "a cup:\nempty", "cold: a cup: empty"),
        ("too_cold", "handler_failed", "a cup\n  is cold", "a cup is cold"),
    ],
)
def test_a_raised_exception_is_named_once_also_in_older_logs(code, error_type, message, said):
    assert failure_message(failure(code, error_type, message)) == (said or message)


def story(*ends):
    """Challenges one after the other, each failing (False) or with a verdict (True)."""
    told = History().begun()
    for k, has_verdict in enumerate(ends, start=1):
        spent = Challenge.nth(NICHE, k, 0.05)
        told.operation(k, step="sample.gate", kind="challenge", challenge=spent)
        if has_verdict:
            told.completed(k, "sample.gate").add(GateVerdict(verdict=make_verdict(niche=NICHE)))
        else:
            told.failed(k, "sample.gate")
    return told


@check_rows(
    ("ends", "closed"),
    [
        ((False, False), ()),
        ((False, False, False), (3,)),
        ((False, False, True, False), ()),
        ((False, True, False, False, False), (3,)),
    ],
)
def test_a_niche_is_closed_once_three_challenges_in_a_row_failed(ends, closed):
    fold = FailedSteps()
    for event in story(*ends).events:
        fold.take(event)
    assert tuple(each.challenges for each in fold.closed_niches()) == closed
    said = f"3 challenges in a row failed in {NICHE}, which makes no more (sample.gate): too slow"
    assert [each.words() for each in fold.closed_niches()] == [said for _ in closed]
