import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.examples import EXAMPLES
from tests.support.rows import check_rows

from mendel.contracts.errors import SchemaTooNew, UnknownEventType
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.registry import EVENT_PAYLOADS, SCHEMA_VERSION, check_schema_version, payload_model
from mendel.contracts.events.run import RUN_STATUS_AFTER, RunStarted
from mendel.contracts.statuses import RunStatus

# Seed 003, Appendix A, RunEventType: the closed enumeration, word for word.
SEED_003 = [
    "run.configured",
    "run.started",
    "run.completed",
    "run.failed",
    "run.stopped",
    "generation.started",
    "generation.completed",
    "agenome.spawned",
    "agenome.fused",
    "agenome.mutated",
    "agenome.reproduced",
    "candidate.created",
    "critic.reviewed",
    "check.completed",
    "judge.reviewed",
    "novelty.scored",
    "fitness.scored",
    "lineage.culled",
    "energy.spent",
    "provider_call_failed",
    "output_schema_rejected",
    "candidate_invalidated",
    "energy_exhausted",
    "generation_failed",
    "reproduction_aborted_insufficient_parents",
    "novelty_scoring_degraded",
    "generation.verifying",
    "generation.scoring",
    "generation.reproducing",
    "candidate.generation_started",
    "critic.review_started",
    "check.started",
    "novelty.scoring_started",
    "judge.review_started",
    "fusion.started",
    "tool_call.started",
    "tool_call.finished",
]

ALIASES_003 = {
    *("candidate.generation_started", "critic.review_started", "critic.reviewed", "check.started", "check.completed"),
    *("judge.review_started", "judge.reviewed", "novelty.scoring_started", "novelty.scored"),
    *("novelty_scoring_degraded", "fusion.started", "tool_call.started", "tool_call.finished"),
}
"""Of these, what is an operation in the log: its domain registers the name as an alias of its step."""

OF_THE_DESIGN = [
    "operation.started",
    "operation.completed",
    "operation.failed",
    "conductor_took_over",
    "generation.degraded",
    "candidate.repair_started",
    "spawn.clamped",
    "run.heartbeat",
    "generation.partial_failure",
    "gate.verdict",
    "adoption.made",
    "adoption.confirmed",
    "adoption.revoked",
    "blob.stored",
    "llm_call_telemetry",
]


@check_rows("name", SEED_003)
def test_every_event_of_the_seed_has_a_home(name):
    ours = name.replace("agenome.", "genome.")
    assert (ours in EVENT_PAYLOADS) != (ours in ALIASES_003), "in exactly one of the two"


@check_rows("name", OF_THE_DESIGN)
def test_every_event_of_the_design_is_in_the_registry(name):
    assert name in EVENT_PAYLOADS


def test_the_registry_cannot_be_changed():
    with pytest.raises(TypeError):
        EVENT_PAYLOADS["mine.made"] = RunStarted
    with pytest.raises(TypeError):
        del EVENT_PAYLOADS["run.started"]
    assert not hasattr(EVENT_PAYLOADS, "update")


def test_every_payload_model_that_the_library_defines_is_registered_once_under_its_name():
    ours = {model for model in Payload.__subclasses__() if model.__module__.startswith("mendel.")}
    assert ours == set(EVENT_PAYLOADS.values())
    assert all(model.type == name for name, model in EVENT_PAYLOADS.items())
    assert len(ours) == len(EVENT_PAYLOADS)


class Smuggled(Payload):
    type = "smuggled.in"


@pytest.mark.parametrize("payload", [Smuggled(), Payload.model_construct()], ids=["subclass", "base"])
def test_a_payload_from_outside_cannot_be_drafted(payload):
    with pytest.raises((UnknownEventType, AttributeError)):
        EventDraft.of(payload)


def test_a_payload_does_not_pass_under_the_name_of_another_type():
    with pytest.raises(ValueError, match="Input should be a valid dictionary or instance of RunStarted"):
        EventDraft(type="run.started", actor="runtime", payload=Smuggled())


@check_rows(
    ("wrong", "near"),
    [("run.strated", "run.started"), ("genome.spawn", "genome.spawned"), ("agenome.spawned", "genome.spawned")],
)
def test_an_unknown_type_is_answered_with_the_nearest(wrong, near):
    with pytest.raises(UnknownEventType, match=f"no event type '{wrong}'; did you mean '{near}'"):
        payload_model(wrong)


def test_an_unknown_type_that_is_near_nothing_gets_no_hint():
    with pytest.raises(UnknownEventType, match=r"^there is no event type 'zzzzzzz'$"):
        payload_model("zzzzzzz")


def test_an_unknown_type_is_refused_in_a_draft_too():
    with pytest.raises(UnknownEventType):
        EventDraft(type="run.strated", actor="runtime", payload={})


@given(st.integers(min_value=1, max_value=SCHEMA_VERSION))
def test_a_reader_takes_every_version_up_to_its_own(version):
    check_schema_version(version)


@given(st.integers(min_value=SCHEMA_VERSION + 1))
def test_a_reader_refuses_every_newer_version_by_name(version):
    with pytest.raises(SchemaTooNew, match=f"schema version {version} is newer than {SCHEMA_VERSION}.*upgrade"):
        check_schema_version(version)


def test_every_status_of_a_run_is_reached_by_one_event_of_the_registry():
    assert set(RUN_STATUS_AFTER) <= set(EVENT_PAYLOADS)
    assert sorted(RUN_STATUS_AFTER.values()) == sorted(RunStatus)


def test_every_type_has_an_example():
    assert set(EXAMPLES) == set(EVENT_PAYLOADS)
