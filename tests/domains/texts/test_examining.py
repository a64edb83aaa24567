"""What an examination says about texts that a command runs behind the wall."""

from dataclasses import replace

import pytest
from tests.domains.programs.making import StatedClock
from tests.domains.texts.making import FASTER, SUM, WRONG, bench
from tests.support.rows import check_rows

from mendel.bench.challenging import Claim
from mendel.bench.records import Reference
from mendel.bench.timing import COMMANDS
from mendel.contracts.evaluations import NOTHING_USED, Case, Isolation, Limits, Outcome, Program
from mendel.contracts.verdicts import Challenge, Decision
from mendel.domains.texts.auditing import audited
from mendel.domains.texts.challenging import judged
from mendel.domains.texts.examining import Examination, first_difference
from mendel.domains.texts.running import CommandSandbox, Scorer, number_in
from mendel.ports.sandbox import EMPTY, Attempt, Sandbox

CANDIDATE = "candidate:0123456789abcdef"


def verdict_on(native, found, text, sandbox=None):
    """What the gate says about ``text`` beside the original."""
    files = {"sum.awk": text}
    sides = found.original(held=True), found.program(files, held=True)
    walled = found.walled(sandbox or native.sandbox)
    claim = Claim(*sides, walled, Challenge.nth("sum", 1, 0.05), CANDIDATE)
    return native.awaited(judged(found, claim)).verdict


def stated(native):
    """A clock by which less waste is faster, so that no busy machine decides it."""
    slow = "i < 3000"
    return StatedClock(
        native.sandbox, lambda program, _args: 0.02 if any(slow in text for text in program.files.values()) else 0.005
    )


@check_rows(
    ("text", "stage", "told"),
    [
        (WRONG, "differential", "line 2 of the output"),
        (SUM.replace("waste += i * i", "exit 3"), "differential", "exit status 3"),
        (SUM.replace("total +=", "total +=="), "differential", "exit status 2; awk"),
        (SUM.replace('print "of "', 'print "off "'), "region", "only what stands between"),
        (
            SUM.replace("i < 3000; i++) waste +=", "i < 200000; i++) print 12345 + "),
            "differential",
            "it prints 1,048,576",
        ),
    ],
)
def test_what_is_not_right_falls_and_is_told_where(native, text, stage, told):
    found = native.awaited(Examination(bench(), {"sum.awk": text}, native.sandbox).run())
    assert (found.passed, found.stage) == (False, stage)
    assert told in found.detail
    assert all(each.given.startswith("MENDEL_SEED=") for each in found.failing)
    assert bool(found.failing) is (stage != "region")


def test_what_never_ends_runs_out_of_time(native):
    task = bench(case_s=0.5, cases=1)
    forever = SUM.replace("waste +=", "while (1) waste++; waste +=")
    found = native.awaited(Examination(task, {"sum.awk": forever}, native.sandbox).run())
    assert found.stage == "resources"
    assert "it had not ended after" in found.detail


@pytest.mark.slow
def test_what_is_right_and_faster_passes_examination_gate_and_audit_and_what_is_wrong_does_not(native):
    found = bench(reference=Reference(seconds=0.04, unit_s=0.005), margin=0.2)
    clock = stated(native)
    seen = native.awaited(Examination(found, {"sum.awk": FASTER}, clock).run())
    assert seen.passed
    assert seen.gain > seen.stands_at + seen.lead
    let_in = verdict_on(native, found, FASTER, clock)
    assert (let_in.decision, let_in.n) == (Decision.ADOPT, 17)
    late = FASTER.replace("seed = ENVIRON", 'if (ENVIRON["MENDEL_SEED"] % 4 == 1) total = 1; seed = ENVIRON')
    assert verdict_on(native, found, late, clock).decision is Decision.REJECT
    program = found.program({"sum.awk": FASTER}, held=True)
    audit = native.awaited(audited(found, program, clock, 1))
    assert audit.agrees
    (at,) = audit.sizes
    assert at.size is None
    assert 3 < at.lower <= at.speedup <= at.upper < 5
    assert not native.awaited(audited(found, found.program({"sum.awk": late}, held=True), clock, 1)).agrees


def test_the_gate_draws_other_seeds_than_breeding_and_others_for_every_challenge():
    found = bench(cases=8)
    first, second = (set(found.held_seeds(100, seed)) for seed in (1, 2))
    assert not first & set(found.seen_seeds)
    assert not first & second
    assert found.held_seeds(5, 1) == found.held_seeds(100, 1)[:5]


def scored(**fields):
    """A task whose score is the number that is printed last, if it is one."""
    return bench(**{"objective": "score", "score": "tail -n 1", "margin": 0.2, **fields})


@pytest.mark.breeding
def test_scores_are_compared_in_pairs_and_more_is_better_or_less(native):
    higher = SUM.replace("total += (", "total += 1 + (")
    up, down = scored(), scored(maximize=False)
    gains = [native.awaited(Examination(each, {"sum.awk": higher}, native.sandbox).run()).gain for each in (up, down)]
    assert gains[0] == -gains[1] > 20
    assert verdict_on(native, up, higher).decision is Decision.ADOPT
    assert verdict_on(native, down, higher).decision is Decision.REJECT
    audits = [
        native.awaited(audited(each, each.program({"sum.awk": higher}), native.sandbox, 3)) for each in (up, down)
    ]
    assert [each.agrees for each in audits] == [True, False]
    assert audits[0].gains == pytest.approx({"score": 20.0})


@pytest.mark.breeding
def test_what_has_no_score_falls(native):
    found = native.awaited(
        Examination(scored(), {"sum.awk": SUM.replace("total +=", "total = ")}, native.sandbox).run()
    )
    assert found.passed
    silent = SUM.replace("total += (seed + i) % 7", 'total = "nan"')
    found = native.awaited(Examination(scored(), {"sum.awk": silent}, native.sandbox).run())
    assert (found.passed, found.stage) == (False, "property")
    assert "the score of what it prints is not a number: 'nan'" in found.detail


@pytest.mark.breeding
def test_where_the_seed_changes_nothing_every_run_must_score_better(native):
    text = "BEGIN { print 3 }\n"
    found = scored(files={"sum.awk": text}, seeded=False)
    assert verdict_on(native, found, text.replace("3", "4")).decision is Decision.ADOPT
    assert verdict_on(native, found, text.replace("3", "2")).decision is Decision.REJECT
    assert verdict_on(native, found, text).decision is Decision.REJECT


def test_a_program_never_sees_what_scores_it(native):
    spy = 'BEGIN { while (("ls; cat score.txt" | getline line) > 0) print line; print 1 }\n'
    files = {"sum.awk": "BEGIN { print 1 }\n"}
    found = scored(files=files, score="grep -c secret; cat score.txt", score_files={"score.txt": "7"})
    told = native.awaited(found.evaluated(found.program({"sum.awk": spy}), found.seen[:1], native.sandbox)).outcomes
    assert [each.value for each in told] == [7.0]
    shown = CommandSandbox(native.sandbox, found.limits)
    printed = native.awaited(shown.evaluate(found.program({"sum.awk": spy}), found.seen[:1], limits=found.limits))
    assert "score.txt" not in str(printed.outcomes[0].value)
    assert "sum.awk" in str(printed.outcomes[0].value)


@check_rows(
    ("printed", "number"),
    [("1\n2.5\n", 2.5), ("-3e2", -300.0), ("7 \n\n", 7.0), ("", None), ("nan\n", None), ("inf", None), ("1\nx", None)],
)
def test_a_score_is_the_last_line_if_that_is_a_finite_number(printed, number):
    assert number_in(printed) == number


@check_rows("weak", ["program", "scorer"])
async def test_a_score_is_as_isolated_as_the_weaker_of_the_program_and_its_scorer(weak):
    score = Scorer.of("cat", {"score.txt": ""}, 1.0)

    class Uneven(Sandbox):
        async def attempt(self, ask):
            side = "scorer" if ask.program == score.program else "program"
            outcomes = (Outcome("value", value=[(0, "7", "", 0.0, 0.0, False)]),) * len(ask.cases)
            return Attempt(outcomes, NOTHING_USED, Isolation("weak" if side == weak else "full", (), "uneven"))

        async def isolation(self):
            return Isolation("full", (), "uneven")

        async def aclose(self):
            pass

    found = scored(files={"sum.awk": "BEGIN { print 7 }\n"})
    told = await CommandSandbox(Uneven(), Limits(), score).evaluate(
        found.program({"sum.awk": "BEGIN { print 7 }\n"}), found.seen[:1], limits=Limits()
    )
    assert [each.value for each in told.outcomes] == [7.0]
    assert not told.isolation.adoptable


def test_the_first_differing_line_is_told():
    assert first_difference("a\nb\n", "a\nc\n") == (2, "b", "c")
    assert first_difference("a\n", "a\nb") == (2, "", "b")
    assert first_difference("a", "a\nb") == (2, "the output has ended", "b")


async def test_a_timed_sample_runs_a_few_seeds_on_both_sides():
    ran = []

    class Counting(Sandbox):
        async def attempt(self, ask):
            ran.append(len(ask.cases))
            use = replace(NOTHING_USED, cpu_s=1.0 if ask.program != EMPTY else 0.001)
            return Attempt((Outcome("value", value=1),) * len(ask.cases), use, await self.isolation())

        async def isolation(self):
            return Isolation("full", (), "counting")

        async def aclose(self):
            pass

    sandbox = CommandSandbox(Counting(), Limits())
    async for sample in sandbox.compare(Program.of("", "f"), Program.of("", "g"), [Case()] * 200):
        assert sample.cases == COMMANDS.inputs
        break
    assert set(ran) == {COMMANDS.inputs}
