"""The programs in other languages that `mendel evolve` is shown with: each can be made a task of, as its head says."""

import re
import shlex
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from tests.domains.texts.making import SEED, WithCommands
from tests.support import skip_or_fail

from mendel.bench.planning import Search
from mendel.contracts.errors import SandboxUnavailable
from mendel.contracts.scrub import Scrubber
from mendel.domains.texts.bench import Bench
from mendel.domains.texts.examining import Examination
from mendel.domains.texts.preparing import plan
from mendel.domains.texts.wishes import TextWish, drafted

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "text_programs"


@pytest.fixture(scope="module")
def native():
    try:
        place = WithCommands()
    except SandboxUnavailable as error:
        skip_or_fail(str(error))
    yield place
    place.close()


def wish(path):
    """What the first lines of an example say how to run it."""
    target, *rest = shlex.split(re.search(r"mendel evolve ([^\n]+)", path.read_text()).group(1))
    said = dict(pairwise(rest))
    return TextWish(
        files=(Path(target),), run=said["--run"], score=said.get("--score"), maximize="--minimize" not in rest
    )


@pytest.mark.breeding
@pytest.mark.parametrize(
    ("name", "where", "change"),
    [
        ("primes.awk", ROOT, ('            tried[n] = tried[n] " " d\n', "")),
        ("packing.js", FOLDER, ("lookBack = 1;", "lookBack = 50;")),
    ],
)
def test_an_example_is_a_task_and_can_be_improved(native, monkeypatch, name, where, change):
    if name.endswith(".js") and shutil.which("node") is None:
        pytest.skip("no node here")
    monkeypatch.chdir(where)
    task = drafted(wish(FOLDER / name), Scrubber(()))
    task = native.on_fabric(plan(task, SEED, Search()).measured_task)
    assert task.seeded
    path = task.editable[0]
    found = native.awaited(
        Examination(Bench(task, SEED), {path: task.files[path].replace(*change)}, native.sandbox).run()
    )
    assert found.passed, found.detail
    if task.objective == "score":
        assert found.gain > found.stands_at + found.lead
