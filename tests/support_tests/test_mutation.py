"""Mutants are told in words, and found again in another version of the source."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.mutation.drawing import alike, drawn

SUM = """
def total(items):
    found = 0
    for item in items:
        if item > 0:
            found += item
    return found
"""
MOVED = "\n\ndef first(items):\n    return items[0]\n" + SUM
CHANGED = SUM.replace("item > 0", "item >= 0")


def room_of(folder: Path, source: str, name: str = "sums.py") -> Path:
    (folder / "room").mkdir(parents=True)
    (folder / "room" / name).write_text(source)
    return folder / "room"


def test_the_mutants_of_another_version_are_found_in_other_lines_and_files(tmp_path):
    own = drawn(room_of(tmp_path / "own", SUM), 300, seed=7)
    told = [mutant.tell(tmp_path / "own") for mutant in own]
    assert any("sums.py:6 total" in each and "found += item -> found = item" in each for each in told)
    moved = alike(room_of(tmp_path / "moved", MOVED, "folding.py"), tmp_path / "moved", told)
    assert Counter(mutant.operator for mutant in moved) == Counter(mutant.operator for mutant in own)
    assert {mutant.lines.start for mutant in moved} == {mutant.lines.start + 4 for mutant in own}


def test_a_mutant_of_what_has_changed_is_none_of_another_version(tmp_path):
    own = drawn(room_of(tmp_path / "own", SUM), 300, seed=7)
    told = [mutant.tell(tmp_path / "own") for mutant in own]
    found = alike(room_of(tmp_path / "changed", CHANGED), tmp_path / "changed", told)
    assert 0 < len(found) < len(own)
    assert not any("item > 0 ->" in mutant.tell(tmp_path / "changed") for mutant in found)
