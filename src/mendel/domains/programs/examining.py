"""The cascade before timing: region, policy, small inputs, all inputs with properties and relations, large inputs."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from mendel.breeding.code import parsed
from mendel.breeding.regions import edits_outside
from mendel.contracts.energy import Usage
from mendel.contracts.errors import SourceNotPython
from mendel.contracts.evaluations import NOTHING_USED, Evaluation, Outcome, Program, ResourceUse
from mendel.contracts.work import Answer, Work
from mendel.domains.programs.models import Checked, ObjectiveName, ProgramTraits, Stage, payload
from mendel.domains.programs.scoring import above, gain
from mendel.domains.programs.suites import failing
from mendel.domains.programs.watching import meddling
from mendel.domains.programs.workbench import SMALL, Workbench, bench_of
from mendel.guard.checking import Breach
from mendel.guard.observing import Answers
from mendel.guard.trials import Trial
from mendel.ports.handlers import Ports
from mendel.ports.recording_sandbox import RecordingSandbox
from mendel.ports.sandbox import Sandbox

RECHECKED: Final = 0.2
LEAD: Final = 0.3
"""In powers of two: 1.23 times as fast, which is more than a timer's whim."""
SCORE_LEAD: Final = 1e-9
CLEARLY_WORSE: Final = -0.5
"""Below this gain nobody needs a timer to know: it takes 1.4 times as long as the original."""
_RESOURCES: Final = frozenset({"SANDBOX_TIMEOUT", "SANDBOX_MEMORY", "SANDBOX_NOT_RUN", "SANDBOX_RESULT_TOO_LARGE"})


class Fell(Exception):
    """A candidate is out."""

    def __init__(self, stage: Stage, detail: str, right: int = 0) -> None:
        super().__init__(detail)
        self.stage, self.detail, self.right = stage, detail, right


@dataclass
class Examination:
    """One candidate on its way through the cascade."""

    bench: Workbench
    sandbox: Sandbox
    files: dict[str, str]
    usage: ResourceUse = NOTHING_USED
    cases: int = 0
    opcodes: int = 0

    async def run(self) -> Checked:
        """All stages; whoever falls is told where."""
        try:
            nodes = self._read()
            program = self.bench.program(self.files)
            trials = self.bench.seen_only
            await self._differential(program, trials[:SMALL], "small")
            await self._differential(program, trials[SMALL:], "differential")
            gains = await self._measured(program, nodes)
            await self._meddling(program)
            await self._suite(program)
        except Fell as fell:
            return self._seen(fell.right).model_copy(
                update={"passed": False, "stage": fell.stage, "detail": fell.detail[:2_000]}
            )
        rough = gains.get("speed", 0.0)
        timed = "speed" in self.bench.task.objectives and rough > CLEARLY_WORSE
        wanted = {name: gain for name, gain in gains.items() if name in self.bench.task.objectives}
        found = self._seen(self.cases).model_copy(update={"gains": wanted, "wants_timing": timed, "nodes": nodes})
        return found.model_copy(update=await self._claim()) if self._contends() else found

    def _contends(self) -> bool:
        """Whether it may claim to be better: not the original itself, and not in a run that is for comparison."""
        return self.bench.task.contends and self.files != self.bench.task.originals()

    async def _claim(self) -> dict[str, float]:
        """From where, and by how much, a total must be ahead to be worth a challenge, which spends error budget."""
        weights = self.bench.task.objectives
        if "score" in weights:
            if self.bench.stands_at is None:
                self.bench.stands_at = self._score(await self.bench.reference(self.sandbox))
            return {"stands_at": weights["score"] * self.bench.stands_at, "lead": SCORE_LEAD}
        return {"stands_at": 0.0, "lead": LEAD * max(weights.values())}

    def _seen(self, right: int) -> Checked:
        """What counts for everybody; where opcodes do, nothing that a clock or a meter says."""
        if self.bench.counted:
            return Checked(passed=True, cases=self.cases, right=right, opcodes=self.opcodes)
        peak = self.usage.peak_memory_bytes
        cpu_ms = round(self.usage.cpu_s * 1e3, 3)
        return Checked(passed=True, cases=self.cases, right=right, cpu_ms=cpu_ms, peak_memory_bytes=peak)

    def _read(self) -> int:
        """Parse, region and static policy; how many nodes the editable files have."""
        nodes = 0
        for path, text in sorted(self.files.items()):
            try:
                code = parsed(text, path)
            except SourceNotPython as error:
                raise Fell("load", str(error)) from error
            outside = edits_outside(parsed(self.bench.task.files[path], path), code, self.bench.task.roots[path])
            if outside is not None:
                raise Fell("region", outside)
            self._lint(text, path)
            nodes += sum(1 for _ in ast.walk(code.tree))
        return nodes

    def _lint(self, text: str, path: str) -> None:
        local = [name.removesuffix(".py").replace("/", ".") for name in self.bench.task.files]
        found = self.sandbox.lint(text, path=path, allow_imports=[*self.bench.task.packages, *local])
        new = [each for each in found if (each.code, each.message) not in self.bench.tolerated(path)]
        if new:
            raise Fell("policy", f"{new[0].code}, line {new[0].line}: {new[0].message}")

    async def _differential(self, program: Program, trials: list[Trial], stage: Stage) -> None:
        if not trials:
            return
        theirs = await self.bench.answers(trials, self.sandbox)
        again = RECHECKED if stage == "differential" else 0.0
        observed = await self.bench.observer(self.sandbox).observe(program, trials, recheck=again, until_death=True)
        self.usage += observed.usage
        self.cases += len(trials)
        against = [self._against(*each) for each in zip(trials, observed.answers, theirs, strict=True)]
        right = sum(breach is None for breach in against)
        for trial, breach in zip(trials, against, strict=True):
            if breach is not None:
                raise Fell(_stage(breach, stage), self._told(trial, breach), right)
        if observed.changing:
            raise Fell("flaky", f"asked again, it answered {len(observed.changing)} cases differently", right)

    def _against(self, trial: Trial, ours: Answers, theirs: Answers) -> Breach | None:
        checker = self.bench.checker
        if self.bench.rules.oracle and theirs.original.kind == "exception":
            return next(checker.mismatches(ours, theirs), None)
        breaches = checker.breaches(trial, ours)
        if breaches or not self.bench.rules.oracle:
            return breaches[0] if breaches else None
        return next(checker.mismatches(ours, theirs), None)

    def _told(self, trial: Trial, breach: Breach) -> str:
        given = self.bench.checker.shown_input(trial.args)
        return f"{breach.name}: {breach.detail or 'does not hold'}, on {given[:300]}"

    async def _meddling(self, program: Program) -> None:
        """What the original leaves alone, a candidate leaves alone."""
        few = [trial.args for trial in self.bench.seen[:SMALL] if trial.args]
        against = await meddling(self.bench, program, few, self.sandbox) if few else None
        if against is not None:
            raise Fell("meddles", f"it {against}", self.cases)

    async def _suite(self, program: Program) -> None:
        against = await failing(self.bench, program, self.sandbox) if self.bench.task.tests else None
        if against is not None:
            raise Fell("tests", against, self.cases)

    # --- large inputs and what they cost ---------------------------------------------------------------------

    async def _measured(self, program: Program, nodes: int) -> dict[ObjectiveName, float]:
        """Gains over the original; speed is rough here."""
        evaluation = await self.bench.large(program, self.sandbox)
        self.usage += evaluation.usage
        self.cases += len(evaluation.outcomes)
        await self._large_answers(evaluation)
        self.opcodes = sum(outcome.opcodes or 0 for outcome in evaluation.outcomes)
        before = await self.bench.reference(self.sandbox)
        gains: dict[ObjectiveName, float] = {
            "speed": gain(before.usage.cpu_s, evaluation.usage.cpu_s),
            "memory": gain(
                *(above(each.usage.peak_memory_bytes, self.bench.empty_bytes) for each in (before, evaluation))
            ),
            "size": gain(self.bench.nodes, nodes),
        }
        if self.bench.counted:
            gains["opcodes"] = gain(sum(each.opcodes or 0 for each in before.outcomes), self.opcodes)
        if self.bench.rules.score is not None:
            gains["score"] = self._score(evaluation)
        return gains

    async def _large_answers(self, evaluation: Evaluation) -> None:
        theirs = (await self.bench.reference(self.sandbox)).outcomes
        trials = [Trial(index, args) for index, args in enumerate(self.bench.timed)]
        for trial, ours, expected in zip(trials, evaluation.outcomes, theirs, strict=True):
            breach = self._against(trial, _plain(ours), _plain(expected))
            if breach is not None:
                raise Fell(_stage(breach, "differential"), self._told(trial, breach), self.cases - 1)

    def _score(self, evaluation: Evaluation) -> float:
        rated = [
            self.bench.rules.rated(outcome.value, args)
            for outcome, args in zip(evaluation.outcomes, self.bench.timed, strict=True)
        ]
        return sum(rated) / len(rated)


def _plain(outcome: Outcome) -> Answers:
    return Answers(outcome)


def _stage(breach: Breach, stage: Stage) -> Stage:
    if breach.kind == "failure":
        return "resources" if breach.name in _RESOURCES else stage
    return {"property": "property", "relation": "relation"}.get(breach.kind, stage)  # type: ignore[return-value]


async def check(work: Work, ports: Ports) -> Answer:
    """The step ``programs.check``."""
    bench, files, sandbox = material(work, ports)
    examination = Examination(bench, sandbox, files)
    found = await examination.run()
    usage = Usage(opcodes=examination.opcodes) if bench.counted else used(bench, sandbox)
    return Answer(findings=payload(found), usage=usage)


def material(work: Work, ports: Ports) -> tuple[Workbench, dict[str, str], Sandbox]:
    """What a step on a candidate works with.

    Raises:
        ValueError: the run has no task, or nobody gave the step a sandbox.
    """
    if ports.sandbox is None or work.material.traits is None:
        raise ValueError("a program is examined in a sandbox only")
    bench = bench_of(work.material.config, int(work.operation.entropy[0]))
    return bench, ProgramTraits.model_validate(work.material.traits.data).files, ports.sandbox


def used(bench: Workbench, sandbox: Sandbox) -> Usage:
    """What a step used so far, as the kernel counts it; nothing that a clock says where opcodes count."""
    if bench.counted or not isinstance(sandbox, RecordingSandbox):
        return Usage()
    spent = sandbox.used
    return Usage(
        cpu_ms=round(spent.cpu_s * 1e3), wall_ms=round(spent.wall_s * 1e3), peak_memory_bytes=spent.peak_memory_bytes
    )
