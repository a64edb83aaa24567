"""Whatever a domain, a handler, a configuration or a request does wrong costs its own run, and says so."""

import asyncio
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from pydantic import BaseModel, ValidationError
from tests.rules.attackers import (
    BAD_HANDLERS,
    CEILING,
    NEVER_HEARD_OF,
    PACES,
    UNSTORABLE,
    USED,
    AttackDomain,
    Scene,
    Stuck,
    answering,
    assert_within_caps,
    bare,
    configuration,
    fleet_of,
    install_plugin,
    look,
    older,
    route,
    statuses,
    thing,
    vary,
)
from tests.support.rows import check_rows

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import Command, CommandKind, NewCommand
from mendel.contracts.errors import (
    BrokenPlugin,
    CommandNotPossible,
    MendelError,
    RunBusy,
    RunNotFound,
    RunRefused,
    UnknownPlugin,
)
from mendel.contracts.ids import new_run_id
from mendel.contracts.payloads import PayloadRegistry
from mendel.contracts.verdicts import Reason
from mendel.contracts.work import Answer
from mendel.kernel.asking import Asked
from mendel.kernel.beginning import configure
from mendel.kernel.commanding import heed
from mendel.kernel.conduct import conduct
from mendel.kernel.domain import Expression, Refused, Step
from mendel.kernel.loading import load_domain, load_selector
from mendel.kernel.moves import Adopt, Challenge, Confirm, Drop, Examine, Repair, Revoke, Score, Vary, Wait

METHODS = ["founders", "express", "conditions", "route", "admit"]
every_method = check_rows("method", METHODS)


async def play(scene, method, **fields):
    """A run in which ``method`` is asked: nobody asks ``admit`` but about a proposal."""
    run_id = await scene.begin()
    if method == "admit":
        await scene.interrupt(run_id, lambda event: event.type == "run.started")
        await scene.ask(run_id, "propose", value=1)
    return await scene.resume(run_id, **fields)


def why(attack):
    assert attack.state.status == "failed", attack.state.ending
    return attack.payloads("run.failed")[0].reason


# --- a domain that raises ------------------------------------------------------------------------------------------

ERRORS = [
    RuntimeError("oh no"),
    KeyError("x"),
    StopIteration(),
    RecursionError("deep"),
    MemoryError(),
    AssertionError(),
]


@every_method
@check_rows("error", ERRORS)
async def test_a_method_that_raises_ends_its_run_and_is_named(method, error):
    def fail(*given):
        raise error

    attack = await play(Scene(AttackDomain(**{method: fail})), method)
    if method == "admit" and attack.state.status == "completed":
        assert attack.count("command.refused") == 1, "a proposal may also be refused for it"
    else:
        assert "attack" in why(attack)
        assert method in why(attack)
        assert type(error).__name__ in why(attack)


@every_method
async def test_an_error_of_our_own_that_a_method_raises_is_the_domains_too(method):
    def fail(*given):
        raise RunBusy("not really")

    attack = await play(Scene(AttackDomain(**{method: fail})), method)
    assert attack.state.terminal


EXITS = """
import asyncio
from tests.rules.attackers import AttackDomain, Scene, SystemClock
from mendel.kernel.conduct import Fleet

async def main(error):
    def leave(*given):
        raise error

    good, bad = Scene(), Scene(AttackDomain(route=leave))
    bad.log = good.log
    ids = [await good.begin(), await bad.begin(), await good.begin()]
    async with good.fabric() as fabric:
        fleets = [
            Fleet(log=good.log, clock=SystemClock(), most=1, domains=lambda name, found=found: found)
            for found in (good.domain, bad.domain, good.domain)
        ]
        conducting = [fleet.conduct(run_id, fabric) for fleet, run_id in zip(fleets, ids)]
        ends = await asyncio.wait_for(asyncio.gather(*conducting), 20)
    print(type(error).__name__, *(getattr(end, "status", end) for end in ends), flush=True)

for error in (RuntimeError(), SystemExit(3), KeyboardInterrupt(), asyncio.CancelledError()):
    asyncio.run(main(error))
"""


def test_a_domain_that_leaves_takes_nobody_along(plugins):
    done = subprocess.run([sys.executable, "-c", EXITS], capture_output=True, text=True, timeout=90)
    ends = [line.split() for line in done.stdout.splitlines()]
    left = ["RuntimeError", "SystemExit", "KeyboardInterrupt", "CancelledError"]
    assert ends == [[name, "completed", "failed", "completed"] for name in left], done.stderr[-2_000:]


# --- a domain that answers nonsense --------------------------------------------------------------------------------

NONSENSE = {
    "founders": [None, 5, "text", {}, [], [None], [thing(), "x"], iter([thing()]), {"value": 1}, thing()],
    "express": [
        *(
            None,
            5,
            "text",
            [],
            [thing()],
            Expression(),
            Expression(contents=("x",)),
            thing(),
        ),
        *(
            Expression(contents=(thing(),), step="attack.express"),
            Expression(contents=5),
        ),
        *(Expression(step="attack.nobody"),),
    ],
    "conditions": [5, "text", [], {"value": 1}, [thing()], True],
    "route": [
        *(
            None,
            5,
            "text",
            (),
            [None],
            ["examine"],
            Examine(step="attack.look"),
            {1: 2},
        ),
        *(
            [Examine(step="attack.look")] * 65,
            [Examine(step="attack.nobody")],
        ),
        *(
            [Examine(step="attack.look", other="x")],
            [Vary(operator="vary")],
            [Adopt()],
            [Confirm()],
        ),
        *(
            [Revoke(reason="x")],
            [Challenge(step="attack.gate")],
            [Repair(step="attack.nobody", reason="x")],
        ),
    ],
}


@check_rows(("method", "answer"), [(method, answer) for method, answers in NONSENSE.items() for answer in answers])
async def test_a_method_that_answers_nonsense_ends_its_run_and_is_named(method, answer):
    attack = await play(Scene(AttackDomain(**{method: lambda *_: answer})), method)
    assert "domain attack: " in why(attack)


@check_rows("answer", [None, 5, "text", [thing()], {"value": 1}])
async def test_nonsense_about_a_proposal_refuses_it_and_the_run_goes_on(answer):
    attack = await play(Scene(AttackDomain(admit=lambda *_: answer)), "admit")
    assert attack.state.status == "completed"
    assert "domain attack: admit returned" in attack.payloads("command.refused")[0].reason


@check_rows("payload", UNSTORABLE.values())
@every_method
async def test_an_answer_that_may_not_be_stored_ends_its_run(method, payload):
    answers = {
        "founders": [payload],
        "express": Expression(contents=(payload,)),
        "conditions": payload,
        "route": [Examine.model_construct(step="attack.look", inputs=payload, other=None)],
        "admit": payload,
    }
    attack = await play(Scene(AttackDomain(**{method: lambda *_: answers[method]})), method)
    assert "attack" in why(attack)


SCORES = {
    "not a number": {"value": float("nan")},
    "infinite": {"value": float("inf")},
    "text": {"value": "much"},
    "nothing": {"value": None},
    "too much together": {"one": 1.7e308, "two": 1.7e308},
    "a bad name": {"Not A Name": 1.0},
}


@check_rows("components", SCORES.values())
@check_rows("how", ["built", "forged"])
async def test_a_score_that_is_no_number_ends_its_run(components, how):
    def score(dossier):
        if dossier.last("attack.look") is None or dossier.phase == "contending":
            return route(dossier)
        if how == "built":
            return (Score(components=components),)
        return (Score.model_construct(components=components, absent=(), estimated=(), descriptor={}),)

    attack = await Scene(AttackDomain(route=score)).play()
    assert "attack" in why(attack)
    assert attack.state.scored == 0


@check_rows(
    "step",
    [
        Step(deadline_ms=-1),
        Step(deadline_ms=10**40),
        Step(allowance=None),
        Step(requires=(5,)),
        Step(ports=["sandbox"]),
        Step(may_use=("Sand box",)),
        Step(asks=("mutator",)),
        Step(ports=("sandbox",)),
        None,
        "attack.look",
    ],
)
async def test_a_step_that_is_declared_as_nonsense_ends_its_run_or_keeps_it_from_beginning(step):
    class Odd(AttackDomain):
        steps = AttackDomain.steps | {"attack.look": step}

    scene = Scene(Odd())
    try:
        attack = await scene.play()
    except MendelError:
        assert await scene.log.runs() == (), "refused, but not before it was recorded"
    else:
        assert attack.state.terminal
        assert attack.state.scored == 0


@check_rows("for_ms", [10**18, 10**40, -5])
async def test_a_wait_beyond_the_end_of_days_ends_its_run(for_ms):
    attack = await Scene(AttackDomain(route=lambda dossier: [Wait.model_construct(for_ms=for_ms)])).play()
    assert attack.state.status == "failed"


@check_rows("reason", ["", None, 5, "x" * 200_000, "a\0b"])
async def test_a_proposal_refused_for_no_reason_does_not_end_the_conductor(reason):
    attack = await play(Scene(AttackDomain(admit=lambda *_: Refused(reason))), "admit")
    assert attack.state.terminal


async def test_a_proposal_that_is_admitted_only_once_ends_its_run():
    answers = iter([thing(value=1)])
    attack = await play(Scene(AttackDomain(admit=lambda *_: next(answers, Refused("not again")))), "admit")
    assert "admit" in why(attack)


# --- a domain that never returns -----------------------------------------------------------------------------------


@every_method
@check_rows("how", ["spins", "sleeps"])
async def test_a_method_that_never_returns_ends_its_run(method, how):
    with Stuck(how) as stuck:
        attack = await play(Scene(AttackDomain(**{method: stuck})), method, patience_s=0.3)
    assert "did not return" in why(attack)


@pytest.mark.parametrize("how", ["spins", "sleeps"])
async def test_other_runs_go_on_beside_one_whose_domain_never_returns(how):
    with Stuck(how) as stuck:
        ends = await fleet_of(AttackDomain(route=stuck), patience_s=0.5)
    assert statuses(ends) == ["completed", "failed", "completed"]


# --- a domain that cannot be loaded --------------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Installs a distribution with the given module and entry points."""

    def install(source, **groups):
        monkeypatch.syspath_prepend(str(install_plugin(tmp_path, source, groups)))

    return install


async def refused(config, error, match):
    """Nothing of a run with ``config`` is recorded."""
    log = MemoryEventLog()
    with pytest.raises(error, match=match):
        await configure(log, config, CEILING)
    assert await log.runs() == ()


async def test_a_domain_that_nobody_has_is_refused_with_the_known_names():
    await refused(configuration(domain="referense"), UnknownPlugin, "reference")


async def test_a_selector_that_nobody_has_is_refused_with_the_known_names():
    await refused(configuration(domain="noop", selector="turnament"), UnknownPlugin, "tournament")


async def test_a_domain_that_calls_itself_otherwise_is_refused(installed):
    installed(bare("hyde"), domains={"jekyll": "Bare"})
    await refused(configuration(domain="jekyll"), BrokenPlugin, "hyde")


async def test_a_step_without_a_handler_is_refused_with_the_known_names(installed):
    installed(bare("handless", steps='{"handless.look": Step()}'), domains={"handless": "Bare"})
    await refused(configuration(domain="handless"), UnknownPlugin, r"handless\.look.*reference\.measure")


async def test_a_handler_that_is_no_function_is_refused(installed):
    source = bare("sevens", steps='{"sevens.look": Step()}') + "\nSEVEN = 7\n"
    installed(source, domains={"sevens": "Bare"}, task_handlers={"sevens.look": "SEVEN"})
    await refused(configuration(domain="sevens"), BrokenPlugin, "sevens")


@pytest.mark.parametrize(
    "source",
    [
        "Bare = 5",
        "Bare = lambda: 5",
        "class Bare: pass",
        "class Bare(Domain):\n    name = 'odd'",
        "def Bare(): raise RuntimeError('no')",
        "1 / 0",
        "raise SystemExit(3)",
        "nothing = 1",
    ],
)
async def test_what_makes_no_domain_is_refused(installed, source):
    installed(source, domains={"odd": "Bare"})
    await refused(configuration(domain="odd"), BrokenPlugin, "odd")


async def test_a_domain_whose_constructor_exits_is_refused(installed):
    installed("def Bare(): raise SystemExit(3)", domains={"exiting": "Bare"})
    await refused(configuration(domain="exiting"), BrokenPlugin, "exiting")


async def test_a_payload_registered_twice_is_refused(installed):
    source = "class One(BaseModel): pass\nclass Two(BaseModel): pass\n"
    installed(source + bare("twice", payloads='{("it", 1): One}'), domains={"twice": "Bare"})
    registry = PayloadRegistry()
    load_domain("twice", registry)
    load_domain("twice", registry)

    class Other(BaseModel):
        pass

    other = PayloadRegistry()
    other.register("twice", "it", 1, Other)
    with pytest.raises(BrokenPlugin, match=r"twice\.it v1"):
        load_domain("twice", other)


@pytest.mark.parametrize(
    "payloads", ['{("Bad Kind", 1): BaseModel}', '{("it", 0): BaseModel}', '{"it": BaseModel}', "5"]
)
async def test_a_payload_with_a_name_that_is_none_is_refused(installed, payloads):
    installed(bare("misnamed", payloads=payloads), domains={"misnamed": "Bare"})
    await refused(configuration(domain="misnamed"), BrokenPlugin, "misnamed")


async def test_a_configuration_that_the_domain_does_not_know_is_refused():
    log = MemoryEventLog()
    config = configuration(domain="noop", domain_config=thing(value=1).model_copy(update={"kind": "nonsense"}))
    with pytest.raises(MendelError, match="nonsense"):
        await configure(log, config, CEILING)
    assert await log.runs() == ()


@pytest.mark.parametrize("source", ["Bad = 5", "Bad = lambda: 5", "def Bad(): raise RuntimeError('no')"])
async def test_what_makes_no_selector_is_refused(installed, source):
    installed(source, selectors={"odd_selector": "Bad"})
    await refused(configuration(domain="noop", selector="odd_selector"), BrokenPlugin, "odd_selector")


RAISING_SELECTOR = """
from mendel.selection.selectors import Tournament

class Bad(Tournament):
    def select(self, *given, **named):
        raise ZeroDivisionError("no parents for you")
"""


async def test_a_selector_that_raises_ends_its_run_and_nobody_elses(installed):
    installed(RAISING_SELECTOR, selectors={"raising": "Bad"})
    assert load_selector("raising")
    ends = await fleet_of(AttackDomain(), selector="raising")
    assert statuses(ends) == ["completed", "failed", "completed"]


async def test_two_operators_of_one_name_end_their_run_and_nobody_elses():
    class Twins(AttackDomain):
        operators = AttackDomain.operators * 2

    ends = await fleet_of(Twins())
    assert isinstance(ends[1], MendelError) or ends[1].status == "failed"
    assert [ends[0].status, ends[2].status] == ["completed", "completed"]


# --- handlers ------------------------------------------------------------------------------------------------------


def drop_failed(dossier):
    seen = dossier.last("attack.look")
    if seen is not None and seen.failed is not None and dossier.phase == "verifying":
        return (Drop(reason=Reason(code="failed", message=seen.failed)),)
    return route(dossier)


@check_rows("name", BAD_HANDLERS)
@check_rows("pace", ["generational", "arrival"])
async def test_a_handler_that_misbehaves_fails_its_operation_and_the_run_goes_on(name, pace):
    handler = BAD_HANDLERS[name]
    calls = []

    async def second_fails(work):
        calls.append(work)
        bad = len(calls) == 2 and handler is not None
        return await (handler if bad else look)(work)

    scene = Scene(AttackDomain(route=drop_failed), {"attack.look": second_fails})
    if handler is None:
        scene.domain.steps = AttackDomain.steps | {"attack.nobody": Step()}
        scene.domain.methods["route"] = lambda dossier: (
            (Examine(step="attack.nobody"),)
            if dossier.phase == "verifying" and dossier.generation == 0 and not dossier.observations
            else route(dossier)
        )
    attack = await scene.play(pace=PACES[pace])
    assert attack.state.status == "completed"
    failed = attack.payloads("operation.failed")
    if handler is None:
        assert {payload.error_code for payload in failed} == {"unknown_handler"}
        assert "attack.look" in failed[0].message, "those that are known are named"
    else:
        assert len(failed) == 1
    assert attack.state.scored > 0
    assert_within_caps(attack.events)


@check_rows("name", ["none", "5 MB", "NUL", "unregistered", "huge usage", "raises", "exits"])
@check_rows("step", ["attack.vary", "attack.express"])
async def test_nor_does_one_that_varies_or_expresses(name, step):
    bad = BAD_HANDLERS[name]
    if name in ("5 MB", "NUL", "unregistered"):
        payload = {"5 MB": thing(text="x" * 5_000_000), "NUL": thing(text="a\0b"), "unregistered": NEVER_HEARD_OF}[name]
        bad = answering(traits=payload, contents=(payload,))
    calls = []

    async def second_fails(work):
        calls.append(work)
        if len(calls) == 2:
            return await bad(work)
        return await (vary(work) if step == "attack.vary" else Scene().handlers["attack.express"](work))

    domain = AttackDomain(express=lambda *_: Expression(step="attack.express"))
    attack = await Scene(domain, {step: second_fails}).play()
    assert attack.state.status == "completed"
    assert len(attack.payloads("operation.failed")) == 1


async def test_choices_and_summaries_that_may_not_be_stored_fail_their_operation():
    calls = []

    async def odd(work):
        calls.append(work)
        choices = {1: {"x": "a\0b"}, 2: {"x": 10**30}, 3: {"x": "y" * 3_000_000}}.get(len(calls), {})
        return Answer(traits=thing(value=0.5), choices=choices, usage=USED)

    attack = await Scene(handlers={"attack.vary": odd}).play()
    assert attack.state.status == "completed"
    assert len(attack.payloads("operation.failed")) == 3


# --- configurations ------------------------------------------------------------------------------------------------


@check_rows("cap", RunCaps.model_fields)
@check_rows("value", [0, -1, 2**53, 1.5, "many", None])
def test_a_cap_of_zero_or_below_or_beyond_counting_is_none(cap, value):
    with pytest.raises(ValidationError, match=cap):
        RunCaps(**{cap: value})


@check_rows("cap", RunCaps.model_fields)
async def test_a_cap_of_one_is_one(cap):
    attack = await Scene().play(caps={cap: 1})
    assert attack.state.terminal
    if cap != "wall_clock_ms":
        assert_within_caps(attack.events)


@check_rows("cap", RunCaps.model_fields)
async def test_a_cap_above_its_ceiling_is_refused_by_name(cap):
    log = MemoryEventLog()
    config = configuration(domain="noop", caps={cap: 500})
    with pytest.raises(RunRefused, match=f"{cap} 500 > 499"):
        await configure(log, config, CEILING.model_copy(update={cap: 499}))
    assert await log.runs() == ()


@pytest.mark.parametrize("pace", [{}, {"pace": {"kind": "steady"}}], ids=["no pace", "half a pace"])
async def test_a_run_that_an_older_version_configured_is_conducted(pace):
    scene, run_id = Scene(), new_run_id()
    await scene.log.import_records(run_id, [older(run_id, "attack", **pace)])
    attack = await scene.resume(run_id)
    assert attack.state.status == "completed"
    assert attack.events[0].schema_version == 1
    assert attack.state.config.selector == "tournament"
    assert attack.state.scored > 0


async def test_and_resumed():
    scene, run_id = Scene(), new_run_id()
    await scene.log.import_records(run_id, [older(run_id, "attack")])
    await scene.interrupt(run_id, lambda event: event.sequence > 30)
    attack = await scene.resume(run_id)
    assert attack.state.status == "completed"
    assert attack.state.epochs == 2


async def test_a_recorded_domain_that_is_not_installed_any_more_is_named_and_nothing_is_changed():
    scene, run_id = Scene(), new_run_id()
    await scene.log.import_records(run_id, [older(run_id, "forgotten")])
    async with scene.fabric() as fabric:
        with pytest.raises(UnknownPlugin, match="forgotten"):
            await conduct(run_id, log=scene.log, fabric=fabric, clock=scene.clock)
    assert len(await scene.events(run_id)) == 1


# --- conductors and commands ---------------------------------------------------------------------------------------


async def test_two_conductors_of_one_run():
    scene = Scene()
    run_id = await scene.begin()
    ends = await asyncio.gather(scene.conduct(run_id), scene.conduct(run_id), return_exceptions=True)
    assert sorted(getattr(end, "status", type(end).__name__) for end in ends) == ["RunBusy", "completed"]


async def test_a_run_that_is_not_there_is_not_conducted():
    with pytest.raises(RunNotFound):
        await Scene().conduct(new_run_id())


@check_rows("run_id", ["nonsense", "", "../../etc/passwd"])
async def test_what_is_no_id_of_a_run_is_answered_like_one_that_is_not_there(run_id):
    with pytest.raises(RunNotFound):
        await Scene().conduct(run_id)


@check_rows("kind", CommandKind)
async def test_a_command_for_a_run_that_is_over_is_refused(kind):
    scene = Scene()
    attack = await scene.play()
    new = NewCommand(run_id=attack.run_id, kind=kind, payload={"slots": 3} if kind == "set_parameters" else {})
    command = Command(**new.model_dump(), position=1, issued_at=datetime.now(UTC))
    answered = heed(attack.state, command, Asked(scene.domain))
    if kind is CommandKind.SET_PARAMETERS:
        assert {draft.type for draft in answered} <= {"command.accepted", "command.refused"}
    else:
        assert [draft.type for draft in answered] == ["command.refused"]


@check_rows("kind", CommandKind)
async def test_a_command_left_for_a_run_that_is_over_changes_nothing(kind):
    scene = Scene()
    attack = await scene.play()
    await scene.ask(attack.run_id, kind.value)
    with pytest.raises(CommandNotPossible, match="completed"):
        await scene.conduct(attack.run_id)
    assert await scene.events(attack.run_id) == attack.events


@check_rows("ending", ["kill", "cancel", "completed"])
async def test_a_run_that_is_over_stays_so(ending):
    scene = Scene()
    run_id = await scene.begin()
    if ending != "completed":
        await scene.ask(run_id, ending)
    attack = await scene.resume(run_id)
    for _ in range(2):
        with pytest.raises(CommandNotPossible):
            await scene.conduct(run_id)
    assert await scene.events(run_id) == attack.events


async def test_a_command_for_a_run_that_is_not_there_is_refused():
    with pytest.raises(RunNotFound):
        await Scene().ask(new_run_id(), "stop")


@pytest.mark.parametrize(("kind", "status"), [("stop", "configured"), ("cancel", "running")])
async def test_a_command_that_its_state_does_not_allow_is_refused_and_the_run_goes_on(kind, status):
    scene = Scene()
    run_id = await scene.begin()
    if status == "running":
        await scene.interrupt(run_id, lambda event: event.type == "run.started")
    await scene.ask(run_id, kind)
    attack = await scene.resume(run_id)
    assert attack.count("command.refused") == 1
    assert attack.state.status == "completed"
