"""Conductors are killed: at random moments, and exactly in the gaps."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import count
from typing import Final, Literal

from tests.chaos import marks
from tests.chaos.kernel_gaps import REACHED, Place
from tests.chaos.kernel_scene import ConductorProcess, KernelScene, Kind, Plan, Staged
from tests.chaos.kernel_tally import APPEND, EFFECT, GAPS, MARKER, OTHER
from tests.chaos.marks import BEGIN, END, Mark
from tests.chaos.scene import HANG_S

Aim = Place | Literal["within append"]

_AIMS: Final[dict[Aim, int]] = {
    "nowhere": 40,
    "submit": 12,
    "results": 16,
    "before append": 8,
    "after append": 10,
    "within append": 10,
    "acknowledge": 4,
}
_AIMED_AT: Final[dict[str, tuple[Aim, ...]]] = {
    MARKER: ("submit",),
    EFFECT: ("results",),
    APPEND: ("before append", "after append"),
}
_LONGEST_WAIT_S: Final = 0.05
_STARTING_S: Final = 0.3
_WITHIN_S: Final = 0.002
_LONGEST_LIFE: Final = 24


class ConductorKills:
    """Kills, checks, and lets another conductor take the run over; until all kills are made and all runs are over."""

    def __init__(self, scene: KernelScene, seed: str, *, kills: int, at_least: int) -> None:
        self._scene = scene
        self._seed = seed
        self._lives = 0
        self._draws = random.Random(seed)
        self._left = kills
        self._at_least = at_least

    def run(self, runs: int, births: int) -> None:
        """At least ``runs`` runs, and as many more as the kills need."""
        shapes = self._shapes()
        for number in count():
            if not self._left and number >= runs:
                return
            kind, slots = shapes[number % len(shapes)]
            plan = Plan.drawn(random.Random(f"{self._seed}/run {number}"), kind, slots, births)
            self._run(plan, kills=-(-self._left // max(1, runs - number)))

    def _shapes(self) -> list[tuple[Kind, int]]:
        """Both paces by turns, on one slot, on eight, and on those between, in any order."""
        kinds: list[Kind] = ["generational", "steady"]
        self._draws.shuffle(kinds)
        slots = [*self._draws.sample([1, 8], 2), *self._draws.sample(range(2, 8), 6)]
        return [(kinds[number % 2], each) for number, each in enumerate(slots)]

    def _run(self, plan: Plan, kills: int) -> None:
        staged = self._scene.stage(plan)
        twin = self._scene.conduct(staged.twin_id, plan.twin_slots)
        over = False
        while kills and not over:
            over = not self._life(staged)
            kills -= not over
        if not over:
            self._scene.conduct(staged.run_id, plan.slots).ended_well()
        self._scene.finish(staged, twin)

    def _life(self, staged: Staged) -> bool:
        """One conductor's life; whether it was killed before the run was over.

        Each life has draws of its own: how the ones before it went changes nothing in them.
        """
        self._lives += 1
        self._draws = random.Random(f"{self._seed}/life {self._lives}")
        aim = self._aim()
        nth = self._draws.randint(1, _LONGEST_LIFE)
        place: Place = "nowhere" if aim == "within append" else aim
        conductor = self._scene.conduct(staged.run_id, staged.plan.slots, place, nth)
        if not self._await_moment(conductor, aim, nth) or not conductor.killed_alive():
            conductor.ended_well()
            return False
        self._judge(staged, conductor, aim)
        return True

    def _aim(self) -> Aim:
        tally = self._scene.tally
        lacking = {gap: self._at_least - tally.gaps[gap] for gap in GAPS if tally.gaps[gap] < self._at_least}
        if sum(lacking.values()) >= self._left:
            return self._draws.choice(_AIMED_AT[self._draws.choice(sorted(lacking))])
        return self._draws.choices(list(_AIMS), list(_AIMS.values()))[0]

    def _await_moment(self, conductor: ConductorProcess, aim: Aim, nth: int) -> bool:
        """Whether it came while the conductor lived."""
        if aim == "nowhere" and nth <= 2:
            time.sleep(self._draws.uniform(0, _STARTING_S))
            return True
        if aim == "nowhere":
            came, wait_s = counted(END, nth), _LONGEST_WAIT_S
        elif aim == "within append":
            came, wait_s = counted(BEGIN, nth), _WITHIN_S
        else:
            came, wait_s = counted(REACHED, 1), 0.0
        if not conductor.marks.wait_for(came, 0, HANG_S):
            return False  # it is over, or it hangs, which shows when its end is waited for
        time.sleep(self._draws.uniform(0, wait_s))
        return True

    def _judge(self, staged: Staged, conductor: ConductorProcess, aim: Aim) -> None:
        hit = self._scene.wait_for(staged.witness.judge_kill(self._scene.log))
        gaps = {
            MARKER: hit.marker_to_effect,
            EFFECT: hit.effect_to_completion,
            APPEND: marks.committing(conductor.marks.so_far()),
        }
        tally = self._scene.tally
        tally.killed += 1
        tally.gaps.update([gap for gap, was_hit in gaps.items() if was_hit] or [OTHER])
        if aim != "nowhere":
            tally.aimed[aim] += 1
        self._left -= 1


def counted(kind: bytes, least: int) -> Callable[[list[Mark]], bool]:
    """Whether there are that many marks of the kind."""

    def holds(found: list[Mark]) -> bool:
        return sum(mark.kind == kind for mark in found) >= least

    return holds
