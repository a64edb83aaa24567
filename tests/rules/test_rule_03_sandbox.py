"""Rule 3: untrusted code runs only in the sandbox; what a weak one produced can never be adopted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.kernel.scripted import (
    ScriptedDomain,
    Stage,
    ambitious,
    config_of,
    notes_of,
    of_type,
    payloads,
    thing,
    value_of,
)

from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.adapters.sandbox.native import NativeSandbox
from mendel.contracts.energy import Usage
from mendel.contracts.errors import IllegalTransition, SandboxUnavailable
from mendel.contracts.evaluations import Case, Isolation, Outcome, Program, ResourceUse
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.work import Answer, Work
from mendel.guard import Sample, judge_samples
from mendel.kernel.conductor import Options
from mendel.kernel.domain import Step
from mendel.kernel.fold import check_batch
from mendel.kernel.replaying import Replay
from mendel.kernel.routing import adoption
from mendel.ports.handlers import Ports
from mendel.ports.sandbox import Ask, Attempt, Sandbox

DOUBLED = Program.of("def double(number):\n    return number * 2\n", "double")
WEAK = Isolation("weak", (), "paper", {"seccomp": "not there"})
FULL = Isolation("full", ("seccomp",), "paper")


class PaperSandbox(Sandbox):
    """Runs nothing: every case answers with its argument, behind walls of whatever strength a test draws."""

    def __init__(self, *isolations: Isolation) -> None:
        self._isolations = list(isolations)
        self.asked = 0

    async def attempt(self, ask: Ask) -> Attempt:
        isolation = self._isolations[min(self.asked, len(self._isolations) - 1)]
        self.asked += 1
        outcomes = tuple(Outcome("value", case.args[0]) for case in ask.cases)
        return Attempt(outcomes, ResourceUse(0.001, 0.001, 1, 1), isolation)

    async def isolation(self) -> Isolation:
        return self._isolations[0]

    async def aclose(self) -> None:
        pass


async def look(work: Work, ports: Ports) -> Answer:
    """Examine a candidate by running something; it says of the walls what it likes."""
    evaluation = await ports.sandbox.evaluate(DOUBLED, [Case((value_of(work.material.content),))])
    return Answer(findings=thing(float(evaluation.outcomes[0].value)), isolation="full")


LOOKING = {"scripted.look": Step(Usage(evaluations=3), ports=("sandbox",))}


class SandboxedDomain(ScriptedDomain):
    sandboxed = True


class SandboxedStage(Stage):
    def __init__(self, sandbox: Sandbox | None, domain: SandboxedDomain | None = None) -> None:
        super().__init__(domain or SandboxedDomain(route=ambitious, handlers={"scripted.look": look}, steps=LOOKING))
        self.sandbox = sandbox

    def fabric(self) -> MemoryTaskFabric:
        return MemoryTaskFabric(workers=0, handlers=self.domain.handlers.__getitem__, ports=Ports(self.sandbox))


# --- no walls, no run ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sandbox", "said"), [(None, "no sandbox"), (PaperSandbox(WEAK), "seccomp .not there.")])
async def test_a_run_of_untrusted_code_is_not_even_recorded_where_it_cannot_be_held(sandbox, said):
    stage = SandboxedStage(sandbox)
    with pytest.raises(SandboxUnavailable, match=said):
        await stage.configure(config_of())
    assert await stage.log.runs() == ()


async def test_a_run_does_not_go_on_where_it_cannot_be_held():
    stage = SandboxedStage(PaperSandbox(FULL))
    await stage.configure(config_of())
    stage.sandbox = PaperSandbox(WEAK)
    with pytest.raises(SandboxUnavailable, match="--allow-weak-sandbox"):
        await stage.conduct()
    assert [event.type for event in await stage.events()] == ["run.configured"]


async def test_a_layer_that_is_hidden_is_named_with_its_remedy():
    stage = SandboxedStage(NativeSandbox(hidden=("seccomp",)))
    with pytest.raises(SandboxUnavailable, match=r"(?s)seccomp: hidden; use a kernel with CONFIG_SECCOMP_FILTER"):
        await stage.configure(config_of())
    await stage.sandbox.aclose()


async def test_the_kill_switch_needs_no_sandbox():
    stage = SandboxedStage(PaperSandbox(FULL))
    await stage.configure(config_of())
    stage.sandbox = None
    await stage.submit("kill")
    state = await stage.conduct(Options(only_answer=True))
    assert state.terminal


# --- weak walls, no adoption ---------------------------------------------------------------------------------------


async def test_behind_strong_walls_the_best_is_adopted_and_the_tier_stands_in_every_result():
    stage = SandboxedStage(PaperSandbox(FULL))
    await stage.configure(config_of())
    state = await stage.conduct()
    events = await stage.events()
    assert state.niche.champion_id is not None
    tiers = {payload.step: payload.isolation for payload in payloads(events, "operation.completed")}
    assert tiers["scripted.look"] == "full"
    assert tiers["scripted.gate"] is None


async def test_what_a_weak_sandbox_produced_is_never_adopted_whatever_the_handler_says_of_it():
    stage = SandboxedStage(PaperSandbox(WEAK))
    await stage.configure(config_of(allow_weak_sandbox=True))
    state = await stage.conduct()
    events = await stage.events()
    assert state.status == "completed"
    assert state.scored > 0
    assert not of_type(events, "adoption.made", "gate.verdict")
    looks = [each for each in payloads(events, "operation.completed") if each.step == "scripted.look"]
    assert looks
    assert {each.isolation for each in looks} == {"weak"}
    assert events[0].payload.config.allow_weak_sandbox


async def test_one_weak_result_among_strong_ones_is_enough():
    stage = SandboxedStage(PaperSandbox(*[FULL] * 2, WEAK, FULL))
    await stage.configure(config_of(allow_weak_sandbox=True))
    await stage.conduct()
    events = await stage.events()
    weak = next(e.sequence for e in of_type(events, "operation.completed") if e.payload.isolation == "weak")
    assert all(event.sequence < weak for event in of_type(events, "adoption.made"))


async def test_the_weakest_of_several_attempts_counts():
    async def several(work: Work, ports: Ports) -> Answer:
        for _ in range(3):
            answer = await look(work, ports)
        return answer

    domain = SandboxedDomain(route=ambitious, handlers={"scripted.look": several}, steps=LOOKING)
    stage = SandboxedStage(PaperSandbox(FULL, WEAK, FULL), domain)
    await stage.configure(config_of(allow_weak_sandbox=True, caps={"max_candidates": 1}))
    await stage.conduct()
    (seen,) = {e.isolation for e in payloads(await stage.events(), "operation.completed") if e.step == "scripted.look"}
    assert seen == "weak"


async def test_a_forged_adoption_does_not_reach_the_log():
    stage = SandboxedStage(PaperSandbox(FULL))
    await stage.configure(config_of())
    await stage.interrupt(lambda event: event.type == "gate.verdict")
    believed = await stage.folded()
    known = next(each for each in believed.candidates.values() if each.verdict is not None)
    draft = EventDraft.of(adoption(believed, known))
    check_batch(believed, [draft])
    believed.weakly_isolated = True
    with pytest.raises(IllegalTransition, match="rule 3"):
        check_batch(believed, [draft])


async def test_the_log_of_an_adoption_behind_weak_walls_is_no_history():
    stage = SandboxedStage(PaperSandbox(FULL))
    await stage.configure(config_of())
    await stage.conduct()
    events = await stage.events()
    forged = [
        event.model_copy(update={"payload": event.payload.model_copy(update={"isolation": "weak"})})
        if event.type == "operation.completed" and event.payload.step == "scripted.look"
        else event
        for event in events
    ]
    replay = Replay()
    with pytest.raises(IllegalTransition, match="sandbox was weak"):
        list(map(replay.take, forged))


async def test_a_weak_run_replays_to_the_same_digests():
    stage = SandboxedStage(PaperSandbox(WEAK))
    await stage.configure(config_of(allow_weak_sandbox=True))
    await stage.conduct()
    replay = Replay()
    for event in await stage.events():
        replay.take(event)
    assert replay.report().agrees


# --- recorded samples ----------------------------------------------------------------------------------------------


TRIED = Program.of("def tried(number):\n    return number\n", "tried")


class JudgingSandbox(PaperSandbox):
    """Strong walls for all but what is run to judge."""

    def __init__(self, judging: Isolation) -> None:
        super().__init__(FULL)
        self._judging = judging

    async def attempt(self, ask: Ask) -> Attempt:
        attempt = await super().attempt(ask)
        return replace(attempt, isolation=self._judging) if ask.program == TRIED else attempt


async def ran(ports: Ports) -> None:
    await ports.sandbox.evaluate(TRIED, [Case((1.0,))])


async def tried(work: Work, ports: Ports) -> Answer:
    """A child that runs something, and says who it is."""
    await ran(ports)
    return Answer(findings=thing(1.0, work.operation.id))


async def itself(work: Work, ports: Ports) -> str:
    """The challenge records the samples, behind whatever walls there are."""
    await ran(ports)
    return work.operation.id


async def itself_idle(work: Work, ports: Ports) -> str:
    """The challenge says that it recorded them, and has run nothing."""
    return work.operation.id


async def its_child(work: Work, ports: Ports) -> str:
    child = await ports.children.perform("scripted.try", thing(0.0), index=0)
    return notes_of(child.findings)[0]


async def its_parent(work: Work, ports: Ports) -> str:
    """The challenge names itself for what its child has run."""
    await its_child(work, ports)
    return work.operation.id


async def no_operation(work: Work, ports: Ports) -> str:
    await ran(ports)
    return "operation:made-up"


def judging(isolation: Isolation | None, *, sandboxed: bool, recorded_by=itself):
    """The real gate on samples that speak for every challenger, and claim to be recorded under ``isolation``."""

    async def judged(work: Work, ports: Ports) -> Answer:
        operation = work.operation
        assert operation.challenge is not None
        recorder = await recorded_by(work, ports)
        cases = [f"{operation.challenge.k}/{number}" for number in range(60)]
        verdict = judge_samples(
            [Sample(case, recorder, candidate=True, isolation=isolation) for case in cases],
            mode="absolute",
            policy="absolute:min_pass_rate=0.5",
            candidate_id=operation.subject_ids[0],
            challenge=operation.challenge,
            sandboxed=sandboxed,
            used_cases=(),
        )
        return Answer(verdict=verdict)

    return judged


JUDGING = {
    **LOOKING,
    "scripted.gate": Step(Usage(evaluations=3), ports=("sandbox",), children=("scripted.try",)),
    "scripted.try": Step(Usage(evaluations=1), ports=("sandbox",)),
}


async def told_by(domain: type[ScriptedDomain], gate, walls: Isolation = FULL):
    """What a run of ``domain`` records whose challengers are judged by ``gate``."""
    stage = SandboxedStage(JudgingSandbox(walls))
    handlers = {"scripted.look": look, "scripted.gate": gate, "scripted.try": tried}
    stage.domain = domain(route=ambitious, handlers=handlers, steps=JUDGING)
    await stage.configure(config_of(caps={"max_generations": 1}))
    await stage.conduct()
    return await stage.events()


def refusals(events) -> list[str]:
    """Why the gate's verdicts were not taken; there was none that was."""
    assert not of_type(events, "gate.verdict", "adoption.made")
    failed = [each.message for each in payloads(events, "operation.failed") if each.step == "scripted.gate"]
    assert failed
    return failed


@pytest.mark.parametrize("recorder", [itself, its_child])
async def test_samples_that_were_recorded_behind_walls_can_be_adopted(recorder):
    events = await told_by(SandboxedDomain, judging(FULL, sandboxed=True, recorded_by=recorder))
    assert of_type(events, "adoption.made")
    replay = Replay()
    for event in events:
        replay.take(event)
    assert replay.report().agrees


@pytest.mark.parametrize("domain", [ScriptedDomain, SandboxedDomain])
async def test_samples_of_an_operation_that_never_was_are_no_verdict(domain):
    gate = judging(FULL, sandboxed=domain.sandboxed, recorded_by=no_operation)
    for message in refusals(await told_by(domain, gate)):
        assert "operation:made-up, which has not completed" in message


@pytest.mark.parametrize("recorder", [itself_idle, its_parent])
async def test_samples_claim_no_walls_behind_which_nothing_ran(recorder):
    gate = judging(FULL, sandboxed=True, recorded_by=recorder)
    for message in refusals(await told_by(SandboxedDomain, gate)):
        assert "ran nothing in a sandbox (rule 3)" in message


@pytest.mark.parametrize("recorder", [itself, its_child])
async def test_samples_claim_no_better_walls_than_the_log_knows(recorder):
    gate = judging(FULL, sandboxed=True, recorded_by=recorder)
    for message in refusals(await told_by(SandboxedDomain, gate, WEAK)):
        assert "ran in a weak sandbox (rule 3)" in message


@pytest.mark.parametrize("isolation", [None, WEAK])
async def test_samples_without_walls_are_never_adopted_where_the_domain_runs_what_nobody_trusts(isolation):
    events = await told_by(SandboxedDomain, judging(isolation, sandboxed=True, recorded_by=itself_idle))
    verdicts = [each.verdict for each in payloads(events, "gate.verdict")]
    assert {(each.decision, each.reasons[0].code) for each in verdicts} == {("undecided", "weak_sandbox")}
    assert not of_type(events, "adoption.made")


@pytest.mark.parametrize("isolation", [None, FULL])
async def test_that_no_walls_are_needed_is_the_registrations_word_and_never_the_callers(isolation):
    for message in refusals(await told_by(SandboxedDomain, judging(isolation, sandboxed=False))):
        assert "had sandboxed = False (rule 3)" in message


async def test_a_domain_that_runs_nothing_untrusted_needs_no_walls_for_its_samples():
    events = await told_by(ScriptedDomain, judging(None, sandboxed=False, recorded_by=itself_idle))
    (adopted, *_) = payloads(events, "adoption.made")
    assert adopted.verdict.provenance.sandbox.tier == "none"


async def test_a_weak_sample_is_not_adopted_by_a_domain_that_needs_no_walls_either():
    events = await told_by(ScriptedDomain, judging(WEAK, sandboxed=False))
    assert of_type(events, "gate.verdict")
    assert not of_type(events, "adoption.made")


# --- a plain function has no sandbox -------------------------------------------------------------------------------


async def test_a_plain_function_cannot_claim_walls_it_has_not():
    def plain(work: Work) -> Answer:
        return Answer(findings=work.material.content, isolation="full")

    stage = Stage(ScriptedDomain(handlers={"scripted.look": plain}))
    await stage.configure(config_of(caps={"max_generations": 1}))
    await stage.conduct()
    assert {each.isolation for each in payloads(await stage.events(), "operation.completed")} == {None}
