"""The contract suite of port ``EventLog``.

An implementer subclasses ``EventLogContract``, overrides the fixture ``open_log`` and inherits every test::

    class TestMyLog(EventLogContract):
        @pytest.fixture
        def open_log(self, tmp_path):
            return lambda **options: MyLog(tmp_path, **options)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import JsonValue

from mendel.conformance import samples
from mendel.contracts.canonical import MAX_PAYLOAD_BYTES, MAX_PAYLOAD_DEPTH
from mendel.contracts.commands import CommandKind, NewCommand
from mendel.contracts.errors import (
    BlobMissing,
    CommandNotPossible,
    ContractError,
    DuplicateEventId,
    ForbiddenText,
    ImportRefused,
    InvalidPayload,
    LogIntegrityError,
    PayloadTooDeep,
    PayloadTooLarge,
    PayloadUnserialisable,
    RunBusy,
    RunNotFound,
    SequenceConflict,
    UnknownDomainPayload,
    WriterFenced,
)
from mendel.contracts.events.envelope import GENESIS, Event, EventDraft
from mendel.contracts.events.operation import OperationCompleted
from mendel.contracts.events.run import ConductorTookOver
from mendel.contracts.ids import new_run_id
from mendel.contracts.log_views import Head
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.scrub import REDACTED, Scrubber
from mendel.contracts.statuses import RunStatus
from mendel.ports.event_log import EventLog
from mendel.ports.transfer import export_run, import_run
from mendel.ports.verification import verify

OpenLog = Callable[..., EventLog]

SECRET = "correct horse battery"  # noqa: S105 - made up
SCRUBBER = Scrubber([SECRET])


def _nested(depth: int) -> JsonValue:
    value: JsonValue = "leaf"
    for _ in range(depth):
        value = [value]
    return value


def _circle() -> JsonValue:
    circle: list[JsonValue] = []
    circle.append(circle)
    return circle


async def _all(log: EventLog, run_id: str, start: int = 0) -> list[Event]:
    return [event async for event in log.read(run_id, start)]


async def _take(events: AsyncIterator[Event], count: int) -> list[Event]:
    return [await anext(events) for _ in range(count)]


@pytest.mark.asyncio
class EventLogContract:
    """What every event log must do. ``open_log`` opens another handle on the same store at every call."""

    @pytest.fixture
    def open_log(self) -> OpenLog:
        raise NotImplementedError("override this fixture with a callable that opens the log under test")

    @pytest.fixture
    def open_other_log(self) -> OpenLog | None:
        """Opens an empty log on another store of the same kind; without it, imports are not tested."""
        return None

    @pytest_asyncio.fixture
    async def log(self, open_log: OpenLog) -> AsyncIterator[EventLog]:
        async with open_log(payloads=samples.sample_payloads(), scrubber=SCRUBBER) as log:
            yield log

    @pytest_asyncio.fixture
    async def second(self, open_log: OpenLog) -> AsyncIterator[EventLog]:
        async with open_log(payloads=samples.sample_payloads(), scrubber=SCRUBBER) as log:
            yield log

    # --- appending and reading -------------------------------------------------------------------------------

    async def test_append_returns_what_read_returns(self, log: EventLog) -> None:
        run_id = new_run_id()
        drafts = [samples.configured(), *samples.findings(3)]
        stored = await log.append(run_id, drafts, expected=0)
        assert list(stored) == await _all(log, run_id)
        assert [event.id for event in stored] == [draft.id for draft in drafts]
        assert [event.payload for event in stored] == [draft.payload for draft in drafts]
        assert [event.candidate_id for event in stored] == [draft.candidate_id for draft in drafts]

    async def test_the_sequence_is_gapless_and_the_chain_starts_at_genesis(self, log: EventLog) -> None:
        run_id = await samples.new_run(log, samples.findings(5))
        await log.append(run_id, samples.findings(5, 5), expected=6)
        events = await _all(log, run_id)
        assert [event.sequence for event in events] == list(range(11))
        assert [event.prev_hash for event in events] == [GENESIS, *(event.hash for event in events[:-1])]

    async def test_an_empty_batch_is_nothing(self, log: EventLog) -> None:
        run_id = await samples.new_run(log)
        assert await log.append(run_id, [], expected=1) == ()
        assert (await log.tip(run_id)).next == 1

    async def test_reading_starts_where_it_is_asked_to(self, log: EventLog) -> None:
        run_id = await samples.new_run(log, samples.findings(9))
        assert [event.sequence for event in await _all(log, run_id, 7)] == [7, 8, 9]
        assert await _all(log, run_id, 10) == []
        assert await _all(log, new_run_id()) == []

    @pytest.mark.parametrize("run_id", ["zzz", "", "../../etc/passwd", "0198C000-0000-7000-8000-000000000000"])
    async def test_what_is_no_run_id_names_no_run(self, log: EventLog, run_id: str) -> None:
        for look in (lambda: _all(log, run_id), lambda: log.tip(run_id), lambda: verify(log, run_id)):
            with pytest.raises(RunNotFound):
                await look()
        with pytest.raises(InvalidPayload):
            await log.append(run_id, [samples.configured()], expected=0)

    async def test_reading_crosses_every_chunk(self, log: EventLog) -> None:
        run_id = await samples.new_run(log)
        for start in range(0, 5_000, 1_000):  # more events than a store reads at once
            await log.append(run_id, samples.findings(1_000, start), expected=start + 1)
        assert [event.sequence for event in await _all(log, run_id)] == list(range(5_001))
        assert [event.sequence for event in await _all(log, run_id, 1_999)] == list(range(1_999, 5_001))

    async def test_runs_do_not_see_each_other(self, log: EventLog) -> None:
        first, second = await samples.new_run(log, samples.findings(2)), await samples.new_run(log)
        assert {event.run_id for event in await _all(log, first)} == {first}
        assert len(await _all(log, second)) == 1

    async def test_what_one_handle_stores_another_reads(self, log: EventLog, second: EventLog) -> None:
        run_id = await samples.new_run(log, samples.findings(3))
        assert await _all(second, run_id) == await _all(log, run_id)

    async def test_values_come_back_as_they_went_in(self, log: EventLog) -> None:
        data: dict[str, JsonValue] = {
            "text": 'quotes " backslashes \\ newlines \n tabs \t and ünïcödé 🌱',
            "numbers": [0, -1, 2**53, 0.1, -0.0, 1e300, 5e-324],  # where exact and floating numbers are easily confused
            "empty": {"list": [], "object": {}, "text": ""},
            "null": None,
            "flags": [True, False],
            "zzz": {"b": 1, "a": 2, "é": 3, "\x7f": 4},
        }
        run_id = await samples.new_run(log, [samples.finding(1, data)])
        payload = (await _all(log, run_id))[1].payload
        assert isinstance(payload, OperationCompleted)
        assert payload.findings is not None
        assert payload.findings.data == data

    async def test_time_never_runs_backwards(self, open_log: OpenLog) -> None:
        noon = datetime(2030, 1, 1, 12, tzinfo=UTC)
        # The clock goes back by an hour.
        times = iter([noon, noon - timedelta(hours=1), noon + timedelta(microseconds=1)])
        async with open_log(payloads=samples.sample_payloads(), clock=lambda: next(times)) as log:
            run_id = await samples.new_run(log)
            await log.append(run_id, [samples.started()], expected=1)
            await log.append(run_id, [samples.completed()], expected=2)
            found = [event.occurred_at for event in await _all(log, run_id)]
        assert found == [noon, noon, noon + timedelta(microseconds=1)]

    # --- expected sequence, repeated ids -----------------------------------------------------------------------

    @pytest.mark.parametrize("expected", [0, 2, 7])
    async def test_a_wrong_expected_sequence_is_refused(self, log: EventLog, expected: int) -> None:
        run_id = await samples.new_run(log)
        with pytest.raises(SequenceConflict, match=f"not at {expected}"):
            await log.append(run_id, [samples.started()], expected=expected)
        assert len(await _all(log, run_id)) == 1

    async def test_a_batch_that_stands_there_already_is_a_success(self, log: EventLog, second: EventLog) -> None:
        run_id, batch = await samples.new_run(log), samples.findings(3)
        stored = await log.append(run_id, batch, expected=1)
        assert await log.append(run_id, batch, expected=1) == stored
        assert await second.append(run_id, batch, expected=1) == stored
        await log.append(run_id, [samples.started()], expected=4)
        assert await second.append(run_id, batch, expected=1) == stored
        assert len(await _all(log, run_id)) == 5

    async def test_an_id_is_used_once(self, log: EventLog) -> None:
        draft = samples.started()
        run_id = await samples.new_run(log, [draft])
        with pytest.raises(DuplicateEventId):
            await log.append(run_id, [draft], expected=2)
        with pytest.raises(DuplicateEventId):
            await log.append(run_id, [again := samples.finding(1), again], expected=2)  # twice in one batch
        assert len(await _all(log, run_id)) == 2
        await log.append(run_id, samples.findings(1), expected=2)

    async def test_an_id_is_used_once_in_all_runs(self, log: EventLog) -> None:
        if not log.guarantees.ids_unique_across_runs:
            pytest.skip(f"{type(log).__name__} does not guarantee this")
        draft = samples.started()
        await samples.new_run(log, [draft])
        other = await samples.new_run(log)
        with pytest.raises(DuplicateEventId):
            await log.append(other, [draft], expected=1)

    async def test_of_two_racing_writers_one_is_first(self, log: EventLog, second: EventLog) -> None:
        run_id = await samples.new_run(log)
        for position in range(1, 11):
            attempts = (handle.append(run_id, [samples.started()], expected=position) for handle in (log, second))
            results = await asyncio.gather(*attempts, return_exceptions=True)
            assert sorted(isinstance(result, SequenceConflict) for result in results) == [False, True]
        assert [event.sequence for event in await _all(log, run_id)] == list(range(11))

    async def test_a_handle_goes_on_after_somebody_else_appended(self, log: EventLog, second: EventLog) -> None:
        run_id = await samples.new_run(log)
        await second.append(run_id, [samples.started()], expected=1)
        await log.append(run_id, samples.findings(1), expected=2)
        assert len(await _all(second, run_id)) == 3

    # --- one writer ------------------------------------------------------------------------------------------

    async def test_overlapping_appends_keep_their_order(self, log: EventLog) -> None:
        run_id = await samples.new_run(log)
        async with log.conduct(run_id, conductor="a") as writer:
            batches = [samples.findings(3, 3 * number) for number in range(40)]
            results = await asyncio.gather(*(writer.append(batch) for batch in batches))
        ids = [draft.id for batch in batches for draft in batch]
        assert [event.id for event in await _all(log, run_id, 2)] == ids
        assert [event.id for result in results for event in result] == ids

    async def test_taking_over_leaves_its_epoch_in_the_log(self, log: EventLog) -> None:
        run_id = await samples.new_run(log)
        async with log.conduct(run_id, conductor="a"):
            pass
        async with log.conduct(run_id, conductor="b") as writer:
            assert writer.epoch == 2
        payloads = [event.payload for event in await _all(log, run_id, 1)]
        assert payloads == [ConductorTookOver(epoch=1, conductor="a"), ConductorTookOver(epoch=2, conductor="b")]

    async def test_only_one_living_conductor(self, log: EventLog, second: EventLog) -> None:
        run_id = await samples.new_run(log)
        async with log.conduct(run_id, conductor="a") as writer:
            with pytest.raises(RunBusy):
                async with second.conduct(run_id, conductor="b"):
                    pass
            await writer.append([samples.started()])
        async with second.conduct(run_id, conductor="b"):
            pass

    async def test_a_check_that_fails_leaves_the_run_as_it_is(self, log: EventLog, second: EventLog) -> None:
        run_id = await samples.new_run(log)

        async def check() -> None:
            with pytest.raises(RunBusy):
                async with second.conduct(run_id, conductor="b"):
                    pass
            raise CommandNotPossible("there is nothing to do")

        with pytest.raises(CommandNotPossible):
            async with log.conduct(run_id, conductor="a", check=check):
                pass
        assert (await log.tip(run_id)).next == 1
        async with second.conduct(run_id, conductor="b") as writer:
            assert writer.epoch == 1

    async def test_what_one_claims_nobody_else_has(self, log: EventLog, second: EventLog) -> None:
        name, other = str(new_run_id()), str(new_run_id())
        async with log.claimed(name), second.claimed(other):
            with pytest.raises(RunBusy):
                async with second.claimed(name):
                    pass
        async with second.claimed(name):
            assert await second.runs() == ()

    # --- niches ----------------------------------------------------------------------------------------------

    async def test_a_niche_knows_its_runs_and_how_far_they_went(self, log: EventLog, second: EventLog) -> None:
        first, other, later = new_run_id(), new_run_id(), new_run_id()
        marks = [samples.started(), *samples.findings(3), samples.challenge("a", 1), samples.challenge("a", 2)]
        await log.append(first, [samples.in_niche("a"), *marks, samples.completed()], expected=0)
        await log.append(other, [samples.in_niche("b"), samples.challenge("b", 1)], expected=0)
        # The second name needs escaping in SQL and in JSON.
        niches: JsonValue = [{"niche": "b", "challenges": 4}, {"niche": "a \u00fc\"'", "challenges": 9}]
        await second.append(later, [samples.in_niche("a", niches=niches, challenges_before=2)], expected=0)
        assert [(run.run_id, run.challenges, run.claims) for run in await log.runs_in("a")] == [
            (first, 2, False),
            (later, 2, True),
        ]
        assert [(run.run_id, run.challenges) for run in await log.runs_in("b")] == [(other, 1), (later, 4)]
        assert [run.challenges for run in await log.runs_in("a \u00fc\"'")] == [9]
        assert await log.runs_in("unused") == ()

    async def test_a_run_that_names_no_niche_has_that_of_its_problem(self, log: EventLog) -> None:
        run_id = await samples.new_run(log, [samples.challenge("sample:a sample run", 1)])
        (run,) = await log.runs_in("sample:a sample run")
        assert (run.run_id, run.challenges, run.claims) == (run_id, 1, True)

    async def test_a_niche_knows_its_champion(self, log: EventLog) -> None:
        run_id = new_run_id()
        await log.append(
            run_id, [samples.in_niche("a"), samples.adoption("a", 1), samples.adoption("b", 2)], expected=0
        )
        assert [run.champion_id for run in await log.runs_in("a")] == ["candidate-1"]
        await log.append(run_id, [samples.adoption("a", 3)], expected=3)
        (run,) = await log.runs_in("a")
        assert run.champion is not None
        assert (run.champion.run_id, run.champion.candidate_id) == (run_id, "candidate-3")
        assert run.champion.content.data == {"number": 3}
        await log.append(run_id, [samples.revocation("a", 3)], expected=4)
        assert [run.champion_id for run in await log.runs_in("a")] == ["candidate-1"]

    async def test_a_run_that_never_challenges_claims_nothing(self, log: EventLog) -> None:
        await log.append(new_run_id(), [samples.in_niche("a", never_challenges=True)], expected=0)
        assert [(run.may_challenge, run.claims) for run in await log.runs_in("a")] == [(False, False)]

    async def test_a_niche_knows_when_its_runs_began_and_ended(self, log: EventLog) -> None:
        run_id = new_run_id()
        await log.append(run_id, [samples.in_niche("a"), samples.started()], expected=0)
        (run,) = await log.runs_in("a")
        assert (run.configured_at is None, run.ended_at) == (False, None)
        await log.append(run_id, [samples.completed()], expected=2)
        times = [event.occurred_at for event in await _all(log, run_id)]
        (run,) = await log.runs_in("a")
        assert (run.configured_at, run.ended_at) == (times[0], times[2])

    async def test_a_run_knows_its_newest_candidates_with_vectors(self, log: EventLog, second: EventLog) -> None:
        run_id = await samples.new_run(log)
        assert await second.newest_looks(run_id, 10) == ()
        # Every third candidate has no vector.
        drafts = [samples.seen_candidate(number, samples.looks(number) if number % 3 else None) for number in range(10)]
        await log.append(run_id, [each for batch in drafts for each in [*batch, *samples.findings(50)]], expected=1)
        found = await second.newest_looks(run_id, 10)
        assert [(each.run_id, each.candidate_id) for each in found] == [
            (run_id, f"candidate-{number}") for number in (8, 7, 5, 4, 2, 1)
        ]
        assert [(each.content.data, each.looks) for each in found[:2]] == [
            ({"number": number}, samples.looks(number)) for number in (8, 7)
        ]
        assert await log.newest_looks(run_id, 2) == found[:2]
        assert await log.newest_looks(run_id, 0) == ()
        assert await log.newest_looks(new_run_id(), 10) == ()

    # --- one writer, continued -------------------------------------------------------------------------------

    async def test_a_stale_writer_is_fenced_off(self, log: EventLog, second: EventLog) -> None:
        run_id = await samples.new_run(log)
        async with log.conduct(run_id, conductor="a") as stale:
            pass
        async with second.conduct(run_id, conductor="b") as writer:
            with pytest.raises(WriterFenced):
                await stale.append([samples.started()])
            with pytest.raises(WriterFenced):
                await stale.append([samples.completed()])
            await writer.append([samples.started()])

    async def test_a_run_is_let_go_of_when_nothing_of_it_is_in_flight(self, log: EventLog, second: EventLog) -> None:
        run_id = await samples.new_run(log)
        async with log.conduct(run_id, conductor="a") as writer:
            task = asyncio.create_task(writer.append(samples.findings(50)))
            for _ in range(4):  # enough turns of the loop for the batch to be in flight
                await asyncio.sleep(0)
            task.cancel()
        tip, seen = await second.tip(run_id), await log.checkpoints.get(run_id)
        assert seen is not None
        assert seen.sequence == tip.next - 1
        await log.close()  # nothing may be in flight any more that could move the tip
        assert await second.tip(run_id) == tip

    async def test_a_run_without_events_cannot_be_conducted(self, log: EventLog) -> None:
        with pytest.raises(RunNotFound):
            async with log.conduct(new_run_id(), conductor="a"):
                pass

    async def test_a_refused_draft_does_not_end_the_writer(self, log: EventLog) -> None:
        run_id = await samples.new_run(log)
        async with log.conduct(run_id, conductor="a") as writer:
            with pytest.raises(ForbiddenText):
                await writer.append([samples.unchecked(1, {"text": "\x00"})])
            await writer.append([samples.started()])

    async def test_a_repeated_id_takes_what_is_behind_it_along(self, log: EventLog) -> None:
        run_id, repeated = await samples.new_run(log), samples.started()
        async with log.conduct(run_id, conductor="a") as writer:
            await writer.append([repeated])
            batches = [[samples.finding(1)], [repeated], [samples.finding(2)]]
            results = await asyncio.gather(*map(writer.append, batches), return_exceptions=True)
        assert isinstance(results[1], DuplicateEventId)
        assert isinstance(results[2], WriterFenced)
        stored = [event.id for event in await _all(log, run_id)]
        # The first batch is committed alone or in one group with the second; both are correct.
        assert (batches[0][0].id in stored) == (not isinstance(results[0], BaseException))
        assert batches[2][0].id not in stored

    async def test_a_cancelled_append_leaves_the_log_usable(self, log: EventLog) -> None:
        run_id = await samples.new_run(log)
        task = asyncio.create_task(log.append(run_id, samples.findings(50), expected=1))
        await asyncio.sleep(0)  # lets it start
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await log.close()
        tip = await log.tip(run_id)
        # The batch may or may not have reached the store before it was cancelled.
        assert tip.next in {1, 51}, "a batch is stored whole or not at all"
        await log.append(run_id, [samples.started()], expected=tip.next)

    # --- the boundary ----------------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("data", "error"),
        [
            ({"text": "a\x00b"}, ForbiddenText),
            ({"a\x00b": 1}, ForbiddenText),
            ({"text": "\ud800"}, ForbiddenText),
            ({"\ud800": 1, "more": 2}, ForbiddenText),
            ({"number": float("nan")}, PayloadUnserialisable),
            ({"number": float("inf")}, PayloadUnserialisable),
            ({"number": 2**64}, PayloadUnserialisable),
            ({"object": object()}, PayloadUnserialisable),
            ({"deep": _nested(MAX_PAYLOAD_DEPTH)}, PayloadTooDeep),
            ({"deep": _nested(5_000)}, PayloadTooDeep),
            ({"circle": _circle()}, PayloadTooDeep),
            ({"large": "x" * MAX_PAYLOAD_BYTES}, PayloadTooLarge),
        ],
        ids=[
            "nul",
            "nul-in-key",
            "surrogate",
            "surrogate-in-key",
            "nan",
            "infinity",
            "large-integer",
            "object",
            "deep",
            "very-deep",
            "circle",
            "large",
        ],
    )
    async def test_bad_values_are_refused_by_name(
        self, log: EventLog, data: dict[str, JsonValue], error: type[ContractError]
    ) -> None:
        run_id = await samples.new_run(log)
        with pytest.raises(error):
            await log.append(run_id, [samples.started(), samples.unchecked(1, data)], expected=1)
        assert len(await _all(log, run_id)) == 1

    async def test_the_ceiling_itself_is_allowed(self, log: EventLog) -> None:
        # The rest is room for the envelope of the findings.
        room = MAX_PAYLOAD_BYTES - 1_000
        run_id = await samples.new_run(log, [samples.finding(1, {"large": "x" * room})])
        await log.append(run_id, [samples.finding(2, {"deep": _nested(MAX_PAYLOAD_DEPTH - 4)})], expected=2)
        assert len(await _all(log, run_id)) == 3

    async def test_unvalidated_drafts_are_validated_here(self, log: EventLog) -> None:
        run_id = await samples.new_run(log)
        payload = OperationCompleted.model_construct(operation_id="not an id", step="sample.look")
        with pytest.raises(InvalidPayload):
            await log.append(run_id, [samples.started().model_copy(update={"payload": payload})], expected=1)

    async def test_a_domain_payload_needs_its_model(self, log: EventLog) -> None:
        run_id = await samples.new_run(log)
        strange = DomainPayload(domain="unknown", kind="payload", version=3, data={})
        draft = EventDraft.of(OperationCompleted(operation_id="operation-1", step="sample.look", findings=strange))
        with pytest.raises(UnknownDomainPayload, match=r"unknown\.payload v3"):
            await log.append(run_id, [draft], expected=1)

    async def test_secrets_are_removed_before_anything_is_stored(self, log: EventLog) -> None:
        data: dict[str, JsonValue] = {
            "note": f"my phrase is {SECRET}, keep it",
            "list": ["sk-abcdefghijklmnopqrstuvwx", {"password": "hunter2"}],
            SECRET: 1,
            f"{SECRET}!": 2,
        }
        run_id = await samples.new_run(log)
        stored = await log.append(run_id, [samples.finding(1, data)], expected=1)
        payload = stored[0].payload
        assert isinstance(payload, OperationCompleted)
        assert payload.findings is not None
        assert payload.findings.data == {
            "note": f"my phrase is {REDACTED}, keep it",
            "list": [REDACTED, {"password": REDACTED}],
            REDACTED: 1,
            f"{REDACTED}!": 2,
        }
        assert list(stored) == await _all(log, run_id, 1)
        assert (await verify(log, run_id)).ok

    async def test_a_blob_must_be_there_before_the_event_that_refers_to_it(self, log: EventLog) -> None:
        run_id = await samples.new_run(log)
        ref = await log.blobs.put(b"large" * 1000)
        await log.append(run_id, [samples.blob_stored(ref)], expected=1)
        absent = ref.model_copy(update={"hash": "sha256:" + "0" * 64})
        with pytest.raises(BlobMissing):
            await log.append(run_id, [samples.blob_stored(absent)], expected=2)
        assert len(await _all(log, run_id)) == 2

    # --- following -------------------------------------------------------------------------------------------

    async def test_following_sees_the_past_and_the_future(self, log: EventLog, second: EventLog) -> None:
        run_id = await samples.new_run(log)
        async with asyncio.timeout(30), aclosing(second.follow(run_id)) as events:
            assert [event.sequence for event in await _take(events, 1)] == [0]
            for position in range(1, 6):
                waiting = asyncio.create_task(anext(events))
                await asyncio.sleep(0)  # lets the follower wait before the append
                await log.append(run_id, [samples.finding(position)], expected=position)
                assert (await waiting).sequence == position

    async def test_following_starts_where_it_is_asked_to(self, log: EventLog) -> None:
        run_id = await samples.new_run(log, samples.findings(4))
        async with asyncio.timeout(30), aclosing(log.follow(run_id, 3)) as events:
            assert [event.sequence for event in await _take(events, 2)] == [3, 4]

    # --- commands --------------------------------------------------------------------------------------------

    async def test_commands_wait_for_the_conductor_in_order(self, log: EventLog, second: EventLog) -> None:
        run_id = await samples.new_run(log)
        kinds = [CommandKind.SET_PARAMETERS, CommandKind.PROPOSE, CommandKind.STOP]
        for kind in kinds:
            await second.submit(NewCommand(run_id=run_id, kind=kind, payload={"password": "hunter2"}))
        found = await log.commands(run_id)
        assert [(command.position, command.kind) for command in found] == list(enumerate(kinds, 1))
        assert [command.payload for command in found] == [{"password": REDACTED}] * 3
        assert await log.commands(run_id, after=2) == found[2:]
        assert len(await _all(log, run_id)) == 1, "a command is no event until the conductor makes it one"

    async def test_a_command_sent_twice_is_there_once(self, log: EventLog) -> None:
        run_id = await samples.new_run(log)
        command = NewCommand(run_id=run_id, kind=CommandKind.KILL)
        assert await log.submit(command) == await log.submit(command)
        assert len(await log.commands(run_id)) == 1

    async def test_many_commands_at_once_all_arrive(self, log: EventLog, second: EventLog) -> None:
        run_id = await samples.new_run(log)
        handles = (log, second) * 8
        wishes = [NewCommand(run_id=run_id, kind=CommandKind.PROPOSE, payload={"n": n}) for n in range(16)]
        await asyncio.gather(*(handle.submit(wish) for handle, wish in zip(handles, wishes, strict=True)))
        found = await log.commands(run_id)
        assert [command.position for command in found] == list(range(1, 17))
        assert {command.id for command in found} == {wish.id for wish in wishes}

    async def test_a_command_needs_a_run_and_a_storable_payload(self, log: EventLog) -> None:
        with pytest.raises(RunNotFound):
            await log.submit(NewCommand(run_id=new_run_id(), kind=CommandKind.STOP))
        run_id = await samples.new_run(log)
        with pytest.raises(PayloadTooLarge):
            await log.submit(
                NewCommand(run_id=run_id, kind=CommandKind.PROPOSE, payload={"x": "y" * MAX_PAYLOAD_BYTES})
            )

    async def test_following_commands(self, log: EventLog, second: EventLog) -> None:
        run_id = await samples.new_run(log)
        async with asyncio.timeout(30), aclosing(log.follow_commands(run_id)) as commands:
            for position in range(1, 4):
                waiting = asyncio.create_task(anext(commands))
                await asyncio.sleep(0)  # lets the follower wait before the command
                await second.submit(NewCommand(run_id=run_id, kind=CommandKind.STOP))
                assert (await waiting).position == position

    # --- the log as a whole ------------------------------------------------------------------------------------

    async def test_runs_are_listed_with_their_state(self, log: EventLog) -> None:
        assert await log.runs() == ()
        first = await samples.new_run(log)
        second = await samples.new_run(log, [samples.started(), *samples.findings(3)])
        third = await samples.new_run(log, [samples.started(), samples.completed()])
        found = {run.run_id: run for run in await log.runs()}
        assert set(found) == {first, second, third}
        assert [found[run].status for run in (first, second, third)] == [
            RunStatus.CONFIGURED,
            RunStatus.RUNNING,
            RunStatus.COMPLETED,
        ]
        assert found[second].events == 5
        assert (found[second].domain, found[second].problem) == ("sample", "a sample run")
        assert found[second].head == Head(sequence=4, hash=(await _all(log, second))[-1].hash)

    async def test_verification_covers_chain_blobs_and_checkpoint(self, log: EventLog) -> None:
        ref = await log.blobs.put(b"blob")
        run_id = await samples.new_run(log, [samples.blob_stored(ref), *samples.findings(3)])
        report = await verify(log, run_id)
        assert (report.ok, report.events, report.blobs, report.checkpoint) == (True, 5, 1, "matches")
        with pytest.raises(RunNotFound):
            await verify(log, new_run_id())

    async def test_a_cut_tail_is_seen_by_the_checkpoint(self, log: EventLog) -> None:
        run_id = await samples.new_run(log, samples.findings(3))
        await log.checkpoints.put(run_id, Head(sequence=9, hash="f" * 64))  # beyond the end of the log
        report = await verify(log, run_id)
        assert report.problem is not None
        assert (report.problem.reason, report.problem.sequence) == ("tail_cut", 4)
        with pytest.raises(LogIntegrityError, match="tail_cut"):
            async with log.conduct(run_id, conductor="a"):
                pass

    async def test_a_rewritten_log_is_seen_by_the_checkpoint(self, log: EventLog) -> None:
        run_id = await samples.new_run(log, samples.findings(3))
        await log.checkpoints.put(run_id, Head(sequence=2, hash="f" * 64))
        report = await verify(log, run_id)
        assert report.problem is not None
        assert (report.problem.reason, report.problem.sequence) == ("altered", 2)

    async def test_a_run_travels_as_a_file(self, log: EventLog, open_other_log: OpenLog | None, tmp_path: Path) -> None:
        ref = await log.blobs.put(b"\x00\xff binary")
        # More events than one batch of an import.
        run_id = await samples.new_run(log, [samples.blob_stored(ref), *samples.findings(1_200)])
        path = await _exported(log, run_id, tmp_path / "run.mendel")
        again = await import_run(log, path, SCRUBBER)
        assert (again.added, again.events) == (0, 1_202)
        if open_other_log is None:
            return
        async with open_other_log(payloads=samples.sample_payloads()) as other:
            assert (await import_run(other, path, SCRUBBER)).added == 1_202
            assert await _all(other, run_id) == await _all(log, run_id)
            assert (await verify(other, run_id)).checkpoint == "matches"
            assert (await _exported(other, run_id, tmp_path / "back.mendel")).read_bytes() == path.read_bytes()

    async def test_an_import_goes_on_where_it_was_interrupted(
        self, log: EventLog, open_other_log: OpenLog | None, tmp_path: Path
    ) -> None:
        if open_other_log is None:
            pytest.skip("open_other_log is not overridden: no log to import into")
        run_id = await samples.new_run(log, samples.findings(3))
        early = await _exported(log, run_id, tmp_path / "early.mendel")
        await log.append(run_id, samples.findings(3, 3), expected=4)
        late = await _exported(log, run_id, tmp_path / "late.mendel")
        async with open_other_log(payloads=samples.sample_payloads()) as other:
            assert (await import_run(other, early, SCRUBBER)).added == 4
            assert (await import_run(other, late, SCRUBBER)).added == 3
            assert (await import_run(other, early, SCRUBBER)).added == 0
            assert await _all(other, run_id) == await _all(log, run_id)

    async def test_a_differing_run_is_not_imported(
        self, log: EventLog, open_other_log: OpenLog | None, tmp_path: Path
    ) -> None:
        if open_other_log is None:
            pytest.skip("open_other_log is not overridden: no log to import into")
        run_id = await samples.new_run(log, samples.findings(2))
        path = await _exported(log, run_id, tmp_path / "run.mendel")
        async with open_other_log(payloads=samples.sample_payloads()) as other:
            await other.append(run_id, [samples.configured(), samples.started()], expected=0)
            before = await _all(other, run_id)
            with pytest.raises(ImportRefused, match=r"differs .* at sequence 0"):
                await import_run(other, path, SCRUBBER)
            assert await _all(other, run_id) == before


async def _exported(log: EventLog, run_id: str, path: Path) -> Path:
    buffer = BytesIO()
    await export_run(log, run_id, buffer)
    path.write_bytes(buffer.getvalue())
    return path
