"""What is said of a run without a winner is what came of its challenges, and no more."""

from __future__ import annotations

import json

import pytest
from tests.api.reading import observatory, told_log
from tests.kernel.scripted import Stage, payloads
from tests.kernel.test_niches import polar, two
from tests.projections.histories import RUN_ID
from tests.projections.report.stories import EARLIER, HALVED, ORIGINAL, PATH, WINNER, Story, inheriting
from tests.support.rows import check_rows

from mendel.contracts.verdicts import Decision
from mendel.projections.report.patch import unified_patches


def bred() -> Story:
    """The original and a better one, which nobody has put before the gate yet."""
    return Story().begins().founds().passes(0, 0.0).breeds(1, HALVED).passes(1, 0.9)


def refused() -> Story:
    return bred().challenges(1, Decision.REJECT)


STORIES = [
    (bred(), "no candidate challenged the gate"),
    (bred().fails_to_challenge(1), "the gate was challenged once, and each of these challenges failed"),
    (
        refused().fails_to_challenge(1),
        "the gate was challenged 2 times, and adopted none; 1 of these challenges failed",
    ),
    (refused(), "the gate was challenged once, and adopted none"),
    (refused().challenges(1, Decision.UNDECIDED), "the gate was challenged 2 times, and adopted none"),
    (
        refused().challenges(1),
        "the gate was challenged 2 times, and decided to adopt, but the run ended before the adoption",
    ),
    (
        bred().adopts(1).audits(1, agrees=False).revoked(1),
        "the gate was challenged once, and every adoption was revoked",
    ),
]


@check_rows(("story", "said"), STORIES)
async def test_each_way_of_having_no_winner_is_told_apart(story, said):
    async with observatory(await told_log(story.is_over())) as asked:
        proof = await asked.get(f"/api/runs/{RUN_ID}/final")
    assert (proof["state"], proof["winner"]) == ("nothing", None)
    assert f"there is no winner: {said}" in proof["said"]


async def test_a_winner_is_compared_with_the_original_and_not_with_the_champion_it_came_from():
    story = inheriting().breeds(2, WINNER, (0,)).gains(2, speed=8.5, size=0.5).adopts(2).audits(2).confirmed(2)
    async with observatory(await told_log(story.is_over())) as asked:
        proof = await asked.get(f"/api/runs/{RUN_ID}/final")
    assert proof["founder"]["candidate_id"] == "candidate-1"
    assert proof["patch"] == unified_patches({PATH: ORIGINAL}, {PATH: WINNER})


async def test_without_a_winner_the_champion_of_an_earlier_run_stands():
    async with observatory(await told_log(inheriting().is_over())) as asked:
        proof = await asked.get(f"/api/runs/{RUN_ID}/final")
    (niche,) = proof["niches"]
    assert niche["champion_before"] == {"run_id": EARLIER, "candidate_id": "candidate-9"}
    assert (niche["before"], niche["challenges"], niche["champion_id"]) == (3, 0, None)
    said = f"Nothing was adopted: no candidate challenged the gate, and the champion of run {EARLIER} stands."
    assert (niche["state"], niche["said"], niche["text"]) == ("nothing", said, None)
    assert f"the champion of run {EARLIER} stands" in proof["said"]


async def test_each_niche_has_an_error_budget_and_a_champion_of_its_own():
    stage = Stage(polar())
    await stage.configure(two())
    state = await stage.conduct()
    spent = {name: [] for name in state.niches}
    for marker in payloads(await stage.events(), "operation.started"):
        if marker.operation.challenge is not None:
            spent[marker.operation.challenge.niche].append(marker.operation.challenge.alpha)
    async with observatory(stage.log) as asked:
        proof = await asked.get(f"/api/runs/{stage.run_id}/final")
        (listed,) = (await asked.get("/api/runs"))["runs"]
    told = {each["niche"]: each for each in proof["niches"]}
    assert list(told) == list(state.niches)
    for name, niche in state.niches.items():
        assert told[name]["spent"] == pytest.approx(sum(spent[name]))
        assert (told[name]["challenges"], told[name]["champion_id"]) == (len(spent[name]), niche.champion_id)
        content = state.candidates[niche.champion_id].content.data
        assert (told[name]["state"], json.loads(told[name]["text"]["source"])) == ("confirmed", content)
        birth = state.candidates[niche.champion_id].candidate.birth
        assert told[name]["said"].startswith(f"Birth {birth} was adopted through the gate in challenge ")
        assert f"{name}: {told[name]['said']}" in proof["said"]
    assert proof["said"].startswith("2 of 2 niches have a winner. ")
    assert listed["champions"] == {name: niche.champion_id for name, niche in state.niches.items()}
    assert listed["champion_id"] == proof["winner"]["candidate_id"] == state.niche.champion_id
