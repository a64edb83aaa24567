"""The step ``texts.examine``: run a text on the seeds that breeding may see, and measure its gain."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from mendel.bench.cascade import Cascade, Fell
from mendel.bench.judging import RECHECKED
from mendel.bench.records import SourceTraits, Stage
from mendel.bench.timing import Stopwatch
from mendel.bench.work import used
from mendel.contracts.evaluations import Case, Evaluation, Outcome
from mendel.contracts.work import Answer, Work
from mendel.domains.texts.bench import SCORE, Bench, material, shown
from mendel.domains.texts.models import Failing, TextExamined, TextTask, payload
from mendel.domains.texts.regions import changed_outside
from mendel.ports.handlers import Ports
from mendel.ports.sandbox import Sandbox, cramped

FEW: Final = 2
"""Number of seeds that are tried first: most faults show on them."""
FAILURES: Final = 4
_LINE: Final = 160  # characters, since failures are recorded and shown to models
_MESSAGE: Final = 380


async def examine(work: Work, ports: Ports) -> Answer:
    """Run the program, compare or score its output, and time it if speed is the objective."""
    bench, files, sandbox = material(work, ports)
    found = await Examination(bench, files, sandbox).run()
    if found.failing and _repaired_before(work):  # a repair is not repaired again
        found = found.model_copy(update={"failing": ()})
    return Answer(findings=payload(found), usage=used(sandbox))


def _repaired_before(work: Work) -> bool:
    """Whether the candidate is a repair, which is not repaired again."""
    traits = work.material.traits
    return traits is not None and SourceTraits.model_validate(traits.data).repairs > 0


@dataclass
class Examination(Cascade[TextExamined]):
    """The examination of a text: changes outside its regions, a few seeds, all seeds, and its gain."""

    bench: Bench
    files: dict[str, str]
    sandbox: Sandbox

    @property
    def task(self) -> TextTask:
        """The task of the bench."""
        return self.bench.task

    async def original_score(self) -> float | None:
        """Return the score measured before the run; None with another objective."""
        return self.bench.task.stands_at if self.bench.task.objective == SCORE else None

    async def stages(self) -> TextExamined:
        """Check the region, a few seeds and all seeds, then measure the gain."""
        task = self.bench.task
        for path, text in sorted(self.files.items()):
            outside = changed_outside(task.files[path], text, path)
            if outside is not None:
                raise Fell("region", printable(outside))
        right = await self.bench.right(self.sandbox)
        await self._evaluated(FEW, right)
        evaluation = await self._evaluated(len(right), right)
        samples, gained = await self._gain(evaluation)
        found = {
            "gain": gained,
            "samples": samples,
            "cpu_ms": round(evaluation.usage.cpu_s * 1e3, 3),
            "peak_memory_bytes": evaluation.usage.peak_memory_bytes,
            "lines": sum(text.count("\n") for text in self.files.values()),
        }
        return self._seen(len(self.bench.seen)).model_copy(update=found)

    async def fallen(self, fell: Fell) -> TextExamined:
        """Return the findings with the failures, for a model to see."""
        return self._seen(fell.right).model_copy(update={"failing": fell.failing})

    def _seen(self, right: int) -> TextExamined:
        task, cases = self.bench.task, len(self.bench.seen)
        return TextExamined(
            passed=True, cases=cases, right=right, objective=task.objective, asks_models=task.asks_models
        )

    async def _evaluated(self, number: int, right: tuple[Outcome, ...]) -> Evaluation:
        """Run the first ``number`` seeds and require right answers; with all seeds, run some again."""
        cases, program = self.bench.seen[:number], self.bench.program(self.files)
        recheck = RECHECKED if number == len(right) else 0.0  # the few first seeds run again with all the others
        evaluation = await self.bench.evaluated(program, cases, self.sandbox, recheck)
        self._refuse_wrong(evaluation, right[:number])
        return evaluation

    def _refuse_wrong(self, evaluation: Evaluation, right: tuple[Outcome, ...]) -> None:
        exact = self.bench.task.objective != SCORE
        pairs = list(zip(self.bench.seen, evaluation.outcomes, right, strict=False))
        wrong = [each for each in pairs if not _agrees(each[1], each[2], exact=exact)]
        if wrong:
            failing = tuple(failure(*each) for each in wrong[:FAILURES])
            first = failing[0]
            detail = f"{first.given}: {first.got}" + (f"; right is: {first.expected}" if first.expected else "")
            raise Fell(_stage(wrong[0][1]), detail, len(pairs) - len(wrong), failing)
        if evaluation.differing:
            told = f"run again, it answers {len(evaluation.differing)} seeds differently"
            raise Fell("flaky", told, len(pairs))

    async def _gain(self, evaluation: Evaluation) -> tuple[tuple[tuple[float, float], ...], float]:
        task = self.bench.task
        if task.objective == SCORE:
            scores = [float(each.value) for each in evaluation.outcomes if isinstance(each.value, float)]
            return (), task.sign * sum(scores) / len(scores)
        watch = Stopwatch(self.bench.track(self.sandbox, self.bench.seen))
        timed = await watch.timed(self.bench.program(self.files), task.reference)
        return timed.samples, timed.gain


def _agrees(ours: Outcome, right: Outcome, *, exact: bool) -> bool:
    return ours.succeeded and (not exact or ours.value == right.value)


def _stage(outcome: Outcome) -> Stage:
    if outcome.error_type == "NoScore":
        return "property"
    return "resources" if cramped(outcome) or outcome.kind == "memory" else "differential"


# --- what a model may see of a failure ---------------------------------------------------------------------------


def failure(case: Case, ours: Outcome, right: Outcome) -> Failing:
    """Describe a failure in a few words: how the program ended, or the first differing line."""
    if not ours.succeeded:
        got = printable(ours.message or f"{ours.error_type or ours.kind}")[-_MESSAGE:]
        return Failing(given=shown(case), expected="it ends with status 0", got=got)
    number, expected, got = first_difference(str(right.value), str(ours.value))
    where = f"{shown(case)}, line {number} of the output"
    return Failing(given=where, expected=printable(expected)[:_LINE], got=printable(got)[:_LINE])


def first_difference(right: str, ours: str) -> tuple[int, str, str]:
    """Return the number of the first differing line, from 1, and both lines or that one has ended; 0 if equal."""
    pairs = zip_longest(right.split("\n"), ours.split("\n"), fillvalue="the output has ended")
    for number, (expected, got) in enumerate(pairs, 1):
        if expected != got:
            return number, expected, got
    return 0, "", ""


def printable(text: str) -> str:
    """Replace characters that cannot be stored."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")
