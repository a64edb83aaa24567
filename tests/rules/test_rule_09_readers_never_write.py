"""Rule 9: readers never write. Queries, projections and replays change nothing."""

import ast
import asyncio
import os
from contextlib import aclosing
from pathlib import Path

import pytest
import structlog
from tests.rules.attackers import CEILING, PACES, PATIENCE_S, AttackDomain, Scene, configuration, hang
from tests.support.rows import check_rows

import mendel
from mendel.adapters.file.event_log import FileEventLog
from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.cli.main import _run
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import conduct, folded
from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.replaying import Replay
from mendel.ports.verification import verify
from mendel.projections.current_state import StateFold
from mendel.projections.explanation import ExplanationFold
from mendel.projections.health import HealthFold, RunFold
from mendel.projections.leaderboard import LeaderboardFold
from mendel.projections.lineage import LineageFold
from mendel.projections.replay_summary import ReplaySummaryFold

SOURCE = Path(mendel.__file__).parent


# --- the library ---------------------------------------------------------------------------------------------------


@pytest.fixture(params=["memory", "file"])
async def log(request, tmp_path):
    made = MemoryEventLog() if request.param == "memory" else FileEventLog(tmp_path / "runs")
    async with made as log:
        yield log


async def snapshot(log, run_id, tmp_path):
    """Every byte there is, and where the next event would go."""
    records = [record async for chunk in log.unchecked_records(run_id) for record in chunk]
    return (
        records,
        await log.tip(run_id),
        await log.commands(run_id),
        await log.checkpoints.get(run_id),
        files(tmp_path),
    )


def files(folder):
    """Every file below ``folder``: its bytes, and when it was last written."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    } | {str(path.relative_to(folder)): path.stat().st_mode for path in folder.rglob("*") if path.is_dir()}


async def read_all(log, run_id, candidate):
    assert [event async for event in log.read(run_id)]
    assert [event async for event in log.read(run_id, 10)]


async def list_all(log, run_id, candidate):
    assert run_id in {run.run_id for run in await log.runs()}


async def follow_some(log, run_id, candidate):
    async with aclosing(log.follow(run_id, 3)) as events:
        async for event in events:
            if event.sequence > 12:
                return


async def follow_commands(log, run_id, candidate):
    async with aclosing(log.follow_commands(run_id)) as commands:
        async for _ in commands:
            return


async def fold_it(log, run_id, candidate):
    state = await folded(log, run_id)
    assert state_digest(state)
    assert outcome_digest(state)
    await folded(log, run_id, state)


async def replay_it(log, run_id, candidate):
    replay = Replay()
    async for event in log.read(run_id):
        replay.take(event)
    assert replay.report()


async def verify_it(log, run_id, candidate):
    assert (await verify(log, run_id)).ok


async def project_it(log, run_id, candidate):
    makers = (RunFold, StateFold, HealthFold, LeaderboardFold, LineageFold, ReplaySummaryFold)
    folds = [make() for make in makers] + [ExplanationFold(candidate)]
    async for event in log.read(run_id):
        before = event.model_dump_json()
        for fold in folds:
            fold.take(event).view()
        assert event.model_dump_json() == before
    assert all(fold.view() for fold in folds)


READERS = [read_all, list_all, follow_some, follow_commands, fold_it, replay_it, verify_it, project_it]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
@pytest.mark.parametrize("over", [True, False], ids=["over", "going on"])
async def test_reading_leaves_every_byte_where_it_was(log, reader, over, tmp_path):
    scene = Scene(log=log)
    run_id = await scene.begin(pace=PACES["birth"])
    await scene.interrupt(run_id, lambda event: event.sequence > 30)
    await scene.ask(run_id, "set_parameters", slots=1)
    if over:
        await scene.resume(run_id)
    candidate = next(iter((await folded(log, run_id)).candidates))
    before = await snapshot(log, run_id, tmp_path)
    await asyncio.wait_for(reader(log, run_id, candidate), PATIENCE_S)
    assert await snapshot(log, run_id, tmp_path) == before


async def test_readers_do_not_disturb_a_run_that_goes_on(log):
    scene = Scene(AttackDomain(), log=log)
    run_id = await scene.begin()
    stop = asyncio.Event()

    async def read_on():
        while not stop.is_set():
            await folded(log, run_id)
            await log.runs()
            await asyncio.sleep(0.01)

    readers = [asyncio.create_task(read_on()) for _ in range(3)]
    attack = await scene.resume(run_id)
    stop.set()
    await asyncio.gather(*readers)
    assert attack.state.status == "completed"
    assert attack.state.epochs == 1


async def test_looking_at_a_run_does_not_take_it_over(log):
    scene = Scene(handlers={"attack.look": hang}, log=log)
    run_id = await scene.begin()
    await scene.interrupt(run_id, lambda event: event.type == "operation.started")
    epoch = (await folded(log, run_id)).epoch
    for reader in (read_all, list_all, fold_it):
        await reader(log, run_id, None)
    assert (await folded(log, run_id)).epoch == epoch


async def test_asking_for_a_run_that_is_not_there_makes_none(log, tmp_path):
    before = files(tmp_path)
    missing = "01980000-0000-7000-8000-000000000000"
    assert [event async for event in log.read(missing)] == []
    assert await log.runs() == ()
    assert files(tmp_path) == before


# --- what projections are made of ----------------------------------------------------------------------------------

PLAIN_DATA = ("mendel.bench.records", "mendel.domains.programs.models", "mendel.domains.texts.models")
MAY_IMPORT = (
    "mendel.contracts",
    "mendel.projections",
    *PLAIN_DATA,
    "mendel.guard.drawing",
    "mendel.guard.page",
    "mendel.guard.policy",
    "mendel.selection.pareto",
    "mendel.selection.population",
    "pydantic",
    "jinja2",
)
"""What a page is drawn with, the models of a domain, which are data, and who beats whom, which is arithmetic."""
WRITES = {
    "append",
    "submit",
    "conduct",
    "import_records",
    "put",
    "restore",
    "open",
    "write",
    "write_text",
    "write_bytes",
}


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("name", PLAIN_DATA)
def test_the_models_that_projections_read_are_data(name):
    tree = ast.parse((SOURCE.parent / f"{name.replace('.', '/')}.py").read_text())
    ours = {each for each in imported(tree) if each.startswith("mendel.")}
    assert {each for each in ours if not each.startswith(("mendel.contracts", *PLAIN_DATA))} == set()


@check_rows("path", sorted((SOURCE / "projections").rglob("*.py")))
def test_a_projection_imports_nothing_that_could_write(path):
    tree = ast.parse(path.read_text())
    standard = {"__future__", "collections", "dataclasses", "datetime", "heapq", "math", "types", "typing"}
    standard |= {"difflib", "functools", "importlib", "io", "re"}
    strangers = {
        name for name in imported(tree) if not name.startswith(MAY_IMPORT) and name.partition(".")[0] not in standard
    }
    assert strangers == set()


@check_rows("path", sorted((SOURCE / "projections").rglob("*.py")))
def test_a_projection_waits_for_nobody_and_opens_nothing(path):
    tree = ast.parse(path.read_text())
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef | ast.Await)]
    opened = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "open"]
    assert opened == []


@check_rows("module", ["fold", "fold_candidates", "digest", "replaying", "replay_lines", "state"])
def test_what_replays_has_no_way_to_a_log(module):
    tree = ast.parse((SOURCE / "kernel" / f"{module}.py").read_text())
    assert not {name for name in imported(tree) if name.startswith(("mendel.ports.event_log", "mendel.adapters"))}
    called = {node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call) and hasattr(node.func, "attr")}
    assert not called & (WRITES - {"append"})


# --- the command line ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def written(tmp_path_factory, plugins):
    """A folder with a run that is over and one that was interrupted; nobody changes it."""
    folder = tmp_path_factory.mktemp("home")

    async def write():
        async with FileEventLog(folder / ".mendel" / "runs") as log:
            fabric = MemoryTaskFabric(workers=0)
            run_id = await configure(log, configuration(domain="reference"), CEILING)
            state = await conduct(run_id, log=log, fabric=fabric, clock=SystemClock())
            await fabric.close()
            scene = Scene(log=log)
            await scene.interrupt(await scene.begin(), lambda event: event.sequence > 20)
            return run_id, next(iter(state.candidates))

    return folder, *asyncio.run(write())


@pytest.fixture
def home(written, monkeypatch):
    for name in list(os.environ):
        if name.startswith("MENDEL_") and not name.startswith("MENDEL_TEST_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("MENDEL_LOG__BACKEND", "file")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(written[0])
    yield written
    structlog.reset_defaults()


COMMANDS = [
    ["runs"],
    ["runs", "--json"],
    ["show", "RUN"],
    ["show", "latest", "--json"],
    ["events", "RUN"],
    ["events", "RUN", "--json", "--since", "5"],
    ["events", "RUN", "--follow"],
    ["explain", "RUN", "CANDIDATE"],
    ["explain", "RUN", "CANDIDATE", "--json"],
    ["replay", "RUN"],
    ["replay", "RUN", "--json"],
    ["replay", "latest"],
    ["log", "verify", "RUN"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_that_reads_leaves_the_folder_as_it_was(home, command, capsys):
    folder, run_id, candidate = home
    before = files(folder)
    named = {"RUN": run_id, "CANDIDATE": candidate}
    code = _run([named.get(word, word) for word in command])
    shown = capsys.readouterr()
    assert code == 0, shown.err
    assert shown.out
    assert files(folder) == before


def test_they_read_from_a_folder_that_nobody_may_write_to(home, capsys):
    folder, run_id, candidate = home
    if os.geteuid() == 0:
        pytest.skip("nothing is forbidden to root")
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        for command in (["runs"], ["show", run_id], ["events", run_id], ["explain", run_id, candidate]):
            assert _run(command) == 0, capsys.readouterr().err
    finally:
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o700)
