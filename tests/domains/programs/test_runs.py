"""Whole runs: the same outcome however many work at once, after a kill, and on replay."""

from __future__ import annotations

import pytest
from tests.domains.programs.making import SEED, SORT, prepared, sized, wished
from tests.guard.making import Native

from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.contracts.caps import RunCaps
from mendel.contracts.errors import MendelError
from mendel.contracts.run_config import Pace, RunConfig
from mendel.contracts.scoring import ScoringPolicy
from mendel.domains.programs.domain import Programs
from mendel.domains.programs.front.report import ROWS
from mendel.domains.programs.models import ProgramTask, ProgramTraits, payload
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import conduct, folded
from mendel.kernel.conductor import Options
from mendel.kernel.digest import outcome_digest
from mendel.kernel.replaying import Replay
from mendel.projections.report.view import ReportFold

CANDIDATES = 12

pytestmark = pytest.mark.xdist_group("runs of programs")


@pytest.fixture(scope="module")
def task(native, tmp_path_factory) -> ProgramTask:
    folder = tmp_path_factory.mktemp("runs")
    return prepared(native, wished(folder, SORT, "sort", "opcodes", task=sized(folder)))


def config_of(task: ProgramTask, slots: int) -> RunConfig:
    return RunConfig(
        domain="programs",
        problem="subject.py:sort",
        rng_seed=SEED,
        caps=RunCaps(max_population=12, max_generations=1_000, max_candidates=CANDIDATES, energy_budget=10**9),
        pace=Pace(kind="steady", order="birth", window=4),
        slots=slots,
        selector="epsilon",
        scoring_policy=ScoringPolicy(version="programs-1", weights={"opcodes": 1.0}),
        domain_config=payload(task),
    )


class Bred:
    """One run on a log in memory, conducted as often as a test likes."""

    def __init__(self, native: Native, config: RunConfig) -> None:
        self.native, self.config = native, config
        self.log = MemoryEventLog(clock=SystemClock().now)
        ceiling = RunCaps(**dict.fromkeys(RunCaps.model_fields, 2**53 - 1))
        self.run_id = native.on_fabric(lambda fabric: configure(self.log, config, ceiling, fabric=fabric))

    def conduct(self, options: Options | None = None):
        return self.native.on_fabric(
            lambda fabric: conduct(self.run_id, log=self.log, fabric=fabric, clock=SystemClock(), options=options)
        )

    def state(self):
        return self.native.awaited(folded(self.log, self.run_id))

    def events(self):
        async def read():
            return [event async for event in self.log.read(self.run_id)]

        return self.native.awaited(read())


class _Killed(MendelError):
    """Stands for a conductor that is gone."""


def killing_after(count):
    left = [count]

    def listen(_event):
        left[0] -= 1
        if left[0] == 0:
            raise _Killed("gone")

    return Options(listen=listen)


@pytest.fixture(scope="module")
def whole(native, task) -> Bred:
    bred = Bred(native, config_of(task, 1))
    bred.conduct()
    return bred


@pytest.mark.slow
def test_a_run_breeds_scores_and_says_where_candidates_fell(whole):
    state = whole.state()
    assert state.status == "completed"
    assert len(state.candidates) == CANDIDATES
    assert state.scored >= 2
    view = ReportFold(ROWS)
    for event in whole.events():
        view.take(event)
    found = view.view()
    assert found.counts.births == CANDIDATES
    assert found.original == {"subject.py": SORT}


@pytest.mark.breeding
def test_how_many_work_at_once_changes_nothing(native, task, whole):
    other = Bred(native, config_of(task, 4))
    other.conduct()
    assert outcome_digest(other.state()) == outcome_digest(whole.state())


def test_a_killed_run_ends_as_one_that_never_was(native, task, whole):
    bred = Bred(native, config_of(task, 2))
    before = []
    for after in (30, 45, 60):
        with pytest.raises(_Killed):
            bred.conduct(killing_after(after))
        events = bred.events()
        assert events[: len(before)] == before
        before = events
    assert bred.conduct().terminal
    assert bred.events()[: len(before)] == before
    assert outcome_digest(bred.state()) == outcome_digest(whole.state())


def test_replay_calls_nobody_and_arrives_where_the_run_did(whole):
    replayed = Replay()
    for event in whole.events():
        replayed.take(event)
    report = replayed.report()
    assert (report.state_digest, report.outcome_digest) == (
        report.recorded_state_digest,
        report.recorded_outcome_digest,
    )
    assert report.recorded_state_digest is not None


def test_a_proposal_is_admitted_if_it_parses():
    task_config = config_of(
        ProgramTask(
            path="s.py", files={"s.py": SORT}, main="s.py", entry="s:sort", function="sort", roots={"s.py": ("sort",)},
            objectives={"speed": 1.0},
        ),
        1,
    )  # fmt: skip
    domain = Programs()
    good = domain.admit({"files": {"s.py": SORT.replace("result", "r")}}, task_config)
    assert ProgramTraits.model_validate(good.data).operator == "proposal"
    assert "does not parse" in domain.admit({"files": {"s.py": "def"}}, task_config).reason
    assert "exactly s.py" in domain.admit({"files": {}}, task_config).reason
