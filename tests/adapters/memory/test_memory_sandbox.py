"""The sandbox without walls: what it keeps of the contract, what it does not, and that it says so."""

import builtins
import decimal
import os
import random
import sys
from functools import partial
from pathlib import Path

import pytest

from mendel.adapters.memory.sandbox import MemorySandbox
from mendel.conformance.sandbox import SandboxContract
from mendel.contracts.errors import SandboxRefused, SandboxUnavailable
from mendel.contracts.evaluations import Case, Grants, Program, Shape
from mendel.contracts.plain_values import Record

NOTHING = Program.of("def f():\n    return 1\n", "f")


class TestMemorySandbox(SandboxContract):
    """Without a process of its own nothing can be ended, limited, hidden or forgotten."""

    # Would end, stop or starve this process.
    test_a_program_that_never_loads_is_out_of_time = None
    test_one_case_out_of_time_does_not_cost_the_others = None
    test_once_the_time_of_the_batch_is_over_the_rest_is_not_run = None
    test_too_much_memory_is_an_outcome = None
    test_a_program_that_ends_its_process_is_killed = None
    test_a_crash_costs_one_case = None
    test_failures_stay_with_their_callers = None
    test_a_cancelled_call_leaves_the_sandbox_usable = None
    test_closed_output_harms_nobody = None
    test_closing_ends_calls = None
    # Files, environment and the modules of this process are everybody's.
    test_nothing_of_a_program_is_there_for_the_next = None
    test_a_program_learns_nothing_of_ours = None
    test_a_granted_file_can_be_read_and_not_changed = None
    test_a_program_may_lie_on_disk = None
    test_a_package_can_be_imported_where_it_was_granted = None
    # What is written past Python's own streams is not seen.
    test_output_is_captured = None

    @pytest.fixture(scope="class")
    @classmethod
    def open_sandbox(cls):
        return partial(MemorySandbox, allow_weak=True)


@pytest.fixture
def sandbox():
    return MemorySandbox(allow_weak=True)


async def value_of(sandbox, source, *args, **options):
    evaluation = await sandbox.evaluate(Program.of(source, "f"), [Case(args)], **options)
    assert evaluation.outcomes[0].succeeded, evaluation.outcomes[0]
    return evaluation.outcomes[0].value


async def test_it_refuses_unless_a_weak_sandbox_is_allowed():
    sandbox = MemorySandbox()
    with pytest.raises(SandboxUnavailable, match=r"every layer is missing.*allow_weak"):
        await sandbox.isolation()
    with pytest.raises(SandboxUnavailable, match="never be adopted"):
        await sandbox.evaluate(NOTHING, [Case()])


async def test_every_result_says_that_it_is_weak(sandbox):
    evaluation = await sandbox.evaluate(NOTHING, [Case()])
    assert evaluation.isolation == await sandbox.isolation()
    assert (evaluation.isolation.tier, evaluation.isolation.layers) == ("weak", ())
    assert not evaluation.isolation.adoptable


async def test_output_of_the_streams_is_captured(sandbox):
    source = "import sys\n\ndef f():\n    print('out')\n    print('err', file=sys.stderr)\n    sys.stdout.close()\n"
    source += "    print('ü')\n"
    evaluation = await sandbox.evaluate(Program.of(source, "f"), [Case()])
    assert evaluation.output == "out\nerr\nü\n"


async def test_the_interpreter_is_put_back(sandbox):
    source = """
import builtins, decimal, os, random, sys
builtins.mark = 1
builtins.sorted = str
os.environ["MARK"] = "1"
os.environ.pop("KEPT")
sys.path.insert(0, "mark")
sys.meta_path.append(None)
sys.argv.append("mark")
sys.setrecursionlimit(5_000)
decimal.getcontext().prec = 3
random.seed(1)
os.chdir("/")
sys.stdout = None
sys.settrace(print)

def f():
    return 1
"""
    os.environ["KEPT"] = "1"
    try:
        before = known()
        random.seed(5)
        state = random.getstate()
        assert await value_of(sandbox, source) == 1
        assert known() == before
        assert random.getstate() == state
    finally:
        del os.environ["KEPT"]


def known():
    """What a program could have changed about this interpreter."""
    lists = [list(sys.path), list(sys.meta_path), list(sys.argv), dict(os.environ), dict(vars(builtins))]
    return lists, sys.getrecursionlimit(), decimal.getcontext().prec, Path.cwd(), sys.stdout, sys.gettrace()


async def test_modules_of_ours_are_back_after_a_program_had_its_own(sandbox):
    ours = {name: sys.modules[name] for name in ("json", "mendel", "mendel.contracts")}
    files = {
        "json.py": "mine = 1\n",
        "mendel/__init__.py": "",
        "mendel/contracts.py": "two = 2\n",
        "main.py": "import json\nfrom mendel.contracts import two\n\ndef f():\n    return json.mine + two\n",
    }
    evaluation = await sandbox.evaluate(Program(files, "main:f"), [Case()])
    assert evaluation.outcomes[0].value == 3
    assert {name: sys.modules[name] for name in ours} == ours
    assert "main" not in sys.modules


async def test_a_failed_program_leaves_nothing_either(sandbox):
    before = (list(sys.meta_path), set(sys.modules))
    for source in ("x = 1\nraise SystemExit\n", "def f(:", "import candidate_of_nobody\n"):
        await sandbox.evaluate(Program.of(source, "f"), [Case()])
    assert (list(sys.meta_path), set(sys.modules)) == before


async def test_records_are_instances_of_the_class_that_was_loaded(sandbox):
    source = "class P:\n    def __init__(self, x):\n        self.x = x\n\ndef f(p):\n    return P(p.x + 1)\n"
    program = Program.of(source, "f", shapes=(Shape("P", ("x",)),))
    evaluation = await sandbox.evaluate(program, [Case((Record("P", (("x", 1),)),))], recheck=1.0)
    assert evaluation.outcomes[0].value == Record("P", (("x", 2),))
    assert evaluation.stateful is False


async def test_a_program_on_disk_is_refused(sandbox):
    with pytest.raises(SandboxRefused, match="scratch folder"):
        await sandbox.evaluate(Program({"m.py": "def f():\n    pass\n"}, "m:f", on_disk=True), [Case()])


async def test_an_installed_package_may_be_granted_and_no_file(sandbox, tmp_path):
    assert await value_of(sandbox, "import iniconfig\n\ndef f():\n    return 1\n", grants=Grants(("iniconfig",))) == 1
    with pytest.raises(SandboxRefused, match="cannot be granted"):
        await value_of(sandbox, "def f():\n    return 1\n", grants=Grants(files={"x": str(tmp_path)}))
