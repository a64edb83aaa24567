import pytest
from tests.support.rows import check_rows

from mendel.contracts.events.registry import EVENT_PAYLOADS
from mendel.contracts.step_names import SEED_EVENTS, seed_name


@check_rows("name", SEED_EVENTS)
def test_a_seed_name_is_one_phase_of_one_step(name):
    event = SEED_EVENTS[name]
    assert seed_name(event.step, event.phase) == name
    assert event.event_type in EVENT_PAYLOADS


def test_no_two_names_stand_for_the_same_phase():
    assert len({(event.step, event.phase) for event in SEED_EVENTS.values()}) == len(SEED_EVENTS)


@check_rows("step", sorted({event.step for event in SEED_EVENTS.values()} - {"ideas.generate", "ideas.fusion"}))
def test_every_step_has_a_beginning_and_an_end(step):
    assert seed_name(step, "started")
    assert seed_name(step, "completed")


def test_a_generated_candidate_ends_in_an_event_of_its_own():
    assert seed_name("ideas.generate", "started") == "candidate.generation_started"
    assert "candidate.created" in EVENT_PAYLOADS


def test_a_fusion_ends_in_an_event_of_its_own():
    assert seed_name("ideas.fusion", "started") == "fusion.started"
    assert "genome.fused" in EVENT_PAYLOADS


def test_a_step_of_another_domain_has_no_seed_name():
    assert seed_name("programs.timing", "started") is None


def test_the_names_cannot_be_changed():
    with pytest.raises(TypeError):
        SEED_EVENTS["mine"] = None
