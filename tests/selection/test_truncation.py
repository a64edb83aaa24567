"""A culling names who goes, and by which scores. Who goes is in ``test_archive.py``: survival."""

from tests.selection.crowds import crowd

from mendel.contracts.events.genome import LineageCulled
from mendel.selection.survival import Culling, Survival


def test_of_equally_fit_ones_the_youngest_goes_first():
    population, survival = crowd(1.0, 0.5, 0.5), Survival()
    for member in population.ranked():
        survival.joined(member)
    assert survival.next_out(population) == population.worst() == population["genome-2"]


def test_a_culling_says_who_why_and_by_which_scores():
    population = crowd(0.9, 0.1, 0.2)
    culling = Culling.of([population["genome-1"], population["genome-2"]], "the population is capped at 1")
    assert culling == Culling(
        ("genome-1", "genome-2"), "the population is capped at 1", {"genome-1": 0.1, "genome-2": 0.2}
    )
    event = LineageCulled(genome_ids=culling.genome_ids, reason=culling.reason, scores=culling.scores)
    assert event.scores == {"genome-1": 0.1, "genome-2": 0.2}
