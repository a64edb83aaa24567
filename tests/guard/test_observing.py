"""What implementations answer, seen through a sandbox."""

import asyncio

import pytest
from tests.guard.making import LISTS, NUMBERS, VouchedSandbox, source, trial

from mendel.contracts.errors import SpecFailed
from mendel.contracts.evaluations import MIB
from mendel.guard import GuardConfig, MetamorphicRelation, TaskSpec
from mendel.guard.observing import MOST_TRIALS, Answers, Observer
from mendel.guard.trials import Trials

DOUBLE = "def solve(x):\n    return 2 * x\n"
FORGETFUL = "seen = []\ndef solve(x):\n    seen.append(x)\n    return len(seen)\n"

RESULT_BYTES = 16 * MIB


def observer(sandbox: VouchedSandbox, *relations: MetamorphicRelation, **options) -> tuple[Observer, Trials]:
    spec = TaskSpec("task", NUMBERS, relations=relations)
    config = GuardConfig(**{"parallel": 1, **options})
    return Observer(sandbox, spec, config), Trials(spec, config.seed)


def values(found: list[Answers]) -> list[object]:
    return [each.original.value for each in found]


def test_answers_come_in_the_order_of_the_trials_however_many_processes_share_them():
    for parallel, processes in ((1, 1), (3, 3), (8, 7)):
        watcher, trials = observer(VouchedSandbox(), parallel=parallel)
        seen = asyncio.run(watcher.observe(source(DOUBLE).program, trials.of([(n,) for n in range(20)])))
        assert values(seen.answers) == [2 * n for n in range(20)]
        assert seen.usage.forks == processes


def test_a_process_sees_no_more_trials_than_its_room_for_results_is_meant_for():
    sandbox = VouchedSandbox()
    watcher, trials = observer(sandbox)
    asyncio.run(watcher.observe(source(DOUBLE).program, trials.of([(n,) for n in range(MOST_TRIALS + 1)])))
    assert sorted(len(ask.cases) for ask in sandbox.asks) == [1, MOST_TRIALS]


def test_variants_are_asked_for_and_those_that_do_not_apply_are_not():
    sandbox = VouchedSandbox()
    watcher, trials = observer(
        sandbox,
        MetamorphicRelation("next", lambda x: (x + 1,)),
        MetamorphicRelation("half", lambda x: None if x % 2 else (x // 2,)),
    )
    seen = asyncio.run(watcher.observe(source(DOUBLE).program, trials.of([(3,), (4,)])))
    assert [(each.original.value, *(v and v.value for v in each.variants)) for each in seen.answers] == [
        (6, 8, None),
        (8, 10, 4),
    ]
    assert sum(len(ask.cases) for ask in sandbox.asks) == 5


def test_alone_every_call_has_a_fresh_process():
    watcher, trials = observer(VouchedSandbox(), MetamorphicRelation("next", lambda x: (x + 1,)))
    program = source(FORGETFUL).program
    together = asyncio.run(watcher.observe(program, trials.of([(1,), (2,)])))
    assert values(together.answers) == [1, 3]
    alone = asyncio.run(watcher.alone(program, trials.one(0, (1,))))
    assert (alone.original.value, alone.variants[0].value) == (1, 1)


def test_trials_that_a_fresh_process_contradicts_are_named_by_their_number():
    watcher, trials = observer(VouchedSandbox())
    seen = asyncio.run(watcher.observe(source(FORGETFUL).program, trials.of([(1,)] * 4, first=10), recheck=1.0))
    assert seen.changing
    assert set(seen.changing) <= {10, 11, 12, 13}
    steady = asyncio.run(watcher.observe(source(DOUBLE).program, trials.of([(1,)] * 4), recheck=1.0))
    assert steady.changing == ()


def test_limits_and_packages_are_those_that_were_asked_for():
    sandbox = VouchedSandbox()
    spec = TaskSpec("task", NUMBERS, packages=("pytest",))
    watcher = Observer(sandbox, spec, GuardConfig(timeout_s=0.5, mem_mb=99))
    asyncio.run(watcher.observe(source(DOUBLE).program, [trial(1)]))
    ask = sandbox.asks[0]
    assert (ask.limits.case_s, ask.limits.memory_bytes, ask.limits.result_bytes) == (0.5, 99 * MIB, RESULT_BYTES)
    assert ask.grants.packages == ("pytest",)


def test_answers_that_are_too_large_only_together_get_room_of_their_own():
    watcher, trials = observer(VouchedSandbox())
    size = RESULT_BYTES // 3
    program = source(f"def solve(x):\n    return b'x' * {size}\n").program
    seen = asyncio.run(watcher.observe(program, trials.of([(n,) for n in range(5)])))
    assert [len(answer) for answer in values(seen.answers)] == [size] * 5


def test_answers_that_are_too_large_anyhow_are_tried_a_few_times_only():
    sandbox = VouchedSandbox()
    watcher, trials = observer(sandbox)
    program = source(f"def solve(x):\n    return b'x' * {2 * RESULT_BYTES}\n").program
    seen = asyncio.run(watcher.observe(program, trials.of([(n,) for n in range(20)])))
    assert {each.original.error_code for each in seen.answers} == {"SANDBOX_RESULT_TOO_LARGE"}
    assert len(sandbox.asks) < 10


def test_an_input_that_cannot_be_handed_over_is_the_tasks_failure():
    watcher, _ = observer(VouchedSandbox())
    with pytest.raises(SpecFailed, match=r"task 'task'.*not plain data"):
        asyncio.run(watcher.observe(source(DOUBLE).program, [trial(object())]))


def test_lists_reach_the_program_as_they_are():
    watcher = Observer(VouchedSandbox(), TaskSpec("task", LISTS), GuardConfig())
    seen = asyncio.run(watcher.observe(source("def solve(x):\n    return x\n").program, [trial([1, 2]), trial([])]))
    assert values(seen.answers) == [[1, 2], []]
