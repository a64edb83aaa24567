"""Runs of programs to tell: events as a log returns them, without a log."""

from __future__ import annotations

from typing import Any, Self

from tests.contracts.examples import make_verdict
from tests.projections.histories import History, event_id

from mendel.bench.records import Audited, Checked, SizeEvidence, SourceContent, Timed
from mendel.contracts.energy import Usage
from mendel.contracts.events import candidate, energy, gate, genome, operation, run
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import Ancestor, RunConfig
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.verdicts import Challenge, Decision, Interval, MetricComparison, MetricSummary, Reason, Verdict
from mendel.domains.programs.models import ProgramTask, ProgramTraits, payload
from mendel.projections.report.models import EvidenceRow

NICHE = "programs:sort"
PATH = "bad_sort.py"
ORIGINAL = '''def sort(items: list[int]) -> list[int]:
    """The items in order."""
    out = list(items)
    for i in range(len(out)):
        for j in range(len(out) - 1):
            if out[j] > out[j + 1]:
                out[j], out[j + 1] = out[j + 1], out[j]
    return out
'''
HALVED = ORIGINAL.replace("range(len(out) - 1)", "range(len(out) - i - 1)")
WINNER = '''def sort(items: list[int]) -> list[int]:
    """The items in order."""
    return sorted(items)
'''
USED = Usage(cpu_ms=250, wall_ms=300)
SIZES = (
    SizeEvidence(size=50, speedup=38.2, lower=35.0, upper=41.7, original_ms=0.21, samples=5),
    SizeEvidence(size=400, speedup=512.4, lower=488.1, upper=537.9, original_ms=14.8, samples=5),
)
EVIDENCE = tuple(EvidenceRow.model_validate(each.model_dump()) for each in SIZES)


def task(**changes: Any) -> ProgramTask:
    fields: dict[str, Any] = {
        "path": "examples/bad_sort.py",
        "files": {PATH: ORIGINAL},
        "main": PATH,
        "entry": "bad_sort:sort",
        "function": "sort",
        "roots": {PATH: ("sort",)},
        "objectives": {"speed": 1.0},
    }
    return ProgramTask.model_validate(fields | changes)


def verdict(number: int, k: int, decision: Decision = Decision.ADOPT, **changes: Any) -> Verdict:
    """As the gate writes one in exact mode, with the time it saw."""
    side = MetricSummary(n=9, mean=1.0, sum=9.0, median=1.0, stdev=0.1, min=0.9, max=1.1)
    ratio = Interval(name="time", estimate=0.02, lower=0.018, upper=0.025, alpha=0.0152, method="log_ratio")
    time = MetricComparison(kind="ratio", higher_is_better=False, n=9, baseline=side, candidate=side, delta=ratio)
    mismatch = Interval(name="mismatch_rate", estimate=0.0, upper=0.0198, alpha=0.0152, method="clopper_pearson")
    told = Reason(code="superior" if decision is Decision.ADOPT else "not_faster", message="What the gate saw of it.")
    update = {
        "mode": "exact",
        "policy": "superiority:margin=0.02",
        "challenge": Challenge.nth(NICHE, k, 0.05),
        "n": 210,
        "reasons": (told,),
        "intervals": (mismatch,),
        "metrics": {"time": time},
    }
    base = make_verdict(decision=decision, candidate_id=f"candidate-{number}", niche=NICHE)
    return base.model_copy(update=update | changes)


class Story(History):
    """Writes a run of programs down; each method is what its conductor would append."""

    def __init__(self) -> None:
        super().__init__()
        self.operations = 0
        self.challenged = 0

    def begins(self, told: ProgramTask | None = None, **config: Any) -> Self:
        configured = RunConfig(
            domain="programs", problem="sort", rng_seed=7, domain_config=payload(told or task()), **config
        )
        self.add(run.RunConfigured(config=configured, mendel_version="0")).taken_over()
        return self.add(run.RunStarted())

    def founds(self, files: dict[str, str] | None = None) -> Self:
        return self.births(0, ProgramTraits(files=files or {PATH: ORIGINAL}))

    def births(self, number: int, traits: ProgramTraits, parents: tuple[int, ...] = (), **ids: str) -> Self:
        names = tuple(f"genome-{parent}" for parent in parents)
        made = Genome(id=f"genome-{number}", birth=number, parents=names, depth=len(names), traits=payload(traits))
        self.add(genome.GenomeSpawned(genome=made), genome_id=made.id, **ids)
        content = payload(SourceContent(fingerprint=f"print-{number}"))
        child = Candidate(id=f"candidate-{number}", genome_id=made.id, birth=number, content=content)
        return self.add(candidate.CandidateCreated(candidate=child), genome_id=made.id, candidate_id=child.id)

    def breeds(self, number: int, source: str, parents: tuple[int, ...] = (0,), **told: str) -> Self:
        """A variation with its marker; ``told`` are operator and note."""
        operator = told.get("operator", "swap")
        marker = self.marks("vary", f"genome-{number}", "programs.vary", birth=number, operator=operator)
        done = operation.OperationCompleted(operation_id=marker, step="programs.vary", usage=USED)
        self.add(done, operation_id=marker)
        traits = ProgramTraits(files={PATH: source}, operator=operator, note=told.get("note", "swapped two lines"))
        return self.births(number, traits, parents, operation_id=marker)

    def fails_to_breed(self, number: int, operator: str = "swap") -> Self:
        marker = self.marks("vary", f"genome-{number}", "programs.vary", birth=number, operator=operator)
        return self.fails(marker, "programs.vary", "nothing_to_vary")

    def raises_in_breeding(self, number: int, kind: str, message: str) -> Self:
        """A mutator that raises what nobody expected."""
        marker = self.marks("vary", f"genome-{number}", "programs.vary", birth=number, operator="mine")
        return self.fails(marker, "programs.vary", "handler_raised", error_type=kind, message=message)

    def fails(self, marker: str, step: str, code: str, **changes: str) -> Self:
        told = {"error_type": "handler", "message": "It could not."} | changes
        failed = operation.OperationFailed(operation_id=marker, step=step, error_code=code, usage=USED, **told)
        return self.add(failed, operation_id=marker)

    def marks(self, kind: str, subject: str, step: str, **changes: Any) -> str:
        self.operations += 1
        name = f"operation-{self.operations}"
        fields = {"id": name, "kind": kind, "step": step, "subject_ids": (subject,)}
        fields["subject_kind"] = subject.partition("-")[0]
        asked = operation.Operation.model_validate(fields | changes)
        self.add(operation.OperationStarted(operation=asked), operation_id=name)
        return name

    def finds(self, number: int, step: str, findings: DomainPayload) -> Self:
        subject = f"candidate-{number}"
        marker = self.marks("examine", subject, step)
        done = operation.OperationCompleted(operation_id=marker, step=step, findings=findings, usage=USED)
        self.add(done, operation_id=marker, candidate_id=subject)
        spent = energy.EnergySpent(kind="cpu", estimate=9, actual=3, reason="a success", usage=USED)
        return self.add(spent, operation_id=marker, candidate_id=subject)

    def passes(self, number: int, gain: float) -> Self:
        """Through the cascade, timed and scored."""
        self.finds(number, "programs.check", payload(Checked(passed=True, cases=120, right=120, wants_timing=True)))
        self.finds(number, "programs.time", payload(Timed(gain=gain, samples=((1.0, 1.0),))))
        return self.scores(number, gain)

    def scores(self, number: int, total: float, name: str = "speed") -> Self:
        told = FitnessScore(
            candidate_id=f"candidate-{number}",
            total=total,
            components={name: total},
            policy_version="programs-1",
            explanation="measured",
        )
        return self.of_candidate(number, candidate.FitnessScored(score=told))

    def gains(self, number: int, **gains: float) -> Self:
        """Through the cascade, and scored in several objectives."""
        self.finds(number, "programs.check", payload(Checked(passed=True, cases=120, right=120)))
        told = FitnessScore(
            candidate_id=f"candidate-{number}",
            total=sum(gains.values()),
            components=gains,
            policy_version="programs-1",
            explanation="measured",
        )
        return self.of_candidate(number, candidate.FitnessScored(score=told))

    def falls(self, number: int, stage: Any, right: int = 3, detail: str = "another answer") -> Self:
        found = Checked(passed=False, stage=stage, detail=detail, cases=120, right=right)
        self.finds(number, "programs.check", payload(found))
        return self.is_out(number, stage, detail)

    def is_a_twin(self, number: int) -> Self:
        """Out before it was examined."""
        reason = "the same program as candidate-1 but for its looks"
        return self.of_candidate(number, candidate.CandidateInvalidated(reason=reason))

    def is_out(self, number: int, code: str, message: str) -> Self:
        reasons = (Reason(code=code, message=message),)
        return self.of_candidate(number, candidate.CandidateRejected(reasons=reasons))

    def challenges(self, number: int, decision: Decision = Decision.ADOPT, **changes: Any) -> Self:
        marker = self._asks(number)
        said = gate.GateVerdict(verdict=verdict(number, self.challenged, decision, **changes))
        return self.add(said, operation_id=marker, candidate_id=f"candidate-{number}")

    def fails_to_challenge(self, number: int) -> Self:
        return self.fails(self._asks(number), "programs.challenge", "sandbox_gone")

    def _asks(self, number: int) -> str:
        self.challenged += 1
        spent = Challenge.nth(NICHE, self.challenged, 0.05)
        return self.marks("challenge", f"candidate-{number}", "programs.challenge", challenge=spent)

    def adopts(self, number: int, replaces: int | None = None, **changes: Any) -> Self:
        """The gate's yes, and what follows from it."""
        self.challenges(number, **changes)
        made = gate.AdoptionMade(
            niche=NICHE,
            candidate_id=f"candidate-{number}",
            replaces=None if replaces is None else f"candidate-{replaces}",
            verdict_event_id=event_id(0),
            verdict=verdict(number, self.challenged, **changes),
        )
        return self.of_candidate(number, made)

    def audits(
        self, number: int, *, agrees: bool = True, sizes: tuple[SizeEvidence, ...] = SIZES, **gains: float
    ) -> Self:
        detail = "" if agrees else "equal: [1] is not [2]"
        told = {"agrees": agrees, "cases": 100, "detail": detail, "sizes": sizes if agrees else (), "gains": gains}
        found = Audited.model_validate(told)
        return self.finds(number, "programs.audit", payload(found))

    def is_over(self, reason: str = "60 s are over") -> Self:
        return self.add(run.RunCompleting(reason=reason)).ended(None)


def winning() -> Story:
    """A duplicate, some that fall, a rejected challenger, an adoption that is superseded by the winner."""
    story = Story().begins().founds().passes(0, 0.0)
    story.breeds(1, HALVED, operator="hoist", note="the inner loop stops earlier").passes(1, 0.9)
    story.breeds(2, HALVED, operator="rename").is_a_twin(2)
    story.breeds(3, "def sort(items):\n    return items\n", operator="delete").falls(3, "small", right=20)
    story.breeds(4, "def sort(items):\n    return []\n", operator="delete").falls(4, "differential", right=60)
    story.fails_to_breed(5, "memoise")
    story.challenges(1, Decision.REJECT)
    story.breeds(6, HALVED.replace("list(items)", "items[:]"), (1,), operator="slice", note="a slice").passes(6, 1.2)
    story.adopts(6).audits(6).confirmed(6)
    story.breeds(7, WINNER, (6, 0), operator="library", note="sorted does the same").passes(7, 8.5)
    return story.adopts(7, replaces=6).audits(7).confirmed(7).is_over()


def losing() -> Story:
    """Nothing is adopted: one that the gate refuses, one that its audit throws out, some that fall."""
    story = Story().begins().founds().passes(0, 0.0)
    story.breeds(1, HALVED, operator="hoist", note="stops earlier").passes(1, 0.5).challenges(1, Decision.REJECT)
    story.breeds(2, WINNER, operator="library", note="sorted").passes(2, 7.0).adopts(2).audits(2, agrees=False).revoked(
        2
    )
    return story.is_over()


EARLIER = "01980000-0000-7000-8000-0000000000bb"


def inheriting() -> Story:
    """The champion of an earlier run is born first, then the original; nothing is better."""
    traits = ProgramTraits(files={PATH: HALVED}, operator="hoist", note="stops earlier")
    content = payload(SourceContent(fingerprint="halved"))
    champion = Ancestor(
        run_id=EARLIER, candidate_id="candidate-9", traits=payload(traits), content=content, champion=True
    )
    story = Story().begins(task(objectives={"speed": 1.0, "size": 1.0}), ancestors=(champion,), challenges_before=3)
    story.births(0, traits).births(1, ProgramTraits(files={PATH: ORIGINAL}))
    return story.gains(0, speed=0.9, size=0.1).gains(1, speed=0.0, size=0.0)


def falling() -> Story:
    """The original itself falls: the user's score raises about its answer."""
    story = Story().begins().founds()
    return story.falls(0, "property", right=119, detail="score: it raises TypeError about an answer").is_over()


def balancing(names: tuple[str, ...] = ("opcodes", "size")) -> Story:
    """Several objectives: the original, two that nobody beats, one that is beaten, one that equals another."""
    story = Story().begins(task(objectives=dict.fromkeys(names, 1.0))).founds()
    story.gains(0, **dict.fromkeys(names, 0.0))
    for number, values in enumerate([(3.0, -1.0), (1.0, 1.0), (0.5, 0.5), (1.0, 1.0), (2.0, 0.5)], 1):
        story.breeds(number, HALVED + f"# {number}\n")
        story.gains(number, **dict(zip(names, (*values, *[0.0] * (len(names) - 2)), strict=True)))
    return story.adopts(5).audits(5, sizes=()).confirmed(5).is_over()


def comparing(gain: float = 6.8) -> Story:
    """Best-of-N: nothing of it is put before the gate."""
    story = Story().begins(task(contends=False)).founds().passes(0, 0.0)
    return story.breeds(1, HALVED).passes(1, gain).is_over()
