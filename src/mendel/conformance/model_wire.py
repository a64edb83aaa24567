"""The contract suite of port ``ModelWire``, over a real socket.

An implementer subclasses ``ModelWireContract``, overrides the fixture ``stage`` and inherits every test::

    class TestMyWire(ModelWireContract):
        @pytest_asyncio.fixture
        async def stage(self):
            async with MyStage() as stage:
                yield stage

A stage is a server with the provider's own protocol that takes one turn of a script for each HTTP call. A wire
disables tests that do not apply to it::

    test_a_missing_key_is_named = None  # it needs no key

No test asserts a time. Providers that hang, drip or never end do so until the limits of the request stop them.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

import pytest

from mendel.conformance.model_stage import GOOD, Review
from mendel.contracts.model_calls import CallLimits, FailureReason, Message, Sampling, ToolCall, ToolDescriptor
from mendel.contracts.providers import StructuredMode
from mendel.ports.model_wire import ModelWire, OutputSchema, WireAnswer, WireFailed, WireRequest, WireUsage

FAULTS: Final[dict[str, FailureReason]] = {
    "400": "bad_request",
    "401": "auth",
    "403": "auth",
    "404": "bad_request",
    "413": "bad_request",
    "429": "rate_limited",
    "quota": "auth",
    "500": "overloaded",
    "503": "overloaded",
    "529": "overloaded",
    "echo_key": "auth",
    "redirect": "bad_request",
    "hang": "timeout",
    "drip": "timeout",
    "drip_head": "timeout",
    "cut": "connection",
    "cut_body": "connection",
    "reset": "connection",
    "reset_body": "connection",
    "bad_envelope": "unreadable",
    "bad_utf8": "unreadable",
    "html": "unreadable",
    "odd_envelope": "unreadable",
    "huge": "answer_too_large",
    "endless": "answer_too_large",
    "gzip_bomb": "answer_too_large",
}
"""A provider's faults, and the reason that each must be reported with.

The numbers are statuses; ``echo_key`` is a 401 with the key in its message, ``quota`` a 429 that waiting does not cure.
``drip`` sends a byte at intervals for ever, ``endless`` as fast as it is read; ``cut`` closes and ``reset`` resets a
connection, before or in the middle of the body.
"""

SENT_NOTHING: Final = frozenset({"401", "403", "429", "400", "echo_key"})
"""Faults with which the provider itself reports that it has done no work."""
# Low, so that a faulty provider exceeds them soon.
_LIMITS: Final[dict[FailureReason, CallLimits]] = {
    "timeout": CallLimits(timeout_ms=400),
    "answer_too_large": CallLimits(answer_bytes=200_000),
}
_PATIENT: Final = CallLimits(tokens_out=321)
_PROMPT: Final = "Judge the pea that must stay secret."
_SEARCH: Final = ToolDescriptor(
    name="web_search",
    description="searches the web",
    parameters={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)
_OUTPUT: Final = OutputSchema("Review", Review.model_json_schema())

WireTurn = WireAnswer | str
"""The provider's response to one HTTP call: an answer, or a fault of :data:`FAULTS`."""


class WireStage(ABC):
    """A scripted provider on a socket. ``key`` is the one that its wire receives."""

    key: str = "canary-5d3a90c17be2f486"
    key_variable: str = "CANARY_API_KEY"

    @abstractmethod
    async def open(self, *, keyed: bool = True, listening: bool = True) -> ModelWire:
        """Open a wire to the provider; on request without its key, or to an address that nothing listens on."""

    @abstractmethod
    def script(self, *turns: WireTurn, retry_after: str | None = None) -> None:
        """Set the provider's next turns; ``retry_after`` is the header of those that fail."""

    @abstractmethod
    def asked(self) -> Sequence[str]:
        """Return the body of every HTTP call, in order."""


def request_of(
    text: str = _PROMPT, *, limits: CallLimits = _PATIENT, mode: StructuredMode | None = None
) -> WireRequest:
    """Return a question; with a mode, one for a review."""
    messages = (Message(role="system", content="You judge."), Message(role="user", content=text))
    if mode is None:
        return WireRequest("test-model", messages, limits=limits)
    words = Message(role="system", content=f"Answer with JSON of this JSON Schema: {Review.model_json_schema()}")
    return WireRequest("test-model", (words, *messages), _OUTPUT, mode, limits)


@pytest.mark.asyncio
class ModelWireContract:
    """What every wire must do."""

    @pytest.fixture
    def stage(self) -> WireStage:
        raise NotImplementedError("override this fixture with the provider of the wire under test; it may be async")

    # --- answers -----------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("text", ["seven", GOOD, "\N{SEEDLING} ü\r\n\t\u2028", "```\nx\n```", "x" * 100_000])
    async def test_a_text_comes_as_it_is(self, stage: WireStage, text: str) -> None:
        stage.script(WireAnswer(text, "test-model", usage=WireUsage(30, 12)))
        async with await stage.open() as wire:
            answer = await wire.complete(request_of())
        assert (answer.text, answer.model_id) == (text, "test-model")
        assert (answer.usage.tokens_in, answer.usage.tokens_out) == (30, 12)
        assert (answer.cut, answer.refused, answer.tool_calls) == (False, False, ())
        assert len(stage.asked()) == 1

    async def test_what_is_asked_is_sent(self, stage: WireStage) -> None:
        stage.script(WireAnswer("seven", "test-model"))
        async with await stage.open() as wire:
            await wire.complete(request_of('Say "seven" \N{SEEDLING}'))
        (body,) = stage.asked()
        for part in ("You judge.", 'Say \\"seven\\"', "test-model", "321"):
            assert part in body
        assert stage.key not in body

    async def test_sampling_is_sent(self, stage: WireStage) -> None:
        stage.script(WireAnswer("seven", "test-model"))
        asked = request_of()
        sampling = Sampling(temperature=0.25, top_p=0.75)
        async with await stage.open() as wire:
            await wire.complete(WireRequest(asked.model_id, asked.messages, sampling=sampling))
        assert "0.25" in stage.asked()[0]
        assert "0.75" in stage.asked()[0]

    @pytest.mark.parametrize("mode", ["json_schema", "json_object", "prompt"])
    async def test_a_schema_is_asked_for_in_every_mode(self, stage: WireStage, mode: StructuredMode) -> None:
        stage.script(WireAnswer(GOOD, "test-model"))
        async with await stage.open() as wire:
            answer = await wire.complete(request_of(mode=mode))
        assert Review.model_validate_json(answer.text).score == 7
        assert len(stage.asked()) == 1

    async def test_an_answer_that_stopped_early_says_so(self, stage: WireStage) -> None:
        stage.script(WireAnswer('{"score": 7, "wh', "test-model", cut=True))
        async with await stage.open() as wire:
            answer = await wire.complete(request_of())
        assert answer.cut
        assert answer.text == '{"score": 7, "wh'

    async def test_a_model_that_declines_says_so(self, stage: WireStage) -> None:
        stage.script(WireAnswer("I would rather not.", "test-model", refused=True))
        async with await stage.open() as wire:
            assert (await wire.complete(request_of())).refused

    async def test_wishes_for_tools_come_through(self, stage: WireStage) -> None:
        wish = ToolCall(id="1", name="web_search", arguments='{"query": "peas"}')
        stage.script(WireAnswer("", "test-model", tool_calls=(wish,)))
        asked = request_of()
        async with await stage.open() as wire:
            answer = await wire.complete(WireRequest(asked.model_id, asked.messages, tools=(_SEARCH,)))
        (call,) = answer.tool_calls
        assert (call.name, call.arguments.replace(" ", "")) == ("web_search", '{"query":"peas"}')
        assert "searches the web" in stage.asked()[0]

    async def test_an_answer_to_a_tool_is_sent(self, stage: WireStage) -> None:
        wish = ToolCall(id="call-1", name="web_search", arguments='{"query": "peas"}')
        turns = (
            *request_of().messages,
            Message(role="assistant", content="", tool_calls=(wish,)),
            Message(role="tool", content="peas are green", tool_call_id="call-1"),
        )
        stage.script(WireAnswer("seven", "test-model"))
        async with await stage.open() as wire:
            await wire.complete(WireRequest("test-model", turns, tools=(_SEARCH,)))
        assert "peas are green" in stage.asked()[0]
        assert stage.asked()[0].count("call-1") == 2  # in the call, and in its answer

    @pytest.mark.parametrize(
        "usage", [WireUsage(), WireUsage(-30, -12), WireUsage("many", "few"), WireUsage(10**18, 10**18)], ids=repr
    )
    async def test_usage_that_cannot_be_harms_no_answer(self, stage: WireStage, usage: WireUsage) -> None:
        stage.script(WireAnswer("seven", "test-model", usage=usage))
        async with await stage.open() as wire:
            answer = await wire.complete(request_of())
        assert answer.text == "seven"
        assert answer.usage in (usage, WireUsage()), "usage is passed on unchanged, or not at all"

    async def test_many_may_ask_at_once(self, stage: WireStage) -> None:
        stage.script(*[WireAnswer("seven", "test-model")] * 64)
        async with await stage.open() as wire:
            answers = await asyncio.gather(*(wire.complete(request_of(f"number {n}")) for n in range(64)))
        assert [answer.text for answer in answers] == ["seven"] * 64
        assert len(stage.asked()) == 64

    # --- failures ----------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("fault", FAULTS)
    async def test_a_fault_has_its_reason(self, stage: WireStage, fault: str) -> None:
        stage.script(fault, WireAnswer("seven", "test-model"))
        async with await stage.open() as wire:
            with pytest.raises(WireFailed) as caught:
                await wire.complete(request_of(limits=_LIMITS.get(FAULTS[fault], _PATIENT)))
            assert len(stage.asked()) == 1, "a wire makes one call"
            assert (await wire.complete(request_of())).text == "seven", "the next question is not affected"
        told = repr((caught.value, caught.value.args, str(caught.value), caught.value.__cause__))
        assert caught.value.reason == FAULTS[fault]
        assert str(caught.value)
        assert stage.key not in told
        assert _PROMPT not in told

    @pytest.mark.parametrize("fault", sorted({"hang", "cut", "reset_body", "huge", *SENT_NOTHING}))
    async def test_what_may_have_been_worked_for_is_not_called_unsent(self, stage: WireStage, fault: str) -> None:
        stage.script(fault)
        async with await stage.open() as wire:
            with pytest.raises(WireFailed) as caught:
                await wire.complete(request_of(limits=_LIMITS.get(FAULTS[fault], _PATIENT)))
        assert caught.value.unsent == (fault in SENT_NOTHING)

    @pytest.mark.parametrize(("header", "seconds"), [("7", 7.0), ("0", 0.0), (None, None), ("soon", None)])
    async def test_how_long_to_stay_away_is_passed_on(
        self, stage: WireStage, header: str | None, seconds: float | None
    ) -> None:
        stage.script("429", retry_after=header)
        async with await stage.open() as wire:
            with pytest.raises(WireFailed) as caught:
                await wire.complete(request_of())
        assert caught.value.retry_after_s == seconds

    async def test_a_missing_key_is_named(self, stage: WireStage) -> None:
        async with await stage.open(keyed=False) as wire:
            with pytest.raises(WireFailed, match=stage.key_variable) as caught:
                await wire.complete(request_of())
        assert (caught.value.reason, caught.value.unsent) == ("not_configured", True)
        assert not stage.asked()

    async def test_nobody_there_is_told(self, stage: WireStage) -> None:
        async with await stage.open(listening=False) as wire:
            with pytest.raises(WireFailed) as caught:
                await wire.complete(request_of())
        assert (caught.value.reason, caught.value.unsent) == ("connection", True)

    async def test_a_wire_does_not_show_its_key(self, stage: WireStage) -> None:
        stage.script(WireAnswer("seven", "test-model"))
        async with await stage.open() as wire:
            await wire.complete(request_of())
            assert stage.key not in repr(wire)

    async def test_it_can_be_closed_twice(self, stage: WireStage) -> None:
        stage.script(WireAnswer("seven", "test-model"))
        wire = await stage.open()
        await wire.complete(request_of())
        await wire.aclose()
        await wire.aclose()
