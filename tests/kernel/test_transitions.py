"""The tables of states against seed 003's machines."""

from __future__ import annotations

import ast
from itertools import pairwise, product
from pathlib import Path

import pytest
from tests.support.rows import check_rows

from mendel.contracts.errors import IllegalTransition
from mendel.contracts.events.registry import EVENT_PAYLOADS
from mendel.contracts.statuses import (
    CANDIDATE,
    GENERATION,
    GENOME,
    RUN,
    CandidateStatus,
    GenerationStatus,
    GenomeStatus,
    RunStatus,
    status_after,
)
from mendel.kernel import fold, fold_candidates
from mendel.kernel.fold_candidates import advance

TABLES = {"run": RUN, "generation": GENERATION, "genome": GENOME, "candidate": CANDIDATE}
STATUSES = {"run": RunStatus, "generation": GenerationStatus, "genome": GenomeStatus, "candidate": CandidateStatus}

SEED = {
    "run": """
        configured → running → completing → completed
        configured → running → stopping → stopped
        running → failed
        configured → cancelled
    """,
    "generation": """
        pending → running → verifying → scoring → reproducing → completed
        scoring → completed
        running → degraded → verifying
        running → failed
        verifying → failed
        scoring → failed
        reproducing → failed
        pending → skipped
    """,
    "candidate": """
        created → under_review → checked → scored → selected
        created → repairing → under_review
        repairing → invalid
        created → invalid
        under_review → rejected
        scored → culled
    """,
    "genome": """
        seeded → active → spent → eligible_parent
        active → failed
        eligible_parent → reproduced
        eligible_parent → culled
    """,
}

BEYOND = {
    "run": {
        ("completing", "stopping"),
        ("configured", "failed"),
        ("completing", "failed"),
        ("stopping", "failed"),
    },
    "generation": {("degraded", "failed")},
    "candidate": {("checked", "rejected"), ("selected", "culled")},
    "genome": {("reproduced", "culled")},
}
"""What Mendel allows beyond the seed, each for a reason that stands beside the tables."""

TERMINAL = {
    "run": {"completed", "stopped", "failed", "cancelled"},
    "generation": {"completed", "failed", "skipped"},
    "candidate": {"rejected", "culled", "invalid"},
    "genome": {"culled", "failed"},
}

FIRST = {"run": None, "generation": "pending", "candidate": None, "genome": None}

machines = check_rows("machine", TABLES)


def edges_of_the_seed(machine: str) -> set[tuple[str, str]]:
    chains = [line.split(" → ") for line in SEED[machine].strip().splitlines()]
    return {(a.strip(), b.strip()) for chain in chains for a, b in pairwise(chain)}


def edges(machine: str) -> set[tuple[str, str]]:
    return {(str(source), str(target)) for (source, _), target in TABLES[machine].items() if source is not None}


@machines
def test_every_edge_of_the_seed_is_there_and_no_other_but_those_named_here(machine: str) -> None:
    assert edges(machine) == edges_of_the_seed(machine) | BEYOND[machine]


@machines
def test_a_terminal_state_has_no_exit_and_every_other_has_one(machine: str) -> None:
    sources = {source for source, _ in edges(machine)}
    assert {str(status) for status in STATUSES[machine]} - sources == TERMINAL[machine]


@machines
def test_every_state_can_be_reached(machine: str) -> None:
    targets = {target for _, target in edges(machine)} | {str(t) for (s, _), t in TABLES[machine].items() if s is None}
    assert targets | {FIRST[machine]} >= {str(status) for status in STATUSES[machine]}


@machines
def test_every_event_that_changes_a_state_stands_in_the_closed_registry(machine: str) -> None:
    assert {event for _, event in TABLES[machine]} <= EVENT_PAYLOADS.keys()


@machines
def test_every_event_that_changes_a_state_is_folded(machine: str) -> None:
    assert {event for _, event in TABLES[machine]} <= fold._FOLDERS.keys()


@machines
def test_an_event_leads_to_one_state_wherever_it_happens(machine: str) -> None:
    targets: dict[str, set[str]] = {}
    for (_, event), target in TABLES[machine].items():
        targets.setdefault(event, set()).add(target)
    assert all(len(found) == 1 for found in targets.values())


@machines
def test_whatever_is_not_in_the_table_is_refused_with_the_subjects_name(machine: str) -> None:
    table = TABLES[machine]
    for status, event in product([None, *STATUSES[machine]], EVENT_PAYLOADS):
        if (status, event) in table:
            assert advance(table, status, event, "x-1") is table[status, event]
        else:
            with pytest.raises(IllegalTransition, match=r"cannot happen to x-1"):
                advance(table, status, event, "x-1")


@machines
def test_an_event_leads_to_one_state_whatever_came_before(machine: str) -> None:
    found = {(event, target) for (_, event), target in TABLES[machine].items()}
    assert dict(found) == status_after(TABLES[machine])
    assert len(found) == len(dict(found))


def test_no_event_but_a_culling_changes_two_kinds_of_subjects() -> None:
    owners: dict[str, list[str]] = {}
    for machine, table in TABLES.items():
        for event in {event for _, event in table}:
            owners.setdefault(event, []).append(machine)
    assert {event: kinds for event, kinds in owners.items() if len(kinds) > 1} == {
        "lineage.culled": ["genome", "candidate"]
    }


def test_the_look_before_an_append_knows_every_event_that_changes_a_state() -> None:
    changing = {event for table in TABLES.values() for _, event in table}
    assert fold._KIND_OF.keys() | {"lineage.culled"} == changing


def test_no_two_folders_are_given_the_same_event() -> None:
    trees = [ast.parse(Path(str(module.__file__)).read_text()) for module in (fold, fold_candidates)]
    tables = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    events = [key.value for table in tables for key in table.keys if isinstance(key, ast.Constant) and "." in key.value]
    assert len(events) == len(set(events)) > 30
