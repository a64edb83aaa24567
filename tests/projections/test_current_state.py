from tests.contracts.examples import UUID
from tests.projections.histories import NICHE, History, folded, whole_run
from tests.support.rows import check_rows

from mendel.contracts.commands import CommandKind
from mendel.contracts.events import candidate, generation, genome, run
from mendel.contracts.events.registry import EVENT_PAYLOADS
from mendel.contracts.statuses import CandidateStatus, GenerationStatus, GenomeStatus, RunStatus
from mendel.projections.current_state import (
    CANDIDATE_STATUS_AFTER,
    GENERATION_STATUS_AFTER,
    GENOME_STATUS_AFTER,
    StateFold,
)


def state(history):
    return folded(StateFold(), history.events)


def test_the_tables_of_a_whole_run():
    view = state(whole_run())
    assert view.status is RunStatus.COMPLETED
    first, second = view.generations
    assert (first.id, first.index, first.status) == ("generation-0", 0, GenerationStatus.COMPLETED)
    assert (first.population, first.survivors, first.offspring, first.best, first.mean) == (2, 1, 1, 0.5, 0.375)
    assert (second.status, second.survivors, second.best) == (GenerationStatus.RUNNING, None, None)
    assert [(row.id, row.status) for row in view.genomes] == [
        ("genome-0", GenomeStatus.REPRODUCED),
        ("genome-1", GenomeStatus.CULLED),
        ("genome-2", GenomeStatus.SEEDED),
    ]
    child = view.genomes[2]
    assert (child.birth, child.parents, child.generation_id) == (2, ("genome-0", "genome-1"), "generation-1")
    assert [(row.id, row.genome_id, row.status, row.total) for row in view.candidates] == [
        ("candidate-0", "genome-0", CandidateStatus.SCORED, 0.5),
        ("candidate-1", "genome-1", CandidateStatus.CULLED, 0.25),
        ("candidate-2", "genome-2", CandidateStatus.SELECTED, 0.75),
    ]
    assert view.champions == {NICHE: "candidate-2"}
    assert view.final_candidate_id == "candidate-2"


@check_rows("table", [GENERATION_STATUS_AFTER, GENOME_STATUS_AFTER, CANDIDATE_STATUS_AFTER])
def test_the_tables_of_states_name_events_that_exist(table):
    assert set(table) <= set(EVENT_PAYLOADS)


def test_every_state_can_be_reached():
    assert set(GENERATION_STATUS_AFTER.values()) == set(GenerationStatus) - {GenerationStatus.PENDING}
    assert set(GENOME_STATUS_AFTER.values()) == set(GenomeStatus)
    assert set(CANDIDATE_STATUS_AFTER.values()) == set(CandidateStatus)


@check_rows(
    ("payload", "status"),
    [
        (candidate.CandidateRepairStarted(reason="r"), CandidateStatus.REPAIRING),
        (candidate.CandidateUnderReview(), CandidateStatus.UNDER_REVIEW),
        (candidate.CandidateChecked(), CandidateStatus.CHECKED),
        (candidate.CandidateInvalidated(reason="r"), CandidateStatus.INVALID),
    ],
)
def test_a_candidate_follows_its_events(payload, status):
    (row,) = state(History().created(0).of_candidate(0, payload).of_candidate(1, payload)).candidates
    assert row.status is status


def test_a_partial_failure_names_the_genomes_that_failed():
    lost = generation.GenerationPartialFailure(failed_genome_ids=("genome-0",), reason="r")
    view = state(History().generation(0).spawned(0).spawned(1).in_generation(0, lost))
    assert [row.status for row in view.genomes] == [GenomeStatus.FAILED, GenomeStatus.SEEDED]
    assert view.generations[0].status is GenerationStatus.RUNNING


def test_a_degraded_generation_says_how_many_are_left():
    degraded = generation.GenerationDegraded(survivors=1, population=2)
    (row,) = state(History().generation(0).in_generation(0, degraded)).generations
    assert (row.status, row.survivors, row.population) == (GenerationStatus.DEGRADED, 1, 2)


def test_a_generation_is_pending_from_its_first_birth():
    (row,) = state(History().spawned(0, generation=1)).generations
    assert (row.id, row.status, row.index) == ("generation-1", GenerationStatus.PENDING, None)


def test_a_skipped_generation_never_had_an_index():
    (row,) = state(History().in_generation(3, generation.GenerationSkipped(reason="r"))).generations
    assert (row.id, row.index, row.status) == ("generation-3", None, GenerationStatus.SKIPPED)


def test_what_is_only_mentioned_has_no_row():
    history = History().of_genome(5, genome.GenomeActivated()).scored(5, 0.5)
    history.add(generation.GenerationVerifying()).add(genome.GenomeSpent())
    view = state(history)
    assert (view.generations, view.genomes, view.candidates) == ((), (), ())


def test_a_score_before_its_candidate_is_not_lost():
    (row,) = state(History().scored(0, 0.5).created(0)).candidates
    assert row.total == 0.5


@check_rows(
    ("history", "champion"),
    [
        (History().adopted(0), "candidate-0"),
        (History().adopted(0).adopted(1).confirmed(1), "candidate-1"),
        (History().adopted(0).adopted(1).revoked(1, restores="candidate-0"), "candidate-0"),
        (History().adopted(0).revoked(0), None),
        (History().adopted(0).adopted(1).revoked(0), "candidate-1"),
        (History().revoked(0), None),
    ],
)
def test_who_reigns(history, champion):
    assert state(history).champions.get(NICHE) == champion


def test_commands_and_what_became_of_them():
    accepted = run.CommandAccepted(command_id=UUID, position=1, kind=CommandKind.STOP)
    refused = run.CommandRefused(command_id=UUID, position=2, kind=CommandKind.PROPOSE, reason="it is over")
    rows = [row.model_dump() for row in state(History().add(accepted).add(refused)).commands]
    assert rows == [
        {"position": 1, "kind": CommandKind.STOP, "outcome": "accepted", "reason": None},
        {"position": 2, "kind": CommandKind.PROPOSE, "outcome": "refused", "reason": "it is over"},
    ]
