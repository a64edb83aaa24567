from tests.projections.histories import DATA, MEASURED, NICHE, History, folded, whole_run
from tests.support.rows import check_rows

from mendel.contracts.energy import Usage
from mendel.contracts.events import candidate, genome
from mendel.contracts.events.operation import OperationFailed
from mendel.contracts.statuses import CandidateStatus
from mendel.contracts.verdicts import Decision, Reason
from mendel.projections.explanation import ExplanationFold


def explained(history, number=0):
    return folded(ExplanationFold(f"candidate-{number}"), history.events)


def test_a_candidate_that_never_appears_is_not_explained():
    assert explained(whole_run(), 9) is None
    assert explained(History().scored(0, 0.5)) is None


def test_the_champion_of_a_whole_run():
    view = explained(whole_run(), 2)
    assert (view.candidate.id, view.candidate.birth, view.status) == ("candidate-2", 2, CandidateStatus.SELECTED)
    assert (view.genome.genome_id, view.genome.parents) == ("genome-2", ("genome-0", "genome-1"))
    assert (view.genome.operator, view.genome.why, view.genome.choices) == ("swap", "best of two", {"cut": 3})
    assert view.genome.generation_id == "generation-1"
    assert [(one.genome_id, one.distance) for one in view.ancestors] == [("genome-0", 1), ("genome-1", 1)]
    assert [(step.operation_id, step.kind, step.outcome) for step in view.steps] == [
        ("operation-5", "challenge", "completed"),
        ("operation-6", "examine", "in_flight"),
    ]
    assert [note.type for note in view.selection] == ["candidate.selected"]
    assert [adoption.outcome for adoption in view.adoptions] == ["made", "confirmed"]


def test_ancestors_are_told_once_nearest_first():
    history = History().spawned(0).bred(1, (0,), 1, "a").bred(2, (0,), 2, "b").bred(3, (1, 2), 3, "c")
    view = explained(history.created(9, 3), 9)
    assert [(one.genome_id, one.distance, one.why) for one in view.ancestors] == [
        ("genome-1", 1, "a"),
        ("genome-2", 1, "b"),
        ("genome-0", 2, ""),
    ]
    assert [one.operator for one in view.ancestors] == ["swap", "swap", None]
    assert view.ancestors[0].choices == {"line": 1}


def test_ancestors_of_another_run_are_only_named():
    view = explained(History().spawned(1, (77,)).created(0, 1))
    assert view.genome.parents == ("genome-77",)
    assert view.ancestors == ()


def test_ancestry_that_runs_in_a_circle_ends():
    view = explained(History().spawned(0, (1,)).spawned(1, (0,)).created(0))
    assert [one.genome_id for one in view.ancestors] == ["genome-1"]


def test_a_candidate_of_an_unknown_genome():
    view = explained(History().created(0, 5))
    assert (view.genome, view.ancestors, view.candidate.genome_id) == (None, (), "genome-5")


def test_the_operator_of_a_fusion_without_a_marker_is_its_mode():
    fused = genome.GenomeFused(child_id="genome-2", parents=("genome-0", "genome-1"), mode="fusion", choices={})
    assert explained(History().spawned(2, (0, 1)).add(fused).created(0, 2)).genome.operator == "fusion"


def test_a_step_says_what_it_found_and_took():
    history = History().created(0).operation(1).operation(2).completed(1).failed(2)
    history.charged(4, operation_id="operation-1").charged(3, operation_id="operation-1").charged(9)
    found, failed = explained(history).steps
    assert (found.outcome, found.findings, found.usage, found.energy) == ("completed", DATA, MEASURED, 7)
    assert (failed.outcome, failed.findings, failed.energy) == ("failed", None, 0)
    assert failed.error == Reason(code="wall_clock", message="too slow")


def test_a_step_that_was_started_again_is_one_step():
    (step,) = explained(History().created(0).operation(1).operation(1, attempt=2)).steps
    assert (step.attempt, step.outcome, step.usage) == (2, "in_flight", Usage())


def test_steps_of_others_are_not_told():
    view = explained(History().created(0).created(1).operation(1, "candidate-1").completed(1))
    assert view.steps == ()


def test_a_pair_is_a_step_of_both():
    pair = {"subject_kind": "pair", "subject_ids": ("candidate-0", "candidate-1")}
    history = History().created(0).created(1).operation(1, **pair)
    assert [len(explained(history, number).steps) for number in (0, 1)] == [1, 1]


def test_an_end_without_a_marker_has_no_kind():
    lost = OperationFailed(
        operation_id="operation-8",
        step="sample.look",
        error_type="lost",
        error_code="lost",
        message="m",
        candidate_id="candidate-0",
    )
    view = explained(History().created(0).completed(7, candidate_id="candidate-0").add(lost).completed(9))
    assert [(step.operation_id, step.kind) for step in view.steps] == [("operation-7", None), ("operation-8", None)]


def expressed(number):
    history = History().operation(4, f"genome-{number}", kind="express", step="sample.express")
    return history.completed(4, "sample.express").created(number).charged(2, operation_id="operation-4")


def test_the_expression_of_the_candidate_is_its_first_step():
    history = expressed(0).of_genome(0, genome.GenomeSpent()).operation(5).completed(5)
    first, second = explained(history).steps
    assert (first.operation_id, first.kind, first.energy) == ("operation-4", "express", 2)
    assert second.operation_id == "operation-5"


def test_of_several_expressions_the_named_one_counts():
    history = History()
    for number in (1, 2):
        history.operation(number, "genome-0", kind="express").completed(number)
    assert [step.operation_id for step in explained(history.created(0, operation_id="operation-2")).steps] == [
        "operation-2"
    ]


def test_expressions_of_spent_genomes_are_forgotten():
    history = expressed(1).of_genome(1, genome.GenomeSpent()).created(0, 1)
    assert explained(history).steps == ()


def test_repairs_rejection_and_the_end():
    history = History().created(0).of_candidate(0, candidate.CandidateRepairStarted(reason="no such field"))
    history.of_candidate(1, candidate.CandidateRepairStarted(reason="another"))
    history.of_candidate(0, candidate.CandidateRejected(reasons=(Reason(code="slow", message="m"),)))
    view = explained(history.of_candidate(0, candidate.CandidateInvalidated(reason="still wrong", repaired=True)))
    assert [repair.reason for repair in view.repairs] == ["no such field"]
    assert view.rejected == (Reason(code="slow", message="m"),)
    assert (view.invalidated, view.status) == ("still wrong", CandidateStatus.INVALID)


def test_a_score_comes_with_the_weights_it_was_made_under():
    history = History().configured().created(0).scored(1, 0.9).scored(0, 0.5)
    view = explained(history)
    assert (view.score.total, view.score.explanation, view.score.policy_version) == (0.5, "measured", "default-1")
    assert view.weights == {"speed": 0.7, "size": 0.3}
    assert explained(history.scored(0, 0.6, "default-2")).weights == {}


def test_selection_of_the_candidate_and_its_genome():
    view = explained(whole_run(), 1)
    assert [note.type for note in view.selection] == ["genome.eligible", "genome.reproduced", "lineage.culled"]
    assert view.selection[1].children == ("genome-2",)
    assert (view.selection[2].reason, view.selection[2].scores) == ("weak", {"candidate-1": 0.25})


def test_selection_of_a_genome_before_its_next_candidate_is_told():
    history = History().spawned(0).created(1, 0).of_genome(0, genome.GenomeEligible()).created(0, 0)
    assert [note.type for note in explained(history).selection] == ["genome.eligible"]


@check_rows("decision", Decision)
def test_the_gate_says_why(decision):
    (note,) = explained(History().created(0).judged(0, decision).judged(1)).verdicts
    assert note.verdict.decision is decision
    assert (note.verdict.challenge.k, note.verdict.challenge.alpha) == (2, 0.0076)
    assert note.verdict.reasons
    assert note.verdict.intervals


def test_an_adoption_that_did_not_hold():
    history = History().created(0).judged(0).adopted(0, replaces="candidate-7").adopted(1)
    made, revoked = explained(history.revoked(0, restores="candidate-7")).adoptions
    assert (made.outcome, made.niche, made.replaces) == ("made", NICHE, "candidate-7")
    assert (revoked.outcome, revoked.restores, revoked.reason) == ("revoked", "candidate-7", "it did not hold")
