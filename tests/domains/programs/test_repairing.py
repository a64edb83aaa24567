"""What is nearly right and would be ahead is repaired: seldom, once, and where its fault probably is."""

from __future__ import annotations

import pytest
from tests.domains.programs.making import SEED, prepared, sized, wished
from tests.domains.programs.test_runs import Bred, config_of
from tests.support.rows import check_rows

from mendel.bench.examining import Examination
from mendel.bench.records import Checked, Repair
from mendel.bench.repairing import MENDERS, mended, sharpened, suspected
from mendel.bench.workbench import Workbench
from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.code import Code
from mendel.breeding.library.search import heat
from mendel.breeding.localisation import LEAST
from mendel.breeding.normal_form import fingerprint
from mendel.breeding.view import View
from mendel.contracts.caps import RunCaps
from mendel.contracts.entropy import Entropy
from mendel.domains.programs.domain import CHECK, Programs
from mendel.domains.programs.models import payload
from mendel.kernel.digest import outcome_digest
from mendel.kernel.dossier import Dossier, Observation
from mendel.kernel.moves import Drop, Vary

PARCEL = """def parcel(weight: int, width: int, express: bool) -> int:
    for _ in range(40):
        price = 4
    if weight > 320:
        price = price + 11
        if weight > 350:
            price = price + weight - 350
    elif weight > 314:
        price = price + 3
    if width > 420:
        surcharge = width // 10
        if surcharge > 30:
            surcharge = 30
        price = price + surcharge
    if express:
        price = price * 2
        if price < 15:
            price = 15
    return price
"""
QUICK = PARCEL.replace("    for _ in range(40):\n        price = 4\n", "    price = 4\n")
FAULTY = QUICK.replace("price + 3", "price + 4")


RULES = """def generate(rng, size):
    return rng.randrange(300, 400), rng.randrange(300, 800), rng.random() < 0.5
"""


@pytest.fixture(scope="module")
def bench(native, tmp_path_factory):
    folder = tmp_path_factory.mktemp("repairs")
    (folder / "task.py").write_text(RULES)
    task = prepared(native, wished(folder, PARCEL, "parcel", "opcodes", task=folder / "task.py"))
    return Workbench(task, SEED)


def examined(native, bench, text, *, repairs=True) -> Checked:
    return native.awaited(Examination(bench, native.sandbox, {bench.task.main: text}, repairs=repairs).run())


def test_who_is_nearly_right_and_would_be_ahead_is_worth_a_repair(native, bench):
    found = examined(native, bench, FAULTY)
    assert not found.passed
    assert set(found.failing) <= {trial.index for trial in bench.seen_only if 314 < trial.args[0] <= 320}
    assert 0 < len(found.failing) <= len(bench.seen) // 4


@check_rows(
    ("text", "why"),
    [
        (FAULTY.replace("price = 4", "price = 5"), "it is wrong nearly everywhere"),
        (PARCEL.replace("price + 3", "price + 4"), "it would not be ahead"),
        (QUICK, "it is right"),
    ],
)
def test_others_are_not(native, bench, text, why):
    assert examined(native, bench, text).failing == (), why


def test_nobody_looks_where_it_is_not_its_turn_or_the_run_is_for_comparison(native, bench):
    assert examined(native, bench, FAULTY, repairs=False).failing == ()
    compared = Workbench(bench.task.model_copy(update={"contends": False}), SEED)
    assert examined(native, compared, FAULTY).failing == ()


def routed(checked):
    seen = Observation(CHECK, "examine", payload(checked))
    return Programs().route(Dossier("candidate-1", "verifying", 0, SEED, observations=(seen,)))


def test_its_route_drops_it_and_wishes_for_one_repair():
    fallen = Checked(passed=False, stage="small", detail="wrong", failing=(3, 5))
    out, again = routed(fallen)
    assert isinstance(out, Drop)
    assert isinstance(again, Vary)
    assert again.operator in MENDERS
    assert again.inputs == payload(Repair(failing=(3, 5)))
    assert routed(fallen)[1] == again
    assert [type(move) for move in routed(fallen.model_copy(update={"failing": ()}))] == [Drop]


MOST = 250
"""Nobody tries longer with one seed, which flatters those who look elsewhere."""
SEEDS = range(4)


def tries(view, heat, right, most):
    """How many repairs it takes in all until the right one was there for every seed; ``most`` are counted."""
    looked = View(view.code, view.roots, heat=heat)
    total = 0
    for seed in SEEDS:
        for number in range(1, MOST + 1):
            total += 1
            if total >= most or mends(looked, right, Entropy(seed, "try", number)):
                break
    return min(total, most)


def mends(looked, right, entropy):
    name = MENDERS[entropy.weighted([OPERATORS[each].weight for each in MENDERS], "mender")]
    made = mended(looked, name, entropy)
    return made is not None and fingerprint(made.code) == right


@pytest.mark.slow
def test_a_planted_fault_is_repaired_in_far_fewer_tries(native, bench):
    view = View(Code(FAULTY), ("parcel",))
    failing = examined(native, bench, FAULTY).failing
    hot = native.awaited(suspected(bench, view, failing, native.sandbox))
    line = FAULTY.split("\n").index("        price = price + 4") + 1
    assert hot[line] == max(hot.values())
    inputs = [trial.args for trial in bench.seen[-2:]]
    warm = native.awaited(heat(view, inputs, native.sandbox, entry="parcel"))
    right = fingerprint(Code(QUICK))
    localised = tries(view, hot, right, MOST * len(SEEDS))
    enough = 2 * localised + 1  # nobody has to be counted further than that
    assert (tries(view, warm, right, enough), tries(view, {}, right, enough)) == (enough, enough)


def test_nothing_is_beyond_reach():
    assert sharpened({1: 1.0, 2: 0.5, 3: LEAST}) == {1: 1.0, 2: 0.0625, 3: LEAST}


def test_a_repair_never_leads_back():
    view = View(Code("def f(x):\n    return x + 1\n"), ("f",))
    forms = {fingerprint(mended(view, "constant", Entropy(seed)).code) for seed in range(40)}
    assert len(forms) > 1
    avoided = min(forms)
    made = [mended(view, "constant", Entropy(seed), avoiding={avoided}) for seed in range(40)]
    assert all(fingerprint(each.code) != avoided for each in made if each is not None)


def test_there_is_nothing_to_wish_for_where_nothing_failed():
    assert Programs().repair(Checked(passed=True), Entropy(SEED)) is None


# --- in whole runs -------------------------------------------------------------------------------------------

SEARCH = '''def occurrences(text: str, pattern: str) -> list[int]:
    """Where the pattern begins in the text."""
    found = []
    for start in range(len(text) - len(pattern) + 1):
        fits = True
        for offset in range(len(pattern)):
            if text[start + offset] != pattern[offset]:
                fits = False
        if fits and pattern:
            found = found + [start]
    return found
'''


def bred(native, task, slots, seed):
    caps = RunCaps(max_population=12, max_generations=1_000, max_candidates=14, energy_budget=10**9)
    run = Bred(native, config_of(task, slots).model_copy(update={"caps": caps, "rng_seed": seed}))
    run.conduct()
    return run.state()


def repairs(state):
    return [each.genome for each in state.genomes.values() if each.genome.traits.data.get("repairs")]


@pytest.mark.breeding
def test_a_run_repairs_now_and_then_however_many_work_at_once(native, tmp_path):
    task = prepared(native, wished(tmp_path, SEARCH, "occurrences", "opcodes", task=sized(tmp_path)))
    seed, alone = next((seed, state) for seed in range(3, 30) if repairs(state := bred(native, task, 1, seed)))
    made = repairs(alone)
    assert all(genome.traits.data["repairs"] == 1 for genome in made)
    assert len(made) <= len(alone.genomes) // 4
    fallen = [alone.genomes[genome.parents[0]] for genome in made]
    assert all(each.best is None for each in fallen)
    assert outcome_digest(bred(native, task, 4, seed)) == outcome_digest(alone)
