import pytest

from mendel.contracts.statuses import CandidateStatus, GenerationStatus, GenomeStatus, RunStatus


def test_the_states_of_a_run():
    terminal = {status.value for status in RunStatus if status.terminal}
    assert terminal == {"completed", "stopped", "failed", "cancelled"}
    assert {status.value for status in RunStatus} - terminal == {"configured", "running", "completing", "stopping"}


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (GenerationStatus, "pending running degraded verifying scoring reproducing completed failed skipped"),
        (GenomeStatus, "seeded active spent eligible_parent reproduced culled failed"),
        (CandidateStatus, "created repairing under_review checked scored selected rejected culled invalid"),
    ],
)
def test_the_states_are_those_of_the_seed(kind, names):
    assert [status.value for status in kind] == names.split()
