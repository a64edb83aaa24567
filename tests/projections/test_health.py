from datetime import timedelta

import pytest
from tests.contracts.examples import UUID, make_verdict
from tests.kernel.scripted import ScriptedDomain, breed, config_of
from tests.projections.histories import BEGAN, NICHE, WORDING, History, folded, whole_run
from tests.support.rows import check_rows

from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import Usage
from mendel.contracts.events import candidate, generation, genome, run
from mendel.contracts.events.gate import GateVerdict
from mendel.contracts.events.operation import OperationFailed
from mendel.contracts.statuses import RunStatus
from mendel.contracts.verdicts import Challenge, Reason
from mendel.kernel.fold import fold as fold_event
from mendel.kernel.state import RunState
from mendel.projections.health import HEARTBEAT_MS, FailedSteps, HealthFold, failure_message, stalled


def health(history):
    return folded(HealthFold(WORDING), history.events)


def used(view):
    return {name: cap.used for name, cap in view.caps.items()}


def test_a_whole_run():
    view = health(whole_run())
    assert view.status is RunStatus.COMPLETED
    assert view.generation == 1
    assert [flight.id for flight in view.in_flight] == ["operation-6"]
    assert (view.conductor, view.epochs) == ("host:2", 2)
    assert view.last_event.type == "run.completed"
    assert view.last_event.sequence == view.sequence_through
    assert view.last_event.occurred_at == view.last_event_at
    assert set(view.caps) == set(RunCaps.model_fields)


def test_an_operation_is_in_flight_until_it_ends():
    history = History().operation(1).operation(2, kind="challenge").operation(3).completed(1).failed(3)
    (flight,) = health(history).in_flight
    assert (flight.id, flight.step, flight.kind) == ("operation-2", "sample.look", "challenge")
    assert (flight.subject_ids, flight.attempt) == (("candidate-0",), 1)
    assert flight.started_at == BEGAN + timedelta(milliseconds=100)


def test_an_attempt_counts_at_its_allowance_until_it_is_measured():
    history = History().begun().operation(1)
    assert (used(health(history))["max_tool_calls"], used(health(history))["max_tokens"]) == (10, 1_000)
    assert used(health(history))["max_cost_microusd"] == 50
    history.completed(1)
    assert (used(health(history))["max_tool_calls"], used(health(history))["max_tokens"]) == (2, 50)
    assert used(health(history))["max_cost_microusd"] == 5


def test_a_failure_is_measured_too():
    assert used(health(History().operation(1).failed(1)))["max_tokens"] == 50


def test_an_attempt_lost_in_a_takeover_stays_counted():
    history = History().begun().operation(1).taken_over().operation(1, attempt=2)
    view = health(history)
    assert used(view)["max_tool_calls"] == 20
    assert [(flight.id, flight.attempt) for flight in view.in_flight] == [("operation-1", 2)]
    assert view.energy.reserved == 9
    done = health(history.completed(1))
    assert used(done)["max_tool_calls"] == 10 + 2
    assert done.energy.reserved == 0


def test_a_failed_operation_that_is_started_again_was_measured():
    history = History().operation(1).failed(1).operation(1, attempt=2).completed(1)
    assert used(health(history))["max_tool_calls"] == 4


def test_an_allowance_may_be_overrun():
    history = History().operation(1, allowance=Usage()).completed(1)
    assert used(health(history))["max_tool_calls"] == 2


def test_an_end_without_a_marker_counts_what_it_measured():
    view = health(History().begun().completed(8).failed(9))
    assert used(view)["max_tool_calls"] == 4
    assert view.energy.reserved == 0


def test_energy_is_spent_or_reserved():
    view = health(History().begun(energy_budget=100).operation(1).operation(2).completed(1).charged(4))
    assert (view.energy.budget, view.energy.spent, view.energy.reserved) == (100, 4, 9)
    assert (view.caps["energy_budget"].limit, view.caps["energy_budget"].used) == (100, 13)


def test_the_population_is_what_lives():
    history = History().begun(max_population=3).spawned(0).spawned(1).spawned(2).spawned(3, (0,))
    assert used(health(history))["max_population"] == 4
    history.of_genome(0, genome.GenomeReproduced(children=("genome-3",), mode="mutation_only"))
    history.of_genome(1, genome.GenomeFailed(reason="r")).add(
        genome.LineageCulled(genome_ids=("genome-2",), reason="r")
    )
    history.add(generation.GenerationPartialFailure(failed_genome_ids=("genome-1",), reason="r"))
    view = health(history.of_genome(9, genome.GenomeActivated()))
    assert used(view)["max_population"] == 2
    assert view.caps["max_population"].limit == 3
    assert used(view)["max_spawn_depth"] == 1


def test_a_genome_without_a_candidate_left_to_hope_for_does_not_live():
    history = History().spawned(0).created(0).created(1, 0).of_genome(0, genome.GenomeSpent())
    history.of_candidate(0, candidate.CandidateInvalidated(reason="r"))
    assert used(health(history))["max_population"] == 1
    refused = candidate.CandidateRejected(reasons=(Reason(code="slow", message="m"),))
    assert used(health(history.of_candidate(1, refused)))["max_population"] == 0
    assert used(health(History().spawned(0).of_genome(0, genome.GenomeSpent())))["max_population"] == 0


def test_a_genome_whose_candidate_was_scored_lives():
    history = History().spawned(0).created(0).created(1, 0).of_genome(0, genome.GenomeSpent()).scored(0, 0.5)
    history.of_candidate(1, candidate.CandidateInvalidated(reason="r"))
    assert used(health(history))["max_population"] == 1


@check_rows(
    ("wishes", "limit"),
    [({"max_tokens": 10}, 10), ({"max_tokens": 10**9}, 500), ({"max_tokens": "x", "no_cap": 1}, 500), ([], 500)],
)
def test_a_command_lowers_a_cap_and_never_raises_one(wishes, limit):
    wish = run.CommandAccepted(
        command_id=UUID, position=1, kind=CommandKind.SET_PARAMETERS, payload={"caps": wishes, "slots": 1}
    )
    assert health(History().begun(max_tokens=500).add(wish)).caps["max_tokens"].limit == limit


def test_generations_and_candidates_are_counted_once():
    view = health(History().generation(0).generation(1).generation(1).created(0).created(1).created(1))
    assert (used(view)["max_generations"], used(view)["max_candidates"]) == (2, 2)


def test_before_a_run_is_configured_nothing_has_a_limit():
    view = health(History().add(run.RunStarted()))
    assert {cap.limit for cap in view.caps.values()} == {None}
    assert view.energy.budget is None


def test_only_conducted_time_is_used_up():
    history = History().configured()
    assert used(health(history))["wall_clock_ms"] == 0
    history.wait(500_000).taken_over().add(run.RunStarted()).operation(1)
    assert used(health(history))["wall_clock_ms"] == 200
    history.wait(1_000_000).taken_over("host:2")
    assert used(health(history))["wall_clock_ms"] == 200
    history.wait(1_000).operation(1, attempt=2)
    assert used(health(history))["wall_clock_ms"] == 200 + 1_100


def test_a_clock_that_goes_back_gives_no_time_back():
    history = History().configured().taken_over().add(run.RunStarted()).wait(-60_000).operation(1)
    assert used(health(history))["wall_clock_ms"] == 0


THREE_HEARTBEATS = timedelta(milliseconds=3 * HEARTBEAT_MS)


@check_rows("state", [run.RunStarted(), run.RunCompleting(reason="r"), run.RunStopping(reason="r")])
def test_a_run_that_is_not_heard_of_is_stalled(state):
    view = health(History().begun().add(state))
    assert not stalled(view, view.last_event_at + THREE_HEARTBEATS)
    assert stalled(view, view.last_event_at + THREE_HEARTBEATS + timedelta(milliseconds=1))


@pytest.mark.parametrize("history", [History().configured(), History().begun().ended()], ids=["not_yet", "no_more"])
def test_a_run_that_nobody_need_conduct_is_not_stalled(history):
    view = health(history)
    assert not stalled(view, view.last_event_at + timedelta(days=1))


def test_a_heartbeat_is_a_sign_of_life():
    history = History().begun().wait(60_000).add(run.RunHeartbeat(epoch=1, in_flight=0, uptime_ms=60_000))
    view = health(history)
    assert not stalled(view, view.last_event_at + timedelta(seconds=1))


async def test_the_population_is_the_kernel_s_whenever_it_has_changed():
    changing = ("genome.spawned", "genome.eligible", "lineage.culled")
    state, events = await breed(config_of(pace="birth", slots=3), ScriptedDomain())
    fold, kernel = HealthFold(), RunState(state.run_id)
    for event in events:
        fold.take(event)
        fold_event(kernel, event)
        if kernel.status is RunStatus.RUNNING and event.type in changing:
            assert fold.view().caps["max_population"].used == kernel.population


def failure(code: str, error_type: str, message: str) -> OperationFailed:
    return OperationFailed(
        operation_id="operation-1", step="teas.taste", error_type=error_type, error_code=code, message=message
    )


@check_rows(
    "code, error_type, message, said",
    [
        ("handler_raised", "key_error", "KeyError: 'cup' (teas/tasting.py, line 3)", None),
        ("handler_raised", "value_error", "ValueError (teas/tasting.py, line 3)", None),
        ("handler_raised", "key_error", "'cup'", "key_error: 'cup'"),
        ("handler_raised", "cold", "a cup:\nempty", "cold: a cup: empty"),
        ("too_cold", "handler_failed", "a cup\n  is cold", "a cup is cold"),
    ],
)
def test_a_raised_exception_is_named_once_also_in_older_logs(code, error_type, message, said):
    assert failure_message(failure(code, error_type, message)) == (said or message)


def story(*ends):
    """Challenges one after the other, each failing (False) or with a verdict (True)."""
    told = History().begun()
    for k, has_verdict in enumerate(ends, start=1):
        spent = Challenge.nth(NICHE, k, 0.05)
        told.operation(k, step="sample.gate", kind="challenge", challenge=spent)
        if has_verdict:
            told.completed(k, "sample.gate").add(GateVerdict(verdict=make_verdict(niche=NICHE)))
        else:
            told.failed(k, "sample.gate")
    return told


@check_rows(
    ("ends", "closed"),
    [
        ((False, False), ()),
        ((False, False, False), (3,)),
        ((False, False, True, False), ()),
        ((False, True, False, False, False), (3,)),
    ],
)
def test_a_niche_is_closed_once_three_challenges_in_a_row_failed(ends, closed):
    fold = FailedSteps()
    for event in story(*ends).events:
        fold.take(event)
    assert tuple(each.challenges for each in fold.closed_niches()) == closed
    said = f"3 challenges in a row failed in {NICHE}, which makes no more (sample.gate): too slow"
    assert [each.words() for each in fold.closed_niches()] == [said for _ in closed]
