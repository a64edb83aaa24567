"""What is said of operations that failed."""

from tests.support.rows import check_rows

from mendel.contracts.events.operation import OperationFailed
from mendel.projections.failed_steps import failure_message


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
