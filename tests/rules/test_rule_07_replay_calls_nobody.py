"""Rule 7: replay calls nobody. Every draw is derived from the run's seed or recorded."""

import ast
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import orjson
import pytest
from tests.rules.attackers import CEILING, PACES, USED, AttackDomain, Scene, configuration, route, thing
from tests.support.rows import check_rows

import mendel
from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.verdicts import Reason
from mendel.contracts.work import Answer
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import conduct
from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.moves import Drop
from mendel.ports.transfer import export_run

SOURCE = Path(mendel.__file__).parent
every_pace = pytest.mark.parametrize("pace", PACES.values(), ids=PACES.keys())
repeatable = pytest.mark.parametrize("pace", [PACES["generational"], PACES["birth"]], ids=["generational", "birth"])


# --- in a process that can reach nobody ----------------------------------------------------------------------------

LONELY = r'''
import sys, time, datetime as datetimes
import difflib, enum, functools, hashlib, heapq, typing, uuid  # what folding is built of; the rest is forbidden
import orjson, pydantic, pydantic_core, uuid_utils

class Warm(pydantic.BaseModel):
    """Makes pydantic load the parts of it that it loads late."""

    at: pydantic.AwareDatetime
    text: typing.Annotated[str, pydantic.StringConstraints(pattern="x"), pydantic.Field(max_length=3)]
    inner: dict[str, pydantic.JsonValue]
    others: tuple[pydantic.SerializeAsAny["Warm"], ...] = ()

    @pydantic.field_validator("text")
    @classmethod
    def _look(cls, value: str, info: pydantic.ValidationInfo) -> str:
        return value

    @pydantic.model_validator(mode="after")
    def _whole(self) -> "Warm":
        return self

Warm.model_validate({"at": "2000-01-01T00:00:00Z", "text": "x", "inner": {}}).model_dump_json()
pydantic.TypeAdapter(tuple[int, ...])

FORBIDDEN = ("mendel.adapters", "mendel.api", "mendel.cli", "mendel.domains", "mendel.guard", "mendel.breeding",
             "mendel.wiring", "mendel.settings", "mendel.ports.task_fabric", "mendel.ports.clock",
             "mendel.ports.handlers", "mendel.ports.registry", "mendel.ports.event_log", "mendel_reference", "tests",
             "socket", "ssl", "subprocess", "multiprocessing", "asyncio", "random", "secrets", "psycopg", "httpx")

def forbidden(name):
    return any(name == each or name.startswith(each + ".") for each in FORBIDDEN)

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if forbidden(name):
            raise ImportError(f"{name} is not to be had here")

for name in [name for name in sys.modules if forbidden(name)]:
    del sys.modules[name]
sys.meta_path.insert(0, Refuse())

def never(*_given, **_named):
    raise SystemExit("somebody looked at a clock")

for name in ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "sleep", "gmtime",
             "localtime"):
    setattr(time, name, never)

real = datetimes.datetime

class Kind(type):
    def __instancecheck__(cls, value):
        return isinstance(value, real)

class NoClock(real, metaclass=Kind):
    now = utcnow = today = never
    fromisoformat = real.fromisoformat
    fromtimestamp = real.fromtimestamp

datetimes.datetime = NoClock

def audit(event, given):
    if event.startswith(("socket.", "subprocess.", "os.exec", "os.fork", "os.system", "os.posix_spawn")):
        raise SystemExit(f"somebody did {event}")
    if event == "open" and isinstance(given[1], str) and set("wax+") & set(given[1]):
        raise SystemExit(f"somebody wrote {given[0]}")

sys.dont_write_bytecode = True
sys.addaudithook(audit)

from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.fold import fold
from mendel.kernel.state import RunState
from mendel.ports.records import Record, event_of
from mendel.ports.run_file import parse_lines

for name in ("socket", "subprocess", "random", "mendel.adapters.memory.clock", "mendel.ports.clock", "tests"):
    try:
        __import__(name)
    except ImportError:
        pass
    else:
        raise SystemExit(f"{name} is to be had after all")

state, ends = None, []
for line in parse_lines(iter(sys.stdin.buffer)):
    if isinstance(line, Record):
        event = event_of(line)
        state = state or RunState(event.run_id)
        summary = getattr(event.payload, "summary", None)
        if summary is not None:
            ends.append([state_digest(state) == summary.state_digest, outcome_digest(state) == summary.outcome_digest])
        fold(state, event)
known = sorted(name for name in sys.modules if forbidden(name))
print(orjson.dumps({"state": state_digest(state), "outcome": outcome_digest(state), "ends": ends, "known": known})
      .decode())
'''


def replayed_alone(data, tmp_path):
    """What a process says of the run file that can import nobody and has no clock."""
    script = tmp_path / "lonely.py"
    script.write_text(LONELY)
    environment = {"PYTHONPATH": str(SOURCE.parent), "PATH": ""}
    done = subprocess.run([sys.executable, script], input=data, capture_output=True, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    return orjson.loads(done.stdout)


async def exported(log, run_id):
    target = BytesIO()
    await export_run(log, run_id, target)
    return target.getvalue()


async def _unlucky(work):
    if work.entropy.below(4, "luck") == 0:
        raise RuntimeError("one of those that fail")
    return Answer(findings=thing(seen=True), usage=USED)


def _picky(dossier):
    seen = dossier.last("attack.look")
    if seen is not None and seen.failed is not None and dossier.phase == "verifying":
        return (Drop(reason=Reason(code="blind", message="nobody saw it")),)
    return route(dossier)


@every_pace
async def test_a_run_is_folded_where_nobody_can_be_reached(pace, tmp_path):
    scene = Scene(AttackDomain(route=_picky), {"attack.look": _unlucky})
    attack = await scene.play(pace=pace)
    alone = replayed_alone(await exported(scene.log, attack.run_id), tmp_path)
    assert alone["state"] == state_digest(attack.state)
    assert alone["outcome"] == outcome_digest(attack.state)
    assert alone["ends"] == [[True, True]], "and the run itself said so at its end"
    assert alone["known"] == []


async def test_a_run_of_an_installed_domain_is_folded_where_that_is_not_installed(tmp_path):
    log, fabric = MemoryEventLog(), MemoryTaskFabric(workers=0)
    config = configuration(domain="reference")
    run_id = await configure(log, config, CEILING)
    try:
        state = await conduct(run_id, log=log, fabric=fabric, clock=SystemClock())
    finally:
        await fabric.close()
    assert state.niche.challenges, "verdicts and adoptions too"
    alone = replayed_alone(await exported(log, run_id), tmp_path)
    assert (alone["state"], alone["ends"]) == (state_digest(state), [[True, True]])


async def test_a_run_that_is_still_going_on_is_folded_too(tmp_path):
    scene = Scene()
    run_id = await scene.begin()
    await scene.interrupt(run_id, lambda event: event.sequence >= 40)
    alone = replayed_alone(await exported(scene.log, run_id), tmp_path)
    assert alone["ends"] == []
    attack = await scene.resume(run_id)
    alone = replayed_alone(await exported(scene.log, run_id), tmp_path)
    assert (alone["state"], alone["ends"]) == (state_digest(attack.state), [[True, True]])


# --- every draw derives from the seed ------------------------------------------------------------------------------


@repeatable
async def test_the_same_seed_comes_out_the_same(pace):
    one, two = [await Scene().play(pace=pace, rng_seed=11) for _ in range(2)]
    assert outcome_digest(one.state) == outcome_digest(two.state)
    assert state_digest(one.state) != state_digest(two.state), "they are different runs, at different times"


@repeatable
async def test_the_number_of_slots_changes_nothing(pace):
    runs = [await Scene().play(pace=pace, rng_seed=11, slots=slots) for slots in (1, 3, 8)]
    assert len({outcome_digest(run.state) for run in runs}) == 1


@every_pace
async def test_another_seed_comes_out_otherwise(pace):
    one, two = [await Scene().play(pace=pace, rng_seed=seed) for seed in (11, 12)]
    assert outcome_digest(one.state) != outcome_digest(two.state)


@repeatable
async def test_a_run_that_was_interrupted_comes_out_as_its_twin(pace):
    twin = await Scene().play(pace=pace, caps={"max_tool_calls": 10_000})
    scene = Scene()
    run_id = await scene.begin(pace=pace, caps={"max_tool_calls": 10_000})
    for sequence in (7, 30, 55, 80):
        await scene.interrupt(run_id, lambda event, least=sequence: event.sequence >= least)
    assert outcome_digest((await scene.resume(run_id)).state) == outcome_digest(twin.state)


async def test_a_domain_that_draws_for_itself_is_still_folded_to_what_it_drew(tmp_path):
    import random

    async def vary(work):
        return Answer(traits=thing(value=random.random()), usage=USED)

    scene = Scene(handlers={"attack.vary": vary})
    attack = await scene.play()
    alone = replayed_alone(await exported(scene.log, attack.run_id), tmp_path)
    assert alone["state"] == state_digest(attack.state)


# --- what the code itself reaches for ------------------------------------------------------------------------------

DRAWING = {"random", "secrets", "uuid", "uuid_utils", "scipy"}
CLOCKS = {"time", "utc_now", "monotonic", "perf_counter"}
LOOKING = {"now", "utcnow", "today", "time", "monotonic", "perf_counter", "utc_now"}

WORLDLY = {"conductor", "conduct", "performing", "domain_thread", "times", "replay_process", "beginning", "inheriting"}
PURE = sorted(path for path in (SOURCE / "kernel").glob("*.py") if path.stem not in WORLDLY)
"""All of the kernel but those who conduct: folding, deciding, and what both are made of."""


def imported(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def drawn_from(path):
    """Generators that a file imports, or reaches for in a library that it computes with."""
    reached = (node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute))
    named = {name for name in imported(path) if name.partition(".")[0] in DRAWING or "numpy.random" in name}
    return named | ({"random", "default_rng", "RandomState"} & set(reached))


@check_rows("path", [*(SOURCE / "kernel").glob("*.py"), *(SOURCE / "selection").glob("*.py")])
def test_nothing_that_chooses_imports_a_generator(path):
    assert drawn_from(path) == set()


@check_rows("path", PURE)
def test_nothing_that_folds_or_decides_looks_at_a_clock(path):
    names = {part for name in imported(path) for part in (name.partition(".")[0], name.rpartition(".")[2])}
    assert not names & CLOCKS
    assert not [
        ast.unparse(node)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOOKING
    ]


@check_rows("path", PURE)
def test_nothing_that_folds_or_decides_reaches_for_the_world(path):
    reached = {name for name in imported(path) if name.partition(".")[0] in {"asyncio", "os", "socket", "subprocess"}}
    ports = {name for name in imported(path) if name.startswith("mendel.ports")} if path.stem.startswith("fold") else {}
    assert not reached
    assert not ports


def test_the_checks_see_what_they_are_for(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("import random\nfrom uuid import uuid4\nimport os.path\nfrom time import time\n")
    assert drawn_from(bad) == {"random", "uuid", "uuid.uuid4"}
    assert "time" in set(imported(bad))
    assert {path.stem for path in PURE} >= {"fold", "fold_candidates", "decide", "breeding", "digest", "state"}
