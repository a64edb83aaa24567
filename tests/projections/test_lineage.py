import pytest
from tests.projections.histories import WORDING, History, event_id, folded, whole_run
from tests.support.rows import check_rows

from mendel.contracts.events import generation, genome
from mendel.contracts.events.candidate import CandidateInvalidated
from mendel.projections.lineage import LineageFold


def nodes(view):
    return {node.id: node for node in view.nodes}


def edges(view, kind):
    return {(edge.source, edge.target) for edge in view.edges if edge.kind == kind}


def lineage(history):
    return folded(LineageFold(WORDING), history.events)


@pytest.fixture(scope="module")
def whole():
    return lineage(whole_run())


def test_every_kind_of_node_is_there(whole):
    kinds = {node.id: node.kind for node in whole.nodes}
    assert kinds == {
        "generation-0": "generation",
        "generation-1": "generation",
        "genome-0": "genome",
        "genome-1": "genome",
        "genome-2": "genome",
        "candidate-0": "candidate",
        "candidate-1": "candidate",
        "candidate-2": "candidate",
        "operation-2": "review",
        "operation-3": "check",
        "operation-5": "check",
        "score:candidate-0:default-1": "score",
        "score:candidate-1:default-1": "score",
        "score:candidate-2:default-1": "score",
    }


def test_every_kind_of_edge_is_there(whole):
    assert edges(whole, "member_of") == {
        ("genome-0", "generation-0"),
        ("genome-1", "generation-0"),
        ("genome-2", "generation-1"),
    }
    assert edges(whole, "parent_of") == {("genome-0", "genome-2"), ("genome-1", "genome-2")}
    assert edges(whole, "expressed") == {(f"genome-{n}", f"candidate-{n}") for n in range(3)}
    assert edges(whole, "reviewed") == {("candidate-0", "operation-2")}
    assert edges(whole, "checked") == {("candidate-1", "operation-3"), ("candidate-2", "operation-5")}
    assert edges(whole, "scored") == {(f"candidate-{n}", f"score:candidate-{n}:default-1") for n in range(3)}
    assert len({edge.id for edge in whole.edges}) == len(whole.edges)


def test_states_follow_the_lifecycle(whole):
    states = {name: node.status for name, node in nodes(whole).items()}
    assert states["generation-0"] == "completed"
    assert states["generation-1"] == "running"
    assert [states[f"genome-{n}"] for n in range(3)] == ["reproduced", "culled", "seeded"]
    assert [states[f"candidate-{n}"] for n in range(3)] == ["scored", "culled", "selected"]
    assert [states[f"operation-{n}"] for n in (2, 3, 5)] == ["completed", "failed", "completed"]


def test_numbers_are_on_the_nodes(whole):
    metrics = {name: node.metrics for name, node in nodes(whole).items()}
    assert metrics["generation-0"] == {
        "index": 0,
        "population": 2,
        "survivors": 1,
        "offspring": 1,
        "best": 0.5,
        "mean": 0.375,
    }
    assert metrics["score:candidate-0:default-1"] == {"speed": 0.5, "total": 0.5}
    assert metrics["candidate-0"] == {"birth": 0, "fitness": 0.5, "energy": 3}
    assert metrics["genome-0"] == {"birth": 0, "depth": 0, "energy": 2}
    assert metrics["operation-2"]["energy"] == 3
    assert metrics["operation-2"]["tool_calls"] == 2


def test_a_node_refers_to_the_event_that_introduced_it(whole):
    events = whole_run().events
    spawned = next(event for event in events if event.type == "genome.spawned")
    assert nodes(whole)["genome-0"].data_ref == event_id(spawned.sequence)


def test_the_operator_labels_the_parents(whole):
    assert {edge.label for edge in whole.edges if edge.kind == "parent_of"} == {"crossover"}
    mutated = lineage(History().spawned(0).bred(1, (0,), 1, "why"))
    assert [edge.label for edge in mutated.edges if edge.kind == "parent_of"] == ["swap"]


@check_rows(
    ("step", "changes", "kind"),
    [
        ("sample.review", {}, "review"),
        ("sample.review", {"kind": "challenge"}, "review"),
        ("sample.novelty", {}, "check"),
        ("sample.challenge", {"kind": "challenge"}, "check"),
        ("sample.judge", {}, "check"),
    ],
)
def test_what_counts_as_a_review(step, changes, kind):
    view = lineage(History().created(0).operation(1, step=step, **changes).completed(1, step))
    assert nodes(view)["operation-1"].kind == kind


@check_rows("kind", ["vary", "express", "repair", "adopt", "revoke", "wait"])
def test_other_operations_are_no_nodes(kind):
    view = lineage(History().created(0).operation(1, kind=kind).completed(1))
    assert set(nodes(view)) == {"candidate-0"}


def test_an_examination_of_something_else_is_no_check():
    view = lineage(History().spawned(0).operation(1, "genome-0").completed(1))
    assert set(nodes(view)) == {"genome-0"}


def test_a_pair_is_examined_together():
    pair = {"subject_kind": "pair", "subject_ids": ("candidate-0", "candidate-1")}
    view = lineage(History().created(0).created(1).operation(1, **pair).completed(1))
    assert edges(view, "checked") == {("candidate-0", "operation-1"), ("candidate-1", "operation-1")}


def test_steps_are_shown_under_their_aliases_else_their_words_else_their_names():
    history = History().created(0)
    steps = ("sample.novelty", "sample.review", "sample.challenge", "other.look")
    for number, step in enumerate(steps, start=1):
        history.operation(number, step=step).completed(number, step, degraded=number == 1)
    shown = nodes(lineage(history))
    labels = [shown[f"operation-{number}"].label for number in range(1, 5)]
    assert labels == ["novelty_scoring_degraded", "critic.reviewed", "before the gate", "other.look"]
    assert shown["operation-1"].status == "degraded"


def test_without_words_a_run_is_shown_by_its_steps():
    shown = nodes(folded(LineageFold(), whole_run().events))
    assert (shown["operation-2"].kind, shown["operation-2"].label) == ("check", "sample.review")


def test_an_edge_is_drawn_once_both_its_ends_are():
    history = History().scored(0, 0.5)
    assert lineage(history).edges == ()
    assert edges(lineage(history.created(0)), "scored") == {("candidate-0", "score:candidate-0:default-1")}
    assert lineage(History().spawned(5, parents=(1, 2))).edges == ()


def test_a_generation_is_pending_from_its_first_birth():
    history = History().spawned(5, generation=9)
    born = lineage(history)
    assert (nodes(born)["generation-9"].status, edges(born, "member_of")) == ("pending", {("genome-5", "generation-9")})
    begun = nodes(lineage(history.generation(9)))["generation-9"]
    assert (begun.status, begun.label) == ("running", "generation 9")


def test_what_is_only_mentioned_is_no_node():
    history = History().of_genome(7, genome.GenomeFailed(reason="r")).completed(9)
    history.of_candidate(7, CandidateInvalidated(reason="r")).charged(3, operation_id="operation-9")
    assert lineage(history).nodes == ()


def test_a_skipped_generation_is_a_node():
    view = lineage(History().in_generation(4, generation.GenerationSkipped(reason="no parents")))
    assert [(node.id, node.status, node.label) for node in view.nodes] == [("generation-4", "skipped", "generation-4")]


def test_a_score_under_another_policy_is_another_node():
    view = lineage(History().created(0).scored(0, 0.5).scored(0, 0.6, "default-2").scored(0, 0.4))
    scores = {node.id: node.metrics["total"] for node in view.nodes if node.kind == "score"}
    assert scores == {"score:candidate-0:default-1": 0.4, "score:candidate-0:default-2": 0.6}
