"""The read model of a run of programs: what stands in the log, and nothing else."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernel.scripted import Stage
from tests.kernel.test_niches import polar, two
from tests.projections.histories import RUN_ID, folded, odd_histories, shuffled_runs, whole_run
from tests.projections.report.stories import (
    EARLIER,
    EVIDENCE,
    HALVED,
    ORIGINAL,
    PATH,
    USED,
    WINNER,
    Story,
    falling,
    inheriting,
    losing,
    payload,
    task,
    winning,
)
from tests.projections.report.test_page import read

from mendel.bench.records import Checked, SizeEvidence, SourceContent
from mendel.contracts.energy import Usage
from mendel.contracts.events import candidate, run
from mendel.contracts.run_config import Ancestor
from mendel.contracts.statuses import RunStatus
from mendel.contracts.verdicts import Decision
from mendel.domains.programs.domain import Programs
from mendel.domains.programs.front.report import ROWS
from mendel.domains.programs.models import ProgramTraits
from mendel.guard.page import percent
from mendel.kernel.dossier import Dossier
from mendel.projections.report.claims import claim, headline, run_json, winner_claim
from mendel.projections.report.models import no_rows
from mendel.projections.report.page import page
from mendel.projections.report.view import MOST_POINTS, ReportFold


def seen(story):
    return folded(ReportFold(ROWS), story.events)


def begun():
    return Story().begins().founds().passes(0, 0.0)


def shuffled_stories():
    return st.permutations(winning().events).map(
        lambda events: [event.model_copy(update={"sequence": number}) for number, event in enumerate(events)]
    )


def half_stories():
    events = winning().events
    return st.integers(0, len(events)).map(lambda end: events[:end])


histories = st.one_of(odd_histories(), shuffled_runs(), shuffled_stories(), half_stories())


def test_nothing_is_said_before_the_first_event():
    assert ReportFold(ROWS).view() is None


def test_what_the_run_was_about():
    view = seen(winning())
    assert (view.run_id, view.domain, view.seed, view.status) == (RUN_ID, "programs", 7, RunStatus.COMPLETED)
    assert (view.task.path, view.task.function, view.task.objectives) == (
        "examples/bad_sort.py",
        "sort",
        {"speed": 1.0},
    )
    assert (view.task.held_sizes, view.original, view.ended) == ((50, 400), {PATH: ORIGINAL}, "60 s are over")


def test_the_winner_is_the_last_that_was_let_in():
    winner = seen(winning()).winner
    assert (winner.candidate_id, winner.birth, winner.state, winner.replaces) == (
        "candidate-7",
        7,
        "confirmed",
        "candidate-6",
    )
    assert (winner.files, winner.total, winner.gains) == ({PATH: WINNER}, 8.5, {"speed": 8.5})
    assert winner.speedup == pytest.approx(2**8.5)
    assert (winner.verdict.decision, winner.verdict.n) == (Decision.ADOPT, 210)
    assert winner.sizes == EVIDENCE


def test_time_is_told_as_a_speed_up():
    time = seen(winning()).winner.time
    assert (time.estimate, time.lower, time.upper) == (pytest.approx(50), pytest.approx(40), pytest.approx(1 / 0.018))


def test_an_adoption_that_is_not_confirmed_yet_counts_and_says_so():
    winner = seen(begun().breeds(1, WINNER).passes(1, 3.0).adopts(1)).winner
    assert (winner.candidate_id, winner.state, winner.audits, winner.sizes) == ("candidate-1", "made", (), ())


def test_who_was_thrown_out_hands_back_to_the_one_before():
    story = begun().breeds(1, HALVED).passes(1, 1.0).adopts(1).audits(1).confirmed(1)
    story.breeds(2, WINNER, (1,)).passes(2, 5.0).adopts(2, replaces=1).audits(2, agrees=False).revoked(2)
    view = seen(story)
    assert view.winner.candidate_id == "candidate-1"
    assert (view.rejected.candidate_id, view.rejected.by) == ("candidate-2", "audit")
    assert [row.revoked for row in view.challenges] == [False, True]


def test_a_candidate_of_another_run_is_nobody_here():
    story = Story().begins().adopts(9)
    assert seen(story).winner is None


def test_of_two_audits_the_later_counts_size_by_size():
    again = (SizeEvidence(size=400, speedup=2.0, lower=1.9, upper=2.1, original_ms=1.0, samples=5),)
    winner = seen(begun().breeds(1, WINNER).passes(1, 3.0).adopts(1).audits(1).audits(1, sizes=again)).winner
    assert [(each.size, each.speedup) for each in winner.sizes] == [(50, 38.2), (400, 2.0)]


def test_every_challenge_in_order():
    rows = seen(winning()).challenges
    assert [(row.k, row.candidate_id, row.decision) for row in rows] == [
        (1, "candidate-1", "reject"),
        (2, "candidate-6", "adopt"),
        (3, "candidate-7", "adopt"),
    ]
    assert (rows[0].codes, rows[0].total, rows[0].n) == (("not_faster",), 0.9, 210)
    assert rows[0].alpha == pytest.approx(0.05 * 6 / 3.14159265**2)


def test_a_challenge_that_failed_spent_its_share_too():
    (row,) = seen(begun().breeds(1, WINNER).passes(1, 3.0).fails_to_challenge(1)).challenges
    assert (row.decision, row.codes, row.n, row.k) == ("failed", ("sandbox_gone",), 0, 1)


def test_the_lineage_goes_from_the_founder_to_the_winner():
    steps = seen(winning()).lineage
    assert [step.birth for step in steps] == [0, 1, 6, 7]
    assert [step.operator for step in steps] == [None, "hoist", "slice", "library"]
    assert [step.total for step in steps] == [0.0, 0.9, 1.2, 8.5]
    assert steps[-1].note == "sorted does the same"
    assert [step.others for step in steps] == [(), (), (), (0,)]
    assert steps[0].patch == ""
    assert "+        for j in range(len(out) - i - 1):" in steps[1].patch


def test_a_lineage_that_runs_in_a_circle_ends():
    story = begun()
    story.breeds(1, HALVED, (2,)).breeds(2, WINNER, (1,)).passes(2, 3.0).adopts(2)
    assert [step.birth for step in seen(story).lineage] == [1, 2]


def test_what_became_of_everybody():
    counts = seen(winning()).counts
    assert (counts.births, counts.barren, counts.duplicates, counts.examined) == (7, 1, 1, 6)
    assert counts.fell == {"differential": 1, "small": 1}
    assert (counts.timed, counts.scored, counts.challenged, counts.adopted) == (4, 4, 3, 2)


def test_who_could_not_be_made_well_formed_fell_too():
    story = begun().breeds(1, HALVED).of_candidate(1, candidate.CandidateInvalidated(reason="no program"))
    assert seen(story).counts.fell == {"invalid": 1}


def test_operators_are_rated_against_the_best_parent():
    rows = {row.operator: row for row in seen(winning()).operators}
    assert (rows["library"].tries, rows["library"].improvements) == (1, 1)
    assert rows["library"].best_gain == pytest.approx(8.5 - 1.2)
    assert (rows["delete"].tries, rows["delete"].scored, rows["delete"].best_gain) == (2, 0, None)
    assert (rows["memoise"].tries, rows["memoise"].barren) == (1, 1)


def test_a_child_that_is_no_better_than_its_parent_is_no_improvement():
    story = (
        begun().breeds(1, HALVED, operator="hoist").passes(1, 0.0).breeds(2, WINNER, operator="hoist").passes(2, -1.0)
    )
    (row,) = seen(story).operators
    assert (row.tries, row.scored, row.improvements, row.best_gain) == (2, 2, 0, 0.0)


def test_the_most_useful_operator_stands_first():
    assert [row.operator for row in seen(winning()).operators][:3] == ["hoist", "library", "slice"]


def test_the_curve_rises_and_ends_where_the_search_did():
    story = begun().breeds(1, HALVED).passes(1, 1.0).breeds(2, HALVED).passes(2, 0.5).breeds(3, HALVED).passes(3, 0.7)
    points = seen(story).curve
    assert [(point.birth, point.examined, point.best) for point in points] == [(0, 1, 0.0), (1, 2, 1.0), (3, 4, 1.0)]
    assert [point.seconds for point in points] == sorted(point.seconds for point in points)


def test_a_long_curve_is_thinned_and_keeps_its_ends():
    story = begun()
    for number in range(1, 3 * MOST_POINTS):
        story.births(number, ProgramTraits(files={}), (0,)).scores(number, float(number))
    points = seen(story).curve
    assert len(points) == MOST_POINTS
    assert (points[0].best, points[-1].best) == (0.0, 3 * MOST_POINTS - 1.0)
    assert [point.best for point in points] == sorted({point.best for point in points})


def test_what_it_took():
    cost = seen(winning()).cost
    assert (cost.examined, cost.energy) == (6, 36)
    assert cost.cpu_seconds == pytest.approx(0.25 * 19)
    assert cost.wall_seconds == pytest.approx(0.1 * (len(winning().events) - 3))


def test_failures_took_time_too():
    before, after = begun(), begun().fails_to_breed(1)
    assert seen(after).cost.cpu_seconds == pytest.approx(seen(before).cost.cpu_seconds + 0.25)


# --- nothing was adopted ------------------------------------------------------------------------------------


def test_without_a_winner_the_best_that_was_refused_is_told():
    view = seen(losing())
    assert view.winner is None
    assert view.lineage == ()
    assert (view.rejected.candidate_id, view.rejected.by, view.rejected.total) == ("candidate-2", "audit", 7.0)
    assert (view.rejected.files, view.rejected.reasons[0].code) == ({PATH: WINNER}, "revoked")


def test_the_gates_reasons_are_told():
    story = begun().breeds(1, HALVED).passes(1, 2.0).challenges(1, Decision.UNDECIDED)
    rejected = seen(story).rejected
    assert (rejected.by, [reason.code for reason in rejected.reasons]) == ("gate", ["not_faster"])
    assert rejected.verdict.decision is Decision.UNDECIDED


def test_a_yes_that_nobody_acted_on_is_no_adoption():
    rejected = seen(begun().breeds(1, HALVED).passes(1, 2.0).challenges(1)).rejected
    assert [reason.code for reason in rejected.reasons] == ["not_adopted"]


def test_of_those_that_never_stood_before_the_gate_the_fittest_is_told():
    story = begun().breeds(1, HALVED).passes(1, 0.1).breeds(2, HALVED).passes(2, 0.15)
    rejected = seen(story).rejected
    assert (rejected.candidate_id, rejected.by) == ("candidate-2", "unchallenged")


def test_of_those_that_fell_the_nearest_to_being_right_is_told():
    story = begun().breeds(1, "one").falls(1, "small", right=5).breeds(2, "two").falls(2, "property", right=90)
    rejected = seen(story.breeds(3, "three").falls(3, "small", right=10)).rejected
    assert (rejected.candidate_id, rejected.by, rejected.right, rejected.cases) == (
        "candidate-2",
        "examination",
        90,
        120,
    )
    assert (rejected.files, rejected.reasons[0].code) == ({PATH: "two"}, "property")


def test_the_original_is_never_the_best_that_was_rejected():
    assert seen(begun()).rejected is None
    assert seen(falling()).rejected is None


def test_an_original_that_fell_is_known_by_its_reasons():
    assert [each.code for each in seen(falling()).original_fell] == ["property"]
    assert seen(losing()).original_fell == ()
    fallen_child = begun().breeds(1, HALVED).falls(1, "small")
    assert (seen(fallen_child).original_fell, seen(fallen_child).rejected.birth) == ((), 1)


def test_only_the_most_frequent_reasons_of_failed_births_are_kept():
    story = begun()
    for number in range(1, 30):
        story.raises_in_breeding(number, "key_error", f"'{number % 9}'")
    failures = seen(story).counts.failures
    assert list(failures.items())[:2] == [("key_error: '1'", 4), ("key_error: '2'", 4)]
    assert len(failures) == 5


# --- logs as they come --------------------------------------------------------------------------------------


def test_a_run_of_another_domain_is_told_as_far_as_it_goes():
    view = seen(whole_run())
    recorded = {"genome.json": '{\n  "n": 1\n}\n'}
    assert (view.domain, view.task, view.original, view.counts.births) == ("sample", None, recorded, 3)
    assert (view.winner.files, [step.birth for step in view.lineage]) == (recorded, [0, 2])


def test_a_task_that_does_not_fit_is_no_task():
    story = Story()
    odd = payload(task()).model_copy(update={"data": {"path": 3}})
    story.begins()
    configured = story.events[0].payload
    broken = configured.model_copy(update={"config": configured.config.model_copy(update={"domain_config": odd})})
    view = folded(
        ReportFold(ROWS), [story.events[0].model_copy(update={"payload": broken}), *story.founds().events[1:]]
    )
    assert view.task is None
    assert view.original == {PATH: ORIGINAL}


def test_why_a_run_ended():
    assert seen(begun().add(run.RunStopping(reason="asked to"))).ended == "asked to"


@settings(max_examples=80, deadline=None)
@given(events=histories, data=st.data())
def test_a_resumed_fold_arrives_where_one_in_one_go_does(events, data):
    split = data.draw(st.integers(0, len(events)))
    first = ReportFold(ROWS)
    early = folded(first, events[:split])
    kept = early and early.model_dump_json()
    resumed = copy.deepcopy(first)
    assert folded(first, events[split:]) == folded(ReportFold(ROWS), events)
    assert folded(resumed, events[split:]) == folded(ReportFold(ROWS), events)
    assert (early and early.model_dump_json()) == kept


@settings(max_examples=40, deadline=None)
@given(events=histories)
def test_a_view_says_what_it_was_built_through_and_travels_as_json(events):
    fold = ReportFold(ROWS)
    for event in events:
        assert fold.take(event) is fold
    if view := fold.view():
        assert (view.run_id, view.sequence_through) == (RUN_ID, events[-1].sequence)
        assert type(view).model_validate_json(view.model_dump_json()) == view


def test_a_duplicate_is_known_by_the_words_that_the_domain_has_for_it():
    seen_before = Dossier(subject_id="candidate-2", phase="verifying", generation=0, seed=7, twin="candidate-1")
    (drop,) = Programs().route(seen_before)
    story = begun().breeds(1, HALVED).of_candidate(1, candidate.CandidateInvalidated(reason=drop.reason.message))
    counts = seen(story).counts
    assert (counts.duplicates, counts.fell) == (1, {})


def test_what_nobody_measured_is_not_told_as_a_cost():
    story = Story().begins().founds().passes(0, 0.0)
    before = seen(story).cost
    marker = story.marks("examine", "candidate-0", "programs.check", allowance=USED)
    story.fails(marker, "programs.check", "handler_raised")
    assert seen(story).cost.cpu_seconds == before.cpu_seconds
    other = story.marks("examine", "candidate-0", "programs.check", allowance=Usage(cpu_ms=120_000))
    story.fails(other, "programs.check", "handler_raised")
    assert seen(story).cost.cpu_seconds == before.cpu_seconds + USED.cpu_ms / 1e3


# --- what earlier runs left ----------------------------------------------------------------------------------


def test_a_champion_of_an_earlier_run_is_neither_the_original_nor_bred():
    view = seen(inheriting().is_over())
    assert (view.original, view.original_total, view.original_fell) == ({PATH: ORIGINAL}, 0.0, ())
    assert [(row.birth, row.original, row.inherited) for row in view.front] == [(0, False, EARLIER)]
    assert (view.rejected, view.operators) == (None, ())
    assert view.champion_before.run_id == EARLIER
    said = claim(view).sentence
    assert f"The champion of run {EARLIER} stands; `mendel report {EARLIER}`" in said


def test_an_original_that_falls_is_told_beside_a_champion_that_does_not():
    view = seen(inheriting().falls(1, "property", detail="flaky").is_over())
    assert view.original_fell == ()
    flaky = seen(inheriting().falls(0, "property", detail="flaky").is_over())
    assert (flaky.original_fell, flaky.rejected) == ((), None)


def test_a_lineage_goes_back_to_the_original_through_the_champion_of_an_earlier_run():
    story = inheriting().breeds(2, WINNER, (0,)).gains(2, speed=8.5, size=0.5).adopts(2).audits(2).confirmed(2)
    first, last = seen(story.is_over()).lineage
    assert (first.inherited, last.inherited) == (EARLIER, None)
    assert "+        for j in range(len(out) - i - 1):" in first.patch
    assert "+    return sorted(items)" in last.patch


def test_a_survivor_that_is_the_original_itself_stands_for_it():
    story = Story()
    original = ProgramTraits(files={PATH: ORIGINAL})
    ancestor = Ancestor(
        run_id=EARLIER,
        candidate_id="candidate-9",
        traits=payload(original),
        content=payload(SourceContent(fingerprint="original")),
    )
    story.begins(ancestors=(ancestor,)).births(0, original).births(1, original).is_a_twin(1).passes(0, 0.0)
    view = seen(story)
    assert (view.original_total, view.original_fell, view.champion_before) == (0.0, (), None)


# --- niches --------------------------------------------------------------------------------------------------


def test_a_run_of_one_niche_has_one_row_that_says_what_the_run_says():
    view = seen(winning())
    (row,) = view.niches
    assert (row.winner, row.challenges, row.curve, row.best) == (view.winner, view.challenges, view.curve, view.best)
    assert (row.k, row.challenges_before, row.spent) == (3, 0, sum(each.alpha for each in view.challenges))


async def test_each_niche_has_its_winner_its_k_and_its_curve():
    stage = Stage(polar())
    await stage.configure(two())
    await stage.conduct()
    await stage.configure(two(rng_seed=2))
    state = await stage.conduct()
    view = folded(ReportFold(ROWS), await stage.events())
    assert [row.niche for row in view.niches] == list(state.niches)
    before = {state.config.first_niche: state.config.challenges_before}
    before |= {each.niche: each.challenges for each in state.config.niches}
    for row in view.niches:
        niche = state.niches[row.niche]
        assert (row.challenges_before, row.k) == (before[row.niche], niche.challenges)
        assert len(row.challenges) == niche.challenges - before[row.niche]
        assert row.champion_before is not None
        assert (row.winner.candidate_id if row.winner else None) == (
            niche.champion_id if niche.champion_is_ours else None
        )
        assert row.best == row.curve[-1].best == niche.best[0]
        assert (row.lineage[-1].candidate_id if row.lineage else None) == (
            row.winner.candidate_id if row.winner else None
        )
    assert view.winner == next((row.winner for row in view.niches if row.winner is not None), None)


def test_of_a_domain_without_rows_those_are_examined_whom_an_examination_answered():
    story = Story().begins().founds().passes(0, 0.0).breeds(1, HALVED).passes(1, 1.0)
    story.breeds(2, HALVED).is_a_twin(2).breeds(3, HALVED).falls(3, "small")
    view = folded(ReportFold(no_rows("programs")), story.adopts(1).audits(1).events)
    assert (view.counts.examined, view.cost.examined) == (3, 3)
    assert [point.examined for point in view.curve] == [1, 2]
    assert "3 examined" in headline(view)


def test_an_audit_in_the_words_of_an_examination_is_none():
    """A domain may have one kind of findings for both."""
    story = Story().begins().founds().passes(0, 0.0).breeds(1, HALVED).passes(1, 1.0).adopts(1)
    worse = payload(Checked(passed=True, cases=120, right=7))
    view = folded(ReportFold(ROWS), story.finds(1, "programs.audit", worse).events)
    assert view.counts.examined == 2


async def test_of_several_niches_page_json_and_headline_tell_each_winner_with_its_evidence_and_budget():
    stage = Stage(polar())
    await stage.configure(two())
    await stage.conduct()
    view = folded(ReportFold(no_rows("scripted")), await stage.events())
    said, told = headline(view), run_json(view)
    text = read(page(view)).text
    assert said.startswith("Adopted in 2 of 2 niches\n")
    assert told["headline"] == "In 2 of 2 niches a candidate was adopted: scripted:p, niche 1."
    assert {"evidence-1", "evidence-2", "lineage-1", "lineage-2"} <= set(read(page(view)).ids)
    for row, each in zip(view.niches, told["niches"], strict=True):
        assert row.original == {"genome.json": next(iter(row.original.values()))} != row.winner.files
        assert row.spent < view.alpha
        assert f"{percent(row.spent)} of 5.00% for this niche" in text
        assert f"{row.niche}: birth {row.winner.birth} adopted" in said
        assert winner_claim(row.winner, view).sentence == each["headline"]
        assert each["headline"] in said
        assert each["winner"]["files"] == row.winner.files
        assert each["winner"]["gate"]["k"] <= row.k == len(each["challenges"])
        assert [step["birth"] for step in each["lineage"]][-1] == row.winner.birth
