"""The examination of a function before timing: region, policy, small inputs, all inputs, large inputs, the tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from mendel.bench.cascade import Cascade, Fell
from mendel.bench.judging import RECHECKED, against, meddling, plain, plainly, runs_out, told
from mendel.bench.oracle import failing
from mendel.bench.records import Checked, FunctionTask, ObjectiveName, Stage
from mendel.bench.scoring import above, gain
from mendel.bench.timing import CLEARLY_WORSE
from mendel.bench.workbench import SMALL, Workbench
from mendel.breeding.code import parsed
from mendel.breeding.regions import edits_outside
from mendel.contracts.errors import SourceNotPython, SpecFailed
from mendel.contracts.evaluations import NOTHING_USED, Evaluation, Program, ResourceUse
from mendel.guard.checking import Breach
from mendel.guard.observing import Observed
from mendel.guard.trials import Trial
from mendel.ports.sandbox import Sandbox

NEARLY: Final = 0.75
"""At least this share of the seen inputs must be right for a repair: few failures suggest one fault, not many."""
_FAULTS: Final = frozenset({"small", "differential", "property", "relation"})
"""Stages at which a candidate falls because of its answers; only these falls may be worth a repair."""
_OF_RULES: Final = frozenset({"property", "relation"})
"""Stages at which a program breaks the user's rules; a score that raises is reported as ``property``."""
_RESOURCES: Final = frozenset({"SANDBOX_TIMEOUT", "SANDBOX_MEMORY", "SANDBOX_NOT_RUN", "SANDBOX_RESULT_TOO_LARGE"})


@dataclass
class Examination(Cascade[Checked]):
    """The examination of a function; with ``repairs`` it also finds out whether a fall is worth a repair."""

    bench: Workbench
    sandbox: Sandbox
    files: dict[str, str]
    repairs: bool = False
    usage: ResourceUse = NOTHING_USED
    cases: int = 0
    opcodes: int = 0
    failing: list[int] = field(default_factory=list)

    async def stages(self) -> Checked:
        """Check region, policy, small, all and large inputs, arguments and the user's tests, in this order."""
        nodes = self._read()
        program = self.bench.program(self.files)
        trials = self.bench.seen_only
        await self._differential(program, trials[:SMALL], "small")
        await self._differential(program, trials[SMALL:], "differential")
        gains = await self._measured(program, nodes)
        await self._meddling(program)
        await self._suite(program)
        rough = gains.get("speed", 0.0)
        timed = "speed" in self.bench.task.objectives and rough > CLEARLY_WORSE
        wanted = {name: gain for name, gain in gains.items() if name in self.bench.task.objectives}
        return self._seen(self.cases).model_copy(update={"gains": wanted, "wants_timing": timed, "nodes": nodes})

    async def fallen(self, fell: Fell) -> Checked:
        """Return the measurements up to the fall, and the inputs on which the candidate fails."""
        found = self._seen(fell.right)
        failing = await self._repairable(fell.stage)
        return found.model_copy(update={"failing": failing, "asks_models": self.bench.task.asks_models})

    @property
    def task(self) -> FunctionTask:
        """The task of the workbench."""
        return self.bench.task

    @property
    def weight(self) -> float:
        """The largest weight of any objective."""
        return max(self.bench.task.objectives.values())

    async def original_score(self) -> float | None:
        """Return the original's weighted score, computed once per workbench; None without the objective ``score``."""
        weights = self.bench.task.objectives
        if "score" not in weights:
            return None
        if self.bench.stands_at is None:
            self.bench.stands_at = self._score(await self.bench.reference(self.sandbox))
        return weights["score"] * self.bench.stands_at

    def _seen(self, right: int) -> Checked:
        """Return the findings of every outcome; where opcodes count, none of a clock or memory meter."""
        if self.bench.counted:
            return Checked(passed=True, cases=self.cases, right=right, opcodes=self.opcodes)
        peak = self.usage.peak_memory_bytes
        cpu_ms = round(self.usage.cpu_s * 1e3, 3)
        return Checked(passed=True, cases=self.cases, right=right, cpu_ms=cpu_ms, peak_memory_bytes=peak)

    def _read(self) -> int:
        """Check syntax, region and static policy; return the size of the changeable code in nodes of the tree."""
        for path, text in sorted(self.files.items()):
            try:
                code = parsed(text, path)
            except SourceNotPython as error:
                raise Fell("load", str(error)) from error
            outside = edits_outside(parsed(self.bench.task.files[path], path), code, self.bench.task.roots[path])
            if outside is not None:
                raise Fell("region", outside)
            self._lint(text, path)
        return self.bench.size(self.files)

    def _lint(self, text: str, path: str) -> None:
        local = [name.removesuffix(".py").replace("/", ".") for name in self.bench.task.files]
        found = self.sandbox.lint(text, path=path, allow_imports=[*self.bench.task.packages, *local])
        # The original's own findings are tolerated: only new ones count against the candidate.
        new = [each for each in found if (each.code, each.message) not in self.bench.tolerated(path)]
        if new:
            raise Fell("policy", f"{new[0].code}, line {new[0].line}: {new[0].message}")

    async def _differential(self, program: Program, trials: list[Trial], stage: Stage) -> None:
        if not trials:
            return
        again = RECHECKED if stage == "differential" else 0.0
        found, observed = await self._compared(program, trials, again)  # remembers failing trials
        self.usage += observed.usage
        self.cases += len(trials)
        right = sum(breach is None for breach in found)
        first = next(((trial, breach) for trial, breach in zip(trials, found, strict=True) if breach is not None), None)
        fell = _stage(first[1], stage) if first is not None else None
        if observed.changing and fell != "resources":  # the answers do not predict later ones, so they prove nothing
            raise Fell("flaky", f"called again, it answered {len(observed.changing)} cases differently", right)
        if first is not None and fell is not None:
            raise Fell(fell, told(self.bench, *first), right)

    async def _compared(
        self, program: Program, trials: list[Trial], recheck: float = 0.0
    ) -> tuple[list[Breach | None], Observed]:
        """Return each trial's breach, or None, with the observation; remember the numbers of the trials with one."""
        theirs = await self.bench.answers(trials, self.sandbox)
        ends = not any(runs_out(each) for each in theirs)  # where the original always ends, one death is enough
        observer = self.bench.observer(self.sandbox)
        observed = await observer.observe(program, trials, recheck=recheck, until_death=ends)
        found = [against(self.bench, *each) for each in zip(trials, observed.answers, theirs, strict=True)]
        self.failing += [trial.index for trial, breach in zip(trials, found, strict=True) if breach is not None]
        return found, observed

    # --- whether a fallen candidate is worth a repair --------------------------------------------------------

    async def _repairable(self, stage: Stage) -> tuple[int, ...]:
        """Return the inputs on which a nearly right candidate fails, if it would be ahead once right; else empty."""
        bench = self.bench
        if not self.repairs or stage not in _FAULTS or not self.failing or not bench.observable:
            return ()
        if not self.contends:
            return ()
        trials, program = bench.seen_only, bench.program(self.files)
        if not self._nearly_right(min(self.cases, len(trials))):
            return ()
        if self.cases < len(trials):  # it fell at the small inputs: the others have not been run yet
            _, observed = await self._compared(program, trials[self.cases :], RECHECKED)
            if observed.changing:
                return ()
        if not self._nearly_right(len(trials)) or not await self._would_be_ahead(program):
            return ()
        return tuple(self.failing)

    def _nearly_right(self, asked: int) -> bool:
        return len(self.failing) <= (1.0 - NEARLY) * asked

    async def _would_be_ahead(self, program: Program) -> bool:
        """Whether it completes the large inputs, at most half of them wrongly, and gains enough for a challenge."""
        evaluation = await self.bench.large(program, self.sandbox)
        self.opcodes += _opcodes(evaluation)
        wrong = sum(breach is not None for breach in await self._large_breaches(evaluation))
        most = 0 if self.bench.rules.score is not None else len(evaluation.outcomes) // 2  # wrong answers have no score
        if wrong > most or not all(each.succeeded for each in evaluation.outcomes):
            return False
        try:
            gains = await self._gains(evaluation, self.bench.size(self.files))
        except Fell:
            return False
        total = sum(weight * gains[name] for name, weight in self.bench.task.objectives.items())
        claim = await self.claim()
        return total > claim["stands_at"] + claim["lead"]

    async def _meddling(self, program: Program) -> None:
        """Reject a candidate that changes or returns its arguments; the original was checked to do neither."""
        few = [trial.args for trial in self.bench.seen[:SMALL] if trial.args]  # no arguments, nothing to change
        does = await meddling(self.bench, program, few, self.sandbox) if few else None
        if does is not None:
            raise Fell("meddles", f"it {does}", self.cases)

    async def _suite(self, program: Program) -> None:
        fails = await failing(self.bench, program, self.sandbox) if self.bench.task.tests else None
        if fails is not None:
            raise Fell("tests", fails, self.cases)

    # --- large inputs and what they cost ---------------------------------------------------------------------

    async def _measured(self, program: Program, nodes: int) -> dict[ObjectiveName, float]:
        """Return the gains over the original; speed is only a rough estimate here."""
        evaluation = await self.bench.large(program, self.sandbox)
        self.usage += evaluation.usage
        self.cases += len(evaluation.outcomes)
        await self._large_answers(evaluation)
        self.opcodes = _opcodes(evaluation)
        return await self._gains(evaluation, nodes)

    async def _gains(self, evaluation: Evaluation, nodes: int) -> dict[ObjectiveName, float]:
        before = await self.bench.reference(self.sandbox)
        gains: dict[ObjectiveName, float] = {
            "speed": gain(before.usage.cpu_s, evaluation.usage.cpu_s),
            "memory": gain(
                *(above(each.usage.peak_memory_bytes, self.bench.empty_bytes) for each in (before, evaluation))
            ),
            "size": gain(self.bench.original_size, nodes),
        }
        if self.bench.counted:
            gains["opcodes"] = gain(_opcodes(before), _opcodes(evaluation))
        if self.bench.rules.score is not None:
            gains["score"] = self._own_score(evaluation)
        return gains

    async def _large_answers(self, evaluation: Evaluation) -> None:
        for index, breach in enumerate(await self._large_breaches(evaluation)):
            if breach is not None:
                detail = told(self.bench, plain(self.bench, index, self.bench.timed[index]), breach)
                raise Fell(_stage(breach, "differential"), detail, self.cases - 1)

    async def _large_breaches(self, evaluation: Evaluation) -> list[Breach | None]:
        theirs = (await self.bench.reference(self.sandbox)).outcomes
        trials = [plain(self.bench, index, args) for index, args in enumerate(self.bench.timed)]
        return [
            against(self.bench, trial, plainly(self.bench, ours), plainly(self.bench, expected))
            for trial, ours, expected in zip(trials, evaluation.outcomes, theirs, strict=True)
        ]

    def _own_score(self, evaluation: Evaluation) -> float:
        """Return the candidate's score; an exception counts against the candidate, not against the user's function."""
        try:
            return self._score(evaluation)
        # Broad on purpose: the user's score may raise anything, and it accepted the original's answers before.
        except Exception as error:
            detail = f"score: it raises {type(error).__name__} about an answer: {error}"
            raise Fell("property", detail, self.cases - 1) from error

    def _score(self, evaluation: Evaluation) -> float:
        rated = [
            self.bench.rules.rated(outcome.value, args)
            for outcome, args in zip(evaluation.outcomes, self.bench.timed, strict=True)
        ]
        return sum(rated) / len(rated)


def _opcodes(evaluation: Evaluation) -> int:
    return sum(outcome.opcodes or 0 for outcome in evaluation.outcomes)


def _stage(breach: Breach, stage: Stage) -> Stage:
    if breach.kind == "failure":
        return "resources" if breach.name in _RESOURCES else stage
    return {"property": "property", "relation": "relation"}.get(breach.kind, stage)  # type: ignore[return-value]


# --- the original ----------------------------------------------------------------------------------------


async def vet_rules(task: FunctionTask, sandbox: Sandbox, *, seed: int) -> None:
    """Examine the original as a founder if the user has rules; its tests have been checked before.

    Raises:
        SpecFailed: the score, a property or a relation raises on an answer of the original, or does not hold for it.
    """
    bench = Workbench(task.model_copy(update={"tests": {}}), seed)
    rules = bench.rules
    if not (rules.properties or rules.relations or rules.score):
        return
    found = await Examination(bench, sandbox, task.originals()).run()
    if found.stage in _OF_RULES:  # other falls are no fault of the rules
        raise SpecFailed(
            f"the original {task.function} itself falls by the task's own rules: {found.detail}; the score, properties"
            " and relations must hold for the original's answers: fix the rule or the function, or let"
            " generate(rng, size) make inputs that suit both"
        )
