"""The contract suite of port ``TaskFabric``.

An implementer subclasses ``TaskFabricContract``, overrides the fixture ``fabric`` and inherits every test::

    class TestMyFabric(TaskFabricContract):
        @pytest_asyncio.fixture
        async def fabric(self):
            fabric = MyFabric(
                workers=2, max_deliveries=MAX_DELIVERIES, capabilities={CAPABILITY}, handlers=sample_handlers.REFERENCES
            )
            yield fabric
            await fabric.close()

        @pytest.fixture
        def walled(self):
            return my_fabric_whose_workers_have  # (sandbox) -> an asynchronous context manager of a fabric

Its workers must be able to import ``mendel.conformance.sample_handlers`` and run on this machine. No test asserts a
time; the timeouts only keep a suite from waiting for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio

from mendel.conformance.sample_handlers import StatedSandbox
from mendel.contracts.base import JsonObject
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import FabricClosed, SandboxUnavailable
from mendel.contracts.evaluations import Isolation
from mendel.contracts.events.operation import Operation
from mendel.contracts.ids import new_run_id, new_task_id
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.tasks import TASK_SCHEMA_VERSION, Result, ResultStatus, Task, TaskKind
from mendel.contracts.times import utc_now
from mendel.contracts.work import Answer, ChildAnswered, ChildAsked, Failure, Material, TaskPayload, Work
from mendel.ports.sandbox import Sandbox
from mendel.ports.task_fabric import TaskFabric, TaskLane

OpenWalled = Callable[[Sandbox], AbstractAsyncContextManager[TaskFabric]]
"""Opens a fabric in which every worker has that sandbox."""

CAPABILITY: Final = "sample"
"""A capability of the workers of the fabric under test."""
MAX_DELIVERIES: Final = 3
"""How often the fabric under test delivers a task."""

_PATIENCE_S: Final = 60
_SHORT_MS: Final = 300  # a deadline for handlers that never end
_LONG_MS: Final = 600_000  # a deadline that is never reached
_MESSAGE: Final = 2_000  # characters of a failure's message
_FULL: Final = Isolation("full", ("seccomp",), "stated")
_WEAK: Final = Isolation("weak", (), "stated", {"seccomp": "not there"})


def sample_task(
    step: str,
    data: JsonObject | None = None,
    *,
    requires: tuple[str, ...] = (),
    number: int = 1,
    children: tuple[str, ...] = (),
    ports: tuple[str, ...] = (),
) -> Task:
    """Return a task for the sample handler of that name."""
    operation = Operation(
        id=f"operation-{number}",
        step=f"sample.{step}",
        subject_kind="candidate",
        subject_ids=("candidate-1",),
        inputs=DomainPayload(domain="sample", kind="inputs", data=data or {}),
        allowance=Usage(evaluations=1),
    )
    work = Work(
        operation=operation,
        material=Material(problem="a sample"),
        ports=(*ports, "children") if children else ports,
        children=dict.fromkeys(children, Usage()),
    )
    payload = TaskPayload(handler=operation.step, run_id=new_run_id(), work=work)
    return open_task(payload.model_dump(mode="json"), requires)


def open_task(payload: JsonObject, requires: tuple[str, ...] = ()) -> Task:
    """Return a task with any payload."""
    return Task(
        kind=TaskKind.EXECUTE,
        id=new_task_id(),
        payload=payload,
        requires=requires,
        attempts=0,
        created_at=utc_now(),
        schema_v=TASK_SCHEMA_VERSION,
    )


async def collect(lane: TaskLane, count: int) -> dict[str, Result]:
    """Return ``count`` results by task id; fails if one comes twice."""
    found: dict[str, Result] = {}
    async with asyncio.timeout(_PATIENCE_S):
        while len(found) < count:
            for result in await lane.results():
                assert result.task_id not in found, "a task has exactly one result"
                found[result.task_id] = result
    return found


async def result_of(lane: TaskLane, task: Task, *, deadline_ms: int | None = None) -> Result:
    """Submit ``task`` and wait for its result, which must be the next."""
    await lane.submit(task, deadline_ms=deadline_ms)
    return (await collect(lane, 1))[task.id]


def findings_of(result: Result) -> JsonObject:
    """Return the findings of a successful result; fails for any other."""
    assert result.status is ResultStatus.OK, result.data
    findings = Answer.model_validate(result.data["answer"]).findings
    assert findings is not None
    return findings.data


def failure_of(result: Result) -> Failure:
    """Return the failure of a failed result; fails for any other."""
    assert result.status is ResultStatus.ERROR, result.data
    return Failure.model_validate(result.data["failure"])


def marks_in(path: Path) -> list[str]:
    """Return the marks that handlers left in a file."""
    return path.read_text().splitlines() if path.exists() else []


async def marked(path: Path, count: int = 1) -> list[str]:
    """Wait until handlers have left ``count`` marks."""
    async with asyncio.timeout(_PATIENCE_S):
        while len(marks := marks_in(path)) < count:  # noqa: ASYNC110 - another process leaves them
            await asyncio.sleep(0.005)
    return marks


async def no_more_marks(path: Path) -> None:
    """Fail if a handler that leaves mark after mark is still running."""
    before = len(marks_in(path))
    await asyncio.sleep(0.1)
    assert len(marks_in(path)) == before, "the handler runs on"


async def wished(lane: TaskLane, count: int) -> list[ChildAsked]:
    """Return ``count`` requests for children by index; each must survive a round trip through JSON."""
    found: list[ChildAsked] = []
    async with asyncio.timeout(_PATIENCE_S):
        while len(found) < count:
            found += await lane.asked()
    assert [ChildAsked.model_validate_json(each.model_dump_json()) for each in found] == found
    return sorted(found, key=lambda each: each.index)


async def nothing_comes(lane: TaskLane) -> None:
    """Fail if any other result arrives before that of a new task."""
    probe = sample_task("echo_inline")
    await lane.submit(probe)
    assert set(await collect(lane, 1)) == {probe.id}
    await lane.acknowledge([probe.id])


both_ways = pytest.mark.parametrize("way", ["", "_inline"], ids=["plain", "inline"])


@pytest.mark.asyncio
class TaskFabricContract:
    """What every task fabric must do."""

    @pytest.fixture
    def fabric(self) -> TaskFabric:
        raise NotImplementedError("override this fixture with the fabric under test; it may be an async one")

    @pytest.fixture
    def walled(self) -> OpenWalled:
        raise NotImplementedError("override this fixture with what opens a fabric whose workers have a sandbox")

    @pytest_asyncio.fixture
    async def lane(self, fabric: TaskFabric) -> AsyncIterator[TaskLane]:
        async with fabric.lane(new_run_id()) as lane:
            yield lane

    @pytest.fixture
    def kills(self, fabric: TaskFabric) -> None:
        """Used by tests with handlers that must be killed, or that would end the process in which they run."""
        if not fabric.guarantees.kills_overrunning_handlers:
            pytest.skip("the fabric does not guarantee to kill handlers")

    @pytest.fixture
    def marks(self, tmp_path: Path) -> Path:
        return tmp_path / "marks"

    # --- results -----------------------------------------------------------------------------------------------

    @both_ways
    async def test_a_task_comes_back_as_a_result(self, lane: TaskLane, way: str) -> None:
        task = sample_task(f"echo{way}", {"ü": [1, 2.5, None, {"deep": "\u2028"}], "big": 2**70}, number=7)
        result = await result_of(lane, task, deadline_ms=_LONG_MS)
        assert findings_of(result) == {"ü": [1, 2.5, None, {"deep": "\u2028"}], "big": 2**70}
        assert result.data["operation_id"] == "operation-7"
        assert set(result.data) == {"operation_id", "answer"}
        assert Answer.model_validate(result.data["answer"]).usage.tool_calls == 1
        assert (result.attempts, result.task_id) == (1, task.id)
        assert Result.model_validate_json(result.model_dump_json()) == result

    async def test_results_come_while_others_run(self, lane: TaskLane, tmp_path: Path, marks: Path) -> None:
        until = tmp_path / "until"
        slow = sample_task("wait_for", {"marks": str(marks), "until": str(until)})
        await lane.submit(slow)
        await marked(marks)
        await nothing_comes(lane)
        until.touch()
        assert set(await collect(lane, 1)) == {slow.id}

    @both_ways
    async def test_every_task_has_exactly_one_result(self, lane: TaskLane, way: str) -> None:
        tasks = [sample_task(f"echo{way}", {"n": n}) for n in range(200)]
        _, found = await asyncio.gather(
            asyncio.gather(*(lane.submit(task) for task in tasks)), collect(lane, len(tasks))
        )
        assert [findings_of(found[task.id]) for task in tasks] == [{"n": n} for n in range(200)]
        await nothing_comes(lane)

    # --- children ----------------------------------------------------------------------------------------------

    async def test_a_handlers_requests_are_delivered_and_it_goes_on_with_their_answers(self, lane: TaskLane) -> None:
        task = sample_task("delegate", {"children": 3}, children=("sample.echo",))
        await lane.submit(task, deadline_ms=_LONG_MS)
        asked = await wished(lane, 3)
        assert [(each.task_id, each.index, each.step) for each in asked] == [
            (task.id, index, "sample.echo") for index in range(3)
        ]
        assert asked[0].inputs is not None
        assert asked[0].inputs.data == {"children": 3}
        for each in reversed(asked):
            outcome = Answer(summary=f"answer {each.index}")
            await lane.answer(ChildAnswered(task_id=task.id, index=each.index, outcome=outcome))
        result = (await collect(lane, 1))[task.id]
        assert findings_of(result) == {"answers": ["answer 0", "answer 1", "answer 2"]}

    async def test_a_child_that_failed_fails_its_parent_with_its_code(self, lane: TaskLane) -> None:
        task = sample_task("delegate", {"children": 1}, children=("sample.echo",))
        await lane.submit(task, deadline_ms=_LONG_MS)
        (asked,) = await wished(lane, 1)
        failure = Failure(error_type="NoLuck", error_code="no_luck", message="not today")
        answered = ChildAnswered(task_id=task.id, index=asked.index, outcome=failure)
        assert ChildAnswered.model_validate_json(answered.model_dump_json()) == answered
        await lane.answer(answered)
        assert failure_of((await collect(lane, 1))[task.id]).error_code == "no_luck"

    async def test_a_request_is_forgotten_with_its_task_and_an_answer_that_comes_too_late_is_nothing(
        self, lane: TaskLane
    ) -> None:
        given_up, task = (sample_task("delegate", {"children": 1}, children=("sample.echo",)) for _ in range(2))
        await lane.submit(given_up, deadline_ms=_LONG_MS)
        await wished(lane, 1)
        await lane.cancel(given_up.id)
        # The cancelled task no longer takes an answer; it must not reach the next one either.
        await lane.answer(ChildAnswered(task_id=given_up.id, index=0, outcome=Answer()))
        await lane.submit(task, deadline_ms=_LONG_MS)
        (asked,) = await wished(lane, 1)
        assert asked.task_id == task.id
        await lane.answer(ChildAnswered(task_id=task.id, index=0, outcome=Answer(summary="in time")))
        assert findings_of((await collect(lane, 1))[task.id]) == {"answers": ["in time"]}

    # --- isolation ---------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("isolation", [_FULL, _WEAK], ids=["full", "weak"])
    async def test_it_announces_the_walls_in_which_its_workers_run_what_nobody_trusts(
        self, walled: OpenWalled, isolation: Isolation
    ) -> None:
        async with walled(StatedSandbox(isolation)) as fabric, fabric.lane(new_run_id()) as lane:
            assert "sandbox" in fabric.ports
            assert await fabric.isolation() == isolation
            ran = await result_of(lane, sample_task("evaluate", ports=("sandbox",)))
            answer = Answer.model_validate(ran.data["answer"])
            assert (answer.isolation, answer.usage.evaluations) == (isolation.tier, 1)
            failure = failure_of(await result_of(lane, sample_task("evaluate")))
            assert failure.error_code == "port_not_named"

    async def test_without_a_sandbox_it_announces_none_and_runs_nothing(
        self, fabric: TaskFabric, lane: TaskLane
    ) -> None:
        assert "sandbox" not in fabric.ports
        assert await fabric.isolation() is None
        assert _code_of(await result_of(lane, sample_task("evaluate", ports=("sandbox",)))) == "port_not_open"

    async def test_a_sandbox_that_does_not_start_says_so_by_the_name_of_its_error(self, walled: OpenWalled) -> None:
        async with walled(StatedSandbox(None)) as fabric, fabric.lane(new_run_id()) as lane:
            with pytest.raises(SandboxUnavailable, match="seccomp is not there"):
                await fabric.isolation()
            error = failure_of(await result_of(lane, sample_task("evaluate", ports=("sandbox",)))).error()
            assert (type(error), str(error)) == (SandboxUnavailable, "seccomp is not there")

    # --- results, whatever happens -----------------------------------------------------------------------------

    @pytest.mark.parametrize("seed", range(3))
    async def test_every_task_has_exactly_one_result_whatever_happens(
        self, lane: TaskLane, kills: None, tmp_path: Path, seed: int
    ) -> None:
        tasks = _mixture(Entropy("mixture", seed), tmp_path)
        cancelled = tasks[::7]
        submitting = asyncio.gather(*(lane.submit(task, deadline_ms=_deadline_of(task)) for task in tasks))
        cancelling = asyncio.gather(*(lane.cancel(task.id) for task in cancelled))
        await asyncio.gather(submitting, cancelling)
        found = await collect(lane, len(tasks) - len(cancelled))
        assert set(found) == {task.id for task in tasks} - {task.id for task in cancelled}
        for task in tasks:
            if task.id in found:
                assert _code_of(found[task.id]) == _EXPECTED[str(task.payload["handler"])]
        await nothing_comes(lane)
        assert set(await lane.outstanding()) == set(found)

    async def test_a_task_submitted_again_changes_nothing(self, lane: TaskLane, marks: Path) -> None:
        task = sample_task("count", {"marks": str(marks)})
        await lane.submit(task)
        await lane.submit(task)
        await collect(lane, 1)
        await lane.submit(task)
        await nothing_comes(lane)
        assert len(marks_in(marks)) == 1

    async def test_whoever_stops_waiting_loses_nothing(self, lane: TaskLane) -> None:
        waiting = asyncio.create_task(lane.results())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting})
        assert (await result_of(lane, sample_task("echo_inline"))).status is ResultStatus.OK

    # --- what handlers do wrong ----------------------------------------------------------------------------------

    @both_ways
    @pytest.mark.parametrize(
        ("what", "error_type"),
        [
            ("anything", "ZeroDivisionError"),
            ("exit", "SystemExit"),
            ("interrupt", "KeyboardInterrupt"),
            ("cancelled", "CancelledError"),
            ("reason", "HandlerFailed"),
        ],
    )
    async def test_a_handler_that_raises_has_answered(
        self, lane: TaskLane, way: str, what: str, error_type: str
    ) -> None:
        result = await result_of(lane, sample_task(f"misbehave{way}", {"what": what}), deadline_ms=_LONG_MS)
        failure = failure_of(result)
        assert (failure.error_code, failure.error_type) == ("handler_raised", error_type)
        assert result.attempts == 1
        assert result.data["operation_id"] == "operation-1"
        await nothing_comes(lane)

    @both_ways
    async def test_a_message_is_cut_and_cleaned(self, lane: TaskLane, way: str) -> None:
        failure = failure_of(await result_of(lane, sample_task(f"misbehave{way}", {"what": "nasty"})))
        assert failure.message == (f"{failure.error_type}: a\ufffdb\ufffd" + "x" * _MESSAGE)[:_MESSAGE]

    @both_ways
    async def test_a_handler_says_why_it_failed(self, lane: TaskLane, way: str) -> None:
        failure = failure_of(await result_of(lane, sample_task(f"fail{way}")))
        assert (failure.error_code, failure.error_type) == ("out_of_luck", "HandlerFailed")
        assert (failure.message, failure.usage is not None and failure.usage.tokens_in, failure.attempts) == (
            "no luck today",
            7,
            3,
        )

    @pytest.mark.parametrize("step", ["answer_nonsense", "answer_nonsense_inline", "answer_no_text"])
    async def test_an_answer_that_is_none_is_a_failure(self, lane: TaskLane, step: str) -> None:
        assert _code_of(await result_of(lane, sample_task(step))) == "bad_answer"

    async def test_an_unknown_handler_is_answered_with_the_known_ones(self, lane: TaskLane) -> None:
        failure = failure_of(await result_of(lane, sample_task("nobody_has_this")))
        assert failure.error_code == "unknown_handler"
        assert "sample.echo" in failure.message

    @pytest.mark.parametrize("payload", [{}, {"handler": "sample.echo"}, {"handler": "sample.echo_inline", "work": 3}])
    async def test_a_payload_that_is_none_is_a_failure(self, lane: TaskLane, payload: JsonObject) -> None:
        assert _code_of(await result_of(lane, open_task(payload))) == "bad_payload"

    async def test_a_task_needs_a_worker_with_its_capabilities(self, lane: TaskLane) -> None:
        able = await result_of(lane, sample_task("echo", requires=(CAPABILITY,)))
        assert able.status is ResultStatus.OK
        failure = failure_of(await result_of(lane, sample_task("echo", requires=(CAPABILITY, "flight"))))
        assert failure.error_code == "no_worker"
        assert "flight" in failure.message

    async def test_what_a_handler_prints_or_reads_is_nobodys_business(self, lane: TaskLane, kills: None) -> None:
        for _ in range(2):  # the second call shows that the first left the worker's protocol intact
            assert findings_of(await result_of(lane, sample_task("talk"))) == {"read": 0}

    @both_ways
    async def test_large_work_and_large_answers(self, lane: TaskLane, way: str) -> None:
        # Far more than the buffer of a pipe.
        data: JsonObject = {"text": "ü\U0001f331" * 250_000}
        tasks = [sample_task(f"echo{way}", data) for _ in range(4)]
        for task in tasks:
            await lane.submit(task)
        found = await collect(lane, len(tasks))
        assert all(findings_of(result) == data for result in found.values())
        shouted = findings_of(await result_of(lane, sample_task("shout", {"size": 8_000_000})))
        assert len(str(shouted["text"])) == 8_000_000

    # --- workers that die ----------------------------------------------------------------------------------------

    async def test_what_a_dead_worker_held_is_delivered_again(self, lane: TaskLane, kills: None, marks: Path) -> None:
        result = await result_of(lane, sample_task("die_once", {"marks": str(marks)}))
        assert (result.status, result.attempts) == (ResultStatus.OK, 2)
        assert len(set(marks_in(marks))) == 2  # two processes
        assert await lane.dead_letters() == ()

    @pytest.mark.parametrize("step", ["die", "fork_and_die"])
    async def test_a_task_that_kills_its_workers_is_a_dead_letter(
        self, lane: TaskLane, kills: None, marks: Path, step: str
    ) -> None:
        task = sample_task(step, {"marks": str(marks)})
        result = await result_of(lane, task)
        assert (_code_of(result), result.attempts) == ("dead_letter", MAX_DELIVERIES)
        assert len(marks_in(marks)) == MAX_DELIVERIES
        assert await lane.dead_letters() == (task,)
        assert findings_of(await result_of(lane, sample_task("echo", {"n": 1}))) == {"n": 1}

    async def test_a_handler_that_comes_back_twice_has_one_result(self, lane: TaskLane, kills: None) -> None:
        assert (await result_of(lane, sample_task("fork_and_answer"))).status is ResultStatus.OK
        assert findings_of(await result_of(lane, sample_task("echo", {"n": 1}))) == {"n": 1}
        await nothing_comes(lane)

    # --- deadlines and cancelling --------------------------------------------------------------------------------

    @pytest.mark.parametrize("step", ["spin", "sleep"])
    async def test_a_handler_is_killed_at_its_deadline(
        self, lane: TaskLane, kills: None, marks: Path, step: str
    ) -> None:
        result = await result_of(lane, sample_task(step, {"marks": str(marks)}), deadline_ms=_SHORT_MS)
        assert (_code_of(result), result.attempts) == ("deadline", 1)
        assert len(marks_in(marks)) <= 1  # it may be killed before it leaves a mark
        assert findings_of(await result_of(lane, sample_task("echo", {"n": 1}), deadline_ms=_LONG_MS)) == {"n": 1}

    @both_ways
    async def test_nothing_runs_on_after_its_deadline(self, lane: TaskLane, kills: None, marks: Path, way: str) -> None:
        result = await result_of(lane, sample_task(f"beat{way}", {"marks": str(marks)}), deadline_ms=_SHORT_MS)
        assert _code_of(result) == "deadline"
        await no_more_marks(marks)

    async def test_an_answer_after_the_deadline_is_none(self, lane: TaskLane) -> None:
        assert _code_of(await result_of(lane, sample_task("stubborn_inline"), deadline_ms=50)) == "deadline"
        await nothing_comes(lane)

    @both_ways
    async def test_a_running_task_is_cancelled(self, lane: TaskLane, kills: None, marks: Path, way: str) -> None:
        task = sample_task(f"beat{way}", {"marks": str(marks)})
        await lane.submit(task)
        await marked(marks)
        await lane.cancel(task.id)
        await no_more_marks(marks)
        assert await lane.outstanding() == {}
        await nothing_comes(lane)

    async def test_a_queued_task_is_cancelled(self, lane: TaskLane, tmp_path: Path, marks: Path) -> None:
        until, never = tmp_path / "until", tmp_path / "never"
        # More tasks than workers, so that the last one stays queued.
        slow = [sample_task("wait_for", {"marks": str(marks), "until": str(until)}) for _ in range(20)]
        queued = sample_task("count", {"marks": str(never)})
        for task in (*slow, queued):
            await lane.submit(task)
        await lane.cancel(queued.id)
        until.touch()
        assert set(await collect(lane, len(slow))) == {task.id for task in slow}
        await nothing_comes(lane)
        assert marks_in(never) == []

    async def test_cancelling_what_has_ended_drops_its_result(self, lane: TaskLane) -> None:
        task, other = sample_task("echo_inline"), sample_task("echo_inline")
        await lane.submit(task)
        await lane.submit(other)
        async with asyncio.timeout(_PATIENCE_S):
            await lane.drain()
        await lane.cancel(task.id)
        await lane.cancel("0" * 32)  # an unknown task is ignored
        assert set(await collect(lane, 1)) == {other.id}
        assert set(await lane.outstanding()) == {other.id}

    # --- the life of a lane --------------------------------------------------------------------------------------

    async def test_draining_takes_nothing_more_and_waits(self, lane: TaskLane, tmp_path: Path, marks: Path) -> None:
        until = tmp_path / "until"
        task = sample_task("wait_for", {"marks": str(marks), "until": str(until)})
        await lane.submit(task)
        await marked(marks)
        draining = asyncio.create_task(lane.drain())
        await asyncio.sleep(0)
        with pytest.raises(FabricClosed):
            await lane.submit(sample_task("echo"))
        assert not draining.done()
        until.touch()
        async with asyncio.timeout(_PATIENCE_S):
            await draining
        assert set(await collect(lane, 1)) == {task.id}

    async def test_outstanding_is_what_is_not_acknowledged(self, lane: TaskLane, tmp_path: Path, marks: Path) -> None:
        until = tmp_path / "until"
        slow = sample_task("wait_for", {"marks": str(marks), "until": str(until)})
        quick = sample_task("echo_inline")
        assert await lane.outstanding() == {}
        await lane.submit(slow)
        await lane.submit(quick)
        await collect(lane, 1)
        assert await lane.outstanding() == {slow.id: slow, quick.id: quick}
        await lane.acknowledge([quick.id, slow.id, "0" * 32])
        assert await lane.outstanding() == {slow.id: slow}, "what has not ended cannot be acknowledged"
        until.touch()
        assert set(await collect(lane, 1)) == {slow.id}

    async def test_results_stay_until_they_are_acknowledged(self, fabric: TaskFabric) -> None:
        run_id = new_run_id()
        tasks = [sample_task("echo_inline", {"n": n}) for n in range(3)]
        async with fabric.lane(run_id) as lane:
            for task in tasks:
                await lane.submit(task)
            first = await collect(lane, len(tasks))
            await lane.acknowledge([tasks[0].id])
        async with fabric.lane(run_id) as lane:
            again = await collect(lane, 2)
            assert again == {task.id: first[task.id] for task in tasks[1:]}
            await lane.submit(tasks[1])
            await nothing_comes(lane)
            await lane.acknowledge([task.id for task in tasks])
        async with fabric.lane(run_id) as lane:
            assert await lane.outstanding() == {}
            await nothing_comes(lane)

    async def test_lanes_know_nothing_of_each_other(self, fabric: TaskFabric, marks: Path) -> None:
        task = sample_task("echo_inline", {"n": 1})
        async with fabric.lane(new_run_id()) as one, fabric.lane(new_run_id()) as two:
            await one.submit(task)
            await nothing_comes(two)
            await two.cancel(task.id)
            await two.acknowledge([task.id])
            assert await two.outstanding() == {}
            await two.drain()
            assert findings_of((await collect(one, 1))[task.id]) == {"n": 1}
            assert findings_of(await result_of(one, sample_task("echo", {"n": 2}))) == {"n": 2}

    @both_ways
    async def test_leaving_a_lane_stops_what_runs_in_it(
        self, fabric: TaskFabric, kills: None, marks: Path, way: str
    ) -> None:
        if fabric.guarantees.survives_its_conductor:
            pytest.skip("the fabric survives its conductor")
        async with fabric.lane(new_run_id()) as lane:
            for _ in range(5):
                await lane.submit(sample_task(f"beat{way}", {"marks": str(marks)}))
            await marked(marks)
        await no_more_marks(marks)
        with pytest.raises(FabricClosed):
            await lane.submit(sample_task("echo"))

    async def test_a_closed_fabric_runs_nothing(self, fabric: TaskFabric, kills: None, marks: Path) -> None:
        async with fabric.lane(new_run_id()) as lane:
            await lane.submit(sample_task("beat", {"marks": str(marks)}))
            await marked(marks)
            waiting = asyncio.create_task(lane.results())
            await asyncio.sleep(0)
            await fabric.close()
            await no_more_marks(marks)
            async with asyncio.timeout(_PATIENCE_S):
                with pytest.raises(FabricClosed):
                    await waiting
            with pytest.raises(FabricClosed):
                await lane.submit(sample_task("echo"))


_EXPECTED: Final = {  # the code with which each step must end
    "sample.echo": "ok",
    "sample.echo_inline": "ok",
    "sample.fail": "out_of_luck",
    "sample.fail_inline": "out_of_luck",
    "sample.answer_nonsense": "bad_answer",
    "sample.die_once": "ok",
    "sample.sleep": "deadline",
    "sample.wait_inline": "deadline",
}


def _mixture(entropy: Entropy, folder: Path) -> Sequence[Task]:
    """Return sixty tasks, most of which end well, in random order."""
    steps = [step.removeprefix("sample.") for step in _EXPECTED]
    # The first five steps are cheap.
    common = entropy.sample([steps[index % 5] for index in range(54)], 54, "common")
    drawn = entropy.sample([*common, "die_once", "die_once", "sleep", "wait_inline", "sleep", "die_once"], 60, "all")
    return [sample_task(step, {"marks": str(folder / f"{number}")}) for number, step in enumerate(drawn)]


def _deadline_of(task: Task) -> int:
    return _SHORT_MS if _EXPECTED[str(task.payload["handler"])] == "deadline" else _LONG_MS


def _code_of(result: Result) -> str:
    return "ok" if result.status is ResultStatus.OK else failure_of(result).error_code
