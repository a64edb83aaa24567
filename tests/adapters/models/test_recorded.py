"""A question is answered again from what was recorded of it, and by nobody else."""

from dataclasses import replace
from functools import partial

import orjson
import pytest
from tests.support.model_server.server import ModelServer
from tests.support.rows import check_rows

from mendel.adapters.memory.blobs import MemoryBlobs
from mendel.adapters.memory.model_gateway import MemoryModels
from mendel.adapters.models.live import LiveGateway
from mendel.adapters.models.openai_wire import open_wire
from mendel.adapters.models.recorded import RecordedModels, recorded_calls
from mendel.conformance.model_gateway import ModelGatewayContract
from mendel.conformance.model_stage import (
    FIRST,
    FITTING,
    GOOD,
    GOOD_REVIEW,
    SECOND,
    WRONG,
    ModelStage,
    Review,
    answer,
    failure,
    plan_of,
    review_request,
)
from mendel.contracts.base import Contract
from mendel.contracts.errors import ModelCallFailed
from mendel.contracts.events.envelope import GENESIS, Event, EventDraft
from mendel.contracts.model_calls import AttemptRecord, Message, Sampling, ToolCall, ToolDescriptor
from mendel.contracts.scrub import Scrubber
from mendel.contracts.times import utc_now
from mendel.contracts.work import Answer
from mendel.kernel.settling import call_events, kept_attempts
from mendel.ports.model_gateway import ModelGateway, ModelRequest, RecordingModels
from mendel.ports.model_wire import WireAnswer, WireContext

RUN = "01890a5d-ac96-774b-bcce-b302099a8057"


class AskedTwice(ModelGateway):
    """Asks providers, and answers with what a replay of the records says, which must be the same."""

    def __init__(self, live, scrubber):
        self.live = live
        self.scrubber = scrubber

    def roles(self):
        return self.live.roles()

    async def _ask(self, request):
        recording = RecordingModels(self.live, plan=request.plan, budget=request.budget)
        try:
            live = await recording.ask(request)
        except ModelCallFailed as error:
            live = error
        replayed = RecordedModels(recording.records, scrubber=self.scrubber)
        if not isinstance(live, ModelCallFailed):
            assert await replayed.ask(request) == live
            return live
        with pytest.raises(ModelCallFailed) as caught:
            await replayed.ask(request)
        assert (str(caught.value), caught.value.reason) == (str(live), live.reason)
        assert caught.value.records == live.records
        raise caught.value


class TwiceStage(ModelStage):
    def __init__(self):
        self.live = None

    async def open(self, plan, script):
        scrubber = Scrubber([self.key])
        self.live = MemoryModels(plan, script, scrubber=scrubber)
        return AskedTwice(self.live, scrubber)

    def asked(self, provider):
        questions = self.live.providers[provider].asked
        return ["\n".join(message.content for message in question.messages) for question in questions]


class TestRecordedModels(ModelGatewayContract):
    """Every answer and every failure that left a record is the same again."""

    test_a_role_that_nobody_plays_is_an_error = None  # nothing was recorded of it: see below
    test_a_route_that_the_role_does_not_have_is_an_error = None  # the same
    test_no_run_brings_a_model_that_is_not_there = None  # the same
    test_no_run_chooses_its_judge = None  # the same
    test_the_plan_of_the_run_is_executed = None  # the same, and whoever was asked is recorded
    test_a_prompt_above_its_limit_is_refused = None  # the same

    @pytest.fixture
    def stage(self):
        return TwiceStage()


# --- from records ------------------------------------------------------------------------------------------------


async def recorded(*asked, turns, **plan) -> list[AttemptRecord]:
    """The records of an operation that asked so."""
    script = {FIRST: turns, SECOND: [answer(GOOD)]}
    models = RecordingModels(MemoryModels(plan_of(FIRST, **plan), script), plan=None)
    for request in asked:
        try:
            await models.ask(request)
        except ModelCallFailed:
            continue
    return models.records


async def test_questions_are_answered_in_their_order():
    one, two = review_request("Judge one."), review_request("Judge two.")
    records = await recorded(one, two, turns=[answer(GOOD), answer(WRONG["words"]), answer(GOOD)])
    replayed = RecordedModels(records)
    assert (await replayed.ask(one)).outcome == "accepted"
    assert (await replayed.ask(two)).outcome == "repaired"
    with pytest.raises(ModelCallFailed, match="request 2 was not recorded; the record has 2 in all") as caught:
        await replayed.ask(one)
    assert (caught.value.reason, caught.value.records) == ("not_recorded", ())


async def test_a_replay_noted_again_is_what_was_noted():
    one, two = review_request("Judge one."), ModelRequest.prompt("mutator", "nobody plays this")
    records = await recorded(one, two, one, turns=[failure("overloaded"), answer(GOOD), answer(GOOD)])
    assert [record.call for record in records] == [0, 0, 2]
    again = RecordingModels(RecordedModels(records))
    await again.ask(one)
    with pytest.raises(ModelCallFailed) as caught:
        await again.ask(two)
    await again.ask(one)
    assert caught.value.reason == "not_recorded"
    assert again.records == records


@check_rows(
    ("request_", "why"),
    [
        (review_request("Judge another."), "differs.*message 1 of 1"),
        (review_request(role="final_judge"), "was recorded for the role critic"),
        (replace(review_request(), messages=review_request().messages * 2), "has 1 messages and not 2"),
        (replace(review_request(), messages=(Message(role="system", content="Judge this."),)), "message 1 of 1"),
        (ModelRequest.prompt("critic", "Judge this. "), "message 1 of 1"),
    ],
)
@check_rows("turn", [answer(GOOD), failure("auth")])
async def test_another_question_is_not_answered(request_, why, turn):
    records = await recorded(review_request(), turns=[turn])
    with pytest.raises(ModelCallFailed, match=why) as caught:
        await RecordedModels(records, operation_id="op-7").ask(request_)
    assert caught.value.reason == "not_recorded"
    assert "op-7" in str(caught.value)
    assert "new run" in str(caught.value)


class Stricter(Contract):
    score: int
    why: str
    passed: bool


class Open(Contract):
    """A schema that no provider enforces, so that it stands in words before the question."""

    score: int
    why: str = ""


async def test_an_answer_that_no_longer_fits_is_not_half_accepted():
    records = await recorded(review_request(), turns=[answer(GOOD)])
    with pytest.raises(ModelCallFailed, match="does not fit Stricter: passed") as caught:
        await RecordedModels(records).ask(replace(review_request(), output=Stricter))
    assert caught.value.reason == "not_recorded"


async def test_what_was_rejected_stays_rejected():
    """A cut answer may be whole JSON by chance."""
    records = await recorded(review_request(), turns=[answer(GOOD, cut=True), answer(GOOD, refused=True)])
    response = await RecordedModels(records).ask(review_request())
    assert (response.outcome, response.output) == ("rejected", None)


async def test_a_schema_in_words_of_ours_is_no_difference():
    request = replace(review_request(), output=Open)
    records = await recorded(request, turns=[answer(GOOD)])
    assert len(orjson.loads(records[0].request)) == 2
    assert (await RecordedModels(records).ask(request)).output == Open(score=7, why="it is short")


async def test_whoever_was_performed_again_counts():
    first = await recorded(review_request(), turns=[failure("overloaded"), answer('{"score": 1, "why": "lost"}')])
    second = await recorded(review_request(), turns=[answer(GOOD)])
    response = await RecordedModels([*first, *second]).ask(review_request())
    assert response.output == GOOD_REVIEW
    assert response.records == tuple(second)


async def test_roles_are_those_that_were_asked():
    records = await recorded(review_request(), turns=[answer(GOOD)])
    roles = RecordedModels(records).roles()
    assert str(roles["critic"].route) == "first/model"
    assert {role for role, played in roles.items() if played.route} == {"critic"}
    assert "made no call" in roles["mutator"].why_not


async def test_what_a_server_said_is_replayed_when_it_is_gone():
    async with ModelServer("schema") as server:
        for fault in ("500", "fenced", "not_json"):
            server.fail(fault)
        url = f"{server.url}/v1"
        requests = [review_request(f"Judge number {n}.") for n in range(4)]

        async def at_once(seconds):
            pass

        wire = partial(WireContext, base_url=url)
        async with LiveGateway(plan_of(FIRST), lambda name: open_wire(wire(name)), sleep=at_once) as live:
            models = RecordingModels(live)
            answered = [await models.ask(request) for request in requests]
    assert [response.outcome for response in answered] == ["accepted", "repaired", "accepted", "accepted"]
    replayed = RecordingModels(RecordedModels(models.records))
    again = [await replayed.ask(request) for request in requests]
    assert [(each.outcome, each.output, each.text, each.provider) for each in again] == [
        (each.outcome, each.output, each.text, each.provider) for each in answered
    ]
    assert replayed.records == models.records


# --- from a log --------------------------------------------------------------------------------------------------


async def logged(records, operation_id, blobs) -> list[Event]:
    """The events of the records, as the kernel has them."""
    outcome = await kept_attempts(Answer(calls=tuple(records)), blobs)
    drafts = [
        EventDraft.of(
            payload, operation_id=operation_id, trace_id=record.trace_id, observation_id=record.observation_id
        )
        for record, payload in call_events(outcome.calls, operation_id)
    ]
    stored = {"run_id": RUN, "schema_version": 1, "occurred_at": utc_now(), "prev_hash": GENESIS, "hash": GENESIS}
    lines = [draft.model_dump_json() for draft in drafts]
    return [Event(**orjson.loads(line), sequence=number, **stored) for number, line in enumerate(lines)]


@check_rows(
    "turns",
    [
        [answer(text) for text in (FITTING["fenced"],)],
        [answer(WRONG["cut"]), answer(GOOD)],
        [answer(WRONG["cut"]), answer(WRONG["words"])],
        [failure("overloaded"), answer(GOOD)],
        [failure("overloaded")] * 3,
        [answer("x" * 40_000), answer(f"{GOOD}\n{'y' * 40_000}")],
    ],
)
async def test_a_log_answers_like_the_records(turns):
    request = review_request("Judge the pea. " * 2_000)
    limits = plan_of(FIRST).roles["critic"].limits.model_copy(update={"prompt_bytes": 200_000})
    records = await recorded(request, turns=turns, limits=limits)
    blobs = MemoryBlobs()
    events = await logged(records, "op-1", blobs)
    assert set(recorded_calls(events)) == {"op-1"}
    one, two = RecordedModels(records), RecordedModels.of(events, "op-1", blobs)
    assert await outcome_of(two, request) == await outcome_of(one, request)


async def outcome_of(models, request) -> tuple[object, ...]:
    try:
        found = await models.ask(request)
    except ModelCallFailed as error:
        return str(error), error.reason, [answered(record) for record in error.records]
    return found.outcome, found.output, found.provider, found.text, [answered(record) for record in found.records]


def answered(record) -> AttemptRecord:
    """What a log keeps of a record: everything, but of one that failed not the question."""
    return record.model_copy(update={"request": "", "sampling": Sampling()}) if record.failure else record


async def test_an_operation_that_the_log_does_not_have_asked_nothing():
    events = await logged(await recorded(review_request(), turns=[answer(GOOD)]), "op-1", MemoryBlobs())
    with pytest.raises(ModelCallFailed, match="op-2: its request 0 was not recorded"):
        await RecordedModels.of(events, "op-2").ask(review_request())


async def test_a_blob_that_cannot_be_fetched_is_told():
    events = await logged(await recorded(review_request(), turns=[answer("x" * 40_000)] * 2), "op-1", MemoryBlobs())
    with pytest.raises(ModelCallFailed, match="there are no blobs"):
        await RecordedModels.of(events, "op-1").ask(review_request())


async def test_wishes_for_tools_are_recorded_too():
    wish = ToolCall(id="1", name="web_search", arguments='{"query": "peas"}')
    tool = ToolDescriptor(name="web_search", description="searches", parameters={"type": "object"})
    request = replace(ModelRequest.prompt("population_generator", "Find out.", output=Review), tools=(tool,))
    turns = [WireAnswer("Let me see.", "model", tool_calls=(wish,))]
    records = await recorded(request, turns=turns, role="population_generator")
    response = await RecordedModels(records).ask(request)
    assert (response.outcome, response.output, response.tool_calls) == ("accepted", None, (wish,))
