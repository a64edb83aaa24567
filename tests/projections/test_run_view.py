from tests.projections.histories import History

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.conformance import samples
from mendel.contracts.events.energy import EnergySpent
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.operation import Operation, OperationFailed, OperationStarted
from mendel.contracts.statuses import RunStatus
from mendel.projections.health import FailedSteps, RunFold


def started(number):
    operation = Operation(
        id=f"operation-{number}", step="sample.look", subject_kind="candidate", subject_ids=(f"candidate-{number}",)
    )
    return EventDraft.of(OperationStarted(operation=operation))


def failed(number):
    payload = OperationFailed(
        operation_id=f"operation-{number}", step="sample.look", error_type="timeout", error_code="slow", message="slow"
    )
    return EventDraft.of(payload)


async def folded(*drafts):
    async with MemoryEventLog(payloads=samples.sample_payloads()) as log:
        run_id = await samples.new_run(log, drafts)
        fold = RunFold()
        async for event in log.read(run_id):
            fold.take(event)
    return fold.view()


def test_nothing_is_said_before_the_first_event():
    assert RunFold().view() is None


async def test_operations_are_in_flight_until_they_end():
    view = await folded(started(1), started(2), started(3), samples.finding(1), failed(3))
    assert view.operations_in_flight == ("operation-2",)


async def test_state_energy_and_counts():
    spent = [EventDraft.of(EnergySpent(kind="cpu", estimate=9, actual=n, reason="x")) for n in (3, 4)]
    view = await folded(samples.started(), *spent, samples.completed())
    assert view.status is RunStatus.COMPLETED
    assert view.energy_spent == 7
    assert view.events_by_type["energy.spent"] == 2
    assert view.sequence_through == 4
    assert view.config.domain == "sample"


async def test_why_operations_failed_is_told_the_most_frequent_reason_first():
    other = OperationFailed(
        operation_id="operation-1", step="sample.vary", error_type="crash", error_code="crashed", message="no luck"
    )
    view = await folded(*map(started, range(1, 4)), EventDraft.of(other), failed(2), failed(3))
    assert list(view.failures.items()) == [("sample.look: slow", 2), ("sample.vary: no luck", 1)]


def test_of_each_step_the_failures_are_counted_with_the_message_that_is_most_frequent():
    story = History().begun().operation(1).failed(1).operation(2).completed(2).operation(3).failed(3)
    story.operation(4, "genome-1", step="sample.vary", kind="vary")
    for number in (4, 5, 6):
        story.failed(number, "sample.vary", "handler_raised")
    fold = FailedSteps()
    for event in story.events:
        fold.take(event)
    vary, look = fold.rows()
    assert vary.words() == "3 of 3 operations of sample.vary failed: timeout: too slow"
    assert (vary.kind, look.kind, look.failed, look.ended) == ("vary", "examine", 2, 3)
