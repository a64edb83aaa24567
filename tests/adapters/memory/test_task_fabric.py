import asyncio
import gc
import os
import re
import signal
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.rows import check_rows

from mendel.adapters.memory import worker
from mendel.adapters.memory.outcomes import raised
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.conformance import sample_handlers
from mendel.conformance.task_fabric import (
    CAPABILITY,
    MAX_DELIVERIES,
    TaskFabricContract,
    collect,
    failure_of,
    findings_of,
    marked,
    marks_in,
    nothing_comes,
    result_of,
    sample_task,
)
from mendel.contracts.errors import (
    AllowanceSpent,
    FabricClosed,
    FabricError,
    HandlerFailed,
    LogIntegrityError,
    ModelCallFailed,
    OracleUnfit,
    SandboxRefused,
    SandboxUnavailable,
    SpecFailed,
    TestsFail,
    UnknownPlugin,
)
from mendel.contracts.ids import new_run_id
from mendel.contracts.work import Answer, Failure
from mendel.ports.handlers import Ports

MemoryFabric = partial(
    MemoryTaskFabric,
    max_deliveries=MAX_DELIVERIES,
    capabilities=frozenset({CAPABILITY}),
    handler_references=sample_handlers.REFERENCES,
)


@asynccontextmanager
async def walled_fabric(sandbox):
    """A fabric whose workers have that sandbox."""
    fabric = MemoryFabric(workers=0, ports=Ports(sandbox))
    yield fabric
    await fabric.close()


class MemoryFabricContract(TaskFabricContract):
    @pytest.fixture
    def walled(self):
        return walled_fabric


class TestWithWorkerProcesses(MemoryFabricContract):
    @pytest_asyncio.fixture
    async def fabric(self):
        fabric = MemoryFabric()
        yield fabric
        await fabric.close()


class TestWithThreads(MemoryFabricContract):
    @pytest_asyncio.fixture
    async def fabric(self):
        fabric = MemoryFabric(workers=0)
        yield fabric
        await fabric.close()


@pytest.mark.long
class TestWithoutProcessDescriptors(MemoryFabricContract):
    """Kernels that have none tell of a worker's end by closing its pipe; a copy that holds it open hides that."""

    test_a_task_that_kills_its_workers_is_a_dead_letter = None
    test_every_task_has_exactly_one_result = None
    test_large_work_and_large_answers = None

    @pytest_asyncio.fixture
    async def fabric(self, monkeypatch):
        monkeypatch.setattr(worker, "_descriptor_of", lambda _: -1)
        fabric = MemoryFabric()
        yield fabric
        await fabric.close()


@check_rows(
    "error",
    [
        OracleUnfit("it is random"),
        TestsFail("they fail"),
        SpecFailed("it contradicts itself"),
        SandboxUnavailable("seccomp is missing"),
        SandboxRefused("too fast to be timed"),
        HandlerFailed("unsteady", "it did not come to its end"),
        AllowanceSpent("3 evaluations are wanted"),
        ModelCallFailed("connection", "nobody answered"),
    ],
)
def test_an_error_of_mendel_comes_back_over_the_fabric_as_it_was_raised(error):
    back = Failure.model_validate(raised(error)["failure"]).error()
    assert (type(back), str(back)) == (type(error), str(error))
    assert getattr(back, "reason", None) == getattr(error, "reason", None)


@check_rows("error", [ZeroDivisionError("by zero"), LogIntegrityError("gap", 3, "cut"), SystemExit("left")])
def test_any_other_error_comes_back_as_one_of_the_fabric_that_names_it(error):
    back = Failure.model_validate(raised(error)["failure"]).error()
    assert (type(back), str(back)) == (FabricError, f"{type(error).__name__}: {error}")


@pytest_asyncio.fixture
async def fabric():
    fabric = MemoryFabric()
    yield fabric
    await fabric.close()


@pytest_asyncio.fixture
async def lane(fabric):
    async with fabric.lane(new_run_id()) as lane:
        yield lane


def is_gone(pid: int) -> bool:
    """Whether nothing of the process is left but, if it was nobody's child here, an entry that init has to clear."""
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True


async def gone(pid: int) -> None:
    async with asyncio.timeout(60):
        while not is_gone(pid):
            await asyncio.sleep(0.005)


async def pid_of(lane, tmp_path) -> int:
    """The process in which the next plain handler would run."""
    return findings_of(await result_of(lane, sample_task("count", {"marks": str(tmp_path / "count")})))["pid"]


# --- worker processes ------------------------------------------------------------------------------------------------


async def test_workers_are_kept_warm_and_are_never_more_than_asked_for(lane, tmp_path):
    marks = tmp_path / "marks"
    for _ in range(50):
        await lane.submit(sample_task("count", {"marks": str(marks)}))
    await collect(lane, 50)
    assert 1 <= len(set(await marked(marks, 50))) <= 2


async def test_lanes_share_the_workers(fabric, tmp_path):
    async with fabric.lane(new_run_id()) as one, fabric.lane(new_run_id()) as two:
        first = await pid_of(one, tmp_path)
        assert await pid_of(two, tmp_path) == first


async def test_tasks_are_taken_in_the_order_of_their_submission(tmp_path):
    marks = tmp_path / "marks"
    fabric = MemoryFabric(workers=1)
    async with fabric.lane(new_run_id()) as one, fabric.lane(new_run_id()) as two:
        for number in range(20):
            await (one, two)[number % 2].submit(sample_task("count", {"marks": str(marks), "label": number}))
        await asyncio.gather(collect(one, 10), collect(two, 10))
    await fabric.close()
    assert marks_in(marks) == [str(number) for number in range(20)]


async def test_a_worker_that_does_not_read_holds_nobody_up(lane, tmp_path):
    pid = await pid_of(lane, tmp_path)
    os.kill(pid, signal.SIGSTOP)
    task = sample_task("echo", {"text": "x" * 1_000_000})
    await lane.submit(task)
    for _ in range(20):
        await nothing_comes(lane)
    os.kill(pid, signal.SIGCONT)
    assert (await collect(lane, 1))[task.id].attempts == 1


async def test_a_worker_that_dies_while_it_is_written_to_is_replaced(lane, tmp_path):
    pid = await pid_of(lane, tmp_path)
    os.kill(pid, signal.SIGSTOP)
    task = sample_task("echo", {"text": "x" * 1_000_000})
    await lane.submit(task)
    await nothing_comes(lane)
    os.kill(pid, signal.SIGKILL)
    assert (await collect(lane, 1))[task.id].attempts == 2


async def test_nothing_is_left_of_a_closed_fabric(tmp_path):
    fabric = MemoryFabric()
    async with fabric.lane(new_run_id()) as lane:
        idle = await pid_of(lane, tmp_path)
        await lane.submit(sample_task("sleep", {"marks": str(tmp_path / "busy")}))
        busy = int((await marked(tmp_path / "busy"))[0])
        await lane.submit(sample_task("sleep", {"marks": str(tmp_path / "other")}))
        other = int((await marked(tmp_path / "other"))[0])
        await fabric.close()
    for pid in {idle, busy, other}:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    with pytest.raises(FabricClosed):
        async with fabric.lane(new_run_id()):
            pass
    await fabric.close()
    gc.collect()


@pytest.mark.parametrize("deadline_ms", [1_000, None], ids=["deadline", "cancelled"])
async def test_what_a_handler_started_dies_with_it(lane, tmp_path, deadline_ms):
    task = sample_task("start_a_child", {"marks": str(tmp_path / "marks")})
    await lane.submit(task, deadline_ms=deadline_ms)
    grandchild = int((await marked(tmp_path / "marks"))[0])
    if deadline_ms is None:
        await lane.cancel(task.id)
    else:
        assert failure_of((await collect(lane, 1))[task.id]).error_code == "deadline"
    await gone(grandchild)


async def test_what_a_dead_worker_left_behind_dies_too(lane, tmp_path):
    marks = tmp_path / "marks"
    await lane.submit(sample_task("start_a_child", {"marks": str(marks)}), deadline_ms=600_000)
    grandchild = int((await marked(marks))[0])
    os.kill(os.getpgid(grandchild), signal.SIGKILL)
    await gone(grandchild)


async def test_a_worker_that_died_idle_costs_nobody_anything(lane, tmp_path):
    before = await pid_of(lane, tmp_path)
    os.kill(before, signal.SIGKILL)
    await gone(before)
    result = await result_of(lane, sample_task("echo", {"n": 1}))
    assert (findings_of(result), result.attempts) == ({"n": 1}, 1)


async def test_a_dead_letter_says_how_its_workers_ended(lane, tmp_path):
    failure = failure_of(await result_of(lane, sample_task("die", {"marks": str(tmp_path / "marks")})))
    assert failure.message.count("exit status 7") == MAX_DELIVERIES
    assert failure.attempts == MAX_DELIVERIES


async def test_without_an_interpreter_a_task_is_a_dead_letter(monkeypatch, lane):
    monkeypatch.setattr(worker.sys, "executable", "no-such-interpreter")
    task = sample_task("echo")
    failure = failure_of(await result_of(lane, task))
    assert failure.error_code == "dead_letter"
    assert "no-such-interpreter" in failure.message
    assert await lane.dead_letters() == (task,)


async def test_an_answer_above_the_ceiling_is_a_failure(lane):
    failure = failure_of(await result_of(lane, sample_task("shout", {"size": 64 * 1024 * 1024})))
    assert (failure.error_code, failure.error_type) == ("bad_answer", "PayloadTooLarge")


async def test_work_above_the_ceiling_is_a_failure(lane):
    failure = failure_of(await result_of(lane, sample_task("echo", {"text": "x" * 64 * 1024 * 1024})))
    assert (failure.error_code, failure.error_type) == ("bad_payload", "PayloadTooLarge")


# --- handlers --------------------------------------------------------------------------------------------------------


async def inline(work):
    return Answer(summary=work.operation.id)


async def swallow_everything(work):
    while True:
        try:
            await asyncio.sleep(0.01)
            if work.operation.inputs.data["stop"]:
                return Answer()
        except asyncio.CancelledError:
            pass


async def ask(handler, task, *, deadline_ms=None, references=sample_handlers.REFERENCES):
    """What a fabric whose ``handlers`` is a function of the test answers to one task."""
    fabric = MemoryTaskFabric(handlers=handler, handler_references=references)
    async with fabric.lane(new_run_id()) as lane:
        result = await result_of(lane, task, deadline_ms=deadline_ms)
    await fabric.close()
    return result


async def test_handlers_are_looked_for_once():
    asked = []

    def find(step):
        asked.append(step)
        return inline

    fabric = MemoryTaskFabric(handlers=find)
    async with fabric.lane(new_run_id()) as lane:
        for number in range(5):
            result = await result_of(lane, sample_task("elsewhere", number=number))
            assert result.data["answer"]["summary"] == f"operation-{number}"
    await fabric.close()
    assert asked == ["sample.elsewhere"]


async def test_an_unknown_handler_is_looked_for_again():
    known = {}

    def find(step):
        if step not in known:
            raise UnknownPlugin("not yet")
        return known[step]

    fabric = MemoryTaskFabric(handlers=find)
    async with fabric.lane(new_run_id()) as lane:
        assert failure_of(await result_of(lane, sample_task("late"))).error_code == "unknown_handler"
        known["sample.late"] = inline
        assert (await result_of(lane, sample_task("late"))).status == "ok"
    await fabric.close()


async def test_an_object_that_is_called_as_a_coroutine_function_runs_inline():
    class Handler:
        async def __call__(self, work):
            return Answer(summary=str(os.getpid()))

    result = await ask(lambda _: Handler(), sample_task("elsewhere"))
    assert result.data["answer"]["summary"] == str(os.getpid())


async def test_a_plain_function_that_only_the_parent_finds_is_unknown_to_a_worker():
    failure = failure_of(await ask(lambda _: lambda work: Answer(), sample_task("elsewhere")))
    assert failure.error_code == "unknown_handler"
    assert "sample.echo" in failure.message


@check_rows("reference", ["no.such.module:x", "mendel:nothing", "mendel:__doc__", "json:", "!"])
async def test_a_broken_reference_is_named(reference):
    result = await ask(lambda _: inline, sample_task("broken"), references={"sample.broken": reference})
    failure = failure_of(result)
    assert (failure.error_code, failure.error_type) == ("unknown_handler", "BrokenPlugin")
    assert "sample.broken" in failure.message


async def test_whatever_a_search_raises_the_task_has_a_result():
    failure = failure_of(await ask({}.__getitem__, sample_task("elsewhere")))
    assert (failure.error_code, failure.error_type) == ("fabric", "KeyError")


async def test_a_handler_that_swallows_its_cancellation_is_given_up(monkeypatch):
    monkeypatch.setattr("mendel.adapters.memory.stopping._PATIENCE_S", 0.05)
    data = {"stop": False}
    task = sample_task("elsewhere")

    async def handler(work):
        return await swallow_everything(work.model_copy(update={"operation": Told(data)}))

    result = await ask(lambda _: handler, task, deadline_ms=20, references={})
    assert failure_of(result).error_code == "deadline"
    data["stop"] = True
    await asyncio.sleep(0.1)


class Told:
    """An operation whose inputs the test can change."""

    def __init__(self, data):
        self.inputs = self
        self.data = data


async def test_an_exception_without_words_has_a_message():
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError("no words")

    async def handler(work):
        raise Mute if work.operation.inputs.data else ValueError

    empty = failure_of(await ask(lambda _: handler, sample_task("elsewhere")))
    assert empty.error_type == "ValueError"
    assert re.fullmatch(r"ValueError \(memory/test_task_fabric\.py, line \d+\)", empty.message)
    mute = failure_of(await ask(lambda _: handler, sample_task("elsewhere", {"mute": True})))
    assert (mute.error_type, mute.error_code) == ("Mute", "handler_raised")


async def test_an_answer_that_was_never_validated_does_not_pass():
    async def handler(work):
        return Answer.model_construct(summary=7, attempts=-1)

    assert failure_of(await ask(lambda _: handler, sample_task("elsewhere"))).error_code == "bad_answer"


# --- lanes -----------------------------------------------------------------------------------------------------------


async def test_a_run_has_one_lane_at_a_time(fabric):
    async with fabric.lane("one"):
        with pytest.raises(FabricError, match="open already"):
            async with fabric.lane("one"):
                pass
    async with fabric.lane("one") as lane:
        await nothing_comes(lane)


async def test_a_thread_that_overran_holds_nobody_up(tmp_path):
    until = tmp_path / "until"
    fabric = MemoryFabric(workers=0)
    async with fabric.lane(new_run_id()) as lane:
        endless = sample_task("wait_for", {"marks": str(tmp_path / "marks"), "until": str(until)})
        assert failure_of(await result_of(lane, endless, deadline_ms=50)).error_code == "deadline"
        assert findings_of(await result_of(lane, sample_task("echo", {"n": 1}))) == {"n": 1}
    until.touch()
    await fabric.close()
    assert fabric.guarantees.kills_overrunning_handlers is False


@pytest.mark.parametrize("options", [{"workers": -1}, {"max_deliveries": 0}])
def test_impossible_settings_are_refused(options):
    with pytest.raises(ValueError, match="at least"):
        MemoryTaskFabric(**options)
