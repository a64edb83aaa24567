"""A model is asked for a change: one source or several, what it reads, and what becomes of its answer."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.support.rows import check_rows

from mendel.adapters.models.live import LiveGateway
from mendel.breeding.asking import changed_by_model
from mendel.breeding.prompts.inputs import MutationPrompt
from mendel.contracts.energy import Usage
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.events.operation import Operation
from mendel.contracts.model_calls import CallLimits
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRoute
from mendel.contracts.untrusted import data_message
from mendel.contracts.work import Material, Work
from mendel.ports.handlers import Ports
from mendel.ports.model_wire import ModelWire, WireAnswer, WireFailed, WireRequest, WireUsage

BEFORE = "def f(a):\n    return a\n"
PROMPT = MutationPrompt(language="Python", files={"x.py": BEFORE}, form="rewrite", function="f")


def answer(text: str) -> str:
    return f"```python x.py\n{text}```\n"


class Models(ModelWire):
    """Each model has one answer."""

    def __init__(self, says: Mapping[str, str | None]) -> None:
        self.says = says
        self.seen: list[WireRequest] = []

    async def complete(self, request: WireRequest) -> WireAnswer:
        self.seen.append(request)
        said = self.says[request.model_id]
        if said is None:
            raise WireFailed("auth", "no", unsent=True)
        return WireAnswer(text=said, model_id=request.model_id, usage=WireUsage(7, 3))


async def changed(wire: Models, **given):
    sources = [
        Source(name=each, route=ModelRoute(provider="here", model_id=each), weight=9 - place)
        for place, each in enumerate(wire.says)
    ]
    limits = CallLimits(prompt_bytes=given.pop("prompt_bytes", 20_000))
    background = given.pop("background", ())
    judge = given.pop("judge", lambda _files: ())
    plan = ModelPlan(roles={"mutator": RolePlan(sources=tuple(sources), limits=limits, retries=0, **given)})
    operation = Operation(
        id="o-1", step="x.ask", kind="vary", subject_kind="genome", subject_ids=("g-1",), site=sources[0].name
    )
    work = Work(operation=operation, material=Material(problem="p"), models=plan)
    async with LiveGateway(plan, lambda _name: wire) as models:
        return await changed_by_model(
            work, Ports(models=models), PROMPT, ("x.py",), judge, Usage, background=background
        )


async def test_the_source_that_was_drawn_answers_alone_unless_several_are_wanted():
    wire = Models({"one": answer("def f(a):\n    return +a\n"), "two": answer(BEFORE)})
    change = await changed(wire)
    assert change.files == {"x.py": "def f(a):\n    return +a\n"}
    assert (change.source.name, [each.model_id for each in wire.seen]) == ("one", ["one"])


@check_rows(
    ("chooser", "says", "chosen"),
    [
        ("first", ["1", "2", "2"], "a"),
        ("first", ["no code at all", "2", "3"], "b"),
        ("first", [None, None, "3"], "c"),
        ("most_agreed", ["1", "2", "2"], "b"),
    ],
)
async def test_of_several_that_are_asked_at_once_the_chooser_says_whose_answer_counts(chooser, says, chosen):
    texts = [answer(f"def f(a):\n    return {each}\n") if each and each.isdigit() else each for each in says]
    wire = Models(dict(zip("abc", texts, strict=True)))
    change = await changed(wire, fan_out=3, chooser=chooser)
    assert change.source.name == chosen
    assert {each.model_id for each in wire.seen} == {"a", "b", "c"}
    assert change.note.startswith(f"here/{chosen}")


async def test_where_nobody_has_an_applicable_answer_that_is_told():
    with pytest.raises(HandlerFailed) as caught:
        await changed(Models({"a": "no code", "b": "none here either"}), fan_out=2)
    assert (caught.value.reason, caught.value.usage) == ("patch_rejected", Usage())


async def test_what_is_judged_wrong_is_repaired_once_and_then_rejected():
    wire = Models({"one": answer("def f(a):\n    return 1\n")})
    with pytest.raises(HandlerFailed, match="not like this"):
        await changed(wire, judge=lambda _files: ["not like this"])
    assert len(wire.seen) == 2


async def test_background_is_read_before_the_question_s_end_and_takes_room_from_it():
    wire = Models({"one": answer("def f(a):\n    return +a\n")})
    await changed(wire, background=[data_message("background", "peas are green")])
    contents = [each.content for each in wire.seen[0].messages]
    (place,) = [place for place, each in enumerate(contents) if "peas are green" in each]
    assert place == len(contents) - 2


async def test_background_that_does_not_fit_is_left_out():
    wire = Models({"one": answer("def f(a):\n    return +a\n")})
    passages = [data_message("background", each * 2_500) for each in "xyz"]
    await changed(wire, background=passages, prompt_bytes=25_000)
    contents = "".join(each.content for each in wire.seen[0].messages)
    assert [letter * 2_500 in contents for letter in "xyz"] == [True, True, False]
