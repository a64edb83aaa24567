"""What the contract suite and the state machine reach only by luck."""

import pytest

from mendel.adapters.file.event_log import FileEventLog
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.conformance import samples
from mendel.contracts.errors import ContractError, WriterFenced
from mendel.contracts.ids import new_run_id


@pytest.fixture(params=["memory", "file"])
async def log(request, tmp_path):
    payloads = samples.sample_payloads()
    made = MemoryEventLog(payloads=payloads) if request.param == "memory" else FileEventLog(tmp_path, payloads=payloads)
    async with made as log:
        yield log


async def test_a_fenced_writer_stays_fenced_when_its_place_comes_round_again(log):
    run_id = await samples.new_run(log)
    async with log.conduct(run_id, conductor="a") as stale:
        pass
    await log.append(run_id, [samples.started()], expected=2)
    with pytest.raises(WriterFenced, match="taken over"):
        await stale.append([samples.finding(1)])
    assert (await log.tip(run_id)).next == 3
    with pytest.raises(WriterFenced, match="ended"):
        await stale.append([samples.finding(2)])
    assert (await log.tip(run_id)).next == 3, "though that would have been its next place"


@pytest.mark.parametrize("run_id", ["", "latest", "../../x", "0198AAAA-0000-7000-8000-00000000000F", "0" * 32])
async def test_nothing_is_stored_under_a_name_that_is_none_of_a_run(log, run_id):
    with pytest.raises(ContractError, match="not the id of a run"):
        await log.append(run_id, [samples.configured()], expected=0)
    assert await log.runs() == ()


async def test_a_batch_is_judged_whole_before_any_of_it_is_stored(log):
    run_id = new_run_id()
    with pytest.raises(ContractError):
        await log.append(run_id, [samples.configured(), samples.unchecked(1, {"text": "\x00"})], expected=0)
    assert await log.runs() == ()
    await log.append(run_id, [samples.configured()], expected=0)
