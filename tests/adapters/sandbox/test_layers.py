"""Layers taken away one by one: what is left decides the tier, and too little is refused. And nothing is left over."""

import asyncio
import os
import socket
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support import skip_or_fail
from tests.support.rows import check_rows

from mendel.adapters.sandbox.bubblewrap import bubblewrap
from mendel.adapters.sandbox.furniture import interpreter
from mendel.adapters.sandbox.native import EVERY_LAYER, NAMESPACE_LAYERS, ORDINARY, Kind, NativeSandbox, refusal
from mendel.contracts.errors import SandboxError, SandboxFailed, SandboxRefused, SandboxUnavailable
from mendel.contracts.evaluations import (
    ALWAYS_NEEDED,
    NAMESPACES_NEEDED,
    NOTHING_GRANTED,
    Case,
    Grants,
    Limits,
    Program,
    tier_of,
)

PATIENT = Limits(case_s=60, batch_s=240)
ECHO = Program.of("def f(x):\n    return x\n", "f")
ENDLESS = Program.of("def f(x):\n    while True:\n        pass\n", "f")


def closed_to_others():
    """Whether only root can read the interpreter: whoever becomes nobody needs a root with a copy of it then."""
    folders = [Path(interpreter()), *Path(interpreter()).parents]
    return os.geteuid() == 0 and not all(folder.stat().st_mode & 0o005 == 0o005 for folder in folders)


def left_by(hidden):
    """The layers that are in force once these are taken away.

    Without user namespaces there are no others, but for root, who can have them all but one of processes for each fork.
    """
    with_user = {"pid"} if os.geteuid() == 0 else NAMESPACE_LAYERS
    gone = set(hidden) | (with_user if "user" in hidden else set()) | ABSENT
    return tuple(layer for layer in EVERY_LAYER if layer not in gone)


@pytest.fixture(autouse=True, scope="module")
def every_layer_is_here():
    async def isolation():
        async with NativeSandbox(allow_weak=True) as sandbox:
            return await sandbox.isolation()

    missing = dict(asyncio.run(isolation()).missing)
    ABSENT.update(missing)
    if missing.keys() - {"cgroups"}:
        skip_or_fail(f"this machine cannot give every layer: {missing}")


ABSENT = set()
"""What this machine does not give at all: control groups, to whoever is not root."""


def can_run(hidden):
    """Whether anything runs without these: root's interpreter may lie where only a mount namespace can show it."""
    return "mount" not in hidden or not closed_to_others()


SUFFICIENT = [set(), *({layer} for layer in EVERY_LAYER if layer not in ALWAYS_NEEDED), {"uts", "cgroup", "cgroups"}]
SUFFICIENT += [{"net", "pid"}, {"user", "cgroups"}]
INSUFFICIENT = [{layer} for layer in sorted(ALWAYS_NEEDED)]
INSUFFICIENT += [{"landlock", layer} for layer in sorted(NAMESPACES_NEEDED)]
INSUFFICIENT += [set(EVERY_LAYER), {"seccomp", "landlock", "user"}]
SUFFICIENT, INSUFFICIENT = list(filter(can_run, SUFFICIENT)), list(filter(can_run, INSUFFICIENT))


def opened(hidden, **options):
    return NativeSandbox(hidden=hidden, workers=1, **options)


async def test_root_whose_interpreter_is_closed_to_others_is_told_so_where_nothing_can_show_it():
    async with opened({"mount"}, use_bubblewrap=False) as sandbox:
        if not closed_to_others():
            assert (await sandbox.isolation()).tier == "landlock"
            return
        with pytest.raises(SandboxUnavailable, match=r"only root may enter .*, which contains this Python"):
            await sandbox.isolation()


@pytest.mark.slow
@check_rows("use_bubblewrap", [True, False])
@check_rows("hidden", SUFFICIENT)
async def test_what_is_left_decides_the_tier(hidden, use_bubblewrap):
    async with opened(hidden, use_bubblewrap=use_bubblewrap) as sandbox:
        isolation = await sandbox.isolation()
        evaluation = await sandbox.evaluate(ECHO, [Case(([1, {2: "x"}],))], limits=PATIENT)
    assert isolation.layers == left_by(hidden)
    assert isolation.tier == tier_of(left_by(hidden))
    assert isolation.adoptable
    assert set(isolation.missing) == set(EVERY_LAYER) - set(left_by(hidden))
    assert all(isolation.missing[layer] == "hidden" for layer in hidden)
    assert evaluation.outcomes[0].value == [1, {2: "x"}]
    assert (evaluation.isolation.tier, evaluation.isolation.layers) == (isolation.tier, isolation.layers)


@pytest.mark.slow
@check_rows("hidden", INSUFFICIENT)
async def test_too_little_is_refused_with_what_is_missing_and_a_remedy(hidden):
    async with opened(hidden) as sandbox:
        with pytest.raises(SandboxUnavailable) as refused:
            await sandbox.isolation()
        with pytest.raises(SandboxUnavailable):
            await sandbox.evaluate(ECHO, [Case((1,))], limits=PATIENT)
    lines = str(refused.value).splitlines()
    for layer in hidden & (ALWAYS_NEEDED | NAMESPACES_NEEDED | {"landlock"}):
        (line,) = [line for line in lines if line.strip().startswith(f"{layer}:")]
        why, _, remedy = line.partition("; ")
        assert "hidden" in why
        assert len(remedy) > 10
    assert "never be adopted" in lines[-1]


@check_rows("hidden", INSUFFICIENT)
async def test_where_it_is_allowed_too_little_goes_on_and_says_so_in_every_result(hidden):
    async with opened(hidden, allow_weak=True) as sandbox:
        for _ in range(2):
            evaluation = await sandbox.evaluate(ECHO, [Case((1,)), Case((2,))], limits=PATIENT, recheck=1.0)
            assert [outcome.value for outcome in evaluation.outcomes] == [1, 2]
            assert evaluation.isolation.tier == "weak"
            assert not evaluation.isolation.adoptable
            assert evaluation.isolation.layers == left_by(hidden)


async def test_bubblewrap_is_used_where_it_is_installed():
    if bubblewrap() is None:
        skip_or_fail("no bubblewrap: apt-get install bubblewrap")
    for use_bubblewrap in (True, False):
        async with NativeSandbox(workers=1, use_bubblewrap=use_bubblewrap) as sandbox:
            assert ("bubblewrap" in (await sandbox.isolation()).backend) == use_bubblewrap


def test_a_refusal_names_a_remedy_for_every_wall():
    text = refusal(dict.fromkeys(EVERY_LAYER, "gone"))
    for layer in ALWAYS_NEEDED | NAMESPACES_NEEDED | {"landlock"}:
        assert f"  {layer}: gone; " in text
    assert refusal({}).count("\n") == 1


@check_rows("hidden", list(filter(can_run, [set(), {"user"}, {"landlock"}, {"mount"}, {"net"}])))
async def test_programs_are_held_by_what_is_left(hidden):
    """By Landlock alone, and by namespaces alone, a file of the host cannot be read and nobody can be reached."""
    source = "import socket\n\ndef f(path, port):\n    told = []\n"
    source += "    for act in (lambda: open(path), lambda: socket.create_connection(('127.0.0.1', port), 1)):\n"
    source += "        try:\n            act()\n            told.append('done')\n"
    source += "        except OSError:\n            told.append('refused')\n    return told\n"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        async with opened(hidden) as sandbox:
            evaluation = await sandbox.evaluate(Program.of(source, "f"), [Case((__file__, port))], limits=PATIENT)
    assert evaluation.outcomes[0].value == ["refused", "refused"]


# --- what is left over ---------------------------------------------------------------------------------------------


def parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return -1


def processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def descendants() -> set[int]:
    """Every process below this one."""
    parents = {pid: parent_of(pid) for pid in processes()}
    found, last = {os.getpid()}, set()
    while found != last:
        last = set(found)
        found |= {pid for pid, parent in parents.items() if parent in found}
    return found - {os.getpid()}


def groups() -> set[str]:
    """Control groups of this process; the tree changes while it is walked."""
    own = f"-{os.getpid()}-"
    return {f"{at}/{name}" for at, names, _ in os.walk("/sys/fs/cgroup") for name in names if name.startswith(own)}


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def is_gone(pid: int) -> bool:
    """Whether nothing is left of a process but, if it was nobody's child here, an entry that init has to clear."""
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True


class Leftovers:
    """What there was before, and what a test has seen come."""

    def __init__(self):
        self.descriptors, self.groups, self.processes = descriptors(), groups(), descendants()
        self.seen = set()

    def look(self):
        self.seen |= descendants() - self.processes

    def left(self):
        """What has come and not gone: of processes that are no children here, init may have to clear the entry."""
        running = {pid for pid in (descendants() | self.seen) - self.processes if not is_gone(pid)}
        return running, groups() - self.groups, max(0, descriptors() - self.descriptors)

    async def assert_none(self):
        """Fail unless all is gone; what looks at the kernel's features in a thread may still be ending."""
        for _ in range(2_000):
            if self.left() == (set(), set(), 0):
                break
            await asyncio.sleep(0.01)
        assert self.left() == (set(), set(), 0)


@pytest.fixture
async def leftovers():
    await asyncio.to_thread(lambda: None)
    return Leftovers()


def test_evaluations_share_zygotes_however_long_they_may_take():
    kinds = {Kind.of(Limits(case_s=seconds, batch_s=8 * seconds), NOTHING_GRANTED) for seconds in (0.5, 1, 15, 60)}
    assert kinds == {ORDINARY}
    assert len({Kind.of(Limits(batch_s=seconds), NOTHING_GRANTED) for seconds in (601, 9_600, 86_400)}) == 1


@pytest.mark.parametrize("use_bubblewrap", [True, False], ids=["bubblewrap", "launcher"])
async def test_nothing_is_left_of_a_closed_sandbox(leftovers, use_bubblewrap):
    async with NativeSandbox(use_bubblewrap=use_bubblewrap, recycle_after=2, workers=2) as sandbox:
        for limits in (PATIENT, replace(PATIENT, open_files=32)):
            await asyncio.gather(*(sandbox.evaluate(ECHO, [Case((n,))], limits=limits) for n in range(6)))
            leftovers.look()
    assert leftovers.seen
    await leftovers.assert_none()


async def test_nothing_is_left_of_a_sandbox_that_was_never_used(leftovers):
    await NativeSandbox().aclose()
    await leftovers.assert_none()


@pytest.mark.parametrize("pause", [0, 0.02, 0.1, 0.3, 0.6])
@pytest.mark.parametrize("use_bubblewrap", [True, False], ids=["bubblewrap", "launcher"])
async def test_nothing_is_left_of_cancelled_calls(leftovers, pause, use_bubblewrap):
    async with NativeSandbox(workers=2, use_bubblewrap=use_bubblewrap) as sandbox:
        calls = [asyncio.create_task(sandbox.evaluate(ENDLESS, [Case((1,))], limits=PATIENT)) for _ in range(4)]
        await asyncio.sleep(pause)
        leftovers.look()
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
    await leftovers.assert_none()


@pytest.mark.parametrize("pause", [0, 0.02, 0.1, 0.3, 0.6])
@pytest.mark.parametrize("use_bubblewrap", [True, False], ids=["bubblewrap", "launcher"])
async def test_nothing_is_left_when_it_is_closed_under_its_callers(leftovers, pause, use_bubblewrap):
    sandbox = NativeSandbox(workers=2, use_bubblewrap=use_bubblewrap)
    calls = [asyncio.create_task(sandbox.evaluate(ENDLESS, [Case((1,))], limits=PATIENT)) for _ in range(4)]
    await asyncio.sleep(pause)
    leftovers.look()
    async with asyncio.timeout(120):
        await sandbox.aclose()
        ended = await asyncio.gather(*calls, return_exceptions=True)
    assert all(isinstance(error, SandboxError) for error in ended), ended
    await leftovers.assert_none()


async def test_nothing_is_left_of_what_was_refused(leftovers):
    async with NativeSandbox(workers=1) as sandbox:
        for grants in (Grants(packages=("no_such_package",)), Grants(files={"x": "/no/such"}), Grants(network=True)):
            with pytest.raises(SandboxRefused):
                await sandbox.evaluate(ECHO, [Case((1,))], grants=grants)
        leftovers.look()
    await leftovers.assert_none()


async def test_nothing_is_left_of_a_weak_sandbox_that_was_refused(leftovers):
    async with opened({"seccomp"}) as sandbox:
        with pytest.raises(SandboxUnavailable):
            await sandbox.isolation()
        leftovers.look()
    await leftovers.assert_none()


async def test_zygotes_that_were_all_killed_cost_one_call_at_most(leftovers):
    async with NativeSandbox(workers=1) as sandbox:
        await sandbox.evaluate(ECHO, [Case((1,))], limits=PATIENT)
        leftovers.look()
        for pid in leftovers.seen:
            if not is_gone(pid):
                os.kill(pid, 9)
        with suppress(SandboxFailed):
            await sandbox.evaluate(ECHO, [Case((2,))], limits=PATIENT)
        evaluation = await sandbox.evaluate(ECHO, [Case((3,))], limits=PATIENT)
        assert evaluation.outcomes[0].value == 3
        leftovers.look()
    await leftovers.assert_none()
